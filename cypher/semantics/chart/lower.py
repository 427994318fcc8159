"""From the meaning of a question to the typed form that Cypher and English are written from."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from cypher.semantics.chart.forms import (
    AnyOf,
    Asked,
    Compared,
    Counted,
    Denied,
    Each,
    Exceeds,
    Extreme,
    Figured,
    Has,
    Limit,
    Linked,
    Most,
    Only,
    Ranked,
    Thing,
    Together,
    Told,
    Versus,
    Wanted,
)
from cypher.semantics.chart.limits import (
    counted_alone,
    implied,
    merged,
    unmarked,
    within_day,
    without,
    without_bare,
)
from cypher.semantics.chart.patterns import Pattern
from cypher.semantics.chart.retold import told_of_counted
from cypher.semantics.chart.returned import figure, ranked_by, returned
from cypher.semantics.chart.roots import ranked
from cypher.semantics.ir import (
    MARKED,
    Clause,
    ClauseKind,
    CountFilter,
    Edge,
    Filter,
    Head,
    Measure,
    Measured,
    Node,
    Operator,
    Order,
    Part,
    PropertyRef,
    Query,
)
from cypher.semantics.kept_as import described
from cypher.semantics.lexicon import Words
from cypher.semantics.schema_paths import Path, Step

_OPPOSITE: Final = {Operator.EQ: Operator.NE, Operator.KNOWN: Operator.UNKNOWN}


@dataclass(slots=True)
class _Lowering:
    words: Words
    nodes: list[Node] = field(default_factory=list)
    inner: set[int] = field(default_factory=set)
    hoisted: Order | None = None
    """The ranking of something inside the question that stands for the whole."""
    several: bool = False
    """Whether the first few are wanted by the ranking of something inside the question."""
    lost: bool = False
    """Whether something was said that the typed form cannot hold."""
    marks: int = 0
    """How many relationships inside clauses have a name."""
    known: dict[tuple[int, Path], int] = field(default_factory=dict)
    """Nodes of the outermost pattern by where they hang, so that what is returned is what was limited."""
    each: int | None = None
    """The node that ``Each`` marks, once met."""

    def new(self, label: str, pattern: Pattern) -> int:
        self.nodes.append(Node(label))
        pattern.nodes.append(len(self.nodes) - 1)
        return len(self.nodes) - 1

    def ref(self, node: int, name: str) -> PropertyRef:
        return described(self.words.properties.get((self.nodes[node].label, name)), node, name)

    def walk(self, node: int, path: Path, pattern: Pattern, *, known: bool = False) -> int:
        first = node
        for size, step in enumerate(path, 1):
            there = self.new(step.to, pattern)
            if known:
                self.known.setdefault((first, path[:size]), there)
            start, end = (node, there) if step.forward else (there, node)
            pattern.edges.append(Edge(start, end, step.types))
            node = there
        return node

    def asked_ref(self, node: int, wanted: Wanted, pattern: Pattern) -> PropertyRef:
        """The property wanted of a relationship: of one that is there, whichever of those meant it is."""
        assert wanted.step is not None
        told = [s for s in (wanted.step, *wanted.others) if self._near(node, s, pattern)]
        return self.edge_ref(node, told[0] if told else wanted.step, wanted.name, pattern)

    @staticmethod
    def _near(node: int, step: Step, pattern: Pattern) -> list[int]:
        ends = ((i, e) for i, e in enumerate(pattern.edges) if node in (e.start, e.end))
        return [i for i, e in ends if set(step.types) & set(e.types)]

    def edge_ref(self, node: int, step: Step, name: str, pattern: Pattern) -> PropertyRef:
        """The property of the relationship that ties a node, or of a new one where none does."""
        near = self._near(node, step, pattern)
        if not near:
            self.walk(node, (step,), pattern)
        place = near[-1] if near else len(pattern.edges) - 1
        number = place
        if not pattern.outer:
            number = pattern.edges[place].mark or MARKED + self.marks
            self.marks = max(self.marks, number - MARKED + 1)
            pattern.edges[place] = replace(pattern.edges[place], mark=number)
        return described(self.words.properties.get((step.types[0], name)), number, name, edge=True)

    def along(self, most: Most, node: int, pattern: Pattern) -> int:
        """The node of what is counted, with what is said of it and of what its path comes by."""
        node = self.walk(node, most.path[: most.passed], pattern)
        self.lay_thing(Thing(self.nodes[node].label, most.passing), node, pattern)
        there = self.walk(node, most.path[most.passed :], pattern)
        self.lay_thing(most.thing, there, pattern)
        return there

    def _to_each(self, path: Path, node: int, pattern: Pattern) -> None:
        """A further tie to the thing spoken of, which has its node."""
        node = self.walk(node, path[:-1], pattern)
        there, step = self.each, path[-1]
        assert there is not None
        start, end = (node, there) if step.forward else (there, node)
        pattern.edges.append(Edge(start, end, step.types))

    def lay(self, limits: tuple[Limit, ...], node: int, pattern: Pattern) -> None:
        for limit in sorted(limits, key=lambda x: isinstance(x, Told)):
            if not implied(limit, limits):
                self._one(limit, node, pattern)

    def _one(self, limit: Limit, node: int, pattern: Pattern) -> None:
        if isinstance(limit, Has):
            ref = replace(self.ref(node, limit.name), sized=limit.sized)
            pattern.filters.append(Filter(ref, limit.operator, limit.value))
        elif isinstance(limit, Each):
            self.each = node
        elif isinstance(limit, Linked):
            if Each() in limit.thing.limits and self.each is not None:
                self._to_each(limit.path, node, pattern)
                return
            self.lay_thing(limit.thing, self.walk(node, limit.path, pattern, known=True), pattern)
        elif isinstance(limit, Told):
            ref = self.edge_ref(node, limit.step, limit.has.name, pattern)
            pattern.filters.append(Filter(ref, limit.has.operator, limit.has.value))
        elif isinstance(limit, Together):
            self._together(limit, node, pattern)
        elif isinstance(limit, Denied):
            self._denied(limit, node, pattern)
        elif isinstance(limit, AnyOf):
            self._any(limit, node, pattern)
        elif isinstance(limit, (Compared, Versus, Figured)):
            self._compared(limit, node, pattern)
        elif isinstance(limit, (Only, Exceeds, Counted, Most)):
            self._how_many(limit, node, pattern)

    def _compared(self, limit: Compared | Versus | Figured, node: int, pattern: Pattern) -> None:
        """A limit on a property or measure by another property or a number."""
        if isinstance(limit, Figured):
            pattern.clauses.append(figure(self, limit, node))
        elif isinstance(limit, Versus):
            pattern.compare(self.ref(node, limit.name), limit.operator, self.ref(node, limit.other))
        else:
            there = self.new(limit.thing.label, pattern)
            self.lay_thing(limit.thing, there, pattern)
            pattern.compare(self.ref(node, limit.name), limit.operator, self.ref(there, limit.other))
            if self.nodes[node].label == limit.thing.label:
                pattern.compare(PropertyRef(node, ""), Operator.NE, PropertyRef(there, ""))

    def _how_many(self, limit: Only | Exceeds | Counted | Most, node: int, pattern: Pattern) -> None:
        """A limit on how many, or on all, of what something is tied to."""
        if isinstance(limit, Only):
            others = Thing(limit.thing.label, (Denied(limit.thing.limits),))
            self._one(Linked(limit.path, limit.thing), node, pattern)
            self._denied(Denied((Linked(limit.path, others),)), node, pattern)
        elif isinstance(limit, Exceeds):
            self._exceeds(limit, node, pattern)
        elif isinstance(limit, Counted):
            part = Pattern()
            there = self._inside(Linked(limit.path, limit.thing), node, part)
            clause = Clause(ClauseKind.COUNT, (part.done(),), limit.operator, limit.number, there)
            pattern.clauses.append(clause)
        else:
            self._most(limit, Thing(self.nodes[node].label), node, pattern)

    def _exceeds(self, limit: Exceeds, node: int, pattern: Pattern) -> None:
        """Two counts compared: of two kinds of things, or of one kind for two of a label."""
        mine, theirs = Pattern(), Pattern()
        own = self._inside(Linked(limit.path, limit.thing), node, mine)
        rival = limit.other.label == self.nodes[node].label != limit.thing.label
        rival |= limit.other.label == limit.thing.label == self.nodes[node].label and not limit.thing.limits
        start = node
        if rival:
            start = self.new(limit.other.label, theirs)
            self.lay_thing(limit.other, start, theirs)
        counted = limit.thing if rival else limit.other
        there = self._inside(Linked(limit.path, counted), start, theirs)
        parts = (mine.done(), theirs.done())
        pattern.clauses.append(Clause(ClauseKind.MORE, parts, limit.operator, node=own, counted=there))

    def lay_thing(self, thing: Thing, node: int, pattern: Pattern) -> None:
        """The limits of a thing; a superlative among them is taken over those that fit the others."""
        others = tuple(x for x in thing.limits if not isinstance(x, (Extreme, Most, Ranked)))
        self.lay(others, node, pattern)
        for best in (x for x in thing.limits if isinstance(x, Ranked)):
            self._nested_ranking(best, node, pattern)
        for limit in thing.limits:
            if isinstance(limit, Extreme):
                self._best(limit, unmarked(Thing(thing.label, others)), node, pattern)
            elif isinstance(limit, Most):
                self._most(limit, unmarked(Thing(thing.label, others)), node, pattern)

    def _together(self, limit: Together, node: int, pattern: Pattern) -> None:
        there = self.walk(node, limit.path, pattern)
        self.known.setdefault((node, limit.path), there)
        for kind, forward in limit.steps[1:]:
            start, end = (node, there) if forward else (there, node)
            pattern.edges.append(Edge(start, end, (kind,)))
        self.lay_thing(limit.thing, there, pattern)

    def _nested_ranking(self, limit: Ranked, node: int, pattern: Pattern) -> None:
        """The best of something inside a question, by what it is tied to or how, is so among all matches."""
        if not pattern.outer or limit.measure not in (Measure.MAX, Measure.MIN) or self.hoisted is not None:
            self.lost = True
            return
        ref = ranked_by(self, limit, node, pattern)
        self.hoisted = Order(ref=ref, descending=limit.descending, extreme=True)

    def _inside(self, limit: Linked, node: int, part: Pattern) -> int:
        there = self.walk(node, limit.path, part)
        self.lay_thing(limit.thing, there, part)
        self.inner |= set(part.nodes)
        return there

    def _denied(self, limit: Denied, node: int, pattern: Pattern) -> None:
        if len(limit.limits) == 1 and isinstance(limit.limits[0], Has):
            has = limit.limits[0]
            if isinstance(has.value, bool) and has.operator is Operator.EQ:
                pattern.filters.append(Filter(self.ref(node, has.name), Operator.EQ, not has.value))
                return
            if has.operator in _OPPOSITE:
                opposite = Filter(self.ref(node, has.name), _OPPOSITE[has.operator], has.value)
                pattern.filters.append(opposite)
                return
        part = self._part(limit.limits, node)
        self.lost |= not (part.edges or part.filters or part.clauses or part.nodes)
        pattern.clauses.append(Clause(ClauseKind.ABSENT, (part,)))

    def _part(self, limits: tuple[Limit, ...], node: int) -> Part:
        part = Pattern()
        self.lay_thing(Thing(self.nodes[node].label, limits), node, part)
        self.inner |= set(part.nodes)
        return part.done()

    def _any(self, limit: AnyOf, node: int, pattern: Pattern) -> None:
        one = merged(limit)
        if one is not None:
            self._one(one, node, pattern)
            return
        parts = tuple(self._part(group, node) for group in limit.options)
        pattern.clauses.append(Clause(ClauseKind.ANY, parts))

    def _best(self, limit: Extreme, thing: Thing, node: int, pattern: Pattern) -> None:
        limit = within_day(limit, thing, self.words)
        ref = replace(self.ref(node, limit.name), sized=limit.sized)
        if self.several and pattern.outer and self.hoisted is None:
            self.hoisted = Order(ref=ref, descending=limit.descending, extreme=True)
            return
        part = Pattern()
        copy = self.new(thing.label, part)
        self.lay(thing.limits, copy, part)
        self.inner |= set(part.nodes)
        best = Clause(ClauseKind.BEST, (part.done(),), node=node, ref=ref, copy=copy)
        pattern.clauses.append(replace(best, descending=limit.descending))

    def _most(self, limit: Most, thing: Thing, node: int, pattern: Pattern) -> None:
        copied, own = Pattern(), Pattern()
        copy = self.new(thing.label, copied)
        self.lay(thing.limits, copy, copied)
        counted, mine = self.along(limit, copy, copied), self.along(limit, node, own)
        self.inner |= {*copied.nodes, *own.nodes}
        parts = (copied.done(), own.done())
        pattern.clauses.append(
            Clause(
                ClauseKind.MOST, parts, number=mine, node=node, copy=copy, counted=counted,
                descending=limit.descending,
            )
        )  # fmt: skip


def lower(asked: Asked, words: Words) -> Query | None:
    """The typed form of a question; ``None`` where that cannot hold all that is said."""
    state, pattern = _Lowering(words), Pattern(outer=True)
    asked = replace(asked, thing=told_of_counted(asked.thing))
    thing, best = ranked(asked.thing) if asked.head is Head.LIST else (asked.thing, None)
    best = within_day(best, thing, words) if isinstance(best, Extreme) else best
    answer = state.new(thing.label, pattern)
    counted = counted_alone(asked, thing, best)
    state.several = best is None and asked.order is None and (asked.limit or 1) > 1
    for numbered in (x for x in (best, counted) if isinstance(x, (Most, Counted))):
        thing = without_bare(thing, numbered.path)
    state.lay_thing(thing if counted is None else without(thing, counted), answer, pattern)
    having = None
    if counted is not None:
        node = state.walk(answer, counted.path, pattern)
        state.lay_thing(counted.thing, node, pattern)
        having = CountFilter(node, counted.operator, counted.number)
    order: Order | None
    if asked.group is not None:
        order, limit = Order(count_of=answer, descending=asked.descending), asked.limit
    else:
        order, limit = _order(state, pattern, best, asked.limit)
    if order is None and isinstance(asked.order, Extreme):
        order = Order(ref=state.ref(answer, asked.order.name), descending=asked.order.descending)
    order = order or state.hoisted
    if state.lost or (state.hoisted and (order is not state.hoisted or asked.head is not Head.LIST)):
        return None
    refs = tuple(returned(state, w, answer, pattern) for w in asked.wanted)
    group = returned(state, asked.group, answer, pattern) if asked.group else None
    measures = tuple(Measured(f.measure, returned(state, f.wanted, answer, pattern)) for f in asked.figures)
    keys = tuple(returned(state, w, answer, pattern) for w in asked.keys)
    if asked.each and state.each is not None:
        told = state.ref(state.each, asked.each_key) if asked.each_key else PropertyRef(state.each, "")
        keys = (told, *keys)
    if asked.ranked_by is not None:
        order = Order(figure=asked.ranked_by, descending=asked.descending)
    return Query(
        nodes=tuple(state.nodes),
        edges=tuple(pattern.edges),
        filters=tuple(pattern.filters),
        answer=answer,
        head=asked.head,
        project=refs if asked.head is Head.LIST else (),
        having=having,
        count_asked=asked.counted_too,
        pooled=asked.pooled and (having is not None or isinstance(best, Most)),
        measure=asked.measure or (Measure.COUNT if asked.head is Head.COUNT else None),
        measured=refs[0] if refs and asked.head in (Head.COUNT, Head.AGGREGATE) else None,
        group=group,
        order=order,
        limit=limit,
        show_order=(having is not None and having.tells)
        or isinstance(best, (Most, Ranked))
        or (isinstance(best, Extreme) and not refs),
        clauses=tuple(pattern.clauses),
        measures=measures,
        keys=keys,
        inner=frozenset(state.inner),
    )


def _order(
    state: _Lowering, pattern: Pattern, best: Limit | None, limit: int | None
) -> tuple[Order | None, int | None]:
    if isinstance(best, Extreme):
        ref = replace(state.ref(0, best.name), sized=best.sized)
        return Order(ref=ref, descending=best.descending, extreme=True), limit
    if isinstance(best, Most):
        counted = state.along(best, 0, pattern)
        return Order(count_of=counted, descending=best.descending), limit or 1
    if isinstance(best, Ranked):
        ref, plain = ranked_by(state, best, 0, pattern), best.measure in (Measure.MAX, Measure.MIN)
        order = Order(ref=ref, descending=best.descending, extreme=plain, distinct=best.distinct)
        order = order if plain else replace(order, measure=best.measure)
        return order, limit if plain else limit or 1
    return None, limit
