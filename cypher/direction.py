"""Whether a question names the ends of a relation the right way round: papers determine observables."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from cypher.explain import one, type_word
from cypher.link import EntityWord, Option, Span
from cypher.schema_graph import SUPERSEDED, hops_from
from cypher.schema_words import AttributeWord, RelationWord, TypeWord
from cypher.words import Cue
from schemas.graph_schema import GraphSchema, RelationType

WRONG_WAY = "is the wrong way round here"
Pairs = Sequence[tuple[Span, Option]]


def problem(pairs: Pairs, schema: GraphSchema) -> str:
    """What is the wrong way round, or joined without a known relation; empty where nothing is."""
    for i, (span, option) in enumerate(pairs):
        if isinstance(option, RelationWord) and not span.soft:
            relation = schema.relation(option.relation)
            if _backwards(i, pairs, relation, option.forward):
                start, end = (type_word(schema, t[0]) for t in (relation.subjects, relation.objects))
                return (
                    f"'{span.text}' {WRONG_WAY}: in this graph it goes from {start} to {end} "
                    f"({start} {relation.name.replace('_', ' ')} {end})."
                )
    return _replaced_by(pairs) or _loose_compound(pairs, schema)


def _replaced_by(pairs: Pairs) -> str:
    """ "superseded by P": the graph keeps the replacing paper as text, so P cannot be followed."""
    named = [(s.text, o) for s, o in pairs if o is not Cue.BY]
    by = any(o is Cue.BY for _, o in pairs)
    for (text, option), (name, kind) in pairwise(named):
        marked = isinstance(option, AttributeWord) and option.attribute == SUPERSEDED
        if marked and isinstance(kind, EntityWord) and (by or text.lower().endswith(" by")):
            verb = text.lower().removesuffix(" by")
            return f"Ask it the other way round: which papers {verb} a paper, not what '{name}' {verb}."
    return ""


def _backwards(at: int, pairs: Pairs, relation: RelationType, forward: bool) -> bool:
    """Active verbs have their subject in front and their object behind; "determined by" the reverse."""
    behind, front = (
        (relation.objects, relation.subjects) if forward else (relation.subjects, relation.objects)
    )
    if at + 1 < len(pairs):
        kind = _type(pairs[at + 1][1])
        if kind in (*behind, *front):
            return kind not in behind
    participle = forward and pairs[at][0].text.lower().endswith("ed")
    last = _type(pairs[at - 1][1]) if at else ""
    return not participle and at == len(pairs) - 1 and last in behind and last not in front


def _type(option: Option) -> str:
    if isinstance(option, EntityWord):
        return option.matches[0].type
    return option.type if isinstance(option, TypeWord) else ""


def _loose_compound(pairs: Pairs, schema: GraphSchema) -> str:
    """ "theory papers": an entity right in front of a type that no relation joins it to."""
    for (span, option), (following, kind) in pairwise(pairs):
        if isinstance(option, EntityWord) and isinstance(kind, TypeWord) and span.end == following.start:
            known = option.matches[0].type
            if known != kind.type and all(h.target != kind.type for h in hops_from(schema, known)):
                return (
                    f"'{span.text}' is known here only as {one(type_word(schema, known))}, "
                    f"and no relation joins that to {one(type_word(schema, kind.type))}."
                )
    return ""
