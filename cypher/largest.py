"""The one source that contributes most, where one is asked for: "what is the largest systematic uncertainty".

Sizes decide where all sources have one in one unit. Else rankings do, which hold within a document: its
first is told of each document.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from cypher import form as f
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


def largest(columns: Sequence[str], rows: Sequence[Row], *, truncated: bool) -> list[Row]:
    """The rows that are first: by size where all have one in one unit, else each document's first."""
    cells = [dict(zip(columns, row, strict=True)) for row in rows]
    numbers = [s for c in cells if isinstance(s := c.get("magnitude"), int | float)]
    if len(numbers) == len(cells) and len({c.get("unit") for c in cells}) == 1 and not truncated:
        return [r for r, c in zip(rows, cells, strict=True) if c["magnitude"] == max(numbers)]
    first = [r for r, c in zip(rows, cells, strict=True) if c.get("ranking") == 1]
    return first or list(rows)
