"""The scripted model of ``llm_server``: made-up documents, what it replies to them, and its server.

The server runs in a process of its own and answers after 200 ms; tokens are counted by a byte-level BPE
tokenizer trained on this project's own pages, which nothing in ``kg`` knows.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from benchmarks.harness import ROOT
from kg.adapters.scripted_chat_server import ScriptedChatServer, ScriptedReply, ScriptedRequest
from schemas.ids import content_hash
from schemas.model import Frozen

LATENCY = 0.2
FAULTS = {"429": 0.03, "500": 0.03, "dropped": 0.02, "cut": 0.02, "invalid": 0.04, "useless": 0.01}
"""Share of requests (by content) that meet each fault; ``useless`` stays so after the repair."""
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
        self._first = self._last = 0.0
        self._lock = threading.Lock()

    def __call__(self, request: ScriptedRequest) -> ScriptedReply:
        """The reply, after a fault where one is drawn for this content."""
        key, now = content_hash(request.messages), time.monotonic()
        with self._lock:
            self._first, self._last = self._first or now, max(self._last, now + LATENCY)
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

    def window(self) -> float:
        """Seconds from the first request to the last reply since this was last asked."""
        with self._lock:
            seconds = self._last - self._first
            self._first = self._last = 0.0
        return seconds

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
            told = Counts(
                asked=len(server.requests),
                answered=len(keys),
                distinct=len(set(keys)),
                seconds=model.window(),
                processor=time.process_time(),
            )
            sys.stdout.write(told.model_dump_json() + "\n")
            sys.stdout.flush()


class Counts(Frozen):
    """What the server has seen."""

    asked: int
    """Requests since the start."""
    answered: int
    """Of them in full."""
    distinct: int
    """Among these."""
    seconds: float
    """From the first request to the last reply since the counts were last asked for."""
    processor: float
    """Processor seconds of the server since its start."""


class Server:
    """The scripted server in its own process."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        assert process.stdout is not None
        self.url = process.stdout.readline().strip()

    def counts(self) -> Counts:
        """What it has seen."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return Counts.model_validate_json(self._process.stdout.readline())


@contextmanager
def server(mode: str) -> Iterator[Server]:
    """A server for as long as the block lasts: ``plain`` (counts no tokens), ``counting``, ``faults``."""
    command = [sys.executable, "-m", "benchmarks.llm_server_model", mode]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Server(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait(30)


if __name__ == "__main__":
    serve(sys.argv[1])
