"""Latency over HTTP, and many askers at once: a real server on loopback with the full PDG graph.

The server runs in a process of its own, as ``kg serve`` runs it. ``p50_ms`` and ``p95_ms`` are those of one
client that asks the graph's example questions in turn, ``once_...`` those of questions of people who had not
seen the service, each asked once, so that most plans are new to the server and the gate. ``loaded_...`` are
those of 50 clients for a minute, each of which asks as fast as it is answered: on two cores they wait for one
another. Set SECONDS (or pass it as first argument) for a shorter run.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import httpx

from benchmarks.ask_latency import others
from benchmarks.harness import ROOT, Recorder, benchmark
from benchmarks.pdg_build import FULL, run_build
from kg.neo4j_process import free_ports
from kg.progress import SilentProgress
from kg.wiring import open_platform
from kg.workspace import Workspace

CLIENTS, SECONDS = 50, 60.0
ASK = "/api/v1/questions"


@dataclass(slots=True)
class Load:
    """What the clients saw."""

    spent: list[float] = field(default_factory=list)
    """Milliseconds of each reply with status 200."""
    statuses: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    wrong: int = 0
    """Replies that were neither an answer nor a clean 429."""

    def add(self, reply: httpx.Response, ms: float) -> None:
        """Count one reply."""
        self.statuses[str(reply.status_code)] += 1
        if reply.status_code == 200:
            self.spent.append(ms)
            outcome = reply.json()["outcome"]
            self.outcomes[outcome] += 1
            self.wrong += outcome in {"failed", "timeout"}
        elif reply.status_code != 429 or not reply.headers.get("retry-after"):
            self.wrong += 1

    def fail(self, error: Exception) -> None:
        """Count a request without any reply."""
        self.statuses[type(error).__name__] += 1
        self.wrong += 1


@contextmanager
def server(port: int) -> Iterator[str]:
    """``kg serve`` on the full workspace until the block ends."""
    command = [sys.executable, "-m", "kg", "serve", "-w", str(FULL), "--port", str(port)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        _wait(url, process)
        yield url
    finally:
        process.terminate()
        process.wait(30)


def _wait(url: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 180
    while time.monotonic() < until:
        if process.poll() is not None:
            raise RuntimeError("the server ended at its start; run the command by hand to see why")
        try:
            if httpx.get(f"{url}/health", timeout=5).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.2)
    raise RuntimeError("the server did not become healthy within 180 s")


async def load(url: str, questions: Sequence[str], *, clients: int, seconds: float) -> Load:
    """All clients for so many seconds."""
    found, until = Load(), time.monotonic() + seconds
    limits = httpx.Limits(max_connections=clients, max_keepalive_connections=clients)
    async with httpx.AsyncClient(base_url=url, timeout=60, limits=limits, trust_env=False) as client:

        async def asker(number: int) -> None:
            at = number
            while time.monotonic() < until:
                began = time.perf_counter()
                try:
                    reply = await client.post(ASK, json={"question": questions[at % len(questions)]})
                except httpx.TransportError as e:
                    found.fail(e)
                else:
                    found.add(reply, (time.perf_counter() - began) * 1000)
                    if reply.status_code == 429:
                        await asyncio.sleep(float(reply.headers.get("retry-after", 1)))
                at += 1

        await asyncio.gather(*(asker(n) for n in range(clients)))
    return found


def asked_once(url: str, questions: Sequence[str]) -> Load:
    """One client asks every question once."""
    found = Load()
    with httpx.Client(base_url=url, timeout=60, trust_env=False) as client:
        for question in questions:
            began = time.perf_counter()
            reply = client.post(ASK, json={"question": question})
            found.add(reply, (time.perf_counter() - began) * 1000)
    return found


def main(seconds: float) -> None:
    """One client, then many."""
    if not (FULL / "kg.toml").exists():
        run_build(FULL, "", passages=False)
    with benchmark("ask_load") as record, open_platform(Workspace(FULL), SilentProgress()) as platform:
        platform.ensure_server(lambda _: None)
        try:
            with server(free_ports(1)[0]) as url:
                questions = httpx.get(f"{url}{ASK}/examples", timeout=60).json()
                asyncio.run(load(url, questions, clients=4, seconds=min(10.0, seconds)))
                alone = asyncio.run(load(url, questions, clients=1, seconds=min(10.0, seconds)))
                once = asked_once(url, others())
                found = asyncio.run(load(url, questions, clients=CLIENTS, seconds=seconds))
        finally:
            platform.managed.stop()
        _report(record, "", alone, goals=("<= 50", "<= 250"))
        _report(record, "once_", once, note=f"{len(once.spent)} questions of people, each once")
        _report(record, "loaded_", found, note=f"{CLIENTS} clients")
        wrong = alone.wrong + once.wrong + found.wrong
        record.add("errors", wrong, "replies", goal="= 0", note="anything but 200 and a clean 429")
        record.add("answers_per_second", len(found.spent) / seconds, "1/s")
        record.add("refused_busy", found.statuses["429"], "replies", note="429 with Retry-After")
        record.notes.append(
            f"{CLIENTS} clients for {seconds:g} s; {len(questions)} questions; statuses "
            f"{dict(found.statuses)}; outcomes {dict(found.outcomes)}"
        )


def _report(
    record: Recorder, name: str, found: Load, *, goals: tuple[str, str] = ("", ""), note: str = ""
) -> None:
    """The median and the 95th percentile of the replies."""
    spent = sorted(found.spent)
    record.add(f"{name}p50_ms", statistics.median(spent), "ms", goal=goals[0], note=note)
    record.add(f"{name}p95_ms", spent[int(len(spent) * 0.95)], "ms", goal=goals[1])


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS)
