"""The question files of the PDG benchmark hold what they promise, and SQL can answer each of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.pdg_gold import ConventionError, Kind
from benchmarks.pdg_unseen_sql import Listings

ROOT = Path(__file__).resolve().parents[2] / "benchmarks"
FILES = ("pdg_questions_seen.jsonl", "pdg_unseen_questions.jsonl")


def read(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (ROOT / name).read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def listings() -> Listings:
    return Listings()


def test_enough_questions_of_enough_shapes() -> None:
    seen, unseen = (read(name) for name in FILES)
    answerable = {r["shape"] for r in seen + unseen if r["function"]}
    assert len(seen) + len(unseen) >= 200
    assert len(answerable) >= 25
    assert len({r["shape"] for r in unseen if r["function"]}) == 8
    assert not answerable & {r["shape"] for r in seen} & {r["shape"] for r in unseen}
    assert sum(not r["function"] for r in seen + unseen) >= 30
    assert len({r["question"] for r in seen + unseen}) == len(seen) + len(unseen)


@pytest.mark.parametrize("name", FILES)
def test_each_question_has_an_answer(name: str, listings: Listings) -> None:
    for row in read(name):
        if row["function"]:
            gold = listings.ask(row["function"], row["arguments"])
            assert gold.items or gold.table or gold.kind in {Kind.NUMBER, Kind.TRUTH}, row["id"]


def test_what_the_tables_leave_open_is_not_asked(listings: Listings) -> None:
    with pytest.raises(ConventionError, match="two values are equally precise"):
        listings.most_precise("S126M")
    with pytest.raises(ConventionError, match="expected one, found 2"):
        listings.newest_paper("S041GGM")


def test_unknown_quantity_and_function_are_errors(listings: Listings) -> None:
    with pytest.raises(ValueError, match="measured quantity"):
        listings.count_papers("S999X")
    with pytest.raises(ValueError, match="function of Listings"):
        listings.ask("close", {})
