"""What a chat model is told of a query that fails while it runs holds nothing that the graph holds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from cypher.generation.bank import SimilarExamples
from cypher.generation.citing import NoCitations
from cypher.generation.failures import finding_of
from cypher.generation.guard_gate import GuardGate
from cypher.generation.helper import LlmHelper, Services
from cypher.generation.ports import Hints
from cypher.generation.settings import LlmQuerySettings
from cypher.generation.terms import Subject
from cypher.guard import check_plan
from kg.adapters.neo4j_connection import Connection, connect
from kg.adapters.neo4j_introspection import infer_schema
from kg.adapters.neo4j_runner import Neo4jRunner
from kg.neo4j_server import Neo4jEndpoint
from schemas.errors import QueryFailedError, QueryRefusedError, QueryTimeoutError
from schemas.questions import Answer, CheckedQuery, Outcome, Question, Subgraph
from tests.cypher.test_llm_queries import Model

ASKED = "phone of the doctor?"
PHONE = "+49 170 5550001"
FAILED = Answer(outcome=Outcome.UNANSWERABLE, question=ASKED, text="'phone' is not known.")
RUN = "MATCH (d:Doctor) RETURN {} AS phone"


@pytest.fixture(scope="module")
def surgery(neo4j_endpoint: Neo4jEndpoint) -> Iterator[Connection]:
    e = neo4j_endpoint
    with connect(e.uri, e.username, e.password, database=e.database) as connection:
        connection.write("CREATE (:Doctor {name: 'Ida Falk', phone: $phone, beds: 3})", {"phone": PHONE})
        yield connection


class Unknown:
    def hints(self, question: Question) -> Hints:  # noqa: ARG002
        return Hints()


def told(connection: Connection, query: str) -> tuple[str, str]:
    """What the model hears of its query in the repair prompt, and what is kept with the answer."""
    chat = Model(
        lambda _s, _r: json.dumps(
            {"explanation": "x", "answerable": True, "readings": [], "query": query, "parameters": []}
        )
    )
    schema, runner = infer_schema(connection), Neo4jRunner(connection)

    def run(query: CheckedQuery) -> Subgraph:
        check_plan(runner.explain(query))
        return runner.run(query)

    services = Services(
        chat=chat,
        gate=GuardGate(lambda: schema),
        run=run,
        source=Unknown(),
        cites=NoCitations(),
        bank=SimilarExamples(()),
    )
    settings = LlmQuerySettings().model_copy(update={"samples": 1, "agree": 1, "rounds": 1})
    answer = LlmHelper(services, Subject.of_store(schema), settings).help(Question(text=ASKED), FAILED)
    first, repair = chat.asked
    assert PHONE not in first.messages[-1].content
    assert answer.model_use is not None
    return repair.messages[-1].content, answer.model_use.note


@pytest.mark.parametrize(
    "asked",
    [
        "date(d.phone)",
        "datetime(d.phone)",
        "time(d.phone)",
        "duration(d.phone)",
        "point({x: d.beds, y: d.beds, crs: d.phone})",
        "date.truncate(d.phone, date())",
        "duration.between(d.phone, date())",
        "[1, 2][d.phone]",
        "1 / (d.beds - d.beds)",
    ],
)
def test_a_failed_run_tells_no_stored_value(surgery: Connection, asked: str) -> None:
    for text in told(surgery, RUN.format(asked)):
        assert re.search(r"Neo\.\w+\.\w+\.\w+: \w+", text)
        assert "5550001" not in text
        assert "170" not in text


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (QueryTimeoutError(f"{PHONE} ran out"), "EXE2: the query takes too long"),
        (QueryRefusedError("of one step the server expects 1e12 rows"), "SEM1: of one step"),
        (QueryFailedError(PHONE), "SEM1: the server could not run the query"),
        (QueryFailedError(PHONE, code=PHONE), "SEM1: the server could not run the query"),
        (
            QueryFailedError(PHONE, code="Neo.ClientError.Statement.TypeError"),
            "SEM1: Neo.ClientError.Statement.TypeError: a value is of another type",
        ),
        (
            QueryFailedError(PHONE, code="Neo.TransientError.General.MemoryPoolOutOfMemoryError"),
            "needs too much memory",
        ),
        (QueryFailedError(PHONE, code="Neo.DatabaseError.General.UnknownError"), "could not run the query"),
    ],
)
def test_each_kind_of_failure_has_its_sentence(
    error: QueryTimeoutError | QueryRefusedError | QueryFailedError, said: str
) -> None:
    found = finding_of(error)
    assert said in f"{found.code}: {found.message}"
    assert PHONE not in found.message
