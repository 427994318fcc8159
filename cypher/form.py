"""The meaning of a question as a typed form: a graph pattern, conditions on it, and what is asked of it.

Everything named here is a name of the graph schema or a generated variable; text of the asker occurs
in the values of conditions only, which become query parameters.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, TypeAlias

from schemas.questions import Parameter


class Op(StrEnum):
    """How a condition compares."""

    IS = "is"
    ONE_OF = "is one of"
    HAS = "contains"
    LACKS = "does not contain"
    WORDS = "has the words"
    """The text has them as they stand, in any case."""
    NO_WORDS = "does not have the words"
    OTHER = "is not given or other than"
    AT_LEAST = "is at least"
    AT_MOST = "is at most"
    ABOVE = "is above"
    BELOW = "is below"
    KNOWN = "is known"
    UNKNOWN = "is not given"
    NAMES = "names"
    """The attribute holds the name of one of the documents with these ids."""


COMPARISONS: Final = frozenset({Op.ABOVE, Op.BELOW, Op.AT_LEAST, Op.AT_MOST})
"""Those of numbers and dates with a bound."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the pattern: variable and entity type."""

    var: str
    type: str


@dataclass(frozen=True, slots=True)
class Edge:
    """A statement of the pattern, from the relation's subject to its object."""

    var: str
    relation: str
    start: str
    end: str


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on one attribute of a node or statement; ``shown`` names the value in explanations."""

    var: str
    attribute: str
    op: Op
    value: Parameter = None
    shown: str = ""
    optional: bool = False
    """A default of the service (limits left out), not a wish of the asker."""
    otherwise: str = ""
    """With ``KNOWN``: another attribute that serves as well."""
    units: tuple[tuple[str, float], ...] = ()
    """The number in each unit in which the attribute may be given; the unit decides which one counts."""


class Order(StrEnum):
    """Order of statements."""

    PLAIN = "plain"
    NEWEST = "newest"
    OLDEST = "oldest"
    STRONGEST = "strongest"
    BY_OBJECT = "by object, newest first"


@dataclass(frozen=True, slots=True)
class Entities:
    """The distinct entities of a variable; ``only_first`` keeps those that share the first year."""

    var: str
    order: Order = Order.PLAIN
    only_first: bool = False


@dataclass(frozen=True, slots=True)
class Count:
    """How many distinct nodes or statements."""

    var: str


@dataclass(frozen=True, slots=True)
class CountBy:
    """How many, for each value of an attribute of ``by`` or, without attribute, for each entity.

    ``by`` is a node or, with an attribute, a statement; ``most_first`` orders by number. ``members``: the
    attribute holds lists, and each member counts.
    """

    var: str
    by: str
    attribute: str = ""
    most_first: bool = False
    members: bool = False


@dataclass(frozen=True, slots=True)
class Top:
    """The entities of ``var`` with the most distinct ``counted``; ``limit`` 0 for no limit of the asker's."""

    var: str
    counted: str
    limit: int = 0


@dataclass(frozen=True, slots=True)
class Statements:
    """The statements of an edge, one per row; ``only_first`` keeps the rows that share the first year.

    ``expected`` holds the names of which each should have a row.
    """

    edge: str
    order: Order = Order.PLAIN
    only_first: bool = False
    limit: int = 0
    expected: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Precise:
    """The statement with the smallest total error, for each observable, unit and column."""

    edge: str


@dataclass(frozen=True, slots=True)
class Tightest:
    """The lowest upper limit, or the highest lower one, for each observable, unit, column and level."""

    edge: str
    lower: bool = False


@dataclass(frozen=True, slots=True)
class Gathered:
    """The things at the far end of ``edge``, strongest first, each once, by the mean of its rankings.

    Beside each stand the names of what the same documents say of the thing at the near end, ``hub``.
    """

    edge: str
    hub: str
    beside: tuple[tuple[str, str], ...] = ()
    """Relation and type of what stands beside."""
    limit: int = 0


@dataclass(frozen=True, slots=True)
class AttributesOf:
    """Attributes of one node."""

    var: str
    attributes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Compare:
    """How many of ``counted`` each entity of ``by`` has, none included."""

    counted: str
    by: str


@dataclass(frozen=True, slots=True)
class AllHave:
    """Entities of ``var`` all of whose statements ``edge`` have ``attribute`` set."""

    var: str
    edge: str
    attribute: str


@dataclass(frozen=True, slots=True)
class ValuesOf:
    """The distinct values of an attribute (its members, where it holds lists); ``var`` is a node."""

    var: str
    attribute: str
    many: bool = False


@dataclass(frozen=True, slots=True)
class HowKnown:
    """Of how many things an attribute is known, and how many there are; ``var`` is a node."""

    var: str
    attribute: str


@dataclass(frozen=True, slots=True)
class Pairs:
    """Names at both ends of an edge, for example questions."""

    edge: str


@dataclass(frozen=True, slots=True)
class Exists:
    """Whether anything matches: one row at most."""

    var: str


Head: TypeAlias = (
    Entities
    | Count
    | CountBy
    | Top
    | Statements
    | Precise
    | Tightest
    | Gathered
    | AttributesOf
    | Compare
    | AllHave
    | ValuesOf
    | HowKnown
    | Pairs
    | Exists
)


COUNTS: Final = (Count, CountBy, Top, Compare, AllHave)
"""Heads whose rows count things or statements."""


@dataclass(frozen=True, slots=True)
class Form:
    """A question as a graph pattern and a head."""

    shape: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    conditions: tuple[Condition, ...]
    head: Head
    same_document: tuple[tuple[str, str], ...] = ()
    """Pairs of statements that one document must make."""
    different: tuple[tuple[str, str], ...] = ()
    """Pairs of nodes that must not be one."""

    def node(self, var: str) -> Node:
        """The node of a variable."""
        return next(n for n in self.nodes if n.var == var)

    def edge(self, var: str) -> Edge:
        """The statement of a variable."""
        return next(e for e in self.edges if e.var == var)

    def is_edge(self, var: str) -> bool:
        """Whether the variable stands for a statement."""
        return any(e.var == var for e in self.edges)

    def without(self, condition: Condition) -> Form:
        """The same form with one condition dropped."""
        return replace(self, conditions=tuple(c for c in self.conditions if c is not condition))
