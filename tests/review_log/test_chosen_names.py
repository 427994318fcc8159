"""A judge's name and description go through the log, and leave with the merge that brought them."""

from __future__ import annotations

from pathlib import Path

from canonicalize.merge import merge_records
from kg.corpus import corpus_graph, resolution_in_force
from kg.review_log import ReviewLog
from schemas.graph_schema import EntityType, GraphSchema
from schemas.graphs import DocumentGraph, Origin, Record
from schemas.ids import DocumentKey, EntityId, RecordId
from schemas.review import Group, MergeProposal, Resolution

SCHEMA = GraphSchema(
    name="toy", version="1", entities=(EntityType(name="thing", label="Thing"),), relations=()
)


def graph(record: str, name: str) -> DocumentGraph:
    made = Record(
        id=RecordId(record),
        document=DocumentKey(f"doc-{record}"),
        type="thing",
        name=name,
        description=f"what {record} says of it at length",
    )
    return DocumentGraph(
        document=made.document,
        version="v",
        schema_name="toy",
        schema_version="1",
        run_id="r",
        records=(made,),
    )


GRAPHS = (graph("a", "long name"), graph("b", "name"), graph("c", "other"))


def merged(*records: str, name: str = "", description: str = "") -> Resolution:
    group = tuple(RecordId(r) for r in records)
    alone = [Group(id=EntityId(r), type="thing", records=(RecordId(r),)) for r in "abc" if r not in records]
    return Resolution(
        groups=tuple(
            sorted([Group(id=EntityId(records[0]), type="thing", records=group), *alone], key=lambda g: g.id)
        ),
        proposals=(
            MergeProposal(
                records=group, type="thing", score=0.8, judge="llm/1:m", name=name, description=description
            ),
        ),
    )


def test_the_chosen_name_is_shown_and_the_others_are_kept(tmp_path: Path) -> None:
    with ReviewLog.open(tmp_path / "log.db") as log:
        log.record_resolution(merged("a", "b", name="Chosen", description="In one."), actor="t")
        entity = corpus_graph(GRAPHS, SCHEMA, log).entities[0]
        assert (entity.name, entity.description) == ("Chosen", "In one.")
        assert entity.aliases == ("long name", "name")
        assert resolution_in_force(GRAPHS, log).groups[0].name == "Chosen"
    with ReviewLog.open(tmp_path / "log.db") as log:
        assert corpus_graph(GRAPHS, SCHEMA, log).entities[0].name == "Chosen"


def test_undo_takes_the_name_back(tmp_path: Path) -> None:
    with ReviewLog.open(tmp_path / "log.db") as log:
        log.record_resolution(merged("a", "b", name="Chosen"), actor="t")
        log.undo(log.head()[0], actor="t")
        assert log.shown() == {}
        assert [e.name for e in corpus_graph(GRAPHS, SCHEMA, log).entities] == ["long name", "name", "other"]


def test_a_later_merge_without_a_name_shows_the_records_own(tmp_path: Path) -> None:
    with ReviewLog.open(tmp_path / "log.db") as log:
        log.record_resolution(merged("a", "b", name="Chosen"), actor="t")
        log.record_resolution(merged("a", "b", "c"), actor="t")
        assert corpus_graph(GRAPHS, SCHEMA, log).entities[0].name == "name"


def test_a_listing_names_the_entity_before_a_judge() -> None:
    records = [g.records[0] for g in GRAPHS[:2]]
    listed = records[0].model_copy(update={"origin": Origin.PDG_TABLES})
    group = Group(id=EntityId("a"), type="thing", records=(RecordId("a"), RecordId("b")), name="Chosen")
    assert merge_records(group, records).name == "Chosen"
    assert merge_records(group, [listed, records[1]]).name == "long name"
