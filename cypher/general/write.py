"""A plan becomes one query: each stage narrows the things, and keeps the statements behind them.

The last two columns are technical, as in the queries of the shapes: the ids of the statements that a row
rests on, and how many of those a later paper replaced.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from cypher.cited import MAX_STATEMENTS
from cypher.compose import Composed
from cypher.general.answer import FIRST_UNIT, ORDERED_BY, SECOND_UNIT
from cypher.general.kinds import Derived, Form, Kind, KindGraph
from cypher.general.mentioned import mentions, of_few, of_first, of_values
from cypher.general.ordered import ordered
from cypher.general.patterns import Bound, Pattern, PatternWriter
from cypher.general.plan import (
    Aggregate,
    Branch,
    Compare,
    CountOf,
    ExistsAny,
    GroupBy,
    ListOf,
    Plan,
    Ranking,
    Tree,
)
from cypher.general.tries import NoPlanError
from cypher.general.write_numbers import aggregated, key_column, shown_number, statements_of
from cypher.identifiers import REPLACED, STATEMENTS, quote
from cypher.sampled import few
from cypher.schema_graph import (
    COLUMN,
    LEVEL,
    LIMIT,
    SHORT_NAME,
    SUPERSEDED,
    UNIT,
    VALUE,
    attribute,
    shown_attributes,
    year_attribute,
)
from cypher.units import Units

_VALUE_COLUMNS: Final = ("value_text", VALUE, UNIT, LIMIT, LEVEL, COLUMN, SUPERSEDED)


@dataclass(slots=True)
class _Stages:
    """Clauses so far, and what they hold: the thing, its statements, its number."""

    bound: Bound
    clauses: list[str] = field(default_factory=list)
    statements: bool = False
    number: str = ""
    unit: str = ""
    ordered: str = ""
    """Column of the number that orders, where no count does."""


def write(plan: Plan, graph: KindGraph, *, row_cap: int, scale: Units = ()) -> Composed:
    """Cypher of a plan; may raise ``NoPlanError`` for what cannot be written.

    ``scale``: numbers with units are ordered by their size in these, and those in others come first.
    """
    writer = _Writer(graph, row_cap, scale)
    columns, text = writer.query(plan)
    return Composed(f"{text} LIMIT {row_cap}", writer.p.parameters, columns)


class _Writer:
    def __init__(self, graph: KindGraph, row_cap: int, scale: Units) -> None:
        self.graph, self.schema, self.row_cap, self.scale = graph, graph.schema, row_cap, scale
        self.p = PatternWriter(graph)

    def query(self, plan: Plan) -> tuple[tuple[str, ...], str]:
        match plan.head:
            case ListOf(ranking, number):
                return self._list(plan.root, ranking, number)
            case ExistsAny():
                return self._list(plan.root, None, None)
            case CountOf():
                return self._count(plan.root)
            case GroupBy(tree):
                return self._group(plan.root, tree)
            case Aggregate():
                return self._aggregate(plan.root, plan.head)
            case Compare():
                return self._compare(plan.head)

    # Stages

    def _stages(self, root: Tree) -> _Stages:
        """The things that fulfil all branches of a tree."""
        joined = [b for b in root.branches if self._is_joined(b)]
        other = [b for b in root.branches if b not in joined]
        joined.sort(key=self._width)
        pattern = Pattern()
        bound = self.p.root(root, pattern)
        first = joined[0] if joined else None
        if first is not None:
            self._grow(first, bound, pattern)
        is_value = bound.kind.is_value
        if not is_value:
            pattern.where += [self.p.condition(b, bound) for b in other]
        stages = _Stages(bound)
        self._close(stages, pattern, first)
        if is_value and other:
            self._filter(stages, [self.p.condition(b, stages.bound) for b in other])
        for branch in joined[1:]:
            following = Pattern()
            self._grow(branch, stages.bound, following)
            self._close(stages, following, branch)
        return stages

    def _is_joined(self, branch: Branch) -> bool:
        """Whether a branch is matched, so that its statements are known, or only tested."""
        if branch.negated or len(branch.trees) != 1:
            return False
        return branch.number is not None or any(not c.kind.is_value for c in branch.trees[0].children)

    def _width(self, branch: Branch) -> int:
        """Named things first, counts last."""
        named = _is_named(branch.trees[0])
        return (2 if branch.number else 0) + (0 if named else 1)

    def _grow(self, branch: Branch, bound: Bound, pattern: Pattern) -> None:
        self.p.grow(branch.trees[0], bound, pattern)
        pattern.where += [self.p.condition(b, bound) for b in branch.trees[0].branches]

    def _close(self, stages: _Stages, pattern: Pattern, branch: Branch | None) -> None:
        """Ends a MATCH: one row for each thing, with its statements and its number."""
        bound = stages.bound
        name = self.p.new("v") if bound.kind.is_value and bound.ends else bound.text
        keys = [name if name == bound.text else f"{bound.text} AS {name}", *self._ends(bound)]
        number = ""
        if branch is not None and branch.number is not None:
            if pattern.counted is None:
                raise NoPlanError("nothing to count")
            number = self.p.new("c")
        measures = (
            [f"count(DISTINCT {pattern.counted.text}) AS {number}"] if number and pattern.counted else []
        )
        self._gather(stages, pattern, keys, measures)
        if number and branch is not None and branch.number is not None:
            stages.clauses[-1] += (
                f" WHERE {number} {branch.number.size.value} {self.p.parameter(branch.number.value)}"
            )
            stages.number = number
        if name != bound.text:
            stages.bound = Bound(bound.kind, name)

    def _ends(self, bound: Bound) -> list[str]:
        return [e.text for e in bound.ends] if bound.kind.form is Form.STATEMENT else []

    def _gather(self, stages: _Stages, pattern: Pattern, keys: list[str], measures: list[str]) -> None:
        """A WITH that groups by the keys, and one more that joins old and new statements."""
        held = [stages.number] if stages.number else []
        fresh = bool(pattern.statements)
        old = ["s", "x"] if stages.statements else []
        ids, replaced = ("t", "z") if old else ("s", "x")
        new = [f"{self._ids(pattern)} AS {ids}", f"{self._replaced(pattern)} AS {replaced}"] if fresh else []
        distinct = "" if fresh or measures else "DISTINCT "
        head = f"{pattern.match()} " if pattern.paths else ""
        where = f" WHERE {' AND '.join(dict.fromkeys(pattern.where))}" if pattern.where and not head else ""
        if where:
            stages.clauses.append(f"WITH {', '.join([*self._held(stages), *held])}{where}")
        stages.clauses.append(f"{head}WITH {distinct}{', '.join([*keys, *held, *old, *measures, *new])}")
        if old and fresh:
            names = [k.split(" AS ")[-1] for k in (*keys, *held, *measures)]
            stages.clauses.append(f"WITH {', '.join(names)}, s + t AS s, x + z AS x")
        stages.statements = stages.statements or fresh

    def _filter(self, stages: _Stages, conditions: Sequence[str]) -> None:
        keep = [*self._held(stages), *([stages.number] if stages.number else [])]
        stages.clauses.append(f"WITH {', '.join(keep)} WHERE {' AND '.join(conditions)}")

    def _ids(self, pattern: Pattern) -> str:
        cap = self.p.parameter(MAX_STATEMENTS)
        ids = [f"collect(DISTINCT {self.p.property(s.text, 'id')})[..{cap}]" for s in pattern.statements]
        return " + ".join(ids)

    def _replaced(self, pattern: Pattern) -> str:
        parts = []
        for s in pattern.statements:
            if attribute(self.schema.relation(s.kind.owner), SUPERSEDED) is not None:
                marked = f"{self.p.property(s.text, SUPERSEDED)} + {self.p.property(s.text, 'id')}"
                parts.append(f"count(DISTINCT {marked})")
        return " + ".join(parts) or self.p.parameter(0)

    # Heads

    def _list(self, root: Tree, ranking: Ranking | None, number: Kind | None) -> tuple[tuple[str, ...], str]:
        stages = self._stages(root) if not ranking or root.branches or root.tests else None
        if ranking is not None:
            stages = self._ranked(root, stages, ranking)
        assert stages is not None
        columns = self._columns(stages) | shown_number(self.p, stages.bound, number)
        order = ordered(self.p, stages.bound, stages.number, ranking, self.scale if stages.unit else ())
        return self._returned(stages, columns, order)

    def _ranked(self, root: Tree, stages: _Stages | None, ranking: Ranking) -> _Stages:
        pattern = Pattern()
        stages = stages or _Stages(self.p.root(root, pattern))
        bound = stages.bound
        self.p.grow(ranking.tree, bound, pattern)
        pattern.where += [self.p.condition(b, bound) for b in ranking.tree.branches]
        if pattern.counted is None:
            raise NoPlanError("nothing to order by")
        name = self.p.new("v") if bound.kind.is_value and bound.ends else bound.text
        keys = [f"{bound.text} AS {name}" if name != bound.text else name, *self._ends(bound)]
        unit = ""
        if ranking.of_value:
            unit = self.p.unit(pattern.counted)
            pattern.where.append(f"{pattern.counted.text} IS NOT NULL")
            keys += [f"{unit} AS u"] if unit else []
            function = "max" if ranking.descending else "min"
            measure = f"{function}({pattern.counted.text}) AS k"
        else:
            measure = f"count(DISTINCT {pattern.counted.text}) AS k"
        stages.number = ""
        self._gather(stages, pattern, keys, [measure])
        ends = bound.ends if bound.kind.form is Form.STATEMENT else ()
        stages.bound, stages.number, stages.unit = Bound(bound.kind, name, ends), "k", "u" if unit else ""
        stages.ordered = _column(pattern.counted.kind, shown=not ranking.keep) if ranking.of_value else ""
        return stages

    def _held(self, stages: _Stages) -> list[str]:
        return [stages.bound.text, *self._ends(stages.bound), *(["s", "x"] if stages.statements else [])]

    def _columns(self, stages: _Stages) -> dict[str, str]:
        bound = stages.bound
        if bound.kind.form is Form.ENTITY:
            columns = self.entity_columns(bound, full=True)
        elif bound.kind.form is Form.STATEMENT:
            columns = self._statement_columns(bound)
        else:
            columns = {bound.kind.attribute: bound.text}
        if stages.number and stages.number != "k":
            columns["count"] = stages.number
        if stages.ordered:
            columns.setdefault(stages.ordered, "k")
            columns[ORDERED_BY] = "k"
        elif stages.number == "k":
            columns["count"] = "k"
        return columns

    def entity_columns(self, bound: Bound, *, full: bool) -> dict[str, str]:
        declared = self.schema.entity(bound.kind.owner)
        name = self.p.property(bound.text, "name")
        if attribute(declared, SHORT_NAME) is not None:
            name = f"coalesce({self.p.property(bound.text, SHORT_NAME)}, {name})"
        shown = shown_attributes(declared) if full else ()
        return {declared.name: name} | {a: self.p.property(bound.text, a) for a in shown}

    def _statement_columns(self, bound: Bound) -> dict[str, str]:
        start, end = bound.ends
        relation = self.schema.relation(bound.kind.owner)
        columns = self.entity_columns(start, full=False)
        year = year_attribute(self.schema)
        if year and year[0] == start.kind.owner:
            columns[year[1]] = self.p.property(start.text, year[1])
        columns |= self.entity_columns(end, full=False)
        declared = [a.name for a in relation.attributes]
        if VALUE in declared:
            declared = [a for a in _VALUE_COLUMNS if a in declared]
        return columns | {a: self.p.property(bound.text, a) for a in declared}

    def _returned(self, stages: _Stages, columns: dict[str, str], order: str) -> tuple[tuple[str, ...], str]:
        clauses = list(stages.clauses)
        ids, replaced = "s", "x"
        if not stages.statements:
            ids, replaced = mentions(self.p, self.schema, stages.bound), self.p.parameter(0)
            held = [
                *self._held(stages),
                *([stages.number] if stages.number else []),
                *(["u"] if stages.unit else []),
            ]
            clauses.append(f"WITH {', '.join(held)} ORDER BY {order} LIMIT {self.row_cap}")
        if stages.unit:
            columns = {**columns, UNIT: "u"}
        shown = {**columns, STATEMENTS: ids, REPLACED: replaced}
        text = ", ".join(f"{e} AS {self._column(n)}" for n, e in shown.items())
        clauses.append(f"RETURN {text} ORDER BY {order}")
        return tuple(shown), " ".join(clauses)

    def _column(self, name: str) -> str:
        return f"`{name}`" if name == ORDERED_BY else quote(name, self.p.names.columns)

    def _count(self, root: Tree) -> tuple[tuple[str, ...], str]:
        stages = self._stages(root)
        counted = f"count(DISTINCT {stages.bound.text})"
        if stages.statements:
            cap = self.p.parameter(MAX_STATEMENTS)
            shown = {"count": counted, STATEMENTS: f"collect(head(s))[..{cap}]", REPLACED: "sum(x)"}
        else:
            stages.clauses.append(f"WITH {counted} AS c")
            again = self._stages(root)
            ids = of_first(self.p, self.schema, again.bound, " ".join(again.clauses))
            ids = ids or of_values(self.p, self.schema, root)
            shown = {"count": "c", STATEMENTS: ids, REPLACED: self.p.parameter(0)}
        text = ", ".join(f"{e} AS {quote(n, self.p.names.columns)}" for n, e in shown.items())
        return tuple(shown), f"{' '.join(stages.clauses)} RETURN {text}"

    def _group(self, root: Tree, tree: Tree) -> tuple[tuple[str, ...], str]:
        plain = Tree(root.kind, root.tests, root.contrasts)
        stages = self._stages(root) if root.branches else None
        pattern = Pattern()
        bound = stages.bound if stages else self.p.root(plain, pattern)
        self.p.grow(tree, bound, pattern)
        key = pattern.counted
        if key is None or (key.kind.is_value and self.graph.is_many(key.kind)):
            raise NoPlanError("nothing to group by")
        if stages:
            pattern.paths = pattern.paths or [f"({bound.text})"]
        pattern.where.append(f"{key.text} IS NOT NULL")
        ids = self._ids(pattern) if pattern.statements else self.p.parameter(())
        replaced = self._replaced(pattern)
        if stages and not pattern.statements and stages.statements:
            ids, replaced = "[min(head(s)), max(last(s))]", "sum(x)"
        head = pattern.match()
        if stages and not [p for p in pattern.paths if p != f"({bound.text})"]:
            head = f"WITH {', '.join(self._held(stages))} WHERE {' AND '.join(dict.fromkeys(pattern.where))}"
        held = bool(pattern.statements or (stages and stages.statements))
        found = f"{ids} AS s" if held else f"{few(self.p, bound.text)} AS b"
        text = f"{head} WITH {key.text} AS g, count(DISTINCT {bound.text}) AS c, {found}, {replaced} AS x"
        shown = (
            self.entity_columns(Bound(key.kind, "g"), full=False)
            if key.kind.form is Form.ENTITY
            else {key_column(key.kind): "g"}
        )
        if key.kind.form is Form.STATEMENT:
            raise NoPlanError("groups of statements")
        order = "g" if self.graph.is_number(key.kind) else f"c DESC, {next(iter(shown.values()))}"
        behind = "s" if held else of_few(self.p, self.schema, bound) or self.p.parameter(())
        shown |= {"count": "c", STATEMENTS: behind, REPLACED: "x"}
        returned = ", ".join(f"{e} AS {quote(n, self.p.names.columns)}" for n, e in shown.items())
        cut = [] if held else [f"WITH g, c, b, x ORDER BY {order} LIMIT {self.row_cap}"]
        clauses = [*(stages.clauses if stages else ()), text, *cut, f"RETURN {returned} ORDER BY {order}"]
        return tuple(shown), " ".join(clauses)

    def _aggregate(self, root: Tree, head: Aggregate) -> tuple[tuple[str, ...], str]:
        stages = self._stages(root)
        text, columns = aggregated(self.p, stages.bound, root, head)
        held = ", ".join(self._held(stages))
        behind = statements_of(self.p, stages.bound, columns, grouped=stages.statements, most=self.row_cap)
        text = f"WITH {held} {text}{behind} ORDER BY `count` DESC"
        return (*columns, STATEMENTS, REPLACED), " ".join([*stages.clauses, text])

    def _compare(self, head: Compare) -> tuple[tuple[str, ...], str]:
        numbers, ids, units = [], [], []
        for side in head.sides:
            stages = self._stages(side.root)
            body = " ".join(stages.clauses)
            if head.number is not None:
                found = self.p.expression(head.number, stages.bound)
                numbers.append(f"head(COLLECT {{ {body} RETURN {found} AS v LIMIT 1 }})")
                unit = self.p.unit(Bound(head.number, found, owner=stages.bound.text))
                if unit:
                    units.append(f"head(COLLECT {{ {body} RETURN {unit} AS v LIMIT 1 }})")
            else:
                numbers.append(f"COUNT {{ {body} RETURN DISTINCT {stages.bound.text} AS v }}")
            again = self._stages(side.root)
            found = " ".join(again.clauses)
            if stages.statements:
                ids.append(f"COLLECT {{ {found} RETURN head(s) AS i LIMIT {MAX_STATEMENTS} }}")
            elif told := of_first(self.p, self.schema, again.bound, found):
                ids.append(told)
        shown = {
            "first": numbers[0],
            "second": numbers[1],
            **dict(zip((FIRST_UNIT, SECOND_UNIT), units, strict=False)),
            STATEMENTS: " + ".join(ids) or self.p.parameter(()),
        }
        shown[REPLACED] = self.p.parameter(0)
        text = ", ".join(f"{e} AS `{n}`" for n, e in shown.items())
        return tuple(shown), f"RETURN {text}"


def _column(kind: Kind, *, shown: bool) -> str:
    """The column of a number; a computed one is ``shown`` where each thing is asked for with its own.

    How many members a list has is always shown.
    """
    if kind.derived is Derived.SIZE:
        return "count"
    if kind.derived and shown:
        return kind.derived.value.replace(" ", "_")
    return ORDERED_BY if kind.derived else kind.attribute


def _is_named(tree: Tree) -> bool:
    return any((c.kind.form is Form.ENTITY and c.tests) or _is_named(c) for c in tree.children)
