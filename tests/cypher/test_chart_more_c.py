"""What "or" goes with, what is the most of a day, and other plain wordings, on an invented coast."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.lexicon import RelationWords, Verbalisation
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import StoredValue, ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Sailor 40: name, surname
    Radio 40: tag
    RadioCall 40 unnamed: date, time, duration integer, kind
    Mishap 40 unnamed: kind, date
    Harbour 40: name, latitude float, draught integer
    Warden 40: name, rank
    Coast 40: name
    Boat 40: name, year integer
    (Sailor)-[KNOWS 20]->(Sailor), (Sailor)-[HAS_RADIO 20]->(Radio), (RadioCall)-[CALLER 20]->(Radio)
    (RadioCall)-[CALLED 20]->(Radio), (Sailor)-[PARTY_TO 20]->(Mishap), (Mishap)-[OCCURRED_AT 20]->(Harbour)
    (Mishap)-[INVESTIGATED_BY 20]->(Warden), (Harbour)-[LOCATED_IN 20]->(Coast)
    (Boat)-[INVOLVED_IN 20]->(Mishap), (Sailor)-[LIVES_AT 20]->(Harbour)

    Sailor.name: Tove | Arne | Rose
    Sailor.surname: Dahl | Krog | Rose
    Radio.tag: R-19
    RadioCall.date: 03/09/2021 | 04/09/2021
    RadioCall.time: 09:15 | 21:40
    RadioCall.kind: Distress
    Mishap.kind: Grounding | Fire
    Mishap.date: 03/09/2021 | 04/09/2021
    Harbour.name: Skarvik
    Warden.name: Sten
    Warden.rank: Bosun
    Coast.name: Ytre
    Boat.name: Petrel
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who knows a Tove or a Rose?", "name IN ('Tove', 'Rose')"),
        ("Which sailors live at Skarvik and know somebody with the surname Dahl or Krog?", "surname IN"),
        (
            "Which radios belong to sailors who know a sailor named Dahl or Krog?",
            "surname IN ('Dahl', 'Krog')",
        ),
        ("Which radios belong to sailors known by somebody called Tove or Arne?", "name IN ('Tove', 'Arne')"),
    ],
)
def test_a_name_behind_or_goes_with_the_name_before(
    shown: Callable[[str], str], question: str, names: str
) -> None:
    assert names in shown(question).replace("[", "(").replace("]", ")")


@pytest.mark.parametrize("joined", ["Dahl or Krog", "Tove or Arne"])
def test_the_same_place_as_either_of_two(shown: Callable[[str], str], joined: str) -> None:
    found = shown(f"Who lives at the same harbour as {joined}?").replace("[", "(").replace("]", ")")
    first, other = joined.split(" or ")
    assert f"IN ('{first}', '{other}')" in found


@pytest.mark.parametrize(
    ("question", "counted"),
    [
        ("On which date were there the most radio calls?", "DESC LIMIT 1"),
        ("On which date were the fewest radio calls made?", "LIMIT 1"),
        ("On which date did the most radio calls take place?", "DESC LIMIT 1"),
    ],
)
def test_the_day_of_the_most_events(shown: Callable[[str], str], question: str, counted: str) -> None:
    found = shown(question)
    assert "n0.date AS date, count(DISTINCT n0) AS count" in found
    assert found.endswith(f"ORDER BY count {counted}")


def test_the_day_on_which_somebody_did_the_most(shown: Callable[[str], str]) -> None:
    found = shown("On what date did Tove Dahl make the most radio calls?")
    assert "(n0:RadioCall)-[:CALLER]->(n1:Radio), (n2:Sailor)-[:HAS_RADIO]->(n1)" in found
    assert "n0.date AS date, count(DISTINCT n0) AS count ORDER BY count DESC LIMIT 1" in found


@pytest.mark.parametrize(
    "question",
    [
        "Which mishap kind do bosuns investigate most?",
        "Which kind of mishap do bosuns investigate most often?",
        "Which kind of mishap is most often investigated by bosuns?",
        "Which mishap kind was most often investigated by bosuns?",
    ],
)
def test_the_kind_of_which_most_is_done(shown: Callable[[str], str], question: str) -> None:
    found = shown(question)
    assert found.startswith("MATCH (n0:Mishap)-[:INVESTIGATED_BY]->(n1:Warden) WHERE n1.rank = 'Bosun'")
    assert "n0.kind AS kind, count(DISTINCT n0) AS count ORDER BY count DESC LIMIT 1" in found


@pytest.mark.parametrize(
    ("question", "way"),
    [
        ("Which two mishap kinds were recorded most often at Skarvik?", "DESC LIMIT 2"),
        ("Taking harbours named Skarvik, which two mishap kinds were recorded there most often?", "LIMIT 2"),
        ("At the harbour Skarvik, which kind of mishap is the least frequent?", "count LIMIT 1"),
    ],
)
def test_the_commonest_kinds_at_a_place(shown: Callable[[str], str], question: str, way: str) -> None:
    found = shown(question)
    assert found.startswith("MATCH (n0:Mishap)-[:OCCURRED_AT]->(n1:Harbour) WHERE n1.name = 'Skarvik'")
    assert "n0.kind AS kind, count(DISTINCT n0) AS count" in found
    assert way in found


def test_the_day_on_which_events_had_the_most_places(shown: Callable[[str], str]) -> None:
    found = shown("On what date did mishaps happen at the most harbours?")
    assert "n0.date AS value0, count(DISTINCT n1) AS counted" in found
    one = shown("On what date did the mishap with the most boats happen?")
    assert "WITH n0, count(DISTINCT n1) AS counted RETURN DISTINCT n0.date AS date" in one


@pytest.mark.parametrize(
    "question",
    [
        "What is the northernmost mishap?",
        "Which mishap happened furthest north?",
        "Which mishap occurred the furthest north?",
    ],
)
def test_what_happened_lies_where_its_place_does(shown: Callable[[str], str], question: str) -> None:
    found = shown(question)
    assert found.startswith("MATCH (n0:Mishap)-[:OCCURRED_AT]->(n1:Harbour)")
    assert "WITH max(n1.latitude) AS best" in found


def test_who_had_to_do_with_what_happened_furthest_north(shown: Callable[[str], str]) -> None:
    found = shown("Which warden investigated the northernmost mishap on the coast Ytre?")
    assert "(n1)-[:OCCURRED_AT]->(n2:Harbour), (n2)-[:LOCATED_IN]->(n3:Coast)" in found
    assert found.endswith("WHERE n3.name = 'Ytre' AND n2.latitude = best RETURN DISTINCT n0.name AS name")


@pytest.mark.parametrize("said", ["live furthest south", "live in the southernmost harbours"])
def test_who_lives_furthest_south(shown: Callable[[str], str], said: str) -> None:
    found = shown(f"Which three sailors who know Tove {said}?")
    assert "(n0)-[:LIVES_AT]->(n2:Harbour) WHERE n1.name = 'Tove'" in found
    assert "n2.latitude" in found
    assert found.endswith("LIMIT 3")


def test_several_are_ranked_by_the_best_inside(shown: Callable[[str], str]) -> None:
    found = shown("Which two wardens investigated the mishaps with the oldest boats?")
    assert "best0" not in found
    assert "n2.year AS sorted" in found
    assert found.endswith("ORDER BY sorted LIMIT 2")


@pytest.mark.parametrize(
    ("question", "columns"),
    [
        (
            "Which warden investigated the mishap at Skarvik, and on what date?",
            "n0.name AS name, n1.date AS date",
        ),
        ("Which warden investigated the mishap at Skarvik, and when?", "n0.name AS name, n1.date AS date"),
        ("Who called Tove Dahl, and on which date?", "n0.name AS name, n2.date AS date"),
        ("Who called Tove Dahl, and how many seconds did the radio call last?", "n2.duration AS duration"),
        ("Who called Tove Dahl, and with what radio?", "n0.name AS name, n1.tag AS tag"),
        (
            "Which boat was involved in the mishap at Skarvik, and what latitude does that harbour have?",
            "n0.name AS name, n2.latitude AS latitude",
        ),
    ],
)
def test_a_second_question_asks_of_what_the_first_tells(
    shown: Callable[[str], str], question: str, columns: str
) -> None:
    assert columns in shown(question)


def test_where_it_happened_is_asked_of_the_event(shown: Callable[[str], str]) -> None:
    found = shown("Who was party to a grounding, and on which coast did it happen?")
    assert "(n1)-[:OCCURRED_AT]->(n2:Harbour), (n2)-[:LOCATED_IN]->(n3:Coast)" in found


@pytest.mark.parametrize(
    "question",
    [
        "Leaving out bosuns, which warden has investigated the most mishaps?",
        "Apart from bosuns, which warden has investigated the most mishaps?",
        "Which warden, not counting bosuns, has investigated the most mishaps?",
        "Excluding those ranked Bosun, which warden investigated the most mishaps?",
    ],
)
def test_who_is_left_out_in_front(shown: Callable[[str], str], question: str) -> None:
    found = shown(question)
    assert found.startswith(
        "MATCH (n1:Mishap)-[:INVESTIGATED_BY]->(n0:Warden) WHERE n0.rank <> 'Bosun' WITH n0,"
    )


@pytest.mark.parametrize(
    "question",
    [
        "Apart from Tove Dahl, who knows Arne?",
        "Who other than Tove Dahl knows Arne?",
        "Who, besides Tove Dahl, knows Arne?",
        "Who except Tove Dahl knows Arne?",
    ],
)
def test_anybody_but_one(shown: Callable[[str], str], question: str) -> None:
    assert shown(question).startswith(
        "MATCH (n0:Sailor)-[:KNOWS]->(n1:Sailor) WHERE n1.name = 'Arne' "
        "AND NOT (n0.name = 'Tove' AND n0.surname = 'Dahl') RETURN"
    )


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        (
            "How long, in seconds, was the radio call that Tove made?",
            "How long was the radio call that Tove made?",
        ),
        ("Regardless of the date, which radio did Tove call?", "Which radio did Tove call?"),
        ("Who else knows Tove?", "Who knows Tove?"),
        (
            "Which sailors know somebody who in turn knows Tove?",
            "Which sailors know somebody who knows Tove?",
        ),
    ],
)
def test_remarks_that_change_nothing(shown: Callable[[str], str], said: str, plain: str) -> None:
    assert shown(said) == shown(plain)


@pytest.mark.parametrize(
    "said",
    [
        "at a harbour with the word vik in it",
        "at a harbour with the letters vik in its name",
        "at harbours that have the letters 'vik' in them",
    ],
)
def test_letters_in_a_name(shown: Callable[[str], str], said: str) -> None:
    assert "n1.name CONTAINS 'vik'" in shown(f"Which mishaps occurred {said}?")


@pytest.mark.parametrize(
    ("question", "head"),
    [
        ("List the five radio calls latest in the day.", "MATCH (n0:RadioCall)"),
        ("List the radio calls earliest in the day among those that Tove received.", "-[:CALLED]->"),
        ("Which distress radio call was the latest in the day?", "n0.kind = 'Distress'"),
    ],
)
def test_late_in_the_day_is_late_by_the_clock(shown: Callable[[str], str], question: str, head: str) -> None:
    found = shown(question)
    assert head in found
    assert "n0.time" in found


@pytest.mark.parametrize("verb", ["Add up", "Sum up", "Sum", "Please total"])
def test_what_is_added_up(shown: Callable[[str], str], verb: str) -> None:
    found = shown(f"{verb} the duration of all radio calls made by Tove.")
    assert found.endswith("RETURN sum(n0.duration) AS sum_duration")


def test_a_span_behind_what_is_counted_for_each(shown: Callable[[str], str]) -> None:
    found = shown("How many boats per year are there from 1990 to 1999?")
    assert "n0.year >= 1990 AND n0.year <= 1999" in found
    assert found.endswith("RETURN n0.year AS year, count(DISTINCT n0) AS count")


@pytest.mark.parametrize("front", ["Taking", "Across", "Looking only at"])
def test_a_measure_over_what_is_named_first(shown: Callable[[str], str], front: str) -> None:
    found = shown(f"{front} the boats involved in mishaps at Skarvik, what is the earliest year?")
    assert found.endswith("RETURN min(n0.year) AS min_year")


@pytest.mark.parametrize("asked", ["Which sailors know", "How many sailors know"])
def test_what_is_said_last_is_said_of_what_is_near(asked: str) -> None:
    words = Verbalisation(relations={"PARTY_TO": RelationWords(forward=("blamed for",))})
    reader = SemanticReader(SCHEMA, ValueTable(STORED), words)
    question = f'{asked} a sailor who was party to a mishap blamed for "Fire"?'
    near, far = reader.read(question).candidates[:2]
    assert near.score - far.score > 0.05
    written = reader.write(near.query, bare=True)
    assert "(n0)-[:`PARTY_TO`]" not in written.text


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("How many mishaps were there per kind at Skarvik?", ("n1.name = 'Skarvik'", "n0.kind AS kind")),
        ("How many mishaps were there for each date at Skarvik?", ("n1.name = 'Skarvik'", "n0.date AS date")),
        ("How many mishaps were there by kind and date at Skarvik?", ("n0.kind AS kind", "n0.date AS date")),
        (
            "For mishaps at Skarvik, break down the number of different wardens by rank.",
            ("Skarvik", "n0.rank AS rank"),
        ),
    ],
)
def test_counts_for_each_of_something(
    shown: Callable[[str], str], question: str, parts: tuple[str, ...]
) -> None:
    found = shown(question)
    assert "count(DISTINCT n0) AS count" in found
    assert all(part in found for part in parts)


@pytest.mark.parametrize("said", ["is either a fire or was", "either is a fire or was", "is a fire or was"])
def test_either_of_two_clauses(shown: Callable[[str], str], said: str) -> None:
    found = shown(f"Which sailors were party to a mishap that {said} investigated by Sten?")
    assert "((n1.kind = 'Fire') OR EXISTS { MATCH (n1)-[:INVESTIGATED_BY]->" in found


def test_what_is_so_currently(shown: Callable[[str], str]) -> None:
    assert shown("Which sailors currently live at Skarvik?") == shown("Which sailors live at Skarvik?")


@pytest.mark.parametrize(
    ("often", "plain"),
    [
        ("Which warden investigated mishaps most often?", "Which warden investigated the most mishaps?"),
        ("Which boat was involved in mishaps least often?", "Which boat was involved in the fewest mishaps?"),
        ("Which harbour had mishaps most frequently?", "Which harbour had the most mishaps?"),
        ("Who received radio calls the most often?", "Who received the most radio calls?"),
    ],
)
def test_what_is_done_most_often(shown: Callable[[str], str], often: str, plain: str) -> None:
    assert shown(often) == shown(plain)


@pytest.mark.parametrize("said", ["the most", "most", "the most often"])
def test_what_is_done_to_something_the_most(shown: Callable[[str], str], said: str) -> None:
    found = shown(f"Which radio was called {said}?")
    assert found.startswith(
        "MATCH (n1:RadioCall)-[:CALLED]->(n0:Radio) WITH n0, count(DISTINCT n1) AS counted"
    )


@pytest.mark.parametrize(
    ("question", "way"),
    [
        ("Who knows Tove Dahl or Arne Krog?", "MATCH (n0)-[:KNOWS]->"),
        ("Who is known by Tove Dahl or Arne Krog?", "-[:KNOWS]->(n0)"),
        ("Which radios belong to Tove Dahl or Arne Krog?", "-[:HAS_RADIO]->(n0)"),
        ("Which mishaps was Tove Dahl or Arne Krog party to?", "-[:PARTY_TO]->(n0)"),
    ],
)
def test_either_of_two_full_names(shown: Callable[[str], str], question: str, way: str) -> None:
    found = shown(question)
    assert found.count("EXISTS {") == found.count(way) == 2
    assert ".name = 'Tove' AND " in found
    assert ".name = 'Arne' AND " in found


@pytest.mark.parametrize("kinds", ["a grounding or a fire", "groundings or fires"])
def test_what_is_said_behind_either_of_two(shown: Callable[[str], str], kinds: str) -> None:
    found = shown(f"Which warden dealt with {kinds} at Skarvik?").replace("[", "(").replace("]", ")")
    assert "(n1)-(:OCCURRED_AT)->(n2:Harbour) WHERE n1.kind IN ('Grounding', 'Fire')" in found


def test_two_names_behind_one_verb_are_of_one_kind() -> None:
    values = [*STORED, StoredValue("Sailor", "surname", "Petrel"), StoredValue("Boat", "name", "Tern")]
    reader = SemanticReader(SCHEMA, ValueTable(values))
    written = reader.read("Which mishaps involved a Petrel and a Tern?").written
    assert written is not None
    assert ":`PARTY_TO`" not in written.text
    assert written.text.count(":`INVOLVED_IN`") == 2


def test_what_is_done_besides_leaves_nobody_out(shown: Callable[[str], str]) -> None:
    found = shown("Which wardens, besides investigating a fire, also investigated a grounding?")
    assert "NOT" not in found


@pytest.mark.parametrize(
    ("question", "ties"),
    [
        (
            "Who lives at the same harbour as somebody who knows them?",
            "(n0:Sailor)-[:LIVES_AT]->(n1:Harbour), (n2:Sailor)-[:LIVES_AT]->(n1), (n2)-[:KNOWS]->(n0)",
        ),
        (
            "Which sailors live at the same harbour as somebody they know?",
            "(n0:Sailor)-[:LIVES_AT]->(n1:Harbour), (n2:Sailor)-[:LIVES_AT]->(n1), (n0)-[:KNOWS]->(n2)",
        ),
        (
            "How many sailors know somebody who knows them?",
            "(n0:Sailor)-[:KNOWS]->(n1:Sailor), (n1)-[:KNOWS]->(n0)",
        ),
        (
            "Who lives at the same harbour as a sailor named Dahl or Krog who knows them?",
            "(n2:Sailor)-[:LIVES_AT]->(n1), (n2)-[:KNOWS]->(n0)",
        ),
    ],
)
def test_pronouns_for_those_who_are_asked_about(
    shown: Callable[[str], str], question: str, ties: str
) -> None:
    assert ties in shown(question)


@pytest.mark.parametrize(
    "said",
    ["share their surname with", "have their surname in common with", "have a surname in common with"],
)
def test_what_two_have_alike(shown: Callable[[str], str], said: str) -> None:
    same = shown("Which sailors have the same surname as Arne Krog?")
    assert "n0.surname = n1.surname" in same
    assert shown(f"Which sailors {said} Arne Krog?") == same
