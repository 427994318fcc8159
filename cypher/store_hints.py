"""What a question to any store tells a chat model: names, labels, and the readings that were near."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from cypher.generation.ports import Hints
from cypher.semantics.decide import Decision, Verdict
from cypher.semantics.explain import explain
from cypher.semantics.mentions import Linked, Mention
from cypher.semantics.reader import SemanticReader
from schemas.errors import QueryError
from schemas.questions import Answer, EntityMatch
from schemas.store_schema import StoreSchema

log = logging.getLogger(__name__)
_MOST_VALUES: Final = 3
"""Values told of one phrase."""


def hints_of(linked: Linked, schema: StoreSchema, drafts: Sequence[Answer]) -> Hints:
    """The values that phrases may name, with their labels and properties, and the labels spoken of."""
    names = [(m.text, tuple(_matches(m))) for m in linked.mentions if m.values]
    said = [x for m in (*linked.mentions, *linked.relations) for x in _labels(m, schema)]
    labels = tuple(dict.fromkeys(x for x in said if schema.label(x)))
    return Hints(tuple(names), labels, tuple(drafts))


def drafts_of(
    decision: Decision, reader: SemanticReader, answer: Callable[[Decision], Answer]
) -> tuple[Answer, ...]:
    """The answers of the readings between which it could not be decided; none where no reading is near."""
    return tuple(_drafts(decision, reader, answer)) if decision.verdict is Verdict.ASK else ()


def _drafts(
    decision: Decision, reader: SemanticReader, answer: Callable[[Decision], Answer]
) -> Iterator[Answer]:
    told: set[str] = set()
    for candidate in decision.reading.candidates:
        said = explain(candidate.query)
        if said in told or said not in decision.explanations:
            continue
        told.add(said)
        read = replace(decision.reading, candidates=(candidate,), written=reader.write(candidate.query))
        try:
            yield answer(Decision(Verdict.ANSWER, read, (said,)))
        except QueryError as e:
            log.info("a reading could not be run: %s", e)


def _matches(mention: Mention) -> Iterator[EntityMatch]:
    for value, score in mention.values[:_MOST_VALUES]:
        where = f"{value.owner}.{value.property}"
        name = value.text
        yield EntityMatch(id=name, type=where, name=name, score=max(-1.0, min(1.0, score)), via="name")


def _labels(mention: Mention, schema: StoreSchema) -> Iterator[str]:
    yield from (value.owner for value, _ in mention.values[:_MOST_VALUES])
    for term in mention.terms:
        if term.kind == "label":
            yield term.name
        elif term.kind == "property":
            yield from term.owners
        else:
            yield from (x for t in schema.triples if t.type == term.name for x in (t.start, t.end))
