"""Training of the staged pair model, with its decision chosen on documents held out in turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from extraction.learned_alternatives import chances_of, unnamed
from extraction.learned_calibration import Calibration, fit_calibration
from extraction.learned_clues import Likeness
from extraction.learned_crf import Floats
from extraction.learned_labels import Example
from extraction.learned_pairs import Neighbourhood, PairData, pair_labels
from extraction.learned_rank import TRUSTS
from extraction.learned_spans import Found
from extraction.learned_stages import Ranked, StagedModel, StagedRows, fit_stages, staged_pairs, staged_rows
from schemas.graph_schema import GraphSchema

STRENGTH: Final = 1.0
"""Inverse of the L2 penalty of both stages."""
LEAST: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
"""Tried as the probability from which a relation holds."""
RIVAL: Final = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 1.0)
"""Tried as the share of the best pair of the same relation that another pair must reach."""
ENOUGH: Final = 600
"""Documents from which one part of them, held out, is enough to choose the decision by."""
NEAR_BEST: Final = 0.99
"""Share of the best F-beta that is good enough for a decision which proposes less."""

Staged = tuple[PairData, StagedRows]


@dataclass(frozen=True, slots=True)
class HeldSpans:
    """What a span model proposes in one document, and all spans that it holds likely enough."""

    found: Sequence[Found]
    likely: Sequence[Found]


@dataclass(frozen=True, slots=True)
class Aim:
    """What the decision is chosen for."""

    beta: float = 1.0
    """Weight of recall in F-beta."""
    open_world: bool = False
    """Judge in each document only the relation types of which it has vetted statements."""


def staged_data(
    examples: Sequence[Example], spans: Sequence[HeldSpans], schema: GraphSchema, reach: int
) -> list[Staged]:
    """Pairs and rows of documents; ``spans`` are what a model found in each that has not seen it."""
    return [_staged(e, held, schema, reach) for e, held in zip(examples, spans, strict=True)]


def _staged(example: Example, held: HeldSpans, schema: GraphSchema, reach: int) -> Staged:
    """All spans that are likely enough are entities; a labelled one that is not is one as well."""
    spans = [*held.found, *held.likely]
    records = [*example.records, *unnamed(example.text, spans, example.records)]
    around = Neighbourhood.of(
        example.text,
        records,
        named=[f.mention for f in held.found],
        chances=chances_of(held.likely),
    )
    pairs = tuple(
        p
        for p in staged_pairs(records, schema, reach=reach)
        if frozenset((p.first.id, p.second.id)) not in example.undecided
    )
    labels = tuple(pair_labels(p, example) for p in pairs)
    return PairData(pairs, ((),) * len(pairs), labels), staged_rows(pairs, around)


def train_stages(
    data: Sequence[Staged], folds: Sequence[int], likeness: Likeness, schema: GraphSchema, *,
    reach: int, aim: Aim,
) -> tuple[StagedModel | None, Calibration]:  # fmt: skip
    """The staged model of all documents with its decision, and the calibration of its probabilities."""
    final = fit_stages(data, likeness, reach=reach, strength=STRENGTH)
    if final is None:
        return None, Calibration()
    held: list[list[tuple[Floats, Floats]]] = [[] for _ in TRUSTS]
    parts = sorted(set(folds))
    for fold in parts[:1] if len(data) >= ENOUGH else parts:
        train = [d for d, at in zip(data, folds, strict=True) if at != fold]
        model = fit_stages(train, likeness, reach=reach, strength=STRENGTH)
        if model is None:
            continue
        mine = [d for d, at in zip(data, folds, strict=True) if at == fold and d[0].pairs]
        for staged in mine:
            judged, truth = _judged(model, staged, schema)
            for found, probable in zip(held, judged, strict=True):
                found.append((probable, truth))
    if not held[0]:
        return final, Calibration()
    tried = [best_ranked(found, aim) for found in held]
    at = max(range(len(TRUSTS)), key=lambda i: (tried[i][1], -i))
    decision = tried[at][0]
    scores = np.concatenate([p[:, 1:].ravel() for p, _ in held[at]])
    right = np.concatenate([t[:, 1:].ravel() for _, t in held[at]]) > 0
    told = scores >= decision.least
    calibration = fit_calibration(scores[told].tolist(), right[told].tolist())
    return replace(trusting(final, TRUSTS[at]), decision=decision), calibration


def trusting(model: StagedModel, trust: float) -> StagedModel:
    """The same model with another weight of its ranking."""
    return replace(model, rank=replace(model.rank, trust=trust))


def _judged(model: StagedModel, staged: Staged, schema: GraphSchema) -> tuple[list[Floats], Floats]:
    """Probabilities for each trust, and the truth, of one document."""
    data, rows = staged
    truth = np.array([[c in labels for c in model.classes] for labels in data.labels], np.float64)
    told, order = model.factors(data.pairs, rows, schema)
    return [model.joint(told, order, trust) for trust in TRUSTS], truth


def best_ranked(held: Sequence[tuple[Floats, Floats]], aim: Aim) -> tuple[Ranked, float]:
    """The strictest decision of nearly the best F-beta, and the best.

    ``held`` are probabilities and truth by document.
    """
    wanted = sum(float(truth[:, 1:].sum()) for _, truth in held)
    judged = [_judged_classes(truth, aim) for _, truth in held]

    def f_beta(decision: Ranked) -> float:
        right = proposed = 0.0
        for (probable, truth), open_to in zip(held, judged, strict=True):
            holds = decision.holds(probable) & open_to
            right += float(truth[holds].sum())
            proposed += float(holds.sum())
        return (1 + aim.beta**2) * right / max(1.0, proposed + aim.beta**2 * wanted)

    tried = [(f_beta(d), d) for d in (Ranked(least, rival) for least in LEAST for rival in RIVAL)]
    best = max(value for value, _ in tried)
    good = (d for value, d in tried if value >= NEAR_BEST * best)
    return max(good, key=lambda d: (d.least, d.rival)), best


def _judged_classes(truth: Floats, aim: Aim) -> NDArray[np.bool_]:
    """(n_classes,): what counts in a document."""
    if not aim.open_world:
        return np.ones(truth.shape[1], bool)
    named = truth[:, 1:].any(axis=0).reshape(-1, 2).any(axis=1).repeat(2)
    return np.concatenate([[False], named])
