"""Questions that can be answered, made from the schema's words and names that the graph holds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice

from cypher.explain import plural, type_word
from cypher.near_questions import MOST, as_said
from cypher.probes import Probes
from cypher.schema_graph import (
    LIMIT,
    RECOMMENDED,
    SUPERSEDED,
    attribute,
    central_error,
    error_attributes,
    strength_attributes,
    valued_relation,
    year_attribute,
)
from cypher.vocabulary import Vocabulary
from schemas.graph_schema import GraphSchema, RelationType
from schemas.questions import EntityMatch

_BY_ATTRIBUTE = ((SUPERSEDED, "Which values of {} were superseded?"), (LIMIT, "What are the limits on {}?"))


def base_form(verb: str) -> str:
    """A verb phrase in the plural: "determines" becomes "determine".

    >>> base_form("sets a limit on"), base_form("used to measure")
    ('set a limit on', 'are used to measure')
    """
    first, _, rest = verb.partition(" ")
    if first.endswith("ed"):
        return f"are {verb}"
    stemmed = first[:-1] if first.endswith("s") and not first.endswith("ss") else first
    return f"{stemmed} {rest}".strip()


def examples(schema: GraphSchema, vocabulary: Vocabulary) -> tuple[str, ...]:
    """One question for each shape that the schema and the graph's names allow."""
    return tuple(dict.fromkeys(_examples(schema, vocabulary)))


def _examples(schema: GraphSchema, vocabulary: Vocabulary) -> Iterator[str]:
    valued = valued_relation(schema)
    for relation in schema.relations:
        pairs = vocabulary.pairs.get(relation.name, ())
        if not pairs:
            continue
        subject, obj = pairs[0]
        yield from about_relation(schema, relation, subject, obj)
        if valued is not None and relation.name == valued.name:
            measured = vocabulary.pairs.get(f"{relation.name}:{central_error(relation)}", pairs)
            yield from about_values(schema, valued, (measured or pairs)[0][1])
            for name, ask in _BY_ATTRIBUTE:
                marked = vocabulary.pairs.get(f"{relation.name}:{name}", ())
                yield from (ask.format(o) for _, o in marked[:1])
            others = [o for _, o in pairs if o != obj]
            if others:
                yield f"Compare the number of measurements of {obj} and {others[0]}"
            kind = type_word(schema, relation.subjects[0])
            yield f"Does {kind} {subject} {base_form(_verb(relation))} {obj}?"
    for entity in schema.entities:
        yield f"How many {plural(type_word(schema, entity.name))} are there?"


def _verb(relation: RelationType) -> str:
    return next(iter(relation.verbalisations), relation.name.replace("_", " "))


def about_relation(schema: GraphSchema, relation: RelationType, subject: str, obj: str) -> Iterator[str]:
    """Both directions of a relation, and orders by strength or number."""
    start = plural(type_word(schema, relation.subjects[0]))
    end = plural(type_word(schema, relation.objects[0]))
    verb = base_form(_verb(relation))
    if obj:
        yield f"Which {start} {verb} {obj}?"
    if subject and relation.inverse:
        yield f"Which {end} are {relation.inverse[0]} {subject}?"
    if obj and strength_attributes(relation) and relation != valued_relation(schema):
        yield f"Which {start} {verb} {obj} most?"
    if obj or subject:
        yield f"Which {start} {verb} the most {end}?"


def about_values(schema: GraphSchema, relation: RelationType, obj: str) -> Iterator[str]:
    """Questions on the values of one measured quantity."""
    yield f"What are the values of {obj}?"
    if error_attributes(relation):
        yield f"What is the most precise measurement of {obj}?"
    if year_attribute(schema) is not None:
        yield f"How many measurements of {obj} by year?"
        yield f"What is the latest value of {obj}?"


def most_alike(asked: str, questions: Sequence[str]) -> tuple[str, ...]:
    """The questions that share the most words with what was asked first; else in their order.

    >>> most_alike("how many decays?", ["Which papers determine X?", "How many decays are there?"])
    ('How many decays are there?', 'Which papers determine X?')
    """
    wanted = _stems(asked)
    return tuple(sorted(questions, key=lambda q: -len(wanted & _stems(q))))


def _stems(text: str) -> frozenset[str]:
    """Words of four letters and more, and "how", without the ending of a plural."""
    words = re.findall(r"[a-z]{4,}|how", text.lower())
    return frozenset(w.removesuffix("s") for w in words if w not in {"what", "which", "there"})


def nearest(
    schema: GraphSchema,
    vocabulary: Vocabulary,
    about: Sequence[EntityMatch],
    probes: Probes,
    asked: str = "",
    *,
    holds: Callable[[str], bool] = lambda _: True,
) -> tuple[str, ...]:
    """Three questions around some entities, else the most like ``asked`` of all kinds; all have an answer.

    ``probes`` says whether an entity has a statement of a relation, or a known attribute; ``holds`` whether
    a question has an answer, where that does not follow from what it is made of.
    """
    others = most_alike(asked, examples(schema, vocabulary))
    found: list[str] = []
    for question in chain(_around(schema, about, probes), others):
        if question not in found and as_said(question) != as_said(asked) and holds(question):
            found.append(question)
        if len(found) == MOST:
            break
    return tuple(found)


def _around(schema: GraphSchema, about: Sequence[EntityMatch], probes: Probes) -> Iterator[str]:
    valued = valued_relation(schema)
    for entity in about[:4]:
        for relation in schema.relations:
            ends = (*relation.subjects, *relation.objects)
            if entity.type not in ends or not probes.has(entity, relation):
                continue
            if entity.type in relation.objects:
                yield from islice(about_relation(schema, relation, "", entity.name), 1)
                if valued is not None and relation.name == valued.name:
                    yield from islice(about_values(schema, relation, entity.name), 1)
            else:
                yield from islice(about_relation(schema, relation, entity.name, ""), 1)
        best = attribute(schema.entity(entity.type), RECOMMENDED)
        if best is not None and probes.knows(entity, best.name):
            yield f"What is the {best.verbalisations[0]} of {entity.name}?"
