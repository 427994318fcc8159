"""A store that takes connections and answers nothing: every caller is told so in the time that it allows."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from kg.progress import SilentProgress
from kg.settings import read_environment
from kg.wiring import Platform, open_platform

ASK = "/api/v1/questions"
QUESTION = "Which papers determine the B_s0 mass?"


class Wire:
    """A loopback address in front of a server, through which nothing goes while ``flows`` is not set."""

    def __init__(self, host: str, port: int) -> None:
        self.flows = threading.Event()
        self.flows.set()
        self._target = (host, port)
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        self._ends: list[socket.socket] = [self._server]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """End all connections."""
        self.flows.set()
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._server.accept()
                server = socket.create_connection(self._target)
                self._ends += [client, server]
                for a, b in ((client, server), (server, client)):
                    threading.Thread(target=self._pump, args=(a, b), daemon=True).start()

    def _pump(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                self.flows.wait()
                target.sendall(data)


@pytest.fixture
def wired(built: Platform) -> Iterator[tuple[Platform, Wire]]:
    """A platform whose Neo4j can be frozen."""
    known = built.environment
    host, _, port = known.neo4j_uri.partition("//")[2].partition(":")
    wire = Wire(host, int(port))
    environment = read_environment(
        {
            "NEO4J_URI": f"bolt://127.0.0.1:{wire.port}",
            "NEO4J_USERNAME": known.neo4j_username,
            "NEO4J_PASSWORD": known.neo4j_password,
            "NEO4J_DATABASE": known.neo4j_database,
        }
    )
    with open_platform(built.workspace, SilentProgress(), environment=environment) as platform:
        try:
            yield platform, wire
        finally:
            wire.close()


def test_a_frozen_store_is_told_in_time_and_is_used_again(wired: tuple[Platform, Wire], serve: Any) -> None:
    platform, wire = wired
    with serve(platform) as client:
        patient = {"question": QUESTION, "timeout": 60}
        assert client.post(ASK, json=patient, timeout=100).json()["outcome"] == "answered"
        wire.flows.clear()
        body = {"question": QUESTION, "timeout": 0.5}
        assert client.post(ASK, json=body, timeout=25).json()["outcome"] == "timeout"
        streamed = client.post(f"{ASK}/stream", json=body, timeout=25).text
        assert json.loads(streamed.rpartition("data: ")[2])["answer"]["outcome"] == "timeout"
        follow_up = {**body, "question": "and for B0?", "conversation": "abc"}
        assert client.post(ASK, json=follow_up, timeout=25).json()["outcome"] in {"timeout", "unanswerable"}
        query = client.post(
            "/api/v1/query", json={"cypher": "MATCH (p:Paper) RETURN p.name", "timeout": 0.5}, timeout=25
        )
        assert query.status_code == 504
        health = client.get("/health", timeout=25)
        assert health.status_code == 503
        assert "did not answer" in health.json()["store"]
        wire.flows.set()
        assert client.get("/health").json()["status"] == "ok"
        assert client.post(ASK, json=patient, timeout=100).json()["outcome"] == "answered"
