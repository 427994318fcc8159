"""A store that could not be reached is looked for anew by the next question."""

from __future__ import annotations

import getpass
from pathlib import Path

import pytest
import typer.testing

from kg.adapters.neo4j_connection import connect
from kg.cli import app
from kg.neo4j_server import Neo4jEndpoint
from kg.progress import SilentProgress
from kg.user_name import user_name
from kg.wiring import open_platform
from kg.workspace import Workspace
from schemas.errors import StoreUnavailableError

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
