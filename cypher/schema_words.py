"""What the schema's words mean: phrases of stems to types, relations, attributes and allowed values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from cypher.schema_graph import LIMIT, valued_relation
from cypher.words import STATEMENT_WORDS, stem, stems
from schemas.graph_schema import AttributeType, EntityType, GraphSchema, RelationType

_LIMIT_VERBS = ("set", "setting", "place", "put", "give", "report", "obtain")
"""Verbs with which a paper states a limit: "sets an upper limit on"."""


@dataclass(frozen=True, slots=True)
class TypeWord:
    """Names an entity type."""

    type: str


@dataclass(frozen=True, slots=True)
class StatementWord:
    """Names the statements of the valued relation: "measurement", "result"."""

    relation: str


@dataclass(frozen=True, slots=True)
class RelationWord:
    """Names a relation, from subject to object or back."""

    relation: str
    forward: bool


@dataclass(frozen=True, slots=True)
class AttributeWord:
    """Names an attribute of an entity type or relation."""

    owner: str
    attribute: str


@dataclass(frozen=True, slots=True)
class ValueWord:
    """Names an allowed value of an attribute."""

    owner: str
    attribute: str
    value: str
    many: bool = False
    """Whether the attribute holds a list of values."""
    among: tuple[str, ...] = ()
    """All values that the word stands for, this one first, where there are several: muons of any charge."""
    beside: tuple[str, ...] = ()
    """Other values of the attribute that might be meant, too, and are not: a "pbar" is not a "p"."""
    held: bool = True
    """Whether something in the graph has the value; else only an attribute much like this one has it."""


@dataclass(frozen=True, slots=True)
class ReplacerWord:
    """Names the document that replaced values; without ``ids`` it is what is asked for."""

    ids: tuple[str, ...] = ()
    text: str = ""


Meaning: TypeAlias = TypeWord | StatementWord | RelationWord | AttributeWord | ValueWord


class Lexicon:
    """Finds schema words in a token sequence; built once for each schema.

    ``longest(words, at)`` returns the number of words of the longest phrase that starts at ``at`` with
    all its meanings, in the schema's order, or ``(0, ())``.
    """

    def __init__(self, schema: GraphSchema) -> None:
        self._meanings: dict[tuple[str, ...], list[Meaning]] = defaultdict(list)
        self._words: set[str] = set()
        self._synonyms = schema.synonyms
        valued = valued_relation(schema)
        if valued is not None:
            for word in STATEMENT_WORDS:
                self._add(word, StatementWord(valued.name))
        for entity in schema.entities:
            self._add_type(entity, skip=STATEMENT_WORDS if valued is not None else frozenset())
        for relation in schema.relations:
            self._add_relation(relation)
        self._longest = max((len(k) for k in self._meanings), default=0)

    def longest(self, words: Sequence[str], at: int) -> tuple[int, tuple[Meaning, ...]]:
        """Longest phrase at a position; ``words`` are stems."""
        for length in range(min(self._longest, len(words) - at), 0, -1):
            found = self._meanings.get(tuple(words[at : at + length]))
            if found:
                return length, tuple(found)
        return 0, ()

    @property
    def longest_phrase(self) -> int:
        """Words of the longest phrase."""
        return self._longest

    def is_kind(self, phrase: str) -> bool:
        """Whether the schema has this phrase for one of the kinds of something: "mass", "lifetime"."""
        found = self._meanings.get(stems(phrase), ())
        return any(isinstance(m, ValueWord) and m.value == phrase.lower() for m in found)

    def words(self) -> frozenset[str]:
        """All single words of the phrases, as they are written."""
        return frozenset(self._words)

    def phrases(self) -> Mapping[tuple[str, ...], Sequence[Meaning]]:
        """All phrases, as stems, with their meanings."""
        return self._meanings

    def _add(self, phrase: str, meaning: Meaning) -> None:
        self._words.update(phrase.lower().split())
        for key in {stems(phrase), stems(phrase.replace("-", " "))}:
            if key and meaning not in self._meanings[key]:
                self._meanings[key].append(meaning)

    def _add_type(self, entity: EntityType, *, skip: frozenset[str]) -> None:
        for phrase in (entity.name.replace("_", " "), *entity.verbalisations):
            if phrase not in skip:
                self._add(phrase, TypeWord(entity.name))
        for attribute in entity.attributes:
            self._add_attribute(entity.name, attribute, of_entity=True)

    def _add_relation(self, relation: RelationType) -> None:
        for forward, phrases in (
            (True, (relation.name.replace("_", " "), *relation.verbalisations)),
            (False, relation.inverse),
        ):
            for phrase in phrases:
                meaning = RelationWord(relation.name, forward)
                self._add(phrase, meaning)
                head = phrase.split()[0]
                if forward and len(phrase.split()) == 1:
                    self._add(f"{stem(head)}ed", meaning)
        for attribute in relation.attributes:
            self._add_attribute(relation.name, attribute, of_entity=False)

    def _mean_the_same(self, one: str, other: str) -> bool:
        """Whether people use both words for one thing, where the schema tells them apart."""
        return any(one in group and other in group for group in self._synonyms)

    def _add_attribute(self, owner: str, attribute: AttributeType, *, of_entity: bool) -> None:
        phrases = dict.fromkeys((attribute.name.replace("_", " "), *attribute.verbalisations))
        for phrase in phrases:
            value = phrase.split()[0]
            meaning: Meaning = AttributeWord(owner, attribute.name)
            if value in attribute.enum:
                meaning = ValueWord(owner, attribute.name, value)
            self._add(phrase, meaning)
            if attribute.name == LIMIT and not of_entity:
                for verb, article in product(_LIMIT_VERBS, ("", "a ", "an ")):
                    self._add(f"{verb} {article}{phrase} on", meaning)
        for value in attribute.enum:
            if value == "other":
                continue
            beside = tuple(v for v in attribute.enum if v != value and self._mean_the_same(v, value))
            named = ValueWord(owner, attribute.name, value, attribute.type == "strings", beside=beside)
            if of_entity or len(value.split()) > 1:
                self._add(value, named)
            for phrase in phrases:
                self._add(f"{value} {phrase}", named)
