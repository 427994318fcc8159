"""The pairs checked by hand are well formed, are those of the set, and are scored whatever is sampled."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks.demo_graphs import (
    GRAPHS,
    LABELS,
    Label,
    Pair,
    Scored,
    labels,
    pairs,
    report_checked,
    sample,
    sha256,
)
from benchmarks.harness import Recorder

DATA = Path(__file__).resolve().parents[2] / ".." / "shared" / "data"
REASONS = {
    "right": {"", "whole_node", "extra_columns"},
    "open": {"ambiguous", "arbitrary_limit", "free_columns", "tie_cut"},
    "wrong": {
        *("duplicates", "extra_join", "missing_condition", "mixed_units"),
        *("text_comparison", "tie_cut", "wrong_direction", "wrong_measure"),
    },
}


def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in LABELS.read_text(encoding="utf-8").splitlines()]


def test_fifty_pairs_of_each_graph_half_of_them_unread() -> None:
    found = Counter((row["graph"], row["half"]) for row in rows())
    assert found == {(name, half): 25 for name in GRAPHS for half in ("development", "unread")}
    assert len(labels()) == 200


def test_fields_are_hashes_and_closed_lists() -> None:
    for row in rows():
        assert list(row) == ["graph", "question_sha256", "gold_sha256", "half", "verdict", "reason"]
        assert row["reason"] in REASONS[row["verdict"]]
        assert all(len(bytes.fromhex(row[name])) == 32 for name in ("question_sha256", "gold_sha256"))
        even = int(row["question_sha256"], 16) % 2 == 0
        assert row["half"] == ("development" if even else "unread")


@pytest.mark.shared
@pytest.mark.skipif(not (DATA / "cypher_neo4jlabs").exists(), reason="the shared data are not here")
def test_each_label_is_of_a_pair_of_the_set() -> None:
    known = {pair.key(query) for pair in pairs() for query in pair.gold}
    assert labels().keys() <= known


def test_a_sample_runs_every_nth_pair_and_all_that_the_claims_are_of() -> None:
    asked = [Pair("movies", f"question {n}", (f"RETURN {n}",)) for n in range(10)]
    asked[7] = Pair("movies", "question 7", ("RETURN 7", "RETURN 7 + 0"))
    known = {asked[4].key("RETURN 4"): Label("right", ""), asked[5].key("RETURN 9"): Label("right", "")}
    chosen, drawn = sample(asked, 5, known)
    assert chosen == [asked[0], asked[4], asked[5], asked[7]]
    assert drawn == {asked[0], asked[5]}
    assert sample(asked, 10, known)[0] == [asked[0], asked[4], asked[7]]


def test_figures_are_over_the_pairs_found_right() -> None:
    given = [
        (True, Label("right", "")),
        (False, Label("right", "whole_node")),
        (True, Label("open", "ambiguous")),
        (True, Label("wrong", "duplicates")),
        (True, None),
    ]
    scored = [
        Scored(
            Pair("movies", f"question {n}", ("RETURN 1",)),
            right,
            right,
            right,
            False,
            0.5 - n / 10,
            1.0,
            label,
        )
        for n, (right, label) in enumerate(given)
    ]
    record = Recorder()
    report_checked(record, scored)
    found = {f.figure: (f.value, f.note.split(",")[0]) for f in record.figures}
    assert found["exact_checked"] == (50.0, "n=2")
    assert found["precision_at_60_checked"] == (100.0, "n=2")
    assert found["exact_checked_told"] == (100.0, "n=1")


@pytest.mark.shared
@pytest.mark.skipif(not (DATA / "cypher_mind_the_query").exists(), reason="the shared data are not here")
def test_a_further_graph_is_asked_only_by_name_and_halved_by_uid() -> None:
    further = list(pairs(("pole",)))
    assert {p.graph for p in further} == {"pole"}
    assert all(p.uid and p.development == (int(sha256(p.uid), 16) % 2 == 0) for p in further)
    assert 0 < sum(p.development for p in further) < len(further)
    assert all(p.graph in GRAPHS and not p.uid for p in pairs())
