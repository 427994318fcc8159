"""How long a question takes on the full PDG graph, without a model.

Eight rounds of its own examples, and once each the questions of ``pdg_questions``. Most are the first
of their kind, so that their plan is neither known to the server nor seen by the gate.
"""

from __future__ import annotations

import json
import statistics
import time
from pathlib import Path
from typing import Final

from benchmarks.harness import benchmark
from benchmarks.pdg_build import FULL, run_build
from kg.progress import SilentProgress
from kg.wiring import Platform, open_platform
from kg.workspace import Workspace
from schemas.questions import Question

ROUNDS = 8
OTHERS: Final = Path(__file__).parent / "pdg_questions_seen.jsonl"


def others() -> tuple[str, ...]:
    """Questions of people who had not seen the service."""
    lines = OTHERS.read_text(encoding="utf-8").splitlines()
    return tuple(dict.fromkeys(json.loads(line)["question"] for line in lines))


def ask_all(platform: Platform, questions: tuple[str, ...]) -> tuple[list[float], dict[str, int]]:
    """Milliseconds per question, and how the questions ended."""
    spent: list[float] = []
    outcomes: dict[str, int] = {}
    for question in questions:
        began = time.perf_counter()
        answer = platform.ask(Question(text=question))
        spent.append((time.perf_counter() - began) * 1000)
        outcomes[answer.outcome.value] = outcomes.get(answer.outcome.value, 0) + 1
    return spent, outcomes


def main() -> None:
    """Ask the full workspace that ``pdg_build`` left, or build it."""
    if not (FULL / "kg.toml").exists():
        run_build(FULL, "", passages=False)
    with (
        benchmark("ask_latency") as record,
        open_platform(Workspace(FULL), SilentProgress()) as platform,
    ):
        platform.ensure_server(lambda _: None)
        platform.questions.prepare()
        questions = platform.questions.examples()
        first, _ = ask_all(platform, questions)
        spent: list[float] = []
        outcomes: dict[str, int] = {}
        for _ in range(ROUNDS):
            part, ended = ask_all(platform, questions)
            spent += part
            outcomes |= {k: outcomes.get(k, 0) + v for k, v in ended.items()}
        asked = others()
        once, how = ask_all(platform, asked)
        platform.managed.stop()
        spent.sort()
        record.add("p50_ms", statistics.median(spent), "ms", goal="<= 50")
        record.add("p95_ms", spent[int(len(spent) * 0.95)], "ms", goal="<= 250")
        record.add("first_round_p50_ms", statistics.median(first), "ms", note="plans not yet cached")
        once.sort()
        record.add("once_p50_ms", statistics.median(once), "ms", note=f"{len(asked)} questions, each once")
        record.add("once_p95_ms", once[int(len(once) * 0.95)], "ms")
        record.notes.append(f"asked once: outcomes {how}")
        record.notes.append(f"{len(questions)} questions x {ROUNDS} rounds; outcomes {outcomes}")


if __name__ == "__main__":
    main()
