"""The API over a small graph, served by uvicorn on a free loopback port."""

from __future__ import annotations

import logging
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import httpx
import pytest
import uvicorn

from api.app import create_app
from kg.adapters.neo4j_connection import connect
from kg.adapters.neo4j_store import Neo4jStore
from kg.build import build
from kg.neo4j_process import free_ports
from kg.neo4j_server import Neo4jEndpoint
from kg.progress import SilentProgress
from kg.settings import Environment, read_environment
from kg.wiring import Platform, open_platform
from kg.workspace import Workspace

ROOT = Path(__file__).resolve().parents[2]
NOTE = (
    "# Mass\n\nThe mass of the $B_s^0$ meson is measured to be 5366.9 ± 0.3 MeV "
    "with $B_s^0 \\to J/\\psi \\phi$.\n"
)


@contextmanager
def served(platform: Platform) -> Iterator[httpx.Client]:
    """A client of a running server; at the end the server has stopped by itself within 10 s."""
    port = free_ports(1)[0]
    config = uvicorn.Config(create_app(platform), host="127.0.0.1", port=port, log_config=None)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server ended at its start"
        time.sleep(0.02)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join(10)
    assert not thread.is_alive(), "the server did not stop"


def _environment(e: Neo4jEndpoint) -> Environment:
    names = {"NEO4J_URI": e.uri, "NEO4J_USERNAME": e.username, "NEO4J_PASSWORD": e.password}
    return read_environment({**names, "NEO4J_DATABASE": e.database})


@pytest.fixture(scope="module")
def built(neo4j_endpoint: Neo4jEndpoint, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    """A platform whose small graph is in the database."""
    folder = tmp_path_factory.mktemp("api")
    shutil.copytree(ROOT / "examples" / "oscillation", folder / "corpus" / "one" / "oscillation")
    for name in ("note.md", "one/note.md"):
        (folder / "corpus" / name).write_text(NOTE + name, encoding="utf-8")
    workspace = Workspace.create(folder / "ws", schema="particle_physics")
    settings = workspace.root / "kg.toml"
    fast = settings.read_text("utf-8").replace("rules = true\n", "rules = true\nworkers = 1\n")
    settings.write_text(fast + '\n[embedder]\nprefer = "tfidf"\n', encoding="utf-8")
    e = neo4j_endpoint
    with connect(e.uri, e.username, e.password, database=e.database) as connection:
        left = Neo4jStore(connection, workspace="any").marker()
        if left is not None:
            Neo4jStore(connection, workspace=left.id).wipe()
    with open_platform(workspace, SilentProgress(), environment=_environment(e)) as platform:
        build(platform, [str(folder / "corpus")])
    with open_platform(workspace, SilentProgress(), environment=_environment(e)) as platform:
        yield platform
        platform.store.wipe()


@pytest.fixture
def client(built: Platform, caplog: pytest.LogCaptureFixture) -> Iterator[httpx.Client]:
    """A client of the served graph; neither a reply nor a log line may hold the password."""
    secret = built.environment.neo4j_password
    seen: list[str] = []
    with caplog.at_level(logging.DEBUG), served(built) as opened:
        opened.event_hooks["response"] = [lambda reply: seen.append(reply.read().decode())]
        yield opened
    assert len(secret) > 8
    assert not any(secret in text for text in (*seen, caplog.text))


@pytest.fixture
def client_without_store(built: Platform) -> Iterator[httpx.Client]:
    """The same workspace, whose Neo4j cannot be reached."""
    names = {"NEO4J_URI": "bolt://127.0.0.1:1", "NEO4J_PASSWORD": "of-no-use-here"}
    environment = read_environment(names)
    with (
        open_platform(built.workspace, SilentProgress(), environment=environment) as platform,
        served(platform) as opened,
    ):
        yield opened


@pytest.fixture
def client_of_new_platform(built: Platform) -> Iterator[httpx.Client]:
    """A server whose platform has opened nothing yet."""
    with (
        open_platform(built.workspace, SilentProgress(), environment=built.environment) as platform,
        served(platform) as opened,
    ):
        yield opened


@pytest.fixture
def serve() -> Callable[[Platform], AbstractContextManager[httpx.Client]]:
    """Serves a platform for as long as a with block lasts."""
    return served
