"""Which nodes and relationships a query matched: its patterns again, returning what they bind.

The clauses up to the last RETURN stay, or up to a WITH that makes one row of several; every path gets a name,
and the ids of its nodes and relationships are returned in the place of the columns. Order and limit stay
where they choose among rows, not among groups. (The provenance subgraph of Cypher queries: CypherBench,
arXiv:2412.18702.)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from cypher.gate.grouping import collects
from cypher.syntax import nodes as n
from cypher.syntax.walk import rebuild, walk
from schemas.store_schema import StoreSchema

NODES: Final = "nodes"
EDGES: Final = "edges"
NODE_IDS: Final = "node_ids"
EDGE_IDS: Final = "edge_ids"
STABLE: Final = "id"
"""Property with an id that outlives the store, where a schema has it."""


def reprojected(query: n.Query, schema: StoreSchema) -> n.Query:
    """The query that returns element ids (and stable ids) of what the patterns of ``query`` match.

    Columns: ``nodes``, ``edges``, ``node_ids``, ``edge_ids``, each a list a row.
    """
    names = {x.name for x in walk(query) if isinstance(x, n.Variable)}
    names |= {str(getattr(x, "variable", "")) for x in walk(query)}
    made = _Projector(schema, names)
    branches = tuple(replace(b, clauses=tuple(made.branch(b.clauses))) for b in query.branches)
    return replace(query, branches=branches, union_all=tuple(True for _ in query.union_all))


@dataclass(slots=True)
class _Projector:
    schema: StoreSchema
    used: set[str]
    paths: list[str] = field(default_factory=list)
    nodes: list[str] = field(default_factory=list)
    edges: list[str] = field(default_factory=list)

    def branch(self, clauses: tuple[n.Clause, ...]) -> Iterator[n.Clause]:
        """The clauses with named paths, and the new RETURN."""
        self.paths, self.nodes, self.edges = [], [], []
        last: n.Projection | None = None
        for clause in clauses:
            if isinstance(clause, n.Return):
                last = clause.projection
                break
            if isinstance(clause, n.With) and (collects(clause.projection) or clause.projection.limit):
                break
            yield self._named(clause)
        yield n.Return(self._projection(last))

    def _named(self, clause: n.Clause) -> n.Clause:
        if isinstance(clause, n.Match):
            return replace(clause, paths=tuple(self._path(p) for p in clause.paths))
        if isinstance(clause, n.With) and not clause.projection.star:
            present = {i.alias or getattr(i.expression, "name", "") for i in clause.projection.items}
            missing = [x for x in (*self.paths, *self.nodes, *self.edges) if x not in present]
            items = (*clause.projection.items, *(n.Item(n.Variable(x)) for x in missing))
            return replace(clause, projection=replace(clause.projection, items=items))
        if isinstance(clause, n.CallProcedure):
            for item in clause.items:
                kept = {"node": self.nodes, "relationship": self.edges}.get(item.name)
                if kept is not None:
                    kept.append(item.alias or item.name)
        return clause

    def _path(self, path: n.Path) -> n.Path:
        name = path.variable or self._fresh()
        self.paths.append(name)
        return replace(path, variable=name)

    def _projection(self, last: n.Projection | None) -> n.Projection:
        nodes, edges = self._list("nodes", self.nodes), self._list("relationships", self.edges)
        items = [_ids(nodes, "elementId", NODES), _ids(edges, "elementId", EDGES)]
        holders = ((nodes, self.schema.labels, NODE_IDS), (edges, self.schema.relations, EDGE_IDS))
        for listed, known, alias in holders:
            has_id = any(p.name == STABLE for x in known for p in x.properties)
            items.append(_ids(listed if has_id else n.ListLiteral(()), STABLE, alias))
        if last is None or collects(last):
            return n.Projection(tuple(items))
        order = tuple(replace(s, expression=_meant(s.expression, last)) for s in last.order)
        return n.Projection(tuple(items), order=order, skip=last.skip, limit=last.limit)

    def _list(self, function: str, singles: list[str]) -> n.Expression:
        parts: list[n.Expression] = [
            n.FunctionCall("coalesce", (n.FunctionCall(function, (n.Variable(p),)), n.ListLiteral(())))
            for p in self.paths
        ]
        parts.append(n.ListLiteral(tuple(n.Variable(x) for x in singles)))
        first, *others = parts
        return first if not others else n.Arithmetic(first, tuple(n.Operation("+", o) for o in others))

    def _fresh(self) -> str:
        number = 1
        while f"path{number}" in self.used:
            number += 1
        self.used.add(f"path{number}")
        return f"path{number}"


def _ids(listed: n.Expression, how: str, alias: str) -> n.Item:
    member = n.Variable("matched")
    value: n.Expression = n.FunctionCall(how, (member,)) if how == "elementId" else n.Property(member, how)
    return n.Item(n.ListComprehension("matched", listed, None, value), alias)


def _meant(key: n.Expression, last: n.Projection) -> n.Expression:
    """A key of ORDER BY with the expressions in the place of the columns' names."""
    columns = {i.alias: i.expression for i in last.items if i.alias is not None}

    def change(node: n.Node) -> n.Node:
        return columns.get(node.name, node) if isinstance(node, n.Variable) else node

    return rebuild(key, change)
