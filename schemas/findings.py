"""What the gate finds in a query, and what it changed: shown to whoever wrote the query."""

from __future__ import annotations

import re
from typing import Final

from pydantic import Field

from schemas.model import Frozen

_PARTS: Final = re.compile(r"\w+|\s+|<-|->|'[^']*'|.")


class Place(Frozen):
    """Characters ``start`` up to ``end`` of a text; line and column count from 1."""

    start: int = Field(0, ge=0)
    end: int = Field(0, ge=0)
    line: int = Field(1, ge=1)
    column: int = Field(1, ge=1)


class Finding(Frozen):
    """One reason why a query may not run as it is.

    Codes: ``SYN1`` syntax, ``SYN2`` cap or character, ``SEM1`` undefined variable, ``SEM2`` grouping or
    type, ``SCH1`` label, ``SCH2`` relationship type, ``SCH3`` property, ``SCH4`` direction or impossible
    edge, ``SCH5`` value type, ``SEC1`` not allowed, ``COST`` too expensive; of repairs also ``VAL1`` a
    value that no node has.
    """

    code: str
    message: str
    place: Place = Place()
    suggestions: tuple[str, ...] = ()
    """At most three."""


class Repair(Frozen):
    """A change that the gate made because it was the only one that fits the schema."""

    code: str
    """Code of the finding that it mends."""
    message: str
    before: str
    after: str

    @property
    def told(self) -> str:
        """Why and what, in one line: of two whole queries only the part in which they differ.

        >>> turned = {"before": "MATCH (a)-[:HAS]->(b) RETURN a", "after": "MATCH (a)<-[:HAS]-(b) RETURN a"}
        >>> Repair(code="SCH4", message="No HAS leads there", **turned).told
        'No HAS leads there: -[:HAS]-> became <-[:HAS]-'
        """
        before, after = (_PARTS.findall(text) for text in (self.before, self.after))
        start = _same(before, after)
        end = _same(before[: start - 1 if start else None : -1], after[: start - 1 if start else None : -1])
        gone, come = ("".join(x[start : len(x) - end]).strip() for x in (before, after))
        if not (gone and come):
            return f"{self.message}: {come} was put in" if come else f"{self.message}: {gone} was left out"
        return f"{self.message}: {gone} became {come}"


def _same(one: list[str], other: list[str]) -> int:
    """How many first items two lists share."""
    return next(
        (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
