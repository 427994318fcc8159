"""Counts of several experiments, each with its own."""

from __future__ import annotations

import pytest

from cypher.paraphrase import plainer, settled


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (
            "How many papers have LHCb and Belle II each published?",
            "how many papers per experiment, for LHCb and Belle II?",
        ),
        (
            "How many papers has each of LHCb, BaBar and Belle II published?",
            "how many papers per experiment, for LHCb, BaBar and Belle II?",
        ),
        (
            "Compare LHCb and BaBar by the number of papers each has published.",
            "how many papers per experiment, for LHCb and BaBar?",
        ),
        (
            "Compare the number of papers by LHCb and BaBar.",
            "how many papers per experiment, for LHCb and BaBar?",
        ),
        (
            "How many W mass measurements did CDF and D0 each make?",
            "how many W mass measurements per experiment, for CDF and D0?",
        ),
        (
            "How many measurements by each of CDF and D0?",
            "how many measurements per experiment, for CDF and D0?",
        ),
        ("Which papers measured phi_s, and when were they published?", "Which papers measured phi_s"),
        ("papers on phi_s with their year", "papers on phi_s"),
        (
            "How many papers have LHCb and Belle II published?",
            "How many papers have LHCb and Belle II published?",
        ),
    ],
)
def test_each_has_its_own_count(text: str, plain: str) -> None:
    assert plainer(text) == plain


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("BaBar vs Belle: number of papers each", "how many papers per experiment, for BaBar and Belle?"),
        ("number of papers: LHCb vs. Belle II", "how many papers per experiment, for LHCb and Belle II?"),
        ("W mass vs Z mass", "W mass vs Z mass"),
    ],
)
def test_one_against_the_other_is_no_condition(text: str, plain: str) -> None:
    assert settled(text) == plain
