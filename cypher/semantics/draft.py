"""A query under construction: the pattern of a complete partial reading, and what its properties are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from cypher.semantics.ir import Edge, Filter, Node, Operator, PropertyRef
from cypher.semantics.kept_as import described
from cypher.semantics.lexicon import PropertyInfo
from cypher.semantics.schema_paths import Path
from cypher.semantics.state import Condition, Context, Pending, State

OPEN: Final = 0.7
"""Least weight of a relation's word that stands for an edge by itself."""


@dataclass(slots=True)
class Draft:
    """Nodes keep their numbers of the state; nodes inside paths come after them."""

    state: State
    ctx: Context
    nodes: list[Node] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    filters: list[Filter] = field(default_factory=list)
    pending: list[Pending] = field(default_factory=list)
    penalty: list[tuple[str, float]] = field(default_factory=list)
    opened: set[int] = field(default_factory=set)
    """Relation mentions that got an edge to a node which no noun names."""

    def __post_init__(self) -> None:
        self.nodes = [Node(n.label) for n in self.state.nodes]
        for joined in self.state.links:
            self.walk(joined.a, joined.b, joined.path, negated=joined.negated)
        self._open_relations()
        self.pending = list(self.state.pending)
        for condition in self.state.conditions:
            self._condition(condition)

    def walk(self, a: int, b: int, path: Path, *, negated: bool = False) -> None:
        """Adds the edges of a path from node ``a`` to node ``b``."""
        here = a
        for i, step in enumerate(path):
            there = b if i == len(path) - 1 else self.new(step.to)
            start, end = (here, there) if step.forward else (there, here)
            self.edges.append(Edge(start, end, (step.type,), negated=negated))
            here = there

    def _open_relations(self) -> None:
        """Words for relationships that no two nouns were joined by: "people who have directed"."""
        for node in self.state.nodes:
            if node.agent and not any(node.agent in e.types for e in self.edges):
                self._open(node.agent, negated=False)
        for index, cue in enumerate(self.ctx.linked.relations):
            if index in self.state.used or not cue.is_relation_only:
                continue
            term = max(cue.terms, key=lambda t: t.weight)
            if term.weight >= OPEN and self._open(term.name, negated=self._denied(cue.start)):
                self.opened.add(index)

    def _denied(self, at: int) -> bool:
        words = self.ctx.linked
        return any(c.kind == "not" and 0 <= at - words.word_at(c.start) <= 3 for c in words.cues)

    def _open(self, kind: str, *, negated: bool) -> bool:
        ends = [(t.start, t.end) for t in self.ctx.schema.triples if t.type == kind]
        known = [(e.start, e.end) for e in self.edges] + [(e.end, e.start) for e in self.edges]
        for a, b in known:
            if (self.nodes[a].label, self.nodes[b].label) in ends and not negated:
                if not any(e.start == a and e.end == b and kind in e.types for e in self.edges):
                    self.edges.append(Edge(a, b, (kind,)))
                return True
        for i, node in enumerate(self.state.nodes):
            for start, end in ends:
                if node.label in (start, end):
                    other = self.new(end if node.label == start else start)
                    a, b = (i, other) if node.label == start else (other, i)
                    self.edges.append(Edge(a, b, (kind,), negated=negated))
                    self.penalty.append(("open_relation", 1.0))
                    return True
        return False

    def new(self, label: str) -> int:
        """A further node."""
        self.nodes.append(Node(label))
        return len(self.nodes) - 1

    def info(self, owner: str, name: str) -> PropertyInfo | None:
        """What is known of a property."""
        return self.ctx.words.properties.get((owner, name))

    def ref(self, node: int, name: str) -> PropertyRef:
        """A property of a node."""
        name = self.ctx.property_of(name, self.nodes[node].label)
        info = self.info(self.nodes[node].label, name)
        return described(info, node, name)

    def edge_ref(self, kind: str, name: str) -> PropertyRef | None:
        """A property of the first edge of type ``kind``, or ``None``."""
        info = self.info(kind, name)
        for i, edge in enumerate(self.edges):
            if kind in edge.types:
                numeric = bool(info and info.numeric_text)
                return PropertyRef(i, name, on_edge=True, numeric_text=numeric, many=bool(info and info.many))
        return None

    def node_of(self, mention: int) -> int | None:
        """The node that a mention made."""
        return next((i for i, n in enumerate(self.state.nodes) if n.mention == mention), None)

    def properties(self, node: int) -> list[PropertyInfo]:
        """Properties of a node's label."""
        label = self.ctx.schema.label(self.nodes[node].label)
        names = [p.name for p in label.properties] if label else []
        return [i for i in (self.info(self.nodes[node].label, n) for n in names) if i]

    def resolve(self, held: Pending, *, nodes: Iterable[int] | None = None) -> PropertyRef | None:
        """Whose property a property word is: the noun after "of", else the nearest noun that has it."""
        placed = self.state.nodes
        allowed = range(len(placed)) if nodes is None else nodes
        fits = [i for i in allowed if placed[i].label in held.owners]
        words = self.ctx.linked.words
        of = held.end < len(words) and words[held.end].lower in ("of", "for", "in", "at", "on")
        after = [i for i in fits if placed[i].start >= held.end]
        if fits:
            pool = after if of and after else fits
            best = min(pool, key=lambda i: (self._gap(held, i), i))
            self.penalty.append(("property_far", float(min(max(self._gap(held, best) - 2, 0), 8))))
            return self.ref(best, held.name)
        for owner in held.owners:
            if ref := self.edge_ref(owner, held.name):
                return ref
        return self._new_owner(held)

    def _gap(self, held: Pending, i: int) -> int:
        node = self.state.nodes[i]
        return node.start - held.end if node.start >= held.end else held.start - node.end

    def _new_owner(self, held: Pending) -> PropertyRef | None:
        options: list[tuple[int, int, Path, str]] = []
        for i, placed in enumerate(self.state.nodes):
            for owner in held.owners:
                if self.ctx.schema.label(owner):
                    options += [
                        (len(p), i, p, owner) for p in self.ctx.paths.between(placed.label, owner)[:1]
                    ]
        if not self.state.nodes:
            owners = [o for o in held.owners if self.ctx.schema.label(o)]
            if not owners:
                return None
            self.nodes.append(Node(owners[0]))
            self.penalty.append(("hop", 1.0))
            return self.ref(len(self.nodes) - 1, held.name)
        if not options:
            return None
        length, i, path, owner = min(options, key=lambda o: (o[0], o[1], o[3]))
        self.penalty.append(("property_new_node", float(length)))
        there = self.new(owner)
        self.walk(i, there, path)
        return self.ref(there, held.name)

    def _condition(self, condition: Condition) -> None:
        value = condition.values[0]
        if condition.node >= 0:
            ref: PropertyRef | None = self.ref(condition.node, value.property)
        else:
            ref = self.edge_ref(value.owner, value.property)
            if ref is None:
                self.penalty.append(("property_lost", 1.0))
                return
        assert ref is not None
        texts = tuple(dict.fromkeys(v.text for v in condition.values))
        for i, known in enumerate(self.filters):
            if known.ref == ref and known.operator in (Operator.EQ, Operator.IN) and not condition.negated:
                old = known.value if isinstance(known.value, tuple) else (str(known.value),)
                self.filters[i] = Filter(ref, Operator.IN, (*old, *texts))
                return
        if value.item and not condition.negated:
            self.filters.append(Filter(ref, Operator.CONTAINS, texts[0]))
            return
        self._add(ref, texts, negated=condition.negated)

    def _add(self, ref: PropertyRef, texts: Sequence[str], *, negated: bool) -> None:
        if negated:
            self.filters.append(Filter(ref, Operator.NE, texts[0]))
        elif len(texts) > 1:
            self.filters.append(Filter(ref, Operator.IN, tuple(texts)))
        else:
            self.filters.append(Filter(ref, Operator.EQ, texts[0]))
