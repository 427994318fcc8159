"""Long questions: asides, several conditions on one thing, what is told before, on an invented shore."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Keeper 60: name, surname
    Lamp 60: tag, maker, year integer
    Mailbox 60: address
    Signal 60 unnamed: kind, date, time, duration integer
    Wreck 60 unnamed: kind, date
    Inspector 60: name, rank
    Cove 60: name, depth integer
    Shore 60: code
    (Keeper)-[KNOWS 20]->(Keeper), (Keeper)-[HAS_LAMP 20]->(Lamp), (Keeper)-[HAS_MAILBOX 20]->(Mailbox)
    (Keeper)-[LIVES_AT 20]->(Cove), (Cove)-[LOCATED_IN 20]->(Shore), (Signal)-[CALLER 20]->(Lamp)
    (Signal)-[CALLED 20]->(Lamp), (Keeper)-[PARTY_TO 20]->(Wreck), (Wreck)-[OCCURRED_AT 20]->(Cove)
    (Wreck)-[INVESTIGATED_BY 20]->(Inspector)

    Keeper.name: Tove | Arne
    Keeper.surname: Dahl | Krog
    Lamp.tag: L-19
    Lamp.maker: Fresnel | Argand
    Mailbox.address: tove@kyst.org
    Signal.kind: Flare | Morse
    Signal.date: 03/09/2021
    Signal.time: 08:30
    Wreck.kind: Grounding | Fire
    Wreck.date: 04/09/2021
    Inspector.name: Sten
    Inspector.rank: Captain | Mate
    Cove.name: Skarvik
    Shore.code: Y4 | Y7
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))
LIVE_IN_Y4 = (
    "MATCH (n0:Keeper)-[:LIVES_AT]->(n1:Cove), (n1)-[:LOCATED_IN]->(n2:Shore), (n0)-[:KNOWS]->(n3:Keeper) "
    "WHERE n2.code = 'Y4' AND n3.name = 'Tove' "
)


@pytest.mark.parametrize(
    "question",
    [
        "Which keepers, living in Y4, know Tove?",
        "Which keepers, living in Y4, also know Tove?",
        "Who, living in Y4, knows Tove?",
        "Keepers, living in Y4, who know Tove",
    ],
)
def test_a_participle_between_commas(shown: Callable[[str], str], question: str) -> None:
    assert shown(question).startswith(LIVE_IN_Y4)


@pytest.mark.parametrize(
    "question",
    [
        "Who, without having been party to any wreck, knows Tove?",
        "Which keepers, not being party to any wreck, know Tove?",
        "Which keepers know Tove without having been party to any wreck?",
    ],
)
def test_what_is_denied_between_commas(shown: Callable[[str], str], question: str) -> None:
    found = shown(question)
    assert found.startswith("MATCH (n0:Keeper)-[:KNOWS]->(n")
    assert "NOT EXISTS { MATCH (n0)-[:PARTY_TO]->" in found
    assert "'Tove'" in found


def test_a_kind_between_commas(shown: Callable[[str], str]) -> None:
    found = shown("Which wrecks, of kind Fire, were investigated by a Captain?")
    assert found.startswith("MATCH (n0:Wreck)-[:INVESTIGATED_BY]->(n1:Inspector)")
    assert "WHERE n0.kind = 'Fire' AND n1.rank = 'Captain'" in found


def test_a_day_between_commas(shown: Callable[[str], str]) -> None:
    found = shown("List the signals that, on days after 3 September 2021, were sent from L-19.")
    assert "> '2021-09-03'" in found
    assert "n1.tag = 'L-19'" in found


@pytest.mark.parametrize(
    "question",
    [
        "How many lamps of the maker Fresnel or Argand with a year before 1900 are there?",
        "Number of Fresnel or Argand lamps with a year before 1900?",
        "Count the lamps of the maker Fresnel or Argand made before 1900.",
    ],
)
def test_what_follows_or_holds_for_both(shown: Callable[[str], str], question: str) -> None:
    found = shown(question)
    before = found.count("n0.year < 1900")
    assert "'Fresnel'" in found
    assert before == found.count("n0.maker")
    assert found.endswith("RETURN count(DISTINCT n0) AS count")


@pytest.mark.parametrize(
    ("question", "way"),
    [
        ("Count the signals sent on 3 September 2021 from the lamp of Tove.", "CALLER"),
        ("Count the signals sent on 3 September 2021 to the lamp of Tove.", "CALLED"),
        ("Count the signals received on 3 September 2021 by lamps of Tove.", "CALLED"),
    ],
)
def test_a_day_between_a_verb_and_its_preposition(
    shown: Callable[[str], str], question: str, way: str
) -> None:
    found = shown(question)
    assert found.startswith(f"MATCH (n0:Signal)-[:{way}]->(n1:Lamp), (n2:Keeper)-[:HAS_LAMP]->(n1) WHERE")
    assert "= '2021-09-03' AND n2.name = 'Tove' RETURN" in found


@pytest.mark.parametrize("verb", ["lasted longest", "lasted the longest", "took the longest", "ran longest"])
def test_what_lasted_longest(shown: Callable[[str], str], verb: str) -> None:
    found = shown(f"Which signal from the lamp of Tove {verb}?")
    assert found == shown("Which signal from the lamp of Tove was the longest?")
    assert "max(n0.duration)" in found or "ORDER BY" in found


@pytest.mark.parametrize(
    "question",
    [
        "Lamps from the years 1890 to 1905",
        "Lamps made in the years 1890 to 1905",
        "Lamps made between the years 1890 and 1905",
        "Lamps that date from the years 1890 to 1905",
    ],
)
def test_a_span_of_years(shown: Callable[[str], str], question: str) -> None:
    assert "WHERE n0.year >= 1890 AND n0.year <= 1905 RETURN" in shown(question)


def test_a_time_of_day(shown: Callable[[str], str]) -> None:
    found = shown("How many signals were sent at a time of day earlier than 8:00?")
    assert "n0.time < '08:00'" in found


@pytest.mark.parametrize("said", ["Captains excepted", "Captains excluded", "Captains aside"])
def test_what_is_excepted_behind(shown: Callable[[str], str], said: str) -> None:
    found = shown(f"List the inspectors, {said}, who investigated a wreck.")
    assert found == shown("List the inspectors except Captains who investigated a wreck.")


def test_in_addition_adds_nothing(shown: Callable[[str], str]) -> None:
    found = shown("Who knows Tove and, in addition, lives in Y4?")
    assert found == shown("Who knows Tove and lives in Y4?")


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("Of the coves in Y4 or Y7 where a wreck occurred, which two have the greatest depth?", 2),
        ("Of the coves in Y4 or Y7 where a wreck occurred, retrieve the two with the greatest depth.", 2),
        ("Of the coves in Y4 or Y7 where a wreck occurred, which one has the greatest depth?", 1),
        ("Of the coves in Y4 or Y7 where a wreck occurred, show the one with the greatest depth.", 1),
    ],
)
def test_some_of_what_was_spoken_of(shown: Callable[[str], str], question: str, number: int) -> None:
    found = shown(question)
    assert "n1.code IN ('Y4', 'Y7')" in found or "n2.code IN ('Y4', 'Y7')" in found
    assert ("LIMIT 2" if number == 2 else "max(") in found


@pytest.mark.parametrize(
    "question",
    ['Who has a ".org" mailbox?', 'Keepers with a ".org" mailbox', 'Keepers with ".org" mailboxes'],
)
def test_a_text_before_what_holds_it(shown: Callable[[str], str], question: str) -> None:
    expected = "MATCH (n0:Keeper)-[:HAS_MAILBOX]->(n1:Mailbox) WHERE n1.address CONTAINS '.org' RETURN"
    assert shown(question).startswith(expected)


@pytest.mark.parametrize("thing", ["lamp", "mailbox"])
def test_a_value_and_a_thing_that_somebody_has(shown: Callable[[str], str], thing: str) -> None:
    found = shown(f"Who knows somebody with the surname Krog and a {thing}?")
    assert found.startswith(f"MATCH (n0:Keeper)-[:KNOWS]->(n1:Keeper), (n1)-[:HAS_{thing.upper()}]->(n2:")
    assert "WHERE n1.surname = 'Krog' RETURN" in found


def test_things_of_others_are_not_these(shown: Callable[[str], str]) -> None:
    found = shown("keepers of shore Y4")
    assert found.endswith("WHERE n2.code = 'Y4' RETURN DISTINCT n0.name AS name")


def test_a_name_has_no_verb_without_who(shown: Callable[[str], str]) -> None:
    found = shown("Was any keeper living in the same cove as Tove Dahl party to a fire?")
    assert "(n0)-[:PARTY_TO]->" in found
    assert "n2.name = 'Tove' AND n2.surname = 'Dahl'" in found


def test_a_noun_with_its_article_is_no_verb(shown: Callable[[str], str]) -> None:
    found = shown("How many keepers of shore Y4 know a resident of Skarvik?")
    assert "(n0)-[:KNOWS]->(n3:Keeper), (n3)-[:LIVES_AT]->(n4:Cove)" in found
    assert "WHERE n2.code = 'Y4' AND n4.name = 'Skarvik' RETURN count(DISTINCT n0)" in found


def test_a_perfect_participle_between_commas(shown: Callable[[str], str]) -> None:
    found = shown("Which wrecks, having occurred at some cove, did Sten investigate?")
    assert "(n0:Wreck)-[:OCCURRED_AT]->(n1:Cove), (n0)-[:INVESTIGATED_BY]->(n2:Inspector)" in found
    assert "WHERE n2.name = 'Sten'" in found


def test_what_is_used_of_their_own_is_meant_anyway(shown: Callable[[str], str]) -> None:
    found = shown("Which keepers sent a flare, from their own lamp, to the lamp of Tove?")
    assert found == shown("Which keepers sent a flare to the lamp of Tove?")


@pytest.mark.parametrize("said", ["Dates needed of fires", "Dates are wanted for fires"])
def test_what_is_wanted_is_asked_for(shown: Callable[[str], str], said: str) -> None:
    assert shown(f"{said} investigated by Sten.") == shown("Dates of fires investigated by Sten.")


def test_a_time_before_a_sentence(shown: Callable[[str], str]) -> None:
    told = "flares were sent from the lamp of Tove. Who owns the lamps that received them?"
    found = shown(f"Before 8:00, {told}")
    assert "time < '08:00'" in found
    assert found == shown(f"Flares were sent before 8:00 {told[len('flares were sent ') :]}")


@pytest.mark.parametrize("both", ["", "both "])
def test_one_by_name_and_somebody_else(shown: Callable[[str], str], both: str) -> None:
    found = shown(f"Number of keepers acquainted with {both}Arne and somebody with the surname Krog?")
    assert "(n0:Keeper)-[:KNOWS]->(n1:Keeper), (n0)-[:KNOWS]->(n2:Keeper)" in found
    assert "WHERE n1.name = 'Arne' AND n2.surname = 'Krog' RETURN count(DISTINCT n0)" in found
