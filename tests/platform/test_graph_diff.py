"""What changed between two graphs, by content; and graph files with errors at file and line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.files import dump
from kg.graph_diff import diff_graphs
from kg.graph_file import read_graph_file
from kg.json_lines import line_of
from schemas.errors import GraphFileError
from schemas.graphs import DocumentGraph, Evidence, Record, Statement
from schemas.ids import DocumentKey, RecordId, StatementId

DOC = DocumentKey("note.md")
NAMES = ("a", "b")


def record(name: str, *, kind: str = "fault", at: int = 0, **attributes: str | float) -> Record:
    quote = Evidence(start=at, end=at + len(name), quote=name)
    return Record(
        id=RecordId(f"{kind} {name}"),
        document=DOC,
        type=kind,
        name=name,
        attributes=attributes,
        evidence=(quote,),
    )


def statement(left: Record, right: Record, quote: str, number: int = 0, **attributes: float) -> Statement:
    return Statement(
        id=StatementId(f"{left.id}-{right.id}-{number}"),
        document=DOC,
        subject=left.id,
        type="leads_to",
        object=right.id,
        attributes=attributes,
        evidence=(Evidence(start=0, end=len(quote), quote=quote),),
    )


def graph(records: tuple[Record, ...], statements: tuple[Statement, ...] = ()) -> DocumentGraph:
    return DocumentGraph(
        document=DOC,
        version="v",
        schema_name="logbook",
        schema_version="1.0",
        run_id="r",
        records=records,
        statements=statements,
    )


PUMP, LEAK = record("pump trip"), record("water leak", severity="high")


def test_ids_offsets_and_order_are_no_difference() -> None:
    before = graph((PUMP, LEAK), (statement(LEAK, PUMP, "it tripped"),))
    other = [
        r.model_copy(update={"id": RecordId(f"other {r.id}"), "evidence": moved(r)}) for r in (LEAK, PUMP)
    ]
    again = graph(tuple(other), (statement(other[0], other[1], "it tripped"),))
    assert diff_graphs(before, again, names=NAMES).differences == ()


def moved(found: Record) -> tuple[Evidence, ...]:
    return tuple(e.model_copy(update={"start": e.start + 7, "end": e.end + 7}) for e in found.evidence)


def test_added_removed_and_changed_are_told_apart() -> None:
    worse = LEAK.model_copy(update={"attributes": {"severity": "low", "area": "B4"}})
    found = diff_graphs(graph((PUMP, LEAK)), graph((worse, record("fire"))), names=NAMES)
    told = [(d.kind, d.item, [(c.field, c.before, c.after) for c in d.changes]) for d in found.differences]
    assert told == [
        ("removed", "fault pump trip", []),
        (
            "changed",
            "fault water leak",
            [("attributes.severity", "high", "low"), ("attributes.area", None, "B4")],
        ),
        ("added", "fault fire", []),
    ]
    assert found.counts() == {"record removed": 1, "record changed": 1, "record added": 1}


def test_several_statements_between_the_same_ends_are_paired_by_what_they_say() -> None:
    old = (statement(LEAK, PUMP, "first", 0, size=1.0), statement(LEAK, PUMP, "second", 1, size=2.0))
    new = (statement(LEAK, PUMP, "second", 0, size=3.0), statement(LEAK, PUMP, "other", 1, size=1.0))
    found = diff_graphs(graph((PUMP, LEAK), old), graph((PUMP, LEAK), new), names=NAMES)
    told = {(c.field, c.before, c.after) for d in found.differences for c in d.changes}
    assert told == {("attributes.size", 2.0, 3.0), ("quotes", ("first",), ("other",))}


graphs = st.lists(
    st.tuples(st.sampled_from("abcdef"), st.floats(0, 1), st.integers(0, 9)),
    max_size=6,
    unique_by=lambda x: x[0],
).map(lambda rows: graph(tuple(record(n, at=at, size=size) for n, size, at in rows)))


@given(graphs, graphs)
def test_the_difference_is_empty_for_equal_graphs_and_mirrors(
    left: DocumentGraph, right: DocumentGraph
) -> None:
    assert diff_graphs(left, left, names=NAMES).differences == ()
    there, back = diff_graphs(left, right, names=NAMES), diff_graphs(right, left, names=NAMES)
    mirrored = {"added": "removed", "removed": "added", "changed": "changed"}
    assert {(d.item, d.kind) for d in there.differences} == {
        (d.item, mirrored[d.kind]) for d in back.differences
    }


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"type": "fault"', '"typ": "fault"', "is no key of a graph file"),
        ('"confidence": 0.5', '"confidence": 5', "less than or equal to 1"),
        ('"id": "fault water leak"', '"id": "fault pump trip"', "stands twice"),
        ('"subject": "fault water leak"', '"subject": "nobody"', "the id of no record in this file"),
        ('"name": "water leak",', '"name": "water leak"', "expected JSON"),
    ],
)
def test_a_wrong_file_is_told_with_its_line(tmp_path: Path, old: str, new: str, words: str) -> None:
    unsure = LEAK.model_copy(update={"confidence": 0.5})
    path = tmp_path / "graph.json"
    path.write_bytes(dump(graph((PUMP, unsure), (statement(unsure, PUMP, "it tripped"),))))
    text = path.read_text(encoding="utf-8")
    assert read_graph_file(path).graph.records[1] == unsure
    assert old in text
    wrong = text.replace(old, new, 1)
    path.write_text(wrong, encoding="utf-8")
    with pytest.raises(GraphFileError, match=words) as caught:
        read_graph_file(path)
    expected = wrong[: wrong.rindex(new)].count("\n") + 1 + (words == "expected JSON")
    assert caught.value.line == expected
    assert str(caught.value).startswith(f"{path}:{expected}: ")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("it tripped", "it \\ud800", "expected JSON, found: unexpected end of hex escape"),
        ('"document"', '\ufeff"document"', "expected JSON"),
        ('"confidence": 0.5', f'"confidence": {"9" * 5_000}', "thousands of digits"),
    ],
)
def test_odd_text_and_numbers_are_faults_of_the_file(tmp_path: Path, old: str, new: str, words: str) -> None:
    unsure = LEAK.model_copy(update={"confidence": 0.5})
    path = tmp_path / "graph.json"
    path.write_bytes(dump(graph((PUMP, unsure), (statement(unsure, PUMP, "it tripped"),))))
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(GraphFileError, match=words):
        read_graph_file(path)
    path.write_text("\ufeff" + text, encoding="utf-8")
    with pytest.raises(GraphFileError, match="byte order mark"):
        read_graph_file(path)


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff\xfe", b"3", b"[" * 100_000, b'{"records": 3}'])
def test_what_is_no_graph_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "graph.json"
    path.write_bytes(content)
    with pytest.raises(GraphFileError, match=r"graph\.json"):
        read_graph_file(path)


def test_a_line_is_found_below_strings_that_hold_brackets() -> None:
    text = '{\n"a": "}],{",\n"b": [\n1,\n{"c":\n"\\"}"}\n]\n}'
    assert [line_of(text, p) for p in (("a",), ("b",), ("b", 0), ("b", 1), ("b", 1, "c"))] == [2, 3, 4, 5, 5]
