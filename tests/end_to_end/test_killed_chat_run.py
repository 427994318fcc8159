"""SIGKILL in a run with a chat model: no reply that was paid and kept is lost, none is asked for twice."""

from __future__ import annotations

import json
import os
import random
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

CONCURRENCY = 4
DOCUMENTS = 12
LATENCY = 0.04
NOTE = """# Lifetime number {number}

Abstract: the mean life of the B_s0 meson is measured to be 1.5{number} ± 0.02 ps in Run 1 data.

## Systematic uncertainties

The momentum scale calibration contributes 0.00{digit} ps to the systematic uncertainty.
"""


def model(request: ScriptedRequest) -> ScriptedReply:
    """Finds nothing, in the form that is asked for."""
    reply = {"explanation": "Nothing.", "document": {}, "entities": {}, "relations": {}}
    return ScriptedReply(json.dumps(reply), delay=LATENCY, prompt_tokens=500, completion_tokens=20)


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


@pytest.mark.parametrize("seed", [1, 2])
def test_kills_at_random_points(kg: Any, workspace: Path, tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    notes = tmp_path / "notes"
    notes.mkdir()
    for number in range(DOCUMENTS):
        text = NOTE.format(number=number, digit=number % 9 + 1)
        (notes / f"n{number:02}.md").write_text(text, encoding="utf-8")
    assert kg("add", notes, "-w", workspace).code == 0
    settings = workspace / "kg.toml"
    with ScriptedChatServer(model) as server:
        text = settings.read_text(encoding="utf-8").replace("llm = false", "llm = true")
        chat = f'[chat]\nbase_url = "{server.base_url}"\nmodel = "m"\nconcurrency = {CONCURRENCY}\n'
        chat += "price_prompt = 2.0\nprice_completion = 10.0\n"
        settings.write_text(f"{text}\n{chat}", encoding="utf-8")
        lost = 0
        for point in sorted(rng.sample(range(1, 2 * DOCUMENTS - 2), 3)):
            process = kg.process("extract", "-w", workspace)
            wait_for(lambda p=point: len(server.answered) >= p, process)
            time.sleep(rng.uniform(0, LATENCY))
            os.killpg(process.pid, signal.SIGKILL)
            assert process.wait(30) == -signal.SIGKILL
            process.communicate()
            server.settle()
            runs = [r for r in kg("runs", "--json", "-w", workspace).data if r["step"] == "extract"]
            assert {r["seconds"] for r in runs} <= {None}
            calls = sum(r["counts"].get("chat_calls", 0) for r in runs)
            assert calls == kept(workspace), "every reply that is kept is counted in the run that paid it"
            assert sum(r["cost"] for r in runs) == pytest.approx(calls * (500 * 2.0 + 20 * 10.0) / 1e6)
            in_the_air = len(server.answered) - lost - kept(workspace)
            assert 0 <= in_the_air <= CONCURRENCY
            lost += in_the_air
        last = kg.process("extract", "-w", workspace)
        output, _ = last.communicate(timeout=60)
        assert last.returncode == 0, output
        answered = Counter(json.dumps(r.body, sort_keys=True) for r in server.answered)
    assert len(answered) == 2 * DOCUMENTS == kept(workspace)
    assert answered.total() == len(answered) + lost, "only what was in the air at a kill is asked for again"
    assert max(answered.values()) <= 4
    assert kg("extract", "-w", workspace).out.startswith(f"extract: 0 changed, {DOCUMENTS} unchanged")
