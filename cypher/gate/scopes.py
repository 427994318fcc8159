"""Which variables are known where: clause by clause, with subqueries, comprehensions and UNION.

A variable dies at WITH unless it is passed on, keeps its meaning under an alias, enters ``CALL (x)``, EXISTS
and comprehensions, and is another one in each branch of UNION.
"""

from __future__ import annotations

from cypher.gate.allowed import PROCEDURES, is_aggregate
from cypher.gate.expressions import ExpressionScopes, Scope, common, inside
from cypher.gate.report import finding, nearest
from cypher.gate.symbols import Analysis, Kind, Symbol, place
from cypher.syntax import nodes as n
from cypher.syntax.walk import walk
from cypher.syntax.write import write


def analyse(query: n.Query) -> Analysis:
    """Symbols, edges, property uses and findings (``SEM1``, ``SEM2``) of a query."""
    walker = Scopes()
    columns = walker.query(query, {})
    walker.analysis.columns = tuple(columns)
    return walker.analysis


class Scopes(ExpressionScopes):
    """Walks clauses; expressions and patterns are walked by its bases."""

    def query(self, query: n.Query, scope: Scope) -> Scope:
        """Columns of a query, whose branches all start in ``scope``."""
        columns = [self._branch(b, inside(scope)) for b in query.branches]
        for other, branch in zip(columns[1:], query.branches[1:], strict=True):
            if list(other) != list(columns[0]) and set(other) != set(columns[0]):
                message = "the parts of a UNION return the same columns in each"
                self.add("SEM2", message, branch.span)
        return _of_all(columns)

    def _branch(self, branch: n.SingleQuery, scope: Scope) -> Scope:
        columns: Scope = {}
        lost: set[str] = set()
        for clause in branch.clauses:
            self.lost = lost
            if isinstance(clause, n.Match):
                self._match(clause, scope)
            elif isinstance(clause, n.With):
                passed = self._projection(clause.projection, scope, needs_alias=True)
                lost |= set(scope) - set(passed)
                self.lost = lost
                self.condition(clause.where, passed)
                scope = passed
            elif isinstance(clause, n.Return):
                columns = self._projection(clause.projection, scope, needs_alias=False)
            elif isinstance(clause, n.Unwind):
                self._unwind(clause, scope)
            elif isinstance(clause, n.CallSubquery):
                self._call(clause, scope)
            elif isinstance(clause, n.CallProcedure):
                columns = self._procedure(clause, scope)
        return columns

    def _match(self, clause: n.Match, scope: Scope) -> None:
        seen = inside(scope) if clause.optional else scope
        for path in clause.paths:
            self.path(path, seen)
        self.finish_patterns(clause.paths, seen)
        self.condition(clause.where, seen)
        for name in [x for x in seen if x not in scope]:
            scope[name] = seen[name]

    def _unwind(self, clause: n.Unwind, scope: Scope) -> None:
        found = self.expression(clause.expression, scope)
        item = found.item if found is not None and found.kind is Kind.LIST else None
        if item is None and isinstance(clause.expression, n.Parameter):
            item = Symbol(clause.variable, Kind.MAP)
        self._bind(clause.variable, item or Symbol(clause.variable, Kind.UNKNOWN), scope, clause.span)

    def _bind(self, name: str, symbol: Symbol, scope: Scope, span: n.Span) -> None:
        if name in scope:
            self.add("SEM1", f"the variable {name} is already in use here; choose another name", span)
        scope[name] = symbol.inner()

    def _projection(self, projection: n.Projection, scope: Scope, *, needs_alias: bool) -> Scope:
        passed: Scope = {}
        if projection.star:
            names = tuple(sorted(scope))
            self.analysis.stars[place(projection)] = names
            passed |= {name: scope[name].inner() for name in names}
            if not names and not projection.items:
                self.add("SEM1", "there is no variable that * could stand for", projection.span)
        for item in projection.items:
            name = item.alias or column_of(item)
            is_name = isinstance(item.expression, n.Variable)
            if needs_alias and item.alias is None and not is_name:
                text = write(item.expression)
                self.add("SEM2", f"{text} needs a name after WITH", item.span, f"{text} AS value")
            found = self.expression(item.expression, scope)
            if name in passed and not projection.star:
                self.add("SEM2", f"two columns have the name {name}", item.span)
            passed[name] = found.inner() if found is not None else Symbol(name, Kind.UNKNOWN)
        self._check_grouping(projection)
        both = {**scope, **passed}
        for sort in projection.order:
            self.expression(sort.expression, both)
        for bound in (projection.skip, projection.limit):
            if bound is not None:
                self.expression(bound, {})
        return passed

    def _check_grouping(self, projection: n.Projection) -> None:
        """``n.x + count(*)``: what stands beside an aggregate must be a column of its own."""
        grouped = [i.expression for i in projection.items if not any(is_aggregate(x) for x in walk(i))]
        names = {x.name for x in grouped if isinstance(x, n.Variable)}
        for item in projection.items:
            inside = {id(y) for x in walk(item.expression) if is_aggregate(x) for y in walk(x)}
            if not inside or is_aggregate(item.expression):
                continue
            for node in _outside(item.expression, inside, grouped):
                if isinstance(node, n.Variable | n.Property) and _root(node) not in names:
                    message = f"{write(node)} stands beside an aggregate; pass it on by WITH first"
                    self.add("SEM2", message, node.span, f"WITH {write(node)} AS value, count(*) AS number")
                    return

    def _call(self, clause: n.CallSubquery, scope: Scope) -> None:
        if clause.imports is None:
            columns = self._importing(clause.query, scope)
        else:
            names = tuple(scope) if clause.star else clause.imports
            columns = self.query(clause.query, {k: self.look_up(k, scope, clause.span) for k in names})
        for name, symbol in columns.items():
            self._bind(name, symbol, scope, clause.span)

    def _importing(self, query: n.Query, scope: Scope) -> Scope:
        """``CALL { WITH x ... }``: only a first WITH of plain names sees the variables outside."""
        columns: list[Scope] = []
        for branch in query.branches:
            first = branch.clauses[0]
            imports = isinstance(first, n.With) and all(
                isinstance(i.expression, n.Variable) and i.alias in {None, i.expression.name}
                for i in first.projection.items
            )
            columns.append(self._branch(branch, inside(scope) if imports else {}))
        return _of_all(columns)

    def _procedure(self, clause: n.CallProcedure, scope: Scope) -> Scope:
        for argument in clause.arguments or ():
            self.expression(argument, scope)
        known = PROCEDURES.get(clause.name.lower(), ())
        items = clause.items or tuple(n.Yield(k) for k in known if clause.star or not clause.items)
        columns: Scope = {}
        for item in items:
            if known and item.name not in known:
                near = nearest(item.name, known) or list(known)
                self.add(
                    "SEM1", f"{clause.name} yields {', '.join(known)}, not {item.name}", item.span, *near
                )
            kinds = {"node": Kind.NODE, "relationship": Kind.RELATIONSHIP}
            name = item.alias or item.name
            symbol = Symbol(name, kinds.get(item.name, Kind.VALUE))
            self._bind(name, symbol, scope, clause.span)
            columns[name] = symbol
        self.condition(clause.where, scope)
        return columns

    def add(self, code: str, message: str, span: n.Span, *suggestions: str) -> None:
        """Notes a finding."""
        self.analysis.findings.append(finding(code, message, span, *suggestions))


def _of_all(columns: list[Scope]) -> Scope:
    """Columns of a UNION: what is known of one holds for all its branches."""
    first, *others = columns
    if not others:
        return first
    return {k: common([c.get(k) for c in columns]) or Symbol(k, Kind.UNKNOWN) for k in first}


def column_of(item: n.Item) -> str:
    """Name of the column of an item without an alias."""
    if isinstance(item.expression, n.Variable):
        return item.expression.name
    return item.source or write(item.expression)


def _outside(node: n.Node, inside: set[int], grouped: list[n.Expression]) -> list[n.Node]:
    """Variables and properties that stand outside every aggregate and are no grouping column themselves."""
    from cypher.syntax.walk import children

    found: list[n.Node] = []
    stack: list[n.Node] = [node]
    while stack:
        here = stack.pop()
        if id(here) in inside or here in grouped:
            continue
        if isinstance(here, n.Variable | n.Property):
            found.append(here)
            continue
        if isinstance(
            here, n.Subquery | n.PatternComprehension | n.ListComprehension | n.ListPredicate | n.Reduce
        ):
            continue
        stack.extend(children(here))
    return found


def _root(node: n.Node) -> str:
    while isinstance(node, n.Property):
        node = node.target
    return node.name if isinstance(node, n.Variable) else ""
