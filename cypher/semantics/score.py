"""The linear score of a reading: named features and their weights."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

HAND_SET: Final[Mapping[str, float]] = {
    "label": 1.0,
    "agent": 0.9,
    "value": 1.3,
    "name_value": 0.15,
    "merge": 1.2,
    "again": -0.5,
    "again_pointed": 0.6,
    "merge_gap": -0.3,
    "named_value": 0.9,
    "property": 0.7,
    "skip": -1.0,
    "cue": 1.1,
    "cue_side": 0.6,
    "cue_unused": -0.7,
    "no_cue": -0.35,
    "hop": -0.55,
    "detour": -0.9,
    "mirrored": -0.6,
    "mirrored_unheard": -2.5,
    "mirror": -0.9,
    "passes_known": -0.7,
    "distance": -0.22,
    "and_previous": -0.5,
    "relative": 0.25,
    "main_verb": -0.7,
    "clause_closed": -1.2,
    "comparison": 1.5,
    "count_share": 0.15,
    "property_far": -0.1,
    "property_new_node": -0.5,
    "property_lost": -1.2,
    "number_lost": -1.5,
    "number_guess": -0.3,
    "loose_value": -0.6,
    "open_relation": -0.3,
    "unattached": -4.0,
    "c_value": 1.2,
    "c_name": 0.1,
    "c_label": 1.0,
    "c_property": 1.0,
    "c_passed": 0.0,
    "c_relation": 1.0,
    "c_cue": 0.8,
    "c_skip": -1.0,
    "c_bridge": -0.6,
    "c_side": -0.4,
    "c_doubled": -0.7,
    "c_preposition": 0.15,
    "c_second": -0.4,
    "c_and": 0.35,
    "c_list": 0.3,
    "c_compound": -0.5,
    "c_stands": -0.4,
    "c_plain": -0.8,
    "c_number": -0.5,
    "c_owner": -0.5,
    "c_said": 0.3,
    "c_copula": 0.2,
    "c_have": 0.1,
    "c_prep": 0.1,
    "c_open": -0.4,
    "c_lost": -1.0,
    "c_not": 0.6,
    "c_relative": 0.3,
    "c_reduced": -0.5,
    "c_main": 0.3,
    "c_who": -0.7,
    "c_fronted": 0.1,
    "c_whether": -0.8,
}
"""Set by hand on the development halves of the demonstration sets: where the fit starts."""

Features = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Fitted:
    """What ``benchmarks.fit_reader`` wrote: weights by feature, and the slopes of two logistic curves."""

    weights: Mapping[str, float]
    understood: Mapping[str, float]
    """By figure of :func:`cypher.semantics.doubts.doubts_of`, the intercept under ``""``: that a question is
    read as it is meant, whatever columns are returned."""
    exact: Mapping[str, float]
    """By figure of these and of :mod:`cypher.semantics.weighing`: that the rows are just those wanted."""


@cache
def fitted() -> Fitted:
    """The weights that ship with the package; a feature newer than the fit keeps its hand-set weight."""
    text = resources.files("cypher.semantics").joinpath("weights.json").read_text("utf-8")
    content = json.loads(text)
    return Fitted({**HAND_SET, **content["weights"]}, content["understood"], content["exact"])


def total(features: Features, weights: Mapping[str, float] | None = None) -> float:
    """Weighted sum.

    >>> total((("hop", 2.0), ("label", 1.0)), {"hop": -0.5, "label": 1.0})
    0.0
    """
    chosen = fitted().weights if weights is None else weights
    out = 0.0
    for name, amount in features:
        out += chosen[name] * amount
    return out
