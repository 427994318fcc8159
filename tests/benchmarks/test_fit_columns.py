"""What a query returns, the parts that questions are left out with, and the shipped cues."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import fit_columns
from benchmarks.fit_columns import PARTS, Read, columns, fit, outline, part_of
from cypher.semantics.column_cues import MOST, all_cues, fitted_cues, foreseeable, form_cues, summed
from cypher.semantics.ir import Filter, Node, Operator, Order, PropertyRef, Query
from schemas.errors import UsageError

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
    assert outline(query) == frozenset({"Ship", "SAILS", "OWNS", "Port of call"})


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


def test_weights_that_were_not_fitted_are_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fit_columns, "KEPT", tmp_path / "none.json")
    fit_columns._without.cache_clear()
    with pytest.raises(UsageError, match=r"run benchmarks\.fit_columns first"):
        fit_columns.foretold("Which ships?", "Which ships?", SHIPS)


def test_a_question_is_foretold_by_the_weights_without_its_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, part = tmp_path / "kept.json", part_of("Which ships?")
    file.write_text(json.dumps([{"": 2.0 if p == part else -2.0} for p in range(PARTS)]), encoding="utf-8")
    monkeypatch.setattr(fit_columns, "KEPT", file)
    fit_columns._without.cache_clear()
    assert fit_columns.foretold("Which ships?", "Which ships?", SHIPS) == 2.0
    fit_columns._without.cache_clear()
