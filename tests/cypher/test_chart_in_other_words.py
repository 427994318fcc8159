"""Everyday wordings on an invented shore: names, counts of relatives, asides, keys told anew."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Keeper 60: name, surname, age integer
    Lamp 60: tag, maker, year integer
    Signal 60 unnamed: kind, date, time, duration integer
    Wreck 60 unnamed: kind, date
    Inspector 60: name, rank
    Cove 60: name, depth integer
    Shore 60: code
    (Keeper)-[KNOWS 20]->(Keeper), (Keeper)-[LODGES_WITH 20]->(Keeper), (Lamp)-[IN_NAME_OF 20]->(Keeper)
    (Keeper)-[LIVES_AT 20]->(Cove), (Cove)-[LOCATED_IN 20]->(Shore), (Signal)-[CALLER 20]->(Lamp)
    (Signal)-[CALLED 20]->(Lamp), (Keeper)-[PARTY_TO 20]->(Wreck), (Wreck)-[OCCURRED_AT 20]->(Cove)
    (Wreck)-[INVESTIGATED_BY 20]->(Inspector), (Keeper)-[SIBLING_OF 20]->(Keeper)
    (Keeper)-[KNOWS_LAMP 20]->(Keeper)

    Keeper.surname: Dahl | Krog | Aab{0..69}en
    Keeper.name: Tove | Arne | Krog
    Lamp.tag: L-19 | L-20
    Lamp.maker: Fresnel | Argand
    Signal.kind: Flare | Morse
    Signal.date: 03/09/2021
    Signal.time: 08:30
    Wreck.kind: Grounding | Fire
    Wreck.date: 04/09/2021
    Inspector.name: Sten
    Inspector.rank: Captain | Mate
    Cove.name: Skarvik | Torvik
    Shore.code: Y4 | Y7
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.mark.parametrize(
    "question",
    [
        "Which wrecks was a keeper named Krog party to?",
        "Which wrecks was a keeper called Krog party to?",
        "Which wrecks was a keeper by the name of Krog party to?",
    ],
)
def test_a_name_that_is_a_surname_too_is_rather_the_first_name(
    shown: Callable[[str], str], question: str
) -> None:
    assert "WHERE n1.name = 'Krog'" in shown(question)
    best, second = READER.read(question).candidates[:2]
    assert best.score > second.score


@pytest.mark.parametrize(
    ("question", "ends"),
    [
        ("Who has the most siblings named Tove?", "WHERE n1.name = 'Tove' WITH n0, count(DISTINCT n1) AS"),
        ("Who has the fewest siblings living at Skarvik?", "WHERE n2.name = 'Skarvik' WITH n0, count"),
        ("Who has more than two siblings who were party to a fire?", "WHERE n2.kind = 'Fire' WITH n0, count"),
        ("Which keepers have two siblings aged 40?", "WHERE n1.age = 40 WITH n0, count(DISTINCT n1) AS"),
    ],
)
def test_those_of_theirs_are_counted_of_whom_something_is_told(
    shown: Callable[[str], str], question: str, ends: str
) -> None:
    assert "MATCH (n0:Keeper)-[:SIBLING_OF]-(n1:Keeper)" in shown(question)
    assert ends in shown(question)


@pytest.mark.parametrize(
    ("question", "same"),
    [
        ("Who was it that lodged with Tove?", "Who lodged with Tove?"),
        ("Which lamp was it that called L-19?", "Which lamp called L-19?"),
        ("Which lamp was it from which L-19 was called?", "From which lamp was L-19 called?"),
        (
            "Which inspector is it who investigates the most fires?",
            "Which inspector investigates the most fires?",
        ),
        ("How many signals has L-19 received in total?", "How many signals has L-19 received?"),
        ("In all, how many wrecks were there?", "How many wrecks were there?"),
        ("Between them, how many keepers live in Y4 or Y7?", "How many keepers live in Y4 or Y7?"),
        ("What is the maximum duration over all signals?", "What is the maximum duration of signals?"),
    ],
)
def test_clefts_and_words_that_add_nothing(shown: Callable[[str], str], question: str, same: str) -> None:
    assert shown(question) == shown(same)


def test_a_cleft_with_two_clauses(shown: Callable[[str], str]) -> None:
    text = shown("What kind of wreck was it to which Tove was party and which Sten investigated?")
    assert "(n1:Keeper)-[:PARTY_TO]->(n0:Wreck)" in text
    assert "(n0)-[:INVESTIGATED_BY]->(n2:Inspector)" in text
    assert text.endswith("RETURN DISTINCT n0.kind AS kind")


@pytest.mark.parametrize(
    ("question", "same"),
    [
        ("Shores where there have been fires", "Shores where fires occurred"),
        (
            "Which shores are there where there has been a fire?",
            "Which shores are there where a fire occurred?",
        ),
        ("Who lives in a cove where there's been a fire?", "Who lives in a cove where a fire occurred?"),
    ],
)
def test_there_have_been_in_a_clause_of_place(shown: Callable[[str], str], question: str, same: str) -> None:
    assert shown(question) == shown(same)


@pytest.mark.parametrize("part", ["one", "some", "any"])
def test_one_of_whose_is_whose(shown: Callable[[str], str], part: str) -> None:
    question = f"Which shores are there {part} of whose coves is the home of Tove?"
    assert shown(question) == shown("Which shores are there whose coves are the home of Tove?")


def test_none_of_whose_is_denied(shown: Callable[[str], str]) -> None:
    text = shown("List the shores none of whose coves saw a fire.")
    assert "WHERE NOT EXISTS { MATCH (n1:Cove)-[:LOCATED_IN]->(n0), (n2:Wreck)-[:OCCURRED_AT]->(n1)" in text


@pytest.mark.parametrize(
    ("question", "same"),
    [
        ("Do any lamps exist that called L-19?", "Are there any lamps that called L-19?"),
        ("Does a keeper exist who lives in Y4?", "Is there a keeper who lives in Y4?"),
        (
            "Does any lamp exist from which L-19 was called and from which L-20 was called?",
            "Is there any lamp from which L-19 was called and from which L-20 was called?",
        ),
    ],
)
def test_a_clause_behind_exist(shown: Callable[[str], str], question: str, same: str) -> None:
    assert shown(question) == shown(same)


@pytest.mark.parametrize(
    ("question", "same"),
    [
        ("Tove lives at which cove?", "At which cove does Tove live?"),
        ("Skarvik is in which shore?", "Which shore is Skarvik in?"),
        ("Lamp L-19 called which lamps?", "Which lamps did lamp L-19 call?"),
        ("Fires were investigated by which inspectors?", "Which inspectors investigated fires?"),
        ("Tove lives where?", "Where does Tove live?"),
    ],
)
def test_what_is_asked_for_where_the_answer_would_stand(
    shown: Callable[[str], str], question: str, same: str
) -> None:
    assert shown(question) == shown(same)


CALLED_ON_A_DAY = "MATCH (n1:Signal)-[:CALLED]->(n0:Lamp) WHERE split(n1.date"


@pytest.mark.parametrize(
    "question",
    [
        "Which lamps were called on 3 September 2021?",
        "Which lamps were contacted on 3 September 2021?",
        "Lamps that were rung on 3 September 2021",
    ],
)
def test_the_day_on_which_something_was_done_is_that_of_the_event(
    shown: Callable[[str], str], question: str
) -> None:
    assert shown(question).startswith(CALLED_ON_A_DAY)


@pytest.mark.parametrize(
    "question",
    [
        "Which lamps were called on 3 September 2021 by L-19?",
        "Which lamps were called by L-19 on 3 September 2021?",
        "Which lamps were called on 3 September 2021 from L-19?",
        "Which lamps were rung in September 2021 by L-19?",
    ],
)
def test_a_day_between_a_verb_and_its_doer(shown: Callable[[str], str], question: str) -> None:
    text = shown(question)
    assert text.startswith(
        "MATCH (n1:Signal)-[:CALLED]->(n0:Lamp), (n1)-[:CALLER]->(n2:Lamp) WHERE split(n1.d"
    )
    assert "n2.tag = 'L-19'" in text


def test_a_day_between_a_verb_and_who_owns_its_doer(shown: Callable[[str], str]) -> None:
    text = shown("Which lamps were rung on 3 September 2021 by Tove?")
    assert (
        "(n1:Signal)-[:CALLED]->(n0:Lamp), (n1)-[:CALLER]->(n2:Lamp), (n2)-[:IN_NAME_OF]->(n3:Keeper)" in text
    )


@pytest.mark.parametrize(
    ("question", "ends"),
    [
        (
            "How many keepers lodge with a keeper named Tove? Split it by that Tove's surname.",
            "RETURN n1.surname AS surname, count(DISTINCT n0) AS count",
        ),
        (
            "How many keepers lodge with a keeper named Tove, grouped by Tove's age?",
            "RETURN n1.age AS age, count(DISTINCT n0) AS count",
        ),
        (
            "How many keepers live at the cove Skarvik? Group the count by that cove.",
            "WITH n1, count(DISTINCT n0) AS count RETURN n1.name AS name, count",
        ),
        (
            "How many lamps are in the name of keepers who know Tove, by the age of the keeper knowing Tove?",
            "RETURN n1.age AS age, count(DISTINCT n0) AS count",
        ),
    ],
)
def test_keys_of_what_was_told_of(shown: Callable[[str], str], question: str, ends: str) -> None:
    assert shown(question).endswith(ends)


@pytest.mark.parametrize(
    "question",
    [
        "How many fires is each Captain investigating? Group them by rank.",
        "How many fires is each Captain investigating? Show the count by rank.",
    ],
)
def test_a_key_stands_for_each_of_what_has_it(shown: Callable[[str], str], question: str) -> None:
    assert shown(question).endswith("RETURN n1.rank AS rank, count(DISTINCT n0) AS count")


@pytest.mark.parametrize(
    ("question", "same"),
    [
        ("What happened at Skarvik?", "Which wrecks happened at Skarvik?"),
        ("List everything that happened at Skarvik.", "List the wrecks that happened at Skarvik."),
        ("Who was party to what took place at Skarvik?", "Who was party to a wreck at Skarvik?"),
        (
            "Which inspectors investigated whatever occurred in Y4?",
            "Which inspectors investigated a wreck in Y4?",
        ),
    ],
)
def test_what_happened_is_what_the_schema_says_happens(
    shown: Callable[[str], str], question: str, same: str
) -> None:
    assert shown(question) == shown(same)


@pytest.mark.parametrize(
    "question",
    [
        "Lamps called on 3 September 2021 from L-19",
        "Lamps contacted after 3 September 2021 by L-19",
    ],
)
def test_a_day_between_a_bare_participle_and_its_doer(shown: Callable[[str], str], question: str) -> None:
    text = shown(question)
    assert text.startswith(
        "MATCH (n1:Signal)-[:CALLED]->(n0:Lamp), (n1)-[:CALLER]->(n2:Lamp) WHERE split(n1.d"
    )


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("For the lamp L-19, state the tag itself and how many signals were sent to it.", "tag"),
        ("For each lamp, give its maker and the number of signals that it received.", "maker"),
        ("For each inspector, indicate their rank and the number of wrecks they investigated.", "rank"),
    ],
)
def test_the_key_is_asked_for_again(shown: Callable[[str], str], question: str, key: str) -> None:
    assert f".{key} AS {key}, count(DISTINCT n0) AS count" in shown(question)


@pytest.mark.parametrize(
    ("question", "same"),
    [
        ("Total up the durations of the flares.", "What is the total duration of the flares?"),
        (
            "Add up the durations of all signals called L-19.",
            "What is the total duration of signals called L-19?",
        ),
        ("Could you sum up the ages of the keepers in Y4?", "What is the total age of the keepers in Y4?"),
        ("Keepers who know Tove - how many are there?", "How many keepers who know Tove are there?"),
        ("Lamps made by Argand: how many?", "How many lamps are made by Argand?"),
    ],
)
def test_totals_and_counts_said_in_another_order(
    shown: Callable[[str], str], question: str, same: str
) -> None:
    assert shown(question) == shown(same)


def test_what_is_counted_is_counted_once(shown: Callable[[str], str]) -> None:
    text = shown("Per maker, how many lamps with a link to a keeper are there?")
    assert text.endswith("RETURN n0.maker AS maker, count(DISTINCT n0) AS count")


@pytest.mark.parametrize(
    ("question", "same"),
    [
        (
            "Which keepers live in Y4, provided that they know Tove?",
            "Which keepers live in Y4 and know Tove?",
        ),
        ("Which keepers live in Y4, if they know Tove?", "Which keepers live in Y4 and know Tove?"),
        (
            "Which coves, as long as they are located in Y4, saw a fire?",
            "Which coves located in Y4 saw a fire?",
        ),
        (
            "How many wrecks happened at Skarvik, given that they were investigated by Sten?",
            "How many wrecks happened at Skarvik and were investigated by Sten?",
        ),
    ],
)
def test_what_is_provided_is_told_too(shown: Callable[[str], str], question: str, same: str) -> None:
    assert shown(question) == shown(same)


@pytest.mark.parametrize(
    ("question", "same"),
    [
        ("How many wrecks occured at Skarvik?", "How many wrecks occurred at Skarvik?"),
        ("How many signnals has L-19 received?", "How many signals has L-19 received?"),
    ],
)
def test_a_letter_doubled_or_not(shown: Callable[[str], str], question: str, same: str) -> None:
    assert shown(question) == shown(same)


@pytest.mark.parametrize(
    "question",
    [
        "Which keepers have a lamp that is known to Tove?",
        "Which keepers have a lamp which is known by Tove?",
        "Which keepers have a lamp that Tove knows?",
    ],
)
def test_what_one_has_that_is_known_to_another(shown: Callable[[str], str], question: str) -> None:
    assert shown(question).startswith("MATCH (n1:Keeper)-[:KNOWS_LAMP]->(n0:Keeper) WHERE n1.name = 'Tove'")


def test_a_measure_of_what_a_day_with_a_comma_tells(shown: Callable[[str], str]) -> None:
    question = "Among the signals sent on September 3, 2021, what is the longest duration?"
    assert "max(" in shown(question)


RADIOS, HEARD = invented_graph("""
    Radio 40: callsign
    Call 60 unnamed: call_date, call_type
    (Call)-[CALLER 30]->(Radio), (Call)-[CALLED 30]->(Radio)

    Radio.callsign: OX1 | OX2
    Call.call_date: 14/08/2017
    Call.call_type: voice
""")


@pytest.mark.parametrize(
    ("question", "pattern"),
    [
        ("Which radios were called on 14 August 2017?", "(n1:`Call`)-[:`CALLED`]->(n0:`Radio`) WHERE"),
        (
            "Which radios received a call from a radio that was called on 14 August 2017?",
            "(n3:`Call`)-[:`CALLED`]->(n2) WHERE n3.",
        ),
    ],
)
def test_a_verb_in_the_name_of_the_day_says_the_relation_too(question: str, pattern: str) -> None:
    written = SemanticReader(RADIOS, ValueTable(HEARD)).read(question).written
    assert written is not None
    assert pattern in " ".join(written.text.split())


@pytest.mark.parametrize(
    ("question", "same"),
    [
        (
            "Broken down by rank, how many inspectors investigate fires?",
            "How many inspectors investigate fires per rank?",
        ),
        ("Grouped by maker, give me the number of lamps of Tove.", "How many lamps of Tove per maker?"),
        ("How many coves, split up by shore, saw a fire?", "How many coves saw a fire per shore?"),
        (
            "At how many coves, grouped by kind of wreck, did wrecks investigated by Sten occur?",
            "How many coves did wrecks investigated by Sten occur at, per kind of wreck?",
        ),
    ],
)
def test_what_a_count_is_broken_down_by_in_front_or_between(
    shown: Callable[[str], str], question: str, same: str
) -> None:
    assert shown(question) == shown(same)
    assert "count(DISTINCT n0) AS count" in shown(question)


@pytest.mark.parametrize(
    ("question", "same"),
    [
        (
            "Could you give me the number of lamps in the name of Tove, with the maker alongside?",
            "How many lamps in the name of Tove, grouped by maker?",
        ),
        (
            "Count of wrecks at Skarvik, with their kind beside it",
            "How many wrecks at Skarvik, grouped by kind?",
        ),
        ("Which coves, in particular, are located in Y4?", "Which coves are located in Y4?"),
        ("Which keepers, of course, know Tove?", "Which keepers know Tove?"),
    ],
)
def test_a_key_alongside_and_words_between_commas(
    shown: Callable[[str], str], question: str, same: str
) -> None:
    assert shown(question) == shown(same)
