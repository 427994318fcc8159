"""Walks patterns: which variable each part binds or takes up, and what it must be to stand there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from cypher.gate.report import finding
from cypher.gate.symbols import Analysis, Edge, Kind, Symbol, Use, place
from cypher.gate.typecheck import TypeCheck, of_symbol
from cypher.gate.types import LIST, base, fits, in_words, item_of, one
from cypher.syntax import nodes as n
from cypher.syntax.walk import walk
from schemas.questions import Parameter

Scope: TypeAlias = dict[str, Symbol]
_MAYBE_NODE: Final = frozenset({Kind.NODE, Kind.UNKNOWN})
_PARTS: Final = frozenset({Kind.NODE, Kind.RELATIONSHIP, Kind.PATH})
_MAYBE_EDGE: Final = frozenset({Kind.RELATIONSHIP, Kind.UNKNOWN})


class PatternScopes(ABC):
    """Base of the walk over expressions and clauses."""

    def __init__(self, parameters: Mapping[str, Parameter]) -> None:
        self.analysis = Analysis()
        self.types = TypeCheck(parameters)

    @abstractmethod
    def expression(self, node: n.Node, scope: Scope) -> Symbol | None:
        """What an expression stands for; defined where expressions are walked."""

    @abstractmethod
    def condition(self, where: n.Expression | None, scope: Scope) -> None:
        """A WHERE; defined where expressions are walked."""

    def add(self, code: str, message: str, span: n.Span, *suggestions: str) -> None:
        """Notes a finding."""
        self.analysis.findings.append(finding(code, message, span, *suggestions))

    def path(self, path: n.Path, scope: Scope) -> None:
        """Binds the variables of a path; conditions inside are walked by ``finish_patterns``."""
        before: Symbol | None = None
        pending: n.RelationshipPattern | None = None
        relationship: Symbol | None = None
        for element in path.elements:
            if isinstance(element, n.RelationshipPattern):
                pending, relationship = element, self._relationship(element, scope)
            elif isinstance(element, n.NodePattern):
                here = self._node(element, scope)
                if pending is not None and relationship is not None and before is not None:
                    self._edge(before, pending, relationship, here)
                before, pending = here, None
            else:
                self._group(element, scope)
                before, pending = None, None
        if path.variable is not None:
            if path.variable in scope:
                found = called(scope[path.variable])
                message = f"the variable {path.variable} is already in use here: it is {found}"
                self.add("SEM1", f"{message}; give the path another name", path.span)
            scope[path.variable] = Symbol(path.variable, Kind.PATH)

    def _edge(
        self, before: Symbol, pattern: n.RelationshipPattern, relationship: Symbol, here: Symbol
    ) -> None:
        bounds = pattern.length or pattern.quantifier
        lower, upper = (bounds.lower, bounds.upper) if bounds is not None else (1, 1)
        start, end = (here, before) if pattern.direction == "<" else (before, here)
        self.analysis.edges.append(Edge(start, relationship, end, pattern, lower, upper))

    def _node(self, element: n.NodePattern, scope: Scope) -> Symbol:
        symbol = self._known(element, scope, lambda s: s.kind in _MAYBE_NODE and _is(s, "NODE"), "a node")
        if symbol is None:
            symbol = Symbol(element.variable or "", Kind.NODE)
        symbol.kind = Kind.NODE
        if element.variable is not None:
            scope[element.variable] = symbol
        if element.labels is not None:
            symbol.labels.append(element.labels)
            self.analysis.labels.append((element.labels, symbol))
        self.analysis.nodes[place(element)] = symbol
        return symbol

    def _relationship(self, element: n.RelationshipPattern, scope: Scope) -> Symbol:
        symbol = Symbol(element.variable or "", Kind.RELATIONSHIP)
        if element.types is not None:
            symbol.labels.append(element.types)
            self.analysis.labels.append((element.types, symbol))
        if element.quantifier is not None or element.length is not None:
            self._repeated(element, symbol, scope)
        else:
            known = self._known(
                element, scope, lambda s: s.kind in _MAYBE_EDGE and _is(s, "RELATIONSHIP"), "a relationship"
            )
            symbol = known if known is not None and known.kind is Kind.RELATIONSHIP else symbol
            if element.variable is not None:
                scope[element.variable] = symbol
        self.analysis.relationships[place(element)] = symbol
        return symbol

    def _repeated(self, element: n.RelationshipPattern, symbol: Symbol, scope: Scope) -> None:
        """A relationship of several steps is a list; only the older form takes up a list that is known."""
        name = element.variable
        if element.quantifier is None:
            self._known(element, scope, _may_be_edges, "a list of relationships")
        elif name is not None and name in scope:
            message = f"{name} stands for {called(scope[name])}; what is repeated has a name of its own"
            self.add("SEM1", message, element.span)
        if name is not None:
            scope[name] = Symbol(name, Kind.LIST, item=symbol)

    def _known(
        self,
        element: n.NodePattern | n.RelationshipPattern,
        scope: Scope,
        fitting: Callable[[Symbol], bool],
        wanted: str,
    ) -> Symbol | None:
        """What the name of a part of a pattern stands for already; a finding where that is no such part."""
        known = scope.get(element.variable) if element.variable is not None else None
        if known is None or fitting(known):
            return known
        message = f"expected {wanted} here; {element.variable} is {called(known)}, so choose another name"
        self.add("SEM1", message, element.span)
        return None

    def _group(self, element: n.GroupPattern, scope: Scope) -> None:
        repeated = element.quantifier is not None
        named = {
            e.variable for e in element.path.elements if not isinstance(e, n.GroupPattern) and e.variable
        }
        inner = inside({k: s for k, s in scope.items() if k not in named}) if repeated else dict(scope)
        self.path(element.path, inner)
        self.finish_patterns((element.path,), inner)
        self.condition(element.where, inner)
        for name in sorted(named & set(scope)) if repeated else ():
            message = f"{name} stands inside and outside of what is repeated; give it another name inside"
            self.add("SEM1", message, element.span)
        for name in set(inner) - set(scope):
            scope[name] = Symbol(name, Kind.LIST, item=inner[name]) if repeated else inner[name]

    def finish_patterns(self, paths: tuple[n.Path, ...], scope: Scope) -> None:
        """Walks properties and conditions inside patterns, once all their variables are bound."""
        for element in (e for p in paths for e in p.elements):
            if isinstance(element, n.GroupPattern):
                continue
            if isinstance(element, n.NodePattern):
                symbol, labels = self.analysis.nodes[place(element)], element.labels
            else:
                symbol, labels = self.analysis.relationships[place(element)], element.types
            inner = dict(scope)
            if element.variable is not None:
                inner[element.variable] = symbol
            for dynamic in dynamic_labels(labels) if labels is not None else ():
                self.expression(dynamic.expression, inner)
            if isinstance(element.properties, n.MapLiteral):
                for entry in element.properties.entries:
                    self.analysis.uses.append(Use(symbol, entry.key, entry.span, entry.value))
                    self.expression(entry.value, inner)
            self.condition(element.where, inner)


def inside(scope: Scope) -> Scope:
    """The variables as a part of the query sees them that need not hold for every row."""
    return {name: symbol.inner() for name, symbol in scope.items()}


def conjuncts(where: n.Expression) -> tuple[n.Expression, ...]:
    """The conditions that all must hold."""
    if isinstance(where, n.Logic) and where.operator == "AND":
        return tuple(c for o in where.operands for c in conjuncts(o))
    return (where,)


def dynamic_labels(labels: n.LabelExpression) -> list[n.DynamicLabel]:
    return [x for x in walk(labels) if isinstance(x, n.DynamicLabel)]


def called(symbol: Symbol) -> str:
    """What a variable is, for a message.

    >>> called(Symbol("r", Kind.LIST, item=Symbol("", Kind.RELATIONSHIP)))
    'a list of relationships'
    """
    if symbol.kind is Kind.LIST and symbol.item is not None and symbol.item.kind in _PARTS:
        return f"a list of {symbol.item.kind.value}s"
    if symbol.kind in {Kind.MAP, Kind.VALUE, Kind.UNKNOWN} and symbol.types:
        return in_words(symbol.types)
    return "a value" if symbol.kind is Kind.UNKNOWN else f"a {symbol.kind.value}"


def _is(symbol: Symbol, wanted: str) -> bool:
    return fits(of_symbol(symbol), one(wanted))


def _may_be_edges(symbol: Symbol) -> bool:
    if symbol.kind not in {Kind.LIST, Kind.UNKNOWN}:
        return False
    types = of_symbol(symbol)
    return types is None or (
        all(base(t) == LIST for t in types) and fits(item_of(types), one("RELATIONSHIP"))
    )
