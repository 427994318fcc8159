"""A calibrated probability that two units are one entity, from the columns of ``similarity.pair_table``.

Logistic regression on the standardised columns and their products, then Platt scaling (Platt 1999) of the
predictions for held-out concepts. There are two heads: one that reads the cosine of meaning, and one for
pairs without it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from canonicalize.pair_data import LabelledTable
from canonicalize.similarity import PAIR_FEATURES
from schemas.errors import DataError, UsageError
from schemas.ids import canonical_json
from schemas.learning import ModelArtifact, ModelHeader

KIND: Final = "canonicalize/pairs"
FORMAT: Final = 1
FOLDS: Final = 5
FEWEST: Final = 20
"""Pairs of either label from which a model is fitted."""
MEANING: Final = PAIR_FEATURES.index("meaning_cosine")
_STRENGTH: Final = 0.05
"""Inverse of the L2 penalty; of .01 to 1 the best by cross-validation on the labelled names."""
_DIGITS: Final = 6
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Head:
    """Weights over the standardised columns and the products of two of them."""

    mean: Floats
    scale: Floats
    weights: Floats
    """(n_expanded,): the columns, then the products in the order of ``np.triu_indices``."""
    bias: float
    slope: float = 1.0
    offset: float = 0.0

    def logits(self, columns: Floats) -> Floats:
        """Uncalibrated: (n_pairs, n_features) -> (n_pairs,)."""
        return np.asarray(_expanded((columns - self.mean) / self.scale) @ self.weights + self.bias)

    def probabilities(self, columns: Floats) -> Floats:
        """Calibrated, in (0, 1)."""
        value = np.clip(self.slope * self.logits(columns) + self.offset, -50, 50)
        return np.asarray(1 / (1 + np.exp(-value)))


@dataclass(frozen=True, slots=True)
class PairModel:
    """Both heads; ``pairs`` counts what they were fitted on."""

    full: Head
    names_only: Head
    pairs: int

    def probabilities(self, columns: Floats) -> Floats:
        """That the units of each pair are one: (n_pairs, n_features) -> (n_pairs,) in (0, 1).

        A pair whose cosine of meaning is 0, as it is without vectors, goes by its names. Columns beyond
        those that the model knows are not read.
        """
        known = np.asarray(columns, dtype=np.float64)[:, : len(self.full.mean)]
        names = self.names_only.probabilities(_without_meaning(known))
        return np.where(known[:, MEANING] != 0, self.full.probabilities(known), names)


def fit_pair_model(table: LabelledTable) -> PairModel:
    """The model of labelled pairs; ``UsageError`` with fewer than ``FEWEST`` of either label.

    The calibration is fitted on held-out predictions for the pairs that a judge would be asked about, so
    that the share of equal pairs among hand-picked ones does not count.
    """
    fewest = int(min(table.same.sum(), len(table) - table.same.sum()))
    if fewest < FEWEST:
        raise UsageError(
            f"expected at least {FEWEST} pairs that are the same and {FEWEST} that differ, found {fewest} of "
            "one of them; decide on more pairs with `kg same` and `kg different`"
        )
    bare = LabelledTable(
        _without_meaning(table.columns), table.same, table.concepts, table.weight, table.proposed
    )
    full = _calibrated(table) if table.columns[:, MEANING].any() else _calibrated(bare)
    return PairModel(full=full, names_only=_calibrated(bare), pairs=len(table))


def folds_of(table: LabelledTable, count: int = FOLDS) -> list[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
    """Per fold the rows to fit on and to test on: no concept is on both sides; pairs across are left out."""
    sides = np.array([[_fold(concept, count) for concept in pair] for pair in table.concepts])
    sides = sides.reshape(-1, 2)
    inside = [(sides == fold).all(axis=1) for fold in range(count)]
    outside = [(sides != fold).all(axis=1) for fold in range(count)]
    return list(zip(outside, inside, strict=True))


def _fold(concept: str, count: int) -> int:
    return int(hashlib.sha256(concept.encode()).hexdigest()[:8], 16) % count


def _calibrated(table: LabelledTable) -> Head:
    from sklearn.linear_model import LogisticRegression

    head = _fitted(table)
    logits, same, weight = [np.zeros(0)], [np.zeros(0, dtype=bool)], [np.zeros(0)]
    wanted = table.proposed if table.proposed.any() else np.ones(len(table), dtype=bool)
    for outside, inside in folds_of(table):
        held, rest = table.pick(inside & wanted), table.pick(outside)
        if len(held) and 0 < rest.same.sum() < len(rest):
            logits.append(_fitted(rest).logits(held.columns))
            same.append(held.same)
            weight.append(held.weight)
    scores, labels = np.concatenate(logits), np.concatenate(same)
    if min(labels.sum(), len(labels) - labels.sum()) < FEWEST:
        return head
    platt = LogisticRegression(C=100.0).fit(scores[:, None], labels, sample_weight=np.concatenate(weight))
    slope = float(platt.coef_[0][0])
    if slope <= 0:
        return head
    return Head(
        head.mean,
        head.scale,
        head.weights,
        head.bias,
        round(slope, _DIGITS),
        round(float(platt.intercept_[0]), _DIGITS),
    )


def _fitted(table: LabelledTable) -> Head:
    """One regression; the scales of the products are folded into the weights."""
    from sklearn.linear_model import LogisticRegression

    mean, scale = table.columns.mean(axis=0), _spread(table.columns)
    products = _expanded((table.columns - mean) / scale)
    middle, spread = products.mean(axis=0), _spread(products)
    model = LogisticRegression(C=_STRENGTH, max_iter=2_000, tol=1e-8)
    model.fit((products - middle) / spread, table.same, sample_weight=table.weight)
    weights = model.coef_[0] / spread
    bias = float(model.intercept_[0]) - float(weights @ middle)
    return Head(
        np.round(mean, _DIGITS), np.round(scale, _DIGITS), np.round(weights, _DIGITS), round(bias, _DIGITS)
    )


def _spread(values: Floats) -> Floats:
    found = values.std(axis=0)
    return np.where(found > 1e-9, found, 1.0)


def _expanded(standard: Floats) -> Floats:
    left, right = np.triu_indices(standard.shape[1])
    return np.hstack([standard, standard[:, left] * standard[:, right]])


def _without_meaning(columns: Floats) -> Floats:
    bare = np.array(columns, dtype=np.float64)
    bare[:, MEANING] = 0.0
    return bare


def encode(
    model: PairModel, *, source: str, schema_name: str = "", schema_version: str = ""
) -> ModelArtifact:
    """The model as header and arrays; ``source`` tells what it was fitted on, by name or hash."""
    arrays: dict[str, NDArray[Any]] = {}
    for name, head in (("full", model.full), ("names", model.names_only)):
        arrays |= {
            f"{name}/mean": head.mean,
            f"{name}/scale": head.scale,
            f"{name}/weights": head.weights,
            f"{name}/final": np.array([head.bias, head.slope, head.offset]),
        }
    parameters = {"features": list(PAIR_FEATURES), "pairs": model.pairs}
    return ModelArtifact(
        ModelHeader(
            kind=KIND,
            format=FORMAT,
            schema_name=schema_name,
            schema_version=schema_version,
            schema_fingerprint="",
            documents=0,
            documents_hash=source,
            parameters=canonical_json(parameters),
        ),
        arrays,
    )


def decode(artifact: ModelArtifact) -> PairModel:
    """The model of an artifact.

    Raises ``UsageError`` when it is of another kind, format or set of columns, ``DataError`` when it
    contradicts itself.
    """
    header = artifact.header
    if header.kind != KIND or header.format != FORMAT:
        raise UsageError(
            f"expected a model of kind {KIND} in format {FORMAT}, found {header.kind} in format "
            f"{header.format}; make it again with `kg train judge`"
        )
    try:
        values = json.loads(header.parameters)
        features, pairs = tuple(values["features"]), int(values["pairs"])
        full, names = (_head(artifact.arrays, name, len(features)) for name in ("full", "names"))
    except (KeyError, ValueError, TypeError, AttributeError) as e:
        raise DataError(
            f"the pair model is damaged ({type(e).__name__}: {e}); make it again with `kg train judge`"
        ) from e
    if features != PAIR_FEATURES[: len(features)]:
        raise UsageError("the pair model reads other columns than this program has; run `kg train judge`")
    return PairModel(full, names, pairs)


def _head(arrays: Mapping[str, NDArray[Any]], name: str, count: int) -> Head:
    shapes = {
        "mean": (count,),
        "scale": (count,),
        "weights": (count + count * (count + 1) // 2,),
        "final": (3,),
    }
    found = {part: np.asarray(arrays[f"{name}/{part}"], dtype=np.float64) for part in shapes}
    for part, shape in shapes.items():
        if found[part].shape != shape or not np.isfinite(found[part]).all():
            raise ValueError(f"expected finite numbers of shape {shape} in {name}/{part}")
    if (found["scale"] <= 0).any():
        raise ValueError(f"expected positive scales in {name}/scale")
    return Head(found["mean"], found["scale"], found["weights"], *found["final"].tolist())


def to_json(artifact: ModelArtifact) -> str:
    """An artifact as one JSON text, for a model that is shipped."""
    arrays = {name: np.asarray(values).tolist() for name, values in sorted(artifact.arrays.items())}
    return json.dumps({"header": artifact.header.model_dump(mode="json"), "arrays": arrays}, indent=1) + "\n"


def from_json(text: str) -> ModelArtifact:
    """The artifact of :func:`to_json`; ``DataError`` for anything else."""
    try:
        data = json.loads(text)
        header = ModelHeader.model_validate(data["header"])
        arrays = {str(k): np.array(v, dtype=np.float64) for k, v in data["arrays"].items()}
    except (KeyError, ValueError, TypeError, AttributeError) as e:
        raise DataError(f"the pair model is no artifact ({type(e).__name__}: {e}); install anew") from e
    return ModelArtifact(header, arrays)


def shipped_model() -> ModelArtifact:
    """The model that comes with the program.

    >>> decode(shipped_model()).pairs > 1000
    True
    """
    return from_json(files("canonicalize.data").joinpath("pair_model.json").read_text(encoding="utf-8"))
