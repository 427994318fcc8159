"""What a question to any store means, without its answer: what resolving a follow-up needs to know of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from cypher.answers.reading import Phrase, Reading
from cypher.semantics.decide import Decision, Verdict
from cypher.semantics.ir import Filter, Head, Query
from cypher.semantics.mentions import Linked, Mention
from schemas.store_schema import StoreSchema

_YEARS: Final = range(1000, 2200)


def reading(text: str, decision: Decision, schema: StoreSchema) -> Reading:
    """The reading of a cleaned question; it is understood, too, where looks would choose between two."""
    query, linked = decision.reading.query, decision.reading.linked
    phrases = tuple(sorted(_phrases(text, linked, schema), key=lambda p: p.start))
    if query is None or decision.verdict is Verdict.ABSTAIN or decision.unexplained:
        return Reading(False, "no reading of it is sure enough", phrases=phrases)
    return Reading(
        understood=True,
        signature=repr(query),
        shape=repr(replace(query, filters=())),
        counts=query.head is Head.COUNT,
        conditions=frozenset(_condition(query, c, schema) for c in query.filters),
        phrases=phrases,
    )


def _condition(query: Query, told: Filter, schema: StoreSchema) -> str:
    """ "Person id is 'Ann'": the name is what a thing is told by."""
    ref = told.ref
    plain = not ref.on_edge and ref.owner < len(query.nodes)
    owner = query.nodes[ref.owner].label if plain else f"edge{ref.owner}"
    name = "id" if plain and _is_name(schema, owner, ref.name) else ref.name
    return f"{owner} {name} {told.operator.value} {told.value!r} {told.other!r}"


def _is_name(schema: StoreSchema, label: str, name: str) -> bool:
    known = schema.label(label)
    return known is not None and known.name_property == name


def _phrases(text: str, linked: Linked, schema: StoreSchema) -> Iterator[Phrase]:
    """What is mentioned, where it stands in the question as it was asked; each word once."""
    end = 0
    for mention in linked.mentions:
        first, last = linked.words[mention.start], linked.words[mention.end - 1]
        said = linked.text[first.start : last.end]
        at = text.find(said, end)
        if at >= 0:
            end = at + len(said)
            yield Phrase(at, end, said, frozenset(_kinds(mention, schema)))
    for word in linked.unexplained:
        at = text.find(word)
        if at >= 0:
            yield Phrase(at, at + len(word), word, frozenset())


def _kinds(mention: Mention, schema: StoreSchema) -> Iterator[str]:
    for value, _ in mention.values:
        named = _is_name(schema, value.owner, value.property)
        yield f"entity {value.owner}" if named else f"value {value.owner} {value.property}"
    for term in mention.terms:
        yield (
            "type"
            if term.kind == "label"
            else f"attribute {term.name}"
            if term.kind == "property"
            else "word"
        )
    if mention.number is not None:
        yield "year" if mention.number in _YEARS else "word"
