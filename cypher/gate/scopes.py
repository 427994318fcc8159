"""Which variables are known where: clause by clause, with subqueries, comprehensions and UNION.

A variable dies at WITH unless it is passed on, keeps its meaning under an alias, enters ``CALL (x)``, EXISTS
and comprehensions, and is another one in each branch of UNION.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import Final

from cypher.gate.allowed import ARGUMENTS, PROCEDURES
from cypher.gate.expressions import ExpressionScopes, common
from cypher.gate.grouping import (
    check_bound,
    check_filter,
    check_nowhere,
    check_projection,
    collects,
    names_columns_only,
)
from cypher.gate.pattern_scopes import Scope, inside
from cypher.gate.report import nearest
from cypher.gate.symbols import Analysis, Kind, Symbol, place
from cypher.gate.types import one, unwound
from cypher.syntax import nodes as n
from cypher.syntax.write import write
from schemas.questions import Parameter

_YIELDED: Final = {"node": Kind.NODE, "relationship": Kind.RELATIONSHIP}
"""What the columns of the procedures are; all others are values."""


def analyse(query: n.Query, parameters: Mapping[str, Parameter]) -> Analysis:
    """Symbols, edges, property uses and findings (``SEM1``, ``SEM2``) of a query."""
    walker = Scopes(parameters)
    columns = walker.query(query, {})
    walker.analysis.columns = tuple(columns)
    walker.analysis.findings += walker.types.findings
    return walker.analysis


class Scopes(ExpressionScopes):
    """Walks clauses; expressions and patterns are walked by its bases."""

    def query(self, query: n.Query, scope: Scope) -> Scope:
        """Columns of a query, whose branches all start in ``scope`` and see it up to their ends."""
        before, self.fixed = self.fixed, frozenset(scope)
        columns = [self._branch(b, inside(scope)) for b in query.branches]
        self.fixed = before
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
                scope = self._with(clause, scope, lost)
            elif isinstance(clause, n.Return):
                self._shadowed(clause.projection)
                columns = self._projection(clause.projection, scope, needs_alias=False)
            elif isinstance(clause, n.Unwind):
                self._unwind(clause, scope)
            elif isinstance(clause, n.CallSubquery):
                self._call(clause, scope)
            elif isinstance(clause, n.CallProcedure):
                columns = self._procedure(clause, scope, alone=len(branch.clauses) == 1)
        return columns

    def _with(self, clause: n.With, scope: Scope, lost: set[str]) -> Scope:
        self._shadowed(clause.projection)
        passed = self._projection(clause.projection, scope, needs_alias=True)
        kept = {name: scope[name] for name in self.fixed if name in scope}
        lost |= set(scope) - set(passed) - set(kept)
        made = clause.projection
        only_passed = collects(made) and not names_columns_only(clause.where, made, scope, passed)
        seen = {**kept, **passed} if only_passed else {**scope, **passed}
        self.lost = lost
        self.condition(clause.where, seen)
        if collects(clause.projection) and clause.where is not None:
            self.analysis.findings += check_filter(clause.where, passed)
        return {**kept, **passed}

    def _match(self, clause: n.Match, scope: Scope) -> None:
        seen = inside(scope) if clause.optional else scope
        for path in clause.paths:
            self.path(path, seen)
        self.finish_patterns(clause.paths, seen)
        self.condition(clause.where, seen)
        for part in (*clause.paths, *((clause.where,) if clause.where is not None else ())):
            self.analysis.findings += check_nowhere(part)
        for name in [x for x in seen if x not in scope]:
            scope[name] = seen[name]

    def _unwind(self, clause: n.Unwind, scope: Scope) -> None:
        found = self.expression(clause.expression, scope)
        self.analysis.findings += check_nowhere(clause.expression)
        item = found.item if found is not None and found.kind is Kind.LIST else None
        types = unwound(self.types.of(clause.expression))
        if item is None and isinstance(clause.expression, n.Parameter):
            item = Symbol(clause.variable, Kind.MAP, types=types)
        unknown = Symbol(clause.variable, Kind.UNKNOWN, types=types)
        self._bind(clause.variable, item or unknown, scope, clause.span)

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
            if not names and not projection.items and not needs_alias:
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
            if passed[name].types is None:
                passed[name].types = self.types.of(item.expression)
        self.analysis.findings += check_projection(projection, scope, passed)
        both = {**scope, **passed}
        for sort in projection.order:
            self.expression(sort.expression, both)
        self._bound(projection.skip, "SKIP")
        self._bound(projection.limit, "LIMIT")
        return passed

    def _bound(self, bound: n.Expression | None, word: str) -> None:
        if bound is None:
            return
        found = list(check_bound(bound, word, self.types.parameters))
        self.analysis.findings += found
        if not found:
            self.expression(bound, {})
            self.types.need(bound, one("INTEGER"), word)

    def _shadowed(self, projection: n.Projection) -> None:
        """A name from outside of a subquery keeps its meaning in all of it."""
        for item in projection.items:
            if item.alias in self.fixed and item.expression != n.Variable(item.alias or ""):
                message = f"{item.alias} stands for something outside of this subquery; choose another name"
                self.add("SEM1", message, item.span)

    def _call(self, clause: n.CallSubquery, scope: Scope) -> None:
        for branch in clause.query.branches:
            last = branch.clauses[-1]
            for item in last.projection.items if isinstance(last, n.Return) else ():
                if item.alias is None and not isinstance(item.expression, n.Variable):
                    text = write(item.expression)
                    self.add("SEM2", f"{text} needs a name in CALL {{ }}", item.span, f"{text} AS value")
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
            if imports and isinstance(first, n.With):
                self._plain_import(first)
            before, self.fixed = self.fixed, frozenset()
            columns.append(self._branch(branch, inside(scope) if imports else {}))
            self.fixed = before
        return _of_all(columns)

    def _plain_import(self, clause: n.With) -> None:
        """The WITH that imports variables does nothing else."""
        made, star = clause.projection, clause.projection.star
        more = (made.distinct, made.order, made.skip, made.limit, clause.where)
        if any(more):
            names = ", ".join(column_of(i) for i in made.items) or ("*" if star else "")
            message = "the first WITH of CALL { } only names variables; write the rest into a second WITH"
            self.add("SEM2", message, clause.span, f"WITH {names} WITH {names} WHERE ...")

    def _arguments(self, clause: n.CallProcedure, scope: Scope) -> None:
        given, wanted = clause.arguments or (), ARGUMENTS.get(clause.name.lower(), ())
        least = sum(not w.endswith("?") for w in wanted)
        if wanted and not least <= len(given) <= len(wanted):
            message = f"{clause.name} takes {least} to {len(wanted)} values; it is given {len(given)}"
            self.add("SEM2", message, clause.span)
        for argument, types in zip_longest(given, wanted[: len(given)], fillvalue=""):
            if isinstance(argument, n.Expression):
                self.expression(argument, scope)
                self.types.need(argument, one(types.strip("?")) if types else None, clause.name)

    def _procedure(self, clause: n.CallProcedure, scope: Scope, *, alone: bool) -> Scope:
        self._arguments(clause, scope)
        if not alone and not clause.items and not clause.star:
            message = "a procedure inside a query says what it yields"
            self.add("SEM1", message, clause.span, "YIELD node, score")
        known = PROCEDURES.get(clause.name.lower(), ())
        items = clause.items or tuple(n.Yield(k) for k in known if clause.star or not clause.items)
        columns: Scope = {}
        for item in items:
            if known and item.name not in known:
                near = nearest(item.name, known) or list(known)
                self.add(
                    "SEM1", f"{clause.name} yields {', '.join(known)}, not {item.name}", item.span, *near
                )
            name = item.alias or item.name
            symbol = Symbol(name, _YIELDED.get(item.name, Kind.VALUE))
            symbol.types = one("FLOAT") if item.name == "score" else None
            self._bind(name, symbol, scope, clause.span)
            columns[name] = symbol
        self.condition(clause.where, scope)
        return columns


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
