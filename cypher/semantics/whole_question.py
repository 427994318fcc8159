"""What only the whole question tells of a reading: another of a kind, both ways, what is shown."""

from __future__ import annotations

from dataclasses import replace

from cypher.semantics.another import with_another
from cypher.semantics.asking import property_asked, things_asked
from cypher.semantics.completed import completed
from cypher.semantics.compose import Candidate
from cypher.semantics.connected import connected
from cypher.semantics.meeting import meeting
from cypher.semantics.mentions import Linked
from cypher.semantics.mutual import mutual
from cypher.semantics.narrowed import narrowed
from cypher.semantics.of_theirs import of_none_of_theirs
from cypher.semantics.restricted import reciprocal, without_flagged
from cypher.semantics.when_done import when_done
from schemas.store_schema import StoreSchema


def with_all_told(linked: Linked, candidate: Candidate, schema: StoreSchema) -> Candidate:
    """The candidate with what only the whole question tells."""
    query = connected(linked, with_another(linked, narrowed(linked, candidate.query)), schema)
    query = completed(linked, meeting(linked, reciprocal(linked, mutual(query, schema))), schema)
    if (asked := property_asked(linked, query, schema)) is not None:
        query = replace(query, project=(asked,))
    elif things_asked(tuple(w.lower for w in linked.words), query):
        query = replace(query, whole=True)
    query = without_flagged(linked, when_done(linked, query, schema), schema)
    query = of_none_of_theirs(linked, query)
    return replace(candidate, query=query)
