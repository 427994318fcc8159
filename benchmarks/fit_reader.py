"""Fits the reader's weights and its confidence on development questions, and writes them with their origin.

The first candidates of each question are executed (:mod:`benchmarks.judged_readings`); train questions of
CypherBench are judged by structure. An averaged perceptron (Collins 2002, doi:10.3115/1118693.1118694) moves
the hand-set weights. Two logistic curves (Platt 1999) turn figures about a reading into chances: that it
is understood, whatever columns are returned, which decides whether there is an answer at all; and that the
rows are exactly those wanted, which ranks answers. Their penalty is chosen on sources, and on parts of all
questions, that were left out of the fit.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from benchmarks import cypherbench
from benchmarks.demo_graphs import COVERAGE, GRAPHS
from benchmarks.executed import report_refused
from benchmarks.filled_graphs import loader
from benchmarks.harness import ROOT, Recorder, benchmark
from benchmarks.judged_readings import FILLED, MOST_TRIED, Figures, Judged, judge, load, questions, save
from benchmarks.property_graphs import LOADERS, graph
from cypher.semantics.doubts import probability
from cypher.semantics.score import HAND_SET

OUT: Final = ROOT / "cypher" / "semantics" / "weights.json"
KEPT: Final = ROOT / "build" / "fit_reader"
EPOCHS: Final = 8
STEP: Final = 0.02
"""Size of one correction; the hand-set weights are the start, so small."""
SEED: Final = 7
PENALTIES: Final = (0.01, 0.03, 0.1, 0.3, 1.0)
"""Inverse strengths that are tried, on figures scaled to unit variance."""
RAISING: Final = frozenset(
    {
        *("charted", "alike", "charted_margin", "composed_margin", "understood", "rival_same", "one_row"),
        *("head_count", "head_aggregate", "head_exists", "asks_names", "foreseeable"),
    }
)
"""Figures that speak for an answer; all others speak against it."""
RARE: Final = 5
"""Figures seen in fewer questions get no slope."""
MOST: Final = {
    "pole": 80,
    "movies": 300,
    "northwind": 200,
    "star_wars": 120,
    "healthcare": 120,
    **dict.fromkeys(FILLED, 450),
}
"""About so many questions of each graph, beside the own ones."""
FOLDS: Final = 5
"""Parts of all questions, each foretold by the others: other questions, known graphs."""
BINS: Final = 10
"""Of the calibration error."""

Slopes = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Example:
    """Figures of one question, and what is to be foretold."""

    source: str
    figures: Figures
    right: bool


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


def slopes_of(examples: Sequence[Example], penalty: float) -> dict[str, float]:
    """Slopes of a logistic curve, each source counting the same; the intercept stands under ``""``.

    A doubt may not raise the chance, nor a sign of agreement lower it: what a few hundred questions of other
    graphs say against that is chance. Fitted by L-BFGS-B (Byrd et al. 1995, doi:10.1137/0916069).
    """
    import numpy as np
    from scipy.optimize import minimize

    names, table = _table(examples)
    spread = table.std(axis=0)
    spread[spread == 0] = 1.0
    scaled = table / spread
    signs = np.array([1.0 if e.right else -1.0 for e in examples])
    sizes = Counter(e.source for e in examples)
    weights = np.array([len(examples) / len(sizes) / sizes[e.source] for e in examples])
    ridge = np.array([*[1 / penalty] * len(names), 0.0])

    def loss(slopes: Any) -> tuple[float, Any]:
        margins = signs * (scaled @ slopes)
        pulls = -(weights * signs / (1 + np.exp(np.clip(margins, -30, 30)))) @ scaled
        whole = weights @ np.logaddexp(0, -margins) + slopes @ (ridge * slopes) / 2
        return float(whole), pulls + ridge * slopes

    bounds = [(0, None) if n in RAISING else (None, 0) for n in names]
    start = np.zeros(len(names) + 1)
    fitted = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[*bounds, (None, None)]).x / spread
    slopes = {name: round(float(x), 4) for name, x in zip(names, fitted, strict=False)}
    return {"": round(float(fitted[-1]), 4), **{n: x for n, x in slopes.items() if x}}


def _table(examples: Sequence[Example]) -> tuple[list[str], Any]:
    """Names of the figures that are not rare; a row of them for each example, and at its end a 1."""
    import numpy as np

    seen = Counter(name for e in examples for name, _ in e.figures)
    names = sorted(name for name, times in seen.items() if times >= RARE)
    at = {name: i for i, name in enumerate(names)}
    table = np.zeros((len(examples), len(names) + 1))
    table[:, -1] = 1.0
    for row, example in zip(table, examples, strict=True):
        for name, x in example.figures:
            if name in at:
                row[at[name]] = x
    return names, table


def left_out(
    examples: Sequence[Example], penalty: float, groups: Sequence[object] | None = None
) -> list[float]:
    """The chance of each example by slopes fitted on the other groups, by default on the other sources."""
    groups = [e.source for e in examples] if groups is None else groups
    out = [0.0] * len(examples)
    for group in dict.fromkeys(groups):
        kept = [e for e, g in zip(examples, groups, strict=True) if g != group]
        slopes = slopes_of(kept, penalty)
        for i, example in enumerate(examples):
            if groups[i] == group:
                out[i] = probability(example.figures, slopes)
    return out


def fit(examples: Sequence[Example]) -> tuple[float, dict[str, float]]:
    """The penalty that orders questions of new graphs and new questions of known ones best; its slopes."""
    folds = [i % FOLDS for i in range(len(examples))]

    def risk(penalty: float) -> float:
        foretold = left_out(examples, penalty), left_out(examples, penalty, folds)
        return sum(_risk_within(examples, chances) for chances in foretold)

    penalty = min(PENALTIES, key=risk)
    return penalty, slopes_of(examples, penalty)


def _risk_within(examples: Sequence[Example], chances: Sequence[float]) -> float:
    """Mean over the sources: how often answers to one are right says nothing of the order in another."""
    found: dict[str, list[tuple[float, bool]]] = {}
    for example, chance in zip(examples, chances, strict=True):
        found.setdefault(example.source, []).append((chance, example.right))
    return statistics.fmean(risk_area([c for c, _ in f], [r for _, r in f]) for f in found.values())


def risk_area(probabilities: Sequence[float], right: Sequence[bool]) -> float:
    """Mean share of wrong answers among the most confident ones, over all coverages (AURC)."""
    order = sorted(range(len(right)), key=lambda i: -probabilities[i])
    wrong, risks = 0, []
    for rank, i in enumerate(order, 1):
        wrong += not right[i]
        risks.append(wrong / rank)
    return statistics.fmean(risks)


def calibration_error(probabilities: Sequence[float], right: Sequence[bool]) -> float:
    """Mean distance of probability and share of right answers, over bins of equal width (ECE)."""
    bins: dict[int, list[int]] = {}
    for i, p in enumerate(probabilities):
        bins.setdefault(min(int(BINS * p), BINS - 1), []).append(i)
    gaps = (abs(sum(probabilities[i] - right[i] for i in some)) for some in bins.values())
    return sum(gaps) / len(right)


def precision(probabilities: Sequence[float], right: Sequence[bool]) -> float:
    """Share of right answers among the most confident :data:`COVERAGE` of all."""
    order = sorted(range(len(right)), key=lambda i: -probabilities[i])
    return statistics.fmean(right[i] for i in order[: max(1, round(COVERAGE * len(order)))])


def report(record: Recorder, name: str, judged: Sequence[Judged], probabilities: Sequence[float]) -> None:
    """Figures of one set of probabilities, on the four graphs' exact answers and on the agreed ones."""
    shown = [(j, p) for j, p in zip(judged, probabilities, strict=True) if j.source in GRAPHS]
    chance, right = [p for _, p in shown], [bool(j.exact) for j, _ in shown]
    record.add(f"{name}_precision_at_60", 100 * precision(chance, right), "%", note=f"n={len(right)}")
    record.add(f"{name}_risk_area", risk_area(chance, right), "")
    record.add(f"{name}_calibration_error", calibration_error(chance, right), "")
    agreed = [(j.strict, p) for j, p in shown if j.agreed]
    if agreed:
        share = 100 * precision([p for _, p in agreed], [r for r, _ in agreed])
        record.add(f"{name}_precision_at_60_agreed", share, "%", goal=">= 95", note=f"n={len(agreed)}")


def gather(names: Sequence[str], *, most: int | None = None, keep: bool, tried: int = 1) -> list[Judged]:
    """What is judged, read from :data:`KEPT` where ``keep`` says so and it is there."""
    out: list[Judged] = []
    for name in names:
        file = KEPT / f"{name}.jsonl"
        if not (keep and file.exists()):
            load_graph = loader(FILLED[name]) if name in FILLED else LOADERS[name]
            with graph(name, load_graph) as connection:
                save(list(judge(name, connection, questions(name, most or MOST[name]), tried=tried)), file)
        out += load(file)
    return out


def structures(most: int, *, keep: bool) -> list[Example]:
    """Train questions of CypherBench, judged by structure."""
    file = KEPT / "cypherbench.json"
    if not (keep and file.exists()):
        found = [(d, right) for d, _, right, _ in cypherbench.score("train", most=most) if d]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(found), encoding="utf-8")
    rows: list[Any] = json.loads(file.read_text(encoding="utf-8"))
    return [Example("cypherbench", tuple((str(n), float(x)) for n, x in d), bool(r)) for d, r in rows]


def rewritten(one: Judged, understood: Callable[[Figures], float]) -> Figures:
    """Figures of the answer, with the chance that it is understood by new slopes."""
    return (*(f for f in one.answer if f[0] != "understood"), ("understood", understood(one.doubts)))


def _understood(
    record: Recorder, judged: Sequence[Judged], most: int, *, keep: bool
) -> tuple[dict[str, float], int]:
    """Slopes of the chance that a question is understood, and of how many questions they are."""
    examples = [Example(j.source, j.doubts, j.understood) for j in judged]
    examples += structures(most, keep=keep)
    penalty, slopes = fit(examples)
    record.notes.append(f"understood: n={len(examples)}, penalty {penalty}")
    chances = left_out(examples, penalty), [e.right for e in examples]
    record.add("understood_left_out_risk_area", risk_area(*chances), "")
    record.add("understood_left_out_calibration_error", calibration_error(*chances), "")
    return slopes, len(examples)


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit on the named graphs and write the weights."""
    options = argparse.ArgumentParser()
    options.add_argument("--graphs", nargs="*", default=["pole", *GRAPHS, *FILLED])
    options.add_argument("--most", type=int, help="questions of each graph")
    options.add_argument("--structures", type=int, default=400, help="train questions of CypherBench")
    options.add_argument("--refit-weights", action="store_true", help="move the weights of readings, too")
    options.add_argument("--keep", action="store_true", help="use what an earlier run judged")
    options.add_argument("--answers", action="store_true", help="leave alone what is understood")
    asked = options.parse_args(arguments)
    with benchmark("fit_reader") as record:
        tried = MOST_TRIED if asked.refit_weights else 1
        judged = gather(asked.graphs, most=asked.most, keep=asked.keep, tried=tried)
        known = json.loads(OUT.read_text(encoding="utf-8"))
        if asked.answers:
            understood, number, origin = known["understood"], known["questions"], known["origin"]
        else:
            understood, number = _understood(record, judged, asked.structures, keep=asked.keep)
            origin = "benchmarks.fit_reader on development halves and own questions of: "
            origin += (
                ", ".join(asked.graphs) + f"; structure of {asked.structures} train questions of CypherBench"
            )
        report_refused(record, [code for j in judged for code in j.refused])
        told = [j for j in judged if j.exact is not None]
        answers = [
            Example(j.source, rewritten(j, lambda d: probability(d, understood)), bool(j.exact)) for j in told
        ]
        penalty, exact = fit(answers)
        record.notes.append(f"exact: n={len(answers)}, penalty {penalty}")
        report(record, "before", told, [j.confidence for j in told])
        report(record, "left_out", told, left_out(answers, penalty))
        folds = [i % FOLDS for i in range(len(answers))]
        report(record, "folds", told, left_out(answers, penalty, folds))
        report(record, "in_sample", told, [probability(a.figures, exact) for a in answers])
        content = {
            "origin": origin,
            "questions": number,
            "seed": SEED,
            "weights": perceptron(judged) if asked.refit_weights else known["weights"],
            "understood": understood,
            "exact": exact,
        }
        OUT.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
