"""Readings ranked by what shows in the whole alone, on ships (invented values)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cypher.semantics import ranking
from cypher.semantics.compose import Candidate
from cypher.semantics.ir import Edge, Filter, Head, Node, Operator, PropertyRef, Query
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Ship 9: name
    Owner 9: name
    Harbour 9: name
    (Ship)-[OWNED_BY 9]->(Owner), (Ship)-[DOCKED_AT 9]->(Harbour), (Owner)-[TRUSTS 9]->(Owner)

    Owner.name: Orsolya
    Harbour.name: Tern Bay
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))
SHIPS = Query(
    (Node("Ship"), Node("Owner")),
    (Edge(0, 1, ("OWNED_BY",)),),
    (Filter(PropertyRef(1, "name"), Operator.EQ, "Orsolya"),),
)
DETOUR = replace(
    SHIPS,
    nodes=(*SHIPS.nodes, Node("Owner"), Node("Harbour")),
    edges=(*SHIPS.edges, Edge(0, 2, ("OWNED_BY",)), Edge(0, 3, ("DOCKED_AT",))),
)


def _whole(question: str, query: Query) -> dict[str, float]:
    return dict(ranking.whole(READER.read(question).linked, query, SCHEMA))


def _charted(query: Query, score: float) -> Candidate:
    return Candidate(query, score, (("c_label", 1.0),))


def test_nothing_speaks_against_a_reading_of_what_was_asked() -> None:
    assert _whole("Which ships are owned by Orsolya?", SHIPS) == {}


def test_detours_second_nodes_and_things_not_spoken_of_are_counted() -> None:
    found = _whole("Which ships are owned by Orsolya?", DETOUR)
    assert found == {"r_dangling": 2.0, "r_twin": 1.0, "r_unsaid": 2.0}


def test_what_ties_two_others_need_not_be_spoken_of() -> None:
    asked = "Which owners have something docked at Tern Bay?"
    owners = Query(
        (Node("Owner"), Node("Ship"), Node("Harbour")),
        (Edge(1, 0, ("OWNED_BY",)), Edge(1, 2, ("DOCKED_AT",))),
        (Filter(PropertyRef(2, "name"), Operator.EQ, "Tern Bay"),),
    )
    assert "r_unsaid" not in _whole(asked, owners)
    assert _whole(asked, replace(owners, edges=owners.edges[:1]))["r_unsaid"] == 1.0


@pytest.mark.parametrize(
    ("question", "loose"),
    [
        ("Which ships are owned by Orsolya and docked?", 1.0),
        ("Which ships are owned by Orsolya and docked at a harbour?", 0.0),
        ("Which ships that Orsolya owns are docked at harbour Tern Bay?", 1.0),
    ],
)
def test_an_end_of_which_nothing_is_said_dangles(question: str, loose: float) -> None:
    at = Edge(0, 2, ("DOCKED_AT",))
    docked = replace(SHIPS, nodes=(*SHIPS.nodes, Node("Harbour")), edges=(*SHIPS.edges, at))
    assert _whole(question, docked).get("r_dangling", 0.0) == loose
    elsewhere = replace(docked, answer=2)
    assert "r_dangling" not in _whole(question, elsewhere)
    denied = replace(docked, edges=(*SHIPS.edges, replace(at, negated=True)))
    assert "r_dangling" not in _whole(question, denied)


def test_words_without_use_are_counted() -> None:
    found = _whole("Which ships docked at Tern Bay are owned by Orsolya?", SHIPS)
    assert found == {"r_value": 1.0, "r_relation": 1.0}


def test_a_value_said_once_and_used_twice() -> None:
    twice = replace(DETOUR, filters=(*SHIPS.filters, Filter(PropertyRef(2, "name"), Operator.EQ, "Orsolya")))
    assert _whole("Which ships are owned by Orsolya?", twice)["r_repeated"] == 1.0


def test_a_list_is_no_answer_to_yes_or_no() -> None:
    assert _whole("Are any ships owned by Orsolya?", SHIPS)["r_auxiliary"] == 1.0
    assert "r_auxiliary" not in _whole("Are any ships owned by Orsolya?", replace(SHIPS, head=Head.EXISTS))


def test_the_plain_reading_comes_before_a_detour_that_scores_a_little_better(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    linked = READER.read("Which ships are owned by Orsolya?").linked
    monkeypatch.setattr(ranking, "ranking", lambda: {"r_twin": -0.1, "r_unsaid": -0.2})
    found = ranking.reranked(linked, (_charted(DETOUR, 2.1), _charted(SHIPS, 2.0)), SCHEMA)
    assert [(c.query, round(c.score, 6)) for c in found] == [(SHIPS, 2.0), (DETOUR, 1.6)]
    assert ("r_unsaid", 2.0) in found[1].features


@given(st.lists(st.tuples(st.sampled_from([SHIPS, DETOUR]), st.floats(-5, 5)), max_size=6))
def test_no_reading_is_lost_and_the_best_comes_first(made: list[tuple[Query, float]]) -> None:
    linked = READER.read("Which ships are owned by Orsolya?").linked
    found = ranking.reranked(linked, tuple(_charted(q, s) for q, s in made), SCHEMA)
    assert sorted(map(repr, (c.query for c in found))) == sorted(repr(q) for q, _ in made)
    assert [c.score for c in found] == sorted((c.score for c in found), reverse=True)


def test_what_speaks_against_a_reading_never_raises_it() -> None:
    weights = ranking.ranking()
    assert weights
    assert all(name.startswith("r_") and weight <= 0 for name, weight in weights.items())
