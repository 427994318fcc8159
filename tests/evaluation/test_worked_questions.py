"""Two questions that need a whole chain of the graph, with the nodes that the right query passes."""

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
from schemas.errors import QueryRefusedError, ReadError, SettingsError, UsageError
from schemas.evaluation import EvaluationCase, EvaluationReport, Expectation, FailureCode
from schemas.questions import Outcome

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


def test_dominant_uncertainties_come_first(gold: GoldQueries) -> None:
    result = gold.rows(OSCILLATION.cypher, OSCILLATION.parameters)
    assert result.columns == ("source", "ranking", "decays", "papers")
    assert [(r[0], r[1]) for r in result.rows] == [
        ("length scale", 1.5),
        ("decay time resolution", 2.0),
        ("background model", 4.0),
    ]
    assert result.rows[2][2:] == (("B_s0 -> D_s- pi+",), ("2001002",))


def test_the_chain_of_the_oscillation_frequency(gold: GoldQueries, worked: Platform) -> None:
    ids = gold.matched(OSCILLATION.cypher, OSCILLATION.parameters)
    assert names(worked, ids) == {
        "2001001",
        "2001002",
        "Delta m_s",
        "B_s0 -> D_s- pi+",
        "B_s0 -> D_s- pi+ pi+ pi-",
        "length scale",
        "decay time resolution",
        "background model",
    }


def test_the_chain_of_the_angle(gold: GoldQueries, worked: Platform) -> None:
    (row,) = gold.rows(ANGLE.cypher, ANGLE.parameters).rows
    assert row == (
        "CKM angle gamma",
        ("B+ -> D0 K+",),
        ("2001003",),
        ("strong phase input", "background model"),
    )
    ids = gold.matched(ANGLE.cypher, ANGLE.parameters)
    assert names(worked, ids) == {
        "2001003",
        "CKM angle gamma",
        "B+ -> D0 K+",
        "strong phase input",
        "background model",
    }


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


def test_the_service_never_gives_a_wrong_answer_to_a_worked_question(measured: EvaluationReport) -> None:
    worked_two = measured.results[:2]
    assert all(r.correct or r.outcome in {Outcome.UNANSWERABLE, Outcome.AMBIGUOUS} for r in worked_two)
    assert all(r.psjs is not None for r in worked_two)


def test_right_and_wrong_are_told_apart(measured: EvaluationReport) -> None:
    by_id = {r.case.id: r for r in measured.results}
    assert by_id["who"].correct
    assert by_id["who"].row_count == 2
    assert (by_id["wrong"].correct, by_id["wrong"].code) == (False, FailureCode.PAT2)
    assert by_id["citing"].correct
    assert by_id["hostile"].correct
    assert measured.codes[FailureCode.PAT2] == 1
    assert measured.groups["beside"].trials == 4
    assert measured.schema_valid.value == measured.executable.value == 1.0
    assert measured.hostile_passed.value == measured.hostile_cypher_passed.value == 0.0
    assert measured.abstention_recall.value == 1.0
    assert {t.stage for t in measured.stages} >= {"run", "explain", "all"}


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


def test_the_page_shows_failures_and_stands_alone(measured: EvaluationReport) -> None:
    text = page(measured, title="Worked <questions>")
    assert "How many papers determine Delta m_s?" in text
    assert "something else is returned" in text
    assert "<svg" in text
    assert "prefers-color-scheme:dark" in text
    assert "Worked &lt;questions&gt;" in text
    assert not any(mark in text for mark in ("<script", "http://", "https://", "src="))


def test_the_same_report_comes_back_from_json(measured: EvaluationReport) -> None:
    assert EvaluationReport.model_validate_json(measured.model_dump_json()) == measured


def test_a_bad_file_is_told_by_its_line(tmp_path: Path) -> None:
    file = tmp_path / "q.jsonl"
    file.write_text('{"id": "1", "question": "Which?", "rows": []}\n{"id": "2"}\n', "utf-8")
    with pytest.raises(ReadError, match=r"q\.jsonl.*2"):
        read_cases(file)
    file.write_text("\n", "utf-8")
    with pytest.raises(UsageError, match="no question"):
        read_cases(file)
    file.write_text('{"id": "1", "question": "Which?", "rows": []}\n' * 2, "utf-8")
    with pytest.raises(UsageError, match="id 1"):
        read_cases(file)
