"""Builds the graph pattern of a form: a root, paths to what is named, conditions."""

from __future__ import annotations

from dataclasses import dataclass, field

from cypher.form import Condition, Edge, Form, Head, Node, Op
from cypher.link import YearWord
from cypher.schema_graph import Hop, paths, year_attribute
from cypher.schema_words import ValueWord
from schemas.graph_schema import GraphSchema
from schemas.questions import EntityMatch


class NoPathError(Exception):
    """The schema does not connect two types, so this shape does not fit; never leaves this package."""


@dataclass(slots=True)
class Builder:
    """A growing pattern around ``n0``; ``hints`` are relations that the question names.

    ``pick`` chooses among equally short paths, so that two readings can be offered.
    """

    schema: GraphSchema
    root: str
    hints: frozenset[str] = frozenset()
    pick: int = 0
    nodes: list[Node] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    anchored: set[str] = field(default_factory=set)
    different: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.nodes.append(Node("n0", self.root))

    def type_of(self, var: str) -> str:
        """Entity type of a node."""
        return next(n.type for n in self.nodes if n.var == var)

    def path(self, start: str, target: str) -> tuple[Hop, ...]:
        """A shortest path of the schema, one along the hinted relations if there is one."""
        options = paths(self.schema, self.type_of(start), target)
        if not options:
            raise NoPathError(f"{self.type_of(start)} and {target} are not connected")
        best = max(sum(h.relation in self.hints for h in p) for p in options)
        kept = [p for p in options if sum(h.relation in self.hints for h in p) == best]
        return kept[min(self.pick, len(kept) - 1)]

    def add(self, start: str, hop: Hop) -> str:
        """A new node at the end of a new edge."""
        var = f"n{len(self.nodes)}"
        self.nodes.append(Node(var, hop.target))
        ends = (start, var) if hop.forward else (var, start)
        self.edges.append(Edge(f"r{len(self.edges)}", hop.relation, *ends))
        return var

    def follow(self, start: str, hop: Hop, *, free: bool = False) -> str:
        """The node behind an edge that is there already, else a new one; ``free``: not an anchored one."""
        for e in self.edges:
            near, far = (e.start, e.end) if hop.forward else (e.end, e.start)
            fits = e.relation == hop.relation and near == start and self.type_of(far) == hop.target
            if fits and not (free and far in self.anchored):
                return far
        return self.add(start, hop)

    def reach(self, target: str, *, free: bool = False) -> str:
        """A node of a type, reached from the root."""
        known = [n.var for n in self.nodes if n.type == target and not (free and n.var in self.anchored)]
        if known:
            return known[0]
        at = "n0"
        hops = self.path("n0", target)
        for i, hop in enumerate(hops):
            at = self.follow(at, hop, free=free and i == len(hops) - 1)
        return at

    def anchor(self, entities: tuple[EntityMatch, ...]) -> str:
        """A node that must be one of some entities of one type."""
        var = self.reach(entities[0].type, free=True)
        names = " or ".join(f"'{e.name}'" for e in entities)
        ids = tuple(sorted({e.id for e in entities}))
        self.conditions.append(Condition(var, "id", Op.ONE_OF, ids, names))
        self.anchored.add(var)
        return var

    def value(self, word: ValueWord, alternatives: tuple[str, ...] = (), *, absent: bool = False) -> None:
        """A condition on an attribute of a type or of a relation on the pattern."""
        several = len(alternatives) > 1
        op = Op.LACKS if absent else Op.HAS if word.many else Op.ONE_OF if several else Op.IS
        shown = " or ".join(f"'{v}'" for v in alternatives or (word.value,))
        value = alternatives if several else word.value
        self.conditions.append(Condition(self.owner(word.owner), word.attribute, op, value, shown))

    def set_or_not(
        self, owner: str, attribute: str, op: Op, *, optional: bool = False, otherwise: str = ""
    ) -> None:
        """An attribute (or the one named ``otherwise``) must be known, or must not be.

        A wish of the asker takes the place of a default.
        """
        var = self.owner(owner)
        if not optional:
            self.conditions = [c for c in self.conditions if not (c.optional and _same(c, var, attribute))]
        self.conditions.append(Condition(var, attribute, op, optional=optional, otherwise=otherwise))

    def owner(self, name: str) -> str:
        """Variable of an entity type (reached when absent) or of a relation (must be there)."""
        if any(e.name == name for e in self.schema.entities):
            return self.reach(name)
        for e in self.edges:
            if e.relation == name:
                return e.var
        raise NoPathError(f"{name} is not part of this pattern")

    def year(self, span: YearWord) -> None:
        """Conditions on the year of the type that has one."""
        found = year_attribute(self.schema)
        if found is None:
            raise NoPathError("the schema has no year")
        var = self.reach(found[0])
        if span.listed:
            shown = " or ".join(map(str, span.listed))
            self.conditions.append(Condition(var, found[1], Op.ONE_OF, span.listed, shown))
            return
        if span.first is not None and span.first == span.last:
            self.conditions.append(Condition(var, found[1], Op.IS, span.first, str(span.first)))
            return
        if span.first is not None:
            self.conditions.append(Condition(var, found[1], Op.AT_LEAST, span.first, str(span.first)))
        if span.last is not None:
            self.conditions.append(Condition(var, found[1], Op.AT_MOST, span.last, str(span.last)))

    def same_document(self) -> tuple[tuple[str, str], ...]:
        """Pairs of statements on one path away from a node that stands for a document."""
        pairs: list[tuple[str, str]] = []
        for node in self.nodes:
            if node.type == self.schema.document_type:
                for edge in self.edges:
                    if node.var in (edge.start, edge.end):
                        pairs += [(edge.var, e) for e in self._beyond(edge, node.var)]
        return tuple(dict.fromkeys((min(p), max(p)) for p in pairs))

    def _beyond(self, first: Edge, origin: str) -> list[str]:
        found: list[str] = []
        seen = {origin}
        frontier = [first.end if first.start == origin else first.start]
        while frontier:
            at = frontier.pop()
            seen.add(at)
            if self.type_of(at) == self.schema.document_type:
                continue
            for e in self.edges:
                if at in (e.start, e.end) and e.var not in (first.var, *found):
                    other = e.end if e.start == at else e.start
                    if self.type_of(other) == self.schema.document_type:
                        continue  # it is made by that document
                    found.append(e.var)
                    frontier += [other] if other not in seen else []
        return found

    def form(self, shape: str, head: Head) -> Form:
        """The finished form."""
        return Form(
            shape,
            tuple(self.nodes),
            tuple(self.edges),
            tuple(self.conditions),
            head,
            self.same_document(),
            tuple(self.different),
        )


def _same(c: Condition, var: str, attribute: str) -> bool:
    return (c.var, c.attribute) == (var, attribute)
