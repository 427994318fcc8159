"""What calls are sent to, what is commonest, lists before a noun and "or" behind it, on an invented coast."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.lexicon import RelationWords, Verbalisation
from cypher.semantics.reader import SemanticReader
from cypher.semantics.rephrased import rephrased
from cypher.semantics.values import StoredValue, ValueTable
from schemas.store_schema import StoreRelation, StoreTriple
from tests.cypher.test_chart_particles import RECEIVED, SCHEMA, SENT, STORED

READER = SemanticReader(
    SCHEMA,
    ValueTable(
        [
            *STORED,
            StoredValue("Mishap", "kind", "Fire"),
            StoredValue("Mishap", "kind", "Collision"),
            StoredValue("RadioCall", "date", "04/09/2021"),
        ]
    ),
)


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        ("Which radio calls were sent to Tove?", RECEIVED),
        ("Which radio calls were sent from Tove's radio?", SENT),
        ("Which radio calls were sent by Tove?", SENT),
    ],
)
def test_what_is_sent_to_somebody_is_received(
    shown: Callable[[str], str], question: str, cypher: str
) -> None:
    assert shown(question).startswith(cypher)


@pytest.mark.parametrize(
    "question",
    [
        "From which radios was Tove called?",
        "Which radios was Tove called from?",
        "radios from which Tove was called",
    ],
)
def test_what_somebody_was_called_from_is_the_callers(shown: Callable[[str], str], question: str) -> None:
    assert shown(question).startswith(
        "MATCH (n1:RadioCall)-[:CALLER]->(n0:Radio), (n1)-[:CALLED]->(n2:Radio), "
        "(n3:Sailor)-[:HAS_RADIO]->(n2) WHERE n3.name = 'Tove'"
    )


def test_where_to_and_by_whom_tell_the_two_ends_of_a_call(shown: Callable[[str], str]) -> None:
    assert shown("To which radios were calls made by Tove?").startswith(
        "MATCH (n1:RadioCall)-[:CALLED]->(n0:Radio), (n1)-[:CALLER]->(n2:Radio), "
        "(n3:Sailor)-[:HAS_RADIO]->(n2) WHERE n3.name = 'Tove'"
    )
    assert shown("To which radio was a call made on 03/09/2021?").startswith(
        "MATCH (n1:RadioCall)-[:CALLED]->(n0:Radio) WHERE n1.date = '03/09/2021'"
    )


@pytest.mark.parametrize(
    ("said", "so_named"),
    [
        ("that called Tove", False),
        ("that were called by Tove", False),
        ("that Tove called", False),
        ("called Tove", True),
    ],
)
def test_who_calls_or_is_called_has_another_name(said: str, so_named: bool) -> None:
    reading = READER.read(f"Which sailors {said} were party to a mishap?")
    named = [any(f.ref.owner == c.query.answer for f in c.query.filters) for c in reading.candidates]
    assert any(named) == so_named
    assert not all(named)


@pytest.mark.parametrize("verb", ["have called", "had called"])
def test_who_has_called_is_not_so_named(shown: Callable[[str], str], verb: str) -> None:
    found = shown(f"Which radios {verb} Tove Dahl?")
    assert found.startswith(
        "MATCH (n1:RadioCall)-[:CALLER]->(n0:Radio), (n1)-[:CALLED]->(n2:Radio), "
        "(n3:Sailor)-[:HAS_RADIO]->(n2) WHERE n3.name = 'Tove' AND n3.surname = 'Dahl'"
    )


@pytest.mark.parametrize(
    ("question", "tail"),
    [
        ("Which fire and collision mishaps occurred at Skarvik?", "RETURN DISTINCT n0 AS node"),
        ("How many fire or collision mishaps were there at Skarvik?", "RETURN count(DISTINCT n0) AS count"),
        ("Count the fire and collision mishaps at Skarvik.", "RETURN count(DISTINCT n0) AS count"),
    ],
)
def test_kinds_before_one_noun_share_what_is_said_of_it(
    shown: Callable[[str], str], question: str, tail: str
) -> None:
    where = "WHERE n0.kind IN ('Fire', 'Collision') AND n1.name = 'Skarvik'"
    assert shown(question) == f"MATCH (n0:Mishap)-[:OCCURRED_AT]->(n1:Harbour) {where} {tail}"


def test_three_kinds_before_one_noun_are_counted_for_each_place(shown: Callable[[str], str]) -> None:
    found = shown("How many fire, collision and grounding mishaps were there per harbour?")
    assert "n0.kind IN ('Fire', 'Collision', 'Grounding')" in found
    assert found.endswith("WITH n1, count(DISTINCT n0) AS count RETURN n1.name AS name, count")


@pytest.mark.parametrize(
    "said", ["any acquaintances", "any acquaintances of their own", "acquaintances", "any acquaintance"]
)
def test_a_sentence_goes_on_behind_what_its_subject_lacks(shown: Callable[[str], str], said: str) -> None:
    found = shown(f"How many sailors without {said} know Tove?")
    assert found == (
        "MATCH (n0:Sailor)-[:KNOWS]->(n2:Sailor) WHERE n2.name = 'Tove' AND "
        "NOT EXISTS { MATCH (n0)-[:KNOWS]->(n1:Sailor) } RETURN count(DISTINCT n0) AS count"
    )


def test_what_a_person_of_a_name_has(shown: Callable[[str], str]) -> None:
    found = shown("List the sailors a Dahl knows.")
    assert found.startswith("MATCH (n1:Sailor)-[:KNOWS]->(n0:Sailor) WHERE n1.surname = 'Dahl'")


def test_a_key_is_told_by_what_was_spoken_of(shown: Callable[[str], str]) -> None:
    question = "Among the sailors Tove knows who were party to mishaps, how many are there for each kind of"
    found = shown(f"{question} those mishaps?")
    assert "(n1:Sailor)-[:KNOWS]->(n0:Sailor), (n0)-[:PARTY_TO]->(n2:Mishap)" in found
    assert found.endswith("RETURN n2.kind AS kind, count(DISTINCT n0) AS count")


@pytest.mark.parametrize(
    "said",
    [
        "Which kind of mishap is the most common at Skarvik?",
        "What mishap kind is most frequent at Skarvik?",
        "Which kind of mishaps is the commonest at Skarvik?",
    ],
)
def test_what_is_the_most_common(shown: Callable[[str], str], said: str) -> None:
    found = shown(said)
    assert found.startswith("MATCH (n0:Mishap)-[:OCCURRED_AT]->(n1:Harbour) WHERE n1.name = 'Skarvik' AND")
    assert "n0.kind AS kind, count(DISTINCT n0) AS count ORDER BY count DESC LIMIT 1" in found


@pytest.mark.parametrize(
    ("question", "plainer"),
    [
        (
            "Which 3 surnames are the least common ones among sailors?",
            "what are the 3 least common surnames among sailors?",
        ),
        ("Which of the radios is most popular?", "Which of the radios is most popular?"),
        ("Break down by rank how many wardens have a case.", "how many wardens have a case per rank?"),
        ("Break the mishaps at Skarvik down by kind.", "how many mishaps at Skarvik per kind?"),
        ("Tell me per coast how many harbours there are.", "how many harbours per coast?"),
    ],
)
def test_a_count_or_the_commonest_in_plainer_order(question: str, plainer: str) -> None:
    assert rephrased(question).rstrip(".?") == plainer.rstrip(".?")


RADIOED = SCHEMA.model_copy(
    update={
        "relations": (*SCHEMA.relations, StoreRelation(type="KNOWS_RADIO")),
        "triples": (
            *SCHEMA.triples,
            StoreTriple(start="Sailor", type="KNOWS_RADIO", end="Sailor", count=9),
        ),
    }
)
"""Sailors know each other, or one the radio of another."""


@pytest.mark.parametrize(
    ("question", "pattern"),
    [
        ("Who knows Tove by radio?", "(n0:`Sailor`)-[:`KNOWS_RADIO`]->(n1:`Sailor`)"),
        ("Who knows by radio a sailor who knows Tove?", "(n0:`Sailor`)-[:`KNOWS_RADIO`]->(n1:`Sailor`)"),
        ("Who is known over the radio by Tove?", "(n1:`Sailor`)-[:`KNOWS_RADIO`]->(n0:`Sailor`)"),
        ("Whom does Tove know by radio?", "(n1:`Sailor`)-[:`KNOWS_RADIO`]->(n0:`Sailor`)"),
    ],
)
def test_by_what_somebody_is_known(question: str, pattern: str) -> None:
    written = SemanticReader(RADIOED, ValueTable(STORED)).read(question).written
    assert written is not None
    assert pattern in written.text


def test_a_phrase_with_an_article_is_said_in_the_plural_as_well() -> None:
    words = Verbalisation(relations={"KNOWS_RADIO": RelationWords(forward=("knows from a rowing club",))})
    reader = SemanticReader(RADIOED, ValueTable(STORED), words)
    for club in ("a rowing club", "rowing clubs"):
        written = reader.read(f"Who is known from {club} by Tove?").written
        assert written is not None
        assert "(n1:`Sailor`)-[:`KNOWS_RADIO`]->(n0:`Sailor`)" in written.text


def test_when_is_no_statement_before_what_else_is_asked(shown: Callable[[str], str]) -> None:
    found = shown("When did the radio call that Tove made take place, and what was its duration?")
    assert found.endswith("RETURN n0.date AS date, n0.duration AS duration")


@pytest.mark.parametrize(
    "question",
    [
        "Which kind of mishap has the lowest number of mishaps?",
        "What kind of mishap has the fewest mishaps?",
    ],
)
def test_kinds_are_counted_over_what_they_are_kinds_of(shown: Callable[[str], str], question: str) -> None:
    assert shown(question).startswith(
        "MATCH (n0:Mishap) WHERE n0.kind IS NOT NULL WITH n0.kind AS value0, count(DISTINCT n0) AS counted"
    )


def test_things_involve_whatever_is_nearest(shown: Callable[[str], str]) -> None:
    expected = "MATCH (n0:Mishap)-[:INVESTIGATED_BY]->(n1:Warden) WHERE n1.name = 'Sten'"
    assert shown("Which mishaps involved the warden Sten?").startswith(expected)


@pytest.mark.parametrize("who", ["those who know", "sailors who know", "a sailor who knows"])
def test_one_may_know_two(shown: Callable[[str], str], who: str) -> None:
    expected = "MATCH (n1:Sailor)-[:KNOWS]->(n0:Sailor), (n1)-[:KNOWS]->(n2:Sailor) WHERE n2.name = 'Tove'"
    assert shown(f"Who is known by {who} Tove?").startswith(expected)


@pytest.mark.parametrize("who", ["anyone whom Tove knows", "anybody known by Tove"])
def test_whether_anybody_so_told_has_something(shown: Callable[[str], str], who: str) -> None:
    found = shown(f"Does {who} have a radio?")
    assert "(n1:Sailor)-[:KNOWS]->(n0:Sailor), (n0)-[:HAS_RADIO]->(n2:Radio)" in found
    assert found.endswith("RETURN count(*) > 0 AS answer")


@pytest.mark.parametrize(
    ("said", "operator"),
    [
        ("containing the word vik", "CONTAINS 'vik'"),
        ("that contains the letters vik", "CONTAINS 'vik'"),
        ('starting with "Ska"', "STARTS WITH 'Ska'"),
    ],
)
def test_a_name_is_spelled_so(shown: Callable[[str], str], said: str, operator: str) -> None:
    found = shown(f"How many mishaps occurred at a harbour {said}?")
    assert f"(n0:Mishap)-[:OCCURRED_AT]->(n1:Harbour) WHERE n1.name {operator} RETURN" in found


@pytest.mark.parametrize(
    ("question", "plainer"),
    [
        ("Which boats are either built by Ann or from 1990?", "Which boats are built by Ann or from 1990?"),
        ("Who either is a warden or lives here?", "Who is a warden or lives here?"),
        ("Which of them is either of the two?", "Which of them is either of the two?"),
    ],
)
def test_either_before_a_verb_says_no_more_than_or(question: str, plainer: str) -> None:
    assert rephrased(question) == plainer


def test_everyone_is_no_command_before_who(shown: Callable[[str], str]) -> None:
    assert shown("Find everyone who knows Tove.") == shown("Find anybody who knows Tove.")
    assert READER.read("List everyone who knows Tove.").candidates[0].features.count(("c_skip", 1.0)) == 0


CALLED_ON = (
    "MATCH (n0:Sailor)-[:HAS_RADIO]->(n1:Radio), (n2:RadioCall)-[:{}]->(n1), (n2)-[:{}]->(n3:Radio), "
    "(n4:Sailor)-[:HAS_RADIO]->(n3) WHERE n2.date = '03/09/2021' AND n4.name = 'Tove'"
)


@pytest.mark.parametrize(
    ("question", "ends"),
    [
        ("Who called Tove on 03/09/2021?", ("CALLER", "CALLED")),
        ("Who called Tove by radio on 03/09/2021?", ("CALLER", "CALLED")),
        ("Who contacted Tove by radio, on 03/09/2021?", ("CALLER", "CALLED")),
        ("By whom was Tove called on 03/09/2021?", ("CALLER", "CALLED")),
        ("Who was Tove called by on 03/09/2021?", ("CALLER", "CALLED")),
        ("Who was called by Tove on 03/09/2021?", ("CALLED", "CALLER")),
        ("Whom did Tove call on 03/09/2021?", ("CALLED", "CALLER")),
    ],
)
def test_what_a_verb_says_without_naming_it_took_place_on_a_day(
    shown: Callable[[str], str], question: str, ends: tuple[str, str]
) -> None:
    assert shown(question).startswith(CALLED_ON.format(*ends))


@pytest.mark.parametrize(
    ("said", "tail"),
    [
        ("more than twice", "WITH n0, count(DISTINCT n2) AS counted WHERE counted > 2"),
        ("at least 3 times", "WITH n0, count(DISTINCT n2) AS counted WHERE counted >= 3"),
        ("the most often", "WITH n0, count(DISTINCT n2) AS counted"),
    ],
)
def test_how_often_somebody_called_another(shown: Callable[[str], str], said: str, tail: str) -> None:
    found = shown(f"Which sailors called Tove {said}?")
    assert f"(n4:Sailor)-[:HAS_RADIO]->(n3) WHERE n4.name = 'Tove' {tail}" in found


def test_for_how_long_somebody_called_another(shown: Callable[[str], str]) -> None:
    found = shown("Which sailors called Tove for more than 20 seconds?")
    assert "WHERE n2.duration > 20 AND n4.name = 'Tove'" in found


@pytest.mark.parametrize("said", ["starting with 'R-'", "that begins with 'R-'"])
def test_how_a_text_starts_is_no_relation(shown: Callable[[str], str], said: str) -> None:
    found = shown(f"How many radio calls were made from a radio with a tag {said}?")
    assert "(n0:RadioCall)-[:CALLER]->(n1:Radio) WHERE n1.tag STARTS WITH 'R-' RETURN" in found


def test_a_key_between_count_and_what_is_counted(shown: Callable[[str], str]) -> None:
    found = shown("Count, per kind of mishap, the sailors who know Tove.")
    assert "(n0)-[:PARTY_TO]->(n2:Mishap)" in found
    assert found.endswith("RETURN n2.kind AS kind, count(DISTINCT n0) AS count")


def test_only_some_are_considered(shown: Callable[[str], str]) -> None:
    found = shown("Considering only radio calls of between 10 and 20 seconds, how many are there per date?")
    assert "n0.duration >= 10 AND n0.duration <= 20" in found
    assert found.endswith("RETURN n0.date AS date, count(DISTINCT n0) AS count")
