"""Atomic files and names that are safe for any key."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.files import dump, load, slug, write_atomic
from kg.graph_dump import dump_graph
from schemas.errors import WorkspaceError
from schemas.graphs import DocumentGraph, Evidence, Record, Rejection
from schemas.ids import DocumentKey, RecordId

KEYS = st.text(min_size=1, max_size=200)


@given(KEYS)
def test_a_slug_is_one_safe_path_component(key: str) -> None:
    name = slug(key)
    assert Path(name).name == name
    assert name not in {"", ".", ".."}
    assert len(name) < 120
    assert name.isascii()


@given(KEYS, KEYS)
def test_different_keys_have_different_slugs_even_without_regard_to_case(a: str, b: str) -> None:
    if a != b:
        assert slug(a).lower() != slug(b).lower() or slug(a) == slug(b) == a == b


def test_keys_that_look_alike_stay_apart() -> None:
    keys = ["inspire:1", "inspire_1", "INSPIRE:1", "inspire/1", "inspire 1"]
    assert len({slug(k) for k in keys}) == len(keys)


def test_a_failed_write_leaves_the_old_file_and_no_litter(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_atomic(path, b"old")
    with pytest.raises(TypeError):
        write_atomic(path, "text, not bytes")  # type: ignore[arg-type]
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_frozen_types_come_back_equal_and_with_stable_bytes(tmp_path: Path) -> None:
    graph = DocumentGraph(
        document=DocumentKey("k"), version="v", schema_name="s", schema_version="1", run_id="r"
    )
    path = tmp_path / "g.json"
    write_atomic(path, dump(graph))
    again = load(path, DocumentGraph)
    assert again == graph
    assert dump(again) == path.read_bytes()


VALUES = st.one_of(
    st.text(max_size=5), st.integers(-5, 5), st.booleans(), st.lists(st.text(max_size=3)).map(tuple)
)


@given(
    st.dictionaries(st.text(min_size=1, max_size=5), VALUES, max_size=4), st.text(max_size=9), st.booleans()
)
def test_a_graph_file_comes_back_equal_with_a_line_for_each_fact(attributes, quote, full) -> None:
    key = DocumentKey("k")
    evidence = tuple(Evidence(start=n, end=n + 1, quote=quote) for n in range(2)) if full else ()
    records = tuple(
        Record(id=RecordId(i), document=key, type="t", name=i, attributes=attributes, evidence=evidence)
        for i in "ab"
    )
    refused = (Rejection(extractor="x/1", code="c", detail=quote),) if full else ()
    graph = DocumentGraph(
        document=key,
        version="v",
        schema_name="s",
        schema_version="1",
        run_id="r",
        records=records,
        rejections=refused,
    )
    data = dump_graph(graph)
    assert DocumentGraph.model_validate_json(data) == graph
    assert dump_graph(DocumentGraph.model_validate_json(data)) == data
    changed = records[0].model_copy(update={"name": "other"})
    other = dump_graph(graph.model_copy(update={"records": (changed, records[1])}))
    assert sum(a != b for a, b in zip(data.split(b"\n"), other.split(b"\n"), strict=True)) == 1


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "g.json"
    path.write_text('{"document": 3}')
    with pytest.raises(WorkspaceError, match=r"g\.json is damaged"):
        load(path, DocumentGraph)
