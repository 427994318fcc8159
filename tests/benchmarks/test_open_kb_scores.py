"""The scores of the open-KB sets are those that the sets' publications define."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.cluster_sets import Mentions, score
from benchmarks.phrase_oracle import Phrases, one_label, oracle

DATA = Path(__file__).resolve().parents[2] / ".." / "shared" / "data"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not (DATA / "metrics.py").exists(), reason="the shared data are not here"),
]
Clustering = Mapping[str, str]


def members(clusters: Clustering) -> list[set[str]]:
    return [{m for m in clusters if clusters[m] == c} for c in sorted(set(clusters.values()))]


def macro(found: Clustering, gold: Clustering) -> float:
    """Share of clusters all of whose mentions are linked to one entity."""
    return sum(len({gold[m] for m in c}) == 1 for c in members(found)) / len(members(found))


def micro(found: Clustering, gold: Clustering) -> float:
    """Purity: share of mentions that have the commonest entity of their cluster."""
    best = (max(len({m for m in c if gold[m] == e}) for e in set(gold.values())) for c in members(found))
    return sum(best) / len(gold)


def pairwise(found: Clustering, gold: Clustering) -> float:
    """Share of pairs within a cluster that are of one entity; 0 without pairs, as in CESI's script."""
    pairs = [p for c in members(found) for p in combinations(sorted(c), 2)]
    return sum(gold[a] == gold[b] for a, b in pairs) / len(pairs) if pairs else 0.0


def harmonic(one: float, other: float) -> float:
    return 2 * one * other / (one + other) if one + other else 0.0


def test_an_example_by_hand() -> None:
    """Clusters ab | cd | e against a | bc | de: one pure of three either way; 3 of 5; 0 of 2 pairs."""
    found = {"a": "1", "b": "1", "c": "2", "d": "2", "e": "3"}
    gold = {"a": "x", "b": "y", "c": "y", "d": "z", "e": "z"}
    got = score(found, gold)
    assert (got.macro, got.micro, got.pairwise) == pytest.approx((1 / 3, 3 / 5, 0.0))


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("wxyz")), min_size=1, max_size=12))
@settings(max_examples=150, deadline=None)
def test_they_are_the_published_ones(labels: list[tuple[str, str]]) -> None:
    """Galárraga et al. 2014 (doi:10.1145/2661829.2662073), and the evaluation of malllabiisc/cesi."""
    found = {f"m{i}": one for i, (one, _) in enumerate(labels)}
    gold = {f"m{i}": other for i, (_, other) in enumerate(labels)}
    got = score(found, gold)
    wanted = [harmonic(rate(found, gold), rate(gold, found)) for rate in (macro, micro, pairwise)]
    assert [got.macro, got.micro, got.pairwise] == pytest.approx(wanted)


def named(*mentions: tuple[str, str]) -> Mentions:
    """Mentions of a phrase and its concept."""
    return Mentions(
        gold={f"m{i}": concept for i, (_, concept) in enumerate(mentions)},
        name={f"m{i}": phrase for i, (phrase, _) in enumerate(mentions)},
    )


def test_the_oracle_joins_what_holds_a_concept_wholly_while_the_bound_allows() -> None:
    spelled = ("noor x", "noor x", "noor y", "Noor y", "brandt y", "lind z", "ida w")
    mentions = named(*((name, concept) for name, concept in (pair.split() for pair in spelled)))
    small, written = Phrases(mentions, as_written=False), Phrases(mentions, as_written=True)
    assert one_label(small) == {"noor": "x", "brandt": "y", "lind": "z", "ida": "w"}
    assert oracle(small, least=0.9) == small.scores(one_label(small))
    assert small.scores(one_label(small)).macro == pytest.approx(3 / 4)
    joined = small.scores({"noor": "x", "brandt": "x", "lind": "z", "ida": "w"})
    assert oracle(small, least=0.0) == joined
    assert joined.macro == pytest.approx(harmonic(2 / 3, 1.0))
    assert written.concepts()["Noor"] == {"y": 1}
