"""What a reader of a query's rows sees: what the columns hold, and by what the rows are ranked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from cypher.identifiers import REPLACED, STATEMENTS
from cypher.syntax import nodes as n
from cypher.syntax.expressions import Expression, IsNull, Node, Property, Variable
from cypher.syntax.parse import parse
from cypher.syntax.walk import rebuild
from cypher.syntax.write import write
from schemas.errors import QueryRefusedError

_LONGEST: Final = 2_000
"""Characters of a definition that is put in place of its name: definitions of definitions grow."""
_PLAIN: Final = frozenset({"name", "id", "year", "document_id", "title"})
"""Properties that put rows into a readable order, and rank nothing."""
_COUNT: Final = re.compile(r"\b(?:count|size)\s*\(", re.IGNORECASE)
_VALUE: Final = re.compile(r"value", re.IGNORECASE)
_TIME: Final = re.compile(r"year|date|time", re.IGNORECASE)
_LARGEST, _SMALLEST = (re.compile(rf"\b{f}\s*\(", re.IGNORECASE) for f in ("max", "min"))
_COUNTED: Final = frozenset({"many", "number", "count", "often"})
_VALUES: Final = frozenset({"value", "values"})
_LATE: Final = frozenset({"latest", "newest", "recent", "last"})
_EARLY: Final = frozenset({"first", "earliest", "oldest"})
_RANKED: Final = frozenset(
    {"most", "top", "largest", "biggest", "highest", "greatest", "smallest", "lowest", "best"}
    | {"strongest", "least", "fewest"}
)
_PRECISE: Final = frozenset({"precise", "accurate", "tightest"})
_ASKED: Final = _COUNTED | _VALUES | _LATE | _EARLY | _RANKED | _PRECISE


@dataclass(frozen=True, slots=True)
class Rank:
    """One expression that rows are sorted by."""

    text: str
    plain: bool
    descending: bool


@dataclass(frozen=True, slots=True)
class Effects:
    """The columns that are shown and the order of the rows, names written out as what they stand for."""

    columns: tuple[str, ...]
    ranks: tuple[Rank, ...]

    def honour(self, word: str) -> bool | None:
        """Whether the rows do what a word asks for; None for a word that asks for nothing of the kind.

        >>> effects_of("MATCH (p:Paper) RETURN p.name ORDER BY p.name").honour("many")
        False
        """
        if word not in _ASKED:
            return None
        if word in _COUNTED:
            return any(_COUNT.search(c) for c in self.columns)
        if word in _VALUES:
            return any(_COUNT.search(c) or _VALUE.search(c) for c in self.columns)
        if word in _LATE | _EARLY:
            return self._in_time(latest=word in _LATE)
        ranked = any(not r.plain or (r.descending and word in _RANKED) for r in self.ranks)
        return ranked or any(_LARGEST.search(t) or _SMALLEST.search(t) for t in self._texts)

    @property
    def _texts(self) -> tuple[str, ...]:
        return (*self.columns, *(r.text for r in self.ranks))

    def _in_time(self, *, latest: bool) -> bool:
        """Whether the rows begin with the latest or the first, or hold that one alone."""
        extreme = _LARGEST if latest else _SMALLEST
        sorted_so = any(_TIME.search(r.text) and r.descending is latest for r in self.ranks)
        return sorted_so or any(extreme.search(t) and _TIME.search(t) for t in self._texts)


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
        for clause in branch.clauses:
            if isinstance(clause, n.With | n.Return):
                known |= {i.alias: _full(i.expression, known) for i in clause.projection.items if i.alias}
                ranks += [_rank(sort, known) for sort in clause.projection.order]
            if isinstance(clause, n.Return):
                columns += _columns(clause, known)
    return Effects(tuple(columns), tuple(r for r in ranks if r.text))


def _columns(clause: n.Return, known: dict[str, Expression]) -> list[str]:
    shown = (i for i in clause.projection.items if i.alias not in (STATEMENTS, REPLACED))
    return [write(_full(i.expression, known)) for i in shown]


def _rank(sort: n.Sort, known: dict[str, Expression]) -> Rank:
    full = _full(sort.expression, known)
    if isinstance(full, IsNull):  # puts rows without a value last
        return Rank("", plain=True, descending=False)
    plain = isinstance(full, Property) and full.name in _PLAIN
    return Rank(write(full), plain, sort.descending)


def _full(expression: Expression, known: dict[str, Expression]) -> Expression:
    """The expression with the names of earlier clauses as what they stand for, unless that is long."""

    def change(node: Node) -> Node:
        found = known.get(node.name) if isinstance(node, Variable) else None
        return node if found is None or len(write(found)) > _LONGEST else found

    made = rebuild(expression, change)
    return made if isinstance(made, Expression) else expression
