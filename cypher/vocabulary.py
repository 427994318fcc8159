"""Values and names of the graph that questions may use: few-valued attributes, and example entities.

Read once with bounded queries and kept for ``LIFETIME`` seconds, so that no question scans the graph.
"""

from __future__ import annotations

import logging
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TypeAlias

from cypher.akin_values import akin_values
from cypher.form import Condition, Edge, Form, Head, HowKnown, Node, Op, Pairs, ValuesOf
from cypher.own_store import fingerprint_of
from cypher.schema_graph import LIMIT, SUPERSEDED, attribute, central_error
from cypher.schema_words import Meaning, ValueWord
from cypher.spelling import (
    any_charge,
    base_of,
    charge_states,
    charges_of,
    common_symbol,
    family_of,
    others_than,
    written_ways,
)
from schemas.errors import QueryTimeoutError
from schemas.graph_schema import AttributeType, EntityType, GraphSchema
from schemas.language.names import name_key
from schemas.language.notation import canonical_particle
from schemas.questions import Subgraph

log = logging.getLogger(__name__)

LIFETIME = 300.0
"""Seconds after which values are read again."""
WAIT = 10.0
"""Seconds for which values that another question reads are waited for."""
MAX_VALUES = 999
"""An attribute with more distinct values is no vocabulary but free text."""
MAX_EXAMPLES = 5
CLASS_NOUNS = frozenset({"lepton", "hadron", "meson", "baryon", "quark"})
"""Nouns of classes of particles, by which listings call one that is not told: "leptons" are many kinds."""
MIN_PLURAL = 4
"""Letters of the shortest plural of a symbol that is looked up: "phis". A shorter one is a symbol: "Bs"."""


Known: TypeAlias = Mapping[tuple[str, str], tuple[int, int]]
"""A type and its attribute to how many have a value, and how many there are."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What questions may name besides entities; empty before the graph was read."""

    values: dict[str, tuple[ValueWord, ...]] = field(default_factory=dict)
    """Name key of a value to the attributes that hold it."""
    absent: frozenset[tuple[str, str]] = frozenset()
    """Attributes with a list of allowed values of which the graph holds none: their values are no words."""
    pairs: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """Relation, or "relation:attribute" for statements that have it, to example names at both ends."""
    bases: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """A name without mass and charge to the values of that name: "D*" to "D*(2010)+" and the others."""
    known: Known = field(default_factory=dict)
    """Of how many things each attribute with values is known, and how many there are."""

    def held(self, meanings: Sequence[Meaning]) -> tuple[Meaning, ...]:
        """The meanings of a phrase without values of which the graph holds none."""
        if not self.absent:
            return tuple(meanings)
        return tuple(
            m for m in meanings if not isinstance(m, ValueWord) or (m.owner, m.attribute) not in self.absent
        )

    def lookup(self, phrase: str) -> tuple[ValueWord, ...]:
        """Attributes that hold this value, in any notation of a particle; one letter in its own case."""
        symbol, family = family_of(phrase)
        own = self._with_others(self._named(symbol or phrase))
        states = self._any_of(family)
        if not states:
            return own if not symbol else self._named(phrase)
        named = tuple(w for w in own if not w.many and w.held)
        held = {(w.owner, w.attribute) for w in named}
        return (
            *named,
            *(w for w in states if (w.owner, w.attribute) not in held),
        )

    def _with_others(self, words: Sequence[ValueWord]) -> tuple[ValueWord, ...]:
        """The words with what they might stand for, too, where the graph holds such."""
        return tuple(replace(w, beside=tuple(self._beside(w))) if w.many else w for w in words)

    def _beside(self, word: ValueWord) -> Iterator[str]:
        own = _all_of(word)
        for other in self._any_of(o for value in own for o in others_than(value)):
            if (other.owner, other.attribute) == (word.owner, word.attribute):
                yield from (v for v in _all_of(other) if v not in own)

    def _in_all_ways(self, word: ValueWord) -> ValueWord:
        """The word with the other ways to write its particle that the graph holds: omega, omega(782)."""
        charged = () if word.held else any_charge(word.value)
        others = (*written_ways(word.value), *charged, *self.bases.get(word.value, ()))
        same = self._any_of((word.value, *others))
        return next((s for s in same if (s.owner, s.attribute) == (word.owner, word.attribute)), word)

    def _named(self, phrase: str) -> tuple[ValueWord, ...]:
        found = self.values.get(name_key(phrase), ())
        if len(phrase) == 1:
            found = tuple(w for w in found if w.value == phrase)
        if found:
            return tuple(self._in_all_ways(w) for w in found)
        several = self._of_any_charge(phrase)
        if several:
            return several
        symbol = common_symbol(phrase)
        particle = symbol if symbol != phrase else canonical_particle(phrase) if len(phrase) <= 40 else None
        if particle is None:
            plural = phrase.endswith("s") and len(phrase) >= MIN_PLURAL and phrase[:-1] not in CLASS_NOUNS
            return self._named(phrase[:-1]) if plural else ()
        same = self.values.get(name_key(particle), ())
        same = tuple(w for w in same if w.value == particle) if len(particle) == 1 else same
        same = tuple(self._in_all_ways(w) for w in same)
        return same or self._any_of((*charges_of(particle), *self.bases.get(particle, ())))

    def _of_any_charge(self, phrase: str) -> tuple[ValueWord, ...]:
        """The values that a common name stands for, by attribute: a muon may be written mu+ or mu-."""
        return self._any_of(charge_states(phrase))

    def _any_of(self, symbols: Iterable[str]) -> tuple[ValueWord, ...]:
        """Values that are one of the symbols, all of an attribute in one word; of those held, if any is."""
        held: dict[tuple[str, str], list[ValueWord]] = {}
        for symbol in symbols:
            for word in self.values.get(name_key(symbol), ()):
                if word.value == symbol:
                    held.setdefault((word.owner, word.attribute), []).append(word)
        kept = (tuple(w for w in words if w.held) or words for words in held.values())
        return tuple(
            replace(words[0], among=tuple(w.value for w in words)) if len(words) > 1 else words[0]
            for words in kept
        )


def _all_of(word: ValueWord) -> tuple[str, ...]:
    """All values that a word stands for."""
    return word.among or (word.value,)


def forms(schema: GraphSchema) -> tuple[tuple[Form, ValueWord | None], ...]:
    """The queries that fill a vocabulary: one for each free attribute, one for each relation."""
    found: list[tuple[Form, ValueWord | None]] = []
    for entity in schema.entities:
        for declared in entity.attributes:
            if declared.enum or _may_be_vocabulary(entity, declared):
                many = declared.type == "strings"
                head = ValuesOf("n0", declared.name, many)
                word = ValueWord(entity.name, declared.name, "", many)
                found.append((_form((Node("n0", entity.name),), (), head), word))
    for relation in schema.relations:
        nodes = (Node("n0", relation.subjects[0]), Node("n1", relation.objects[0]))
        edge = Edge("r0", relation.name, "n0", "n1")
        plain = _form(nodes, (edge,), Pairs("r0"))
        found.append((plain, None))
        error = central_error(relation)
        if error and attribute(relation, LIMIT) is not None:
            no_limit = Condition("r0", LIMIT, Op.UNKNOWN, optional=True)
            found.append((replace(plain, conditions=(Condition("r0", error, Op.KNOWN), no_limit)), None))
        found.extend(
            (replace(plain, conditions=(Condition("r0", name, Op.KNOWN),)), None)
            for name in (LIMIT, SUPERSEDED)
            if attribute(relation, name) is not None
        )
    return tuple(found)


def _form(nodes: tuple[Node, ...], edges: tuple[Edge, ...], head: Head) -> Form:
    return Form("vocabulary", nodes, edges, (), head)


def _may_be_vocabulary(entity: EntityType, attribute: AttributeType) -> bool:
    names_itself = attribute.name in entity.canonicalization.identity
    return attribute.type in {"string", "strings"} and not (
        attribute.enum or attribute.derived or names_itself or not attribute.verbalisations
    )


def read(schema: GraphSchema, run: Callable[[Form, int], Subgraph]) -> Vocabulary:
    """Vocabulary of the graph; ``run(form, row_cap)`` runs one checked query."""
    values: dict[str, list[ValueWord]] = defaultdict(list)
    without: set[tuple[str, str]] = set()
    pairs = dict(example_pairs(schema, run))
    for form, word in forms(schema):
        if word is None:
            continue
        result = run(form, MAX_VALUES + 1)
        if _has_list(schema, word):
            if not any(row[0] for row in result.rows):
                without.add((word.owner, word.attribute))
            continue
        if result.truncated or len(result.rows) > MAX_VALUES:
            log.info(
                "%s.%s has over %d values; not used as vocabulary", word.owner, word.attribute, MAX_VALUES
            )
            continue
        for value, *_ in result.rows:
            if isinstance(value, str) and value.strip():
                values[name_key(value)].append(ValueWord(word.owner, word.attribute, value, word.many))
    for word in akin_values([w for words in values.values() for w in words]):
        values[name_key(word.value)].append(word)
    order = [(e.name, a.name) for e in schema.entities for a in e.attributes]
    for words in values.values():
        words.sort(key=lambda w: order.index((w.owner, w.attribute)))
    owners = {w.owner for words in values.values() for w in words}
    absent = frozenset(a for a in without if a[0] in owners)
    known = dict(_known(schema, run, without))
    found = {k: tuple(v) for k, v in values.items()}
    return Vocabulary(found, absent, pairs, _bases(found), known)


def _known(
    schema: GraphSchema, run: Callable[[Form, int], Subgraph], without: Collection[tuple[str, str]]
) -> Iterator[tuple[tuple[str, str], tuple[int, int]]]:
    """How many things have a value of each attribute that has any, with the number of all."""
    for owner, name in ((w.owner, w.attribute) for _, w in forms(schema) if w is not None):
        if (owner, name) not in without:
            rows = run(_form((Node("n0", owner),), (), HowKnown("n0", name)), 2).rows
            having, there = rows[0] if rows else (0, 0)
            if isinstance(having, int) and isinstance(there, int):
                yield (owner, name), (having, there)


def _bases(values: Mapping[str, Sequence[ValueWord]]) -> dict[str, tuple[str, ...]]:
    """The values of each name without mass and charge."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for word in (w for words in values.values() for w in words):
        if base := base_of(word.value):
            found[base][word.value] = None
    return {base: tuple(names) for base, names in found.items()}


def example_pairs(
    schema: GraphSchema, run: Callable[[Form, int], Subgraph]
) -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
    """Names at both ends of a few statements of each relation, by the keys of ``Vocabulary.pairs``."""
    for form, word in forms(schema):
        if word is None:
            rows = run(form, MAX_EXAMPLES + 1).rows
            wished = (c.attribute for c in form.conditions if not c.optional)
            key = ":".join([form.edges[0].relation, *wished])
            yield key, tuple((str(r[0]), str(r[1])) for r in rows)


def _has_list(schema: GraphSchema, word: ValueWord) -> bool:
    declared = attribute(schema.entity(word.owner), word.attribute)
    return declared is not None and bool(declared.enum)


@dataclass(frozen=True, slots=True)
class _Kept:
    """A vocabulary with the schema that it was read for, and until when it is fresh."""

    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    fingerprint: str = ""
    until: float = 0.0

    def fresh(self, schema: GraphSchema) -> bool:
        return time.monotonic() <= self.until and fingerprint_of(schema) == self.fingerprint


class VocabularyCache:
    """Keeps the vocabulary of one schema for ``LIFETIME`` seconds. Thread-safe: one thread reads for all."""

    def __init__(self, run: Callable[[Form, int], Subgraph], *, wait: float = WAIT) -> None:
        self._run, self._wait = run, wait
        self._kept = _Kept()
        self._reading = Lock()

    @property
    def kept(self) -> bool:
        """Whether one was read within ``LIFETIME``, of whatever schema."""
        return time.monotonic() <= self._kept.until

    def fresh(self, schema: GraphSchema) -> bool:
        """Whether it was read for this schema within ``LIFETIME``."""
        return self._kept.fresh(schema)

    def get(self, schema: GraphSchema) -> Vocabulary:
        """The vocabulary in force; may raise the errors of the query runner.

        One that another thread reads is waited for; ``QueryTimeoutError`` when it does not come in time.
        """
        kept = self._kept
        if kept.fresh(schema):
            return kept.vocabulary
        if not self._reading.acquire(timeout=self._wait):
            raise QueryTimeoutError(f"the words of the graph were not read within {self._wait:g} s")
        try:
            if not self._kept.fresh(schema):
                found = read(schema, self._run)
                self._kept = _Kept(found, fingerprint_of(schema), time.monotonic() + LIFETIME)
            return self._kept.vocabulary
        finally:
            self._reading.release()
