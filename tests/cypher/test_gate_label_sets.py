"""One definition of what a node shows: what one of its labels lists and none of them hides."""

from __future__ import annotations

import re

import pytest

from cypher.guard import report_on
from kg.migrations import ENTITY_PROPERTIES, STATEMENT_PROPERTIES
from kg.store_schema import own_store_schema
from schemas.graph_schema import GraphSchema
from schemas.store_schema import StoreLabel, StoreProperty, StoreSchema

LABELS = (
    StoreLabel(name="Cook", properties=(StoreProperty(name="name"),), hidden=("wage",)),
    StoreLabel(name="Person", properties=(StoreProperty(name="name"), StoreProperty(name="wage"))),
    StoreLabel(name="Guest", properties=(StoreProperty(name="seat"),)),
)
BOTH = StoreSchema(labels=LABELS, label_sets=(("Cook", "Person"), ("Guest",), ("Person",)))
COOKS = StoreSchema(labels=LABELS, label_sets=(("Cook", "Person"), ("Guest",)))
GUESTS = StoreSchema(labels=LABELS, label_sets=(("Cook", "Person"), ("Guest", "Person"), ("Person",)))


def message(text: str, schema: StoreSchema) -> str:
    report = report_on(text, schema)
    assert report.query is None, report.query
    assert [f.code for f in report.findings] == ["SCH3"]
    return report.findings[0].message


def test_a_node_shows_what_one_label_lists_and_none_hides() -> None:
    assert BOTH.node_properties(("Cook", "Person")) == {"name"}
    assert BOTH.node_properties(("Person",)) == {"name", "wage"}
    assert BOTH.node_properties(("Guest", "Person")) == {"name", "seat", "wage"}


@pytest.mark.parametrize("label", ["Cook", "Cook&Person", "Cook|Guest"])
def test_what_every_fitting_set_hides_is_no_property(label: str) -> None:
    found = message(f"MATCH (n:{label}) RETURN n.wage AS w", BOTH)
    assert "has no property wage; it has name" in found
    assert "say that" not in found
    assert "has no property wage" in message("MATCH (n) RETURN n.wage AS w", COOKS)


@pytest.mark.parametrize(
    ("text", "schema", "told"),
    [
        ("MATCH (n:Person) RETURN n.wage AS w", BOTH, "say that n is not of Cook"),
        ("MATCH (n) RETURN n.wage AS w", BOTH, "say that n is not of Cook"),
        ("MATCH (n:Person) RETURN n.wage AS w", GUESTS, "say that n is of Guest"),
        ("MATCH (n) WITH CASE WHEN true THEN n END AS x RETURN x.wage", GUESTS, "say that x is of Guest"),
    ],
)
def test_what_some_sets_hide_is_told_with_labels_that_would_pass(
    text: str, schema: StoreSchema, told: str
) -> None:
    assert f"may be of Cook too, which has no property wage; {told}" in message(text, schema)


def test_what_is_told_passes() -> None:
    for schema, label in ((BOTH, "Person&!Cook"), (GUESTS, "Person&Guest"), (GUESTS, "Guest")):
        report = report_on(f"MATCH (n:{label}) RETURN n.wage AS w, properties(n) AS p", schema)
        assert report.query is not None, report.findings
        assert ".wage" in report.query.text.partition("AS w")[2]


def test_a_map_of_a_node_leaves_out_what_a_fitting_set_hides() -> None:
    report = report_on("MATCH (n:Person) RETURN properties(n) AS p", BOTH)
    assert report.query is not None
    assert "wage" not in report.query.text


def test_the_own_graph_hides_what_the_projection_keeps_for_itself(particle_schema: GraphSchema) -> None:
    store = own_store_schema(particle_schema)
    hidden = {x.name: set(x.hidden) for x in store.labels}
    assert hidden["Entity"] == hidden["Observable"] == {"embedding", "name_key"}
    assert hidden["Record"] == {"attributes", "more_evidence"}
    assert hidden["Chunk"] == hidden["Community"] == {"embedding"}
    assert hidden["Document"] == hidden["Section"] == set()
    statements = [r for r in store.relations if "origin" in {p.name for p in r.properties}]
    assert statements
    for relation in statements:
        assert {p.name for p in relation.properties} | set(relation.hidden) >= STATEMENT_PROPERTIES
    assert {p.name for p in store.labels[0].properties} | hidden["Entity"] >= ENTITY_PROPERTIES


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (r:Record) RETURN r.start AS s, r.document AS d",
        "MATCH (n) RETURN n.start AS s, n.status AS t, n.year AS y",
        "MATCH (c:Chunk)<-[m:MENTIONED_IN]-(r) WITH collect(c) AS cs UNWIND cs AS x RETURN x.text AS t",
        "MATCH (o:Observable) RETURN o, properties(o) AS p",
    ],
)
def test_what_the_own_graph_shows_stays(text: str, particle_schema: GraphSchema) -> None:
    report = report_on(text, own_store_schema(particle_schema))
    assert report.query is not None, report.findings
    assert not re.search("embedding|name_key|more_evidence", report.query.text)
