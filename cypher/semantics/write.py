"""Writes a reading as Cypher: names in backticks from the schema, values as parameters only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from cypher.semantics import expressed, pooled
from cypher.semantics.denied import denied_nodes
from cypher.semantics.edge_names import edge_name
from cypher.semantics.grouped import best_keys, grouped, over_counts, quoted
from cypher.semantics.ir import (
    Clause,
    ClauseKind,
    CountFilter,
    Edge,
    Filter,
    Head,
    Literal,
    Measure,
    Measured,
    Operator,
    Order,
    Part,
    PropertyRef,
    Query,
    is_counted,
    is_day_text,
    rows_of,
)
from cypher.semantics.iso_days import is_iso, is_year
from cypher.semantics.stored import as_stored, is_temporal
from cypher.semantics.way import OURS, SHOWN, Way
from schemas.questions import Parameter
from schemas.store_schema import StoreSchema


@dataclass(frozen=True, slots=True)
class Written:
    """Cypher text with its parameters and the names of its columns."""

    text: str
    parameters: dict[str, Parameter]
    columns: tuple[str, ...]


def write(query: Query, schema: StoreSchema, way: Way = OURS) -> Written:
    """Cypher of ``query``, written in a way: a question set's, or our own."""
    return _Writer(as_stored(query) if way.stored else query, schema, way).write()


@dataclass(slots=True)
class _Writer:
    query: Query
    schema: StoreSchema
    way: Way
    pattern: str = ""
    inner: set[int] = field(default_factory=set)  # nodes that stand only where something is denied
    parameters: dict[str, Parameter] = field(default_factory=dict)
    preludes: list[str] = field(default_factory=list)
    """Subqueries in front, each of which finds the best of something."""

    def write(self) -> Written:
        q = self.query
        self.inner = denied_nodes(q) | q.inner
        self.pattern = self._match()
        lines = [*self.preludes, self.pattern]
        if q.head is Head.GROUP and q.group and q.group.many:
            lines.append(f"UNWIND {expressed.plain(q.group)} AS item")
        if q.head is not Head.GROUP and is_counted(q):
            lines.append(self._counted(q.having, q.order))
        if q.over is not None:
            return self._written_over(lines, q.over)
        if q.measures:
            return self._written_measures(lines)
        columns = self._columns()
        if self.way.bare and q.head is Head.GROUP and q.order and q.limit:
            name = columns[0][0]
            order = f"{' DESC' if q.order.descending else ''}{self._skip()} LIMIT {self._parameter(q.limit)}"
            lines += best_keys(columns, order)
            return Written("\n".join(lines), self.parameters, (name,))
        hidden = self.way.bare and is_counted(q)
        unique = "DISTINCT " if q.head is Head.LIST and not hidden else ""
        if q.order and q.order.ref and not q.order.measure and q.head is Head.LIST:
            lines.append(self._sorted(columns, q.order))
        else:
            if (one := rows_of(q)) is not None:
                lines.append(f"WITH DISTINCT n{one}")
                unique = ""
            lines.append(f"RETURN {unique}" + ", ".join(f"{e} AS {quoted(n)}" for n, e in columns))
            lines += self._tail()
        return Written("\n".join(lines), self.parameters, tuple(n for n, _ in columns))

    def _written_measures(self, lines: list[str]) -> Written:
        """Measures, for each of the keys where there are any."""
        q = self.query
        keys = [expressed.keyed(k, q, self.schema) if k.name else self._identity(k.owner) for k in q.keys]
        taken: list[str] = []
        columns = []
        for name, text in [*keys, *(self._measured(m) for m in q.measures)]:
            taken.append(name)
            columns.append((f"{name}_{taken.count(name)}" if taken.count(name) > 1 else name, text))
        named = {} if self.way.bare else {i: k.owner for i, k in enumerate(q.keys) if not k.name}
        lines += grouped(columns, named)
        if q.order and q.order.figure is not None:
            way = " DESC" if q.order.descending else ""
            lines.append(f"ORDER BY {quoted(columns[len(keys) + q.order.figure][0])}{way}")
        if q.limit and keys:
            lines.append(f"{self._skip()} LIMIT {self._parameter(q.limit)}".strip())
        return Written("\n".join(lines), self.parameters, tuple(n for n, _ in columns))

    def _written_over(self, lines: list[str], over: Measure) -> Written:
        """A measure over the counts of a breakdown."""
        q = self.query
        keys = q.keys or ((q.group,) if q.group else (PropertyRef(q.answer, ""),))
        told = [expressed.keyed(k, q, self.schema)[1] if k.name else f"n{k.owner}" for k in keys]
        owner = q.measures[0].ref if q.measures else q.measured or PropertyRef(q.answer, "")
        counted = self._measured(Measured(Measure.COUNT, owner))[1]
        lines += over_counts(told, counted, over.value)
        return Written("\n".join(lines), self.parameters, (f"{over.value}_count",))

    def _measured(self, measured: Measured) -> tuple[str, str]:
        ref, measure = measured.ref, measured.measure
        if measure is Measure.COUNT:
            inner = expressed.plain(ref) if ref.name else f"{'r' if ref.on_edge else 'n'}{ref.owner}"
            return "count", f"count(DISTINCT {inner})"
        return f"{measure.value}_{ref.name}", f"{measure.value}({self._measurable(ref)})"

    def _measurable(self, ref: PropertyRef) -> str:
        """What is averaged or added up: of a list, how many entries it has."""
        return expressed.value(replace(ref, sized=ref.many))

    def _match(self) -> str:
        q = self.query
        drawn: set[int] = set()
        again = frozenset() if self.way.apart else q.again
        plain = [(i, e) for i, e in enumerate(q.edges) if not self._is_inner(e)]
        parts = [self._pattern(i, e, drawn) for i, e in plain if i not in again]
        more = [f"\nMATCH {self._pattern(i, e, drawn)}" for i, e in plain if i in again]
        parts += [self._node(i, drawn) for i in range(len(q.nodes)) if i not in drawn and i not in self.inner]
        conditions = [self._filter(f) for f in q.filters if not self._is_negated_ref(f.ref)]
        if q.order or q.over:  # a ranking is of known values; a breakdown tells how many have none
            told = [q.group] if q.head is Head.GROUP and q.group else []
            keys = [expressed.key(k, q, self.schema) for k in (*told, *q.keys) if k.name]
            conditions += [f"{key} IS NOT NULL" for key in keys]
        conditions += pooled.known(q, expressed.plain)
        conditions += self._absences()
        bound = drawn - self.inner
        conditions += [self._clause(c, bound) for c in q.clauses]
        where = "\nWHERE " + " AND ".join(conditions) if conditions else ""
        return "MATCH " + ", ".join(parts) + "".join(more) + where

    def _pattern(self, i: int, edge: Edge, drawn: set[int]) -> str:
        kinds = "|".join(quoted(t) for t in edge.types)
        start = f"{self._node(edge.start, drawn)}-[{edge_name(self.query, i)}:{kinds}]"
        return f"{start}{'-' if edge.both else self.way.arrow}{self._node(edge.end, drawn)}"

    def _node(self, i: int, drawn: set[int]) -> str:
        if i in drawn:
            return f"(n{i})"
        drawn.add(i)
        return f"(n{i}:{quoted(self.query.nodes[i].label)})"

    def _is_negated_ref(self, ref: PropertyRef) -> bool:
        if ref.on_edge:
            return self._is_inner(self.query.edges[ref.owner])
        return ref.owner in self.inner

    def _is_inner(self, edge: Edge) -> bool:
        return edge.negated or edge.start in self.inner or edge.end in self.inner

    def _absences(self) -> list[str]:
        """One ``NOT EXISTS`` for each part of the pattern that is denied as a whole."""
        left, out = [e for e in self.query.edges if self._is_inner(e)], list[str]()
        while left:
            group, reached, grown = [left.pop(0)], set[int](), True
            while grown:
                reached = {n for e in group for n in (e.start, e.end)} & self.inner
                more = [e for e in left if {e.start, e.end} & reached]
                group += more
                left = [e for e in left if e not in more]
                grown = bool(more)
            out.append(self._absent(group, reached))
        return out

    def _absent(self, group: list[Edge], reached: set[int]) -> str:
        drawn = set(range(len(self.query.nodes))) - reached
        parts = [self._pattern(self.query.edges.index(e), e, drawn) for e in group]
        inner = [self._filter(f) for f in self.query.filters if not f.ref.on_edge and f.ref.owner in reached]
        where = " WHERE " + " AND ".join(inner) if inner else ""
        return f"NOT EXISTS {{ MATCH {', '.join(parts)}{where} }}"

    def _clause(self, clause: Clause, bound: set[int]) -> str:
        """A clause as a condition; ``bound`` are the nodes matched outside it."""
        if clause.kind is ClauseKind.ANY:
            return "(" + " OR ".join(self._exists(p, bound) for p in clause.parts) + ")"
        if clause.kind is ClauseKind.ABSENT:
            return "NOT " + self._exists(clause.parts[0], bound)
        if clause.kind is ClauseKind.COUNT:
            counted = self._counting(clause.parts[0], bound, clause.node)
            return f"{counted} {clause.operator.value} {self._parameter(clause.number)}"
        if clause.kind is ClauseKind.MORE:
            counts = zip(clause.parts, (clause.node, clause.counted), strict=True)
            return f" {clause.operator.value} ".join(self._counting(p, bound, n) for p, n in counts)
        if clause.kind is ClauseKind.FIGURE and clause.ref is not None and clause.measure is not None:
            figure = f"{clause.measure.value}({expressed.value(clause.ref)}) AS figure"
            inside = f"{self._inside(clause.parts[0], bound)} WITH {figure}"
            told = f"figure {clause.operator.value} {self._parameter(clause.figure)}"
            return f"EXISTS {{ {inside} WHERE {told} RETURN figure }}"
        place = len(self.preludes)
        best = f"best{place}"
        self.preludes.append("")
        function = clause.measure or ("max" if clause.descending else "min")
        inside = self._inside(clause.parts[0], set())
        if clause.kind is ClauseKind.BEST and clause.ref is not None:
            key = expressed.value(replace(clause.ref, owner=clause.copy))
            self.preludes[place] = f"CALL () {{ {inside} RETURN {function}({key}) AS {best} }}"
            return f"{expressed.value(clause.ref)} {clause.operator.value} {best}"
        tally = f"WITH n{clause.copy}, count(DISTINCT n{clause.counted}) AS tally"
        self.preludes[place] = f"CALL () {{ {inside} {tally} RETURN {function}(tally) AS {best} }}"
        return f"{self._counting(clause.parts[1], bound, clause.number)} = {best}"

    def _counting(self, part: Part, bound: set[int], node: int) -> str:
        return f"COUNT {{ {self._inside(part, bound)} RETURN DISTINCT n{node} }}"

    def _exists(self, part: Part, bound: set[int]) -> str:
        if part.edges or set(part.nodes) - bound:
            return f"EXISTS {{ {self._inside(part, bound)} }}"
        return "(" + " AND ".join(self._conditions(part, bound)) + ")"

    def _inside(self, part: Part, bound: set[int]) -> str:
        drawn = set(bound)
        parts = [self._joined(e, drawn) for e in part.edges]
        parts += [self._node(i, drawn) for i in part.nodes if i not in drawn]
        conditions = self._conditions(part, drawn)
        where = " WHERE " + " AND ".join(conditions) if conditions else ""
        return f"MATCH {', '.join(parts)}{where}"

    def _conditions(self, part: Part, bound: set[int]) -> list[str]:
        return [self._filter(f) for f in part.filters] + [self._clause(c, bound) for c in part.clauses]

    def _joined(self, edge: Edge, drawn: set[int]) -> str:
        kinds = "|".join(quoted(t) for t in edge.types)
        name = f"r{edge.mark}" if edge.mark else ""
        start = f"{self._node(edge.start, drawn)}-[{name}:{kinds}]"
        return f"{start}{'-' if edge.both else self.way.arrow}{self._node(edge.end, drawn)}"

    def _filter(self, f: Filter) -> str:
        if (alone := expressed.alone(f, self.query, self.schema)) is not None:
            return alone
        if f.other is not None:
            return f"{expressed.value(f.ref)} {f.operator.value} {expressed.value(f.other)}"
        value = f.value
        if is_year(value) and (is_day_text(f.ref) or is_temporal(self.query, f.ref, self.schema)):
            return self._year(f, value)
        text = isinstance(value, (str, tuple)) and not (is_day_text(f.ref) and is_iso(value))
        name = self._parameter(value)
        temporal = is_temporal(self.query, f.ref, self.schema)
        left = expressed.plain(f.ref) if text and not temporal else self._left(f.ref)
        if f.ref.many and not f.ref.sized:
            operator = "IN" if isinstance(value, tuple) else f.operator.value
            return f"any(x IN {expressed.plain(f.ref)} WHERE x {operator} {name})"
        if text and temporal:
            name = f"date({name})" if isinstance(value, str) else f"[x IN {name} | date(x)]"
        return f"{left} {f.operator.value} {name}"

    def _year(self, f: Filter, year: int) -> str:
        """A day compared with a year, by the year's first or last day."""
        first, last = (self._day(f.ref, f"{year:04}-{end}") for end in ("01-01", "12-31"))
        left = self._left(f.ref)
        if f.operator in (Operator.EQ, Operator.NE):
            within = f"({left} >= {first()} AND {left} <= {last()})"
            return within if f.operator is Operator.EQ else f"NOT {within}"
        day = last if f.operator in (Operator.GT, Operator.LE) else first
        return f"{left} {f.operator.value} {day()}"

    def _left(self, ref: PropertyRef) -> str:
        return expressed.day(ref, self.query, self.schema)

    def _day(self, ref: PropertyRef, day: str) -> Callable[[], str]:
        """Writes a day as a parameter, once it is needed."""
        return lambda: ("{}" if is_day_text(ref) else "date({})").format(self._parameter(day))

    def _parameter(self, value: Literal | tuple[Literal, ...] | None) -> str:
        name = f"p{len(self.parameters)}"
        self.parameters[name] = value
        return "$" + name

    def _counted(self, having: CountFilter | None, order: Order | None) -> str:
        q = self.query
        node = having.node if having else order.count_of if order else None
        edge = having.edge if having else order.count_edge if order else None
        counted = f"n{node}" if edge is None else f"r{edge}"
        key = self._ranking(order) if order and order.measure else f"count(DISTINCT {counted})"
        text = f"WITH {', '.join(pooled.kept(q, expressed.plain))}, {key} AS counted"
        if order and order.measure and order.ref and order.ref.many:
            text = f"UNWIND {expressed.plain(order.ref)} AS item\n{text}"
        if having:
            text += f"\nWHERE counted {having.operator.value} {self._parameter(having.value)}"
        return text

    def _ranking(self, order: Order) -> str:
        """The measure that answers are ranked by."""
        assert order.ref is not None
        assert order.measure is not None
        value = "item" if order.ref.many else expressed.value(order.ref)
        return f"{order.measure.value}({'DISTINCT ' if order.distinct else ''}{value})"

    def _columns(self) -> list[tuple[str, str]]:
        q = self.query
        if q.head is Head.EXISTS:
            return [("answer", "count(*) > 0")]
        if q.head in (Head.COUNT, Head.AGGREGATE):
            return [self._measure(q.measured)]
        if q.head is Head.GROUP:
            counted = q.measured if q.measured and q.measured.name else None
            node = q.measured.owner if q.measured else q.answer
            group = [self._identity(q.answer)]
            if q.group:
                group = [(q.group.name, "item") if q.group.many else expressed.keyed(q.group, q, self.schema)]
            if q.group and q.group.on_edge and q.measure is Measure.COUNT and counted is None:
                return [*group, ("count", f"count(DISTINCT r{q.group.owner})")]
            return [*group, self._measure(counted, node=node)]
        columns = [(self._column(r), expressed.plain(r)) for r in q.project] or [self._identity(q.answer)]
        columns = pooled.columns(q) if q.pooled else columns
        if q.count_asked or (q.show_order and not self.way.bare):
            if q.order and q.order.measure and q.order.ref:
                columns.append((f"{q.order.measure.value}_{q.order.ref.name}", "counted"))
            elif is_counted(q):
                columns.append(("count", "counted"))
            elif q.order and (ref := q.order.ref):
                entries = (f"size_{ref.name}", expressed.value(ref))
                told = entries if ref.sized and ref.many else (ref.name, expressed.plain(ref))
                columns += [told] if told[1] not in {e for _, e in columns} else []
        return columns

    def _measure(self, ref: PropertyRef | None, *, node: int | None = None) -> tuple[str, str]:
        q = self.query
        measure = q.measure or Measure.COUNT
        if measure is Measure.COUNT:
            owner = ref.owner if ref else q.answer if node is None else node
            thing = f"{'r' if ref and ref.on_edge else 'n'}{owner}"
            inner = expressed.plain(ref) if ref and ref.name else thing
            return "count", f"count(DISTINCT {inner})"
        assert ref is not None
        return f"{measure.value}_{ref.name}", f"{measure.value}({self._measurable(ref)})"

    def _identity(self, node: int) -> tuple[str, str]:
        if self.way.elements:
            return "elements", f"collect(elementId(n{node}))"
        label = self.schema.label(self.query.nodes[node].label)
        if self.query.whole and label and label.name_property in SHOWN and not self.way.whole_nodes:
            return label.name.lower(), f"n{node}"
        name = label.name_property if label and not self.way.whole_nodes else None
        return (name, f"n{node}.{quoted(name)}") if name else ("node", f"n{node}")

    def _column(self, ref: PropertyRef) -> str:
        several = sum(r.name == ref.name for r in self.query.project) > 1
        return f"{ref.name}_{ref.owner}" if several else ref.name

    def _sorted(self, columns: list[tuple[str, str]], order: Order) -> str:
        assert order.ref is not None
        key = expressed.value(order.ref)
        way = " DESC" if order.descending else ""
        most = self.query.limit or (1 if self.way.one and order.extreme else None)
        limit = f"{self._skip()} LIMIT {self._parameter(most)}" if most else ""
        kept = dict.fromkeys(e.split(".")[0].removeprefix("size(") for _, e in columns)
        if most is None and order.extreme:
            return self._extreme(columns, order, key)
        known = "" if self.way.stored else " WHERE sorted IS NOT NULL"
        found = f"WITH DISTINCT {', '.join(kept)}, {key} AS sorted{known}"
        returned = ", ".join(f"{e} AS {quoted(n)}" for n, e in columns)
        return f"{found}\nRETURN {returned} ORDER BY sorted{way}{limit}"

    def _extreme(self, columns: list[tuple[str, str]], order: Order, key: str) -> str:
        """All that share the largest or smallest value (of each): the pattern is matched again with it."""
        function = "max" if order.descending else "min"
        again = self.pattern + (" AND " if "\nWHERE " in self.pattern else "\nWHERE ") + f"{key} = best"
        returned = ", ".join(f"{e} AS {quoted(n)}" for n, e in columns)
        each = "" if order.within is None else f"n{order.within}, "
        best = f"WITH {each}{function}({key}) AS best"
        if self.query.place > 1:
            way = " DESC" if order.descending else ""
            best = f"WITH DISTINCT {key} AS best WHERE best IS NOT NULL"
            best += f"\nWITH best ORDER BY best{way}{self._skip()} LIMIT 1"
        return f"{best}\n{again}\nRETURN DISTINCT {returned}"

    def _skip(self) -> str:
        return f" SKIP {self._parameter(self.query.place - 1)}" if self.query.place > 1 else ""

    def _tail(self) -> list[str]:
        q = self.query
        out = []
        if q.order and q.head is Head.GROUP:
            out.append("ORDER BY count" + (" DESC" if q.order.descending else ""))
        if q.order and (q.order.count_of is not None or q.order.measure) and q.head is Head.LIST:
            out.append("ORDER BY counted" + (" DESC" if q.order.descending else ""))
        if q.limit and q.head in (Head.LIST, Head.GROUP):
            out.append(f"{self._skip()} LIMIT {self._parameter(q.limit)}".strip())
        return out
