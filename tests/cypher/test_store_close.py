"""Where a store's question is not answered, near ones are told that are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from cypher.store_close import close_questions, drafts
from cypher.store_service import Looks, StoreQuestionService
from kg.adapters.neo4j_connection import connect
from kg.adapters.neo4j_introspection import infer_schema, read_values
from kg.adapters.neo4j_runner import Neo4jRunner
from kg.neo4j_server import Neo4jEndpoint
from schemas.questions import Outcome
from tests.cypher.small_schemas import invented_graph
from tests.cypher.test_store_answers import SCHEMA, STORED
from tests.cypher.test_store_empty import ISLANDS, Told, asked

READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.fixture(scope="module")
def service(neo4j_endpoint: Neo4jEndpoint) -> Iterator[StoreQuestionService]:
    found = neo4j_endpoint
    with connect(found.uri, found.username, found.password, database=found.database) as opened:
        opened.write(ISLANDS)
        schema = infer_schema(opened)
        yield StoreQuestionService(
            schema, read_values(opened, schema), Neo4jRunner(opened), looks=Looks(30.0, telling=30.0)
        )


@pytest.mark.parametrize(
    ("question", "close"),
    [
        (
            "Which sailors married Ann?",
            (
                "List the ports that Ann lives in.",
                "List the ferries that Ann steers.",
                "What is the age of Ann?",
            ),
        ),
        (
            "What is the depht of Hull?",
            ("What is the depth of Hull?", "Which ferries call at Hull?", "Which sailors live in Hull?"),
        ),
        (
            "Which haunted ferries call at Visby?",
            ("Which sailors live in Visby?", "What is the depth of Visby?", "How many ferries are there?"),
        ),
    ],
)
def test_close_questions_have_answers(
    service: StoreQuestionService, question: str, close: tuple[str, ...]
) -> None:
    answer = service.ask(asked(question))
    assert (answer.outcome, answer.suggestions) == (Outcome.UNANSWERABLE, close)
    for text in close:
        assert service.ask(asked(text)).outcome is Outcome.ANSWERED
    assert ("Nearest in the schema: Port.depth." in answer.text) == ("depht" in question)


def test_of_what_names_nothing_all_kinds_are_counted(service: StoreQuestionService) -> None:
    close = service.ask(asked("Who owns zorgs?")).suggestions
    assert set(close) == {f"How many {x} are there?" for x in ("ports", "sailors", "wrecks")}
    assert "How many ports are there?" not in drafted("How many ports are there?")


def test_nothing_is_said_that_is_not_known_in_time() -> None:
    texts = drafted("Who owns zorgs?")
    assert close_questions(texts, SCHEMA, READER, Told(None), seconds=9.0) == ()
    assert close_questions(texts, SCHEMA, READER, Told(False), seconds=9.0) == ()
    assert close_questions(texts, SCHEMA, READER, Told(True), seconds=0.0) == ()
    near = ("How many ferries are there?", "How many harbours are there?", "Which ferries are there?")
    assert close_questions(texts, SCHEMA, READER, Told(True), seconds=60.0) == near


def drafted(text: str) -> list[str]:
    return list(drafts(READER.link(text), SCHEMA))


def test_what_is_said_comes_first() -> None:
    asked = "Which ferries does zorg call at Ekholm?"
    assert drafted(asked)[0] == "Which ferries call at Ekholm?"
    assert drafted("Zorg length of Skarven")[0] == "What is the length of Skarven?"


SAID, KEPT = invented_graph("""
    Sailor: name, city, retired boolean
    Port: name
    (Sailor)-[BORN_IN 20]->(Port), (Sailor)-[HIRED_BY 9]->(Port)

    Sailor.name: Ann Moor
    Sailor.city: Oslo
    Port.name: Ekholm
""")


def test_near_questions_are_in_plain_english() -> None:
    reader = SemanticReader(SAID, ValueTable(KEPT))
    ports = list(drafts(reader.link("zorg of Ekholm"), SAID))
    assert {"Which sailors were born in Ekholm?", "Which sailors are hired by Ekholm?"} <= set(ports)
    assert "List the ports that Ann Moor was born in." in drafts(reader.link("zorg of Ann Moor"), SAID)
    assert "Is Ann Moor retired?" in drafts(reader.link("zorg of Ann Moor"), SAID)
    assert not any("Oslo" in text for text in drafts(reader.link("zorg of Oslo"), SAID))
