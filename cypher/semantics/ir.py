"""What a question asks of a property graph, as a typed form that Cypher and English are written from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

Literal: TypeAlias = str | int | float | bool


class Operator(StrEnum):
    """How a property is compared."""

    EQ = "="
    NE = "<>"
    GT = ">"
    GE = ">="
    LT = "<"
    LE = "<="
    CONTAINS = "CONTAINS"
    STARTS = "STARTS WITH"
    ENDS = "ENDS WITH"
    IN = "IN"
    KNOWN = "IS NOT NULL"
    UNKNOWN = "IS NULL"
    IS = "IS"
    """With an empty property name: the node has one of the labels."""
    IS_NOT = "IS NOT"
    """It has none of them."""


class Measure(StrEnum):
    """A function over a group of values."""

    COUNT = "count"
    SUM = "sum"
    AVG = "avg"
    MIN = "min"
    MAX = "max"


class Head(StrEnum):
    """What is returned."""

    LIST = "list"
    """The answer node, by name, or some of its properties."""
    COUNT = "count"
    AGGREGATE = "aggregate"
    GROUP = "group"
    """A measure for each answer node or each value of a property."""
    EXISTS = "exists"


class Period(StrEnum):
    """A stretch of time in which days, or years, are counted together."""

    YEAR = "year"
    MONTH = "month"
    DECADE = "decade"
    CALENDAR_MONTH = "calendar month"
    """A month of any year, as a number from 1 to 12."""


@dataclass(frozen=True, slots=True)
class PropertyRef:
    """A property of the pattern's node (or, with ``on_edge``, edge) number ``owner``."""

    owner: int
    name: str
    on_edge: bool = False
    numeric_text: bool = False
    """Text that holds numbers: compared and sorted as numbers."""
    many: bool = False
    day_text: bool = False
    """Text that holds days as ``dd/mm/yyyy``: compared and sorted as days."""
    iso_text: bool = False
    """Text that holds days as ``yyyy-mm-dd``: years are compared by their first or last day."""
    clock: bool = False
    """With ``iso_text``: a time of day follows, which no comparison with a day looks at."""
    sized: bool = False
    """Its length is meant: characters of a text, entries of a list."""
    period: Period | None = None
    """Not the day itself is meant, or the year, but the period in which it lies."""


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition on a property; ``other`` instead of a value compares two properties."""

    ref: PropertyRef
    operator: Operator
    value: Literal | tuple[Literal, ...] | None = None
    other: PropertyRef | None = None
    folded: bool = False
    """Compared without regard to case."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node pattern."""

    label: str


@dataclass(frozen=True, slots=True)
class Edge:
    """A relationship pattern from node ``start`` to node ``end``; several types mean any of them."""

    start: int
    end: int
    types: tuple[str, ...]
    negated: bool = False
    both: bool = False
    """Either direction counts."""
    optional: bool = False
    mark: int = 0
    """In a clause, the number by which properties of this relationship are told; from :data:`MARKED` on."""


MARKED = 1000
"""Relationships outside clauses are told by their place, which is below this."""


@dataclass(frozen=True, slots=True)
class CountFilter:
    """``count(DISTINCT node)`` for each answer node, compared with a number."""

    node: int
    operator: Operator
    value: int
    edge: int | None = None
    """The relationship that is counted in the node's stead, each as one time."""

    @property
    def tells(self) -> bool:
        """Whether a count that passes is news: of "exactly two" everybody knows it."""
        return self.operator is not Operator.EQ


@dataclass(frozen=True, slots=True)
class Order:
    """Sort key: a property, or the number of the nodes ``count_of``."""

    ref: PropertyRef | None = None
    count_of: int | None = None
    descending: bool = True
    figure: int | None = None
    """Number of the measure in ``Query.measures`` that is sorted by."""
    extreme: bool = False
    """Only the first is wanted, with all that share its value; else all rows in this order."""
    measure: Measure | None = None
    """With ``ref``: the key is this measure over the values of each answer node."""
    distinct: bool = False
    """Equal values count once."""
    within: int | None = None
    """Node for each of which the first is wanted, where ``extreme``: "the cheapest dish of each course"."""
    count_edge: int | None = None
    """With ``count_of``: the relationship that is counted in its stead, each as one time."""


class ClauseKind(StrEnum):
    """How the parts of a clause bear on the nodes outside it."""

    ABSENT = "absent"
    """No match of the one part."""
    ANY = "any"
    """A match of at least one part."""
    COUNT = "count"
    """So many different nodes ``node`` in matches of the one part."""
    BEST = "best"
    """The property ``ref`` is as large (or small) as in any match of the one part, on nodes of its own.

    With a ``measure`` it is compared by ``operator`` with that: "above the average".
    """
    MORE = "more"
    """More (by ``operator``) different nodes ``node`` in the first part than ``counted`` in the second."""
    FIGURE = "figure"
    """A ``measure`` over the values of ``ref`` in matches of the one part, compared with ``figure``."""
    MOST = "most"
    """As many nodes ``counted`` as the node ``of`` with most (or fewest) has, in matches of the one part."""


@dataclass(frozen=True, slots=True)
class Part:
    """A pattern with conditions; nodes that stand nowhere outside it are its own."""

    edges: tuple[Edge, ...] = ()
    filters: tuple[Filter, ...] = ()
    clauses: tuple[Clause, ...] = ()
    nodes: tuple[int, ...] = ()
    """Nodes that it brings in."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A condition on a pattern that is not a plain match."""

    kind: ClauseKind
    parts: tuple[Part, ...]
    operator: Operator = Operator.EQ
    number: int = 0
    node: int = 0
    """The node counted (COUNT), or the one that is best (BEST, MOST)."""
    ref: PropertyRef | None = None
    measure: Measure | None = None
    figure: int | float = 0
    copy: int = 0
    """In BEST and MOST, the part's own node that stands for ``node``."""
    counted: int = 0
    descending: bool = True


@dataclass(frozen=True, slots=True)
class Measured:
    """A measure over the values of a property, or with an empty name over the nodes themselves."""

    measure: Measure
    ref: PropertyRef


@dataclass(frozen=True, slots=True)
class Query:
    """One reading of a question."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...] = ()
    filters: tuple[Filter, ...] = ()
    answer: int = 0
    head: Head = Head.LIST
    project: tuple[PropertyRef, ...] = ()
    """Returned properties; none means the answer node's name."""
    measure: Measure | None = None
    measured: PropertyRef | None = None
    group: PropertyRef | None = None
    having: CountFilter | None = None
    order: Order | None = None
    limit: int | None = None
    place: int = 1
    """Of what is sorted, the first that is wanted: 2 for "the second highest"."""
    show_order: bool = False
    """Whether the sort key is returned too."""
    count_asked: bool = False
    """Whether the question asks for that key itself."""
    pooled: bool = False
    """Whether values of ``project`` are counted by, each over all nodes that have it, not the nodes."""
    clauses: tuple[Clause, ...] = ()
    measures: tuple[Measured, ...] = ()
    """Several measures, or one for each of ``keys``; they stand for ``measure`` and ``group``."""
    over: Measure | None = None
    """What is taken over the counts of a breakdown: "the average number of films per director"."""
    keys: tuple[PropertyRef, ...] = ()
    """What rows of measures are told apart by; with an empty name the node itself."""
    inner: frozenset[int] = frozenset()
    """Nodes that clauses bring in; they are not matched outside them."""
    again: frozenset[int] = frozenset()
    """Edges whose relationship may be that of another edge."""
    whole: bool = False
    """Whether things are returned with all that is known of them, not by name."""


def edge_of(query: Query, ref: PropertyRef) -> Edge:
    """The relationship whose property ``ref`` names, inside a clause or outside all."""
    if ref.owner < MARKED:
        return query.edges[ref.owner]
    parts = [p for c in query.clauses for p in c.parts]
    while parts:
        part = parts.pop()
        for edge in part.edges:
            if edge.mark == ref.owner:
                return edge
        parts += [p for c in part.clauses for p in c.parts]
    raise KeyError(ref.owner)


def is_day_text(ref: PropertyRef) -> bool:
    """Whether a property is a text that holds days."""
    return ref.day_text or ref.iso_text


def is_counted(query: Query) -> bool:
    """Whether answers are chosen or ranked by a figure over what belongs to each."""
    order = query.order
    return query.having is not None or (
        order is not None and (order.count_of is not None or bool(order.measure))
    )


def rows_of(query: Query) -> int | None:
    """The node that has a row of its own: of which several properties are listed, or one is added up."""
    measured = query.measured
    adding = query.head is Head.AGGREGATE and query.measure in (Measure.SUM, Measure.AVG)
    if adding and measured is not None and query.edges and not measured.on_edge:
        return measured.owner
    owners = {(r.owner, r.on_edge) for r in query.project}
    plain = query.head is Head.LIST and query.order is None and query.having is None
    if not plain or len(query.project) < 2 or len(owners) > 1 or query.project[0].on_edge:
        return None
    return query.project[0].owner
