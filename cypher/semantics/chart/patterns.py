"""The typed form of a question while it is made."""

from __future__ import annotations

from dataclasses import dataclass, field

from cypher.semantics.ir import Clause, Edge, Filter, Operator, Part, PropertyRef


@dataclass(slots=True)
class Pattern:
    """A part under construction."""

    edges: list[Edge] = field(default_factory=list)
    filters: list[Filter] = field(default_factory=list)
    clauses: list[Clause] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)
    outer: bool = False

    def done(self) -> Part:
        return Part(tuple(self.edges), tuple(self.filters), tuple(self.clauses), tuple(self.nodes))

    def compare(self, left: PropertyRef, operator: Operator, right: PropertyRef) -> None:
        """Compare two properties, or with empty names the things themselves."""
        self.filters.append(Filter(left, operator, other=right))
