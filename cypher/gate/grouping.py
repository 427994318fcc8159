"""Rules of a projection (``SEM2``): what may stand beside an aggregate, in ORDER BY, in SKIP and LIMIT."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from cypher.gate.allowed import is_aggregate
from cypher.gate.report import finding
from cypher.gate.symbols import Kind, Symbol
from cypher.syntax import nodes as n
from cypher.syntax.walk import children, walk
from cypher.syntax.write import write
from schemas.findings import Finding
from schemas.questions import Parameter

Scope: TypeAlias = Mapping[str, Symbol]
_OVER_LISTS = (n.ListComprehension, n.ListPredicate, n.Reduce, n.PatternComprehension)


def check_projection(projection: n.Projection, scope: Scope, passed: Scope) -> Iterator[Finding]:
    """Findings of one WITH or RETURN; ``scope`` is known before it, ``passed`` after it."""
    aggregates = [i for i in projection.items if _aggregates(i.expression)]
    for item in projection.items:
        yield from _misplaced(item.expression)
    plain = [i.expression for i in projection.items if i not in aggregates]
    names = {x.name for x in plain if isinstance(x, n.Variable)} | (set(scope) if projection.star else set())
    for item in aggregates:
        for found in _references(item.expression, plain, scope, names):
            text = write(found) if isinstance(found, n.Expression) else write(item.expression)
            message = f"{text} stands beside an aggregate; pass it on by WITH first"
            yield finding("SEM2", message, found.span, f"WITH {text} AS value, count(*) AS number")
            break
    yield from _order(projection, scope, passed, bool(aggregates))


def check_nowhere(node: n.Node) -> Iterator[Finding]:
    """Aggregates where no rows are collected: WHERE, MATCH, UNWIND."""
    for found in _aggregates(node):
        message = f"{write(found)} collects rows, so it stands in WITH or RETURN; its name is used after it"
        yield finding("SEM2", message, found.span, f"WITH n, {write(found)} AS value WHERE value > 1")


def check_bound(bound: n.Expression, word: str, parameters: Mapping[str, Parameter]) -> Iterator[Finding]:
    """SKIP and LIMIT take a whole number that is known before the query runs."""
    value: object = None
    plain = bound.operand if isinstance(bound, n.Sign) else bound
    if isinstance(plain, n.Literal):
        value = plain.value
    elif isinstance(plain, n.Parameter) and plain.name in parameters:
        value = parameters[plain.name]
    else:
        parts = (n.Variable, n.Subquery, n.PatternComprehension, n.PatternExpression)
        if any(isinstance(x, parts) for x in walk(bound)) or _aggregates(bound):
            yield finding("SEM2", f"{word} takes a number that is known before", bound.span, f"{word} 10")
        return
    whole = isinstance(value, int) and not isinstance(value, bool)
    negative = isinstance(bound, n.Sign) and bound.operator == "-" and value != 0
    if not whole or negative or (isinstance(value, int) and value < 0):
        if isinstance(plain, n.Parameter) and value is None:
            return
        message = f"{word} takes a whole number from 0 on, not {write(bound)}"
        yield finding("SEM2", message, bound.span, f"{word} 10")


def collects(projection: n.Projection) -> bool:
    """Whether a projection makes one row of several."""
    return projection.distinct or any(_aggregates(i.expression) for i in projection.items)


def _aggregates(node: n.Node) -> list[n.Expression]:
    """Aggregates of an expression's own rows: not those of a subquery in it."""
    found: list[n.Expression] = []
    stack = [node]
    while stack:
        here = stack.pop()
        if isinstance(here, n.Subquery):
            continue
        if is_aggregate(here) and isinstance(here, n.Expression):
            found.append(here)
        stack.extend(children(here))
    return found


def _misplaced(node: n.Expression) -> Iterator[Finding]:
    for outer in _aggregates(node):
        inner = [x for c in children(outer) for x in _aggregates(c)]
        if inner:
            message = f"{write(inner[0])} may not stand inside another aggregate; pass it on by WITH first"
            yield finding("SEM2", message, inner[0].span, f"WITH n, {write(inner[0])} AS value")
    for over in (x for x in walk(node) if isinstance(x, _OVER_LISTS)):
        for part in _parts_for_each(over):
            for found in _aggregates(part):
                message = f"{write(found)} may not stand in an expression over a list; pass it on by WITH"
                yield finding("SEM2", message, found.span, f"WITH {write(found)} AS value")


def _parts_for_each(node: n.Node) -> Iterator[n.Node]:
    """The parts that are worked out once for each member of a list."""
    for name in ("where", "projection", "step"):
        part = getattr(node, name, None)
        if isinstance(part, n.Node):
            yield part


def _references(
    node: n.Node,
    plain: list[n.Expression],
    scope: Scope,
    names: set[str],
    bound: frozenset[str] = frozenset(),
) -> Iterator[n.Node]:
    """Parts that need a variable of ``scope`` which is no column; aggregates and columns are left out."""
    if is_aggregate(node) or node in plain:
        return
    own = {str(getattr(node, part, "")) for part in ("variable", "accumulator")}
    if isinstance(node, n.Variable | n.MapProjection | n.NodePattern | n.RelationshipPattern):
        name = node.name if isinstance(node, n.Variable) else node.variable
        if name in scope and name not in names and name not in bound:
            yield node
            return
        own = set()
    if isinstance(node, n.Property) and _root(node) not in names | bound and _root(node) in scope:
        yield node
        return
    for child in children(node):
        yield from _references(child, plain, scope, names, bound | own)


def _root(node: n.Node) -> str:
    while isinstance(node, n.Property):
        node = node.target
    return node.name if isinstance(node, n.Variable) else ""


def _order(projection: n.Projection, scope: Scope, passed: Scope, aggregated: bool) -> Iterator[Finding]:
    for sort in projection.order:
        key = sort.expression
        if _aggregates(key) and not aggregated:
            message = "ORDER BY may name an aggregate only where one is returned; return it under a name"
            yield finding("SEM2", message, key.span, "count(*) AS number ORDER BY number")
            continue
        if not aggregated and not projection.distinct:
            continue
        columns = [i.expression for i in projection.items if not isinstance(i.expression, n.Variable)]
        renamed = any(i.expression == key for i in projection.items)
        hidden = [] if renamed else list(_lost(key, columns, scope, set(passed)))
        paths = _paths(key, passed)
        if hidden:
            message = f"after DISTINCT or an aggregate ORDER BY sees columns only, not {write_of(hidden[0])}"
            yield finding("SEM2", message, key.span, "RETURN n.x AS x, count(*) AS c ORDER BY x")
        elif paths:
            message = f"a path such as {paths[0].name} cannot be sorted by after DISTINCT or an aggregate"
            yield finding(
                "SEM2", message, key.span, f"WITH {paths[0].name}, length({paths[0].name}) AS steps"
            )


def check_filter(where: n.Expression, passed: Scope) -> Iterator[Finding]:
    """The WHERE of a WITH that makes one row of several."""
    for path in _paths(where, passed)[:1]:
        message = (
            f"after DISTINCT or an aggregate a path such as {path.name} is asked for in a WITH of its own"
        )
        yield finding("SEM2", message, path.span, f"WITH DISTINCT {path.name} WITH {path.name} WHERE ...")


def names_columns_only(
    where: n.Expression | None, projection: n.Projection, scope: Scope, passed: Scope
) -> bool:
    """Whether a condition needs nothing but columns, by name or as they are written."""
    columns = [i.expression for i in projection.items if not isinstance(i.expression, n.Variable)]
    return where is not None and not any(_lost(where, columns, scope, set(passed)))


def _paths(node: n.Node, passed: Scope) -> list[n.Variable]:
    return [x for x in walk(node) if isinstance(x, n.Variable) and _is_path(passed.get(x.name))]


def _lost(node: n.Node, columns: list[n.Expression], scope: Scope, names: set[str]) -> Iterator[n.Node]:
    """Like ``_references``, and what stands inside an aggregate that is no column counts too."""
    if node in columns:
        return
    if is_aggregate(node):
        for child in children(node):
            yield from _lost(child, columns, scope, names)
        return
    yield from _references(node, columns, scope, names)


def _is_path(symbol: Symbol | None) -> bool:
    return symbol is not None and symbol.kind is Kind.PATH


def write_of(node: n.Node) -> str:
    """A part of a query as text; the variable of a pattern by its name."""
    return write(node) if isinstance(node, n.Expression) else str(getattr(node, "variable", ""))
