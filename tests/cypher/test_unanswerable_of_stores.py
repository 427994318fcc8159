"""However a store's question comes to be unanswerable, three close ones are told that have an answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cypher.answers.asker import Asker
from cypher.answers.reading import Reading
from cypher.answers.verdicts import ReviewedAnswer, weighed
from cypher.near_questions import MOST
from cypher.store_close import general
from cypher.store_service import Looks, StoreQuestionService
from kg.adapters.neo4j_connection import connect
from kg.adapters.neo4j_introspection import infer_schema, read_values
from kg.adapters.neo4j_runner import Neo4jRunner
from kg.neo4j_server import Neo4jEndpoint
from kg.thesaurus_files import open_thesaurus
from schemas.questions import Answer, Outcome, Question
from schemas.store_schema import StoreSchema
from tests.cypher.test_store_empty import ISLANDS

PATHS = {
    "empty": "",
    "no words": " ?! ",
    "no question": "hello there",
    "nothing known": "Who owns zorgs?",
    "unknown word beside a name": "Which haunted ferries call at Visby?",
    "unknown property": "What is the depht of Hull?",
    "unknown tie": "Which sailors married Ann?",
    "counted back": "Which ferries called at Hull three years ago?",
    "statistic": "What is the median depth of the ports?",
    "things of any kind": "Which objects call at Visby?",
    "fragment": "and for Visby?",
}


class Store:
    """The service of a store as the asker knows it."""

    def __init__(self, service: StoreQuestionService, schema: StoreSchema) -> None:
        self.service, self.schema = service, schema

    def ask(self, question: Question) -> Answer:
        return self.service.ask(question)

    def read(self, text: str) -> Reading:
        return self.service.read(text)

    def examples(self) -> tuple[str, ...]:
        return general(self.schema)


@pytest.fixture(scope="module")
def store(neo4j_endpoint: Neo4jEndpoint, user_cache: Path) -> Iterator[Store]:
    found = neo4j_endpoint
    with (
        connect(found.uri, found.username, found.password, database=found.database) as opened,
        open_thesaurus(user_cache) as thesaurus,
    ):
        opened.write(ISLANDS)
        schema = infer_schema(opened)
        looks = Looks(30.0, telling=30.0)
        values = read_values(opened, schema)
        runner = Neo4jRunner(opened)
        yield Store(StoreQuestionService(schema, values, runner, looks=looks, thesaurus=thesaurus), schema)


def _has_three(answer: Answer, asker: Asker) -> None:
    assert answer.outcome is Outcome.UNANSWERABLE, (answer.outcome, answer.text)
    assert len(set(answer.suggestions)) == MOST, answer.suggestions
    for text in answer.suggestions:
        assert asker.ask(Question(text=text, timeout=60)).outcome is Outcome.ANSWERED, text


@pytest.mark.parametrize("path", PATHS)
def test_three_close_questions_are_told_and_answered(store: Store, path: str) -> None:
    asker = Asker(store)
    _has_three(asker.ask(Question(text=PATHS[path], timeout=60)), asker)


def test_an_answer_that_marks_hold_back_offers_others(store: Store) -> None:
    asked = Question(text="How many ports are there?", timeout=60)
    found = store.ask(asked)
    mark = ReviewedAnswer(
        number=1, question=asked.text, query=found.cypher, parameters=found.parameters, right=False
    )
    asker = Asker(store, weigh=lambda answer: weighed(answer, [mark]))
    answer = asker.ask(asked)
    _has_three(answer, asker)
    assert asked.text not in answer.suggestions


@pytest.mark.parametrize(("word", "name"), [("Visbny", "'Visby' (Port)"), ("Skarvven", "'Skarven' (Ferry)")])
def test_names_near_an_unknown_one_are_told(store: Store, word: str, name: str) -> None:
    answer = store.ask(Question(text=f"What is the haunted zorg of {word[:3]}qq{word[3:]}?", timeout=60))
    assert answer.outcome is Outcome.UNANSWERABLE
    assert f"Nearest names: {name}." in answer.text
