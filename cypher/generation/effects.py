"""What a reader of a query's rows sees: what the columns hold, and by what the rows are ranked."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from cypher.gate.allowed import is_aggregate
from cypher.identifiers import REPLACED, STATEMENTS
from cypher.syntax import nodes as n
from cypher.syntax.expressions import Comparison, Expression, IsNull, MapEntry, Node, Property, Variable
from cypher.syntax.parse import parse
from cypher.syntax.walk import rebuild, walk
from cypher.syntax.write import write
from schemas.errors import QueryRefusedError

_LONGEST: Final = 2_000
"""Characters of a definition that is put in place of its name: definitions of definitions grow."""
_PLAIN: Final = frozenset({"name", "id", "year", "document_id", "title"})
"""Properties that put rows into a readable order, and rank nothing."""
_COUNT: Final = re.compile(r"\b(?:count|size)\s*[({]", re.IGNORECASE)
_VALUE: Final = re.compile(r"value", re.IGNORECASE)
_EXTREMES: Final = {"max": True, "min": False}
_COUNTED: Final = frozenset({"many", "number", "count", "often"})
_VALUES: Final = frozenset({"value", "values"})
_BOUNDS: Final = {
    **dict.fromkeys(("above", "over", "since", "after", "exceeding", "at least", "more than"), ">"),
    **dict.fromkeys(("larger than", "greater than", "higher than", "bigger than", "longer than"), ">"),
    **dict.fromkeys(("below", "under", "before", "until", "at most", "less than", "fewer than"), "<"),
    **dict.fromkeys(("smaller than", "lower than", "shorter than"), "<"),
}


@dataclass(frozen=True, slots=True)
class Rank:
    """What rows are sorted by before all else, or what the largest or smallest is taken of."""

    text: str
    plain: bool
    descending: bool
    properties: frozenset[str] = frozenset()
    counts: bool = False
    """Whether it is a number of things."""


@dataclass(frozen=True, slots=True)
class Effects:
    """The columns that are shown and the order of the rows, names written out as what they stand for."""

    columns: tuple[str, ...]
    ranks: tuple[Rank, ...]
    properties: frozenset[str] = frozenset()
    """Properties that stand anywhere in the query."""
    bounds: frozenset[str] = frozenset()
    """``>`` where something is compared with a constant below it, ``<`` with one above it."""

    def honour(self, word: str) -> bool | None:
        """Whether the rows do what a word asks for; None for a word that asks for nothing of the kind.

        >>> effects_of("MATCH (p:Paper) RETURN p.name ORDER BY p.name").honour("many")
        False
        """
        if word in _COUNTED:
            return any(_COUNT.search(c) for c in self.columns)
        if word in _BOUNDS:
            return _BOUNDS[word] in self.bounds
        if word in _VALUES:
            return any(_COUNT.search(c) or _VALUE.search(c) for c in self.columns)
        return None


def effects_of(query: str) -> Effects | None:
    """The effects of a query, all its branches together; None for one that cannot be read."""
    try:
        tree = parse(query)
    except QueryRefusedError:
        return None
    columns: list[str] = []
    ranks: list[Rank] = []
    for branch in tree.branches:
        known: dict[str, Expression] = {}
        made: list[tuple[n.Projection, Rank | None]] = []
        for clause in branch.clauses:
            if isinstance(clause, n.With | n.Return):
                known |= {i.alias: _full(i.expression, known) for i in clause.projection.items if i.alias}
                made.append((clause.projection, _leading(clause.projection, known)))
                ranks += _extremes(clause.projection, known)
            if isinstance(clause, n.Return):
                columns += _columns(clause, known)
        ranks += _lasting(made)
    return Effects(tuple(columns), tuple(ranks), _properties(tree), _bounds(tree))


def _columns(clause: n.Return, known: dict[str, Expression]) -> list[str]:
    shown = (i for i in clause.projection.items if i.alias not in (STATEMENTS, REPLACED))
    return [write(_full(i.expression, known)) for i in shown]


def _leading(projection: n.Projection, known: dict[str, Expression]) -> Rank | None:
    """What rows are sorted by first; keys that put rows without a value last are passed over."""
    for sort in projection.order:
        full = _full(sort.expression, known)
        if not isinstance(full, IsNull):
            return _rank(full, descending=sort.descending)
    return None


def _lasting(made: list[tuple[n.Projection, Rank | None]]) -> list[Rank]:
    """Orders that the result shows: the last one, and those before a LIMIT or a ``collect``."""
    found = []
    for at, (projection, rank) in enumerate(made):
        later = made[at + 1 :]
        last = not any(r for _, r in later)
        collected = bool(later) and any(_calls(i.expression, {"collect"}) for i in later[0][0].items)
        if rank is not None and (last or projection.limit is not None or collected):
            found.append(rank)
    return found


def _extremes(projection: n.Projection, known: dict[str, Expression]) -> list[Rank]:
    """The largest or smallest of all rows; where rows are grouped, each group has its own."""
    if projection.star or not all(_aggregates(i.expression) for i in projection.items):
        return []
    calls = [c for i in projection.items for c in _calls(_full(i.expression, known), _EXTREMES)]
    return [_rank(c, descending=_EXTREMES[c.name.lower()]) for c in calls]


def _calls(expression: Expression, names: Container[str]) -> list[n.FunctionCall]:
    return [c for c in walk(expression) if isinstance(c, n.FunctionCall) and c.name.lower() in names]


def _aggregates(expression: Expression) -> bool:
    return any(is_aggregate(x) for x in walk(expression))


def _rank(full: Expression, *, descending: bool) -> Rank:
    plain = isinstance(full, Property) and full.name in _PLAIN
    text = write(full)
    return Rank(text, plain, descending, _properties(full), bool(_COUNT.search(text)))


def _properties(node: Node) -> frozenset[str]:
    """Properties that are read, or compared within a pattern."""
    read = {x.name for x in walk(node) if isinstance(x, Property)}
    return frozenset(read | {x.key for x in walk(node) if isinstance(x, MapEntry)})


def _bounds(tree: Node) -> frozenset[str]:
    """The sides on which constants bound; both where two things are compared, or a comparison is negated."""
    if any(isinstance(x, n.Negation) for x in walk(tree)):
        return frozenset("<>")
    found: set[str] = set()
    for x in walk(tree):
        if isinstance(x, Comparison):
            terms = (x.first, *(o.operand for o in x.rest))
            for operation, (left, right) in zip(x.rest, pairwise(terms), strict=True):
                found |= _side(operation.operator.rstrip("="), left, right)
    return frozenset(found)


def _side(sign: str, left: Expression, right: Expression) -> set[str]:
    if sign not in {"<", ">"}:
        return set()
    fixed = [not any(isinstance(x, Variable) for x in walk(e)) for e in (left, right)]
    if fixed[0] is fixed[1]:
        return {"<", ">"}
    return {sign} if fixed[1] else {"<" if sign == ">" else ">"}


def _full(expression: Expression, known: dict[str, Expression]) -> Expression:
    """The expression with the names of earlier clauses as what they stand for, unless that is long."""

    def change(node: Node) -> Node:
        found = known.get(node.name) if isinstance(node, Variable) else None
        return node if found is None or len(write(found)) > _LONGEST else found

    made = rebuild(expression, change)
    return made if isinstance(made, Expression) else expression
