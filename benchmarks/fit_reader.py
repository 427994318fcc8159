"""Fits the reader's weights and its confidence on development questions, and writes them with their origin.

Read are the development halves and the own questions on the crime graph, executed, and train questions of
CypherBench by structure; ZOGRASCOPE and the unread halves are not.

The first candidates of each question are executed; one is right when its rows are the gold's. An averaged
perceptron (Collins 2002, doi:10.3115/1118693.1118694) then moves the hand-set weights, and a logistic curve
(Platt 1999) over a few figures turns the best candidate into a probability.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from benchmarks import cypherbench, pole_questions
from benchmarks.demo_graphs import GRAPHS, pairs
from benchmarks.executed import Cells, GoldRows, execute, same_rows
from benchmarks.harness import ROOT
from benchmarks.property_graphs import HOMES, LOADERS, graph
from benchmarks.zograscope import spoken
from cypher.semantics.reader import SemanticReader
from cypher.semantics.score import HAND_SET
from cypher.semantics.values import ValueTable
from kg.adapters.neo4j_connection import Connection
from kg.adapters.neo4j_introspection import infer_schema, read_values

OUT: Final = ROOT / "cypher" / "semantics" / "weights.json"
EPOCHS: Final = 8
STEP: Final = 0.02
"""Size of one correction; the hand-set weights are the start, so small."""
SEED: Final = 7
MOST_TRIED: Final = 4
"""Candidates of one question that are executed."""
PATIENCE: Final = 1.5
"""Seconds for one candidate; one that takes longer counts as wrong."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One question: features of its candidates, which are right, and what its confidence rests on."""

    graph: str
    features: tuple[Mapping[str, float], ...]
    right: tuple[bool, ...]
    doubts: tuple[float, ...]


def questions(name: str, most: int) -> Iterator[tuple[str, str]]:
    """Development questions of a graph with one gold query each."""
    if name == "pole":
        yield from ((row.question, row.cypher) for row in pole_questions.questions("own", "dev"))
        return
    chosen = [p for p in pairs() if p.graph == name and p.development]
    for pair in chosen[:: max(1, len(chosen) // most)]:
        yield pair.question, pair.gold[0]


def judge(name: str, connection: Connection, most: int) -> Iterator[Judged]:
    """All questions of a graph whose gold has rows and that have a candidate."""
    schema = infer_schema(connection)
    table = ValueTable(read_values(connection, schema))
    reader = SemanticReader(schema, table, spoken() if name == "pole" else None)
    golds = GoldRows(connection, HOMES / name)
    for question, query in questions(name, most):
        gold, reading = golds.of(query), reader.read(question)
        if gold is None or not gold.rows or not reading.candidates:
            continue
        tried = reading.candidates[:MOST_TRIED]
        right = tuple(_is_right(connection, reader, c.query, gold) for c in tried)
        yield Judged(name, tuple(_sums(c.features) for c in tried), right, reading.doubts)
    golds.save()


def _is_right(connection: Connection, reader: SemanticReader, query: Any, gold: Cells) -> bool:
    for whole in (False, True):
        written = reader.write(query, whole_nodes=whole, bare=True)
        found = execute(connection, written.text, written.parameters, seconds=PATIENCE)
        if found is not None and same_rows(found, gold, distinct=True):
            return True
    return False


def _sums(features: Sequence[tuple[str, float]]) -> dict[str, float]:
    out: dict[str, float] = defaultdict(float)
    for name, amount in features:
        out[name] += amount
    return dict(out)


def perceptron(judged: Sequence[Judged]) -> dict[str, float]:
    """Averaged weights after :data:`EPOCHS` passes in a seeded order."""
    weights, sums, seen = dict(HAND_SET), dict.fromkeys(HAND_SET, 0.0), 0
    order, chance = list(judged), random.Random(SEED)
    for _ in range(EPOCHS):
        chance.shuffle(order)
        for one in order:
            _correct(weights, one)
            seen += 1
            for name, value in weights.items():
                sums[name] += value
    return {name: round(total / max(seen, 1), 4) for name, total in sums.items()}


def _correct(weights: dict[str, float], one: Judged) -> None:
    if not any(one.right) or all(one.right):
        return
    scores = [sum(weights[n] * a for n, a in f.items()) for f in one.features]
    best = max(range(len(scores)), key=lambda i: scores[i])
    if one.right[best]:
        return
    wanted = max((i for i, r in enumerate(one.right) if r), key=lambda i: scores[i])
    for name in one.features[best].keys() | one.features[wanted].keys():
        weights[name] += STEP * (one.features[wanted].get(name, 0.0) - one.features[best].get(name, 0.0))


def platt(rows: Sequence[tuple[tuple[float, ...], bool]], *, rounds: int = 2000) -> list[float]:
    """Intercept and slopes of the logistic curve, by gradient descent with a small ridge."""
    size = len(rows[0][0])
    slopes = [0.0] * (size + 1)
    for _ in range(rounds):
        step = [1e-3 * s for s in slopes]
        for doubts, right in rows:
            inputs = (1.0, *doubts)
            raised = sum(s * x for s, x in zip(slopes, inputs, strict=True))
            error = 1 / (1 + math.exp(-max(-30.0, min(30.0, raised)))) - right
            for i, x in enumerate(inputs):
                step[i] += error * x / len(rows)
        slopes = [s - 0.5 * d for s, d in zip(slopes, step, strict=True)]
    return [round(s, 4) for s in slopes]


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit on the named graphs and write the weights."""
    options = argparse.ArgumentParser()
    options.add_argument("--graphs", nargs="*", default=["pole", *GRAPHS])
    options.add_argument("--most", type=int, default=200, help="questions of each graph")
    options.add_argument("--structures", type=int, default=400, help="train questions of CypherBench")
    options.add_argument("--keep", action="store_true", help="leave the weights, fit the confidence only")
    asked = options.parse_args(arguments)
    judged: list[Judged] = []
    for name in asked.graphs:
        with graph(name, LOADERS[name]) as connection:
            judged += judge(name, connection, asked.most)
    if asked.structures:
        found = cypherbench.score("train", most=asked.structures)
        judged += [Judged("cypherbench", (), (right,), doubts) for doubts, _, right, _ in found if doubts]
    known = json.loads(OUT.read_text(encoding="utf-8")) if asked.keep else {}
    content = {
        "origin": "benchmarks.fit_reader on development halves and own questions of: "
        + ", ".join(asked.graphs)
        + (f"; structure of {asked.structures} train questions of CypherBench" if asked.structures else ""),
        "questions": len(judged),
        "seed": SEED,
        "weights": known.get("weights") or perceptron(judged),
        "confidence": platt([(j.doubts, j.right[0]) for j in judged]),
    }
    OUT.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
