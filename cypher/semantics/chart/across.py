"""Counts over all of several things: "held talks in more than two rooms" counts the rooms of all talks."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cypher.semantics.chart.forms import Counted, Limit, Linked, Thing
from cypher.semantics.ir import Operator
from cypher.semantics.mentions import Linked as Question

_PLACING: Final = frozenset({"in", "at", "across", "on", "from"})
_NUMBERING: Final = frozenset(
    {"more", "at", "over", "several", "multiple", "many", "different", "two", "three"}
)
_ONE: Final = frozenset({"a", "an", "one", "each", "any", "every", "single", "same"})
_MANY: Final = (Operator.GT, Operator.GE)


def across(thing: Thing, question: Question) -> Thing:
    """The thing, with what is counted of several others counted over all of these.

    "Who held talks in more than two rooms" asks for people: no talk has to have two rooms. So it is where the
    things between are spoken of as many and a preposition alone ties them to what is counted; "talks held in
    more than two rooms" are each in so many.
    """
    return Thing(thing.label, tuple(_lifted(x, question) for x in thing.limits))


def _lifted(limit: Limit, question: Question) -> Limit:
    if not isinstance(limit, Linked):
        return limit
    inner = limit.thing.limits
    if len(inner) == 1 and isinstance(inner[0], Counted) and inner[0].operator in _MANY:
        counted = inner[0]
        if counted.number + (counted.operator is Operator.GT) > 1 and _is_many(limit.thing.label, question):
            return replace(counted, path=(*limit.path, *counted.path))
    return limit


def _is_many(label: str, question: Question) -> bool:
    """Whether the one noun for the label is a plural with nothing but a preposition behind it."""
    found = [m for m in question.mentions if any(t.kind == "label" and t.name == label for t in m.terms)]
    if len(found) != 1:
        return False
    words = [w.lower for w in question.words]
    before, behind = words[found[0].start - 1 : found[0].start], words[found[0].end : found[0].end + 2]
    plural = words[found[0].end - 1].endswith("s")
    placed = behind[:1] and behind[0] in _PLACING and behind[1:] and behind[1] in _NUMBERING
    return plural and bool(placed) and not _ONE & set(before)
