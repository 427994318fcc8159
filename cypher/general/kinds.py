"""What a question may range over: entities, statements, and values of their attributes; and how they join.

A *kind* is a set of things that can be counted, listed and compared. "papers" is the kind of an entity type,
"measurements" that of a relation, and "experiments" the values of an attribute of papers. Kinds form a graph:
an entity is an end of a statement, a value belongs to its owner.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from cypher.own_store import KeyedSchema
from cypher.schema_graph import error_attributes
from schemas.graph_schema import AttributeType, GraphSchema

MAX_STEPS: Final = 6
"""Steps of a path between two kinds: three statements with their ends."""


class Form(StrEnum):
    """Whether a kind is a type, a relation or an attribute."""

    ENTITY = "entity"
    STATEMENT = "statement"
    VALUE = "value"


class Derived(StrEnum):
    """A number that is computed from attributes and asked for like one."""

    NONE = ""
    TOTAL = "total error"
    STATISTICAL = "statistical error"
    SYSTEMATIC = "systematic error"
    SIZE = "number of members"


@dataclass(frozen=True, slots=True)
class Kind:
    """A set of things: ``owner`` is a type or relation, ``attribute`` is set for values only."""

    form: Form
    owner: str
    attribute: str = ""
    derived: Derived = Derived.NONE

    @property
    def is_value(self) -> bool:
        """Whether its members are values."""
        return self.form is Form.VALUE


def entity(name: str) -> Kind:
    """The kind of an entity type."""
    return Kind(Form.ENTITY, name)


def statement(relation: str) -> Kind:
    """The kind of a relation's statements."""
    return Kind(Form.STATEMENT, relation)


def value(owner: str, attribute: str) -> Kind:
    """The kind of an attribute's values."""
    return Kind(Form.VALUE, owner, attribute)


def derived(owner: str, what: Derived, attribute: str = "") -> Kind:
    """The kind of a computed number."""
    return Kind(Form.VALUE, owner, attribute, what)


class KindGraph:
    """Kinds of one schema and the paths between them."""

    def __init__(self, schema: GraphSchema) -> None:
        self.schema = schema
        self._types = {e.name: e for e in schema.entities}
        self._relations = {r.name: r for r in schema.relations}
        self._paths: dict[tuple[Kind, Kind], tuple[tuple[Kind, ...], ...]] = {}

    def attribute(self, kind: Kind) -> AttributeType | None:
        """The declared attribute of a kind of values."""
        owner = self._types.get(kind.owner) or self._relations.get(kind.owner)
        return next((a for a in owner.attributes if a.name == kind.attribute), None) if owner else None

    def is_many(self, kind: Kind) -> bool:
        """Whether an owner holds a list of such values."""
        declared = self.attribute(kind)
        return not kind.derived and declared is not None and declared.type == "strings"

    def is_number(self, kind: Kind) -> bool:
        """Whether the values are numbers."""
        declared = self.attribute(kind)
        return bool(kind.derived) or (declared is not None and declared.type in {"number", "integer"})

    def owner(self, kind: Kind) -> Kind:
        """The kind whose attribute it is."""
        return entity(kind.owner) if kind.owner in self._types else statement(kind.owner)

    def ends(self, kind: Kind) -> tuple[tuple[Kind, ...], tuple[Kind, ...]]:
        """Subjects and objects of a kind of statements."""
        relation = self._relations[kind.owner]
        return tuple(map(entity, relation.subjects)), tuple(map(entity, relation.objects))

    def neighbours(self, kind: Kind) -> tuple[Kind, ...]:
        """Kinds one step away that are no values."""
        if kind.is_value:
            return (self.owner(kind),)
        if kind.form is Form.STATEMENT:
            subjects, objects = self.ends(kind)
            return tuple(dict.fromkeys((*subjects, *objects)))
        return tuple(
            statement(r.name) for r in self.schema.relations if kind.owner in (*r.subjects, *r.objects)
        )

    def step_is_one(self, start: Kind, end: Kind) -> bool:
        """Whether a thing of ``start`` has one ``end`` at most: a statement's paper, a paper's year."""
        if start.is_value:
            return False
        if end.is_value:
            return not self.is_many(end)
        return start.form is Form.STATEMENT

    def paths(self, start: Kind, end: Kind) -> tuple[tuple[Kind, ...], ...]:
        """All shortest paths, each with its end and without its start; values stand at the ends only."""
        key = (start, end)
        if key not in self._paths:
            self._paths[key] = self._search(start, end)
        return self._paths[key]

    def _search(self, start: Kind, end: Kind) -> tuple[tuple[Kind, ...], ...]:
        if start == end:
            return ((),)
        found: list[tuple[Kind, ...]] = []
        queue: deque[tuple[Kind, ...]] = deque([()])
        while queue:
            path = queue.popleft()
            if len(path) >= MAX_STEPS or (found and len(path) >= len(found[0])):
                break
            here = path[-1] if path else start
            steps = self.neighbours(here)
            if end.is_value and not here.is_value and self.owner(end) == here:
                steps = (*steps, end)
            for step in steps:
                if step == end:
                    found.append((*path, step))
                elif step not in path and step != start and not step.is_value:
                    queue.append((*path, step))
        shortest = min((len(p) for p in found), default=0)
        return tuple(p for p in found if len(p) == shortest)

    def errors(self, kind: Kind) -> frozenset[Derived]:
        """The errors that statements of a relation have."""
        known = error_attributes(self._relations[kind.owner])
        out = {Derived.STATISTICAL} if "stat_plus" in known else set()
        out |= {Derived.SYSTEMATIC} if "syst_plus" in known else set()
        listed = any(a.startswith(("total", "stat")) for a in known)
        return frozenset(out | {Derived.TOTAL} if listed else out)


@lru_cache(maxsize=16)
def _of(keyed: KeyedSchema) -> KindGraph:
    return KindGraph(keyed.schema)


def kind_graph(schema: GraphSchema) -> KindGraph:
    """The kinds of a schema; kept by its fingerprint."""
    return _of(KeyedSchema(schema))
