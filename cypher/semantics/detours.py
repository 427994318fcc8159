"""Verbs read as a relation to something that nobody spoke of, past a relation between what is spoken of."""

from __future__ import annotations

from cypher.semantics.ir import Query
from cypher.semantics.mentions import Linked
from cypher.semantics.unheard import parts_of
from schemas.store_schema import StoreSchema


def takes_detour(linked: Linked, query: Query, schema: StoreSchema) -> bool:
    """Whether a verb ties what is asked for to an unspoken thing, from which two unsaid steps lead on.

    "Who led the most operations" is not told by who leads a station whose helicopters were used in them,
    where people take part in operations. Where nothing ties the two directly, the long way is the only one.
    """
    said = {t.name for m in (*linked.mentions, *linked.relations) for t in m.terms if t.kind == "relation"}
    labels = {t.name for m in linked.mentions for t in m.terms if t.kind == "label"}
    named = {f.ref.owner for f in query.filters if not f.ref.on_edge}
    spoken = {i for i, n in enumerate(query.nodes) if n.label in labels or i in named} | {query.answer}
    ties = [e for e in query.edges if not (e.negated or e.optional)]
    for edge in ties:
        ends = {edge.start, edge.end}
        if not set(edge.types) & said or len(ends & spoken) != 1:
            continue
        (known,), (unspoken,) = ends & spoken, ends - spoken
        unsaid = [e for e in ties if not set(e.types) & said]
        for first in (e for e in unsaid if unspoken in (e.start, e.end)):
            far = first.end if first.start == unspoken else first.start
            nexts = [e for e in unsaid if e is not first and far in (e.start, e.end) and far not in spoken]
            reached = {e.end if e.start == far else e.start for e in nexts} & spoken - {known}
            if any(_tied(query.nodes[known].label, query.nodes[i].label, schema) for i in reached):
                return True
    return False


def passes_over_verb(linked: Linked, query: Query) -> bool:
    """Whether a verb names a relation, and the reading goes by others that nothing names.

    "In what year did Felix marry" is not the year of a training.
    """
    verbs = [m for m in linked.relations if m.is_relation_only and any(t.weight >= 1 for t in m.terms)]
    said = {t.name for m in (*linked.mentions, *linked.relations) for t in m.terms if t.kind == "relation"}
    used = {t for p in parts_of(query) for e in p.edges for t in e.types}
    return bool(verbs and used) and not used & said


def _tied(one: str, other: str, schema: StoreSchema) -> bool:
    """Whether things of two labels are ever tied directly."""
    return any({t.start, t.end} == {one, other} for t in schema.triples)
