"""A run with a chat model whose server is scripted: throughput, survival of faults, error of the forecast.

The server runs in a process of its own and answers after 200 ms; tokens are counted by a byte-level BPE
tokenizer trained on this project's own pages, which nothing in ``kg`` knows. Documents are made up.
"""

from __future__ import annotations

import json
import os
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import Any

import httpx

from benchmarks.harness import ROOT, Recorder, benchmark
from extraction.llm import LlmExtractor
from kg.adapters.chat_dialect import Dialect, request_body
from kg.adapters.forecast_chat import NO_FINDINGS
from kg.adapters.openai_chat import ChatSettings
from kg.adapters.scripted_chat_server import ScriptedChatServer, ScriptedReply, ScriptedRequest
from kg.build import add, extract, forecast, probe
from kg.ledger import RunRow
from kg.progress import SilentProgress
from kg.steps.context import StepReport
from kg.wiring import Platform, open_platform
from kg.workspace import Workspace
from schemas.ids import content_hash
from schemas.ports import ChatReply, ChatRequest

LATENCY = 0.2
DOCUMENTS = 1_000
CONCURRENCY = 16
DEFAULT_CONCURRENCY: int = ChatSettings.model_fields["concurrency"].default
PROBE = 5
FAULTS = {"429": 0.03, "500": 0.03, "dropped": 0.02, "cut": 0.02, "invalid": 0.04, "useless": 0.01}
"""Share of requests (by content) that meet each fault; ``useless`` stays so after the repair."""
_SETTINGS = """schema = "particle_physics"
[extraction]
rules = true
llm = true
[chat]
base_url = "{url}"
model = "scripted"
concurrency = {concurrency}
price_prompt = 2.0
price_completion = 10.0
"""
_TOPICS = ("lifetime", "mass", "width", "branching fraction", "asymmetry")
_SENTENCES = (
    "The momentum scale calibration contributes 0.00{0} ps to the systematic uncertainty.",
    "The decay time resolution model is varied, and the change of 0.0{0} ps is a systematic uncertainty.",
    "The acceptance is studied with pseudoexperiments; half the shift is assigned as an uncertainty.",
    "Uncertainties of the background shape are covered by a second parametrisation with {0} parameters.",
)


def document(number: int) -> str:
    """A short made-up paper; length and wording vary with the number."""
    rng = random.Random(number)
    sentences = rng.choices(_SENTENCES, k=rng.randint(3, 40))
    body = "\n\n".join(s.format(rng.randint(1, 9)) for s in sentences)
    topic = rng.choice(_TOPICS)
    return (
        f"# The {topic} in sample {number}\n\nAbstract: the mean life of the B_s0 meson is measured to be "
        f"1.5{number} ± 0.02 ps in Run 1 data, together with its {topic}.\n\n"
        f"## Systematic uncertainties\n\n{body}\n"
    )


class Model:
    """Answers from the text it is shown; with ``faults`` it misbehaves on the first try of some requests."""

    def __init__(self, *, faults: bool, counts: bool) -> None:
        from tokenizers import ByteLevelBPETokenizer

        pages = [*(p.read_text("utf-8") for p in sorted((ROOT / "docs").rglob("*.md")))]
        self._tokenizer = ByteLevelBPETokenizer()
        self._tokenizer.train_from_iterator(pages, vocab_size=8_000, show_progress=False)
        self._faults, self._counts = faults, counts
        self._seen: set[str] = set()
        self._lock = threading.Lock()

    def __call__(self, request: ScriptedRequest) -> ScriptedReply:
        """The reply, after a fault where one is drawn for this content."""
        key = content_hash(request.messages)
        with self._lock:
            first = key not in self._seen
            self._seen.add(key)
        fault = self._fault(request) if self._faults else ""
        reply = self._good(request)
        if fault == "useless" or (fault == "invalid" and "cannot be used" not in _last(request)):
            reply = self._counted(request, "I would rather not say.")
        elif fault == "cut" and "passages" in _last(request):
            reply = replace(reply, text=reply.text[: len(reply.text) // 2], finish_reason="length")
        elif first and fault in {"429", "500"}:
            headers = (("retry-after", "0.3"),) if fault == "429" else ()
            return ScriptedReply("injected", status=int(fault), headers=headers, delay=LATENCY)
        elif first and fault == "dropped":
            reply = replace(reply, drop="midway")
        return replace(reply, delay=LATENCY)

    def _fault(self, request: ScriptedRequest) -> str:
        """Drawn by the content; a repair shares the fault of what it repairs."""
        messages = request.messages[:-2] if "cannot be used" in _last(request) else request.messages
        draw = random.Random(content_hash(messages)).random()
        for fault, share in FAULTS.items():
            draw -= share
            if draw < 0:
                return fault
        return ""

    def _good(self, request: ScriptedRequest) -> ScriptedReply:
        asked = next(c for r, c in reversed(request.messages) if r == "user" and "BOUNDARY" in c)
        reply = _first_stage(asked) if "beginning of the document" in asked else _second_stage(asked)
        return self._counted(request, json.dumps(reply, indent=1))

    def _counted(self, request: ScriptedRequest, text: str) -> ScriptedReply:
        schema = json.dumps(request.body.get("response_format", {}).get("json_schema", {}).get("schema", ""))
        prompt = sum(self._tokens(content) + 4 for _, content in request.messages) + self._tokens(schema)
        return ScriptedReply(text, prompt_tokens=prompt, completion_tokens=self._tokens(text))

    def _tokens(self, text: str) -> int:
        if not self._counts:
            return 1
        return len(self._tokenizer.encode(text).ids)


def _last(request: ScriptedRequest) -> str:
    return request.messages[-1][1]


def _first_stage(asked: str) -> dict[str, Any]:
    quote = next(iter(re.findall(r"measured to be (1\.5\d+ ± 0\.02 ps)", asked)), "")
    entity = {"ref": "t", "name": "lifetime of B_s0", "attributes": {"kind": "lifetime"}}
    attributes = {"value": quote.split(" ", maxsplit=1)[0], "unit": "ps", "stat_plus": 0.02}
    determines = {"subject": "document", "object": "t", "attributes": attributes, "quotes": [quote]}
    return {
        "explanation": "One lifetime of a meson with its statistical uncertainty, from Run 1 data.",
        "document": {"attributes": {"run_period": "Run 1"}, "quotes": ["in Run 1 data"]},
        "entities": {"observable": [{**entity, "quotes": ["mean life of the B_s0 meson"]}], "decay": []},
        "relations": {"determines": [determines]},
    }


def _second_stage(asked: str) -> dict[str, Any]:
    quotes = dict.fromkeys(re.findall(r"The momentum scale[^.]*0\.00\d ps", asked))
    sources = [
        {"ref": f"s{n}", "name": f"momentum scale calibration {n}", "quotes": [quote]}
        for n, quote in enumerate(quotes)
    ]
    return {
        "explanation": "Sources of systematic uncertainty, each with the sentence that gives it.",
        "entities": {"uncertainty_source": sources, "method": []},
        "relations": {"affects": [], "estimates": []},
    }


def serve(mode: str) -> None:
    """Serve until standard input ends; for each line of it, write what was asked and answered."""
    model = Model(faults=mode == "faults", counts=mode != "plain")
    with ScriptedChatServer(model, model="scripted") as server:
        sys.stdout.write(server.base_url + "\n")
        sys.stdout.flush()
        for _ in sys.stdin:
            server.settle()
            keys = [content_hash(r.body) for r in server.answered]
            told = {"asked": len(server.requests), "answered": len(keys), "distinct": len(set(keys))}
            sys.stdout.write(json.dumps(told) + "\n")
            sys.stdout.flush()


class Server:
    """The scripted server in its own process."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        assert process.stdout is not None
        self.url = process.stdout.readline().strip()

    def counts(self) -> dict[str, int]:
        """Requests asked, answered in full, and distinct among these, since the start."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        counts: dict[str, int] = json.loads(self._process.stdout.readline())
        return counts


@contextmanager
def server(mode: str) -> Iterator[Server]:
    """A server for as long as the block lasts: ``plain`` (counts no tokens), ``counting``, ``faults``."""
    command = [sys.executable, "-m", "benchmarks.llm_server", "serve", mode]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Server(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait(30)


@contextmanager
def workspace(folder: Path, numbers: range, url: str, *, concurrency: int) -> Iterator[Platform]:
    """A workspace that holds the documents of these numbers."""
    root = folder / "ws"
    Workspace.create(root, schema="particle_physics")
    (root / "kg.toml").write_text(_SETTINGS.format(url=url, concurrency=concurrency), encoding="utf-8")
    with open_platform(Workspace(root), SilentProgress()) as platform:
        add_more(platform, folder / "papers", numbers)
        yield platform


def run(platform: Platform) -> tuple[StepReport, RunRow, float]:
    """Extract; the report, the ledger's row and the seconds."""
    began = time.perf_counter()
    report = extract(platform)
    seconds = time.perf_counter() - began
    return report, next(r for r in platform.ledger.runs() if r.step == "extract"), seconds


def add_more(platform: Platform, folder: Path, numbers: range) -> None:
    """Add the documents of these numbers."""
    folder.mkdir(parents=True)
    for number in numbers:
        (folder / f"p{number:04}.md").write_text(document(number), encoding="utf-8")
    add(platform, [str(folder)])


class _Recording:
    """Answers nothing, and keeps what was asked."""

    model = "scripted"

    def __init__(self) -> None:
        self.bodies: list[bytes] = []

    def complete(self, request: ChatRequest) -> ChatReply:
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


def _processor() -> float:
    """Processor seconds of this process and of those that it has ended."""
    return sum(r.ru_utime + r.ru_stime for r in map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN)))


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
            processor = _processor()
            _, row, seconds = run(platform)
            processor = _processor() - processor
            limit = concurrency / LATENCY
            plain = bare(platform, scripted.url, concurrency) / limit
        calls = row.counts["chat_calls"]
        record.add(
            f"throughput_share_{concurrency}",
            calls / seconds / limit,
            "of the limit",
            goal=">= 0.9",
            floor=f"{1 / concurrency:.3f} with one request at a time",
            anchor=f"{plain:.3f} by a bare HTTP client in the same minute, without any extraction",
            note=f"{calls / seconds:.1f} of {limit:.0f} replies/s; {1000 * processor / calls:.1f} ms a "
            f"reply of one core in all processes, their start included; load {os.getloadavg()[0]:.1f}",
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
    repeated = counts["answered"] - counts["distinct"]
    record.add(
        "repeated_paid_requests",
        repeated + after["answered"] - counts["answered"],
        "requests",
        goal="= 0",
        note=f"{counts['asked']} asked, {counts['answered']} answered in full; a second run of "
        f"{len(again.failures)} failed documents included",
    )
    record.add("lost_paid_replies", counts["distinct"] - kept, "replies", goal="= 0", note=f"{kept} kept")
    record.add("seconds_with_faults", seconds, "s", note=f"{row.counts['chat_calls']} replies")


def forecasts(record: Recorder, folder: Path) -> None:
    """Error of the forecast: before the model was ever asked, after a probe, and after 20 documents."""
    with (
        server("counting") as scripted,
        workspace(folder / "a", range(200, 400), scripted.url, concurrency=DEFAULT_CONCURRENCY) as platform,
    ):
        _errors(
            record, platform, "first", "before the model was ever asked: defaults, which are told", goal=False
        )
    for concurrency, name in ((DEFAULT_CONCURRENCY, "probe"), (CONCURRENCY, f"probe_{CONCURRENCY}")):
        with (
            server("counting") as scripted,
            workspace(folder / name, range(200, 400), scripted.url, concurrency=concurrency) as platform,
        ):
            paid = probe(platform, PROBE)
            note = f"after a probe of {PROBE} documents for {paid.cost:.4f}; {concurrency} requests at a time"
            _errors(record, platform, name, note, goal=concurrency == DEFAULT_CONCURRENCY)
    with (
        server("faults") as scripted,
        workspace(folder / "b", range(20), scripted.url, concurrency=DEFAULT_CONCURRENCY) as platform,
    ):
        run(platform)
        add_more(platform, folder / "more", range(200, 400))
        _errors(
            record, platform, "learned", "after 20 documents; the faults above are injected, repairs paid"
        )


def _errors(record: Recorder, platform: Platform, name: str, note: str, *, goal: bool = True) -> None:
    told = forecast(platform)
    _, row, seconds = run(platform)
    goals = {"goal": "<= 10"} if goal else {}
    pairs = {
        "calls": (told.calls, row.counts["chat_calls"]),
        "tokens": (told.prompt_tokens + told.completion_tokens, row.prompt_tokens + row.completion_tokens),
        "money": (told.cost, row.cost),
    }
    for what, (expected, real) in pairs.items():
        error = 100 * abs(expected - real) / real
        record.add(
            f"forecast_error_{what}_{name}",
            error,
            "%",
            note=f"{expected:.6g} told, {real:.6g} real; {note}",
            **goals,
        )
    record.add(
        f"forecast_error_seconds_{name}",
        100 * abs(told.seconds - seconds) / seconds,
        "%",
        note=f"{told.seconds:.1f} s told, {seconds:.1f} s real; load {os.getloadavg()[0]:.1f}",
        **goals,
    )


def main() -> None:
    """All three parts."""
    with benchmark("llm_server") as record, tempfile.TemporaryDirectory() as folder:
        throughput(record, Path(folder))
        forecasts(record, Path(folder))
        faults(record, Path(folder))
        record.notes.append(
            "The server is scripted, its replies follow rules: nothing here says how well a model extracts."
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve(sys.argv[2])
    else:
        main()
