"""How many things a question speaks of, on ships and harbours (invented values)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cypher.semantics.compose import Candidate
from cypher.semantics.ir import Edge, Filter, Node, Operator, PropertyRef, Query
from cypher.semantics.ranking import reranked
from cypher.semantics.reader import SemanticReader
from cypher.semantics.referents import crossed, spoken_of
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Ship 9: name, colour
    Harbour 9: name
    Warden 9: name
    (Ship)-[DOCKED_AT 9]->(Harbour), (Harbour)-[WATCHED_BY 9]->(Warden)

    Ship.colour: red | blue
    Harbour.name: Tern Bay
    Warden.name: Ann | Ben
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))
ONE = Query(
    (Node("Ship"), Node("Harbour")),
    (Edge(0, 1, ("DOCKED_AT",)),),
    (Filter(PropertyRef(0, "colour"), Operator.EQ, "red"),),
)
TWO = Query(
    (Node("Ship"), Node("Harbour"), Node("Ship")),
    (Edge(0, 1, ("DOCKED_AT",)), Edge(2, 1, ("DOCKED_AT",))),
    (Filter(PropertyRef(2, "colour"), Operator.EQ, "red"),),
)


def _lacking(question: str, query: Query) -> dict[str, int]:
    return {name: n for name, n in spoken_of(READER.read(question).linked, query).items() if n}


@pytest.mark.parametrize(
    ("said", "lacking"),
    [
        ("another ship", {"r_another", "r_indefinite"}),
        ("another red ship", {"r_another", "r_indefinite"}),
        ("a different ship", {"r_another", "r_indefinite"}),
        ("a ship", {"r_indefinite"}),
        ("a red ship", {"r_indefinite"}),
        ("another one", {"r_another", "r_indefinite"}),
        ("the one from Lund", set()),
        ("ships", set()),
        ("the ship", set()),
        ("those ships", set()),
    ],
)
def test_a_second_noun_for_a_kind_asks_for_a_second_thing(said: str, lacking: set[str]) -> None:
    question = f"Which ships docked where {said} docked?"
    assert _lacking(question, ONE) == dict.fromkeys(lacking, 1)
    assert _lacking(question, TWO) == {}


def test_two_in_the_question_are_read_as_two() -> None:
    found = READER.read("Which ships docked at a harbour where another red ship docked?").query
    assert found is not None
    assert [n.label for n in found.nodes].count("Ship") == 2
    assert [f.ref.owner for f in found.filters] != [found.answer]


BESIDE = Query(
    (Node("Ship"), Node("Harbour"), Node("Warden")),
    (Edge(0, 1, ("DOCKED_AT",)), Edge(1, 2, ("WATCHED_BY",))),
    (
        Filter(PropertyRef(1, "name"), Operator.EQ, "Tern Bay"),
        Filter(PropertyRef(2, "name"), Operator.EQ, "Ann"),
    ),
)


def test_values_said_from_the_answer_outwards_do_not_cross() -> None:
    linked = READER.read("Which ships docked at Tern Bay that is watched by Ann?").linked
    assert crossed(linked, BESIDE) == 0
    assert crossed(linked, replace(BESIDE, answer=2)) == 1


def test_a_fronted_condition_crosses_once() -> None:
    linked = READER.read("Watched by Ann, which ships docked at Tern Bay?").linked
    assert crossed(linked, BESIDE) == 1


@pytest.mark.parametrize(("said", "first"), [("another", TWO), ("a", TWO), ("the", ONE)])
def test_a_reading_with_all_things_comes_first_though_it_scores_less(said: str, first: Query) -> None:
    linked = READER.read(f"Which ships docked at a harbour where {said} red ship docked?").linked
    found = reranked(linked, (Candidate(ONE, 2.0, ()), Candidate(TWO, 1.5, ())), SCHEMA)
    assert found[0].query == first


def test_of_two_readings_the_one_that_goes_outwards_comes_first() -> None:
    linked = READER.read("Which ships docked at Tern Bay that is watched by Ann?").linked
    back = replace(BESIDE, answer=2)
    found = reranked(linked, (Candidate(back, 2.0, ()), Candidate(BESIDE, 1.8, ())), SCHEMA)
    assert found[0].query == BESIDE
