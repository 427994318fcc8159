"""Throughput beside the limit, and survival of faults: the first and the last part of ``llm_server``."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

import httpx

from benchmarks.harness import Recorder
from benchmarks.llm_server_forecast import CONCURRENCY
from benchmarks.llm_server_model import FAULTS, LATENCY, server
from benchmarks.llm_server_runs import add_more, run, workspace
from extraction.llm import LlmExtractor
from kg.adapters.chat_dialect import Dialect, request_body
from kg.adapters.forecast_chat import NO_FINDINGS
from kg.wiring import Platform
from schemas.ports import ChatReply, ChatRequest
from schemas.waiting import never

DOCUMENTS = 1_000


class _Recording:
    """Answers nothing, and keeps what was asked."""

    model = "scripted"

    def __init__(self) -> None:
        self.bodies: list[bytes] = []

    def complete(self, request: ChatRequest, *, gone: Callable[[], bool] = never) -> ChatReply:  # noqa: ARG002
        body = request_body(self.model, request, Dialect())
        self.bodies.append(json.dumps(body).encode())
        return ChatReply(text=NO_FINDINGS, finish_reason="stop", model=self.model)


def bare(platform: Platform, url: str, concurrency: int) -> float:
    """Replies per second of a plain HTTP client with as many threads, that sends the same requests.

    No retries, limits, cache, extraction or reading of replies: what this machine, with whatever else
    runs on it, and this server can do.
    """
    chat = _Recording()
    for stored in platform.workspace.documents():
        LlmExtractor(chat).extract(platform.workspace.read_document(stored), platform.workspace.schema)
    headers = {"content-type": "application/json"}
    with (
        httpx.Client(trust_env=False, limits=httpx.Limits(max_connections=None)) as client,
        ThreadPoolExecutor(concurrency) as threads,
    ):

        def ask(body: bytes) -> int:
            return client.post(f"{url}/chat/completions", content=body, headers=headers).status_code

        set(threads.map(ask, chat.bodies[:concurrency]))
        began = time.perf_counter()
        codes = list(threads.map(ask, chat.bodies))
        seconds = time.perf_counter() - began
    assert set(codes) == {200}
    return len(codes) / seconds


def _processor(who: int) -> float:
    """Processor seconds of this process, or of those that it has ended."""
    used = getrusage(who)
    return used.ru_utime + used.ru_stime


def throughput(record: Recorder, folder: Path, *, limits: Sequence[int] = (4, 8, 16, 32)) -> None:
    """Replies per second beside what the limit of concurrency allows, after a first small run."""
    for concurrency in limits:
        own, timed = folder / f"t{concurrency}", range(900, 900 + concurrency * 24)
        with (
            server("plain") as scripted,
            workspace(own, range(concurrency), scripted.url, concurrency=concurrency) as platform,
        ):
            run(platform)
            add_more(platform, own / "more", timed)
            before = (_processor(RUSAGE_SELF), _processor(RUSAGE_CHILDREN), scripted.counts().processor)
            _, row, seconds = run(platform)
            seen = scripted.counts()
            after = (_processor(RUSAGE_SELF), _processor(RUSAGE_CHILDREN), seen.processor)
            limit = concurrency / LATENCY
            plain = bare(platform, scripted.url, concurrency) / limit
        calls = row.counts["chat_calls"]
        asking, computing, serving = (1000 * (b - a) / calls for a, b in zip(before, after, strict=True))
        record.add(
            f"throughput_share_{concurrency}",
            calls / seconds / limit,
            "of the limit",
            goal=">= 0.9",
            floor=f"{1 / concurrency:.3f} with one request at a time",
            anchor=f"{plain:.3f} by a bare HTTP client in the same minute, without any extraction",
            note=f"{calls / seconds:.1f} of {limit:.0f} replies/s over the whole step, the start of workers "
            f"and the writing of graphs included; load {os.getloadavg()[0]:.1f}",
        )
        record.add(
            f"asking_share_{concurrency}",
            calls / seen.seconds / limit,
            "of the limit",
            note="from the first request to the last reply, as the server saw them",
        )
        record.add(
            f"processor_ms_{concurrency}",
            asking + computing,
            "ms a reply",
            note=f"of one core: {asking:.1f} in the process that asks, {computing:.1f} in workers, their "
            f"start included; {serving:.1f} more in the scripted server",
        )


def faults(record: Recorder, folder: Path) -> None:
    """A thousand documents while the server misbehaves."""
    with (
        server("faults") as scripted,
        workspace(folder / "f", range(DOCUMENTS), scripted.url, concurrency=CONCURRENCY) as platform,
    ):
        report, row, seconds = run(platform)
        counts = scripted.counts()
        with closing(sqlite3.connect(platform.workspace.ledger_path)) as db:
            kept = db.execute("SELECT COUNT(*) FROM chat_replies").fetchone()[0]
        again, _, _ = run(platform)
        after = scripted.counts()
    lost = DOCUMENTS - report.changed - len(report.failures)
    shares = ", ".join(f"{share:.0%} {fault}" for fault, share in FAULTS.items())
    record.add("documents_extracted", report.changed, "documents", note=f"of {DOCUMENTS}; faults: {shares}")
    record.add(
        "documents_failed",
        len(report.failures),
        "documents",
        note="listed with the reason: no usable reply twice",
    )
    record.add("documents_lost", lost, "documents", goal="= 0")
    repeated = counts.answered - counts.distinct
    record.add(
        "repeated_paid_requests",
        repeated + after.answered - counts.answered,
        "requests",
        goal="= 0",
        note=f"{counts.asked} asked, {counts.answered} answered in full; a second run of "
        f"{len(again.failures)} failed documents included",
    )
    record.add("lost_paid_replies", counts.distinct - kept, "replies", goal="= 0", note=f"{kept} kept")
    record.add("seconds_with_faults", seconds, "s", note=f"{row.counts['chat_calls']} replies")
