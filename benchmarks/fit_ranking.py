"""Fits the weights by which whole readings of the chart are ranked, and writes them with their origin.

A conditional logit (McFadden 1974) over the readings of each question, of which those that find the gold's
rows are right; a weak prior holds every weight near 0, so that the chart's own score decides where nothing
speaks against it. Questions are the development parts of :mod:`benchmarks.pole_questions`. The prior was
chosen by five-fold cross-validation, whose figures are printed: how many questions have a right reading
first, without a look into the graph.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from benchmarks.executed import GoldRows
from benchmarks.harness import ROOT, Recorder, benchmark
from benchmarks.pole_questions import FAMILIES, is_right, questions
from benchmarks.property_graphs import HOMES, LOADERS, graph
from benchmarks.zograscope import spoken
from cypher.semantics.compose import Candidate
from cypher.semantics.ranking import ranking
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from cypher.semantics.way import Way
from kg.adapters.neo4j_connection import Connection
from kg.adapters.neo4j_introspection import infer_schema, read_values

OUT: Final = ROOT / "cypher" / "semantics" / "ranking.json"
PRIORS: Final = (3.0, 10.0, 30.0, 100.0, 300.0)
"""Strengths of the pull to 0, on features scaled to unit variance."""
FOLDS: Final = 5
SEED: Final = 1
PATIENCE: Final = 1.0
"""Seconds for one reading; one that takes longer counts as wrong."""


@dataclass(frozen=True, slots=True)
class Readings:
    """The chart's readings of one question: features, the chart's own score, which are right."""

    features: tuple[dict[str, float], ...]
    scores: tuple[float, ...]
    right: tuple[bool, ...]


def gather(connection: Connection, reader: SemanticReader) -> Iterator[Readings]:
    """Every development question that the chart reads."""
    golds = GoldRows(connection, HOMES / "pole")
    for family in FAMILIES:
        for row in questions(family, "dev"):
            gold = [c for q in (row.cypher, row.cypher_nodes) if (c := golds.of(q)) is not None and c.rows]
            charted = [c for c in reader.read(row.question).candidates if _is_charted(c)] if gold else []
            if charted:
                right = (is_right(connection, reader, c.query, gold, seconds=PATIENCE) for c in charted)
                features = tuple(_sums(c) for c in charted)
                yield Readings(features, tuple(map(_own_score, charted)), tuple(right))
    golds.save()


def _is_charted(candidate: Candidate) -> bool:
    return any(name.startswith("c_") for name, _ in candidate.features)


def _sums(candidate: Candidate) -> dict[str, float]:
    out: dict[str, float] = {}
    for name, amount in candidate.features:
        if name.startswith("r_"):
            out[name] = out.get(name, 0.0) + amount
    return out


def _own_score(candidate: Candidate) -> float:
    """What the chart gave it: the score less what ranking adds."""
    weights = ranking()
    return candidate.score - sum(weights.get(name, 0.0) * amount for name, amount in candidate.features)


@dataclass(frozen=True, slots=True)
class Table:
    """The readings of one question as rows of numbers."""

    features: Any
    scores: Any
    right: Any


def tables(asked: Sequence[Readings], names: Sequence[str]) -> list[Table]:
    """One table for each question, a column for each name."""
    import numpy as np

    return [
        Table(
            np.array([[f.get(n, 0.0) for n in names] for f in one.features]),
            np.array(one.scores),
            np.array(one.right),
        )
        for one in asked
    ]


def fit(asked: Sequence[Table], prior: float) -> Any:
    """Weights by which right readings of the questions come first, by L-BFGS-B."""
    import numpy as np
    from scipy.optimize import minimize

    telling = [t for t in asked if t.right.any() and not t.right.all()]
    spread = np.vstack([t.features for t in asked]).std(axis=0)
    spread[spread == 0] = 1.0

    def loss(weights: Any) -> tuple[float, Any]:
        value, slope = prior * float(weights @ weights) / 2, prior * weights
        for t in telling:
            rows = t.features / spread
            raised = rows @ weights + t.scores
            raised = np.exp(raised - raised.max())
            wanted = raised * t.right
            value -= float(np.log(max(wanted.sum(), 1e-300) / raised.sum()))
            slope = slope + rows.T @ (raised / raised.sum() - wanted / max(wanted.sum(), 1e-300))
        return value, slope

    start = np.zeros(len(spread))
    return minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[(None, 0.0)] * len(start)).x / spread


def first_right(asked: Sequence[Table], weights: Any) -> int:
    """Questions with a right reading in front."""
    return sum(bool(t.right[int((t.scores + t.features @ weights).argmax())]) for t in asked)


def validated(asked: Sequence[Table], prior: float) -> int:
    """The same for questions that were left out of the fit."""
    order = list(range(len(asked)))
    random.Random(SEED).shuffle(order)
    found = 0
    for fold in range(FOLDS):
        out = set(order[fold::FOLDS])
        weights = fit([t for i, t in enumerate(asked) if i not in out], prior)
        found += first_right([asked[i] for i in sorted(out)], weights)
    return found


def report(record: Recorder, asked: Sequence[Table]) -> float:
    """Figures of the fit; the prior that foretells best."""
    import numpy as np

    record.add("questions", len(asked), "questions")
    record.add("possible", sum(bool(t.right.any()) for t in asked), "questions", note="a reading is right")
    none = np.zeros(asked[0].features.shape[1])
    record.add("unranked", first_right(asked, none), "questions", note="the chart's own order")
    found = {prior: validated(asked, prior) for prior in PRIORS}
    for prior, right in found.items():
        record.add(f"validated_{prior:g}", right, "questions", note=f"{FOLDS} folds")
    return max(found, key=lambda p: (found[p], p))


def main() -> None:
    """Fit, and write the weights beside the package's code."""
    with benchmark("fit_ranking") as record, graph("pole", LOADERS["pole"]) as connection:
        schema = infer_schema(connection)
        values = ValueTable(read_values(connection, schema))
        reader = SemanticReader(schema, values, spoken(), way=Way(one=True))
        asked = list(gather(connection, reader))
        names = sorted({name for one in asked for f in one.features for name in f})
        rows = tables(asked, names)
        prior = report(record, rows)
        weights = {n: round(float(x), 4) for n, x in zip(names, fit(rows, prior), strict=True)}
        origin = f"benchmarks.fit_ranking on {len(rows)} development questions, prior {prior:g}"
        text = json.dumps({"origin": origin, "weights": weights}, indent=2)
        OUT.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
