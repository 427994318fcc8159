"""A partial reading while the composer goes through a question from left to right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from cypher.semantics.lexicon import Words
from cypher.semantics.mentions import Linked, Mention
from cypher.semantics.schema_paths import Path, SchemaPaths
from cypher.semantics.score import total
from cypher.semantics.values import StoredValue
from schemas.store_schema import StoreSchema


@dataclass(frozen=True, slots=True)
class Placed:
    """A node of the pattern; ``mention`` is the mention that made it."""

    label: str
    start: int
    end: int
    mention: int
    by_value: bool = False
    set: bool = False
    """Whether a word for the label itself was read."""
    kind: bool = False
    """Whether it stands for a kind of things ("sergeants"), not for one that is named."""
    agent: str = ""
    """Relationship type that its noun says it has ("director")."""


@dataclass(frozen=True, slots=True)
class Joined:
    """Node ``a`` joined to node ``b`` by a path of the schema."""

    a: int
    b: int
    path: Path
    cues: tuple[int, ...] = ()
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Condition:
    """Node (or, where the values are of a relation, some edge of their type) has one of these values."""

    node: int
    values: tuple[StoredValue, ...]
    mention: int
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Pending:
    """A property word whose use is not known yet."""

    name: str
    owners: tuple[str, ...]
    mention: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class State:
    """A partial reading with its score and the features that made it."""

    nodes: tuple[Placed, ...] = ()
    links: tuple[Joined, ...] = ()
    conditions: tuple[Condition, ...] = ()
    pending: tuple[Pending, ...] = ()
    used: frozenset[int] = frozenset()
    """Relation mentions that some link rests on, or that were read as nouns."""
    score: float = 0.0
    features: tuple[tuple[str, float], ...] = ()

    def plus(self, *features: tuple[str, float]) -> State:
        """The same reading with more features."""
        return State(
            self.nodes,
            self.links,
            self.conditions,
            self.pending,
            self.used,
            self.score + total(features),
            self.features + features,
        )


@dataclass(frozen=True, slots=True)
class Context:
    """What stays the same while one question is composed."""

    schema: StoreSchema
    paths: SchemaPaths
    words: Words
    linked: Linked
    mentions: Sequence[Mention]
    compared: frozenset[int] = field(default_factory=frozenset)
    """Mentions that a comparison stands in front of."""
    spoken: Mapping[str, Sequence[tuple[int, float]]] = field(default_factory=dict)
    """Relation mentions, with their weights, by relationship type."""

    def property_of(self, name: str, owner: str) -> str:
        """The property that a property word means for ``owner``."""
        label = self.schema.label(owner)
        return name or (label.name_property if label else "")
