"""The known way of asking that is nearest to a question: TF-IDF over its words and letters.

Nearness is the cosine over words and pairs of words, and over runs of two to five letters (both with
sublinear counts), as in nearest-neighbour classification of intents. What counts is the mean of the two
nearest wordings of a question, and by how much it is nearer than any other question.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from cypher.fillers import FILLERS
from cypher.general.english import words
from cypher.semantics.lightly import LIGHT
from cypher.ways.decisive import decisive
from cypher.ways.masked import Masked
from cypher.words import NUMBERS, STOP_WORDS, stem
from schemas.ways import SLOT, Ways

if TYPE_CHECKING:
    from numpy.typing import NDArray

_WORD: Final = r"[^\W\d_]+|[<>=]|\d+"
_GLUE: Final = FILLERS | words("a an the of in on at to for by from with and or as i me we us you")
"""Words that join others, or that are talk anyway."""
_COUNTING: Final = frozenset(NUMBERS) - {"one"}
"""A number is never left out; "which one" has none."""
NEAREST: Final = 2
"""Wordings of a question that speak for it."""
NEUTRAL: Final = 8
"""Questions that have a word among their wordings, from which on it tells none of them apart."""
AS_NEAR: Final = 0.7
"""Share of that likeness which a wording with the same decisive words has at least."""
LIKE: Final = 0.3
"""Least likeness."""
AHEAD: Final = 0.03
"""Least margin. Of 808 wordings by writers who were left out 70 % are as far ahead, 99.5 % of these right."""


@dataclass(frozen=True, slots=True)
class Nearest:
    """The question that is probably meant."""

    asked: str
    """With what was named in its places."""
    likeness: float
    margin: float
    strange: tuple[str, ...] = ()
    """Words that no wording of it has and that are no talk."""
    left: tuple[str, ...] = ()
    """Words of talk that no wording of it has."""
    decided: bool = False
    """Whether a near wording of it has the same decisive words."""

    @property
    def sure(self) -> bool:
        """Whether it is taken for what was asked."""
        return self.decided and not self.strange and self.likeness >= LIKE and self.margin >= AHEAD


@dataclass(frozen=True, slots=True)
class _Found:
    """A question with its wordings, each with its likeness to one order of what is named."""

    likeness: float
    asked: str
    variant: Masked
    ways: Sequence[tuple[float, str]]


class KnownWays:
    """Finds the nearest of the ways of one schema; made once, about a second when it is first used."""

    def __init__(self, ways: Ways) -> None:
        self._ways = ways
        self.kinds = ways.kinds
        self._words: dict[str, set[str]] = defaultdict(set)
        for way in ways.ways:
            self._words[way.asked] |= _stems(way.said)
        shared = Counter(w for words in self._words.values() for w in words)
        self._neutral = {w for w, times in shared.items() if times >= NEUTRAL}

    @cached_property
    def _made(self) -> tuple[list[Any], list[Any]]:
        from sklearn.feature_extraction.text import TfidfVectorizer

        said = [_plain(w.said) for w in self._ways.ways]
        made = [
            TfidfVectorizer(ngram_range=(1, 2), token_pattern=_WORD, sublinear_tf=True),
            TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), sublinear_tf=True),
        ]
        return made, [m.fit_transform(said) for m in made]

    @cached_property
    def _by_letters(self) -> dict[tuple[str, ...], list[int]]:
        found: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for i, way in enumerate(self._ways.ways):
            found[_letters(way.said)].append(i)
        return found

    def nearest(self, variants: Sequence[Masked]) -> Nearest | None:
        """The nearest question over all orders of what is named."""
        found: dict[str, list[_Found]] = defaultdict(list)
        for variant in variants:
            for asked, ways in self._likeness(variant).items():
                found[asked].append(_Found(_mean_of_nearest(ways), asked, variant, ways))
        ranked = sorted((max(x, key=_likeness_of) for x in found.values()), key=_likeness_of, reverse=True)
        if not ranked:
            return None
        best = ranked[0]
        rivals = ranked[1:2]
        if not _either_way(best.asked):
            rivals += sorted(found[best.asked], key=_likeness_of, reverse=True)[1:2]
        ahead = best.likeness - max((x.likeness for x in rivals), default=0.0)
        decided = self._decisive(best.variant.text)
        alike = (x for x, said in best.ways if self._decisive(said) == decided)
        same = max(alike, default=0.0) >= AS_NEAR * best.likeness
        strange, left = self._unknown(best.variant, best.asked)
        filled = SLOT.sub(lambda m: best.variant.named[m[0]], best.asked)
        return Nearest(filled, best.likeness, ahead, tuple(strange), tuple(left), same)

    def _decisive(self, text: str) -> frozenset[str]:
        return decisive(text, self._ways.decisive)

    def _likeness(self, variant: Masked) -> dict[str, list[tuple[float, str]]]:
        """For each question how near its wordings are."""
        rows = self._by_letters.get(_letters(variant.text), [])
        if not rows:
            return {}
        vectorisers, tables = self._made
        total: NDArray[Any] = sum(
            (t[rows] @ v.transform([_plain(variant.text)]).T).toarray()[:, 0] / len(tables)
            for v, t in zip(vectorisers, tables, strict=True)
        )
        found: dict[str, list[tuple[float, str]]] = defaultdict(list)
        for row, value in zip(rows, total, strict=True):
            way = self._ways.ways[row]
            found[way.asked].append((float(value), way.said))
        return found

    def _unknown(self, variant: Masked, asked: str) -> tuple[list[str], list[str]]:
        """Words that no wording of a question has: those that may mean something, and those of talk."""
        said = dict.fromkeys(re.findall(_WORD, _plain(variant.text)))
        apart = [w for w in said if stem(w) not in self._words[asked] and w not in _GLUE]
        known = [w for w in apart if w in FILLERS | STOP_WORDS | LIGHT or stem(w) in self._neutral]
        talk = [w for w in known if w not in _COUNTING and not w.isdigit()]
        return [w for w in apart if w not in talk], talk


def _stems(text: str) -> set[str]:
    return {stem(w) for w in re.findall(_WORD, _plain(text))}


def _mean_of_nearest(ways: Sequence[tuple[float, str]]) -> float:
    nearest = sorted((x for x, _ in ways), reverse=True)[:NEAREST]
    return sum(nearest) / len(nearest)


def _likeness_of(found: _Found) -> float:
    return found.likeness


def _either_way(asked: str) -> bool:
    """Whether things of one kind may change places: "both the {Q} and the {Q2}"."""
    joined = re.search(r"\{([A-Z])\}(?:,|,? and| or)(?: the| a)? \{\1", asked)
    return joined is not None and "difference" not in asked


def _letters(text: str) -> tuple[str, ...]:
    return tuple(sorted(f"{letter}{place}" for letter, place in SLOT.findall(text)))


def _plain(text: str) -> str:
    """Lower case, with a word for each letter."""
    return SLOT.sub(lambda m: f"slot{m[1]}{'abcdefghij'[int(m[2] or 1) - 1]}", text).lower()
