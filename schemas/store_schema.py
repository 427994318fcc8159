"""What a property graph holds, as a query sees it: labels, relationship types, properties, which ends meet.

A ``GraphSchema`` says what a collaboration means; a ``StoreSchema`` says what may stand in a query. It is
made from the graph schema for our own graphs, and by introspection for any other database. Hidden items
(embeddings, review notes, the bookkeeping of the projection) are not in it, so no query can name them.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import cached_property

from pydantic import Field

from schemas.ids import content_hash
from schemas.model import Frozen


class PropertyType(StrEnum):
    """Type of a property's values; ``ANY`` where values of several types occur or none was seen."""

    STRING = "string"
    INTEGER = "integer"
    FLOAT = "float"
    BOOLEAN = "boolean"
    DATE = "date"
    DATETIME = "datetime"
    TIME = "time"
    DURATION = "duration"
    POINT = "point"
    ANY = "any"


class StoreProperty(Frozen):
    """A property of nodes of one label or of relationships of one type."""

    name: str
    type: PropertyType = PropertyType.ANY
    many: bool = False
    """Whether its values are lists."""
    values: tuple[str, ...] = ()
    """All values, where there are few of them and they are text."""
    count: int = Field(0, ge=0)
    """Things that have it, where its values are listed; 0 where nobody has looked."""
    description: str = ""


class StoreLabel(Frozen):
    """A label with the properties that its nodes may have."""

    name: str
    properties: tuple[StoreProperty, ...] = ()
    count: int = Field(0, ge=0)
    name_property: str = ""
    """The property that people call its nodes by; empty if there is none."""
    hidden: tuple[str, ...] = ()
    """Properties that no query may name, vectors for example."""
    vector_property: str = ""
    vector_index: str = ""
    """Index of ``similarity()`` on this label and its property; empty if there is none."""


class StoreRelation(Frozen):
    """A relationship type with its properties."""

    type: str
    properties: tuple[StoreProperty, ...] = ()
    count: int = Field(0, ge=0)
    hidden: tuple[str, ...] = ()
    """Properties that no query may name."""


class StoreTriple(Frozen):
    """Relationships of ``type`` that lead from nodes labelled ``start`` to nodes labelled ``end``."""

    start: str
    type: str
    end: str
    count: int = Field(0, ge=0)
    most_from_start: int = Field(0, ge=0)
    """Most of them that lead from one node; 0 where nobody has looked."""
    most_to_end: int = Field(0, ge=0)
    """Most of them that lead to one node; 0 where nobody has looked."""


class StoreSchema(Frozen):
    """All that a query may name. Its look-ups are kept, so change one by making another, not by a copy."""

    labels: tuple[StoreLabel, ...] = ()
    relations: tuple[StoreRelation, ...] = ()
    triples: tuple[StoreTriple, ...] = ()
    label_sets: tuple[tuple[str, ...], ...] = ()
    """Sets of labels that nodes carry together, each sorted; one label each where none is given."""
    fulltext_indexes: tuple[str, ...] | None = None
    """Names of the full-text indexes; ``None`` where they are not known."""
    hidden_labels: tuple[str, ...] = ()
    """Labels of nodes that no query may reach, by whatever pattern; they have no relationships."""
    scope_property: str = ""
    """The property of nodes and relationships that says whether a fact is vetted; empty: scope is all."""

    @cached_property
    def fingerprint(self) -> str:
        """Hash of the content; plans and caches depend on it."""
        return content_hash(self.model_dump(mode="json"))

    @cached_property
    def node_sets(self) -> tuple[frozenset[str], ...]:
        """The sets of labels that nodes carry."""
        if self.label_sets:
            return tuple(frozenset(s) for s in self.label_sets)
        return tuple(frozenset({label.name}) for label in self.labels)

    def beside(self, label: str) -> frozenset[str]:
        """The labels that nodes of a label carry, itself among them.

        >>> sorted(StoreSchema(label_sets=(("Cook", "Person"), ("Boat",))).beside("Cook"))
        ['Cook', 'Person']
        """
        return frozenset[str]().union(*(s for s in self.node_sets if label in s))

    def label(self, name: str) -> StoreLabel | None:
        """The label of this name, or ``None``."""
        return self._labels.get(name)

    def relation(self, name: str) -> StoreRelation | None:
        """The relationship type of this name, or ``None``."""
        return self._relations.get(name)

    def node_properties(self, labels: Iterable[str]) -> frozenset[str]:
        """The properties that a query may name of a node with these labels: what one lists and none hides.

        >>> cook = StoreLabel(name="Cook", properties=(StoreProperty(name="name"),), hidden=("wage",))
        >>> person = StoreLabel(name="Person", properties=(StoreProperty(name="wage"),))
        >>> StoreSchema(labels=(cook, person)).node_properties(["Cook", "Person"])
        frozenset({'name'})
        """
        known = [label for name in labels if (label := self.label(name)) is not None]
        listed = frozenset(p.name for label in known for p in label.properties)
        return listed.difference(*(label.hidden for label in known))

    def relation_properties(self, kind: str) -> frozenset[str]:
        """The properties that a query may name of a relationship of this type."""
        known = self.relation(kind)
        if known is None:
            return frozenset()
        return frozenset(p.name for p in known.properties).difference(known.hidden)

    def triple(self, start: str, kind: str, end: str) -> StoreTriple | None:
        """The triple of these labels and this type, or ``None``."""
        return self._triples.get((start, kind, end))

    @cached_property
    def _triples(self) -> dict[tuple[str, str, str], StoreTriple]:
        return {(t.start, t.type, t.end): t for t in self.triples}

    @cached_property
    def _labels(self) -> dict[str, StoreLabel]:
        return {label.name: label for label in self.labels}

    @cached_property
    def _relations(self) -> dict[str, StoreRelation]:
        return {relation.type: relation for relation in self.relations}
