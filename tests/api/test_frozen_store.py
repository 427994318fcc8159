"""A store that takes connections and answers nothing: every caller is told so in the time that it allows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from kg.adapters import neo4j_connection
from kg.progress import SilentProgress
from kg.settings import read_environment
from kg.wiring import Platform, open_platform
from tests.wire import Wire

ASK = "/api/v1/questions"
QUESTION = "Which papers determine the B_s0 mass?"


@pytest.fixture
def wired(built: Platform, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Platform, Wire]]:
    """A platform whose Neo4j can be frozen."""
    monkeypatch.setattr(neo4j_connection, "RETRY_SECONDS", 0.5)
    known = built.environment
    host, _, port = known.neo4j_uri.partition("//")[2].partition(":")
    with Wire(host, int(port)) as wire:
        environment = read_environment(
            {
                "NEO4J_URI": f"bolt://127.0.0.1:{wire.port}",
                "NEO4J_USERNAME": known.neo4j_username,
                "NEO4J_PASSWORD": known.neo4j_password,
                "NEO4J_DATABASE": known.neo4j_database,
            }
        )
        with open_platform(built.workspace, SilentProgress(), environment=environment) as platform:
            yield platform, wire


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
        told = (query.text, streamed, client.post(ASK, json=body, timeout=25).text)
        assert not [t for t in told if "bolt://" in t or "127.0.0.1" in t or "Retry" in t]
        health = client.get("/health", timeout=25)
        assert health.status_code == 503
        assert "did not answer" in health.json()["store"]
        assert "127.0.0.1" not in health.text
        wire.flows.set()
        assert client.get("/health").json()["status"] == "ok"
        assert client.post(ASK, json=patient, timeout=100).json()["outcome"] == "answered"
