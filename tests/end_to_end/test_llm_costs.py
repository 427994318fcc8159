"""Forecast, budget and limits of a run with a chat model, through the whole program."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kg.adapters.neo4j_connection import Connection
from kg.adapters.scripted_chat_server import ScriptedChatServer, ScriptedReply, ScriptedRequest
from kg.workspace import Workspace

TOKEN = re.compile(r"[^\W\d_]{1,5}|\d{1,3}|[^\w\s]|_")
"""Like a byte-pair tokenizer: pieces of words, short numbers, single signs. Nothing in kg counts so."""
PRICE_PROMPT, PRICE_COMPLETION = 2.0, 10.0
SENTENCES = (
    "The momentum scale calibration contributes 0.00{0} ps to the systematic uncertainty.",
    "The decay time resolution model is varied and the change of 0.0{0} ps is taken as an uncertainty.",
    "The acceptance is studied with pseudoexperiments, and half the shift is assigned as uncertainty.",
)


def note(number: int) -> str:
    """A short paper; the length differs from number to number."""
    body = "\n\n".join(s.format(number % 9 + 1) for s in SENTENCES * (1 + number % 4))
    return (
        f"# Lifetime number {number}\n\nAbstract: the mean life of the B_s0 meson is measured to be "
        f"1.5{number} ± 0.02 ps in Run 1 data.\n\n## Systematic uncertainties\n\n{body}\n"
    )


def tokens(texts: Iterator[str] | list[str]) -> int:
    return sum(len(TOKEN.findall(t)) for t in texts)


def model(request: ScriptedRequest) -> ScriptedReply:
    """Extracts what the notes say; stage one finds a lifetime, stage two the sources it reads."""
    asked = request.messages[-1][1]
    schema = request.body["response_format"]["json_schema"]["schema"]
    reply: dict[str, Any]
    if "document" in schema["properties"]:
        value = next(iter(re.findall(r"measured to be (1\.5\d+)", asked)), "1.5")
        entity = {"ref": "t", "name": "lifetime of B_s0", "attributes": {"kind": "lifetime"}}
        reply = {
            "explanation": "One lifetime of a meson, with a statistical uncertainty, from Run 1.",
            "document": {"attributes": {"run_period": "Run 1"}, "quotes": ["in Run 1 data"]},
            "entities": {"observable": [{**entity, "quotes": ["mean life of the B_s0 meson"]}], "decay": []},
            "relations": {
                "determines": [
                    {
                        "subject": "document",
                        "object": "t",
                        "attributes": {"value": value, "unit": "ps"},
                        "quotes": [f"measured to be {value}"],
                    }
                ]
            },
        }
    else:
        quotes = re.findall(r"The momentum scale[^.]*0\.00\d ps", asked)
        sources = [
            {"ref": f"s{n}", "name": f"momentum scale calibration {n}", "quotes": [quote]}
            for n, quote in enumerate(quotes)
        ]
        reply = {
            "explanation": "Sources of uncertainty, each with what the text says of it.",
            "entities": {"uncertainty_source": sources, "method": []},
            "relations": {},
        }
    text = json.dumps(reply, indent=1)
    prompt = tokens([content for _, content in request.messages]) + tokens([json.dumps(schema)])
    return ScriptedReply(text, prompt_tokens=prompt, completion_tokens=tokens([text]))


def use_model(workspace: Path, server: ScriptedChatServer, *lines: str) -> None:
    """Let the workspace use the scripted model."""
    settings = workspace / "kg.toml"
    text = settings.read_text(encoding="utf-8").replace("llm = false", "llm = true")
    chat = (
        "",
        "[chat]",
        f'base_url = "{server.base_url}"',
        'model = "scripted"',
        "max_retries = 0",
        f"price_prompt = {PRICE_PROMPT}",
        f"price_completion = {PRICE_COMPLETION}",
        *lines,
        "",
    )
    settings.write_text(text + "\n".join(chat), encoding="utf-8")


@pytest.fixture
def chat(workspace: Path) -> Iterator[ScriptedChatServer]:
    with ScriptedChatServer(model) as server:
        use_model(workspace, server)
        yield server


@pytest.fixture
def add(kg: Any, workspace: Path, tmp_path: Path) -> Callable[..., None]:
    """Add notes by number."""

    def added(*numbers: int) -> None:
        folder = tmp_path / "notes"
        folder.mkdir(exist_ok=True)
        for number in numbers:
            (folder / f"n{number:02}.md").write_text(note(number), encoding="utf-8")
        assert kg("add", folder, "-w", workspace).code == 0

    return added


def files(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}


def last_run(kg: Any, workspace: Path) -> dict[str, Any]:
    return next(r for r in kg("runs", "--json", "-w", workspace).data if r["step"] == "extract")


def forecast(kg: Any, workspace: Path, *options: str) -> dict[str, Any]:
    result = kg("extract", "--dry-run", "--json", *options, "-w", workspace)
    assert result.code == 0, result.text
    return dict(result.data)


def test_a_forecast_asks_and_writes_nothing(
    kg: Any, workspace: Path, add: Callable[..., None], chat: ScriptedChatServer
) -> None:
    add(1, 2, 3)
    before = files(workspace)
    data = forecast(kg, workspace)
    text = kg("extract", "--dry-run", "--budget", "0.0001usd", "-w", workspace).text
    assert files(workspace) == before
    assert chat.requests == ()
    assert (data["documents"], data["unchanged"], data["calls"], data["cached"]) == (3, 0, 6, 0)
    assert [(r["purpose"], r["calls"], r["depends_on_replies"]) for r in data["rows"]] == [
        ("extract/abstract/1", 3, 0),
        ("extract/passages/1", 3, 3),
    ]
    assert "6 calls by default: 3.9 characters per prompt token" in data["basis"]
    assert "names from replies that are not there yet" in text
    assert "a budget of 0.0001 USD is not enough by this forecast" in text
    assert "nothing was asked or written" in text


def test_a_forecast_is_within_a_tenth_of_the_run_once_the_model_was_asked(
    kg: Any, workspace: Path, add: Callable[..., None], chat: ScriptedChatServer
) -> None:
    add(*range(1, 6))
    assert kg("extract", "-w", workspace).code == 0
    add(*range(6, 26))
    told = forecast(kg, workspace)
    asked = len(chat.requests)
    assert kg("extract", "-w", workspace).code == 0
    run = last_run(kg, workspace)
    assert told["documents"] == run["counts"]["changed"] == 20
    assert told["calls"] == run["counts"]["chat_calls"] == len(chat.requests) - asked == 40
    for name in ("prompt_tokens", "completion_tokens", "cost"):
        assert told[name] == pytest.approx(run[name], rel=0.1), name
    assert told["basis"].startswith("40 calls by what the endpoint counted in 10 earlier calls")


def test_kept_replies_cost_nothing_and_are_followed(
    kg: Any, workspace: Path, add: Callable[..., None], chat: ScriptedChatServer
) -> None:
    add(1, 2)
    assert kg("extract", "-w", workspace).code == 0
    assert forecast(kg, workspace)["unchanged"] == 2
    for path in (workspace / "graphs").iterdir():
        path.unlink()
    before = files(workspace)
    told = forecast(kg, workspace)
    assert files(workspace) == before
    assert (told["documents"], told["calls"], told["cached"], told["cost"]) == (2, 0, 4, 0)
    assert all(r["depends_on_replies"] == 0 for r in told["rows"])
    assert told["basis"] == "nothing is left to ask"


def test_without_a_model_a_forecast_is_free(kg: Any, workspace: Path, add: Callable[..., None]) -> None:
    add(1)
    told = forecast(kg, workspace)
    assert (told["documents"], told["calls"], told["cost"]) == (1, 0, 0)
    assert told["basis"] == "no chat model takes part"
    result = kg("extract", "--budget", "5USD", "-w", workspace)
    assert (result.code, "extraction asks none" in result.text) == (1, True)


def test_a_probe_is_paid_and_brings_the_forecast_within_a_tenth(
    kg: Any, workspace: Path, add: Callable[..., None], chat: ScriptedChatServer
) -> None:
    add(*range(1, 21))
    text = kg("extract", "--dry-run", "--probe", "4", "-w", workspace).text
    assert "probe: extracted 4 documents for real with 8 calls" in " ".join(text.split())
    assert len(chat.requests) == 8
    told = forecast(kg, workspace, "--probe", "1")
    assert told["probe"]["calls"] == 2
    assert told["probe"]["cost"] == pytest.approx(last_run(kg, workspace)["cost"])
    assert (told["documents"], told["unchanged"], len(chat.requests)) == (15, 5, 10)
    assert kg("extract", "-w", workspace).code == 0
    run = last_run(kg, workspace)
    assert told["calls"] == run["counts"]["chat_calls"] == 30
    for name in ("prompt_tokens", "completion_tokens", "cost"):
        assert told[name] == pytest.approx(run[name], rel=0.1), name
    refused = kg("extract", "--probe", "2", "-w", workspace)
    assert (refused.code, "belongs to --dry-run" in refused.text) == (1, True)


@pytest.mark.parametrize("llm", [True, False])
def test_descriptions_by_the_model_are_forecast(
    kg: Any, workspace: Path, add: Callable[..., None], *, llm: bool
) -> None:
    def describing(request: ScriptedRequest) -> ScriptedReply:
        if "items" in request.body["response_format"]["json_schema"]["schema"]["properties"]:
            return ScriptedReply('{"items": []}', prompt_tokens=300, completion_tokens=40)
        return model(request)

    with ScriptedChatServer(describing) as server:
        use_model(workspace, server)
        settings = workspace / "kg.toml"
        text = settings.read_text(encoding="utf-8").replace(
            "llm = true", f'llm = {str(llm).lower()}\ndescribe = "chat"'
        )
        settings.write_text(text, encoding="utf-8")
        add(1, 2, 3)
        if llm:
            assert kg("extract", "-w", workspace).code == 0
            add(4, 5, 6)
        asked = len(server.requests)
        before = files(workspace)
        told = forecast(kg, workspace)
        assert (files(workspace), len(server.requests)) == (before, asked)
        assert kg("extract", "-w", workspace).code == 0
    purposes = {r["purpose"]: r["calls"] for r in told["rows"]}
    assert purposes["extract/describe/1"] == 3
    assert told["calls"] == len(server.requests) - asked == (9 if llm else 3)


def test_repairs_are_expected_as_often_as_they_were(
    kg: Any, workspace: Path, add: Callable[..., None]
) -> None:
    def clumsy(request: ScriptedRequest) -> ScriptedReply:
        if "cannot be used" in request.messages[-1][1]:
            return model(replace(request, body={**request.body, "messages": request.body["messages"][:-2]}))
        if "document" in request.body["response_format"]["json_schema"]["schema"]["properties"]:
            return replace(model(request), text="sorry")
        return model(request)

    with ScriptedChatServer(clumsy) as server:
        use_model(workspace, server)
        add(1, 2, 3, 4)
        assert kg("extract", "-w", workspace).code == 0
        asked = len(server.requests)
        add(5, 6, 7, 8)
        told = forecast(kg, workspace)
        assert kg("extract", "-w", workspace).code == 0
    assert told["calls"] == len(server.requests) - asked == 12
    assert told["rows"][-1]["purpose"] == "extract/repair/1"


def test_a_budget_ends_a_run_and_the_next_goes_on(
    kg: Any, workspace: Path, add: Callable[..., None], chat: ScriptedChatServer
) -> None:
    add(*range(1, 7))
    limit, spent, rounds, done = 0.13, 0.0, 0, 0
    while True:
        result = kg("extract", "--budget", f"{limit}USD", "-w", workspace)
        run = last_run(kg, workspace)
        assert run["cost"] <= limit
        spent, rounds, done = spent + run["cost"], rounds + 1, done + run["counts"]["changed"]
        assert len(list(Workspace(workspace).graphs())) == done
        left = run["counts"].get("not_done", 0)
        assert done + left == 6
        if not left:
            break
        assert result.code == 4
        assert f"{left} not done because of the budget" in result.text
        assert f"{left} not done" in result.out.splitlines()[0]
        failures = kg("status", "--json", "-w", workspace).data["failures"]
        assert len(failures) == left
        assert all(f["reason"].startswith("not done: of the budget of 0.13") for f in failures)
        assert rounds < 10
    assert (result.code, rounds > 1) == (0, True)
    assert kg("status", "--json", "-w", workspace).data["failures"] == []
    bodies = [json.dumps(r.body) for r in chat.requests]
    assert len(bodies) == len(set(bodies)) == 12, "every reply is paid once"
    used = sum(
        model(r).prompt_tokens * PRICE_PROMPT + model(r).completion_tokens * PRICE_COMPLETION
        for r in chat.requests
    )
    assert spent == pytest.approx(used / 1e6)


@pytest.mark.parametrize(
    ("budget", "problem"),
    [
        ("5EUR", "the prices of [chat] are in USD, found a budget in EUR"),
        ("lots", "expected an amount like 5USD, found 'lots'"),
        ("-1", "expected an amount like 5USD"),
    ],
)
def test_a_budget_that_means_nothing_is_refused(
    kg: Any, workspace: Path, chat: ScriptedChatServer, budget: str, problem: str
) -> None:
    result = kg("extract", f"--budget={budget}", "-w", workspace)
    assert (result.code, problem in result.text) == (1, True), result.text


def test_a_budget_needs_prices(kg: Any, workspace: Path, chat: ScriptedChatServer) -> None:
    settings = workspace / "kg.toml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(re.sub(r"price_\w+ = .*\n", "", text), encoding="utf-8")
    assert "a budget needs prices" in kg("extract", "--budget", "5", "-w", workspace).text


@pytest.mark.neo4j
def test_a_build_goes_on_without_what_the_budget_left_out(
    kg: Any, workspace: Path, add: Callable[..., None], chat: ScriptedChatServer, database: Connection
) -> None:
    add(*range(1, 5))
    first = kg("build", "--budget", "0.13", "-w", workspace)
    assert first.code == 4, first.text
    assert "not done because of the budget" in first.text
    assert "load: " in first.out
    done = len(list(Workspace(workspace).graphs()))
    assert 0 <= done < 4
    second = kg("build", "--budget", "10", "-w", workspace)
    assert (second.code, len(list(Workspace(workspace).graphs()))) == (0, 4), second.text
    assert len(chat.requests) == 8
    assert database.read("MATCH (n:Observable) RETURN count(n) AS n")[0]["n"] >= 1
