"""Relations of one kind, ways that lead back, misspelled words, on an invented graph of workshops."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.chart.ways import Ways
from cypher.semantics.reader import SemanticReader
from cypher.semantics.schema_paths import SchemaPaths, Step
from cypher.semantics.values import ValueTable
from schemas.store_schema import StoreRelation, StoreSchema
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Repair 40: note, repairid integer
    Varnish 40: name, main_subtsance
    Fault 40: description
    Guild 40: name
    (Repair)-[USED_BASE_COAT 20: dose, finish]->(Varnish)
    (Repair)-[USED_OUTER_COAT 20: dose, finish]->(Varnish), (Repair)-[MENDS 20]->(Fault)
    (Guild)-[BOOKED 20]->(Repair)

    Varnish.name: Amberline
    Varnish.main_subtsance: shellac
    Fault.description: Woodworm
    Guild.name: Joiners
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "What is the finish for the varnish 'Amberline' in the repair with repairid 4711?",
            "(n1:Repair)-[r0:USED_BASE_COAT|USED_OUTER_COAT]->(n0:Varnish) "
            "WHERE n0.name = 'Amberline' AND n1.repairid = 4711 RETURN DISTINCT r0.finish AS finish",
        ),
        (
            "What is the finish of polishing for the varnish 'Amberline' in the repair with repairid 4711?",
            "(n1:Repair)-[r0:USED_BASE_COAT|USED_OUTER_COAT]->(n0:Varnish) "
            "WHERE n0.name = 'Amberline' AND n1.repairid = 4711 RETURN DISTINCT r0.finish AS finish",
        ),
        (
            "How many repairs used outer coat 'Amberline'?",
            "(n0:Repair)-[:USED_OUTER_COAT]->(n1:Varnish) WHERE n1.name = 'Amberline' "
            "RETURN count(DISTINCT n0) AS count",
        ),
        (
            "How many repairs have a varnish with the main substance 'shellac'?",
            "(n0:Repair)-[:USED_BASE_COAT|USED_OUTER_COAT]->(n1:Varnish) "
            "WHERE n1.main_subtsance = 'shellac' RETURN count(DISTINCT n0) AS count",
        ),
        (
            "What is the description of the fault booked in the repair with repairid 4711?",
            "(n1:Repair)-[:MENDS]->(n0:Fault) WHERE n1.repairid = 4711 "
            "RETURN DISTINCT n0.description AS description",
        ),
    ],
)
def test_ways(question: str, cypher: str, shown: Callable[[str], str]) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


def test_types_are_of_one_kind_where_their_properties_say_so() -> None:
    step = Step("USED_BASE_COAT", True, "Varnish")
    found = Ways(SCHEMA, SchemaPaths(SCHEMA)).variants("Repair", step)
    assert found is not None
    assert found.types == ("USED_BASE_COAT", "USED_OUTER_COAT")
    types = tuple(StoreRelation(type=r.type) for r in SCHEMA.relations)
    bare = StoreSchema(labels=SCHEMA.labels, relations=types, triples=SCHEMA.triples)
    assert Ways(bare, SchemaPaths(bare)).variants("Repair", step) is None
