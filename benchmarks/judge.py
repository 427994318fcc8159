"""The judges: the pair model on labelled names, split by concept, and the chat judge with a scripted server.

Labelled are the names of ``canonicalize/data``. Three seeds; in each, concepts are split into five folds,
and every figure is of held-out concepts. Floor: TF-IDF of the names alone. The scripted server merges what
shares its first word, and answers after 50 ms; the run is killed five times (SIGKILL) and goes on.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.harness import Recorder, benchmark
from benchmarks.judge_calls import SEEDS, measure_kills, measure_nonsense
from canonicalize.fit_weights import fit_weights
from canonicalize.judge import Judge, ThresholdJudge
from canonicalize.pair_data import (
    CASE_SENSITIVE,
    LabelledTable,
    Term,
    joined,
    labelled_pairs,
    labelled_terms,
    pair_columns,
    proposed_columns,
)
from canonicalize.pair_judge import PairJudge
from canonicalize.pair_model import encode, fit_pair_model
from canonicalize.quality import b_cubed
from canonicalize.resolve import resolve
from canonicalize.rounds import RoundPolicy
from kg.adapters.embedders import choose_embedder
from kg.settings import read_environment
from schemas.canonicalization_rules import Canonicalization
from schemas.graph_schema import EntityType, GraphSchema
from schemas.graphs import RecordColumns
from schemas.ids import DocumentKey, RecordId, content_hash
from schemas.ports import Embedder

FOLDS = 5
RECALL = 0.9
Floats = NDArray[np.float64]
Labels = NDArray[np.bool_]


class Remembered:
    """An embedder that embeds each text once."""

    def __init__(self, inner: Embedder) -> None:
        self.inner, self.known = inner, dict[str, NDArray[np.float32]]()
        self.model_id, self.dimension = inner.model_id, inner.dimension

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As the inner one."""
        new = sorted(set(texts) - self.known.keys())
        if new:
            self.known |= dict(zip(new, self.inner.encode(new), strict=True))
        return np.stack([self.known[t] for t in texts])


def fold(concept: str, seed: int) -> int:
    """Where a concept belongs."""
    return int(content_hash("judge", seed, concept)[:8], 16) % FOLDS


def held_out(table: LabelledTable, seed: int) -> tuple[Floats, LabelledTable]:
    """Probabilities of the pairs within each fold by models of the other folds, and these pairs."""
    found: list[Floats] = []
    parts: list[LabelledTable] = []
    sides = np.array([[fold(c, seed) for c in pair] for pair in table.concepts])
    for number in range(FOLDS):
        model = fit_pair_model(table.pick((sides != number).all(axis=1)))
        parts.append(table.pick((sides == number).all(axis=1)))
        found.append(model.probabilities(parts[-1].columns))
    return np.concatenate(found), joined(parts)


def precision_at(scores: Floats, same: Labels, recall: float = RECALL) -> float:
    """Precision where the given recall is first reached, equal scores taken together."""
    order = np.argsort(-scores, kind="stable")
    hits, taken = np.cumsum(same[order]), np.arange(1, len(same) + 1)
    last = np.append(np.diff(scores[order]) != 0, True)
    at = np.flatnonzero((hits >= recall * same.sum()) & last)[0]
    return float(hits[at] / taken[at])


def calibration_error(found: Floats, same: Labels, bins: int = 10) -> float:
    """Expected calibration error over bins of equal width (arXiv 1706.04599)."""
    place = np.minimum((found * bins).astype(int), bins - 1)
    gaps = [
        abs(found[place == b].mean() - same[place == b].mean()) * (place == b).sum() for b in np.unique(place)
    ]
    return float(sum(gaps) / len(found))


def measure_pairs(record: Recorder, table: LabelledTable) -> None:
    """Precision, area under the curve and calibration on held-out concepts, beside TF-IDF."""
    from sklearn.metrics import roc_auc_score

    rows: dict[str, list[tuple[float, ...]]] = {"hand-picked": [], "proposed": []}
    for seed in SEEDS:
        found, pairs = held_out(table, seed)
        for name, wanted in (("hand-picked", ~pairs.proposed), ("proposed", pairs.proposed)):
            p, part = found[wanted], pairs.pick(wanted)
            names, same = part.columns[:, 0], part.same
            rows[name].append(
                (
                    precision_at(p, same),
                    precision_at(names, same),
                    float(roc_auc_score(same, p)),
                    float(roc_auc_score(same, names)),
                    calibration_error(p, same),
                    calibration_error(names, same),
                    float(same.mean()),
                )
            )
    for name, prefix in (("proposed", ""), ("hand-picked", "hand_")):
        mean, spread = np.mean(rows[name], axis=0), np.std(rows[name], axis=0)
        note = f"{name} pairs of held-out concepts, {mean[6]:.2f} of them the same; 3 seeds"
        for at, figure in ((0, "precision_at_recall_90"), (2, "auc"), (4, "calibration_error")):
            record.add(
                prefix + figure,
                mean[at],
                "",
                floor=f"{mean[at + 1]:.3f} (TF-IDF of the names)",
                note=f"{note}, spread {spread[at]:.3f}",
            )
    record.notes.append(
        "Pairs across a split are left out, so more of the pairs that are left are the same than in a "
        "corpus; hand-picked pairs are balanced on purpose, and the calibration is for proposed ones."
    )


def schema_of(terms: Sequence[Term], threshold: float, weight: float) -> GraphSchema:
    """A schema with the types of the terms, all with one setting."""
    rules = Canonicalization(
        threshold=threshold, name_weight=weight, vetoes=("charge", "numbers", "particles", "antonyms")
    )
    return GraphSchema(
        name="terms",
        version="1",
        entities=tuple(
            EntityType(
                name=k,
                label=k.title().replace("_", ""),
                case_sensitive=k in CASE_SENSITIVE,
                canonicalization=rules,
            )
            for k in sorted({t.type for t in terms})
        ),
        relations=(),
    )


def columns_of(terms: Sequence[Term], embedder: Embedder) -> list[RecordColumns]:
    """One record for each term, each of a document of its own."""
    made = []
    for kind in sorted({t.type for t in terms}):
        own = [(f"{n:05d}", t) for n, t in enumerate(terms) if t.type == kind]
        made.append(
            RecordColumns(
                type=kind,
                ids=tuple(RecordId(i) for i, _ in own),
                documents=tuple(DocumentKey(i) for i, _ in own),
                names=tuple(t.name for _, t in own),
                descriptions=tuple(t.description for _, t in own),
                aliases=((),) * len(own),
                keys=((),) * len(own),
                vectors=embedder.encode([t.text for _, t in own]),
            )
        )
    return made


def measure_clusters(record: Recorder, table: LabelledTable, embedder: Embedder) -> None:
    """B-cubed of the held-out concepts' names with each judge, at the same and at its own threshold."""
    seed, rows = SEEDS[0], dict[str, list[tuple[float, float, float]]]()
    sides = np.array([[fold(c, seed) for c in pair] for pair in table.concepts])
    for number in range(FOLDS):
        terms = [t for t in labelled_terms() if fold(t.concept, seed) == number]
        model = encode(fit_pair_model(table.pick((sides != number).all(axis=1))), source="folds")
        columns, gold = columns_of(terms, embedder), {f"{n:05d}": t.concept for n, t in enumerate(terms)}
        settings: dict[str, tuple[Judge, float, RoundPolicy]] = {
            "threshold 0.8": (ThresholdJudge(), 0.0, RoundPolicy()),
            "threshold 0.5": (ThresholdJudge(), 0.3, RoundPolicy()),
            "pairs": (PairJudge(model), 0.4, RoundPolicy(most=5)),
            "pairs, margin 0.5": (PairJudge(model), 0.5, RoundPolicy(most=5)),
            "threshold 0.4": (ThresholdJudge(), 0.4, RoundPolicy()),
        }
        for name, (judge, margin, policy) in settings.items():
            wide = RoundPolicy(most=policy.most, margin=margin)
            made = resolve(columns, schema_of(terms, 0.8, 0.5), judge=judge, rounds=wide)
            score = b_cubed({r: g.id for g in made.groups for r in g.records}, gold)
            rows.setdefault(name, []).append((score.precision, score.recall, score.f1))
    told = {name: np.mean(values, axis=0) for name, values in rows.items()}
    floor = told["threshold 0.8"]
    for name, figure in (
        ("pairs", "b_cubed_pairs"),
        ("pairs, margin 0.5", "b_cubed_pairs_wide"),
        ("threshold 0.5", "b_cubed_threshold_50"),
        ("threshold 0.4", "b_cubed_threshold_40"),
    ):
        record.add(
            figure,
            told[name][2],
            "F1",
            floor=f"{floor[2]:.3f} (threshold 0.8, precision {floor[0]:.3f})",
            note=f"{name}: precision {told[name][0]:.3f}, recall {told[name][1]:.3f}; held-out concepts",
        )


def measure_weights(record: Recorder, terms: Sequence[Term], embedder: Embedder) -> None:
    """What ``fit_weights`` gives by type on the pairs of the labelled names that may be proposed."""
    told = []
    for kind in sorted({t.type for t in terms}):
        fit = fit_weights(proposed_columns([t for t in terms if t.type == kind], embedder))
        told.append(
            f"{kind} {fit.name_weight:.1f} / {fit.threshold:.2f} (precision {fit.precision:.2f}, recall "
            f"{fit.recall:.2f})"
        )
    record.notes.append(f"Name weight / threshold of the best F0.5 by type: {'; '.join(told)}.")


def main() -> None:
    """All figures."""
    with benchmark("judge") as record, tempfile.TemporaryDirectory() as folder:
        embedder = Remembered(choose_embedder(read_environment().cache))
        table = joined(
            [pair_columns(labelled_pairs(), embedder), proposed_columns(labelled_terms(), embedder)]
        )
        measure_pairs(record, table)
        measure_clusters(record, table, embedder)
        measure_weights(record, labelled_terms(), embedder)
        record.notes.append(f"Embedder {embedder.model_id}; {len(table)} labelled pairs.")
        measure_kills(record, Path(folder))
        measure_nonsense(record)


if __name__ == "__main__":
    main()
