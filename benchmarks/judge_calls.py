"""The chat judge with a scripted server: kills and nonsense. Part of the benchmark ``judge``."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from benchmarks.harness import Recorder
from canonicalize.judge import Candidate, Member
from canonicalize.llm_judge import LlmJudge, LlmJudgeSettings
from kg.adapters.scripted_chat_server import ScriptedChatServer, ScriptedReply, ScriptedRequest
from kg.build import import_annotations
from kg.progress import SilentProgress
from kg.wiring import open_platform
from kg.workspace import Workspace
from schemas.ids import RecordId, content_hash
from schemas.ports import ChatReply, ChatRequest
from schemas.waiting import never

SEEDS = (1, 2, 3)
KILLS = 5
CONCURRENCY = 4
LATENCY = 0.05
_SETTINGS = """schema = "particle_physics"
[embedder]
prefer = "tfidf"
[canonicalize]
judge = "llm"
rounds = 1
[canonicalize.llm]
batch_tokens = 100
[chat]
base_url = "{url}"
model = "scripted"
concurrency = {concurrency}
price_prompt = 2.0
price_completion = 10.0
"""


def word(number: int) -> str:
    """A made-up word."""
    rng = random.Random(number)
    return "".join(rng.choice("bdfgklmnprstvz") + rng.choice("aeiou") for _ in range(4))


def entries_of(text: str) -> list[list[str]]:
    """The lines of each cluster of a prompt."""
    return [re.findall(r"^\d+\. (.*)$", part, re.MULTILINE) for part in text.split("Cluster ")[1:]]


def by_first_word(request: ScriptedRequest) -> ScriptedReply:
    """One group for each first word."""
    text = next(c for r, c in request.messages if r == "user" and "BOUNDARY" in c)
    clusters = []
    for number, entries in enumerate(entries_of(text), 1):
        words: dict[str, list[int]] = {}
        for at, entry in enumerate(entries, 1):
            words.setdefault(entry.split()[0], []).append(at)
        groups = [
            {"members": m, "sure": True, "reason": "one word", "name": "", "description": ""}
            for m in words.values()
        ]
        clusters.append({"cluster": number, "groups": groups})
    reply = json.dumps({"clusters": clusters})
    return ScriptedReply(
        reply, delay=LATENCY, prompt_tokens=len(text) // 4 + 400, completion_tokens=len(reply) // 4
    )


def workspace_with_names(folder: Path, url: str, *, things: int = 300) -> Workspace:
    """A workspace in which each thing is named in two ways, by a document each."""
    texts = folder / "texts"
    texts.mkdir(parents=True)
    for n in range(things):
        for part, ending in enumerate(("shape", "shaping")):
            name = f"{word(n)} {ending}"
            (texts / f"d{n:03}{part}.txt").write_text(f"We study the {name} here.\n", encoding="utf-8")
            (texts / f"d{n:03}{part}.ann").write_text(
                f"T1\tuncertainty_source 13 {13 + len(name)}\t{name}\n", encoding="utf-8"
            )
    workspace = Workspace.create(folder / "ws", schema="particle_physics")
    (workspace.root / "kg.toml").write_text(
        _SETTINGS.format(url=url, concurrency=CONCURRENCY), encoding="utf-8"
    )
    workspace = Workspace(workspace.root)
    with open_platform(workspace, SilentProgress()) as opened:
        import_annotations(opened, texts)
    return workspace


def kept(workspace: Workspace) -> int:
    """Replies in the cache."""
    with closing(sqlite3.connect(workspace.ledger_path)) as db:
        table = db.execute("SELECT COUNT(*) FROM sqlite_master WHERE name = 'chat_replies'").fetchone()[0]
        return int(db.execute("SELECT COUNT(*) FROM chat_replies").fetchone()[0]) if table else 0


def start(workspace: Workspace) -> subprocess.Popen[bytes]:
    """``kg resolve`` in a session of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "kg", "resolve", "-w", str(workspace.root)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def measure_kills(record: Recorder, folder: Path) -> None:
    """Calls that were lost after they were kept, or asked for twice although kept, over several kills."""
    rng = random.Random(5)
    with ScriptedChatServer(by_first_word) as server:
        workspace = workspace_with_names(folder, server.base_url)
        in_the_air = lost = 0
        for _ in range(KILLS):
            before, had = len(server.answered), kept(workspace)
            process = start(workspace)
            point = before + rng.randint(1, 6)
            while len(server.answered) < point and process.poll() is None:
                time.sleep(0.002)
            time.sleep(rng.uniform(0, LATENCY))
            if process.poll() is not None:
                raise SystemExit("a run ended before it was to be killed; give it more to do")
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            server.settle()
            fresh, stored = len(server.answered) - before, kept(workspace) - had
            lost += max(0, fresh - stored - CONCURRENCY)
            in_the_air += fresh - stored
        done = start(workspace)
        output, _ = done.communicate()
        if done.returncode:
            sys.stderr.write(output.decode())
            raise SystemExit("the last run failed")
        answered = Counter(json.dumps(r.body, sort_keys=True) for r in server.answered)
        repeated = answered.total() - len(answered) - in_the_air
        record.add("lost_calls", lost, "calls", goal="= 0", note=f"{KILLS} kills; kept when answered")
        record.add(
            "repeated_calls",
            repeated,
            "calls",
            goal="= 0",
            note=f"of {len(answered)}; {in_the_air} more were in the air at a kill and are asked for anew",
        )
        paid = [by_first_word(r) for r in server.answered]
    with open_platform(workspace, SilentProgress()) as opened:
        merged = sum(len(e.records) - 1 for e in opened.graph().entities)
    record.add(
        "tokens_per_merged_pair",
        sum(r.prompt_tokens + r.completion_tokens for r in paid) / merged,
        "tokens",
        floor="0 (the pair model)",
        note=f"{len(paid)} replies paid over all runs; {merged} merges of short names, 100 tokens a batch",
    )


class Nonsense:
    """Says wrong things of all kinds, by the content."""

    model = "nonsense"

    def complete(self, request: ChatRequest, *, gone: Callable[[], bool] = never) -> ChatReply:  # noqa: ARG002
        """Seldom something usable."""
        rng = random.Random(content_hash(request.purpose, request.messages[1].content))
        sizes = [len(e) for e in entries_of(request.messages[1].content)]
        every = [list(range(1, n + 1)) for n in sizes]
        wrong: list[list[list[list[int]]]] = [
            [[[*m, 99]] for m in every],
            [[m, m[:1]] for m in every],
            [[] for _ in every],
            [[m[:1], m[:2]] for m in every],
            [[[0, *m]] for m in every],
            [[m] for m in every[:-1]],
            [[m] for m in every],
        ]
        clusters = [
            {
                "cluster": n,
                "groups": [
                    {"members": m, "sure": True, "reason": "", "name": "", "description": ""} for m in groups
                ],
            }
            for n, groups in enumerate(rng.choice(wrong), 1)
        ]
        text = rng.choice(
            [json.dumps({"clusters": clusters})] * 4 + ["", "I refuse.", '{"clusters": 1', "[]"]
        )
        finish = rng.choice(["stop"] * 9 + ["length"])
        return ChatReply(text=text, finish_reason=finish, model=self.model)


def measure_nonsense(record: Recorder) -> None:
    """Verdicts that add, repeat or contradict, over candidates that a nonsensical model is asked about."""
    corrupted = total = failed = 0
    for seed in SEEDS:
        rng = random.Random(seed)
        candidates = [
            Candidate(
                type="source",
                score=0.8,
                members=tuple(
                    Member(record=RecordId(f"{n}-{m}"), records=1, names=(f"{word(n)} {word(m)}",))
                    for m in range(rng.randint(2, 8))
                ),
            )
            for n in range(1_000)
        ]
        judge = LlmJudge(Nonsense(), LlmJudgeSettings(batch_tokens=200))
        for candidate, verdict in zip(candidates, judge.decide(candidates), strict=True):
            named = [m for group in verdict.groups for m in group]
            ok = len(named) == len(set(named)) and set(named) <= set(range(len(candidate.members)))
            corrupted += not ok
        total, failed = total + len(candidates), failed + judge.failed
    record.add(
        "corrupted",
        corrupted,
        "candidates",
        goal="= 0",
        note=f"of {total}; {failed} had no usable answer, stay as they were and are listed",
    )
