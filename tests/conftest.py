"""Fixtures of the whole suite: one managed Neo4j per worker, no network but loopback, a clean environment."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import neo4j
import pytest
from hypothesis import HealthCheck, settings

from kg.neo4j_server import ManagedNeo4j, Neo4jEndpoint
from kg.settings import read_environment

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
# Deterministic, and never a timed assertion: a busy machine must not fail a test.
settings.register_profile(
    "suite", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("suite")
LOOPBACK = ("127.", "::1", "localhost")


LONGEST = ("test_readme.py", "test_pages.py", "test_answers_against_sql.py", "test_killed_build.py")
"""Files that take more than a minute; begun last, one worker would end alone with them."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests on the managed Neo4j are marked; each worker has its own, and keeps files whole."""
    places = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path.name, len(places)))
    for item in items:
        if "neo4j_endpoint" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.neo4j)


@pytest.fixture(scope="session")
def user_cache() -> Path:
    """The per-user cache that `make setup` fills: jars and model files."""
    return read_environment(os.environ).cache


@pytest.fixture(scope="session")
def neo4j_endpoint(tmp_path_factory: pytest.TempPathFactory, user_cache: Path) -> Iterator[Neo4jEndpoint]:
    """The managed Neo4j of this worker."""
    server = ManagedNeo4j(tmp_path_factory.mktemp("neo4j"), cache=user_cache, jit="quick")
    endpoint = server.start()
    yield endpoint
    server.stop()


@pytest.fixture(scope="module", autouse=True)
def _empty_database(request: pytest.FixtureRequest) -> Iterator[None]:
    """A module that uses the shared database finds it empty and leaves it empty."""
    here = (i for i in request.session.items if getattr(i, "module", None) is request.module)
    if not any("neo4j_endpoint" in getattr(i, "fixturenames", ()) for i in here):
        yield
        return
    endpoint: Neo4jEndpoint = request.getfixturevalue("neo4j_endpoint")
    _wipe(endpoint)
    yield
    _wipe(endpoint)


def _wipe(endpoint: Neo4jEndpoint) -> None:
    with (
        neo4j.GraphDatabase.driver(
            endpoint.uri, auth=(endpoint.username, endpoint.password), notifications_min_severity="OFF"
        ) as driver,
        driver.session(database=endpoint.database) as session,
    ):
        session.run("MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS").consume()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The measuring data beside the checkout; tests that need it say so when it is absent."""
    if not SHARED.is_dir():
        pytest.skip("the measuring data (../shared/data) are not beside this checkout")
    return SHARED


@pytest.fixture
def ctrl_c_heard() -> Iterator[None]:
    """Ctrl-C is heard, also by programs that are started, where the suite runs in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(autouse=True)
def _only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """A real model or web call in a test is an error."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        host = address[0] if isinstance(address, tuple) else "127.0.0.1"
        if not str(host).startswith(LOOPBACK):
            raise AssertionError(f"a test wanted to reach {host}; only loopback is allowed")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the developer's own Neo4j or model settings reaches a test."""
    for name in (
        "NEO4J_URI",
        "NEO4J_USERNAME",
        "NEO4J_PASSWORD",
        "NEO4J_DATABASE",
        "KG_WORKSPACE",
        "KG_CHAT_API_KEY",
    ):
        monkeypatch.delenv(name, raising=False)
