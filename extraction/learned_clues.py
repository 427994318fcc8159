"""What the staged pair model sees of a pair: how near the text is to what each relation is called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Final

import numpy as np

from extraction.learned_crf import Floats
from extraction.learned_features import shape
from extraction.learned_pairs import Neighbourhood, Pair
from extraction.learned_text import Mention
from schemas.graph_schema import GraphSchema, RelationType
from schemas.ports import Embedder

NEAR: Final = 4
"""Tokens before and after two mentions that belong to their clue."""
WIDEST: Final = 24
"""Tokens between two mentions up to which all belong to their clue."""
STEM: Final = 5
"""Letters that two words must share at their beginnings, or the whole of the shorter one."""
LEXICAL: Final = 2
"""Likenesses without an embedder: words near the pair, words of its sentence."""
_RARE: Final = 0.01
"""Probability of a span that the span model does not hold likely."""
_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_SMALL: Final = frozenset({"of", "or", "the", "in", "by", "for", "to", "a", "an", "is", "and"})


@dataclass(frozen=True, slots=True)
class Clue:
    """Lower-case words around the nearest mentions of a pair, and all of their sentence but names."""

    near: tuple[str, ...]
    sentence: tuple[str, ...]


def clue_of(pair: Pair, around: Neighbourhood) -> Clue:
    """The words that may tell how two entities are related."""
    a, b = sorted(pair.nearest)
    words, last = around.low[a.sentence], around.low[b.sentence]
    named = {at for m in around.by_sentence[a.sentence] for at in range(m.start, m.end)}
    plain = tuple(w for at, w in enumerate(words) if at not in named)
    before, after = words[max(0, a.start - NEAR) : a.start], last[b.end : b.end + NEAR]
    middle = words[a.end : b.start] if a.sentence == b.sentence else words[a.end :] + last[: b.start]
    if len(middle) > WIDEST:
        middle = middle[: WIDEST // 2] + middle[-WIDEST // 2 :]
    return Clue((*before, *middle, *after), plain)


def turned(pair: Pair) -> Pair:
    """The same pair with its second entity first."""
    return replace(pair, first=pair.second, second=pair.first, nearest=(pair.nearest[1], pair.nearest[0]))


def chance_class(mention: Mention, around: Neighbourhood) -> str:
    """How likely the span model holds a span, in powers of e, and whether it is one that it proposes."""
    proposed = mention in around.by_sentence[mention.sentence]
    return f"{min(6, int(-log_chance(mention, around)))}{'+' if proposed else '-'}"


def log_chance(mention: Mention, around: Neighbourhood) -> float:
    """Logarithm of the probability of a span, at least that of ``_RARE``."""
    return log(max(_RARE, around.chances.get(mention, _RARE)))


def look_of(words: Sequence[str]) -> str:
    """Shapes of the first and last word, number of words up to 3, whether there is a number.

    >>> look_of(["Saint", "Paul"]), look_of(["1999"])
    ('Xx.Xx.2', 'dd.dd.1d')
    """
    first, last = shape(words[0]), shape(words[-1])
    digits = "d" if any(w[0].isdigit() for w in words) else ""
    return f"{first[:4]}.{last[:4]}.{min(len(words), 3)}{digits}"


def relation_text(relation: RelationType) -> str:
    """What a relation is called, in plain words.

    >>> relation_text(RelationType(name="r", subjects=("a",), objects=("b",), description="birthPlace"))
    'birth place'
    """
    said = " ".join((relation.description or relation.name, *relation.verbalisations))
    return " ".join(w.lower() for w in _WORD.findall(said.replace("_", " ")))


class Likeness:
    """Compares clues with what the relations of a schema are called."""

    def __init__(self, schema: GraphSchema, embedder: Embedder | None = None) -> None:
        self.relations = tuple(r.name for r in schema.relations)
        self.embedder_id = embedder.model_id if embedder else ""
        self._texts = [relation_text(r) for r in schema.relations]
        self._stems: dict[str, Floats] = {}
        """Beginning of a word -> the share of each relation's words that begin so."""
        self.words = tuple(_telling(text) for text in self._texts)
        """Of each relation: the words that tell what it is."""
        for at, words in enumerate(self.words):
            for word in words:
                share = self._stems.setdefault(word[:STEM], np.zeros(len(self._texts)))
                share[at] += 1 / len(words)
        self._embedder = embedder
        self._vectors = embedder.encode(self._texts).astype(np.float64) if embedder else None
        self._known: dict[tuple[str, ...], Floats] = {}

    @property
    def size(self) -> int:
        """Likenesses of one clue and one relation."""
        return LEXICAL + (2 if self._embedder else 0)

    @property
    def dimension(self) -> int:
        """Numbers of a clue's own vector; 0 without an embedder."""
        return self._embedder.dimension if self._embedder else 0

    def of(self, clues: Sequence[Clue]) -> tuple[Floats, Floats]:
        """(size, n_clues, n_relations) likenesses, each about 0 to 1; and (n_clues, dimension) vectors."""
        likeness = np.zeros((self.size, len(clues), len(self._texts)))
        for row, clue in enumerate(clues):
            likeness[0, row] = self.shared(clue.near)
            likeness[1, row] = self.shared(clue.sentence)
        if self._embedder is None or self._vectors is None or not clues:
            return likeness, np.zeros((len(clues), 0))
        near, whole = (_encoded(self._embedder, [" ".join(c) for c in part]) for part in _parts(clues))
        likeness[LEXICAL], likeness[LEXICAL + 1] = near @ self._vectors.T, whole @ self._vectors.T
        return likeness, near

    def shared(self, words: tuple[str, ...]) -> Floats:
        """Share of each relation's words that one of ``words`` is kin to."""
        known = self._known.get(words)
        if known is None:
            known = np.zeros(len(self._texts))
            for stem in {w[:STEM] for w in words} & self._stems.keys():
                known += self._stems[stem]
            if len(self._known) < 10_000:
                self._known[words] = known
        return known


def _telling(text: str) -> tuple[str, ...]:
    words = text.split()
    return tuple(w for w in words if w not in _SMALL) or tuple(words)


def _parts(clues: Sequence[Clue]) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    return [c.near for c in clues], [c.sentence for c in clues]


def _encoded(embedder: Embedder, texts: Sequence[str]) -> Floats:
    """(n_texts, dimension); equal texts are encoded once."""
    index = {text: at for at, text in enumerate(dict.fromkeys(texts))}
    return embedder.encode(list(index)).astype(np.float64)[[index[t] for t in texts]]
