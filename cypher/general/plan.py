"""What a question asks, as a tree of typed parts, from which alone Cypher and English are written."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from cypher.form import Op
from cypher.general.kinds import Kind
from schemas.questions import Parameter


class Size(StrEnum):
    """How a number of things is compared."""

    AT_LEAST = ">="
    AT_MOST = "<="
    MORE = ">"
    FEWER = "<"
    EXACTLY = "="


@dataclass(frozen=True, slots=True)
class Number:
    """ "at least 3"."""

    size: Size
    value: int


@dataclass(frozen=True, slots=True)
class Test:
    """A condition on a thing itself: on an entity's id, or on a value.

    ``units`` holds the number in each unit in which the value may be given; ``times`` says how many members
    of a list are such values, where that is said.
    """

    op: Op
    value: Parameter = None
    shown: str = ""
    units: tuple[tuple[str, float], ...] = ()
    times: Number | None = None


@dataclass(frozen=True, slots=True)
class Contrast:
    """A comparison of two numbers of one thing: ``left op right``."""

    left: Kind
    op: Op
    right: Kind


@dataclass(frozen=True, slots=True)
class Tree:
    """Things of a kind that are joined to the thing above, with their own conditions and branches.

    ``counted`` marks the things that a branch counts, or the number that orders the answer. A tree of the
    kind of what is above it speaks of the same thing.
    """

    kind: Kind
    tests: tuple[Test, ...] = ()
    contrasts: tuple[Contrast, ...] = ()
    children: tuple[Tree, ...] = ()
    branches: tuple[Branch, ...] = ()
    counted: bool = False


@dataclass(frozen=True, slots=True)
class Branch:
    """Something that holds of a thing: one of the trees exists, none does, or the counted are so many."""

    trees: tuple[Tree, ...]
    negated: bool = False
    number: Number | None = None


@dataclass(frozen=True, slots=True)
class Ranking:
    """Orders the answer: by how many counted things a branch has, or by a number of a thing.

    ``keep`` is how many ranks are wanted (0: all); ties with the last are kept.
    """

    tree: Tree
    """Its ``counted`` part is counted; where its kind is a number, the number itself orders."""
    descending: bool = True
    keep: int = 1
    of_value: bool = False


@dataclass(frozen=True, slots=True)
class GroupBy:
    """How many things there are for each of the ``counted`` part of ``tree``."""

    tree: Tree


class Function(StrEnum):
    """A function over numbers."""

    MEAN = "avg"
    MEDIAN = "median"
    SUM = "sum"


@dataclass(frozen=True, slots=True)
class ListOf:
    """The things themselves; ``number`` is one of theirs that is shown with its unit."""

    ranking: Ranking | None = None
    number: Kind | None = None


@dataclass(frozen=True, slots=True)
class CountOf:
    """How many things."""


@dataclass(frozen=True, slots=True)
class ExistsAny:
    """Whether there is such a thing."""


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A function of a number of the things, for each unit and column."""

    function: Function
    number: Kind


class Comparing(StrEnum):
    """What is asked of two numbers."""

    WHETHER_MORE = "more"
    WHETHER_FEWER = "fewer"
    WHICH_MORE = "which more"
    WHICH_FEWER = "which fewer"
    DIFFERENCE = "difference"
    RATIO = "ratio"


@dataclass(frozen=True, slots=True)
class Side:
    """One of two things that are compared: its name, and what is counted or looked up for it."""

    name: str
    root: Tree


@dataclass(frozen=True, slots=True)
class Compare:
    """Two counts, or two numbers (``number`` set) of named things."""

    how: Comparing
    sides: tuple[Side, Side]
    number: Kind | None = None


Head: TypeAlias = ListOf | CountOf | GroupBy | ExistsAny | Aggregate | Compare


@dataclass(frozen=True, slots=True)
class Plan:
    """A question: what is asked of the things that ``root`` describes."""

    root: Tree
    head: Head
    assumptions: tuple[str, ...] = ()

    @property
    def trees(self) -> tuple[Tree, ...]:
        """The root, and what stands beside it in the head: what is ranked by, grouped by or compared."""
        match self.head:
            case ListOf(ranking) if ranking is not None:
                return self.root, ranking.tree
            case GroupBy(tree):
                return self.root, tree
            case Compare(_, sides):
                return self.root, *(s.root for s in sides)
            case _:
                return (self.root,)


def sorted_plan(plan: Plan) -> Plan:
    """The plan with what is said of each thing in a fixed order: it makes no difference which is said first.

    >>> from cypher.general.kinds import entity
    >>> a, b = Tree(entity("a")), Tree(entity("b"))
    >>> ab, ba = (Plan(Tree(entity("c"), children=x), CountOf()) for x in ((a, b), (b, a)))
    >>> ab == ba, sorted_plan(ab) == sorted_plan(ba)
    (False, True)
    """
    return replace(plan, root=_sorted(plan.root))


def _sorted(tree: Tree) -> Tree:
    branches = (replace(b, trees=tuple(sorted(map(_sorted, b.trees), key=repr))) for b in tree.branches)
    children = sorted(map(_sorted, tree.children), key=repr)
    return replace(tree, children=tuple(children), branches=tuple(sorted(branches, key=repr)))
