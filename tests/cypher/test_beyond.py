"""Questions that a store's reader must not answer with half of them, and ages told by years of birth."""

from __future__ import annotations

import pytest

from cypher.semantics.decide import Verdict, decide
from cypher.semantics.explain import explain
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Keeper 8: name, birthYear integer, joinedOn date
    Apiary 7: name, founded integer, county
    Colony 13: tag, frames integer, queenBorn integer
    Plant 6: name, blooms
    Fair 5: name, heldOn date
    (Keeper)-[TENDS 9: since integer]->(Apiary), (Colony)-[HOUSED_AT 13]->(Apiary)
    (Plant)-[GROWS_NEAR 11]->(Apiary), (Keeper)-[SOLD_AT 10: kilos integer]->(Fair)
    (Keeper)-[MENTORS 4]->(Keeper)

    Keeper.name: Ursula Brandt | Pavel Novak | Omar Haddad
    Apiary.name: Moor Edge | Old Quarry
    Colony.tag: Cobalt | Jasper
    Plant.name: heather | linden
    Fair.name: Honey Day | Spring Market
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.mark.parametrize(
    "question",
    [
        "Which plants grow near Moor Edge and which grow near Old Quarry?",
        "Who mentors Pavel Novak and who mentors Omar Haddad?",
        "Which apiaries were founded in the last 20 years?",
        "Which fairs were held three years ago?",
        "Which fairs were held last year?",
        "How many keepers joined this year?",
        "Which fairs were held in the past month?",
        "Who sold at a fair for the first time?",
        "Which fairs were held outside April 2024?",
        "Which keepers joined outside of 2023?",
        "How many frames does Cobalt have and when was its queen born?",
        "Who sold more than 30 kilos at one fair?",
    ],
)
def test_what_no_reading_says_is_not_answered(question: str) -> None:
    assert decide(READER.read(question), SCHEMA).verdict is not Verdict.ANSWER


@pytest.mark.parametrize("question", ["What is the salary of Pavel Novak?", "How tall is Ursula Brandt?"])
def test_nobody_is_asked_to_choose_between_readings_that_leave_a_word_out(question: str) -> None:
    decision = decide(READER.read(question), SCHEMA)
    assert decision.unexplained
    assert decision.verdict is Verdict.ABSTAIN


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which colony has the youngest queen?", "only where the colony's queen born is largest"),
        ("Which colony has the oldest queen?", "only where the colony's queen born is smallest"),
        ("Who is the youngest keeper?", "only where the keeper's birth year is largest"),
        ("Which plants grow near Moor Edge?", "Plant, where plant GROWS_NEAR apiary"),
    ],
)
def test_who_is_youngest_was_born_last(question: str, told: str) -> None:
    query = READER.read(question).query
    assert query is not None
    assert told in explain(query)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which apiaries were not founded in 1999?", "the apiary's founded is not 1999"),
        ("Which colonies have not more than 8 frames?", "it is not so that the colony's frames is above 8"),
    ],
)
def test_a_number_that_is_denied_is_not_outside(question: str, told: str) -> None:
    decision = decide(READER.read(question), SCHEMA)
    assert decision.verdict is Verdict.ANSWER
    assert told in decision.explanations[0]
