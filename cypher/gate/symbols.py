"""What the variables of a query stand for, and all that is asked of them: the input of the schema check."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from cypher.syntax import nodes as n
from schemas.findings import Finding


class Kind(StrEnum):
    """What a variable stands for."""

    NODE = "node"
    RELATIONSHIP = "relationship"
    PATH = "path"
    LIST = "list"
    MAP = "map"
    VALUE = "value"
    UNKNOWN = "unknown"


@dataclass(slots=True, eq=False)
class Symbol:
    """One variable, the same one under all its aliases."""

    name: str
    kind: Kind
    labels: list[n.LabelExpression] = field(default_factory=list)
    """Conditions on labels (or types) that all hold."""
    item: Symbol | None = None
    """What a list holds, where that is known."""
    outer: Symbol | None = None
    """The same variable where this one comes from; what is known there holds here, but not the reverse."""
    types: frozenset[str] | None = None
    """What a value that is no part of the graph can be; ``None``: anything."""

    def inner(self) -> Symbol:
        """The variable as another part of the query sees it: what it says of it stays in that part."""
        item = self.item.inner() if self.item is not None else None
        return Symbol(self.name, self.kind, list(self.labels), item, self, self.types)


@dataclass(frozen=True, slots=True)
class Edge:
    """A relationship between two nodes of a pattern."""

    start: Symbol
    relationship: Symbol
    end: Symbol
    pattern: n.RelationshipPattern
    lower: int
    upper: int | None

    @property
    def repeated(self) -> bool:
        """Whether it stands for a path of several steps."""
        return (self.lower, self.upper) != (1, 1)


@dataclass(frozen=True, slots=True)
class Use:
    """A property that is read of a symbol; ``value`` is what it is compared with, if that is one value."""

    symbol: Symbol | None
    name: str
    span: n.Span
    value: n.Expression | None = None
    types: frozenset[str] | None = None
    """What the type check knows of what it is read of, where that is no pattern's; ``None``: anything."""


Place = tuple[int, int]
"""Start and end of a node of the tree in the text; with its class it names the node."""


def place(node: n.Node) -> Place:
    """The place of a node."""
    return node.span.start, node.span.end


@dataclass(slots=True)
class Analysis:
    """All that the check and the rewriting need to know of a query."""

    nodes: dict[Place, Symbol] = field(default_factory=dict)
    """Symbol of each node pattern."""
    relationships: dict[Place, Symbol] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)
    labels: list[tuple[n.LabelExpression, Symbol | None]] = field(default_factory=list)
    """Every label expression with what it is said of."""
    stars: dict[Place, tuple[str, ...]] = field(default_factory=dict)
    """Names that the star of a projection stands for."""
    maps: dict[Place, Symbol] = field(default_factory=dict)
    """Symbol of each map projection and each argument of ``properties`` and ``keys``."""
    similar: dict[Place, Symbol] = field(default_factory=dict)
    """What each call of ``similarity`` compares with its text."""
    asked: list[Symbol] = field(default_factory=list)
    """What a call asks for its id, labels or type."""
    spread: list[n.FunctionCall] = field(default_factory=list)
    """Calls that read components of what may be anything, a node among them: ``point(x)``."""
    findings: list[Finding] = field(default_factory=list)
    columns: tuple[str, ...] = ()
