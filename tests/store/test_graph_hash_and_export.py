"""The graph hash, the export and the checks that need no database."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

from kg.export import export_jsonl
from kg.migrations import migrations
from kg.queries import quoted
from kg.store import VectorTable, canonical_order, graph_hash
from schemas.errors import DataError, SchemaError, WorkspaceError
from schemas.graph_schema import AttributeType, EntityType, GraphSchema, RelationType
from schemas.graphs import CanonicalGraph, Entity, Record, Statement
from schemas.ids import DocumentKey, EntityId, RecordId, StatementId


def numbered_graph(count: int, *, seed: int = 0) -> CanonicalGraph:
    """``count`` records in one entity each, in an order that depends on the seed."""
    document = DocumentKey("d")
    records = [
        Record(id=RecordId(f"r{i}"), document=document, type="paper", name=f"µ{i}") for i in range(count)
    ]
    entities = [Entity(id=EntityId(r.id), type="paper", name=r.name, records=(r.id,)) for r in records]
    statements = [
        Statement(
            id=StatementId(f"s{i}"),
            document=document,
            subject=records[0].id,
            type="cites",
            object=records[i].id,
        )
        for i in range(1, count)
    ]
    shuffle = random.Random(seed).shuffle
    for part in (records, entities, statements):
        shuffle(part)
    return CanonicalGraph(entities=tuple(entities), records=tuple(records), statements=tuple(statements))


def schema_with(
    *, label: str = "Paper", attribute: str = "year", relation_attribute: str = "value"
) -> GraphSchema:
    return GraphSchema(
        name="small",
        version="1",
        entities=(EntityType(name="paper", label=label, attributes=(AttributeType(name=attribute),)),),
        relations=(
            RelationType(
                name="cites",
                subjects=("paper",),
                objects=("paper",),
                attributes=(AttributeType(name=relation_attribute),),
            ),
        ),
    )


def test_the_hash_does_not_depend_on_order() -> None:
    hashes = {graph_hash(numbered_graph(30, seed=seed)) for seed in range(5)}
    assert len(hashes) == 1
    graph = numbered_graph(30, seed=3)
    assert graph_hash(canonical_order(graph)) == graph_hash(graph)
    assert canonical_order(numbered_graph(30, seed=1)) == canonical_order(graph)


@pytest.mark.parametrize("field", ["name", "description", "aliases", "attributes", "status"])
def test_the_hash_depends_on_every_field_of_an_entity(field: str) -> None:
    value = {"aliases": ("x",), "attributes": {"year": 1}, "status": "vetted"}.get(field, "changed")
    graph = numbered_graph(3)
    entity = Entity.model_validate({**graph.entities[0].model_dump(), field: value})
    changed = graph.model_copy(update={"entities": (entity, *graph.entities[1:])})
    assert graph_hash(changed) != graph_hash(graph)


def test_a_number_that_is_not_finite_has_no_hash() -> None:
    graph = numbered_graph(2)
    entity = graph.entities[0].model_copy(update={"attributes": {"year": float("inf")}})
    with pytest.raises(DataError, match="not finite"):
        graph_hash(graph.model_copy(update={"entities": (entity, *graph.entities[1:])}))


def test_export_is_the_same_bytes_for_the_same_graph(tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    header = export_jsonl(numbered_graph(9, seed=1), ["b", "a", "b", ""], one, schema=schema_with())
    export_jsonl(numbered_graph(9, seed=2), ["a", "b"], two, schema=schema_with())
    assert one.read_bytes() == two.read_bytes()
    lines = [json.loads(line) for line in one.read_text(encoding="utf-8").splitlines()]
    assert lines[0]["graph_hash"] == header.graph_hash == graph_hash(numbered_graph(9))
    assert lines[0]["attributions"] == ["a", "b"]
    assert [line["kind"] for line in lines[1:]] == ["entity"] * 9 + ["record"] * 9 + ["statement"] * 8
    assert sorted(p.name for p in tmp_path.iterdir()) == ["one.jsonl", "two.jsonl"]


def test_an_export_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="cannot be written"):
        export_jsonl(numbered_graph(1), [], tmp_path / "absent" / "x.jsonl", schema=schema_with())
    kept = tmp_path / "kept.jsonl"
    kept.write_text("before")
    bad = numbered_graph(1).entities[0].model_copy(update={"attributes": {"year": float("nan")}})
    broken = numbered_graph(1).model_copy(update={"entities": (bad,)})
    with pytest.raises(DataError):
        export_jsonl(broken, [], kept, schema=schema_with())
    assert kept.read_text() == "before"
    assert [p.name for p in tmp_path.iterdir()] == ["kept.jsonl"]


@pytest.mark.parametrize(
    "schema",
    [schema_with(label="Chunk"), schema_with(attribute="embedding"), schema_with(relation_attribute="quote")],
)
def test_names_that_the_platform_uses_are_refused(schema: GraphSchema) -> None:
    with pytest.raises(SchemaError, match=r"choose another|reserved"):
        migrations(schema, 4)


@pytest.mark.parametrize("name", ["", "a`b", "a b", "1a", "a;b", "a" * 64, "é"])
def test_only_plain_words_are_quoted(name: str) -> None:
    with pytest.raises(SchemaError):
        quoted(name)


def test_vectors_are_checked() -> None:
    table = VectorTable({"a": 0, "b": 1}, np.array([[0, 0], [1, 0]], dtype=np.float32))
    assert list(table.ids()) == ["b"]
    with pytest.raises(DataError, match="beyond"):
        VectorTable({"a": 2}, np.zeros((2, 2), dtype=np.float32))
    with pytest.raises(DataError, match="finite"):
        VectorTable({"a": 0}, np.full((1, 2), np.nan, dtype=np.float32))
