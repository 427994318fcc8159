"""Things that have all of something: none of it is left out, and there is some; else nothing is answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cypher.semantics.all_of import AllOf, is_all_of
from cypher.semantics.decide import Verdict, decide
from cypher.semantics.explain import explain
from cypher.semantics.ir import Edge, Filter, Node, Operator, PropertyRef, Query
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from cypher.store_service import Looks, StoreQuestionService
from kg.adapters.neo4j_connection import Connection, connect
from kg.adapters.neo4j_introspection import infer_schema, read_values
from kg.adapters.neo4j_runner import Neo4jRunner
from kg.neo4j_server import Neo4jEndpoint
from schemas.questions import Outcome, Question
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Town 6: name
    Ferry 5: name, colour, length float
    Pilot 9: name
    Port 8: name, depth integer
    (Ferry)-[CALLS_AT 30: since integer]->(Port), (Port)-[LOCATED_IN 8]->(Town)
    (Pilot)-[STEERED 20]->(Ferry), (Pilot)-[TRAINED 5]->(Pilot), (Pilot)-[LIVES_IN 9]->(Town)

    Town.name: Hull | Visby
    Ferry.name: Skarven | Gota
    Ferry.colour: red | blue
    Pilot.name: Ann Lee | Ben Vale
    Port.name: Old Quay | Mole
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))
EVERY_PORT = (
    "MATCH (n0:Ferry)-[:CALLS_AT]->(n1:Port) WHERE NOT EXISTS { MATCH (n2:Port) "
    "WHERE NOT EXISTS { MATCH (n0)-[:CALLS_AT]->(n2) } } RETURN DISTINCT n0.name AS name"
)


@pytest.mark.parametrize(
    "question",
    [
        "Which ferries call at all ports?",
        "Which ferries call at every port?",
        "Which ferries call at all of the ports?",
        "Which ferries call at every single port?",
        "List the ferries that call at all the ports.",
        "Show me all ferries that call at every port.",
    ],
)
def test_none_is_left_out(shown: Callable[[str], str], question: str) -> None:
    assert shown(question) == EVERY_PORT


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        (
            "Which pilots steered all red ferries?",
            "(n2:Ferry) WHERE n2.colour = 'red' AND NOT EXISTS { MATCH (n0)-[:STEERED]->(n2) }",
        ),
        (
            "Which ferries call at all ports located in Hull?",
            "(n3:Port)-[:LOCATED_IN]->(n4:Town) WHERE n4.name = 'Hull' AND NOT EXISTS { MATCH "
            "(n0)-[:CALLS_AT]->(n3) }",
        ),
        (
            "Which ports do all ferries call at?",
            "(n2:Ferry) WHERE NOT EXISTS { MATCH (n2)-[:CALLS_AT]->(n0) }",
        ),
        (
            "How many ferries call at all ports?",
            "RETURN count(DISTINCT n0) AS count",
        ),
        ("Are there pilots who steered all ferries?", "RETURN count(*) > 0 AS answer"),
    ],
)
def test_conditions_on_them_are_theirs(shown: Callable[[str], str], question: str, condition: str) -> None:
    text = shown(question)
    assert condition in text
    assert text.count("NOT EXISTS") == 2


@pytest.mark.parametrize(
    "question",
    [
        "Which pilots have not steered all ferries?",
        "Which pilots trained all pilots?",
        "Which pilots steered all of their ferries?",
        "Which pilots steered all ferries but Gota?",
        "Which ferries have called at all ports since 2010?",
        "Which towns have pilots who steered all ferries?",
        "Which ferries call at most of the ports?",
        "Which ferries call at half of the ports?",
        "Which ferries call at half the ports?",
        "Which ferries call at the majority of ports?",
        "Which ferries call at many ports?",
        "Which pilots steered everything?",
        "Which pilots steered a ferry together?",
    ],
)
def test_all_that_cannot_be_told_is_not_answered_with_some(question: str) -> None:
    assert decide(READER.read(question), SCHEMA).verdict is not Verdict.ANSWER


@pytest.mark.parametrize(
    "question",
    [
        "List all ferries.",
        "What are all the ports?",
        "Show all ports of Hull.",
        "Which ferries are blue, all told?",
        "How many ferries call at every port?",
    ],
)
def test_all_of_a_list_denies_nothing(question: str) -> None:
    reading = READER.read(question)
    assert reading.written is not None
    assert "NOT EXISTS" not in reading.written.text
    assert ("unheard_all", 1.0) not in reading.doubts


def test_it_is_explained_by_each_of_them() -> None:
    query = READER.read("Which pilots steered all red ferries?").query
    assert query is not None
    assert explain(query) == (
        "Pilot, where pilot STEERED ferry 1, the ferry 1's colour is 'red', "
        "for every ferry 2 where the ferry 2's colour is 'red': pilot STEERED ferry 2."
    )


def test_a_condition_between_is_not_guessed_to_be_theirs() -> None:
    nodes = (Node("Town"), Node("Pilot"), Node("Ferry"))
    query = Query(nodes, (Edge(1, 0, ("LIVES_IN",)), Edge(1, 2, ("STEERED",))))
    asked = AllOf("", frozenset({"Ferry"}), frozenset())
    assert asked.around(query) is not None
    assert AllOf("", frozenset({"Ferry"}), frozenset({"Pilot"})).around(query) is None
    named = Filter(PropertyRef(1, "name"), Operator.EQ, "Ann Lee")
    assert asked.around(Query(nodes, query.edges, (named,))) is None


LABELS = ("Town", "Ferry", "Pilot", "Port")


@given(
    parents=st.lists(st.integers(0, 3), min_size=1, max_size=4),
    labels=st.lists(st.sampled_from(LABELS), min_size=5, max_size=5),
    told=st.lists(st.integers(0, 4), max_size=2),
)
def test_the_reading_stays_and_what_is_denied_is_its_own(
    parents: list[int], labels: list[str], told: list[int]
) -> None:
    size = len(parents) + 1
    edges = tuple(Edge(min(p, i), i + 1, ("TIE",)) for i, p in enumerate(parents))
    filters = tuple(Filter(PropertyRef(n % size, "name"), Operator.EQ, "x") for n in told)
    query = Query(tuple(Node(x) for x in labels[:size]), edges, filters)
    found = AllOf("", frozenset({"Port"}), frozenset()).around(query)
    if found is None:
        return
    assert (found.edges, found.filters) == (query.edges, query.filters)
    assert found.nodes[:size] == query.nodes
    assert is_all_of(found.clauses[-1])
    assert found.inner == set(range(size, len(found.nodes)))
    part = found.clauses[-1].parts[0]
    ties = part.clauses[0].parts[0]
    ends = {n for e in (*part.edges, *ties.edges) for n in (e.start, e.end)}
    assert ends <= found.inner | {found.answer}
    assert len(part.edges) + len(ties.edges) <= len(edges)


FERRIES = """
CREATE (hull:Town {name: 'Hull'}), (visby:Town {name: 'Visby'}),
       (quay:Port {name: 'Old Quay'})-[:LOCATED_IN]->(hull), (mole:Port {name: 'Mole'})-[:LOCATED_IN]->(hull),
       (north:Port {name: 'North Pier'})-[:LOCATED_IN]->(visby),
       (a:Ferry {name: 'Skarven', colour: 'red'}), (b:Ferry {name: 'Gota', colour: 'red'}),
       (c:Ferry {name: 'Tern', colour: 'blue'}), (:Ferry {name: 'Laid Up', colour: 'blue'}),
       (a)-[:CALLS_AT]->(quay), (a)-[:CALLS_AT]->(mole), (a)-[:CALLS_AT]->(north),
       (b)-[:CALLS_AT]->(quay), (b)-[:CALLS_AT]->(mole), (c)-[:CALLS_AT]->(north),
       (ann:Pilot {name: 'Ann Lee'})-[:STEERED]->(a), (ann)-[:STEERED]->(b),
       (:Pilot {name: 'Ben Vale'})-[:STEERED]->(a)
"""


@pytest.fixture(scope="module")
def service(neo4j_endpoint: Neo4jEndpoint) -> Iterator[StoreQuestionService]:
    e = neo4j_endpoint
    with connect(e.uri, e.username, e.password, database=e.database) as connection:
        connection.write(FERRIES)
        yield _service(connection)


def _service(connection: Connection) -> StoreQuestionService:
    schema = infer_schema(connection)
    values = read_values(connection, schema)
    return StoreQuestionService(schema, values, Neo4jRunner(connection), looks=Looks(30.0, telling=30.0))


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which ferries call at all ports?", {("Skarven",)}),
        ("Which ferries call at all ports in Hull?", {("Skarven",), ("Gota",)}),
        ("Which pilots steered every red ferry?", {("Ann Lee",)}),
        ("How many pilots steered all red ferries?", {(1,)}),
    ],
)
def test_answers_of_a_real_graph(
    service: StoreQuestionService, question: str, rows: set[tuple[object, ...]]
) -> None:
    answer = service.ask(Question(text=question, timeout=60.0))
    assert (answer.outcome, set(answer.rows)) == (Outcome.ANSWERED, rows), answer.text


def test_where_nothing_has_all_of_them_that_is_the_answer(service: StoreQuestionService) -> None:
    answer = service.ask(Question(text="Which pilots steered all ferries?", timeout=60.0))
    assert (answer.outcome, answer.rows) == (Outcome.EMPTY_BUT_VALID, ()), answer
    assert "every ferry" in answer.explanation
