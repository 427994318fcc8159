"""A graph edited by hand becomes decisions: checked with lines, logged, undone, replayed on a new run."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kg.review_log import ReviewLog
from kg.workspace import Workspace
from schemas.graphs import DocumentGraph


@pytest.fixture
def extracted(kg: Any, workspace: Path, corpus: Path) -> Path:
    """A workspace with the two notes and their graphs."""
    assert kg("add", corpus / "first.md", corpus / "second.md", "-w", workspace).code == 0
    assert kg("extract", "-w", workspace).code == 0
    return workspace


def graph_of(workspace: Path) -> DocumentGraph:
    return next(g for g in Workspace(workspace).graphs() if g.document == "first.md")


def file_of(workspace: Path) -> Path:
    return Workspace(workspace).graph_path(graph_of(workspace).document)


def edit(workspace: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the graph file of the first note as an editor would."""
    path = file_of(workspace)
    value = json.loads(path.read_text(encoding="utf-8"))
    change(value)
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def item(value: dict[str, Any], kind: str) -> dict[str, Any]:
    items = (*value["records"], *value["statements"])
    return next(found for found in items if found["type"] == kind)


ADDED = {
    "id": "mine",
    "document": "first.md",
    "type": "method",
    "name": "momentum scale calibration",
    "evidence": [{"start": 0, "end": 5, "quote": "momentum scale calibration"}],
}


SAME = {"type": "observable", "name": "B_s0 mass"}


def four_edits(value: dict[str, Any]) -> None:
    """A record added with a statement, one vetted, one changed, one rejected."""
    item(value, "decay")["status"] = "vetted"
    item(value, "observable")["description"] = "The mass of a meson."
    value["records"] = [r for r in value["records"] if r["type"] != "paper"]
    value["statements"] = [
        {
            "id": "s",
            "document": "first.md",
            "subject": "mine",
            "type": "estimates",
            "object": item(value, "uncertainty_source")["id"],
            "evidence": [{"start": 0, "end": 1, "quote": "uncertainty is due to the momentum scale"}],
        }
    ]
    value["records"].append(ADDED)


def test_edits_become_events_and_the_graph(kg: Any, extracted: Path) -> None:
    edit(extracted, four_edits)
    assert "was edited by hand" in kg("extract", "-w", extracted).text
    said = kg("accept", "first", "--dry-run", "-w", extracted)
    assert "first.md: 7 decisions" in said.text
    assert kg("log", "--json", "-w", extracted).data == []
    assert kg("accept", "-w", extracted).code == 0
    kinds = [e["kind"] for e in kg("log", "--json", "-w", extracted).data]
    assert kinds == ["accept", "edit", "add", "reject", "reject", "add", "reject"]
    graph = graph_of(extracted)
    added = next(r for r in graph.records if r.type == "method")
    text = Workspace(extracted).read_document(Workspace(extracted).find_document("first.md")).text
    assert len(added.id) == 32
    assert text[added.evidence[0].start : added.evidence[0].end] == added.name
    assert [s.subject for s in graph.statements] == [added.id]
    assert {r.type: r.status.value for r in graph.records}["decay"] == "vetted"
    assert kg("extract", "-w", extracted).code == 0
    assert "no graph was edited" in kg("accept", "-w", extracted).text
    shown = kg("show", "first", "-w", extracted).text
    assert "[vetted]" in shown
    assert "by hand" in shown


def test_undo_takes_a_decision_out_of_the_graph(kg: Any, extracted: Path) -> None:
    before = file_of(extracted).read_bytes()
    edit(extracted, lambda value: item(value, "observable").update(description="The mass."))
    assert kg("accept", "-w", extracted).code == 0
    edit(extracted, lambda value: item(value, "observable").update(description="A mass."))
    assert kg("accept", "-w", extracted).code == 0
    early = kg("undo", 1, "-w", extracted)
    assert early.code == 1
    assert "1 later decisions depend on it (2)" in early.text
    assert "event 3 undoes event 2; run `kg build` to apply it" in kg("undo", 2, "-w", extracted).out
    assert "one merge" not in kg("undo", "--help").text
    assert kg("undo", 1, "-w", extracted).code == 0
    assert kg("extract", "-w", extracted).code == 0
    assert file_of(extracted).read_bytes() == before
    assert kg("undo", 4, "-w", extracted).code == 0, "redo"
    assert kg("extract", "-w", extracted).code == 0
    assert "The mass." in file_of(extracted).read_text(encoding="utf-8")


def test_putting_the_former_values_back_by_hand_is_told(kg: Any, extracted: Path, tmp_path: Path) -> None:
    before = file_of(extracted).read_bytes()
    edit(extracted, lambda value: item(value, "observable").update(description="The mass."))
    assert kg("accept", "-w", extracted).code == 0
    file_of(extracted).write_bytes(before)
    said = kg("accept", "-w", extracted).text
    assert "says what was before event 1: to take what was decided back run `kg undo 1`" in said
    assert "no graph was edited" not in said
    tables = tmp_path / "tables"
    assert kg("export", tables, "--format", "csv", "-w", extracted).code == 0
    untouched = kg("import", "csv", tables, "-w", extracted)
    assert (untouched.code, "nothing differs" in untouched.text) == (0, True)
    nodes = tables / "nodes.csv"
    described = re.sub(rb"(first\.md,observable,[^,]*),,", rb"\1,The mass.,", nodes.read_bytes(), count=1)
    nodes.write_bytes(described)
    changed = kg("import", "csv", tables, "-w", extracted)
    assert changed.code == 1
    assert "before event 1" in changed.text
    assert kg("undo", 1, "-w", extracted).code == 0
    assert "no graph was edited" in kg("accept", "-w", extracted).text


def test_accepting_again_after_a_crash_logs_nothing_twice(
    kg: Any, extracted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(extracted, four_edits)

    def crash(self: Workspace, graph: DocumentGraph) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Workspace, "save_reviewed", crash)
        assert kg("accept", "-w", extracted).code == 130
    assert len(kg("log", "--json", "-w", extracted).data) == 7
    assert "first.md: 0 decisions" in kg("accept", "-w", extracted).text
    assert len(kg("log", "--json", "-w", extracted).data) == 7
    assert kg("extract", "-w", extracted).code == 0


def test_decisions_survive_a_new_text(kg: Any, extracted: Path, corpus: Path) -> None:
    edit(extracted, four_edits)
    assert kg("accept", "-w", extracted).code == 0
    note = corpus / "first.md"
    text = note.read_text(encoding="utf-8")
    note.write_text(text.replace("\n\n", "\n\nA word before.\n\n", 1), encoding="utf-8")
    assert kg("add", note, "-w", extracted).code == 0
    again = kg("extract", "-w", extracted)
    assert (again.code, "conflict" in again.text) == (0, False)
    graph = graph_of(extracted)
    assert {r.type for r in graph.records} == {"decay", "observable", "uncertainty_source", "method"}
    assert [s.type for s in graph.statements] == ["estimates"]
    new = Workspace(extracted).read_document(Workspace(extracted).find_document("first.md")).text
    for fact in (*graph.records, *graph.statements):
        assert all(new[e.start : e.end] == e.quote for e in fact.evidence)
    note.write_text(text.replace("momentum scale calibration", "scale of momenta"), encoding="utf-8")
    assert kg("add", note, "-w", extracted).code == 0
    lost = kg("extract", "-w", extracted)
    assert "method momentum scale calibration: evidence_lost" in lost.text
    assert "statement estimates: evidence_lost" in lost.text
    assert "method" not in {r.type for r in graph_of(extracted).records}
    listed = kg("contested", "--json", "-w", extracted).data
    assert [c["code"] for c in listed] == ["evidence_lost", "evidence_lost"]
    assert {c["document"] for c in listed} == {"first.md"}
    assert kg("contested", "first.md", "--json", "-w", extracted).data == listed, "asking changes nothing"
    assert "method momentum scale calibration" in " ".join(kg("contested", "-w", extracted).text.split())
    events = {c["event"] for c in listed}
    for event in sorted(events, reverse=True):
        assert kg("undo", event, "-w", extracted).code == 0
    assert kg("contested", "--json", "-w", extracted).data == []


def test_a_contradicting_run_raises_a_conflict_and_keeps_the_decision(
    kg: Any, extracted: Path, corpus: Path
) -> None:
    edit(extracted, lambda value: item(value, "determines")["attributes"].update(comment="for charged modes"))
    edit(extracted, lambda value: item(value, "observable")["attributes"].update(particle="B_s"))
    assert kg("accept", "-w", extracted).code == 0
    edit(extracted, lambda value: item(value, "observable")["attributes"].update(kind="width"))
    assert kg("accept", "-w", extracted).code == 0
    assert "conflict" not in kg("extract", "-w", extracted).text
    graph = graph_of(extracted)
    observable = next(r for r in graph.records if r.type == "observable")
    assert observable.attributes == {"kind": "width", "particle": "B_s"}
    with ReviewLog.open(extracted / "log.db") as log:
        log.verify()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda v: item(v, "decay").update(type="deccay"), "expected one of paper, observable, decay"),
        (lambda v: item(v, "decay").update(type="paper"), "type cannot be edited"),
        (lambda v: item(v, "decay")["evidence"][0].update(quote="not there"), "has no 'not there'"),
        (lambda v: item(v, "determines")["attributes"].update(value=17.5), "value: 17.5 stands in no quote"),
        (lambda v: item(v, "determines").update(object="nobody"), "is the id of no record in this file"),
        (lambda v: item(v, "determines").update(object=item(v, "decay")["id"]), "object cannot be edited"),
        (
            lambda v: item(v, "determines").update(object=item(v, "decay")["id"], id="x"),
            "expected one of obs",
        ),
        (lambda v: item(v, "observable")["attributes"].update(kynd="mass"), "did you mean 'kind'"),
        (lambda v: item(v, "decay").update(name="d" * 1_001), "at most 1000 characters, found 1001"),
        (lambda v: item(v, "decay").update(status="published"), "only a release publishes"),
        (lambda v: v.update(version="0" * 32), "version cannot be edited"),
        (lambda v: v["records"].append(ADDED | {"evidence": []}), "expected evidence with a quote"),
        (lambda v: v["records"].append(ADDED | SAME), "is a record already"),
    ],
)
def test_a_wrong_edit_is_refused_with_its_line_and_nothing_is_logged(
    kg: Any, extracted: Path, change: Callable[[dict[str, Any]], None], words: str
) -> None:
    path = file_of(extracted)
    edit(extracted, change)
    refused = kg("accept", "-w", extracted)
    assert refused.code == 1
    assert words in refused.text
    assert f"{path}:" in refused.text
    line = int(refused.text.split(f"{path}:")[1].split(":")[0])
    assert 1 < line <= len(path.read_text(encoding="utf-8").splitlines())
    assert kg("log", "--json", "-w", extracted).data == []
