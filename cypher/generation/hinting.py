"""What the service's linking knows of a question, for the prompt of a chat model."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from cypher.generation.ports import Draft, Hints
from cypher.link import EntityWord, Linked, Option
from cypher.schema_words import AttributeWord, RelationWord, TypeWord, ValueWord
from schemas.errors import QueryError
from schemas.graph_schema import GraphSchema
from schemas.questions import Answer

log = logging.getLogger(__name__)
T = TypeVar("T")


def hints(
    linked: Linked, schema: GraphSchema, drafts: Iterable[Answer], partial: Iterable[Draft] = ()
) -> Hints:
    """Names with their entities, the labels that the words are about, and the drafts."""
    names = tuple(
        (span.text, tuple(m for o in span.options if isinstance(o, EntityWord) for m in o.matches))
        for span in linked.spans
    )
    near = tuple((m.name, (m,)) for m in linked.near)
    about = [t for span in linked.spans for option in span.options for t in _types(option, schema)]
    label_of = {e.name: e.label for e in schema.entities}
    labels = tuple(dict.fromkeys(label_of[t] for t in about if t in label_of))
    return Hints(tuple(n for n in (*names, *near) if n[1]), labels, tuple(drafts), tuple(partial))


def those_that_run(run: Callable[[T], Answer], readings: Iterable[T]) -> Iterator[Answer]:
    """The answers of the readings that can be run."""
    for reading in readings:
        try:
            yield run(reading)
        except QueryError as e:
            log.info("a reading could not be run: %s", e)


def _types(option: Option, schema: GraphSchema) -> Iterator[str]:
    """Entity types that an option is about."""
    match option:
        case EntityWord(matches):
            yield from (m.type for m in matches)
        case TypeWord():
            yield option.type
        case ValueWord() | AttributeWord():
            yield option.owner
        case RelationWord():
            relation = schema.relation(option.relation)
            yield from (*relation.subjects, *relation.objects)
