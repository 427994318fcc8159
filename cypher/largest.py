"""The one source that contributes most, where one is asked for: "what is the largest systematic uncertainty".

Sizes decide where all sources have one in one unit. Else rankings do, which hold within a document: its
first is told of each document.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from cypher import form as f
from cypher.listed import MOST_READ
from schemas.questions import Value

Row: TypeAlias = tuple[Value, ...]
_ONE: Final = re.compile(
    r"\b(?:what|which)(?: is| was|'s) the (?:single )?(?:largest|biggest|greatest|dominant|main|leading"
    r"|most (?:important|significant)) (?:[\w-]+ ){0,3}?"
    r"(?:uncertainty|systematic|error|source|contribution)\b(?! sources\b)"
    r"|\b(?:what|which) (?:[\w-]+ ){0,4}?(?:source|uncertainty|systematic)(?: of [\w -]+?)? (?:is|was) the"
    r" (?:single )?(?:largest|biggest|greatest|dominant|main|leading|most (?:important|significant))\b"
    r"|\b(?:what|which) (?:[\w-]+ ){0,4}?(?:source|uncertainty|systematic)(?: of [\w -]+?)?"
    r" (?:(?:affects|limits|contributes)\b.*\bmost\b|dominates\b)",
    re.IGNORECASE,
)
OF_SOURCES: Final = (
    "This asks for a measurement by its uncertainty, and it is not known by which number. Ask for the "
    "largest statistical, systematic or total error, or for the sources of uncertainty of a quantity."
)
_OTHER: Final = r"(?!(?:uncertaint|systematic|error|source|contribution|ha[sd]\b|have\b))\S+\s+"
_MEASUREMENT: Final = re.compile(
    rf"\b(?:which|what)\s+(?:{_OTHER}){{0,6}}?(?:measurement|determination|result|value)s?\s+"
    rf"(?:{_OTHER}){{0,12}}?(?:ha[sd]|have)\b",
    re.IGNORECASE,
)
"""A measurement that has something, which is asked for: "which measurement of X has the largest ..."."""


def asks_which_measurement(question: str, form: f.Form | None) -> bool:
    """Whether a measurement is asked for by its uncertainty, where a list of sources by strength was read.

    >>> listed = f.Form("strongest", (), (), (), f.Statements("r0", f.Order.STRONGEST))
    >>> asks_which_measurement("Which measurement of phi_s has the largest systematic uncertainty?", listed)
    True
    >>> asks_which_measurement("What is the largest uncertainty the measurement of phi_s has?", listed)
    False
    """
    head = form.head if form is not None else None
    by_strength = isinstance(head, f.Statements) and head.order is f.Order.STRONGEST
    return by_strength and bool(_MEASUREMENT.search(question))


def one_of_all(question: str, form: f.Form) -> f.Form:
    """The form that keeps what is first, where one source is asked for and a list by strength was read.

    >>> listed = f.Form("strongest", (), (), (), f.Statements("r0", f.Order.STRONGEST))
    >>> one_of_all("What is the largest systematic uncertainty on phi_s?", listed).head.only_first
    True
    >>> one_of_all("What are the largest systematic uncertainties on phi_s?", listed) is listed
    True
    """
    head = form.head
    if not isinstance(head, f.Statements) or head.order is not f.Order.STRONGEST or head.limit:
        return form
    return replace(form, head=replace(head, only_first=True)) if _ONE.search(question) else form


@dataclass(frozen=True, slots=True)
class First:
    """The rows that are first among all that were read, and what they are among these, in words."""

    rows: tuple[Row, ...]
    words: str


def is_one_of_all(form: f.Form) -> bool:
    """Whether a form keeps what is first by strength."""
    head = form.head
    return isinstance(head, f.Statements) and head.only_first and head.order is f.Order.STRONGEST


def rows_read(form: f.Form, limit: int) -> int:
    """How many rows are read to show ``limit``: the first of all is not told by those that are shown."""
    return MOST_READ if is_one_of_all(form) else limit + 1


def largest(columns: Sequence[str], rows: Sequence[Row], *, truncated: bool) -> First:
    """The rows that are first: by size where all have one in one unit, else each document's first.

    Where neither decides they are all of them. ``truncated``: the graph has more rows than were read.
    """
    cells = [dict(zip(columns, row, strict=True)) for row in rows]
    numbers = [s for c in cells if isinstance(s := c.get("magnitude"), int | float)]
    if len(numbers) == len(cells) and len({c.get("unit") for c in cells}) == 1:
        first = [r for r, c in zip(rows, cells, strict=True) if c["magnitude"] == max(numbers)]
    else:
        first = [r for r, c in zip(rows, cells, strict=True) if c.get("ranking") == 1]
    among = f" among the first {len(rows)}" if truncated else ""
    if not first and len(rows) > 1:
        return First(tuple(rows), f"none of which is known to be the largest{among}")
    first = first or list(rows)
    which = "the largest" if len(first) == 1 else "each the largest of its document or as large"
    return First(tuple(first), f"{which}{among}")
