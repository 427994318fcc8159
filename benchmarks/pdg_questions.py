"""Two hundred questions to the full PDG graph, each compared with what SQL finds in the ``pdg`` database.

For the shapes that are kept unseen only totals leave this program, so that nobody can fit to them.
"""

from __future__ import annotations

import json
import statistics
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from benchmarks.harness import OUT, Recorder, benchmark
from benchmarks.pdg_build import FULL, run_build
from benchmarks.pdg_gold import Argument, Gold, Kind
from benchmarks.pdg_questions_match import Names, Verdict, judge
from benchmarks.pdg_unseen_sql import Listings
from kg.progress import SilentProgress
from kg.wiring import Platform, open_platform
from kg.workspace import Workspace
from schemas.model import Frozen
from schemas.questions import Answer, Question

HERE = Path(__file__).resolve().parent
SEEN, UNSEEN = HERE / "pdg_questions_seen.jsonl", HERE / "pdg_unseen_questions.jsonl"
LIMIT = 1_000
"""Rows asked for: none of the answers is as long."""


class Asked(Frozen):
    """One line of a question file."""

    id: str
    shape: str
    question: str
    function: str
    """A function of ``Listings``; empty where the listings cannot answer."""
    arguments: dict[str, Argument] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Judged:
    """A question with its answer and what is to be said of it."""

    asked: Asked
    gold: Gold
    answer: Answer
    verdict: Verdict


def read_questions(file: Path) -> tuple[Asked, ...]:
    """The questions of a file, in its order."""
    return tuple(Asked.model_validate_json(line) for line in file.read_text("utf-8").splitlines())


def ask_all(platform: Platform, questions: tuple[Asked, ...], names: Names) -> list[Judged]:
    """Each question once, without a language model."""
    listings, judged = Listings(), []
    for asked in questions:
        gold = listings.ask(asked.function, asked.arguments) if asked.function else Gold(Kind.NONE)
        answer = platform.questions.ask(Question(text=asked.question, limit=LIMIT, use_llm=False))
        judged.append(Judged(asked, gold, answer, judge(answer, gold, names)))
    listings.close()
    return judged


def wilson(hits: int, trials: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's score interval of a share (E. B. Wilson, J. Am. Stat. Assoc. 22, 209 (1927)).

    >>> tuple(round(x, 3) for x in wilson(8, 10))
    (0.49, 0.943)
    """
    if not trials:
        return 0.0, 1.0
    share, spread = hits / trials, z * z / trials
    middle = (share + spread / 2) / (1 + spread)
    half = z * ((share * (1 - share) / trials + spread / (4 * trials)) ** 0.5) / (1 + spread)
    return middle - half, middle + half


def add_share(record: Recorder, figure: str, judged: list[Judged], *, goal: str = "") -> None:
    """The share of exact answers with its interval."""
    hits = sum(j.verdict is Verdict.EXACT for j in judged)
    low, high = wilson(hits, len(judged))
    note = f"{hits} of {len(judged)}; 95 % interval {100 * low:.0f} to {100 * high:.0f} %"
    record.add(figure, 100 * hits / len(judged), "%", goal=goal, note=note, floor="0: answer nothing")


def write_details(judged: list[Judged], file: Path) -> None:
    """The failures among the seen questions: what was asked, what came, what SQL says."""
    lines = []
    for j in judged:
        if j.verdict is Verdict.EXACT:
            continue
        gold = [*sorted(j.gold.items), *map(str, sorted(j.gold.table))]
        gold = gold or [str(j.gold.truth if j.gold.kind is Kind.TRUTH else j.gold.number)]
        lines.append(
            {
                "id": j.asked.id,
                "shape": j.asked.shape,
                "question": j.asked.question,
                "verdict": j.verdict.value,
                "outcome": j.answer.outcome.value,
                "service_shape": j.answer.shape,
                "text": j.answer.text[:300],
                "cypher": j.answer.cypher,
                "parameters": j.answer.model_dump(mode="json")["parameters"],
                "rows": len(j.answer.rows),
                "first_rows": j.answer.model_dump(mode="json")["rows"][:3],
                "gold": gold[:8],
                "gold_size": len(j.gold.items) or len(j.gold.table),
            }
        )
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(x, ensure_ascii=False) + "\n" for x in lines), encoding="utf-8")


def by_shape(judged: list[Judged]) -> list[str]:
    """One line for each shape: exact, wrong and unanswered."""
    shapes = list(dict.fromkeys(j.asked.shape for j in judged))
    lines = []
    for shape in shapes:
        counts = Counter(j.verdict for j in judged if j.asked.shape == shape)
        parts = ", ".join(f"{v.value} {counts[v]}" for v in Verdict if counts[v])
        lines.append(f"{shape}: {parts}")
    return lines


def report(record: Recorder, seen: list[Judged], unseen: list[Judged]) -> None:
    """All figures; of the unseen shapes, totals only."""
    answerable = [j for j in seen if j.gold.kind is not Kind.NONE]
    hidden = [j for j in unseen if j.gold.kind is not Kind.NONE]
    without = [j for j in seen + unseen if j.gold.kind is Kind.NONE]
    add_share(record, "exact_seen", answerable, goal=">= 85")
    add_share(record, "exact_unseen", hidden, goal=">= 60")
    add_share(record, "unanswerable_refused", without, goal=">= 95")
    for name, part in (("seen", answerable), ("unseen", hidden)):
        wrong = sum(j.verdict is Verdict.WRONG for j in part)
        record.add(f"wrong_{name}", wrong, "answers", note=f"given and not what SQL finds, of {len(part)}")
        broken = sum(j.verdict is Verdict.BROKEN for j in part)
        record.add(f"broken_{name}", broken, "answers", note="failed or timed out")
    record.add("p50_ms", 1000 * statistics.median(j.answer.seconds for j in seen + unseen), "ms")
    record.notes.extend(by_shape(seen))
    record.notes.append(f"unseen: {len({j.asked.shape for j in hidden})} shapes, totals only")


def main() -> None:
    """Ask the full workspace that ``pdg_build`` left, or build it."""
    if not (FULL / "kg.toml").exists():
        run_build(FULL, "", passages=False)
    with (
        benchmark("pdg_questions") as record,
        open_platform(Workspace(FULL), SilentProgress()) as platform,
    ):
        platform.ensure_server(lambda _: None)
        platform.questions.prepare()
        names = Names.of(platform.graph())
        seen = ask_all(platform, read_questions(SEEN), names)
        unseen = ask_all(platform, read_questions(UNSEEN), names)
        platform.managed.stop()
        write_details(seen, OUT / "pdg_questions_failures.jsonl")
        report(record, seen, unseen)


if __name__ == "__main__":
    main()
