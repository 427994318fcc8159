"""The API over real HTTP: what it answers, how it refuses, and that many may ask at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, LiteralString
from urllib.parse import quote, unquote

import httpx
import pytest

from kg.progress import SilentProgress
from kg.wiring import Platform, open_platform

pytestmark = pytest.mark.neo4j

ASK = "/api/v1/questions"
QUESTION = "What is the B_s0 mean life?"


def problem(reply: httpx.Response, status: int, *words: str) -> None:
    """The reply is problem+json of this status whose detail has these words."""
    assert reply.status_code == status, reply.text
    assert reply.headers["content-type"] == "application/problem+json"
    body = reply.json()
    assert set(body) == {"type", "title", "status", "detail", "instance"}
    assert body["status"] == status
    assert unquote(body["instance"]) == unquote(reply.url.path)
    assert body["detail"]
    for word in words:
        assert word in body["detail"], body
    assert "Traceback" not in reply.text


def test_a_question_is_answered_with_its_sources(client: httpx.Client) -> None:
    reply = client.post(ASK, json={"question": QUESTION})
    assert reply.status_code == 200
    answer = reply.json()
    assert answer["outcome"] == "answered"
    assert 1.512 in {v for row in answer["rows"] for v in row}
    assert {c["document"] for c in answer["citations"]} == {"one/oscillation/main.tex"}
    assert "MATCH" in answer["cypher"]
    honest = client.post(ASK, json={"question": "Who won the match?"})
    assert honest.status_code == 200
    assert honest.json()["outcome"] == "unanswerable"
    assert honest.json()["rows"] == []
    assert honest.json()["suggestions"]


def test_the_examples_can_be_answered(client: httpx.Client) -> None:
    examples = client.get(f"{ASK}/examples").json()
    assert len(examples) >= 5
    for question in examples[:5]:
        outcome = client.post(ASK, json={"question": question}).json()["outcome"]
        assert outcome in {"answered", "empty_but_valid"}, question


def test_entities_and_redirected_ids(client: httpx.Client, built: Platform) -> None:
    graph = built.store.read_graph()
    shared = next(e for e in graph.entities if e.type == "decay" and len(e.records) > 1)
    found = client.get(f"/api/v1/entities/{quote(shared.id, safe='')}").json()
    assert found["id"] == shared.id
    assert {r["document"] for r in found["records"]} >= {"note.md", "one/oscillation/main.tex"}
    assert all(r["quote"] for r in found["records"])
    for redirect in graph.redirects:
        moved = client.get(f"/api/v1/entities/{quote(redirect.old, safe='')}").json()
        assert moved["id"] == redirect.new
        assert moved["redirected_from"] == redirect.old
    problem(client.get("/api/v1/entities/e-nothing"), 404, "no entity has the id 'e-nothing'")
    problem(client.get("/api/v1/entities/%00'%22%5C"), 404, "no entity")


def test_documents_by_keys_with_slashes(client: httpx.Client) -> None:
    for key in ("note.md", "one/note.md", "one/oscillation/main.tex"):
        document = client.get(f"/api/v1/documents/{key}")
        assert document.status_code == 200, document.text
        assert document.json()["id"] == key
        assert document.json()["sections"]
    assert client.get(f"/api/v1/documents/{quote('one/note.md', safe='')}").json()["id"] == "one/note.md"
    problem(client.get("/api/v1/documents/inspire:1"), 404, "no document has the key 'inspire:1'")


@pytest.mark.parametrize(
    ("cited", "names"),
    [
        ("doi", ("10.1007/JHEP04(2021)170", "doi:10.1007/JHEP04(2021)170", "10.1007/jhep04(2021)170")),
        ("arxiv", ("2011.12041", "arXiv:2011.12041")),
        ("inspire", ("1827842",)),
    ],
)
def test_documents_by_what_answers_cite(
    client: httpx.Client, built: Platform, cited: LiteralString, names: tuple[str, ...]
) -> None:
    write = built.connection.write
    write("MATCH (d:Document {id: 'note.md'}) SET d." + cited + " = $name", {"name": names[0]})
    try:
        for name in (*names, *(quote(n, safe="") for n in names)):
            found = client.get(f"/api/v1/documents/{name}")
            assert found.status_code == 200, found.text
            assert found.json()["id"] == "note.md"
        problem(client.get(f"/api/v1/documents/{names[0]}1"), 404, "no document has the key")
        problem(client.get("/api/v1/documents/doi:"), 404, "no document has the key 'doi:'")
    finally:
        write("MATCH (d:Document {id: 'note.md'}) SET d." + cited + " = ''")


def test_health_with_and_without_a_store(client: httpx.Client, built: Platform) -> None:
    healthy = client.get("/health")
    assert healthy.status_code == 200
    assert healthy.json()["status"] == healthy.json()["store"] == "ok"
    assert healthy.json()["graph_hash"] == built.graph_hash()


def test_without_a_store(client_without_store: httpx.Client) -> None:
    client = client_without_store
    ill = client.get("/health")
    assert ill.status_code == 503
    assert ill.json()["status"] == "degraded"
    assert "cannot be reached" in ill.json()["store"]
    problem(client.post(ASK, json={"question": QUESTION}), 503, "expected a running Neo4j")
    problem(client.get("/api/v1/entities/x"), 503, "start it")
    assert client.get("/").status_code == 200
    assert "of-no-use-here" not in ill.text


def test_it_finds_a_store_that_came_back(built: Platform) -> None:
    """A connection that was lost is made anew, at the address where the server is then."""
    with open_platform(built.workspace, SilentProgress(), environment=built.environment) as platform:
        first = platform.connection
        first.lost.set()
        assert platform.connection is not first
        assert platform.store.marker() == built.store.marker()


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ({"question": "x" * 2_001}, "2000"),
        ({"question": ""}, "at least 1 character"),
        ({"question": " \t"}, "pattern"),
        ({}, "question"),
        ({"question": 7}, "string"),
        ({"question": "mass?", "limit": 0}, "limit"),
        ({"question": "mass?", "timeout": 1e9}, "timeout"),
        ({"question": "mass?", "scope": "secret"}, "scope"),
        ({"question": "mass?", "cypher": "MATCH (n) DELETE n"}, "cypher"),
        ([], "body"),
    ],
)
def test_wrong_bodies(client: httpx.Client, body: Any, word: str) -> None:
    problem(client.post(ASK, json=body), 422, word)


def test_wrong_requests(client: httpx.Client) -> None:
    malformed = client.post(ASK, content=b"{bad", headers={"content-type": "application/json"})
    problem(malformed, 422, "JSON")
    not_utf8 = client.post(ASK, content=b'{"question": "\xff"}', headers={"content-type": "application/json"})
    assert not_utf8.status_code in {400, 422}
    assert not_utf8.headers["content-type"] == "application/problem+json"
    problem(client.get("/api/v2/nothing"), 404)
    wrong_method = client.put(ASK)
    problem(wrong_method, 405)
    assert "POST" in wrong_method.headers["allow"]


def test_a_body_that_is_too_large(client: httpx.Client) -> None:
    problem(client.post(ASK, json={"question": "x" * 2_000_000}), 413, "1000000 bytes")
    pieces = (b"x" * 65_536 for _ in range(40))
    headers = {"content-type": "application/json"}
    problem(client.post(ASK, content=pieces, headers=headers), 413, "1000000 bytes")


@pytest.mark.parametrize("path", [ASK, f"{ASK}/stream", "/api/v1/query", "/api/v1/query/check"])
@pytest.mark.parametrize("told", [True, False], ids=["with its length", "in pieces"])
def test_ten_megabytes_are_refused_however_they_are_sent(client: httpx.Client, path: str, told: bool) -> None:
    body = b'{"question": "' + b"Which papers? " * 750_000 + b'"}'
    assert len(body) > 10_000_000
    content = body if told else (body[i : i + 65_536] for i in range(0, len(body), 65_536))
    reply = client.post(path, content=content, headers={"content-type": "application/json"})
    problem(reply, 413, "1000000 bytes")
    assert client.post(ASK, json={"question": QUESTION}).json()["outcome"] == "answered"


def test_the_root_and_openapi(client: httpx.Client) -> None:
    root = client.get("/").json()
    assert client.get(root["openapi"]).status_code == client.get(root["health"]).status_code == 200
    assert client.get(root["examples"]).status_code == 200
    described = client.get("/openapi.json").json()
    assert described["openapi"].startswith("3.1")
    assert set(described["paths"]) == {
        "/",
        "/health",
        "/api/v1/queries",
        "/api/v1/query",
        "/api/v1/query/check",
        "/api/v1/questions",
        "/api/v1/questions/examples",
        "/api/v1/questions/stream",
        "/api/v1/questions/{number}",
        "/api/v1/questions/{number}/correct",
        "/api/v1/questions/{number}/mark",
        "/api/v1/entities/{entity_id}",
        "/api/v1/documents/{key}",
    }
    schemas = described["components"]["schemas"]
    text = str(described)
    for reference in {part.split("'")[0] for part in text.split("#/components/schemas/")[1:]}:
        assert reference in schemas
    ids = [op["operationId"] for path in described["paths"].values() for op in path.values()]
    assert len(set(ids)) == len(ids)


def test_twenty_first_requests_at_once(client_of_new_platform: httpx.Client) -> None:
    """Nothing is open yet when twenty requests come together; each service is opened once."""
    with ThreadPoolExecutor(20) as pool:
        replies = list(
            pool.map(lambda _: client_of_new_platform.post(ASK, json={"question": QUESTION}), range(20))
        )
    assert {r.status_code for r in replies} == {200}
    assert {r.json()["outcome"] for r in replies} == {"answered"}


def test_twenty_requests_at_once(client: httpx.Client, built: Platform) -> None:
    before = len(built.ledger.runs())

    def ask(number: int) -> httpx.Response:
        if number % 4 == 0:
            return client.get("/health")
        return client.post(ASK, json={"question": QUESTION})

    with ThreadPoolExecutor(20) as pool:
        replies = list(pool.map(ask, range(40)))
    assert {r.status_code for r in replies} == {200}
    assert len({str(r.json()["rows"]) for n, r in enumerate(replies) if n % 4}) == 1
    assert len(built.ledger.runs()) == before


@pytest.mark.parametrize(("host", "status"), [("evil.example", 421), ("localhost", 200), ("[::1]:80", 200)])
def test_a_server_on_loopback_answers_to_no_name_of_others(
    client: httpx.Client, host: str, status: int
) -> None:
    reply = client.get("/openapi.json", headers={"host": host})
    assert reply.status_code == status
    if status != 200:
        assert "api.hosts" in reply.json()["detail"]
