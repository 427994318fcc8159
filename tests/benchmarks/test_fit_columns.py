"""What a query returns, the parts that questions are left out with, and the shipped cues."""

from __future__ import annotations

import pytest

from benchmarks.fit_columns import Read, columns, fit, outline, part_of
from cypher.semantics.column_cues import MOST, all_cues, fitted_cues, foreseeable, form_cues, summed
from cypher.semantics.ir import Filter, Node, Operator, Order, PropertyRef, Query

SHIPS = Query((Node("Ship"),))
LONG = Query((Node("Ship"),), filters=(Filter(PropertyRef(0, "length"), Operator.GT, 30),))


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


def test_a_query_that_does_not_parse_has_no_columns_and_no_outline() -> None:
    assert columns("MATCH (s:Ship) RETUR s") is None
    assert outline("MATCH (s:Ship) RETUR s") is None


def test_an_outline_has_labels_and_types_of_subqueries_too() -> None:
    query = "MATCH (s:Ship) WHERE EXISTS { (s)-[:SAILS|OWNS]->(:`Port of call`) } RETURN s"
    assert outline(query) == {"Ship", "SAILS", "OWNS", "Port of call"}


def test_questions_that_differ_in_names_alone_are_left_out_together() -> None:
    assert part_of("Which ships did 'Ann' sail in 1990?") == part_of("Which ships did 'Ben' sail in 2001?")
    assert len({part_of(f"Which ships did {verb} sink?") for verb in "abcdefghij"}) > 1


def test_marks_of_a_form_tell_orders_and_columns_apart() -> None:
    longest = Query((Node("Ship"),), order=Order(PropertyRef(0, "length")), limit=5, show_order=True)
    shown = Query((Node("Ship"),), project=(PropertyRef(0, "name"), PropertyRef(0, "length")))
    assert form_cues(longest) == ("=list", "=named", "=top by property shown")
    assert form_cues(shown) == ("=list", "=2 shown")
    assert "^name ?own > number =list=named" in all_cues("Name long ships", LONG)


def test_a_fit_finds_the_form_whose_columns_others_return() -> None:
    asked = "Which ships are there?"
    rows = [
        Read(database, 0, all_cues(asked, query), share, True)
        for database in ("harbours", "fleets", "yards")
        for query, share in ((SHIPS, 1.0), (LONG, 0.0))
        for _ in range(10)
    ]
    weights = fit(rows, 1.0)
    assert summed(all_cues(asked, SHIPS), weights) > 0.5
    assert summed(all_cues(asked, LONG), weights) < -0.5


def test_the_shipped_cues_tell_wordings_apart_and_keep_within_bounds() -> None:
    assert fitted_cues()
    assert -MOST <= foreseeable(" ".join(fitted_cues()), SHIPS) <= MOST
    named = foreseeable("What are the names of ships?", SHIPS)
    assert named > foreseeable("Find all ships with a mass above 3 and below 5", LONG)
