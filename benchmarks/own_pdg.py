"""Questions to the full PDG graph, each against rows of a query written by hand.

Our own (``own``) were written from the schema before the general reading was tuned; half of them (``held``)
were put aside. Those of ``asked`` were written in the words of students, conveners, reviewers and librarians
by sixteen people who had seen the graph and nothing of the service: fifteen wrote ``dev``, whose errors were
read, the sixteenth ``held``, of which none was. A query is run on the server directly and shares nothing with
the service.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from benchmarks.harness import OUT, Recorder, benchmark
from benchmarks.pdg_build import FULL, run_build
from benchmarks.pdg_questions_match import ABSTAINED, BROKEN, Verdict
from kg.progress import SilentProgress
from kg.wiring import Platform, open_platform
from kg.workspace import Workspace
from schemas.model import Frozen
from schemas.questions import Answer, Outcome, Question, Value

HERE = Path(__file__).resolve().parent
FILE = HERE / "own_pdg_dev.jsonl"
FILES = {"own": FILE, "asked": HERE / "asked_pdg.jsonl"}
LIMIT = 1_000


class Asked(Frozen):
    """One line of the file; ``cypher`` gives the answer and is empty where there is none."""

    id: str
    shape: str
    part: Literal["dev", "held"]
    question: str
    kind: Literal["set", "number", "table", "truth", "none"]
    cypher: str = ""


def read_questions(file: Path = FILE) -> tuple[Asked, ...]:
    """The questions in their order."""
    return tuple(Asked.model_validate_json(line) for line in file.read_text("utf-8").splitlines())


def judge(asked: Asked, answer: Answer, gold: Sequence[tuple[Value, ...]]) -> Verdict:
    """The verdict on an answer; an empty result is right where the query finds nothing, or for a "no"."""
    if answer.outcome in BROKEN:
        return Verdict.BROKEN
    if asked.kind == "none":
        return Verdict.EXACT if answer.outcome in ABSTAINED - {Outcome.AMBIGUOUS} else Verdict.WRONG
    if answer.outcome in ABSTAINED:
        return Verdict.ABSTAINED
    return Verdict.EXACT if not answer.truncated and _agrees(asked.kind, answer.rows, gold) else Verdict.WRONG


def _agrees(kind: str, rows: Sequence[tuple[Value, ...]], gold: Sequence[tuple[Value, ...]]) -> bool:
    if kind == "set":
        wanted = {str(g[0]) for g in gold}
        found = [{str(c) for c in row} & wanted for row in rows]
        return all(found) and set().union(*found) == wanted
    if kind == "number":
        number = gold[0][0]
        assert isinstance(number, int | float)
        zero = not rows and number == 0
        return zero or (len(rows) == 1 and any(_is(c, number) for c in rows[0]))
    if kind == "table":
        pairs = [{str(c) for c in row} for row in rows]
        listed = [{str(c) for c in g[:2]} for g in gold]
        whole = all(any(g <= p for p in pairs) for g in listed)
        return whole and all(any(g <= p for g in listed) for p in pairs)
    if len(rows) == 1 and len(rows[0]) == 1 and isinstance(rows[0][0], bool):
        return rows[0][0] is gold[0][0]
    return bool(rows) is gold[0][0]


def _is(cell: Value, number: float) -> bool:
    return (
        isinstance(cell, int | float)
        and not isinstance(cell, bool)
        and math.isclose(cell, number, rel_tol=1e-6)
    )


def ask(platform: Platform, asked: Asked) -> tuple[Verdict, Answer, list[tuple[Value, ...]]]:
    """One question, its answer and its verdict."""
    gold = (
        [tuple(dict(r).values()) for r in platform.connection.read(asked.cypher, {})] if asked.cypher else []
    )
    answer = platform.questions.ask(Question(text=asked.question, limit=LIMIT, use_llm=False))
    return judge(asked, answer, gold), answer, gold


def run(platform: Platform, file: Path, part: str, record: Recorder) -> None:
    """All questions of a part; failures of the part put aside are not written down."""
    verdicts: list[tuple[Asked, Verdict]] = []
    lines = []
    for asked in (q for q in read_questions(file) if q.part == part):
        verdict, answer, gold = ask(platform, asked)
        verdicts.append((asked, verdict))
        if part == "dev" and verdict is not Verdict.EXACT:
            lines.append(
                {
                    "question": asked.question,
                    "verdict": verdict.value,
                    "shape": answer.shape,
                    "text": answer.text[:300],
                    "explanation": answer.explanation,
                    "cypher": answer.cypher,
                    "rows": answer.model_dump(mode="json")["rows"][:3],
                    "gold": [list(g) for g in gold[:3]],
                    "sizes": [len(answer.rows), len(gold)],
                }
            )
    if part == "dev":
        text = "".join(json.dumps(x, ensure_ascii=False) + "\n" for x in lines)
        (OUT / f"{file.stem}_failures.jsonl").write_text(text, encoding="utf-8")
    asked_for = [v for a, v in verdicts if a.kind != "none"]
    without = [v for a, v in verdicts if a.kind == "none"]
    counts = Counter(asked_for)
    record.add(
        f"exact_{part}", 100 * counts[Verdict.EXACT] / len(asked_for), "%", note=f"of {len(asked_for)}"
    )
    record.add(f"wrong_{part}", counts[Verdict.WRONG], "answers")
    record.add(f"broken_{part}", counts[Verdict.BROKEN], "answers")
    record.add(f"refused_{part}", 100 * sum(v is Verdict.EXACT for v in without) / len(without), "%")


def main(arguments: Sequence[str] | None = None) -> None:
    """A set, both parts of it or the one named on the command line."""
    options = argparse.ArgumentParser()
    options.add_argument("parts", nargs="*", default=["dev", "held"])
    options.add_argument("--set", choices=FILES, default="own", dest="name")
    given = options.parse_args(arguments)
    if not (FULL / "kg.toml").exists():
        run_build(FULL, "", passages=False)
    told = f"own_pdg --set {given.name}" if given.name != "own" else "own_pdg"
    with (
        benchmark(f"{given.name}_pdg", told) as record,
        open_platform(Workspace(FULL), SilentProgress()) as platform,
    ):
        platform.ensure_server(lambda _: None)
        platform.questions.prepare()
        for part in given.parts:
            run(platform, FILES[given.name], part, record)
        platform.managed.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
