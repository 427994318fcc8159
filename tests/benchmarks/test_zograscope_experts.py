"""The experts' queries for ZOGRASCOPE: places only, and filled as text."""

from __future__ import annotations

import re

import pytest

from benchmarks.harness import DATA
from benchmarks.zograscope import given
from benchmarks.zograscope_experts import FILE, experts, filled, train_rows


def test_queries_hold_no_value_of_a_question() -> None:
    rows = experts(FILE.read_text(encoding="utf-8"))
    assert len(rows) == len({row.id for row in rows}) == 150
    for query in (q for row in rows for q in row.queries):
        assert not re.search(r"['\"]", query), query
        assert not re.search(r"\b(CREATE|MERGE|SET|DELETE|REMOVE|CALL|LOAD)\b", query), query


def test_places_are_filled_as_text() -> None:
    assert filled("{0} {0.1} {1}", ["Ann Moss", "a'b\\"]) == "'Ann Moss' 'Moss' 'a\\'b\\\\'"


@pytest.mark.shared
@pytest.mark.skipif(not (DATA / "cypher_zograscope").is_dir(), reason="the question set is not at hand")
def test_places_are_those_of_train_rows() -> None:
    rows = train_rows()
    for row in experts(FILE.read_text(encoding="utf-8")):
        texts = [t for found in given(rows[row.id]["nl_gold_linked"]).values() for t in found]
        places = {int(n) for q in row.queries for n in re.findall(r"\{(\d+)", q)}
        assert places <= set(range(len(texts))), row.id
