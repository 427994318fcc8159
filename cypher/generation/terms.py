"""Words for the labels, relationship types and properties of what a chat model is asked about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Self

from cypher.generation.rankings import Measures
from cypher.generation.store_measures import measures_of
from cypher.own_store import described_store
from cypher.semantics.lexicon import Verbalisation
from cypher.semantics.text import identifier_words
from schemas.graph_schema import GraphSchema
from schemas.store_schema import PropertyType, StoreProperty, StoreSchema

LITERAL: Final = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")
"""A text in a query, without its quotes as the first or the second group."""
_IDENTIFIER: Final = re.compile(r"`([^`]+)`|\b([A-Za-z_][A-Za-z0-9_]*)\b")
SHARED: Final = 2
"""Things for each value of a text, at least, for its values to be told to a model."""
_PEOPLE: Final = frozenset({"who", "whom", "whose", "someone", "somebody", "anyone", "anybody"})
"""Where things may be people, asked for by no name of their kind."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Words that people use for each label, relationship type and property."""

    words: Mapping[str, tuple[str, ...]]
    measures: Measures = field(default_factory=Measures)
    free: frozenset[str] = frozenset()
    """Words that ask nothing of this graph, beside those that never do."""
    whole: frozenset[str] = frozenset()
    """Properties that hold whole numbers wherever they stand."""

    @classmethod
    def of(cls, schema: GraphSchema) -> Self:
        """From names, verbalisations and inverse phrases of a graph schema."""
        words: dict[str, tuple[str, ...]] = {"name": ("name",)}
        for entity in schema.entities:
            words[entity.label] = (entity.name, entity.label, *entity.verbalisations)
        for relation in schema.relations:
            words[relation.neo4j_type] = (relation.name, *relation.verbalisations, *relation.inverse)
        declared = [a for e in schema.entities for a in e.attributes]
        for a in (*declared, *(a for r in schema.relations for a in r.attributes)):
            words[a.name] = (*words.get(a.name, ()), a.name, *a.verbalisations)
        declared = [*declared, *(a for r in schema.relations for a in r.attributes)]
        return cls(words, Measures.of(schema), whole=_whole((a.name, a.type == "integer") for a in declared))

    @classmethod
    def of_store(cls, schema: StoreSchema, said: Verbalisation | None = None) -> Self:
        """From the names in a store schema, and from what people say for them.

        >>> from schemas.store_schema import StoreLabel, StoreSchema
        >>> Terms.of_store(StoreSchema(labels=(StoreLabel(name="TapRoom"),))).words
        {'TapRoom': ('tap room',)}
        """
        known = said or Verbalisation()
        words: dict[str, tuple[str, ...]] = {}
        for label in schema.labels:
            _add(words, label.name, known.labels.get(label.name, ()))
        for relation in schema.relations:
            both = known.relations.get(relation.type)
            _add(words, relation.type, (*both.forward, *both.inverse) if both else ())
        for owner, p in _properties(schema):
            more = (*known.properties.get(p.name, ()), *known.properties.get(f"{owner}.{p.name}", ()))
            _add(words, p.name, more)
        whole = _whole((p.name, p.type is PropertyType.INTEGER) for _, p in _properties(schema))
        return cls(words, measures_of(schema, words), _PEOPLE, whole)

    def used_in(self, query: str) -> tuple[str, ...]:
        """Terms of the schema that stand in a query outside of its literals."""
        bare = LITERAL.sub(" ", query)
        found = dict.fromkeys(m[1] or m[2] for m in _IDENTIFIER.finditer(bare))
        return tuple(n for n in found if n in self.words)


@dataclass(frozen=True, slots=True)
class Subject:
    """The graph that a chat model is asked about: what its prompt tells of it, and the words for that."""

    schema: StoreSchema
    terms: Terms

    @classmethod
    def of(cls, schema: GraphSchema) -> Self:
        """A workspace's own graph."""
        return cls(described_store(schema), Terms.of(schema))

    @classmethod
    def of_store(cls, schema: StoreSchema, said: Verbalisation | None = None) -> Self:
        """Any other. The prompt tells values that things share, kinds and states, and nobody's own."""
        return cls(_shared_values(schema), Terms.of_store(schema, said))


def _add(words: dict[str, tuple[str, ...]], name: str, said: Iterable[str]) -> None:
    known = (*words.get(name, ()), " ".join(identifier_words(name)), *said)
    words[name] = tuple(dict.fromkeys(known))


def _whole(kinds: Iterable[tuple[str, bool]]) -> frozenset[str]:
    """Names that are whole each time they occur."""
    known = list(kinds)
    return frozenset(name for name, _ in known) - {name for name, whole in known if not whole}


def _properties(schema: StoreSchema) -> Iterable[tuple[str, StoreProperty]]:
    yield from ((x.name, p) for x in schema.labels for p in x.properties)
    yield from ((r.type, p) for r in schema.relations for p in r.properties)


def _shared_values(schema: StoreSchema) -> StoreSchema:
    """The schema with the values of those texts that each stand at two things or more, on average.

    What has no such text does not count; where nobody counted what has it, none are told.
    """
    labels = [
        x.model_copy(
            update={"properties": tuple(_kept(p, named=p.name == x.name_property) for p in x.properties)}
        )
        for x in schema.labels
    ]
    relations = [
        r.model_copy(update={"properties": tuple(_kept(p, named=False) for p in r.properties)})
        for r in schema.relations
    ]
    return StoreSchema(
        labels=tuple(labels),
        relations=tuple(relations),
        triples=schema.triples,
        scope_property=schema.scope_property,
    )


def _kept(told: StoreProperty, *, named: bool) -> StoreProperty:
    shared = not named and SHARED * len(told.values) <= told.count
    return told if shared else told.model_copy(update={"values": ()})
