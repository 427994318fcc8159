"""The scope predicate: no row of a scoped query rests on a fact outside the scope.

Every node and relationship of every pattern is limited, wherever the pattern stands: MATCH, EXISTS, COUNT,
COLLECT, CALL, comprehensions and conditions. A path of several steps is limited as a whole, through its
``nodes()`` and ``relationships()``; one that is searched for (SHORTEST, ANY) is limited step by step, so that
the search never goes through what is outside. Only labels and types that carry no status in the schema
(references of documents) are exempt, and they are named in the predicate, so what is unknown is left
out.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from cypher.gate.allowed import PROCEDURES
from cypher.gate.check import Checked
from cypher.gate.fresh import Fresh
from cypher.gate.pattern_scopes import conjuncts
from cypher.gate.report import finding
from cypher.gate.symbols import Symbol, place
from cypher.syntax import nodes as n
from cypher.syntax.walk import rebuild
from schemas.findings import Finding
from schemas.store_schema import StoreSchema

PARAMETER: Final = "scope"
"""Name of the parameter with the statuses that count."""


@dataclass(slots=True)
class Vetting:
    """Adds the predicate to one query."""

    checked: Checked
    schema: StoreSchema
    findings: list[Finding] = field(default_factory=list)
    _fresh: Fresh = field(default_factory=lambda: Fresh("__v"))

    def applied(self, query: n.Query) -> n.Query:
        """The query with the predicate; what cannot be limited becomes a finding."""
        self._fresh.look_at(query)
        return rebuild(query, self._change)

    def _change(self, node: n.Node) -> n.Node:
        if isinstance(node, n.Match):
            paths, conditions = self._limited(node.paths, node.where)
            return replace(node, paths=paths, where=joined(node.where, conditions))
        if isinstance(node, n.PatternComprehension):
            (path,), conditions = self._limited((node.path,), node.where)
            return replace(node, path=path, where=joined(node.where, conditions))
        if isinstance(node, n.PatternExpression):
            return self._condition(node)
        if isinstance(node, n.CallProcedure):
            return self._search(node)
        return node

    def _condition(self, node: n.PatternExpression) -> n.Expression:
        if node.path.function:
            message = "in a scoped query a shortest path is matched and named: MATCH p = shortestPath(...)"
            self.findings.append(
                finding("SEC1", message, node.span, "MATCH p = shortestPath((a)-[*..4]-(b))")
            )
            return node
        (path,), conditions = self._limited((node.path,), None)
        match = n.Match((path,), joined(None, conditions), span=node.span)
        return n.Subquery("EXISTS", n.Query((n.SingleQuery((match,)),)), span=node.span)

    def _search(self, node: n.CallProcedure) -> n.CallProcedure:
        conditions: list[n.Expression] = []
        found = PROCEDURES[node.name.lower()][0]
        if all(item.name != found for item in node.items):  # its scores alone would count what is outside
            node = replace(node, items=(*node.items, n.Yield(found, self._fresh.name())))
        for item in node.items:
            variable = n.Variable(item.alias or item.name)
            if item.name == "node":
                conditions.append(self._of_node(variable, None))
            elif item.name == "relationship":
                conditions.append(self._of_relationship(variable, None))
                ends = (n.FunctionCall(end, (variable,)) for end in ("startNode", "endNode"))
                conditions.extend(self._of_node(end, None) for end in ends)
        return replace(node, where=joined(node.where, conditions)) if conditions else node

    def _limited(
        self, paths: tuple[n.Path, ...], where: n.Expression | None
    ) -> tuple[tuple[n.Path, ...], list[n.Expression]]:
        known = set(conjuncts(where)) if where is not None else set()
        limited, conditions = [], []
        for path in paths:
            if path.selector is not None:
                limited.append(replace(path, elements=tuple(self._inside(e) for e in path.elements)))
                continue
            plain = not path.function and all(_is_single(e) for e in path.elements)
            new, found = self._elements(path) if plain else self._whole(path)
            limited.append(new)
            conditions.extend(found)
        fresh = [c for c in dict.fromkeys(conditions) if c not in known]
        return tuple(limited), fresh

    def _elements(self, path: n.Path) -> tuple[n.Path, list[n.Expression]]:
        elements: list[n.Element] = []
        conditions: list[n.Expression] = []
        for element in path.elements:
            analysis = self.checked.analysis
            if isinstance(element, n.NodePattern):
                symbol = analysis.nodes.get(place(element))
                if symbol is not None and self._exempt_node(symbol):
                    elements.append(element)
                    continue
                name = element.variable or self._fresh.name()
                condition = self._of_node(n.Variable(name), symbol)
            else:
                assert isinstance(element, n.RelationshipPattern)
                symbol = analysis.relationships.get(place(element))
                if symbol is not None and self._exempt_relationship(symbol):
                    elements.append(element)
                    continue
                name = element.variable or self._fresh.name()
                condition = self._of_relationship(n.Variable(name), symbol)
            elements.append(replace(element, variable=name))
            conditions.append(condition)
        return replace(path, elements=tuple(elements)), conditions

    def _inside(self, element: n.Element) -> n.Element:
        """The element with its condition inside, which holds while a path is searched for."""
        if isinstance(element, n.GroupPattern):
            inner = tuple(self._inside(e) for e in element.path.elements)
            return replace(element, path=replace(element.path, elements=inner))
        if isinstance(element, n.NodePattern):
            symbol = self.checked.analysis.nodes.get(place(element)) if element.span != n.NOWHERE else None
            if symbol is not None and self._exempt_node(symbol):
                return element
            name = element.variable or self._fresh.name()
            where = joined(element.where, [self._of_node(n.Variable(name), symbol)])
            return replace(element, variable=name, where=where)
        repeated = element.quantifier or element.length
        symbol = self.checked.analysis.relationships.get(place(element))
        name = element.variable or self._fresh.name()
        where = joined(element.where, [self._of_relationship(n.Variable(name), symbol)])
        step = replace(element, variable=name, where=where, length=None, quantifier=None)
        if repeated is None:
            return step
        ends = self._inside(n.NodePattern()), self._inside(n.NodePattern())
        return n.GroupPattern(n.Path((ends[0], step, ends[1])), None, repeated)

    def _whole(self, path: n.Path) -> tuple[n.Path, list[n.Expression]]:
        named = path if path.variable else replace(path, variable=self._fresh.name())
        whole = n.Variable(named.variable or "")
        member = self._fresh.name()
        one = n.Variable(member)
        conditions: list[n.Expression] = [
            n.ListPredicate("all", member, n.FunctionCall("nodes", (whole,)), self._of_node(one, None)),
            n.ListPredicate(
                "all", member, n.FunctionCall("relationships", (whole,)), self._of_relationship(one, None)
            ),
        ]
        return named, conditions

    def _of_node(self, target: n.Expression, symbol: Symbol | None) -> n.Expression:
        exempt = self._exempt_labels()
        if symbol is not None and not any(self._is_exempt(i) for i in self._fitting(symbol)):
            exempt = []
        return self._predicate(target, exempt)

    def _of_relationship(self, target: n.Expression, symbol: Symbol | None) -> n.Expression:
        exempt = self._exempt_types()
        if symbol is not None:
            exempt = sorted(set(exempt) & self.checked.domains.of_relationship(symbol))
        return self._predicate(target, exempt)

    def _predicate(self, target: n.Expression, exempt: list[str]) -> n.Expression:
        status = n.Property(target, self.schema.scope_property)
        vetted = n.Test("IN", status, n.Parameter(PARAMETER))
        if not exempt:
            return vetted
        names = tuple(n.LabelName(x) for x in exempt)
        labels = n.HasLabels(target, names[0] if len(names) == 1 else n.LabelOr(names))
        return n.Logic("OR", (labels, vetted))

    def _exempt_node(self, symbol: Symbol) -> bool:
        """Whether a node's own labels say that it carries no status."""
        fitting = self._fitting(symbol)
        return self._is_named(symbol) and bool(fitting) and all(self._is_exempt(i) for i in fitting)

    def _is_named(self, symbol: Symbol) -> bool:
        """Whether a label or type is asked for: one that is only refused leaves what the schema knows not."""
        return not all(self.checked.domains.fits(x, frozenset()) for x in symbol.labels)

    def _fitting(self, symbol: Symbol) -> list[int]:
        """Label sets by a node's own labels; what other patterns say of it may hold in a condition only."""
        domains = self.checked.domains
        return [
            i for i, s in enumerate(domains.tables.sets) if all(domains.fits(x, s) for x in symbol.labels)
        ]

    def _exempt_relationship(self, symbol: Symbol) -> bool:
        exempt = set(self._exempt_types())
        domains = self.checked.domains
        types = [
            t for t in domains.tables.types if all(domains.fits(x, frozenset({t})) for x in symbol.labels)
        ]
        return self._is_named(symbol) and bool(types) and set(types) <= exempt

    def _is_exempt(self, index: int) -> bool:
        return not self.checked.domains.tables.sets[index] & self._vetted_labels()

    def _vetted_labels(self) -> frozenset[str]:
        prop = self.schema.scope_property
        return frozenset(x.name for x in self.schema.labels if any(p.name == prop for p in x.properties))

    def _exempt_labels(self) -> list[str]:
        sets = self.checked.domains.tables.sets
        vetted = {x for s in sets if s & self._vetted_labels() for x in s}
        return sorted({x for s in sets for x in s} - vetted)

    def _exempt_types(self) -> list[str]:
        prop = self.schema.scope_property
        return sorted(r.type for r in self.schema.relations if all(p.name != prop for p in r.properties))


def _is_single(element: n.Element) -> bool:
    if isinstance(element, n.GroupPattern):
        return False
    return isinstance(element, n.NodePattern) or (element.length is None and element.quantifier is None)


def joined(where: n.Expression | None, conditions: list[n.Expression]) -> n.Expression | None:
    """All conditions together."""
    parts = [*(conjuncts(where) if where is not None else ()), *conditions]
    return None if not parts else parts[0] if len(parts) == 1 else n.Logic("AND", tuple(parts))
