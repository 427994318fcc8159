"""The whole program through its command line: every step, twice, elsewhere, and taken back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kg.adapters.neo4j_connection import Connection
from kg.adapters.neo4j_store import Neo4jStore

pytestmark = pytest.mark.neo4j


def content(database: Connection) -> list[str]:
    """Every node and relationship with its internal id and all properties: nothing may be rewritten."""
    nodes = database.read("MATCH (n) RETURN elementId(n) AS e, labels(n) AS l, properties(n) AS p")
    links = database.read("MATCH ()-[r]->() RETURN elementId(r) AS e, type(r) AS l, properties(r) AS p")
    return sorted(json.dumps(row, sort_keys=True, default=str) for row in (*nodes, *links))


def graph_hash(kg: Any, workspace: Path) -> str:
    """The hash that ``kg verify`` prints, which must be the same for files and Neo4j."""
    result = kg("verify", "-w", workspace)
    assert result.code == 0, result.text
    files, stored = (line.split()[-1] for line in result.out.splitlines()[-2:])
    assert files == stored
    assert len(files) == 64
    return str(files)


def test_every_step_by_itself(
    kg: Any, workspace: Path, corpus: Path, database: Connection, tmp_path: Path
) -> None:
    assert kg("add", corpus, "-w", workspace).out.startswith("add: 3 changed, 0 unchanged")
    assert kg("extract", "-w", workspace).out.startswith("extract: 3 changed")
    assert "records are" in kg("resolve", "-w", workspace).out
    for step in ("load", "communities", "embed"):
        result = kg(step, "-w", workspace)
        assert result.code == 0, result.text
        assert result.out.startswith(f"{step}: ")
    status = kg("status", "--json", "-w", workspace).data
    assert status["documents"] == status["stages"]["loaded"] == 3
    assert status["entities"]["paper"] == 3
    assert status["graph_hash"] == graph_hash(kg, workspace)
    assert status["failures"] == []
    steps = {run["step"]: run for run in kg("runs", "--json", "-w", workspace).data}
    assert set(steps) == {"add", "extract", "resolve", "load", "communities", "embed"}
    assert all(run["state"] == "done" and run["seconds"] >= 0 for run in steps.values())
    assert steps["embed"]["counts"]["passages"] > 0
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    assert kg("export", first, "-w", workspace).code == kg("export", second, "-w", workspace).code == 0
    assert first.read_bytes() == second.read_bytes()
    header = json.loads(first.read_text(encoding="utf-8").splitlines()[0])
    assert header["graph_hash"] == status["graph_hash"]
    assert header["counts"]["entities"] == sum(status["entities"].values())


def test_questions_and_their_exit_status(
    kg: Any, workspace: Path, corpus: Path, database: Connection
) -> None:
    assert kg("build", corpus, "-w", workspace).code == 0
    answer = kg("ask", "What is the B_s0 mean life?", "--json", "-w", workspace)
    assert answer.code == 0
    assert answer.data["outcome"] == "answered"
    values = {row[answer.data["columns"].index("value")] for row in answer.data["rows"]}
    assert 1.512 in values
    assert {c["document"] for c in answer.data["citations"]} >= {"oscillation/main.tex"}
    printed = kg("ask", "What is the B_s0 mean life?", "-w", workspace)
    assert "1.512" in printed.out
    assert "MATCH" not in printed.out
    assert "MATCH" in kg("ask", "What is the B_s0 mean life?", "--cypher", "-w", workspace).out
    honest = kg("ask", "Who won the football match?", "--json", "-w", workspace)
    assert honest.code == 3
    assert honest.data["outcome"] == "unanswerable"
    assert honest.data["rows"] == []
    too_long = kg("ask", "x" * 2_001, "-w", workspace)
    assert too_long.code == 1
    assert "at most 2000 characters, found 2001" in too_long.text


def test_a_second_build_changes_nothing(kg: Any, workspace: Path, corpus: Path, database: Connection) -> None:
    assert kg("build", corpus, "-w", workspace).code == 0
    before, known = graph_hash(kg, workspace), content(database)
    files = {p: p.stat().st_mtime_ns for p in workspace.rglob("*.json")}
    again = kg("build", corpus, "-w", workspace)
    assert again.code == 0
    for step in ("add", "extract", "resolve", "load", "communities", "embed"):
        assert f"{step}: 0 changed" in again.out, again.out
    assert graph_hash(kg, workspace) == before
    assert content(database) == known
    assert files == {p: p.stat().st_mtime_ns for p in workspace.rglob("*.json")}


def test_the_same_workspace_in_an_empty_database(
    kg: Any, workspace: Path, corpus: Path, database: Connection
) -> None:
    assert kg("build", corpus, "-w", workspace).code == 0
    before = graph_hash(kg, workspace)
    marker = Neo4jStore(database, workspace="any").marker()
    assert marker is not None
    Neo4jStore(database, workspace=marker.id).wipe()
    assert kg("verify", "-w", workspace).code == 1
    assert kg("load", "-w", workspace).code == 0
    assert graph_hash(kg, workspace) == before
    assert kg("load", "--fresh", "-w", workspace).code == 0
    assert graph_hash(kg, workspace) == before


def test_a_document_is_replaced_and_restored(
    kg: Any, workspace: Path, corpus: Path, database: Connection
) -> None:
    assert kg("build", corpus, "-w", workspace).code == 0
    before = graph_hash(kg, workspace)
    note = corpus / "second.md"
    original = note.read_text(encoding="utf-8")
    note.write_text(original.replace("1.51 ", "1.59 "), encoding="utf-8")
    assert "add: 1 changed, 2 unchanged" in kg("build", corpus, "-w", workspace).out
    assert graph_hash(kg, workspace) != before
    rows = database.read("MATCH ()-[d:DETERMINES]->() RETURN collect(d.value) AS values")[0]["values"]
    assert 1.59 in rows
    assert 1.51 not in rows
    note.write_text(original, encoding="utf-8")
    assert kg("build", corpus, "-w", workspace).code == 0
    assert graph_hash(kg, workspace) == before


def test_a_removed_document_takes_only_its_own_facts_along(
    kg: Any, workspace: Path, corpus: Path, database: Connection
) -> None:
    assert kg("build", corpus, "-w", workspace).code == 0
    before = graph_hash(kg, workspace)
    assert kg("remove", "no-such-key", "-w", workspace).code == 1
    assert kg("remove", "second.md", "-w", workspace).code == 0
    assert kg("build", "-w", workspace).code == 0
    assert database.read("MATCH (d:Document) RETURN count(d) AS n")[0]["n"] == 2
    rows = database.read("MATCH ()-[d:DETERMINES]->() RETURN collect(d.value) AS values")[0]["values"]
    assert 1.51 not in rows
    assert 5366.9 in rows
    assert any((workspace / "removed").rglob("second.md@*.json"))
    assert kg("build", corpus, "-w", workspace).code == 0
    assert graph_hash(kg, workspace) == before


def test_an_undone_merge_stays_apart(kg: Any, workspace: Path, corpus: Path, database: Connection) -> None:
    assert kg("build", corpus, "-w", workspace).code == 0
    merges = [e for e in kg("log", "--json", "--limit", 500, "-w", workspace).data if e["kind"] == "merge"]
    joined = [e for e in merges if len(json.loads(e["payload"])["records"]) > 1]
    assert joined, "the notes share a decay"
    records = json.loads(joined[0]["payload"])["records"]
    before = graph_hash(kg, workspace)
    query = "MATCH (r:Record)-[:REFERS_TO]->(e) WHERE r.id IN $ids RETURN count(DISTINCT e) AS n"
    assert database.read(query, {"ids": records})[0]["n"] == 1
    assert kg("undo", joined[0]["seq"], "-w", workspace).code == 0
    assert kg("load", "-w", workspace).code == 0
    apart = graph_hash(kg, workspace)
    assert apart != before
    assert database.read(query, {"ids": records})[0]["n"] == len(records)
    assert kg("build", "-w", workspace).code == 0
    assert graph_hash(kg, workspace) == apart
    assert database.read(query, {"ids": records})[0]["n"] == len(records)
    assert "undone" in kg("undo", joined[0]["seq"], "-w", workspace).text


def test_equal_files_stay_one_document(kg: Any, workspace: Path, tmp_path: Path) -> None:
    folder = tmp_path / "twins"
    folder.mkdir()
    for name in ("x.md", "y.md"):
        (folder / name).write_text("# Twins\n\nThe B0 meson.\n", encoding="utf-8")
    assert kg("add", folder, "-w", workspace).code == 0
    kept = sorted((workspace / "documents").iterdir())
    assert "add: 0 changed, 2 unchanged" in kg("add", folder, "-w", workspace).out
    assert sorted((workspace / "documents").iterdir()) == kept
    assert {p.name.partition("@")[0] for p in kept} == {"x.md"}


def test_the_pdg_citation_is_in_every_export(kg: Any, workspace: Path, tmp_path: Path) -> None:
    added = kg("add", "pdg", "--experiment", "SND", "-w", workspace)
    assert added.code == 0
    file = tmp_path / "graph.jsonl"
    assert kg("resolve", "-w", workspace).code == 0
    assert kg("export", file, "-w", workspace).code == 0
    header = json.loads(file.read_text(encoding="utf-8").splitlines()[0])
    assert any("Particle Data Group" in line for line in header["attributions"])
    assert header["counts"]["statements"] > 10
