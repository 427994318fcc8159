"""What is said of an attribute that is known of few things: a count by it is none of all of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cypher.explain import plural
from cypher.link import Linked
from cypher.schema_words import ValueWord
from cypher.vocabulary import Known
from schemas.graph_schema import GraphSchema
from schemas.questions import Parameter

SELDOM: Final = 0.9
"""The share of things below which it is told."""


def seldom_told(
    linked: Linked, used: frozenset[tuple[str, Parameter]], known: Known, schema: GraphSchema
) -> tuple[str, ...]:
    """Sentences on the attributes whose values (with their names) an answer is about."""
    return tuple(dict.fromkeys(_told(linked, used, known, schema)))


def _told(
    linked: Linked, used: frozenset[tuple[str, Parameter]], known: Known, schema: GraphSchema
) -> Iterator[str]:
    words = (o for span in linked.spans for o in span.options if isinstance(o, ValueWord))
    for word in words:
        having, there = known.get((word.owner, word.attribute), (0, 0))
        if (word.attribute, word.value) in used and having < SELDOM * there:
            entity = schema.entity(word.owner)
            told = next(a.verbalisations for a in entity.attributes if a.name == word.attribute)
            what = told[0] if told else word.attribute.replace("_", " ")
            nouns = plural(entity.verbalisations[0])
            yield f"The {what} is known of {having:,} of the {there:,} {nouns} of the whole graph."
