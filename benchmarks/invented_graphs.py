"""Questions on graphs that were invented for it, through the whole service, by introspection alone.

Graphs of everyday worlds, each with 90 questions, their gold queries and rows, by people who had seen
nothing of the reader; of three 80 and of four 60, whose rows were computed without queries. Errors on those
in ``READ`` were read afterwards. Right before that were 20.7, 31.7, 28.0, 15.9 and 23.2 % of ``vineyard``,
``vetclinic``, ``courier``, ``observatory`` and ``garden``, and 3.7, 7.3, 6.1, 4.9 and 6.1 % wrong; of
``beekeepers``, ``telescope`` and ``invoicing``, judged by hand, 41.2 % each, and 2.9, 1.5 and 11.8 % wrong;
of ``museum`` and ``railway`` 47.9 and 45.8 %, and 8.3 and 2.1 % wrong; of ``fishing`` and ``rescue`` 37.5 and
27.1 %, and 2.1 and 6.3 % wrong. Of the others only totals were looked
at, so their figures are of schemas that nothing was written for. A question is right where the answer equals
the gold as a set of rows, further columns aside; wrong where another answer is given; else not answered.
Figures with ``_words`` are with words that somebody wrote in twenty minutes who saw no question.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, Final

from benchmarks.executed import Cells, equal_sets, same_in_common_columns
from benchmarks.harness import Recorder, benchmark
from benchmarks.property_graphs import create_edges, create_nodes, graph, joining
from cypher.examples import Known
from cypher.semantics.softened import Thesaurus
from cypher.store_service import Looks, StoreQuestionService
from kg.adapters.neo4j_connection import Connection
from kg.adapters.neo4j_introspection import infer_schema, read_values
from kg.adapters.neo4j_runner import Neo4jRunner
from kg.ask_store import read_words
from kg.settings import read_environment
from kg.thesaurus_files import ensure_thesaurus, open_thesaurus
from schemas.questions import Answer, Outcome, Question

HOME: Final = Path(__file__).parent / "invented"
GRAPHS: Final = (
    *("lendmuse", "riverwatch", "tramdepots", "theatre", "vineyard"),
    *("vetclinic", "courier", "musicschool"),
    *("observatory", "garden"),
    *("beekeepers", "telescope", "invoicing"),
    *("museum", "railway"),
    *("fishing", "rescue"),
)
WITHOUT_QUERIES: Final = frozenset(
    {"beekeepers", "telescope", "invoicing", "museum", "railway", "fishing", "rescue"}
)
"""Graphs whose gold has rows alone."""
READ: Final = WITHOUT_QUERIES | frozenset(
    {"lendmuse", "tramdepots", "theatre", "vineyard", "vetclinic", "courier", "observatory", "garden"}
)
"""Graphs whose errors were read."""
MOST: Final = 500
"""Rows of an answer; no gold has as many."""
SECONDS: Final = 2.0
"""For the looks that choose between near readings, so that a busy machine does not change the figures."""
GIVEN: Final = frozenset({Outcome.ANSWERED, Outcome.EMPTY_BUT_VALID})
"""Outcomes that tell something about the graph."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question; ``rows`` is ``None`` where there is no answer, ``also`` are rows that are right too."""

    id: str
    question: str
    cypher: str
    rows: Cells | None
    kind: str
    also: tuple[Cells, ...] = ()


def questions(name: str) -> Iterator[Asked]:
    """Those of one graph."""
    for line in (HOME / f"{name}_questions.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        gold = None if row["rows"] is None else _cells(row["rows"])
        also = tuple(_cells(rows) for rows in row.get("also_right") or ())
        yield Asked(row["id"], row["question"], row["cypher"], gold, row["kind"], also)


def _cells(rows: Sequence[Sequence[Any]]) -> Cells:
    """Rows as they are compared; a list in a cell is one value."""
    return Cells(tuple(tuple(tuple(c) if isinstance(c, list) else c for c in row) for row in rows))


def load(connection: Connection, name: str) -> None:
    """Writes a graph into an empty database."""
    lines = (HOME / f"{name}_graph.jsonl").read_text(encoding="utf-8").splitlines()
    rows: list[dict[str, Any]] = [json.loads(line) for line in lines]
    for row in rows:
        row["properties"] = {k: _value(v) for k, v in row["properties"].items()}
    nodes = [((r["label"], *r.get("also", ())), r) for r in rows if "label" in r]
    for labels in sorted({labels for labels, _ in nodes}):
        found = (r for own, r in nodes if own == labels)
        create_nodes(connection, labels, [{"id": r["id"], "p": r["properties"]} for r in found])
    with joining(connection):
        for kind in sorted({r["type"] for r in rows if "type" in r}):
            ties = (r for r in rows if r.get("type") == kind)
            edges = [{"a": r["start"], "b": r["end"], "p": r["properties"]} for r in ties]
            create_edges(connection, kind, edges)


def _value(stored: Any) -> Any:
    """A day where one is stored, written as ``{"date": "2024-05-01"}``; other values as they are."""
    return date.fromisoformat(stored["date"]) if isinstance(stored, dict) else stored


def verdict(asked: Asked, answer: Answer) -> str:
    """``right``, ``wrong`` or ``held back``."""
    if answer.outcome not in GIVEN:
        return "held back" if asked.rows is not None else "right"
    found = Cells(answer.rows)
    equal = same_in_common_columns if found.rows else equal_sets
    golds = () if asked.rows is None else (asked.rows, *asked.also)
    return "right" if any(equal(found, gold) for gold in golds) else "wrong"


def measure(
    connection: Connection,
    name: str,
    thesaurus: Thesaurus | None,
    *,
    words: Path | None = None,
    show: bool = False,
) -> tuple[Counter[str], Counter[str]]:
    """Verdicts on questions with an answer, and on those without."""
    schema = infer_schema(connection)
    values, runner = read_values(connection, schema), Neo4jRunner(connection)
    spoken = read_words(words, schema) if words else None
    service = StoreQuestionService(
        schema, values, runner, known=Known(spoken), looks=Looks(SECONDS, telling=0.0), thesaurus=thesaurus
    )
    told, untold = Counter[str](), Counter[str]()
    for asked in questions(name):
        answer = service.ask(Question(text=asked.question, limit=MOST))
        found = verdict(asked, answer)
        (told if asked.rows is not None else untold)[found] += 1
        if show and name in READ:
            sys.stdout.write(_shown(asked, answer, found))
    return told, untold


def _shown(asked: Asked, answer: Answer, found: str) -> str:
    head = f"{asked.id} {asked.kind} {found} {answer.outcome} {answer.confidence:.2f}: {asked.question}\n"
    if found == "right":
        return head
    lines = [asked.cypher, f"{' '.join(answer.cypher.split())} {answer.parameters or ''}", answer.text[:200]]
    return head + "".join(f"  {line}\n" for line in (*lines, *answer.assumptions))


def report(record: Recorder, name: str, told: Counter[str], untold: Counter[str], *, read: bool) -> None:
    """Figures of one graph."""
    note = f"n={told.total()}, errors {'read' if read else 'never read'}"
    given = told["right"] + told["wrong"]
    precision = 100 * told["right"] / given if given else 0.0
    refused = 100 * untold["right"] / untold.total()
    record.add(f"{name}_right", 100 * told["right"] / told.total(), "%", note=note)
    record.add(f"{name}_wrong", 100 * told["wrong"] / told.total(), "%", note=f"{note}; answered otherwise")
    record.add(f"{name}_precision", precision, "%", note="of the answers given")
    record.add(f"{name}_unanswerable_refused", refused, "%", note=f"n={untold.total()}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Ask all questions of the graphs; ``--show`` prints the errors of those that may be read."""
    options = argparse.ArgumentParser()
    options.add_argument("--show", action="store_true")
    options.add_argument("--graph", choices=GRAPHS)
    chosen = options.parse_args(arguments)
    cache = read_environment().cache
    ensure_thesaurus(cache, note=print)
    with open_thesaurus(cache) as thesaurus, benchmark("invented_graphs") as record:
        for name in [chosen.graph] if chosen.graph else GRAPHS:
            with graph(f"invented_{name}", partial(load, name=name)) as connection:
                told = measure(connection, name, thesaurus, show=chosen.show)
                report(record, name, *told, read=name in READ)
                alone = measure(connection, name, None)
                report(record, f"{name}_no_thesaurus", *alone, read=name in READ)
                if (words := HOME / f"{name}_words.yaml").exists():
                    told = measure(connection, name, thesaurus, words=words)
                    report(record, f"{name}_words", *told, read=name in READ)


if __name__ == "__main__":
    main()
