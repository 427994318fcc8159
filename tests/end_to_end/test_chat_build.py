"""Extraction by a chat model through the whole program: evidence, tokens, cost, the cache, failures."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from extraction.llm import LlmExtractor, document_name
from extraction.rules import RuleExtractor
from kg.adapters.cached_chat import CachedChat
from kg.adapters.scripted_chat_server import ScriptedChatServer, ScriptedReply, ScriptedRequest
from kg.progress import SilentProgress
from kg.wiring import open_platform
from kg.workspace import Workspace
from schemas.documents import Document

NOTE = """# Lifetime number {number}

Abstract: the mean life of the B_s0 meson is measured to be 1.5{number} ± 0.02 ps in Run 1 data.

## Systematic uncertainties

The momentum scale calibration contributes 0.004 ps to the systematic uncertainty.
"""


def _abstract(number: str) -> dict[str, Any]:
    statement = {
        "subject": "document",
        "object": "t",
        "attributes": {"value": f"1.5{number}", "unit": "ps", "stat_plus": 0.02},
        "quotes": [f"measured to be 1.5{number} ± 0.02 ps"],
    }
    entity = {"ref": "t", "name": "lifetime of B_s0", "attributes": {"kind": "lifetime"}}
    return {
        "explanation": "One lifetime, and one that is made up.",
        "document": {"attributes": {"run_period": "Run 1"}, "quotes": ["in Run 1 data"]},
        "entities": {
            "observable": [
                {**entity, "quotes": ["mean life of the B_s0 meson"]},
                {"ref": "x", "name": "Delta m_s", "attributes": {}, "quotes": ["words that are nowhere"]},
            ],
            "decay": [],
        },
        "relations": {"determines": [statement]},
    }


def _passages() -> dict[str, Any]:
    quote = "The momentum scale calibration contributes 0.004 ps"
    return {
        "explanation": "One source.",
        "entities": {
            "uncertainty_source": [{"ref": "s", "name": "momentum scale calibration", "quotes": [quote]}],
            "method": [],
        },
        "relations": {"affects": [], "estimates": []},
    }


class Model:
    """Reads the notes; refuses a number while it is in ``refuses``."""

    def __init__(self) -> None:
        self.refuses = ""

    def __call__(self, request: ScriptedRequest) -> ScriptedReply:
        asked = request.messages[-1][1]
        number = next(n for n in "12" if f"Lifetime number {n}" in asked)
        if number == self.refuses:
            return ScriptedReply("the content policy says no", status=400)
        properties = request.body["response_format"]["json_schema"]["schema"]["properties"]
        reply = _abstract(number) if "document" in properties else _passages()
        return ScriptedReply(json.dumps(reply), prompt_tokens=1_000, completion_tokens=100)


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
def chat(model: Model, workspace: Path) -> Iterator[ScriptedChatServer]:
    """A scripted model that the workspace uses, at 2 per million prompt and 10 per million reply tokens."""
    settings = workspace / "kg.toml"
    with ScriptedChatServer(model) as server:
        text = settings.read_text(encoding="utf-8").replace("llm = false", "llm = true")
        lines = (
            "",
            "[chat]",
            f'base_url = "{server.base_url}"',
            'model = "scripted"',
            "max_retries = 0",
            "price_prompt = 2.0",
            "price_completion = 10.0",
            "",
        )
        settings.write_text(text + "\n".join(lines), encoding="utf-8")
        yield server


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in "12":
        (folder / f"n{number}.md").write_text(NOTE.format(number=number), encoding="utf-8")
    return folder


def last_run(kg: Any, workspace: Path) -> dict[str, Any]:
    return next(r for r in kg("runs", "--json", "-w", workspace).data if r["step"] == "extract")


def test_records_evidence_tokens_and_cost(
    kg: Any, workspace: Path, notes: Path, chat: ScriptedChatServer
) -> None:
    assert kg("add", notes, "-w", workspace).code == 0
    result = kg("extract", "-w", workspace)
    assert result.code == 0, result.text
    opened = Workspace(workspace)
    texts = {d.key: d for d in (opened.read_document(s) for s in opened.documents())}
    for graph in opened.graphs():
        own = [r for r in graph.records if r.extractor == "llm/1:scripted"]
        assert {"observable", "uncertainty_source"} <= {r.type for r in own}
        assert "quote_not_found" in {r.code for r in graph.rejections}
        for evidence in (e for r in own for e in r.evidence):
            assert texts[graph.document].text[evidence.start : evidence.end] == evidence.quote
        assert not any("words that are nowhere" in e.quote for r in graph.records for e in r.evidence)
    run = last_run(kg, workspace)
    calls = len(chat.requests)
    assert calls == run["counts"]["chat_calls"] == 4
    assert (run["prompt_tokens"], run["completion_tokens"]) == (4_000, 400)
    assert run["cost"] == pytest.approx(4_000 * 2e-6 + 400 * 10e-6)
    assert "scripted" in kg("status", "-w", workspace).text
    assert kg("extract", "-w", workspace).out.startswith("extract: 0 changed, 2 unchanged")
    for path in (workspace / "graphs").iterdir():
        path.unlink()
    assert kg("extract", "-w", workspace).out.startswith("extract: 2 changed")
    assert len(chat.requests) == calls, "kept replies are asked for once"
    assert last_run(kg, workspace)["counts"]["chat_cached"] == 4
    assert last_run(kg, workspace)["cost"] == 0


def test_a_failing_chat_is_listed_and_completed_later(
    kg: Any, workspace: Path, notes: Path, chat: ScriptedChatServer, model: Model
) -> None:
    model.refuses = "2"
    assert kg("add", notes, "-w", workspace).code == 0
    result = kg("extract", "-w", workspace)
    assert result.code == 1
    assert "extract: 1 changed, 0 unchanged, 1 failed" in result.out
    assert "n2.md" in result.text
    assert "the content policy says no" in result.text
    assert [g.document for g in Workspace(workspace).graphs()] == ["n1.md"]
    assert [f["item"] for f in kg("status", "--json", "-w", workspace).data["failures"]] == ["n2.md"]
    asked, model.refuses = len(chat.requests), ""
    assert kg("extract", "-w", workspace).out.startswith("extract: 1 changed, 1 unchanged")
    assert len(chat.requests) == asked + 2, "only what failed is asked again"
    assert kg("status", "--json", "-w", workspace).data["failures"] == []


def test_no_chat_settings(kg: Any, workspace: Path, notes: Path) -> None:
    settings = workspace / "kg.toml"
    settings.write_text(
        settings.read_text(encoding="utf-8").replace("llm = false", "llm = true"), encoding="utf-8"
    )
    assert kg("add", notes, "-w", workspace).code == 0
    result = kg("extract", "-w", workspace)
    assert result.code == 1
    assert "kg.toml has no [chat]; add base_url and model" in result.text


def test_both_extractors_name_a_document_alike(
    workspace: Path, notes: Path, chat: ScriptedChatServer, kg: Any
) -> None:
    assert kg("add", notes, "-w", workspace).code == 0
    variants: tuple[Callable[[Document], dict[str, str]], ...] = (
        lambda _: {},
        lambda _: {"doi": "10.1000/x"},
        lambda _: {"doi": "10.1000/x", "arxiv": "2601.00001"},
        lambda _: {"doi": "10.1000/x", "arxiv": "2601.00001", "inspire": "1234567"},
    )
    with open_platform(Workspace(workspace), SilentProgress()) as platform:
        assert isinstance(platform.chat, CachedChat)
        model, schema = LlmExtractor(platform.chat), platform.workspace.schema
        stored = platform.workspace.read_document(platform.workspace.documents()[0])
        for variant in variants:
            names = stored.identifiers.model_copy(update=variant(stored))
            document = stored.model_copy(update={"identifiers": names})
            found = {
                r.name
                for extraction in (
                    RuleExtractor().extract(document, schema),
                    model.extract(document, schema),
                )
                for r in extraction.records
                if r.type == schema.document_type
            }
            assert found == {document_name(document)}
