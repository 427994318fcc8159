"""How far a threshold may fall is read from pairs within documents, which are never one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.record_generator import generate, schema
from canonicalize.explain import Explainer
from canonicalize.incremental import start, update
from canonicalize.judge import Candidate, Verdict
from canonicalize.lowered_threshold import MOST_WRONG, Evidence, lowered
from canonicalize.quality import b_cubed
from canonicalize.resolve import resolve
from canonicalize.state_files import load, save
from canonicalize.tables import take
from schemas.graph_schema import GraphSchema
from schemas.ids import DocumentKey
from schemas.review import Constraints

SHIPPED = schema()
MADE = generate(1_200, dimension=32, seed=3)
GOLD = {r: int(c) for r, c in zip(MADE.table.ids, MADE.concepts, strict=True)}
scores = st.lists(st.floats(0, 1), max_size=40).map(lambda values: np.array(values, dtype=float))


def with_rules(**changes: object) -> GraphSchema:
    kind = SHIPPED.entities[0]
    rules = kind.canonicalization.model_copy(update=changes)
    return SHIPPED.model_copy(update={"entities": (kind.model_copy(update={"canonicalization": rules}),)})


def home(resolution) -> dict[str, str]:
    return {record: group.id for group in resolution.groups for record in group.records}


def thresholds(resolution) -> set[float]:
    return {f.value for p in resolution.proposals for f in p.features if f.name == "threshold"}


@given(scores, scores, st.floats(1, 50), st.floats(0.05, 1))
def test_the_threshold_stays_in_its_bounds_and_reaches_only_what_is_proven(
    within: np.ndarray, across: np.ndarray, ratio: float, share: float
) -> None:
    found = Evidence(within, across, share=share, ratio=ratio)
    got = lowered(found, 0.8, 0.6)
    assert 0.6 <= got <= 0.8
    assert got == 0.8 or found.wrong(got) <= MOST_WRONG
    more = replace(found, within=np.concatenate([within, np.full(3, 0.99)]))
    assert lowered(more, 0.8, 0.6) >= got


def test_documents_that_prove_enough_lower_it_and_more_is_found_for_no_loss_of_precision() -> None:
    fixed = home(resolve([MADE.table], with_rules(least_threshold=None)))
    fitting = resolve([MADE.table], SHIPPED)
    before, after = b_cubed(fixed, GOLD), b_cubed(home(fitting), GOLD)
    assert thresholds(fitting) == {0.7}
    assert after.recall > before.recall + 0.01
    assert after.precision > before.precision - 0.001


def test_a_small_corpus_proves_nothing() -> None:
    few = generate(200, dimension=32, seed=3).table
    assert resolve([few], SHIPPED) == resolve([few], with_rules(least_threshold=None))


def test_documents_that_tell_like_names_apart_keep_the_threshold() -> None:
    """Half of each cluster's records moved into one document: like names stand beside each other there."""
    by_concept = np.argsort(MADE.concepts, kind="stable")
    documents = list(MADE.table.documents)
    for at, row in enumerate(by_concept.tolist()):
        documents[row] = DocumentKey(f"d{at // 8:03}")
    crowded = replace(MADE.table, documents=tuple(documents))
    assert thresholds(resolve([crowded], SHIPPED)) == {0.8}


def test_a_judge_that_can_refuse_is_asked_as_before() -> None:
    class All:
        name = "all/1"

        def decide(self, candidates: tuple[Candidate, ...]) -> tuple[Verdict, ...]:
            return tuple(Verdict(groups=(tuple(range(len(c.members))),)) for c in candidates)

    assert thresholds(resolve([MADE.table], SHIPPED, judge=All())) <= {0.8, 0.82, 0.84}


@pytest.mark.parametrize("saved", [False, True])
def test_what_goes_on_from_a_resolution_keeps_its_threshold(saved: bool, tmp_path: Path) -> None:
    last = max(MADE.table.documents)
    old = take(MADE.table, [r for r, d in enumerate(MADE.table.documents) if d != last])
    new = take(MADE.table, [r for r, d in enumerate(MADE.table.documents) if d == last])
    resolution, state = start([old], SHIPPED)
    assert resolution == resolve([old], SHIPPED)
    if saved:
        save(state, tmp_path / "state")
        state = load(tmp_path / "state", SHIPPED)
    change = update(state, [new])
    assert thresholds(change.resolution) == {0.7}
    full = home(resolve([MADE.table], SHIPPED))
    now = state.entity_of()
    assert b_cubed(now, full).f1 > 0.999


def test_the_explanation_names_the_threshold_that_was_used() -> None:
    resolution = resolve([MADE.table], SHIPPED)
    found = home(resolution)
    explainer = Explainer(MADE.table, SHIPPED, Constraints(), found)
    low = next(
        p for p in resolution.proposals
        if 0.7 <= p.score < 0.8 and len(p.records) == 2 and any(f.name == "threshold" for f in p.features)
    )  # fmt: skip
    told = explainer.explain(*low.records)
    assert (told.verdict, told.threshold) == ("similarity", 0.7)
