"""`kg export --format csv|brat` and `kg import brat`."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from kg.workspace import Workspace
from schemas.graphs import DocumentGraph
from schemas.schema_files import load_schema


def content(graphs: list[DocumentGraph]) -> set[tuple[str, ...]]:
    return {(r.type, r.name, *(e.quote for e in r.evidence)) for g in graphs for r in g.records}


def test_brat_and_csv(kg: Any, workspace: Path, corpus: Path, tmp_path: Path) -> None:
    assert kg("add", corpus / "first.md", corpus / "second.md", "-w", workspace).code == 0
    assert kg("extract", "-w", workspace).code == 0
    before = list(Workspace(workspace).graphs())
    assert "2 documents" in kg("export", tmp_path / "brat", "--format", "brat", "-w", workspace).text
    other = tmp_path / "other"
    assert kg("init", other).code == 0
    assert "import: 2 changed" in kg("import", "brat", tmp_path / "brat", "-w", other).text
    assert "import: 0 changed, 2 unchanged" in kg("import", "brat", tmp_path / "brat", "-w", other).text
    assert "extract: 0 changed, 2 unchanged" in kg("extract", "-w", other).text
    after = list(Workspace(other).graphs())
    assert content(after) == content(before)
    assert [len(g.statements) for g in after] == [len(g.statements) for g in before]
    assert "first.md.txt:5" in kg("show", "first", "-w", other).text
    assert kg("export", tmp_path / "again", "--format", "brat", "-w", other).code == 0
    twice = {p.name: p.read_bytes() for p in (tmp_path / "again").iterdir()}
    assert twice == {p.name: p.read_bytes() for p in (tmp_path / "brat").iterdir()}
    refused = kg("import", "brat", tmp_path / "brat", "-w", workspace)
    assert refused.code == 1
    assert "import: 0 changed, 0 unchanged, 2 failed" in refused.text
    assert "found that of first.md" in " ".join(refused.text.split())

    assert kg("export", tmp_path / "csv", "--format", "csv", "-w", workspace).code == 0
    with (tmp_path / "csv" / "nodes.csv").open(encoding="utf-8", newline="") as file:
        nodes = list(csv.DictReader(file))
    with (tmp_path / "csv" / "edges.csv").open(encoding="utf-8", newline="") as file:
        edges = list(csv.DictReader(file))
    assert {(n["type"], n["name"]) for n in nodes} == {c[:2] for c in content(before)}
    assert {e["subject"] for e in edges} <= {n["id"] for n in nodes}
    assert all(json.loads(e["quotes"])[0]["quote"] == e["quote"] for e in edges)

    (tmp_path / "brat" / "first.md.txt").write_text("Another text.", encoding="utf-8")
    wrong = kg("import", "brat", tmp_path / "brat", "-w", other)
    assert wrong.code == 1
    assert "first.md.ann:1: expected" in wrong.text
    assert kg("import", "brat", tmp_path / "csv", "-w", other).code == 1


def test_a_cell_is_no_formula(kg: Any, workspace: Path, tmp_path: Path) -> None:
    note = tmp_path / "=cmd.md"
    note.write_text("# =1+1\n\nThe mass of the B_s0 meson.\n", encoding="utf-8")
    assert kg("add", note, "-w", workspace).code == 0
    assert kg("extract", "-w", workspace).code == 0
    assert kg("export", tmp_path / "csv", "--format", "csv", "-w", workspace).code == 0
    text = (tmp_path / "csv" / "nodes.csv").read_text(encoding="utf-8")
    cells = [cell for row in csv.reader(text.splitlines()) for cell in row]
    assert any(cell.startswith("'=") for cell in cells)
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)


def change(path: Path, column: str, value: str, *, row: int = 0) -> None:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    rows[row][column] = value
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


def test_edited_tables_become_decisions(kg: Any, workspace: Path, corpus: Path, tmp_path: Path) -> None:
    assert kg("add", corpus / "first.md", corpus / "second.md", "-w", workspace).code == 0
    assert kg("extract", "-w", workspace).code == 0
    tables = tmp_path / "csv"
    assert kg("export", tables, "--format", "csv", "-w", workspace).code == 0
    assert "first.md: 0 decisions" in kg("import", "csv", tables, "-w", workspace).text
    before = list(Workspace(workspace).graphs())

    change(tables / "nodes.csv", "description", "what is measured")
    dry = kg("import", "csv", tables, "--dry-run", "--json", "-w", workspace)
    assert [len(d["decisions"]) for d in dry.data] == [1, 0]
    assert list(Workspace(workspace).graphs()) == before
    done = kg("import", "csv", tables, "-w", workspace)
    assert (done.code, "first.md: 1 decision" in done.text) == (0, True)
    after = list(Workspace(workspace).graphs())
    assert [r.description for r in after[0].records].count("what is measured") == 1
    assert "first.md: 0 decisions" in kg("import", "csv", tables, "-w", workspace).text
    assert [e["kind"] for e in kg("log", "--json", "-w", workspace).data] == ["edit"]
    assert kg("extract", "-w", workspace).code == 0
    assert list(Workspace(workspace).graphs()) == after

    change(tables / "nodes.csv", "status", "vetted", row=1)
    late = kg("import", "csv", tables, "-w", workspace)
    assert (late.code, "nodes.csv:2: graph (column P): the graph of first.md is no longer" in late.text) == (
        1,
        True,
    )
    assert kg("undo", "1", "-w", workspace).code == 0
    assert kg("extract", "-w", workspace).code == 0
    assert list(Workspace(workspace).graphs()) == before
    assert kg("import", "csv", tables, "-w", workspace).code == 0
    kinds = [e["kind"] for e in kg("log", "--json", "-w", workspace).data]
    assert sorted(kinds) == ["accept", "edit", "edit", "undo"]

    change(tables / "nodes.csv", "document", "nobody.md")
    unknown = kg("import", "csv", tables, "-w", workspace)
    assert (unknown.code, "nodes.csv:2: document (column C): no document 'nobody.md'" in unknown.text) == (
        1,
        True,
    )


ANNOTATED = "T1\tfault 9 16\ttripped\n"


def own_schema(workspace: Path, version: str, *, fault: str = "fault") -> None:
    """Give the workspace a schema of its own: the logbook's, of that version, its faults called otherwise."""
    value = load_schema("logbook").model_dump(mode="json", exclude_defaults=True) | {"version": version}
    text = json.dumps(value, ensure_ascii=False).replace('"fault"', f'"{fault}"')
    (workspace / "own.yaml").write_text(text, encoding="utf-8")
    settings = workspace / "kg.toml"
    lines = [s for s in settings.read_text(encoding="utf-8").splitlines() if not s.startswith("schema")]
    settings.write_text("\n".join(['schema = "own.yaml"', *lines]), encoding="utf-8")


def test_imported_graphs_follow_the_schema_or_are_listed(kg: Any, workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "brat").mkdir()
    (tmp_path / "brat" / "shift.txt").write_text("The pump tripped.", encoding="utf-8")
    (tmp_path / "brat" / "shift.ann").write_text(ANNOTATED, encoding="utf-8")
    own_schema(workspace, "8.1")
    assert kg("import", "brat", tmp_path / "brat", "-w", workspace).code == 0
    (graph,) = Workspace(workspace).graphs()
    tables = tmp_path / "csv"
    assert kg("export", tables, "--format", "csv", "-w", workspace).code == 0
    change(tables / "nodes.csv", "status", "vetted")
    assert kg("import", "csv", tables, "-w", workspace).code == 0

    own_schema(workspace, "8.2")
    assert kg("status", "--json", "-w", workspace).data["other_schema"] == 1
    assert "extract: 1 changed" in kg("extract", "-w", workspace).text
    (after,) = Workspace(workspace).graphs()
    assert (after.schema_version, after.records[0].status.value) == ("8.2", "vetted")
    assert after.run_id != graph.run_id
    assert kg("status", "--json", "-w", workspace).data["other_schema"] == 0
    assert "extract: 0 changed, 1 unchanged" in kg("extract", "-w", workspace).text

    own_schema(workspace, "8.3", fault="breakdown")
    refused = kg("extract", "-w", workspace)
    assert refused.code == 1
    assert "no entity type 'fault'" in refused.text
    assert list(Workspace(workspace).graphs()) == []
    assert "1 graph of another schema version" in kg("status", "-w", workspace).text
    own_schema(workspace, "8.4")
    assert "extract: 1 changed" in kg("extract", "-w", workspace).text
    assert [g.records for g in Workspace(workspace).graphs()] == [after.records]


def test_listings_follow_the_schema_and_decisions_stay(kg: Any, workspace: Path, tmp_path: Path) -> None:
    assert kg("add", "pdg", "--experiment", "SND", "-w", workspace).code == 0
    assert kg("extract", "-w", workspace).code == 0
    before = {g.document: g for g in Workspace(workspace).graphs()}
    assert kg("export", tmp_path, "--format", "csv", "-w", workspace).code == 0
    change(tmp_path / "nodes.csv", "description", "seen by a person")
    assert kg("import", "csv", tmp_path, "-w", workspace).code == 0
    value = load_schema("particle_physics").model_dump(mode="json", exclude_defaults=True)
    made = json.dumps(value | {"version": "9.9"}, ensure_ascii=False)
    (workspace / "own.yaml").write_text(made, encoding="utf-8")
    settings = workspace / "kg.toml"
    text = settings.read_text(encoding="utf-8").replace('"particle_physics"', '"own.yaml"')
    settings.write_text(text, encoding="utf-8")
    assert kg("status", "--json", "-w", workspace).data["other_schema"] == len(before)
    assert f"extract: {len(before)} changed, 0 unchanged" in kg("extract", "-w", workspace).text
    after = {g.document: g for g in Workspace(workspace).graphs()}
    assert {g.schema_version for g in after.values()} == {"9.9"}
    assert after.keys() == before.keys()
    changed = [key for key in after if after[key].records != before[key].records]
    assert len(changed) == 1
    assert [r.description for r in after[changed[0]].records].count("seen by a person") == 1
    assert f"extract: 0 changed, {len(before)} unchanged" in kg("extract", "-w", workspace).text
