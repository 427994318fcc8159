"""The syntax tree of a read query: one frozen class for each construct, each with its place in the text.

Equality ignores places, so a tree equals what its printed text parses to. No class stands for a write, a
command or a pre-parser option: they cannot be expressed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from cypher.syntax.expressions import (
    NOWHERE,
    AllProperties,
    Arithmetic,
    Case,
    CaseSubject,
    Comparison,
    CountStar,
    DynamicLabel,
    Expression,
    FunctionCall,
    HasLabels,
    Index,
    IsNormalized,
    IsNull,
    IsTyped,
    LabelAnd,
    LabelExpression,
    LabelName,
    LabelNot,
    LabelOr,
    LabelWildcard,
    ListComprehension,
    ListLiteral,
    ListPredicate,
    Literal,
    Logic,
    MapEntry,
    MapLiteral,
    MapProjection,
    Negation,
    Node,
    Normalize,
    Operation,
    Parameter,
    Property,
    PropertySelector,
    Quantifier,
    Reduce,
    Selector,
    Sign,
    Slice,
    Span,
    Test,
    Trim,
    Variable,
    VariableSelector,
    When,
)

__all__ = [
    "NOWHERE",
    "AllProperties",
    "Arithmetic",
    "CallProcedure",
    "CallSubquery",
    "Case",
    "CaseSubject",
    "Clause",
    "Comparison",
    "CountStar",
    "DynamicLabel",
    "Element",
    "Expression",
    "Finish",
    "FunctionCall",
    "GroupPattern",
    "HasLabels",
    "Index",
    "IsNormalized",
    "IsNull",
    "IsTyped",
    "Item",
    "LabelAnd",
    "LabelExpression",
    "LabelName",
    "LabelNot",
    "LabelOr",
    "LabelWildcard",
    "ListComprehension",
    "ListLiteral",
    "ListPredicate",
    "Literal",
    "Logic",
    "MapEntry",
    "MapLiteral",
    "MapProjection",
    "Match",
    "Negation",
    "Node",
    "NodePattern",
    "Normalize",
    "Operation",
    "Parameter",
    "Path",
    "PatternComprehension",
    "PatternExpression",
    "Projection",
    "Property",
    "PropertySelector",
    "Quantifier",
    "Query",
    "Reduce",
    "RelationshipPattern",
    "Return",
    "Selector",
    "Sign",
    "SingleQuery",
    "Slice",
    "Sort",
    "Span",
    "Subquery",
    "Test",
    "Trim",
    "Unwind",
    "Variable",
    "VariableSelector",
    "When",
    "With",
    "Yield",
]


@dataclass(frozen=True, slots=True)
class PatternComprehension(Expression):
    """``[path WHERE where | projection]``."""

    path: Path
    where: Expression | None
    projection: Expression


@dataclass(frozen=True, slots=True)
class Subquery(Expression):
    """``EXISTS { }``, ``COUNT { }`` or ``COLLECT { }``; a bare pattern is a query of one MATCH."""

    kind: str
    query: Query


@dataclass(frozen=True, slots=True)
class PatternExpression(Expression):
    """A pattern as a condition, or ``shortestPath(...)`` as a value."""

    path: Path


# --- labels and patterns ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NodePattern(Node):
    """``(variable:labels {properties} WHERE where)``."""

    variable: str | None = None
    labels: LabelExpression | None = None
    properties: MapLiteral | Parameter | None = None
    where: Expression | None = None


@dataclass(frozen=True, slots=True)
class RelationshipPattern(Node):
    """``-[variable:types*length {properties} WHERE where]->``; direction ``>``, ``<`` or empty."""

    direction: str = ""
    variable: str | None = None
    types: LabelExpression | None = None
    length: Quantifier | None = None
    """Of the older form ``*1..3``."""
    properties: MapLiteral | Parameter | None = None
    where: Expression | None = None
    quantifier: Quantifier | None = None


@dataclass(frozen=True, slots=True)
class GroupPattern(Node):
    """``((a)-[r]->(b) WHERE where){1,3}``: a parenthesised path, repeated where it has a quantifier."""

    path: Path
    where: Expression | None
    quantifier: Quantifier | None


Element: TypeAlias = NodePattern | RelationshipPattern | GroupPattern


@dataclass(frozen=True, slots=True)
class Path(Node):
    """``variable = selector function(elements)``; the function is that of a shortest path."""

    elements: tuple[Element, ...]
    variable: str | None = None
    selector: Selector | None = None
    function: str = ""


# --- clauses ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Clause(Node):
    """Base of clauses."""


@dataclass(frozen=True, slots=True)
class Match(Clause):
    """``[OPTIONAL] MATCH [mode] paths [WHERE where]``."""

    paths: tuple[Path, ...]
    where: Expression | None = None
    optional: bool = False
    mode: str = ""
    """``DIFFERENT RELATIONSHIPS``, ``REPEATABLE ELEMENTS`` or empty."""
    hints: int = field(default=0, compare=False)
    """How many ``USING`` hints were dropped."""


@dataclass(frozen=True, slots=True)
class Item(Node):
    """``expression AS alias``; ``source`` is the text it was read from."""

    expression: Expression
    alias: str | None = None
    source: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Sort(Node):
    """One key of ORDER BY."""

    expression: Expression
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Projection(Node):
    """What RETURN and WITH pass on."""

    items: tuple[Item, ...]
    star: bool = False
    distinct: bool = False
    order: tuple[Sort, ...] = ()
    skip: Expression | None = None
    limit: Expression | None = None


@dataclass(frozen=True, slots=True)
class With(Clause):
    """``WITH projection [WHERE where]``."""

    projection: Projection
    where: Expression | None = None


@dataclass(frozen=True, slots=True)
class Return(Clause):
    """``RETURN projection``."""

    projection: Projection


@dataclass(frozen=True, slots=True)
class Finish(Clause):
    """``FINISH``."""


@dataclass(frozen=True, slots=True)
class Unwind(Clause):
    """``UNWIND expression AS variable``."""

    expression: Expression
    variable: str


@dataclass(frozen=True, slots=True)
class CallSubquery(Clause):
    """``[OPTIONAL] CALL (imports) { query }``; ``imports`` is ``None`` for the form without brackets."""

    query: Query
    imports: tuple[str, ...] | None = None
    star: bool = False
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Yield(Node):
    """``name AS alias``."""

    name: str
    alias: str | None = None


@dataclass(frozen=True, slots=True)
class CallProcedure(Clause):
    """``[OPTIONAL] CALL name(arguments) [YIELD items [WHERE where]]``."""

    name: str
    arguments: tuple[Expression, ...] | None
    """``None`` for a call without brackets."""
    items: tuple[Yield, ...] = ()
    star: bool = False
    where: Expression | None = None
    optional: bool = False


@dataclass(frozen=True, slots=True)
class SingleQuery(Node):
    """Clauses in their order."""

    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Query(Node):
    """One or more single queries joined by UNION (``ALL`` where the flag is true)."""

    branches: tuple[SingleQuery, ...]
    union_all: tuple[bool, ...] = ()
