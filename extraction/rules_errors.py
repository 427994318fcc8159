"""Which error of a value is which, where the sentence or the one after it says so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from extraction.passages import Passage
from schemas.language.quantities import ErrorTerm, Quantity

_Kind = Literal["", "stat", "syst", "other"]
_CLAUSE = re.compile(
    r"\bfirst (?:of (?:these|the|which) )?(?:quoted |given |listed )?"
    r"(?:uncertaint(?:y|ies)|errors?|is|are|being|one|term|in|due|(?=stat|syst))[^.;]{0,140}",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"\b(?:uncertaint(?:y|ies)|errors?) (?:are|being)(?: the| quoted as)? (?P<first>statistical|systematic) "
    r"and(?: the)? (?P<second>statistical|systematic),? ?(?:respectively|in (?:this|that) order)",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"\b(?:first|second|third|last)\b", re.IGNORECASE)
_KIND = re.compile(r"\b(?P<kind>stat|syst)", re.IGNORECASE)
_VALUE = re.compile(r"±|\\pm")
_AFTER = 2
"""Sentences after the value's own in which the clause is looked for."""


def order_of_errors(text: str) -> tuple[_Kind, ...]:
    """The kinds of the first, second, ... error as a clause of the text gives them; empty for no clause.

    >>> order_of_errors("where the first uncertainty is systematic and the second statistical")
    ('syst', 'stat')
    >>> order_of_errors("where the uncertainties are statistical and systematic, respectively")
    ('stat', 'syst')
    """
    order = _ORDER.search(text)
    if order:
        return _kind(order["first"]), _kind(order["second"])
    clause = _CLAUSE.search(text)
    if clause is None:
        return ()
    said = clause.group()
    starts = [m.start() for m in _ORDINAL.finditer(said)]
    parts = [said[a:b] for a, b in zip(starts, [*starts[1:], len(said)], strict=True)]
    kinds = tuple(_kind(part) for part in parts)
    return kinds if {"stat", "syst"} <= set(kinds) else ()


def _kind(said: str) -> _Kind:
    found = _KIND.search(said)
    if found is None:
        return "other"
    return "stat" if found["kind"].lower() == "stat" else "syst"


def with_order(quantities: Sequence[Quantity], passages: Sequence[Passage], index: int) -> list[Quantity]:
    """The quantities of a passage with their errors named by the clause in it or right after it."""
    block = passages[index].block
    near = [passages[index]]
    for later in passages[index + 1 : index + 1 + _AFTER]:
        if (later.block != block and later.index != index + 1) or _VALUE.search(later.text):
            break
        near.append(later)
    order = next((found for p in near if (found := order_of_errors(p.unified))), ())
    return [_named(q, order) for q in quantities]


def named_by(quantity: Quantity, text: str) -> Quantity:
    """The quantity with its errors named by a clause of ``text``, for example a caption."""
    return _named(quantity, order_of_errors(text))


def _named(quantity: Quantity, order: tuple[_Kind, ...]) -> Quantity:
    terms = quantity.errors
    if len(order) < 2 or len(terms) < 2 or any(t.label for t in terms):
        return quantity
    rest: list[_Kind] = ["other"] * len(terms)
    kinds = (*order, *rest)
    errors = tuple(
        ErrorTerm(plus=t.plus, minus=t.minus, label=kind) for t, kind in zip(terms, kinds, strict=False)
    )
    return quantity.model_copy(update={"errors": errors})
