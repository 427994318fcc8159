"""What is done to every reading once it stands: what the question says of it more closely is put in."""

from __future__ import annotations

from dataclasses import replace

from cypher.semantics.absent import Absent, without_absent
from cypher.semantics.beyond import with_its_name
from cypher.semantics.compose import Candidate
from cypher.semantics.figures_meant import by_figure, over_all
from cypher.semantics.lasting import lasting
from cypher.semantics.mentions import Linked
from cypher.semantics.occasions import by_number_kept, occasions
from cypher.semantics.of_its_noun import of_its_noun
from cypher.semantics.own_days import Infos, by_own_days
from cypher.semantics.several_values import each_of_values
from cypher.semantics.their_own import with_their_own
from cypher.semantics.told_different import told_different
from cypher.semantics.unified import unified
from cypher.semantics.whole_question import with_all_told
from schemas.store_schema import StoreSchema


def finished(
    linked: Linked, candidate: Candidate, schema: StoreSchema, *, infos: Infos, absent: Absent
) -> Candidate:
    """The candidate with all that is told, its own days, its figures, and nothing that is no value."""
    told = with_all_told(linked, candidate, schema)
    query = of_its_noun(linked, told.query, infos)
    query = lasting(linked, by_own_days(linked, query, infos), infos)
    query = unified(linked, without_absent(query, absent), schema)
    query = told_different(linked, with_their_own(linked, query, schema), schema)
    query = with_its_name(linked, query)
    query = over_all(by_figure(linked, each_of_values(linked, query), schema))
    return replace(told, query=by_number_kept(occasions(linked, query), schema))
