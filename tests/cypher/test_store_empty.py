"""A store's question that fits and matches nothing: which condition leaves nothing is told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from cypher.semantics.ir import Edge, Filter, Node, Operator, PropertyRef, Query
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from cypher.semantics.write import Written
from cypher.store_empty import why_empty, without_each
from cypher.store_service import Looks, StoreQuestionService
from kg.adapters.neo4j_connection import Connection, connect
from kg.adapters.neo4j_introspection import infer_schema, read_values
from kg.adapters.neo4j_runner import Neo4jRunner
from kg.neo4j_server import Neo4jEndpoint
from kg.thesaurus_files import open_thesaurus
from schemas.questions import Outcome, Question
from tests.cypher.small_schemas import invented_graph

ISLANDS = """
CREATE (:Wreck {name: 'Vasa', charted: true}),
       (:Wreck {name: 'Mars', age: 400})-[:NEAR]->(:Reef {name: 'Kopparn'}),
       (hull:Port {name: 'Hull', depth: 12}), (visby:Port {name: 'Visby', depth: 7}),
       (ann:Sailor {name: 'Ann', age: 40}), (ben:Sailor {name: 'Ben', age: 30}),
       (ann)-[:LIVES_IN]->(hull), (ben)-[:LIVES_IN]->(visby),
       (skarven:Ferry {name: 'Skarven', length: 80})-[:CALLS_AT]->(hull),
       (ann)-[:STEERS]->(skarven)
"""


@pytest.fixture(scope="module")
def connection(neo4j_endpoint: Neo4jEndpoint) -> Iterator[Connection]:
    found = neo4j_endpoint
    with connect(found.uri, found.username, found.password, database=found.database) as opened:
        opened.write(ISLANDS)
        yield opened


@pytest.fixture(scope="module")
def service(connection: Connection) -> StoreQuestionService:
    schema = infer_schema(connection)
    values = read_values(connection, schema)
    return StoreQuestionService(schema, values, Neo4jRunner(connection), looks=Looks(30.0, telling=30.0))


def asked(text: str) -> Question:
    """With time enough on a busy machine."""
    return Question(text=text, timeout=60.0)


def test_things_of_any_kind_that_nothing_matches_are_no_empty_answer(
    connection: Connection, user_cache: Path
) -> None:
    schema = infer_schema(connection)
    with open_thesaurus(user_cache) as thesaurus:
        service = StoreQuestionService(
            schema,
            read_values(connection, schema),
            Neo4jRunner(connection),
            looks=Looks(30.0, telling=30.0),
            thesaurus=thesaurus,
        )
        answer = service.ask(asked("Which objects call at Visby?"))
    assert (answer.outcome, answer.rows) == (Outcome.UNANSWERABLE, ())
    assert "'objects' is read as Ferry" in answer.text


LACKS = "Without one of these conditions there would be results: "


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("Which ferries call at Visby?", LACKS + "the port's name is 'Visby'."),
        ("Which ports have a depth of more than 20?", LACKS + "the port's depth is above 20."),
        ("Which sailors that live in Hull are younger than 30?", LACKS + "the sailor's age is below 30."),
        (
            "Which sailor named Ann lives in Visby?",
            LACKS + "the sailor's name is 'Ann'; the port's name is 'Visby'.",
        ),
        ("Which sailors have steered at least two ferries?", LACKS + "with count of ferry >= 2."),
        (
            "Which sailors do not live in any port?",
            LACKS + "it is not so that sailor LIVES_IN port.",
        ),
        (
            "What is the average age of sailors who live in Hull and are younger than 20?",
            LACKS + "the sailor's age is below 20.",
        ),
        (
            "Which sailors older than 50 live in Visby and steer a ferry?",
            "Nothing matches with any one of the conditions left out either.",
        ),
    ],
)
def test_it_is_told_which_condition_leaves_nothing(
    service: StoreQuestionService, question: str, why: str
) -> None:
    answer = service.ask(asked(question))
    assert answer.outcome is Outcome.EMPTY_BUT_VALID, answer.text
    assert answer.text == f"The question fits the graph, but nothing in it matches. {why}"
    assert 0.3 < answer.confidence < 0.9
    assert answer.cypher
    assert answer.explanation


def test_what_matches_and_is_not_known_is_not_said_to_match_nothing(service: StoreQuestionService) -> None:
    average = service.ask(asked("What is the average age of the wreck Vasa?"))
    assert (average.outcome, average.rows) == (Outcome.ANSWERED, ((None,),))
    assert average.text == "The graph does not say."
    oldest = service.ask(asked("Which wreck named Vasa has the largest age?"))
    assert (oldest.outcome, oldest.rows) == (Outcome.EMPTY_BUT_VALID, ())
    assert oldest.text == "Something in the graph matches, but what is asked of it is not known."


def test_where_there_are_too_few_that_is_said(service: StoreQuestionService) -> None:
    second = service.ask(asked("Which ferry has the second largest length?"))
    assert (second.outcome, second.rows) == (Outcome.EMPTY_BUT_VALID, ())
    assert second.text == "Of what matches fewer than 2 have a known value."


def test_a_flag_that_is_nowhere_false_is_not_set_where_it_is_missing(service: StoreQuestionService) -> None:
    answer = service.ask(asked("Which wrecks are not charted?"))
    assert (answer.outcome, answer.rows) == (Outcome.ANSWERED, (("Mars",),)), answer.text
    note = "No Wreck has charted as false, so it was taken as not so where it is missing."
    assert answer.assumptions == (note,)
    assert service.ask(asked("How many wrecks are not charted?")).rows == ((1,),)
    assert note not in service.ask(asked("Which wrecks are charted?")).assumptions


def test_nothing_is_looked_up_when_the_time_is_over(connection: Connection) -> None:
    schema = infer_schema(connection)
    looks = Looks(30.0, telling=0.0)
    service = StoreQuestionService(
        schema, read_values(connection, schema), Neo4jRunner(connection), looks=looks
    )
    answer = service.ask(asked("Which ferries call at Visby?"))
    unlooked = "Which condition leaves nothing was not looked at."
    assert answer.text == f"The question fits the graph, but nothing in it matches. {unlooked}"
    assert service.ask(asked("Who owns zorgs?")).suggestions == ()


def test_a_count_of_none_says_why(service: StoreQuestionService) -> None:
    answer = service.ask(asked("How many ferries call at Visby?"))
    assert (answer.outcome, answer.rows) == (Outcome.ANSWERED, ((0,),))
    assert answer.text == f"0. {LACKS}the port's name is 'Visby'."


def test_a_relationship_that_the_graph_has_nowhere_is_told(
    connection: Connection, service: StoreQuestionService
) -> None:
    connection.write("MATCH (s)-[r:STEERS]->(f) DELETE r CREATE (s)-[:STEERED]->(f)")
    try:
        answer = service.ask(asked("Which sailors steer a ferry?"))
        assert answer.outcome is Outcome.EMPTY_BUT_VALID, answer.text
        assert answer.text.endswith("The graph has no sailor STEERS ferry.")
    finally:
        connection.write("MATCH (s)-[r:STEERED]->(f) DELETE r CREATE (s)-[:STEERS]->(f)")


def test_what_is_not_looked_at_in_time_is_said_to_be_so() -> None:
    schema, stored = invented_graph("Port: name, depth integer")
    query = Query((Node("Port"),), filters=(Filter(PropertyRef(0, "depth"), Operator.GT, 20),))
    reader = SemanticReader(schema, ValueTable(stored))
    unlooked = "What leaving out its condition finds was not looked at."
    assert why_empty(query, reader, Told(None), seconds=9.0) == unlooked
    assert why_empty(query, reader, Told(True), seconds=0.0) == unlooked
    assert why_empty(query, reader, Told(True), seconds=9.0) == f"{LACKS}the port's depth is above 20."
    assert why_empty(query, reader, Told(False), seconds=9.0) == "The graph has no Port."


def test_what_is_denied_is_one_condition() -> None:
    nodes = (Node("Sailor"), Node("Port"), Node("Ferry"))
    edges = (Edge(0, 2, ("STEERS",)), Edge(0, 1, ("LIVES_IN",), negated=True))
    query = Query(nodes, edges, (Filter(PropertyRef(1, "name"), Operator.EQ, "Hull"),))
    [(text, without)] = without_each(query)
    assert text == "no sailor LIVES_IN port"
    assert (without.edges, without.filters, without.inner) == (edges[:1], (), frozenset({1}))


@dataclass(frozen=True)
class Told:
    """A probe with one answer to everything."""

    held: bool | None

    def has_rows(self, written: Written, *, timeout: float) -> bool | None:  # noqa: ARG002
        return self.held
