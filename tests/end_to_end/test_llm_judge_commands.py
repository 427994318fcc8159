"""The judges of kg.toml on the command line: names, doubts, budgets, and SIGKILL."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from kg.adapters.scripted_chat_server import ScriptedChatServer, ScriptedReply, ScriptedRequest
from kg.progress import SilentProgress
from kg.settings import CanonicalizeSettings, load_settings
from kg.wiring import open_platform
from kg.workspace import Workspace

CONCURRENCY = 2
LATENCY = 0.05
THINGS = (
    "brantol",
    "cedrix",
    "dolmin",
    "fervad",
    "holmek",
    "jorvat",
    "kestrel",
    "lumbar",
    "nantuk",
    "oskar",
    "pelvan",
    "quorin",
    "rastel",
    "silvok",
    "ulmont",
    "wexlar",
)


def sizes_of(request: ScriptedRequest) -> list[int]:
    """Entries per cluster."""
    text = next(c for r, c in request.messages if r == "user" and "BOUNDARY" in c)
    return [len(re.findall(r"^\d+\. ", part, re.MULTILINE)) for part in text.split("Cluster ")[1:]]


def merges_all(request: ScriptedRequest) -> ScriptedReply:
    """Every cluster is one entity with a new name."""
    clusters = [
        {
            "cluster": n,
            "groups": [
                {
                    "members": list(range(1, size + 1)),
                    "sure": True,
                    "reason": "the words are turned",
                    "name": "Chosen name",
                    "description": "Chosen description.",
                }
            ],
        }
        for n, size in enumerate(sizes_of(request), 1)
    ]
    text = json.dumps({"clusters": clusters})
    return ScriptedReply(text, delay=LATENCY, prompt_tokens=500, completion_tokens=50)


@pytest.fixture
def named(kg: Any, workspace: Path, tmp_path: Path) -> Path:
    """A workspace with two documents for each thing, which name it in two ways."""
    folder = tmp_path / "annotated"
    folder.mkdir()
    for n, thing in enumerate(THINGS):
        for part, name in enumerate((f"{thing}ium shape", f"{thing}ium shaping")):
            (folder / f"d{n:02}{part}.txt").write_text(f"We study the {name} here.\n", encoding="utf-8")
            (folder / f"d{n:02}{part}.ann").write_text(
                f"T1\tuncertainty_source 13 {13 + len(name)}\t{name}\n", encoding="utf-8"
            )
    assert kg("import", "brat", folder, "-w", workspace).code == 0
    return workspace


def configure(workspace: Path, judge: str, server: ScriptedChatServer | None = None) -> None:
    """Switch the judge in kg.toml."""
    path = workspace / "kg.toml"
    text = path.read_text(encoding="utf-8").split("# judge\n")[0]
    chat = (
        f'[chat]\nbase_url = "{server.base_url}"\nmodel = "m"\nconcurrency = {CONCURRENCY}\n'
        "price_prompt = 2.0\nprice_completion = 10.0\n"
        if server
        else ""
    )
    path.write_text(
        f'{text}# judge\n[canonicalize]\njudge = "{judge}"\nmargin = 0.3\nrounds = 1\n'
        f"[canonicalize.llm]\nbatch_tokens = 100\n{chat}",
        encoding="utf-8",
    )


def kept(workspace: Path) -> int:
    """Replies in the cache."""
    with closing(sqlite3.connect(workspace / "ledger.db")) as db:
        return int(db.execute("SELECT COUNT(*) FROM chat_replies").fetchone()[0])


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Until the condition holds or the process has ended."""
    end = time.monotonic() + 60
    while not condition() and process.poll() is None:
        assert time.monotonic() < end, "the run made no progress"
        time.sleep(0.002)


def test_settings_follow_the_judge() -> None:
    plain, pairs = CanonicalizeSettings().policy, CanonicalizeSettings(judge="pairs", rounds=3).policy
    assert (plain.most, plain.margin, plain.stop_share) == (1, 0.0, 0.1)
    assert (pairs.most, pairs.margin) == (3, 0.4)


def test_the_model_names_entities_and_nothing_is_asked_twice(kg: Any, named: Path) -> None:
    with ScriptedChatServer(merges_all) as server:
        configure(named, "llm", server)
        forecast = kg("resolve", "--dry-run", "-w", named, "--json").data
        assert (len(server.requests), forecast["cached"]) == (0, 0)
        assert "about clusters of names" in kg("resolve", "--dry-run", "-w", named).text
        first = kg("resolve", "-w", named)
        assert first.code == 0, first.text
        asked = len(server.requests)
        assert asked == forecast["calls"] > 3
        assert kg("resolve", "-w", named).text.startswith("resolve: 0 changed")
        assert len(server.requests) == asked
    log = kg("log", "-w", named).text
    assert "the words are turned" in log
    run = next(r for r in kg("runs", "-w", named, "--json").data if r["counts"].get("events"))
    assert run["counts"]["round1_calls"] == asked
    assert run["counts"]["round1_merged"] >= len(THINGS)
    assert run["cost"] == pytest.approx(asked * 0.0015)
    with open_platform(Workspace(named), SilentProgress()) as opened:
        entities = [e for e in opened.graph().entities if len(e.records) > 1]
    assert {(e.name, e.description) for e in entities} == {("Chosen name", "Chosen description.")}
    assert any("brantolium shape" in e.aliases for e in entities)
    rounds = kg("merges", "-w", named, "--json").data["rounds"]
    assert rounds[0]["judge"] == "llm/1:m"
    pairs = (sorted(e.records)[:2] for e in entities)
    explained = (kg("why", *pair, "-w", named, "--json").data for pair in pairs)
    told = next(e for e in explained if e["score"] is not None and e["score"] < e["threshold"])
    assert (told["verdict"], told["judge"]) == ("judge", "llm/1:m")
    assert "a judge (llm/1:m) joined them" in told["words"]


def test_nonsense_merges_nothing_and_is_listed(kg: Any, named: Path) -> None:
    nonsense = json.dumps({"clusters": [{"cluster": 1, "groups": [{"members": [1, 99], "sure": True}]}]})
    with ScriptedChatServer(lambda _: ScriptedReply(nonsense)) as server:
        configure(named, "llm", server)
        done = kg("resolve", "-w", named)
    assert done.code == 0
    assert "clusters got no usable answer" in done.text
    assert f"{2 * len(THINGS)} records are {2 * len(THINGS)} entities" in done.text
    found = kg("merges", "-w", named, "--json").data
    queue, (first,) = found["unsure"], found["rounds"]
    assert len(queue) == first["candidates"] > 0
    assert all("no usable answer" in item["reason"] for item in queue)


def test_a_budget_leaves_the_rest_as_it_was(kg: Any, named: Path) -> None:
    with ScriptedChatServer(merges_all) as server:
        configure(named, "llm", server)
        part = kg("resolve", "-w", named, "--budget", "0.05USD")
        assert part.code == 4, part.text
        assert "not done because of the budget" in part.text
        asked = len(server.requests)
        rest = kg("resolve", "-w", named)
        assert rest.code == 0
        assert len(server.requests) > asked
        bodies = Counter(json.dumps(r.body, sort_keys=True) for r in server.requests)
        assert max(bodies.values()) == 1
    configure(named, "pairs")
    assert kg("resolve", "-w", named, "--budget", "1USD").code != 0
    assert kg("resolve", "-w", named, "--dry-run").code != 0


def test_a_killed_resolve_loses_and_repeats_no_call(kg: Any, named: Path) -> None:
    rng = random.Random(2)
    with ScriptedChatServer(merges_all) as server:
        configure(named, "llm", server)
        lost = 0
        for point in sorted(rng.sample(range(1, 6), 2)):
            process = kg.process("resolve", "-w", named)
            wait_for(lambda p=point: len(server.answered) >= p, process)
            time.sleep(rng.uniform(0, LATENCY))
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(30)
            process.communicate()
            server.settle()
            in_the_air = len(server.answered) - lost - kept(named)
            assert 0 <= in_the_air <= CONCURRENCY
            lost += in_the_air
        last = kg.process("resolve", "-w", named)
        output, _ = last.communicate(timeout=60)
        assert last.returncode == 0, output
        answered = Counter(json.dumps(r.body, sort_keys=True) for r in server.answered)
    assert len(answered) == kept(named)
    assert answered.total() == len(answered) + lost, "only what was in the air at a kill is asked for again"


def test_pairs_are_judged_and_the_judge_learns(kg: Any, named: Path) -> None:
    none = kg("train", "judge", "-w", named)
    assert none.code != 0
    assert "kg same" in none.text
    configure(named, "pairs")
    assert kg("resolve", "-w", named).code == 0
    rounds = kg("merges", "-w", named, "--json").data["rounds"]
    assert rounds[0]["judge"].startswith("pairs/1:")
    shipped = rounds[0]["judge"]
    assert kg("different", "brantolium shape", "cedrixium shape", "-w", named).code == 0
    trained = kg("train", "judge", "-w", named)
    assert trained.code == 0, trained.text
    assert "pairs of reviewers" in trained.text
    assert kg("resolve", "-w", named).code == 0
    assert kg("merges", "-w", named, "--json").data["rounds"][0]["judge"] != shipped
    assert load_settings(named / "kg.toml").canonicalize.judge == "pairs"
