"""A store that could not be reached is looked for anew by the next question."""

from __future__ import annotations

import getpass
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import typer.testing

from cypher.answers.events import AnswerEvent, DoneEvent, QueryEvent
from kg.adapters.neo4j_connection import Connection, connect
from kg.cli import app
from kg.neo4j_server import Neo4jEndpoint
from kg.progress import SilentProgress
from kg.store_services import StoreServices
from kg.user_name import user_name
from kg.wiring import open_platform
from kg.workspace import Workspace
from schemas.errors import StoreUnavailableError
from schemas.questions import Answer, Outcome, Question
from schemas.waiting import never
from tests.wire import ended

pytestmark = pytest.mark.neo4j


def test_a_connection_knows_that_it_was_lost(neo4j_endpoint: Neo4jEndpoint) -> None:
    e = neo4j_endpoint
    with connect(e.uri, e.username, e.password, database=e.database) as connection:
        assert connection.read("RETURN 1 AS n") == [{"n": 1}]
        assert not connection.lost.is_set()
        connection.driver.close()
        with pytest.raises(StoreUnavailableError):
            connection.read("RETURN 1 AS n")
        assert connection.lost.is_set()


def test_the_next_question_connects_anew(
    neo4j_endpoint: Neo4jEndpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_URI", neo4j_endpoint.uri)
    monkeypatch.setenv("NEO4J_USERNAME", neo4j_endpoint.username)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_endpoint.password)
    workspace = Workspace.create(tmp_path / "ws", schema="particle_physics")
    with open_platform(workspace, SilentProgress()) as platform:
        first, runner = platform.connection, platform.runner
        assert platform.connection is first
        first.lost.set()
        assert platform.connection is not first
        assert platform.runner is not runner
        assert platform.connection.read("RETURN 1 AS n") == [{"n": 1}]


class ReadsTwice:
    """An asker that reads, thinks, and reads again on the connection that it was made for."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def events(
        self, question: Question, *, before: str = "", gone: Callable[[], bool] = never
    ) -> Iterator[AnswerEvent]:
        del before, gone
        self._connection.read("RETURN 1 AS n")
        yield QueryEvent(outcome=Outcome.ANSWERED, cypher="RETURN 1", parameters={})
        [row] = self._connection.read("RETURN 2 AS n")
        answer = Answer(
            outcome=Outcome.ANSWERED, question=question.text, text="2.", rows=((row["n"],),), columns=("n",)
        )
        yield DoneEvent(answer=answer)


def test_a_question_keeps_its_connection_while_another_finds_it_lost(
    neo4j_endpoint: Neo4jEndpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_URI", neo4j_endpoint.uri)
    monkeypatch.setenv("NEO4J_USERNAME", neo4j_endpoint.username)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_endpoint.password)
    monkeypatch.setattr(StoreServices, "asker", property(lambda services: ReadsTwice(services.connection)))
    workspace = Workspace.create(tmp_path / "ws", schema="particle_physics")
    with open_platform(workspace, SilentProgress()) as platform:
        events = platform.asking.events(Question(text="Which papers?"))
        assert isinstance(next(events), QueryEvent)
        first = platform.connection
        first.lost.set()
        assert platform.connection is not first
        settled()
        done = next(events)
        assert isinstance(done, DoneEvent)
        assert (done.answer.outcome, done.answer.rows) == (Outcome.ANSWERED, ((2,),))
        assert list(events) == []
        settled()
        with pytest.raises(StoreUnavailableError):
            first.read("RETURN 1 AS n")


def settled() -> None:
    """Waits for the threads that connect and close."""
    for thread in threading.enumerate():
        if thread.name == "kg-connect":
            ended(thread)


def test_a_user_without_a_name_has_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown() -> str:
        raise KeyError("uid not found")

    monkeypatch.setattr(getpass, "getuser", unknown)
    assert user_name().startswith("uid ")


def test_a_number_that_no_list_has_is_wrong_usage(tmp_path: Path) -> None:
    root = Workspace.create(tmp_path / "ws", schema="particle_physics").root
    done = typer.testing.CliRunner().invoke(app, ["questions", "-w", str(root), "--limit", "9" * 19])
    assert done.exit_code == 2
    assert not isinstance(done.exception, OverflowError)
