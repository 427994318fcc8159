"""Words between a property and a value that it has not: "other than", "anything but", "unlike"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_ANYTHING: Final = ("anything", "something", "everything", "anyone", "anybody", "someone", "everyone", "any")
_BUT: Final = ("but", "except", "besides", "save", "bar")
_PHRASES: Final = frozenset(
    {(word, link) for word in ("different", "distinct") for link in ("from", "to", "than")}
    | {(word, "from") for word in ("differs", "differ", "differing", "apart")}
    | {(word, but) for word in _ANYTHING for but in _BUT}
    | {(word, "other", "than") for word in _ANYTHING}
    | {
        ("other", "than"),
        ("unlike",),
        ("unequal", "to"),
        ("not", "equal", "to"),
        ("not", "the", "same", "as"),
    }
    | {("not", word) for word in ("equal", "equals", "like")}
    | {(do, "not", "equal") for do in ("does", "do")}
    | {(do, "n't", "equal") for do in ("does", "do")}
    | {("doesn't", "equal"), ("don't", "equal")}
)
_LONGEST: Final = 4
_ALL: Final = frozenset({"any", "every", "all", "each", "whatever"})
_NEAR: Final = 4
"""Words in front of the end of a property among which "any" or "different" may stand."""


def differing(p: Parser, at: int, end: int) -> int:
    """Behind words that deny the value that follows a property, which stops at ``end``; 0 for others."""
    for size in range(_LONGEST, 0, -1):
        if p.lower[at : at + size] in _PHRASES:
            return at + size
    before = p.lower[max(0, end - _NEAR) : end]
    if p.word(at) in _BUT and not _ALL.isdisjoint(before):
        return at + 1
    if p.word(at) in ("than", "from", "to") and "different" in before:
        return at + 1
    return 0
