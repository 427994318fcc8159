"""Things called by their kind, what askers say of themselves, amounts, verbs of many senses (invented).

A kennel: animals are joined to their species, which people name instead of "animal".
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.decide import Verdict, decide
from cypher.semantics.reader import SemanticReader
from cypher.semantics.unheard import unheard
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Animal 80: name, colour, microchip, weightKg float
    Species 9: name
    Keeper 20: name, specialty, qualifiedYear integer, email
    Kennel 6: name, rooms integer
    Checkup 90: code, reason
    Remedy 20: name
    Town 9: name, population integer
    Round 5: name, lengthKm float
    (Kennel)-[LOCATED_IN 6]->(Town), (Round)-[PASSES_THROUGH 20]->(Town)
    (Animal)-[OF_SPECIES 80]->(Species), (Animal)-[HAD_CHECKUP 90]->(Checkup)
    (Checkup)-[SEEN_BY 90]->(Keeper), (Checkup)-[PRESCRIBED 70]->(Remedy), (Kennel)-[STOCKS 40]->(Remedy)
    (Keeper)-[WORKS_AT 20: hoursPerWeek integer]->(Kennel), (Checkup)-[AT_KENNEL 90]->(Kennel)

    Animal.name: Brindle | Velvet
    Animal.colour: ginger | black
    Species.name: Cat | Dog
    Keeper.name: Ilse Arvola
    Keeper.specialty: teeth | skin
    Kennel.name: Willowgate
    Remedy.name: Calmorel
    Town.name: Ostby
    Round.name: Quarry Loop
    Checkup.reason: limp | lost tooth
    Animal.microchip: lost | kept
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.mark.parametrize(
    ("question", "conditions"),
    [
        ("How many cats had a checkup?", ("-[:OF_SPECIES]->", "name = 'Cat'", "count(DISTINCT n0)")),
        ("Which dog is the heaviest?", ("-[:OF_SPECIES]->", "name = 'Dog'", "max(n0.weightKg)")),
        ("Name the ginger cats.", ("n0.colour = 'ginger'", "name = 'Cat'", "(n0:Animal)")),
    ],
)
def test_a_kind_stands_for_its_things(
    question: str, conditions: tuple[str, ...], shown: Callable[[str], str]
) -> None:
    assert all(x in shown(question) for x in conditions), shown(question)


@pytest.mark.parametrize(
    ("loosely", "plainly"),
    [
        ("Which of our kennels have 3 rooms?", "Which kennels have 3 rooms?"),
        ("Which keepers on our books work at Willowgate?", "Which keepers work at Willowgate?"),
        ("Which species have no animals registered with us?", "Which species have no animals?"),
        ("Which kennel has the most keepers on its staff?", "Which kennel has the most keepers?"),
        ("For which keepers do we have no email?", "Which keepers have no email?"),
        ("Which remedies are not stocked anywhere?", "Which remedies are not stocked?"),
    ],
)
def test_what_askers_say_of_themselves_asks_nothing(
    loosely: str, plainly: str, shown: Callable[[str], str]
) -> None:
    assert shown(loosely) == shown(plainly)


def test_amounts_are_added_up_and_not_told_apart(shown: Callable[[str], str]) -> None:
    assert "sum(r0.hoursPerWeek)" in shown("How many hours a week does Ilse Arvola do at Willowgate?")


def test_who_has_been_something_longest_has_been_so_since_the_first_year(shown: Callable[[str], str]) -> None:
    assert "min(n0.qualifiedYear)" in shown("Which keepers have been qualified the longest?")


def test_the_longest_by_a_running_time_is_no_first_day() -> None:
    schema, stored = invented_graph("""
        Film 90: title, running_time integer

        Film.title: Heron
    """)
    written = (
        SemanticReader(schema, ValueTable(stored)).read("Which film has the longest running time?").written
    )
    assert written is not None
    assert "max(n0.`running_time`)" in written.text or "DESC" in written.text


def test_more_than_another_thing(shown: Callable[[str], str]) -> None:
    query = shown("Which animals weigh more than Velvet?")
    assert "n0.weightKg > n1.weightKg" in query
    assert "n1.name = 'Velvet'" in query


@pytest.mark.parametrize(
    "question",
    ["Which kennels has Brindle been taken to?", "Which animals has Ilse Arvola given at Willowgate?"],
)
def test_a_verb_of_many_senses_is_not_tied_to_what_nobody_spoke_of(question: str) -> None:
    decision = decide(READER.read(question), SCHEMA)
    types = {t for e in decision.reading.candidates[0].query.edges for t in e.types}
    assert decision.verdict is not Verdict.ANSWER or "PRESCRIBED" not in types


def test_what_was_told_is_not_what_is_asked_for(shown: Callable[[str], str]) -> None:
    query = shown("Which keepers have the specialty teeth or skin?")
    assert "RETURN DISTINCT n0.name" in query


def test_a_town_that_keeps_its_population_is_asked_for_it(shown: Callable[[str], str]) -> None:
    assert "RETURN DISTINCT n0.population" in shown("How many people live in Ostby?")


@pytest.mark.parametrize(
    "question",
    [
        "Which black animals got lost?",
        "Which keepers saw both a dog and a cat?",
    ],
)
def test_what_a_reading_has_nothing_of_is_not_passed_over(question: str) -> None:
    decision = decide(READER.read(question), SCHEMA)
    query = decision.reading.candidates[0].query
    values = {f.value for f in query.filters}
    whole = "lost" in values or not {"black", ("Dog", "Cat"), 30} & values
    assert decision.verdict is not Verdict.ANSWER or whole


def test_whose_asks_for_owners() -> None:
    decision = decide(READER.read("Whose animals has Ilse Arvola seen?"), SCHEMA)
    query = decision.reading.candidates[0].query
    assert decision.verdict is not Verdict.ANSWER or query.nodes[query.answer].label != "Animal"


def test_a_common_noun_is_no_part_of_a_name(shown: Callable[[str], str]) -> None:
    assert "Quarry" not in shown("Which round goes through Ostby? Which is the longest round?")
    reading = READER.read("What is the longest loop?")
    assert not any(m.values for m in reading.linked.mentions)


@pytest.mark.parametrize(
    ("loosely", "plainly"),
    [
        ("Which rounds go through Ostby right now?", "Which rounds go through Ostby?"),
        (
            "How many rounds pass through each town, town by town?",
            "How many rounds pass through each town, per town?",
        ),
        ("Which animals are still black?", "Which animals are black?"),
    ],
)
def test_what_is_said_of_the_time_of_asking(loosely: str, plainly: str, shown: Callable[[str], str]) -> None:
    assert shown(loosely) == shown(plainly)


@pytest.mark.parametrize(
    "question",
    [
        "Which ginger animals zorbled and got lost?",
        "Which black parrots of the keepers got lost at Willowgate?",
        "Which keepers zorbled the most checkups?",
    ],
)
def test_the_doubts_are_those_of_the_reading_that_is_given(question: str) -> None:
    reading = READER.read(question)
    assert reading.query is not None
    unsaid = {name for name, x in unheard(reading.linked, reading.query).items() if x}
    assert unsaid <= {name for name, _ in reading.doubts}


def test_a_said_relation_is_not_reached_by_way_of_what_nobody_spoke_of() -> None:
    decision = decide(READER.read("How many different towns has Brindle been seen by?"), SCHEMA)
    types = {t for e in decision.reading.candidates[0].query.edges for t in e.types}
    assert decision.verdict is not Verdict.ANSWER or "SEEN_BY" not in types


def test_a_denial_of_nothing_is_no_reading() -> None:
    for candidate in READER.read("Which black animals have never zorbled?").candidates:
        assert "NOT ()" not in READER.write(candidate.query).text


def test_who_gets_a_newsletter_has_its_flag() -> None:
    schema, stored = invented_graph("""
        Customer 90: name, newsletter boolean

        Customer.name: Ilse
    """)
    reader = SemanticReader(schema, ValueTable(stored))
    for question in ("Which customers get the newsletter?", "Who is signed up for the newsletter?"):
        written = reader.read(question).written
        assert written is not None
        assert "n0.`newsletter` = $p0" in written.text
        assert written.parameters["p0"] is True
