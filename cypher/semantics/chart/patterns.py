"""The typed form of a question while it is made."""

from __future__ import annotations

from dataclasses import dataclass, field

from cypher.semantics.ir import Clause, Edge, Filter, Operator, Part, PropertyRef
from cypher.semantics.schema_paths import Path


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

    def reached(self, node: int, path: Path) -> tuple[int, Path]:
        """How far a way leads from a node by relationships that are there already, and the rest of it."""
        for size, step in enumerate(path):
            tied = [e for e in self.edges if set(e.types) & set(step.types)]
            ends = [(e.start, e.end) if step.forward else (e.end, e.start) for e in tied]
            there = [end for start, end in ends if start == node]
            if not there:
                return node, path[size:]
            node = there[0]
        return node, ()
