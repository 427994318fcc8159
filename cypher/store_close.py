"""Questions near one that a store does not answer, and that it does."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Final

from cypher.near_questions import MOST, as_said
from cypher.semantics.decide import Verdict, decide
from cypher.semantics.mentions import Linked
from cypher.semantics.probing import matching
from cypher.semantics.reader import SemanticReader
from cypher.semantics.templates import plural
from cypher.semantics.text import identifier_words
from cypher.semantics.values import StoredValue
from cypher.store_empty import MatchProbe
from schemas.store_schema import PropertyType, StoreSchema, StoreTriple

TRIED: Final = 12
"""Questions about what is named that are tried."""
COUNTED: Final = 12
"""Questions about all of a kind that are tried where those are not enough."""
_SUFFERED: Final = frozenset(
    {"born", "located", "based", "situated", "married", "related", "connected", "headquartered", "composed"}
)
"""Verbs of types that are said with "is"."""
_SINGULAR: Final = {"has": "have", "is": "are", "was": "were", "does": "do", "goes": "go"}


def close_questions(
    texts: Iterable[str],
    schema: StoreSchema,
    reader: SemanticReader,
    probe: MatchProbe,
    *,
    seconds: float,
    clock: Callable[[], float] = time.monotonic,
) -> tuple[str, ...]:
    """The first three of some questions that are each read surely and answered.

    They are fewer where ``seconds`` pass before that is known of three.
    """
    ends, found = clock() + seconds, list[str]()
    for text in texts:
        if len(found) == MOST or clock() >= ends:
            break
        reading = reader.read(text)
        told = decide(reading, schema)
        if told.verdict is not Verdict.ANSWER or told.unexplained or reading.query is None:
            continue
        if probe.has_rows(reader.write(matching(reading.query)), timeout=max(ends - clock(), 0.01)):
            found.append(text)
    return tuple(found)


def general(schema: StoreSchema) -> tuple[str, ...]:
    """Questions about all of a kind, of the largest kinds first."""
    return tuple(_Said((), frozenset(), frozenset(), frozenset()).counts(schema))


def drafts(linked: Linked, schema: StoreSchema, nearest: Sequence[str] = ()) -> Iterator[str]:
    """Questions about what a question names, nearest first; they may be read otherwise than is meant.

    ``nearest`` are terms of the schema that are spelled like words that nothing explains.
    """
    said = _Said.of(linked, nearest)
    given = {as_said(linked.text)}
    told, others = said.properties(schema)
    near = dict.fromkeys((*told, *said.ties(schema), *others))
    for text in (*islice(near, TRIED), *islice(said.counts(schema), COUNTED)):
        if as_said(text) not in given:
            given.add(as_said(text))
            yield text


@dataclass(frozen=True, slots=True)
class _Said:
    """What a question names."""

    values: tuple[StoredValue, ...]
    labels: frozenset[str]
    types: frozenset[str]
    names: frozenset[str]
    """Of properties."""

    @classmethod
    def of(cls, linked: Linked, nearest: Sequence[str]) -> _Said:
        best = (max(m.values, key=lambda v: v[1])[0] for m in linked.mentions if m.values)
        near = {name.partition(".")[2] for name in nearest}
        terms = [t for m in (*linked.mentions, *linked.relations) for t in m.terms]
        return cls(
            tuple(dict.fromkeys(v for v in best if not v.of_relation)),
            frozenset(t.name for t in terms if t.kind == "label").union(nearest),
            frozenset(t.name for t in terms if t.kind == "relation").union(nearest),
            frozenset(t.name for t in terms if t.kind == "property").union(near),
        )

    def ties(self, schema: StoreSchema) -> list[str]:
        """What is tied to what is named, first by what else is said."""
        ranked: list[tuple[int, int, str]] = []
        for value, triple, forward in product(self.called(schema), schema.triples, (True, False)):
            end, other = (triple.end, triple.start) if forward else (triple.start, triple.end)
            if end == value.owner:
                near = (triple.type in self.types) + (other in self.labels)
                ranked.append((-near, len(ranked), _tied(triple, value.text, forward=forward)))
        return [text for _, _, text in sorted(ranked)]

    def properties(self, schema: StoreSchema) -> tuple[list[str], list[str]]:
        """What is told of what is named: what is asked for, and other things."""
        told: tuple[list[str], list[str]] = [], []
        for value in self.called(schema):
            label = schema.label(value.owner)
            for p in [p for p in label.properties if p.name != value.property] if label else ():
                asked = f"What is the {_words(p.name)} of {value.text}?"
                if p.type is PropertyType.BOOLEAN:
                    asked = f"Is {value.text} {_words(p.name).removeprefix('is ')}?"
                told[p.name not in self.names].append(asked)
        return told

    def called(self, schema: StoreSchema) -> tuple[StoredValue, ...]:
        """Those values that things are called by."""
        names = {(x.name, x.name_property) for x in schema.labels}
        return tuple(v for v in self.values if (v.owner, v.property) in names)

    def counts(self, schema: StoreSchema) -> list[str]:
        """How many there are of what is spoken of, then of all kinds; then which."""
        labels = sorted(schema.labels, key=lambda x: (x.name not in self.labels, -x.count, x.name))
        kinds = [plural(_words(x.name)) for x in labels]
        return [*(f"How many {x} are there?" for x in kinds), *(f"Which {x} are there?" for x in kinds)]


def _tied(triple: StoreTriple, name: str, *, forward: bool) -> str:
    verb, *rest = identifier_words(triple.type)
    if verb in _SUFFERED or rest[-1:] == ["by"]:
        be = ("were", "was") if verb == "born" else ("are", "is")
        done = " ".join([verb, *rest])
        if forward:
            return f"Which {plural(_words(triple.start))} {be[0]} {done} {name}?"
        return f"List the {plural(_words(triple.end))} that {name} {be[1]} {done}."
    if forward:
        return f"Which {plural(_words(triple.start))} {' '.join([_plain(verb), *rest])} {name}?"
    return f"List the {plural(_words(triple.end))} that {name} {' '.join([verb, *rest])}."


def _plain(verb: str) -> str:
    """The verb of several: "calls" of one is "call".

    >>> [_plain(v) for v in ("calls", "has", "carries", "crosses", "acted")]
    ['call', 'have', 'carry', 'cross', 'acted']
    """
    if verb in _SINGULAR:
        return _SINGULAR[verb]
    if verb.endswith("ies") and len(verb) > 4:
        return verb[:-3] + "y"
    if verb.endswith(("sses", "shes", "ches", "xes")):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb


def _words(identifier: str) -> str:
    return " ".join(identifier_words(identifier))
