"""Walks expressions with the variables that are known where they stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cypher.gate.allowed import MACRO
from cypher.gate.pattern_scopes import PatternScopes, Scope, conjuncts, dynamic_labels, inside
from cypher.gate.report import nearest
from cypher.gate.symbols import Kind, Symbol, Use, place
from cypher.gate.typecheck import COMPOSED, accumulated, of_symbol
from cypher.gate.types import ANY, is_value, list_of, member_of, one, union
from cypher.syntax import nodes as n
from cypher.syntax.walk import children
from schemas.questions import Parameter

_COMPARED = frozenset({"=", "<>", "<", "<=", ">", ">="})


class ExpressionScopes(PatternScopes):
    """Base of the walk over clauses."""

    def __init__(self, parameters: Mapping[str, Parameter]) -> None:
        super().__init__(parameters)
        self.lost: set[str] = set()
        """Variables that a WITH did not pass on."""
        self.fixed: frozenset[str] = frozenset()
        """Variables from outside of the subquery that is walked: its own WITH does not end them."""

        self.closed: frozenset[str] = frozenset()
        """Variables from outside of EXISTS, COUNT and COLLECT, whose names no expression inside may take."""

    def query(self, query: n.Query, scope: Scope) -> Scope:
        """Columns of a query; defined where clauses are walked."""
        raise NotImplementedError

    def look_up(self, name: str, scope: Scope, span: n.Span) -> Symbol:
        """The symbol of a name; an unknown one is a finding."""
        found = scope.get(name)
        if found is not None:
            return found
        if name in self.lost:
            self.add(
                "SEM1",
                f"the variable {name} was lost at WITH; add it to the WITH list",
                span,
                f"WITH {name}, ...",
            )
        else:
            near = nearest(name, scope) or sorted(scope)
            known = f"; known here: {', '.join(sorted(scope)[:6])}" if scope else ""
            self.add("SEM1", f"the variable {name} is not defined here{known}", span, *near)
        return Symbol(name, Kind.UNKNOWN)

    # --- conditions -----------------------------------------------------------------------------

    def condition(self, where: n.Expression | None, scope: Scope) -> None:
        """A WHERE: labels that must hold narrow their variable."""
        if where is None:
            return
        for part in conjuncts(where):
            if isinstance(part, n.HasLabels) and isinstance(part.operand, n.Variable):
                symbol = scope.get(part.operand.name)
                if symbol is not None and symbol.kind in {Kind.NODE, Kind.RELATIONSHIP}:
                    symbol.labels.append(part.labels)
        self.expression(where, scope)
        self.types.need(where, one("BOOLEAN"), "WHERE")

    # --- expressions ----------------------------------------------------------------------------

    def expression(self, node: n.Node, scope: Scope) -> Symbol | None:
        """What an expression stands for, where that is known; notes all that is read."""
        handler = getattr(self, "_" + type(node).__name__.lower(), None)
        if handler is not None:
            found: Symbol | None = handler(node, scope)
            self.types.note(node, found)
            return found
        for child in children(node):
            self.expression(child, scope)
        self.types.note(node, None)
        return None

    def _variable(self, node: n.Variable, scope: Scope) -> Symbol | None:
        return self.look_up(node.name, scope, node.span)

    def _haslabels(self, node: n.HasLabels, scope: Scope) -> Symbol | None:
        symbol = self.expression(node.operand, scope)
        self.analysis.labels.append((node.labels, symbol))
        for dynamic in dynamic_labels(node.labels):
            self.expression(dynamic.expression, scope)
        return Symbol("", Kind.VALUE)

    def _property(self, node: n.Property, scope: Scope) -> Symbol | None:
        symbol = self.expression(node.target, scope)
        self.analysis.uses.append(Use(symbol, node.name, node.span, types=self.types.of(node.target)))
        return None

    def _comparison(self, node: n.Comparison, scope: Scope) -> Symbol | None:
        self.expression(node.first, scope)
        for operation in node.rest:
            self.expression(operation.operand, scope)
        if len(node.rest) == 1 and node.rest[0].operator in _COMPARED:
            self._compared(node.first, node.rest[0].operand, scope)
            self._compared(node.rest[0].operand, node.first, scope)
        return Symbol("", Kind.VALUE)

    def _compared(self, left: n.Expression, right: n.Expression, scope: Scope) -> None:
        if isinstance(left, n.Property) and isinstance(left.target, n.Variable):
            symbol = scope.get(left.target.name)
            if symbol is not None:
                types = self.types.of(left.target)
                self.analysis.uses.append(Use(symbol, left.name, left.span, right, types))

    def _index(self, node: n.Index, scope: Scope) -> Symbol | None:
        symbol = self.expression(node.target, scope)
        self.expression(node.index, scope)
        index = node.index
        if isinstance(index, n.Literal) and isinstance(index.value, str):
            self.analysis.uses.append(Use(symbol, index.value, node.span, types=self.types.of(node.target)))
        elif not _is_whole(index) and not (symbol is not None and symbol.kind in {Kind.LIST, Kind.MAP}):
            message = "a property is named, not computed: write n.name, or an integer index for a list"
            self.add("SEC1", message, node.span, "n.name")
        return symbol.item if symbol is not None and symbol.kind is Kind.LIST else None

    def _listliteral(self, node: n.ListLiteral, scope: Scope) -> Symbol | None:
        items = [self.expression(i, scope) for i in node.items]
        same = items[0] if items and all(i is items[0] for i in items) else None
        if same is None and items and all(i is not None and i.kind is Kind.MAP for i in items):
            same = items[0]
        return Symbol("", Kind.LIST, item=same)

    def _mapliteral(self, node: n.MapLiteral, scope: Scope) -> Symbol | None:
        for entry in node.entries:
            self.expression(entry.value, scope)
        return Symbol("", Kind.MAP)

    def _parameter(self, node: n.Parameter, _: Scope) -> Symbol | None:
        return Symbol(node.name, Kind.MAP)

    def _mapprojection(self, node: n.MapProjection, scope: Scope) -> Symbol | None:
        symbol = self.look_up(node.variable, scope, node.span)
        self.analysis.maps[place(node)] = symbol
        for item in node.items:
            if isinstance(item, n.PropertySelector):
                self.analysis.uses.append(Use(symbol, item.name, item.span, types=of_symbol(symbol)))
            elif isinstance(item, n.VariableSelector):
                self.look_up(item.name, scope, item.span)
            elif isinstance(item, n.MapEntry):
                self.expression(item.value, scope)
        return Symbol("", Kind.MAP)

    def _functioncall(self, node: n.FunctionCall, scope: Scope) -> Symbol | None:
        if node.name.lower() == MACRO:
            return self._similarity(node, scope)
        found = [self.expression(a, scope) for a in node.arguments]
        first = found[0] if found else None
        name = node.name.lower()
        if name in {"id", "elementid", "labels", "type"} and first is not None:
            self.analysis.asked.append(first)
        if name == "collect":
            types = list_of(self.types.of(node.arguments[0])) if node.arguments else None
            return Symbol("", Kind.LIST, item=first, types=types)
        if name in {"head", "last"} and first is not None:
            return first.item
        if name in {"tail", "reverse"}:
            return first
        if name == "coalesce":
            return common(found)
        if name in {"nodes", "relationships"}:
            kind = Kind.NODE if name == "nodes" else Kind.RELATIONSHIP
            return Symbol("", Kind.LIST, item=Symbol("", kind))
        if name in {"startnode", "endnode"}:
            return Symbol("", Kind.NODE)
        if name == "properties":
            self.analysis.maps[place(node)] = first or Symbol("", Kind.UNKNOWN)
            return Symbol("", Kind.MAP)
        if name == "keys":
            self.analysis.maps[place(node)] = first or Symbol("", Kind.UNKNOWN)
            return Symbol("", Kind.LIST, item=Symbol("", Kind.VALUE))
        if name in COMPOSED:
            self._spread(node, found)
            return Symbol("", Kind.MAP)
        return Symbol("", Kind.VALUE) if name in {"size", "count", "length"} else None

    def _spread(self, node: n.FunctionCall, found: list[Symbol | None]) -> None:
        """Notes a call that may be given a node, whose properties it then takes for components."""
        for argument, symbol in zip(node.arguments, found, strict=True):
            types = self.types.of(argument)
            if (types is None or ANY in types) and not (symbol is not None and symbol.kind is Kind.MAP):
                self.analysis.spread.append(node)

    def _similarity(self, node: n.FunctionCall, scope: Scope) -> Symbol:
        """The property with the vector is hidden, so it is no use of a property."""
        target, *others = node.arguments or (n.Literal(None),)
        of = target.target if isinstance(target, n.Property) else target
        symbol = self.expression(of, scope)
        if symbol is not None and isinstance(of, n.Variable):
            self.analysis.similar[place(node)] = symbol
        for other in others:
            self.expression(other, scope)
        return Symbol("", Kind.VALUE)

    def _subquery(self, node: n.Subquery, scope: Scope) -> Symbol | None:
        lost, closed = self.lost, self.closed
        self.closed = closed | frozenset(scope)
        columns = self.query(node.query, scope)
        self.lost, self.closed = lost, closed
        if node.kind == "COLLECT" and len(columns) > 1:
            message = f"COLLECT {{ }} returns one column; this one returns {', '.join(columns)}"
            self.add("SEM2", message, node.span, "COLLECT { MATCH (a)-->(b) RETURN b.name }")
        if node.kind == "COLLECT" and columns:
            return Symbol("", Kind.LIST, item=next(iter(columns.values())))
        return Symbol("", Kind.VALUE)

    def _open(self, name: str, span: n.Span) -> None:
        """A finding where an expression over a list takes a name that may not be taken."""
        if name in self.closed:
            message = f"{name} stands for something outside of this subquery; choose another name"
            self.add("SEM1", message, span)

    def _member(self, variable: str, source: n.Expression, scope: Scope) -> Scope:
        self._open(variable, source.span)
        found = self.expression(source, scope)
        item = found.item if found is not None and found.kind is Kind.LIST else None
        of_list = Symbol(variable, Kind.UNKNOWN, types=member_of(self.types.of(source)))
        return {**scope, variable: item.inner() if item is not None else of_list}

    def _listcomprehension(self, node: n.ListComprehension, scope: Scope) -> Symbol | None:
        inner = self._member(node.variable, node.source, scope)
        if node.where is not None:
            self.expression(node.where, inner)
        item = (
            self.expression(node.projection, inner) if node.projection is not None else inner[node.variable]
        )
        return Symbol("", Kind.LIST, item=item)

    def _listpredicate(self, node: n.ListPredicate, scope: Scope) -> Symbol | None:
        inner = self._member(node.variable, node.source, scope)
        if node.where is not None:
            self.expression(node.where, inner)
        return Symbol("", Kind.VALUE)

    def _reduce(self, node: n.Reduce, scope: Scope) -> Symbol | None:
        self.expression(node.initial, scope)
        inner = self._member(node.variable, node.source, scope)
        if node.variable == node.accumulator:
            self.add("SEM1", f"{node.variable} stands for two things in reduce", node.span)
        kept = accumulated(self.types.of(node.initial))
        self._open(node.accumulator, node.span)
        inner[node.accumulator] = Symbol(node.accumulator, Kind.UNKNOWN, types=kept)
        uses = self.analysis.uses
        before = len(uses)
        self.expression(node.step, inner)
        if not is_value(self.types.of(node.step)):  # then the accumulator is none either, but the first time
            uses[before:] = [replace(use, types=None) for use in uses[before:]]
        return None

    def _patterncomprehension(self, node: n.PatternComprehension, scope: Scope) -> Symbol | None:
        inner = inside(scope)
        if node.path.variable is not None:
            self._open(node.path.variable, node.path.span)
            inner.pop(node.path.variable, None)
        self.path(node.path, inner)
        self.finish_patterns((node.path,), inner)
        self.condition(node.where, inner)
        return Symbol("", Kind.LIST, item=self.expression(node.projection, inner))

    def _patternexpression(self, node: n.PatternExpression, scope: Scope) -> Symbol | None:
        inner = inside(scope)
        self.path(node.path, inner)
        for name in set(inner) - set(scope):
            self.add(
                "SEM1",
                f"the variable {name} is not defined here; a pattern in a condition brings no new ones",
                node.span,
                "EXISTS { (a)-->(b) }",
            )
        self.finish_patterns((node.path,), inner)
        return Symbol("", Kind.PATH if node.path.function else Kind.VALUE)


def common(found: list[Symbol | None]) -> Symbol | None:
    """What one of several values is; of values of several kinds only their types are known."""
    if len(found) == 1:
        return found[0]
    kinds = {s.kind if s is not None else Kind.UNKNOWN for s in found}
    types = union(of_symbol(s) for s in found)
    if len(kinds) > 1 and types is None:
        return None
    return Symbol("", kinds.pop() if len(kinds) == 1 else Kind.UNKNOWN, types=types)


def _is_whole(node: n.Expression) -> bool:
    """Whether an index can be no text, as a whole number cannot."""
    if isinstance(node, n.Literal):
        return isinstance(node.value, int)
    if isinstance(node, n.Sign):
        return _is_whole(node.operand)
    if isinstance(node, n.Arithmetic):
        whole = _is_whole(node.first)
        for operation in node.rest:  # text can be added and joined; there is no other arithmetic of it
            added = operation.operator in {"+", "||"}
            whole = whole and _is_whole(operation.operand) if added else True
        return whole
    return isinstance(node, n.FunctionCall) and node.name.lower() in {"size", "tointeger", "length", "floor"}
