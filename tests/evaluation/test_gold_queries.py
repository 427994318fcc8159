"""Gold queries take the way of every query, and a model is asked only where it is wanted."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cypher.evaluation.page import page
from cypher.evaluation.security import HOSTILE_CYPHER
from kg.adapters.scripted_chat_server import ScriptedChatServer, ScriptedReply
from kg.cli import app
from kg.evaluation import read_cases, run_evaluation
from kg.gold import GoldQueries
from kg.progress import SilentProgress
from kg.wiring import Platform, open_platform
from kg.workspace import Workspace
from schemas.errors import QueryRefusedError, SettingsError
from schemas.evaluation import EvaluationCase, EvaluationReport, Expectation

pytestmark = pytest.mark.neo4j
QUESTIONS = Path(__file__).parent / "worked_questions.jsonl"
OSCILLATION, ANGLE = read_cases(QUESTIONS)[:2]


@pytest.fixture(scope="module")
def gold(worked: Platform) -> GoldQueries:
    return GoldQueries(worked.runner, worked.store_schema(), timeout=10, embed=worked.embedder.encode)


def names(platform: Platform, ids: frozenset[str] | None) -> set[str]:
    assert ids is not None
    rows = platform.connection.read(
        "MATCH (n) WHERE elementId(n) IN $ids RETURN n.name AS name", {"ids": list(ids)}
    )
    return {row["name"] for row in rows}


@pytest.fixture
def listener() -> Iterator[tuple[str, list[str]]]:
    """An address on this machine that writes down what is asked of it."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/", asked
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) SET n.name = 'x' RETURN n",
        "MATCH (n RETURN n",
        "MATCH (o:Observable) RETURN o.embedding",
        "MATCH (w:Workspace) RETURN w.schema",
        "CALL dbms.listConfig() YIELD name RETURN name",
        "EXPLAIN MATCH (n) RETURN n",
        "MATCH (n) RETURN n; MATCH (m) RETURN m",
        *HOSTILE_CYPHER,
    ],
)
def test_a_gold_query_takes_the_way_of_every_query(gold: GoldQueries, text: str) -> None:
    with pytest.raises(QueryRefusedError):
        gold.rows(text, {})
    with pytest.raises(QueryRefusedError):
        gold.matched(text, {})


def test_a_gold_query_reaches_no_address(gold: GoldQueries, listener: tuple[str, list[str]]) -> None:
    address, asked = listener
    with pytest.raises(QueryRefusedError):
        gold.rows(f"LOAD CSV FROM '{address}' AS row RETURN row", {})
    assert asked == []


def test_what_no_query_may_reach_is_in_no_gold_row(gold: GoldQueries, worked: Platform) -> None:
    (hidden,) = worked.connection.read("MATCH (w:Workspace) RETURN elementId(w) AS id")
    everything = gold.matched("MATCH (n) RETURN n", {})
    assert everything
    assert hidden["id"] not in everything
    assert gold.rows("MATCH (n) WHERE elementId(n) = $id RETURN n.name", {"id": hidden["id"]}).rows == ()
    printed = "MATCH (n) WHERE n:!(Redirect|Workspace) RETURN n.name LIMIT 1001"
    assert gold.matched(printed, {}) == everything


def test_a_gold_query_with_too_many_rows_is_refused(gold: GoldQueries) -> None:
    with pytest.raises(QueryRefusedError, match="at most 1,000 rows"):
        gold.rows("UNWIND range(1, 1001) AS x RETURN x", {})
    assert len(gold.rows("UNWIND range(1, 1000) AS x RETURN x", {}).rows) == 1_000


def test_nodes_behind_a_query_are_those_of_every_branch(gold: GoldQueries, worked: Platform) -> None:
    found = gold.matched(
        "MATCH (p:Paper {name: '2001001'}) RETURN p.name AS name "
        "UNION MATCH (o:Observable) WITH o WHERE o.name = 'Delta m_s' RETURN o.name AS name",
        {},
    )
    assert names(worked, found) == {"2001001", "Delta m_s"}


def test_a_refused_gold_query_is_told_and_counts_nowhere(worked: Platform, tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    rows = (
        {
            "id": "vector",
            "question": "Which papers determine Delta m_s?",
            "group": "g",
            "cypher": "MATCH (o:Observable) RETURN o.embedding",
        },
        {
            "id": "turned",
            "question": "Which papers determine Delta m_s?",
            "group": "g",
            "cypher": "MATCH (o:Observable {name: 'Delta m_s'})-[:DETERMINES]->(p:Paper) RETURN p.name",
        },
    )
    file.write_text("".join(f"{json.dumps(r)}\n" for r in rows), "utf-8")
    found = run_evaluation(worked, read_cases(file), limit=100, timeout=10)
    refused, turned = found.results
    assert "no property embedding" in refused.gold_problem
    assert (refused.correct, refused.code, refused.gold_rows) == (False, None, ())
    assert turned.correct
    assert turned.psjs == 1.0
    assert [r.code for r in turned.gold_repairs] == ["SCH4"]
    assert (found.exact.hits, found.exact.trials) == (1, 1)
    assert (found.wrong.hits, found.groups["g"].trials, len(found.curve)) == (0, 1, 1)
    assert (found.gold_unusable.hits, found.gold_unusable.trials) == (1, 2)
    assert not found.codes
    shown = page(found, title="t")
    assert "not counted: " in shown
    assert "repaired: no DETERMINES leads from Observable to Paper" in shown


@pytest.fixture(scope="module")
def measured(worked: Platform) -> EvaluationReport:
    return run_evaluation(worked, read_cases(QUESTIONS), limit=100, timeout=10)


def test_no_model_is_asked_unless_it_is_wanted(measured: EvaluationReport) -> None:
    assert measured.without_model.value == 1.0
    assert (measured.model_calls, measured.model_tokens) == (0.0, 0.0)
    assert measured.benign_cypher_blocked.hits == measured.benign_blocked.hits == 0
    assert measured.benign_cypher_blocked.trials > 15
    assert measured.schema_valid_before.value == 1.0


def test_with_a_model_it_is_told_what_it_took(worked: Platform) -> None:
    declined = ScriptedReply('{"explanation": "no", "answerable": false, "query": ""}')
    path = worked.workspace.root / "kg.toml"
    plain = path.read_text("utf-8")
    with ScriptedChatServer(lambda _: declined) as model:
        chat = f'\n[chat]\nbase_url = "{model.base_url}"\nmodel = "scripted"\nmax_retries = 0\n'
        path.write_text(plain + chat, encoding="utf-8")
        try:
            workspace = Workspace(worked.workspace.root)
            with open_platform(workspace, SilentProgress(), environment=worked.environment) as platform:
                without = run_evaluation(platform, read_cases(QUESTIONS), limit=100, timeout=10)
                assert not model.requests
                found = run_evaluation(platform, read_cases(QUESTIONS), limit=100, timeout=10, use_llm=True)
                assert platform.question_log.rows() == ()
        finally:
            path.write_text(plain, encoding="utf-8")
    assert model.requests
    assert found.exact == without.exact
    assert found.model_calls is not None
    assert found.model_calls > 0
    assert found.model_tokens is not None
    assert found.model_tokens > found.model_calls
    used = [r.model_use for r in found.results if r.model_use is not None]
    assert used
    assert not any(u.decided for u in used)
    assert "chat model" in {t.stage for t in found.stages}
    assert "chat model" not in {t.stage for t in without.stages}


def test_a_model_that_is_wanted_must_be_there(worked: Platform) -> None:
    with pytest.raises(SettingsError, match=r"no \[chat\]"):
        run_evaluation(worked, read_cases(QUESTIONS), limit=100, timeout=10, use_llm=True)


def test_the_help_names_the_fields_and_says_whether_a_model_is_asked() -> None:
    said = CliRunner().invoke(app, ["eval", "cypher", "--help"], terminal_width=200).output
    words = set(re.findall(r"\w+", said))
    assert set(EvaluationCase.model_fields) <= words
    assert {v for e in Expectation for v in e.value.split()} <= words
    assert "No language model is asked, unless --llm" in " ".join(said.replace("│", " ").split())
