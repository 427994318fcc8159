"""What a question to any store tells a chat model: names, labels, and the readings that were near."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from cypher.generation.ports import Draft, Hints
from cypher.semantics.decide import Decision, Verdict
from cypher.semantics.explain import explain
from cypher.semantics.mentions import Linked, Mention
from cypher.semantics.reader import SemanticReader
from cypher.semantics.write import Written
from schemas.errors import QueryError
from schemas.questions import Answer, EntityMatch
from schemas.store_schema import StoreSchema

log = logging.getLogger(__name__)
_MOST_PARTIAL: Final = 3
_MOST_VALUES: Final = 3
"""Values told of one phrase."""


def hints_of(
    linked: Linked, schema: StoreSchema, drafts: Sequence[Answer], partial: Iterable[Draft] = ()
) -> Hints:
    """The values that phrases may name, with their labels and properties, and the labels spoken of."""
    names = [(m.text, tuple(_matches(m))) for m in linked.mentions if m.values]
    said = [x for m in (*linked.mentions, *linked.relations) for x in _labels(m, schema)]
    labels = tuple(dict.fromkeys(x for x in said if schema.label(x)))
    return Hints(tuple(names), labels, tuple(drafts), tuple(partial))


def drafts_of(
    decision: Decision, reader: SemanticReader, answer: Callable[[Decision], Answer]
) -> tuple[Answer, ...]:
    """The answers of the readings between which it could not be decided; none where no reading is near."""
    return tuple(_drafts(decision, reader, answer)) if decision.verdict is Verdict.ASK else ()


def partial_of(decision: Decision, reader: SemanticReader) -> Iterator[Draft]:
    """The best readings that were not taken, not run, each with the phrases that it makes nothing of."""
    told = set(decision.explanations) if decision.verdict is Verdict.ASK else set()
    most, linked = len(told) + _MOST_PARTIAL, decision.reading.linked
    for candidate in decision.reading.candidates:
        said = explain(candidate.query)
        if said in told:
            continue
        told.add(said)
        written = reader.write(candidate.query)
        left = tuple(dict.fromkeys((*linked.unexplained, *_unread(written, linked))))
        yield Draft(said, written.text, written.parameters, left)
        if len(told) >= most:
            return


def _unread(written: Written, linked: Linked) -> Iterator[str]:
    """Phrases that a query makes nothing of, those aside that may be part of one that it reads."""
    phrases = (*linked.mentions, *linked.relations)
    read = {at for m in phrases if _reads(written, m) for at in range(m.start, m.end)}
    yield from (m.text for m in phrases if not read & set(range(m.start, m.end)))


def _reads(written: Written, mention: Mention) -> bool:
    """Whether a query holds one of what a phrase may mean; of a phrase without a meaning nobody knows."""
    given = [v for p in written.parameters.values() for v in (p if isinstance(p, tuple) else (p,))]
    meant = [v.text for v, _ in mention.values]
    names = [t.name for t in mention.terms]
    if not (meant or names) or mention.number is not None or mention.day is not None or mention.time:
        return True
    return any(v in given for v in meant) or any(
        re.search(rf"(?<!\w){re.escape(n)}(?!\w)", written.text) for n in names
    )


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
