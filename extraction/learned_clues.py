"""What the staged pair model sees of a pair: features by role, and how near the text is to each relation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from extraction.learned_crf import Floats
from extraction.learned_features import shape
from extraction.learned_labels import LabelledRecord
from extraction.learned_pairs import Neighbourhood, Pair, pair_features
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


def role_features(pair: Pair, around: Neighbourhood) -> tuple[str, ...]:
    """Features of a pair whose first entity is taken to be the subject."""
    return (*pair_features(pair, around), *_looks(pair, around))


def _looks(pair: Pair, around: Neighbourhood) -> Iterator[str]:
    """How the two names look, and where they stand among the names of the sentence."""
    looks = []
    for which, record, mention in (("1", pair.first, pair.nearest[0]), ("2", pair.second, pair.nearest[1])):
        look = _look(record, around)
        looks.append(look)
        words = around.low[mention.sentence]
        before = words[mention.start - 1] if mention.start else ""
        after = words[mention.end] if mention.end < len(words) else ""
        order = around.by_sentence[mention.sentence].index(mention)
        yield from (f"look{which}={look}", f"order{which}={min(order, 3)}")
        yield from (f"to{which}={before}", f"from{which}={after}", f"to,look{which}={before},{look}")
        yield f"to2,{which}={' '.join(words[max(0, mention.start - 2) : mention.start])}"
        yield f"from2,{which}={' '.join(words[mention.end : mention.end + 2])}"
    yield f"looks={looks[0]}+{looks[1]}"
    a, b = pair.nearest
    if a.sentence == b.sentence:
        turn = "<" if a < b else ">"
        apart = around.by_sentence[a.sentence].index(b) - around.by_sentence[a.sentence].index(a)
        yield f"steps={max(-4, min(4, apart))}"
        yield f"steps,looks={max(-3, min(3, apart))},{looks[0]}+{looks[1]}"
        low, (x, y) = around.low[a.sentence], sorted((a, b))
        yield from (f"bd={turn}{w},{looks[1]}" for w in set(low[x.end : y.start][-WIDEST:]))


def _look(record: LabelledRecord, around: Neighbourhood) -> str:
    mention = record.mentions[0]
    words = around.text.words(mention)
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
        for at, text in enumerate(self._texts):
            words = [w for w in text.split() if w not in _SMALL] or text.split()
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
            likeness[0, row] = self._shared(clue.near)
            likeness[1, row] = self._shared(clue.sentence)
        if self._embedder is None or self._vectors is None or not clues:
            return likeness, np.zeros((len(clues), 0))
        near, whole = (_encoded(self._embedder, [" ".join(c) for c in part]) for part in _parts(clues))
        likeness[LEXICAL], likeness[LEXICAL + 1] = near @ self._vectors.T, whole @ self._vectors.T
        return likeness, near

    def _shared(self, words: tuple[str, ...]) -> Floats:
        """Share of each relation's words that one of ``words`` is kin to."""
        known = self._known.get(words)
        if known is None:
            known = np.zeros(len(self._texts))
            for stem in {w[:STEM] for w in words} & self._stems.keys():
                known += self._stems[stem]
            if len(self._known) < 10_000:
                self._known[words] = known
        return known


def _parts(clues: Sequence[Clue]) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    return [c.near for c in clues], [c.sentence for c in clues]


def _encoded(embedder: Embedder, texts: Sequence[str]) -> Floats:
    """(n_texts, dimension); equal texts are encoded once."""
    index = {text: at for at, text in enumerate(dict.fromkeys(texts))}
    return embedder.encode(list(index)).astype(np.float64)[[index[t] for t in texts]]
