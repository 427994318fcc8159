"""What a query returns, and the cues that ship with the package."""

from __future__ import annotations

import pytest

from benchmarks.fit_columns import columns
from cypher.semantics.column_cues import MOST, fitted_cues, foreseeable


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("MATCH (s:Ship) RETURN s.name AS n, s.length ORDER BY s.built LIMIT 3", {"name", "length"}),
        ("MATCH (s:Ship)-->(p) WITH s, count(p) AS c WHERE c > 2 RETURN s, c", {"*", "count"}),
        ("MATCH (s:Ship) WITH s.name AS n RETURN DISTINCT n", {"name"}),
        ("MATCH (s:Ship) RETURN avg(s.length)", {"avg"}),
    ],
)
def test_columns_are_told_by_properties_and_functions(query: str, found: set[str]) -> None:
    assert columns(query) == frozenset(found)


def test_a_query_that_does_not_parse_has_no_columns() -> None:
    assert columns("MATCH (s:Ship) RETUR s") is None


def test_the_shipped_cues_tell_wordings_apart_and_keep_within_bounds() -> None:
    assert fitted_cues()
    everything = " ".join(fitted_cues())
    assert -MOST <= foreseeable(everything) <= MOST
    assert foreseeable("What are the names of ships?") > foreseeable(
        "Find all ships with a mass above 3 and below 5"
    )
