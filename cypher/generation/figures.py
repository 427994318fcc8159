"""The numbers that stand in a query, each with what it is there for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from typing import Final

from cypher.gate.allowed import is_aggregate
from cypher.generation.bounds import OPPOSITE
from cypher.generation.votes import TECHNICAL
from cypher.syntax import expressions as e
from cypher.syntax import nodes as n
from cypher.syntax.parse import parse
from cypher.syntax.walk import children, walk
from cypher.syntax.write import write
from schemas.errors import QueryRefusedError
from schemas.questions import Parameter

_COUNT: Final = re.compile(r"\b(?:count|size)\s*[({]", re.IGNORECASE)
_FLIPPED: Final = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_RENAMED: Final = 5
"""Times that a column may be given another name."""
_TEXTS: Final = frozenset({"substring", "left", "right", "round"})
"""Functions whose further numbers say which part of a text or how many places are shown."""


_ENDS: Final = {"head": 0, "last": -1}
_PARTS: Final = frozenset({"split", "labels", "nodes", "relationships", "keys"})
"""Functions of whose lists one item is taken without leaving anything out that was found."""


class Place(StrEnum):
    """What a number is there for."""

    COMPARED = "compared"
    FACTOR = "factor"
    """It multiplies something that is compared."""
    LIMIT = "limit"
    LAST_LIMIT = "last limit"
    SKIP = "skip"
    INDEX = "index"
    PATH = "path"
    CONSTANT = "constant"
    """Of a calculation."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of a query."""

    value: float
    place: Place
    operator: str = ""
    """Of a comparison whose other side stands on the left."""
    counts: bool = False
    """Whether that side is a number of things."""
    gathered: bool = False
    """Of a limit: whether its rows are gathered afterwards, so that those left out are missed."""
    cut: bool = False
    """Whether what it leaves out is what is counted or gathered."""
    whole: bool = False
    """Whether that side is a whole number, so that ``> 3`` is ``>= 4``."""
    built: bool = False
    """Whether it is part of a value that a function makes: the day of a date."""
    length: int = 0
    """Of the list that it stands in, or that a list of other values has."""

    @property
    def told(self) -> str:
        """As it would be written."""
        return f"{self.value:g}" if abs(self.value) < 1e6 else f"{self.value:.15g}"


def figures_of(
    query: str, parameters: Mapping[str, Parameter], whole: frozenset[str] = frozenset()
) -> tuple[Figure, ...]:
    """The numbers of a query, its parameters put in; none for one that cannot be read.

    Left out are those in columns and lists of ids that only tell the statements behind a row. ``whole`` are
    properties of whole numbers.

    >>> figures_of("MATCH (p:Paper) WHERE p.year > $y RETURN p.name LIMIT 3", {"y": 2015})[0].value
    2015.0
    """
    try:
        tree = parse(query)
    except QueryRefusedError:
        return ()
    return tuple(_Reader(parameters, _named(tree), whole).figures(tree))


def _named(tree: n.Query) -> dict[str, e.Expression]:
    """What the names of columns stand for; one that is only passed on keeps its meaning."""
    items = [i for i in walk(tree) if isinstance(i, n.Item) and i.alias]
    return {i.alias: i.expression for i in items if i.alias and i.expression != e.Variable(i.alias)}


@dataclass(frozen=True, slots=True)
class _Reader:
    """Walks over one tree."""

    parameters: Mapping[str, Parameter]
    known: Mapping[str, e.Expression]
    whole: frozenset[str] = frozenset()
    place: Place = Place.CONSTANT
    """Of numbers that stand alone."""
    denied: bool = False
    """Whether a NOT stands around."""
    called: bool = False
    """Whether a function does."""
    counted: bool = False
    """Whether that is one that counts or gathers."""

    def figures(self, tree: n.Query) -> Iterator[Figure]:
        """Of the whole query, whose last limits cut what is shown."""
        for branch in tree.branches:
            yield from self._of_branch(branch, outer=True)

    def _of_branch(self, branch: n.SingleQuery, *, outer: bool) -> Iterator[Figure]:
        for at, clause in enumerate(branch.clauses):
            yield from self._of_children(clause)
            if isinstance(clause, n.With | n.Return):
                last = outer and isinstance(clause, n.Return)
                place = Place.LAST_LIMIT if last else Place.LIMIT
                later = branch.clauses[at + 1 :]
                gathered = any(map(_gathers, later))
                cut = gathered and _gathers_cut(clause.projection, later)
                for value in self._numbers(clause.projection.limit):
                    yield Figure(value, place, gathered=gathered, cut=cut)
                for value in self._numbers(clause.projection.skip):
                    yield Figure(value, Place.SKIP)

    def _of_children(self, node: n.Node) -> Iterator[Figure]:
        for child in children(node):
            yield from self._of(child)

    def _of(self, node: n.Node) -> Iterator[Figure]:
        """The numbers of a construct, by what it makes of them."""
        match node:
            case n.Projection():
                shown = (i for i in node.items if i.alias not in TECHNICAL)
                for part in (*shown, *node.order):
                    yield from self._of(part)
            case n.SingleQuery():
                yield from _Reader(self.parameters, self.known, self.whole)._of_branch(node, outer=False)
            case n.Subquery():
                yield from self._of_subquery(node)
            case e.Negation():
                yield from replace(self, denied=not self.denied)._of_children(node)
            case e.Slice() | e.Index() | e.FunctionCall():
                yield from self._of_list(node)
            case e.Comparison():
                yield from self._of_comparison(node)
            case e.Test() | e.MapEntry():
                yield from self._of_test(node)
            case e.Arithmetic() if self.place is Place.FACTOR:
                yield from self._of_arithmetic(node)
            case e.Quantifier():
                yield from (Figure(float(b), Place.PATH) for b in (node.lower, node.upper) if b is not None)
            case e.Literal() | e.Parameter():
                yield from self._each(node, Figure(0, self.place))
            case _:
                yield from self._of_children(node)

    def _of_list(self, node: e.Slice | e.Index | e.FunctionCall) -> Iterator[Figure]:
        """Of lists and functions; the first and the last of a list count as numbers, too."""
        match node:
            case e.Slice():
                yield from self._of_slice(node)
            case e.Index():
                yield from self._of_index(node)
            case _ if (name := node.name.lower()) in _TEXTS:
                yield from self._of(node.arguments[0])
            case _:
                counted = self.counted or is_aggregate(node) or name == "size"
                yield from replace(self, called=True, counted=counted)._of_children(node)
                if name in _ENDS and any(_collects(self._meant(a)) for a in node.arguments):
                    yield Figure(_ENDS[name], Place.INDEX, cut=self.counted)

    def _of_index(self, node: e.Index) -> Iterator[Figure]:
        """Which of a list; a part of a text that is split, or of a path, is named by its place."""
        yield from self._of(node.target)
        parts = isinstance(node.target, e.FunctionCall) and node.target.name.lower() in _PARTS
        if not parts and not _lists_ids(node.target):
            yield from self._each(node.index, Figure(0, Place.INDEX, cut=self.counted))

    def _of_subquery(self, node: n.Subquery) -> Iterator[Figure]:
        """Whether there is any does not depend on a limit; a number and a list do."""
        for figure in self._of_children(node):
            limit = figure.place is Place.LIMIT
            if limit and node.kind.upper() == "EXISTS" and figure.value >= 1:
                continue
            counted = limit and node.kind.upper() == "COUNT"
            yield replace(figure, gathered=True, cut=True) if counted else figure

    def _of_slice(self, node: e.Slice) -> Iterator[Figure]:
        yield from self._of(node.target)
        if not _lists_ids(node.target):
            for bound in (node.start, node.end):
                found = (v for v in self._numbers(bound) if v or bound is node.end)
                yield from (Figure(v, Place.LIMIT, cut=self.counted) for v in found)

    def _of_comparison(self, node: e.Comparison) -> Iterator[Figure]:
        inside = replace(self, place=Place.FACTOR)
        terms = (node.first, *(o.operand for o in node.rest))
        for term in terms:
            if not _is_plain(term):
                yield from inside._of(term)
        for operation, (left, right) in zip(node.rest, pairwise(terms), strict=True):
            sign = OPPOSITE[operation.operator] if self.denied else operation.operator
            if _is_plain(right):
                yield from self._each(right, self._compared(sign, left))
            elif _is_plain(left):
                yield from self._each(left, self._compared(_FLIPPED.get(sign, sign), right))

    def _compared(self, sign: str, side: e.Expression) -> Figure:
        side = self._meant(side)
        counts = _COUNT.match(write(side)) is not None
        whole = (counts and not isinstance(side, e.Arithmetic)) or self._is_whole(side)
        return Figure(0, Place.COMPARED, sign, counts, whole=whole)

    def _of_test(self, node: e.Test | e.MapEntry) -> Iterator[Figure]:
        """Numbers in a list or a pattern, which one of them must equal."""
        inside = replace(self, place=Place.COMPARED)
        built = self.called and isinstance(node, e.MapEntry)
        yield from (replace(f, built=f.built or built) for f in inside._of_children(node))
        listed = node.right if isinstance(node, e.Test) else None
        length = len(listed.items) if isinstance(listed, e.ListLiteral) else 0
        if isinstance(listed, e.Parameter) and isinstance(values := self.parameters.get(listed.name), tuple):
            length = len(values)
        if length:
            yield Figure(0, Place.CONSTANT, length=length)

    def _of_arithmetic(self, node: e.Arithmetic) -> Iterator[Figure]:
        """Factors of what is compared; divisors and exponents are constants."""
        yield from self._of(node.first)
        inner = replace(self, place=Place.CONSTANT)
        for operation in node.rest:
            reader = inner if operation.operator in {"/", "^"} else self
            yield from reader._of(operation.operand)

    def _each(self, node: e.Expression, like: Figure) -> Iterator[Figure]:
        for value in self._numbers(node):
            size = value if like.place is Place.INDEX else abs(value)
            yield replace(like, value=size, whole=like.whole and value >= 0)

    def _numbers(self, node: e.Expression | None) -> Iterator[float]:
        """The numbers that a literal or parameter is."""
        match node:
            case e.Sign(operand=operand):
                sign = -1 if node.operator == "-" else 1
                yield from (sign * v for v in self._numbers(operand))
            case e.Literal():
                yield from _as_numbers((node.value,))
            case e.Parameter():
                found = self.parameters.get(node.name)
                yield from _as_numbers(found if isinstance(found, tuple) else (found,))
            case _:
                return

    def _meant(self, side: e.Expression) -> e.Expression:
        """One side of a comparison, also by the name of one."""
        for _ in range(_RENAMED):
            side = self.known.get(side.name, side) if isinstance(side, e.Variable) else side
        return side

    def _is_whole(self, side: e.Expression) -> bool:
        """Whether it is a property of whole numbers, or the least or largest of one."""
        if isinstance(side, e.FunctionCall) and side.name.lower() in {"max", "min"} and side.arguments:
            side = self._meant(side.arguments[0])
        dated = isinstance(side, e.Property) and isinstance(side.target, e.Property) and side.name == "year"
        return dated or (isinstance(side, e.Property) and side.name in self.whole)


def _is_plain(node: e.Expression) -> bool:
    """Whether it is a literal or a parameter."""
    inner = node.operand if isinstance(node, e.Sign) else node
    return isinstance(inner, e.Literal | e.Parameter)


def _as_numbers(values: Sequence[object]) -> Iterator[float]:
    yield from (float(v) for v in values if isinstance(v, int | float) and not isinstance(v, bool))


def _lists_ids(node: e.Expression) -> bool:
    """Whether these are the ids of statements."""
    read = [x.name for x in walk(node) if isinstance(x, e.Property)]
    return bool(read) and set(read) == {"id"}


def _collects(node: e.Expression) -> bool:
    """Whether it gathers a list of what is found, ids aside."""
    calls = [x for x in walk(node) if isinstance(x, e.FunctionCall) and x.name.lower() == "collect"]
    return any(not _lists_ids(x) for x in calls)


def _gathers(clause: n.Clause) -> bool:
    """Whether a clause makes one of several rows, ids of statements aside."""
    calls = (x for x in walk(clause) if isinstance(x, e.Expression) and is_aggregate(x))
    return any(not _lists_ids(x) for x in calls if not _is_bookkeeping(x))


def _gathers_cut(projection: n.Projection, later: Sequence[n.Clause]) -> bool:
    """Whether later clauses make one of the very rows that are cut, not of what is matched with them."""
    names = {i.alias or write(i.expression) for i in projection.items}
    matched = False
    for clause in later:
        for call in _shown_aggregates(clause):
            used = {x.name for x in walk(call) if isinstance(x, e.Variable)}
            if not matched or (used and used <= names):
                return True
        matched = matched or not isinstance(clause, n.With | n.Return)
    return False


def _shown_aggregates(clause: n.Clause) -> Iterator[e.Expression]:
    """Calls that make one of several rows, apart from those that tell what is behind a row."""
    items = clause.projection.items if isinstance(clause, n.With | n.Return) else ()
    for item in items:
        calls = (x for x in walk(item) if isinstance(x, e.Expression) and is_aggregate(x))
        if item.alias not in TECHNICAL:
            yield from (x for x in calls if not _lists_ids(x) and not _is_bookkeeping(x))


def _is_bookkeeping(call: e.Expression) -> bool:
    return "superseded_by" in {x.name for x in walk(call) if isinstance(x, e.Property)}
