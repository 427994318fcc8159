"""``similarity()`` by the vector index: where a query can begin with a search of it, and its text then.

Two forms can. In the first MATCH a condition ``similarity(v, "text") > c`` that must hold: the search brings
the nearest nodes, and it is complete as soon as the last of them lies below the threshold. And a MATCH
with a RETURN that orders by ``similarity(v, "text")``, nearest first, with a LIMIT: the nearest themselves.
Whoever runs the query asks for more neighbours until the search is complete; see ``kg.similar``. The index
only chooses nodes: its own scores are rounded, so what counts and is shown is the exact cosine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from cypher.gate.allowed import is_aggregate
from cypher.gate.check import Checked
from cypher.gate.constants import is_similarity, number_of
from cypher.gate.pattern_scopes import conjuncts
from cypher.gate.similarity_options import options_of
from cypher.gate.symbols import Symbol, place
from cypher.syntax import nodes as n
from cypher.syntax.walk import walk
from schemas.questions import Parameter
from schemas.store_schema import StoreLabel, StoreSchema

SCORE: Final = "__score"
SLACK: Final = 0.02
"""By how much a score of the index can be off: it keeps vectors in eight bits a component."""
FEWEST: Final = 50
"""Fewest neighbours of a search; with ten of ten the index missed two of them, with fifty none."""
_TURNED: Final = {"<": ">", "<=": ">="}


@dataclass(frozen=True, slots=True)
class Search:
    """How a query can begin with the index."""

    call: n.FunctionCall
    variable: str
    label: StoreLabel
    least: float | None
    """Smallest cosine that counts; ``None`` where the nearest are asked for."""
    rows: int
    """Rows that the nearest are asked for; 0 with a threshold."""

    @property
    def neighbours(self) -> int:
        """Neighbours of the first search: the more are asked for, the fewer of the nearest are missed."""
        return options_of(self.call).k or max(FEWEST, 4 * self.rows)


@dataclass(frozen=True, slots=True)
class Finder:
    """Looks for a search in a checked query."""

    checked: Checked
    schema: StoreSchema
    parameters: Mapping[str, Parameter]

    def search(self, query: n.Query) -> Search | None:
        """The search that a query can begin with, if there is one."""
        if len(query.branches) != 1:
            return None
        first, *others = query.branches[0].clauses
        if not isinstance(first, n.Match) or first.optional or not others:
            return None
        if any(p.selector is not None or p.function for p in first.paths):
            return None
        limit = self._limit(others[-1])
        for part in conjuncts(first.where) if first.where is not None else ():
            found = self._threshold(part, first, limit)
            if found is not None:
                return found
        return self._nearest(first, others[0])

    def _threshold(self, part: n.Expression, match: n.Match, limit: int) -> Search | None:
        if not isinstance(part, n.Comparison) or len(part.rest) != 1:
            return None
        left, operator, right = part.first, part.rest[0].operator, part.rest[0].operand
        if is_similarity(right):
            left, right, operator = right, left, _TURNED.get(operator, "")
        least = number_of(right, self.parameters)
        label = self._label(left, match)
        if (
            label is None
            or least is None
            or operator not in {">", ">="}
            or not isinstance(left, n.FunctionCall)
        ):
            return None
        return Search(left, variable_of(left), label, least, limit)

    def _nearest(self, match: n.Match, last: n.Clause) -> Search | None:
        made = last.projection if isinstance(last, n.Return) else None
        if made is None or made.distinct or made.star or not made.order or not made.order[0].descending:
            return None
        if any(is_aggregate(x) for i in made.items for x in walk(i)):
            return None
        key = made.order[0].expression
        named = next((i.expression for i in made.items if n.Variable(i.alias or "") == key), key)
        label, rows = self._label(named, match), self._limit(last)
        if label is None or not rows or not isinstance(named, n.FunctionCall):
            return None
        return Search(named, variable_of(named), label, None, rows)

    def _label(self, call: n.Expression, match: n.Match) -> StoreLabel | None:
        """The one label with an index of the node that a call compares, if it stands in ``match``."""
        if not isinstance(call, n.FunctionCall) or options_of(call).mode == "exact":
            return None
        symbol = self.checked.analysis.similar.get(place(call)) if is_similarity(call) else None
        name = variable_of(call) if symbol is not None else ""
        written = {
            e.variable for p in match.paths for e in p.elements if isinstance(e, n.NodePattern) and e.variable
        }
        if symbol is None or name not in written:
            return None
        indexed = [x for x in self.schema.labels if x.vector_index and self._always(symbol, x.name)]
        return indexed[0] if len(indexed) == 1 else None

    def _always(self, symbol: Symbol, label: str) -> bool:
        domains = self.checked.domains
        sets = [domains.tables.sets[i] for i in domains.of_node(symbol)]
        return bool(sets) and all(label in s for s in sets)

    def _limit(self, clause: n.Clause) -> int:
        """Rows that a RETURN asks for; 0 where that is not known."""
        if not isinstance(clause, n.Return) or clause.projection.limit is None or clause.projection.skip:
            return 0
        return int(number_of(clause.projection.limit, self.parameters) or 0)


def variable_of(call: n.Expression) -> str:
    """The variable that a call compares."""
    target = call.arguments[0] if isinstance(call, n.FunctionCall) and call.arguments else call
    target = target.target if isinstance(target, n.Property) else target
    return target.name if isinstance(target, n.Variable) else ""


def begun_with(query: n.Query, search: Search, vector: str, neighbours: int) -> n.Query:
    """The query with the search in front; what it brings is scored exactly, as everywhere."""
    (branch,) = query.branches
    clauses = (_call(search, vector, neighbours), *branch.clauses)
    return replace(query, branches=(replace(branch, clauses=clauses),))


def _call(search: Search, vector: str, neighbours: int) -> n.CallProcedure:
    arguments = (n.Literal(search.label.vector_index), n.Literal(neighbours), n.Parameter(vector))
    where: n.Expression | None = None
    if search.least is not None:
        lowest = n.Literal((1.0 + search.least) / 2.0 - SLACK)
        where = n.Comparison(n.Variable(SCORE), (n.Operation(">=", lowest),))
    items = (n.Yield("node", search.variable), n.Yield("score", SCORE))
    return n.CallProcedure("db.index.vector.queryNodes", arguments, items, where=where)
