"""How long a question takes on the full PDG graph, without a model: 200 questions from its own examples."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.harness import benchmark
from benchmarks.pdg_build import run_build
from kg.progress import SilentProgress
from kg.wiring import Platform, open_platform
from kg.workspace import Workspace
from schemas.questions import Question

ROUNDS = 8


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


def main(root: Path | None = None) -> None:
    """Ask on a full workspace: the one given, or one built here."""
    with benchmark("ask_latency") as record, tempfile.TemporaryDirectory() as folder:
        place = root or Path(folder) / "full"
        if root is None:
            run_build(place, "", passages=False)
        with open_platform(Workspace(place), SilentProgress()) as platform:
            platform.ensure_server(lambda _: None)
            questions = platform.questions.examples()
            first, _ = ask_all(platform, questions)
            spent: list[float] = []
            outcomes: dict[str, int] = {}
            for _ in range(ROUNDS):
                part, ended = ask_all(platform, questions)
                spent += part
                outcomes |= {k: outcomes.get(k, 0) + v for k, v in ended.items()}
            platform.managed.stop()
        spent.sort()
        record.add("p50_ms", statistics.median(spent), "ms", goal="<= 100")
        record.add("p95_ms", spent[int(len(spent) * 0.95)], "ms", goal="<= 300")
        record.add("first_round_p50_ms", statistics.median(first), "ms", note="plans not yet cached")
        record.notes.append(f"{len(questions)} questions x {ROUNDS} rounds; outcomes {outcomes}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
