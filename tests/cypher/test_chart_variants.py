"""Relations of one kind, ways that lead back, misspelled words, on an invented graph of workshops."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.chart.ways import Ways
from cypher.semantics.reader import SemanticReader
from cypher.semantics.schema_paths import SchemaPaths, Step
from cypher.semantics.values import StoredValue, ValueTable
from schemas.store_schema import (
    PropertyType,
    StoreLabel,
    StoreProperty,
    StoreRelation,
    StoreSchema,
    StoreTriple,
)

_TEXT, _WHOLE = PropertyType.STRING, PropertyType.INTEGER


def _properties(**types: PropertyType) -> tuple[StoreProperty, ...]:
    return tuple(StoreProperty(name=n, type=t) for n, t in types.items())


def _label(name: str, /, **types: PropertyType) -> StoreLabel:
    first = next(n for n, t in types.items() if t is _TEXT)
    return StoreLabel(name=name, properties=_properties(**types), name_property=first, count=40)


_USED = _properties(dose=_TEXT, finish=_TEXT)
_TRIPLES = (
    ("Repair", "USED_BASE_COAT", "Varnish"),
    ("Repair", "USED_OUTER_COAT", "Varnish"),
    ("Repair", "MENDS", "Fault"),
    ("Guild", "BOOKED", "Repair"),
)
SCHEMA = StoreSchema(
    labels=(
        _label("Repair", note=_TEXT, repairid=_WHOLE),
        _label("Varnish", name=_TEXT, main_subtsance=_TEXT),
        _label("Fault", description=_TEXT),
        _label("Guild", name=_TEXT),
    ),
    relations=tuple(
        StoreRelation(type=t, properties=_USED if t.startswith("USED") else ()) for _, t, _ in _TRIPLES
    ),
    triples=tuple(StoreTriple(start=a, type=t, end=b, count=20) for a, t, b in _TRIPLES),
)
STORED = [
    StoredValue("Varnish", "name", "Amberline"),
    StoredValue("Varnish", "main_subtsance", "shellac"),
    StoredValue("Fault", "description", "Woodworm"),
    StoredValue("Guild", "name", "Joiners"),
]
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
    types = tuple(StoreRelation(type=t) for _, t, _ in _TRIPLES)
    bare = StoreSchema(labels=SCHEMA.labels, relations=types, triples=SCHEMA.triples)
    assert Ways(bare, SchemaPaths(bare)).variants("Repair", step) is None
