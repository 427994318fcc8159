"""`kg show` and `kg diff`: facts with quotes and places, rejections, and what a new run changed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from kg.files import dump
from kg.workspace import Workspace
from schemas.graphs import Rejection


@pytest.fixture
def extracted(kg: Any, workspace: Path, corpus: Path) -> Path:
    """A workspace with three documents and their graphs."""
    assert kg("add", corpus, "-w", workspace).code == 0
    assert kg("extract", "-w", workspace).code == 0
    return workspace


def test_facts_are_shown_with_quote_and_place(kg: Any, extracted: Path) -> None:
    shown = kg("show", "first.md", "-w", extracted)
    assert shown.code == 0
    for words in (
        "observable B_s0 mass",
        "momentum scale",
        "first.md:5",
        "rules/7",
        "0.90",
        "schema particle",
    ):
        assert words in shown.text
    data = kg("show", "MASS OF THE", "--json", "-w", extracted).data
    assert data["document"] == "first.md"
    text = (extracted.parent / "corpus" / "first.md").read_text(encoding="utf-8").splitlines()
    assert data["statements"]
    for fact in data["statements"]:
        file, line = fact["quotes"][0]["where"].split(":")
        assert file == "first.md"
        assert fact["quotes"][0]["quote"] in text[int(line) - 1].replace("$", "")  # a formula without marks


def test_rejections_are_counted_by_code(kg: Any, extracted: Path) -> None:
    opened = Workspace(extracted)
    path = next((extracted / "graphs").glob("first*"))
    graph = next(g for g in opened.graphs() if g.document == "first.md")
    refused = tuple(
        Rejection(extractor="rules/7", code=code, detail="the text has no such words", item=f"drug {n}")
        for n, code in enumerate(("no_evidence", "quote_not_found", "quote_not_found"))
    )
    open_slot = Rejection(
        extractor="rules/2", code="a_code_that_is_quite_long", detail="d " * 90, item="{particle} mean life"
    )
    path.write_bytes(dump(graph.model_copy(update={"rejections": (*refused, open_slot)})))
    narrow = kg("show", "first", "--rejected", "-w", extracted, columns=80).out
    assert "a_code_that_is_quite_long " in narrow.split("reason", maxsplit=1)[1]
    shown = kg("show", "first", "--rejected", "-w", extracted)
    assert "quote_not_found 2, no_evidence 1, a_code_that_is_quite_long 1" in shown.text
    assert "drug 2" in shown.text
    assert "(some particle) mean life" in shown.text
    assert "the text has no such words" in shown.text
    data = kg("show", "first", "--rejected", "--json", "-w", extracted).data
    assert data["rejected"] == {"quote_not_found": 2, "no_evidence": 1, "a_code_that_is_quite_long": 1}
    assert len(data["rejections"]) == 4
    assert "Nothing was rejected" in kg("show", "second", "--rejected", "-w", extracted).text


def test_a_document_is_named_by_a_part_that_fits_one(kg: Any, extracted: Path) -> None:
    several = kg("show", "meson", "-w", extracted)
    assert several.code == 1
    assert "fits 2 documents: first.md (Mass of the B_s0 meson); second.md" in several.text
    nothing = kg("show", "no such thing", "-w", extracted)
    assert nothing.code == 1
    assert "fits none of 3 documents" in nothing.text


def test_a_document_without_graph_says_so(kg: Any, workspace: Path, corpus: Path) -> None:
    assert kg("add", corpus / "first.md", "-w", workspace).code == 0
    for command in (("show", "first"), ("diff", "first")):
        result = kg(*command, "-w", workspace)
        assert result.code == (2 if command[0] == "diff" else 1)
        assert "has no graph yet; run `kg extract`" in result.text


def test_a_new_run_is_compared_with_the_one_before(kg: Any, extracted: Path, corpus: Path) -> None:
    alone = kg("diff", "first", "-w", extracted)
    assert alone.code == 2
    assert "only one run" in alone.text
    first = Workspace(extracted).read_graph(
        next(g.document for g in Workspace(extracted).graphs() if g.document == "first.md")
    )
    note = corpus / "first.md"
    text = note.read_text(encoding="utf-8")
    note.write_text(
        "Preface.\n\n" + text.replace("5366.9", "5366.8").replace("momentum scale", "mass scale"), "utf-8"
    )
    assert kg("add", note, "-w", extracted).code == 0
    assert kg("extract", "-w", extracted).code == 0
    changed = kg("diff", "first", "-w", extracted)
    assert changed.code == 1
    for words in (
        "- record uncertainty_source momentum scale",
        "+ record uncertainty_source mass scale",
        "attributes.value: 5366.9 → 5366.8",
    ):
        assert words in changed.text
    assert "decay" not in changed.text, "what only moved is no change"
    assert re.search(r"\d records? (added|removed|changed)", changed.text.splitlines()[-1])
    assert not re.search(r"\b(?:[2-9]|\d\d+) (?:record|statement)\b", changed.text)
    data = kg("diff", "first", first.run_id[:6], "--json", "-w", extracted).data
    assert {d["kind"] for d in data["differences"]} == {"added", "removed", "changed"}
    wrong = kg("diff", "first", "zzz", "-w", extracted)
    assert wrong.code == 2
    assert "expected the id of one run" in wrong.text


def test_two_files_are_compared_without_a_workspace(kg: Any, extracted: Path, tmp_path: Path) -> None:
    path = next((extracted / "graphs").glob("first*"))
    same = kg("diff", path, path, "-w", tmp_path / "nowhere")
    assert (same.code, "the same records" in same.text) == (0, True)
    (tmp_path / "broken.json").write_text('{\n"document": "x",\n"version" 3}', encoding="utf-8")
    broken = kg("diff", path, tmp_path / "broken.json")
    assert broken.code == 2
    assert "broken.json:3: expected JSON" in broken.text


def test_another_schema_version_is_told_and_extracted_anew(kg: Any, extracted: Path) -> None:
    settings = extracted / "kg.toml"
    own = extracted / "own.yaml"
    catalog = Path(__file__).resolve().parents[2] / "schemas" / "catalog" / "particle_physics.yaml"
    own.write_text(catalog.read_text(encoding="utf-8").replace('version: "1.0"', 'version: "1.7"'), "utf-8")
    settings.write_text(
        settings.read_text(encoding="utf-8").replace('"particle_physics"', '"own.yaml"'), "utf-8"
    )
    shown = kg("show", "first", "-w", extracted)
    assert "made under schema particle_physics 1.0, the workspace now has particle_physics 1.7" in shown.text
    assert "extract: 3 changed" in kg("extract", "-w", extracted).out
    data = kg("show", "first", "--json", "-w", extracted).data
    assert (data["schema_version"], data["stale"]) == ("1.7", "")
    assert kg("diff", "first", "-w", extracted).code == 0, "the same content"
