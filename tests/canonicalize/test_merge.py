"""Entities from groups of records, and the measures of agreement."""

from __future__ import annotations

import random

import pytest

from canonicalize.merge import canonical_graph
from canonicalize.quality import b_cubed, pairwise
from schemas.errors import DataError
from schemas.graph_schema import AttributeType, EntityType, GraphSchema
from schemas.graphs import DocumentGraph, Origin, Record, Redirect, Status
from schemas.ids import DocumentKey, EntityId, RecordId
from schemas.review import Group, Resolution

SCHEMA = GraphSchema(
    name="toy",
    version="1",
    entities=(EntityType(name="thing", label="Thing", attributes=(AttributeType(name="kind"),)),),
    relations=(),
)


def one(record: str, name: str, **more: object) -> DocumentGraph:
    document = DocumentKey(f"doc-{record}")
    made = Record.model_validate({"id": record, "document": document, "type": "thing", "name": name, **more})
    return DocumentGraph(
        document=document, version="v", schema_name="toy", schema_version="1", run_id="r", records=(made,)
    )


def grouped(*groups: str, redirects: dict[str, str] | None = None) -> Resolution:
    return Resolution(
        groups=tuple(
            Group(id=EntityId(g[0]), type="thing", records=tuple(RecordId(r) for r in g)) for g in groups
        ),
        redirects={EntityId(a): EntityId(b) for a, b in (redirects or {}).items()},
    )


def test_the_entity_has_the_best_of_its_records() -> None:
    graphs = [
        one("a", "longer name", description="short", attributes={"kind": "x"}),
        one("b", "name", description="a longer description", status=Status.VETTED, aliases=("alias",)),
        one("c", "name", attributes={"kind": "x", "unit": "GeV"}),
        one("d", "other", attributes={"kind": "y"}),
    ]
    made = canonical_graph(graphs, grouped("abcd"), SCHEMA)
    entity = made.entities[0]
    assert (entity.name, entity.description, entity.status) == ("name", "a longer description", Status.VETTED)
    assert entity.aliases == ("alias", "longer name", "other")
    assert entity.attributes == {"kind": "x", "unit": "GeV"}
    random.Random(3).shuffle(graphs)
    assert canonical_graph(graphs, grouped("abcd"), SCHEMA) == made


def test_a_listing_names_the_entity() -> None:
    graphs = [
        one("a", "name", attributes={"kind": "x"}),
        one("b", "name", attributes={"kind": "x"}),
        one("c", "listed", attributes={"kind": "z"}, origin=Origin.PDG_TABLES),
    ]
    entity = canonical_graph(graphs, grouped("abc"), SCHEMA).entities[0]
    assert (entity.name, entity.attributes, entity.aliases) == ("listed", {"kind": "z"}, ("name",))


def test_redirects_lead_straight_to_entities_that_exist() -> None:
    graphs = [one("a", "x"), one("b", "x")]
    before = {EntityId("q"): EntityId("b"), EntityId("z"): EntityId("gone")}
    made = canonical_graph(graphs, grouped("ab", redirects={"b": "a"}), SCHEMA, redirects=before)
    assert made.redirects == (
        Redirect(old=EntityId("b"), new=EntityId("a")),
        Redirect(old=EntityId("q"), new=EntityId("a")),
    )


def test_records_and_resolution_must_match() -> None:
    with pytest.raises(DataError, match="found record b only in a document graph"):
        canonical_graph([one("a", "x"), one("b", "x")], grouped("a"), SCHEMA)
    with pytest.raises(DataError, match="found record b only in a group"):
        canonical_graph([one("a", "x")], grouped("ab"), SCHEMA)
    with pytest.raises(DataError, match="two document graphs"):
        canonical_graph([one("a", "x"), one("a", "x")], grouped("a"), SCHEMA)


def test_agreement_of_known_clusterings() -> None:
    gold = {"a": 1, "b": 1, "c": 1, "d": 2}
    assert pairwise(gold, gold).f1 == b_cubed(gold, gold).f1 == 1.0
    assert pairwise({"a": 1, "b": 1, "c": 2, "d": 2}, gold).precision == 0.5
    assert b_cubed(dict.fromkeys(gold, 0), gold).precision == pytest.approx((3 * 0.75 + 0.25) / 4)
    assert b_cubed(dict.fromkeys(gold, 0), gold).recall == 1.0
