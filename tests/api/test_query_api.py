"""An analyst's own Cypher over HTTP and on the command line: the same gate, with messages that help."""

from __future__ import annotations

import json

import httpx
import pytest
from typer.testing import CliRunner

from kg.cli import app
from kg.query import examine, plan, run_query
from kg.wiring import Platform
from schemas.errors import QueryRefusedError, QueryTimeoutError
from schemas.questions import QueryRequest, Scope

pytestmark = pytest.mark.neo4j
QUERY = "/api/v1/query"


def test_a_query_returns_rows_and_what_was_run(client: httpx.Client) -> None:
    body = {"cypher": "match (o:Observable) where o.name contains $part return o.name limit 3"}
    reply = client.post(QUERY, json={**body, "parameters": {"part": "mass"}})
    assert reply.status_code == 200, reply.text
    result = reply.json()
    assert result["columns"] == ["o.name"]
    assert 0 < len(result["rows"]) <= 3
    assert all("mass" in row[0] for row in result["rows"])
    assert result["cypher"].startswith("MATCH (o:Observable) WHERE o.name CONTAINS $part RETURN o.name")


def test_repairs_are_told(client: httpx.Client) -> None:
    reply = client.post(QUERY, json={"cypher": "MATCH (o:Observables) RETURN count(*) AS n"})
    assert reply.status_code == 200, reply.text
    assert reply.json()["repairs"][0]["code"] == "SCH1"
    assert "(o:Observable)" in reply.json()["cypher"]


@pytest.mark.parametrize(
    ("cypher", "word"),
    [
        ("MATCH (n) DETACH DELETE n", "only reads"),
        ("CALL dbms.listConfig()", "may not be called"),
        ("MATCH (n:Workspace) RETURN n", "no label Workspace"),
        ("MATCH (n:Entity) RETURN n.embedding", "no property embedding"),
        ("MATCH (n RETURN n", "not closed"),
    ],
)
def test_what_may_not_run_is_refused_with_a_reason(client: httpx.Client, cypher: str, word: str) -> None:
    for path in (QUERY, QUERY + "/check"):
        reply = client.post(path, json={"cypher": cypher})
        assert reply.status_code == (422 if path == QUERY else 200)
        assert word in reply.text


def test_what_the_server_cannot_finish_is_the_queries_fault(client: httpx.Client) -> None:
    reply = client.post(
        QUERY, json={"cypher": "MATCH (n) RETURN 1 / (size(labels(n)) - size(labels(n))) AS x"}
    )
    assert reply.status_code == 422
    assert "/ by zero" in reply.json()["detail"]


@pytest.mark.parametrize(
    "cypher",
    [
        "MATCH (o:Observable) WHERE date(o.name) IS NULL RETURN count(*) AS n",
        "MATCH (o:Observable)-[*1..2]-(p) WHERE date(o.name) IS NULL RETURN p.name AS n",
    ],
)
def test_a_failure_in_a_scope_quotes_nothing_that_was_read(client: httpx.Client, cypher: str) -> None:
    told = client.post(QUERY, json={"cypher": cypher})
    assert told.status_code == 422
    assert "cannot be parsed to a Date" in told.json()["detail"]
    scoped = client.post(QUERY, json={"cypher": cypher, "scope": "published"})
    assert scoped.status_code in {200, 422}, scoped.text  # the server may look at the scope first
    assert "parsed" not in scoped.text
    if scoped.status_code == 422:
        detail = scoped.json()["detail"]
        assert detail.startswith("Neo.ClientError.Statement.SyntaxError: the server cannot read the query")


@pytest.mark.parametrize(
    "value",
    [
        "99999999999999999999999",
        "[1, -99999999999999999999]",
        "NaN",
        "[Infinity]",
        '"\\ud800"',
        '["a\\udfff"]',
    ],
)
def test_values_that_the_server_cannot_hold_are_refused(client: httpx.Client, value: str) -> None:
    body = f'{{"cypher": "UNWIND $y AS x RETURN x", "parameters": {{"y": {value}}}}}'
    for path in (QUERY, QUERY + "/check"):
        reply = client.post(path, content=body, headers={"Content-Type": "application/json"})
        assert reply.status_code == 422, reply.text
        assert "in parameter y" in reply.json()["detail"]


def test_an_invalid_name_of_half_a_character_is_told_in_a_reply_that_can_be_read(
    client: httpx.Client,
) -> None:
    body = r'{"cypher": "UNWIND $y AS x RETURN x", "parameters": {"y": "a", "\ud800": {}}}'
    for path in (QUERY, QUERY + "/check"):
        reply = client.post(path, content=body, headers={"Content-Type": "application/json"})
        assert reply.status_code == 422, reply.text
        assert "parameters.\ufffd" in reply.json()["detail"]


def test_rows_are_cut_at_the_limit(client: httpx.Client) -> None:
    result = client.post(QUERY, json={"cypher": "MATCH (n) RETURN n.id AS id", "limit": 2}).json()
    assert len(result["rows"]) == 2
    assert result["truncated"] is True


def test_embeddings_do_not_leave_the_store(client: httpx.Client) -> None:
    result = client.post(QUERY, json={"cypher": "MATCH (n:Entity) RETURN n {.*} AS m, keys(n) AS k"}).json()
    assert result["rows"]
    assert all("embedding" not in json.dumps(row) for row in result["rows"])


@pytest.mark.parametrize(
    "cypher",
    [
        "MATCH (d:Document)<-[:FROM]-(r:Record)-[:REFERS_TO]->(e:Entity) RETURN d.title, e.name",
        "MATCH (d:Document)-[:HAS_SECTION]->(s)-[:HAS_CHUNK]->(c:Chunk) RETURN c.text",
        "MATCH p = (a:Entity)-[*1..3]-(b:Entity) RETURN length(p) AS n, [x IN nodes(p) | x.name] AS names",
        "MATCH (a:Entity) ((x)-[r]->(y)){1,2} (b:Entity) RETURN count(*) AS n",
        "MATCH (e:Entity) RETURN e.name AS n, COUNT { (e)--() } AS c, [(e)--(x) | x.id] AS ids",
        "MATCH (a:Entity), (b:Paper), p = shortestPath((a)-[*..4]-(b)) WHERE a <> b RETURN length(p) AS n",
        "MATCH (a:Paper) RETURN a.name AS n UNION MATCH (b:Observable) RETURN b.name AS n",
        "MATCH (a:Paper) WITH a, count { (a)-->() } AS c WHERE c > 0 RETURN a {.name, c} AS m ORDER BY m.c",
    ],
)
@pytest.mark.parametrize("scope", list(Scope))
def test_the_server_plans_what_the_gate_prints(built: Platform, cypher: str, scope: Scope) -> None:
    request = QueryRequest(cypher=cypher, scope=scope)
    report = examine(built, request)
    assert report.query is not None, report.findings
    assert plan(built, report.query)[1] == ""
    result = run_query(built, request)
    assert ("status IN $scope" in result.cypher) == (scope is not Scope.ALL)


def test_reading_ends_when_nobody_waits(built: Platform) -> None:
    request = QueryRequest(cypher="MATCH (n) RETURN n.id AS id")
    with pytest.raises(QueryTimeoutError, match="nobody waits"):
        run_query(built, request, stopped=lambda: True)


def test_a_refusal_names_all_findings(built: Platform) -> None:
    with pytest.raises(QueryRefusedError) as caught:
        run_query(built, QueryRequest(cypher="MATCH (n:Nonsense) RETURN q.x AS a, n.xyzzy AS b"))
    assert {f.code for f in caught.value.findings} >= {"SCH1", "SEM1"}


def test_the_command_line_shows_everything(built: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = built.environment
    monkeypatch.setenv("NEO4J_URI", environment.neo4j_uri)
    monkeypatch.setenv("NEO4J_USERNAME", environment.neo4j_username)
    monkeypatch.setenv("NEO4J_PASSWORD", environment.neo4j_password)
    monkeypatch.setenv("NEO4J_DATABASE", environment.neo4j_database)
    monkeypatch.setenv("KG_WORKSPACE", str(built.workspace.root))
    run = CliRunner()
    good = run.invoke(app, ["cypher", "check", "MATCH (o:Observables) WHERE o.name = 'x' RETURN o.name"])
    assert good.exit_code == 0, good.output
    for word in ("changed", "runs", '$p0 = "x"', "plan     a read"):
        assert word in good.output
    bad = run.invoke(app, ["cypher", "check", "--json", "MATCH (o:Observable) RETURN o.xyzzy"])
    assert bad.exit_code == 1
    assert json.loads(bad.stdout)["findings"][0]["code"] == "SCH3"
    for command in (["query"], ["cypher", "check"]):
        large = run.invoke(app, [*command, "RETURN $x AS x", "-p", "x=99999999999999999999999"])
        assert large.exit_code != 0
        assert "64 bits" in str(large.exception)
    rows = run.invoke(
        app,
        ["query", "MATCH (o:Observable) WHERE o.name CONTAINS $x RETURN o.name", "-p", "x=mass", "--json"],
    )
    assert rows.exit_code == 0, rows.output
    assert json.loads(rows.stdout)["rows"]


def test_a_query_compares_nodes_with_a_text(client: httpx.Client) -> None:
    cypher = "MATCH (o:Observable) RETURN o.name AS name, similarity(o, $t) AS s ORDER BY s DESC LIMIT 2"
    reply = client.post(QUERY, json={"cypher": cypher, "parameters": {"t": "lifetime"}})
    assert reply.status_code == 200, reply.text
    scores = [row[1] for row in reply.json()["rows"]]
    assert len(scores) == 2
    assert scores == sorted(scores, reverse=True)
    assert all(-1.0001 <= s <= 1.0001 for s in scores)
    assert not any(name.startswith("__") for name in reply.json()["parameters"])


def test_what_was_matched_is_told_when_asked_for(client: httpx.Client) -> None:
    cypher = "MATCH (p:Paper)-[:DETERMINES]->(o:Observable) RETURN count(*) AS n"
    plain = client.post(QUERY, json={"cypher": cypher}).json()
    assert plain["provenance"] is None
    assert plain["approximate"] is False
    told = client.post(QUERY, json={"cypher": cypher, "provenance": True}).json()
    assert told["rows"] == plain["rows"]
    found = told["provenance"]
    assert len(found["edges"]) == plain["rows"][0][0] > 0
    assert all(m["id"] and m["element"] for m in (*found["nodes"], *found["edges"]))


def test_a_near_name_is_read_as_the_stored_one(built: Platform) -> None:
    name = run_query(built, QueryRequest(cypher="MATCH (o:Observable) RETURN o.name LIMIT 1")).rows[0][0]
    assert isinstance(name, str)
    asked = QueryRequest(cypher="MATCH (o:Observable {name: $x}) RETURN o.name", parameters={"x": name})
    assert run_query(built, asked).rows == ((name,),)
    near = QueryRequest(
        cypher=f"MATCH (o:Observable {{name: '{name.upper()} '}}) RETURN o.name".replace("\\", "\\\\")
    )
    result = run_query(built, near)
    assert [r.code for r in result.repairs] in ([], ["VAL1"])
    assert result.rows == (((name,),) if result.repairs else ())


@pytest.mark.parametrize(
    "odd", [{"limit": True}, {"limit": "5"}, {"timeout": "1"}, {"timeout": True}, {"provenance": "yes"}]
)
@pytest.mark.parametrize("path", [QUERY, f"{QUERY}/check"])
def test_limits_of_another_type_are_refused(client: httpx.Client, path: str, odd: dict[str, object]) -> None:
    reply = client.post(path, json={"cypher": "RETURN 1 AS x", **odd})
    assert reply.status_code == 422
    assert next(iter(odd)) in reply.json()["detail"]
    assert client.post(path, json={"cypher": "RETURN 1 AS x", "timeout": 5}).status_code == 200


def test_every_query_is_kept_with_what_became_of_it(built: Platform, client: httpx.Client) -> None:
    good = "MATCH (p:Paper) RETURN p.name AS name LIMIT 1"
    assert client.post(QUERY, json={"cypher": good, "scope": "all"}).status_code == 200
    assert client.post(QUERY, json={"cypher": "MATCH (p:Paper) WHERE p.name = 'none' RETURN p.name AS n"})
    assert client.post(QUERY, json={"cypher": "MATCH (n) DELETE n"}).status_code == 422
    assert client.post(QUERY, json={"cypher": "UNWIND [0] AS x RETURN 1 / x AS y"}).status_code == 422
    with pytest.raises(QueryTimeoutError):
        run_query(built, QueryRequest(cypher="MATCH (n) RETURN n.id AS id"), stopped=lambda: True)
    late, failed, refused, empty, answered = client.get("/api/v1/queries", params={"limit": 5}).json()
    outcomes = [row["outcome"] for row in (late, failed, refused, empty, answered)]
    assert outcomes == ["timeout", "failed", "refused", "empty_but_valid", "answered"]
    assert (answered["query"], answered["rows"], answered["why"]) == (good, 1, "")
    assert answered["sent"].startswith("MATCH (p:Paper)")
    assert len(answered["plan_hash"]) == len(answered["query_hash"]) == 32
    assert answered["schema_fingerprint"] == built.workspace.schema.fingerprint
    assert (refused["sent"], refused["plan_hash"]) == ("", "")
    assert refused["why"]
    assert "by zero" in failed["why"]
    only = client.get("/api/v1/queries", params={"outcome": "refused", "limit": 1}).json()
    assert only == [refused]
