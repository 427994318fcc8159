"""Analysts' queries in the ledger: kept with their outcome as the settings say, and bounded."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from fastapi import HTTPException
from typer.testing import CliRunner

from api.busy import Busy
from kg.cli import app
from kg.ledger import Ledger
from kg.progress import SilentProgress
from kg.query import run_query
from kg.query_log import (
    LONGEST_PARAMETERS,
    LONGEST_QUERY,
    LONGEST_SENT,
    LONGEST_VALUE,
    LONGEST_WHY,
    EndedQuery,
    QueryLog,
)
from kg.question_log import QuestionLog
from kg.question_settings import QuestionSettings
from kg.wiring import Platform, open_platform
from kg.workspace import Workspace
from schemas.errors import QueryTimeoutError, SchemaError, WorkspaceError
from schemas.questions import Answer, Outcome, PlanSummary, QueryRequest, Question, Scope

SECRET = "MATCH (p:Paper) WHERE p.name = 'secret' RETURN p.name"
PLAN = PlanSummary(query_type="r", operators=("ProduceResults", "NodeByLabelScan"))


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "ledger.db") as opened:
        yield opened


def request(cypher: str = SECRET) -> QueryRequest:
    return QueryRequest(cypher=cypher, parameters={"x": ("a", 1)}, scope=Scope.VETTED)


def test_a_query_is_kept_with_what_became_of_it(ledger: Ledger) -> None:
    log = QueryLog(ledger)
    sent = "MATCH (p:Paper) WHERE p.name = $p0 RETURN p.name AS `p.name` LIMIT 101"
    log.add(request(), EndedQuery(outcome=Outcome.REFUSED, why="no such label", schema_fingerprint="f"))
    ended = EndedQuery(outcome=Outcome.ANSWERED, sent=sent, plan=PLAN, rows=2, seconds=0.5)
    assert log.add(request(), ended) == 2
    answered, refused = log.rows()
    assert (answered.query, answered.sent, answered.parameters) == (SECRET, sent, {"x": ("a", 1)})
    assert (answered.scope, answered.rows, answered.seconds) == (Scope.VETTED, 2, 0.5)
    assert len(answered.query_hash) == len(answered.plan_hash) == 32
    assert (refused.outcome, refused.why, refused.schema_fingerprint) == (
        Outcome.REFUSED,
        "no such label",
        "f",
    )
    assert (refused.sent, refused.query_hash, refused.plan_hash) == ("", "", "")
    assert log.rows(outcome=Outcome.REFUSED) == (refused,)


def test_another_plan_of_the_same_query_has_another_hash(ledger: Ledger) -> None:
    log = QueryLog(ledger)
    by_index = PLAN.model_copy(update={"operators": ("ProduceResults", "NodeIndexSeek")})
    for plan in (PLAN, by_index, PLAN):
        log.add(request(), EndedQuery(outcome=Outcome.ANSWERED, sent="MATCH", plan=plan))
    last, other, first = log.rows()
    assert last.plan_hash == first.plan_hash != other.plan_hash
    assert last.query_hash == other.query_hash


@pytest.mark.parametrize("record", ["outcome", "off"])
def test_without_leave_no_word_of_a_query_is_kept(ledger: Ledger, tmp_path: Path, record: str) -> None:
    log = QueryLog(ledger, QuestionSettings.model_validate({"record": record}))
    ended = EndedQuery(outcome=Outcome.FAILED, sent=SECRET, why="secret")
    assert bool(log.add(request(), ended)) == (record == "outcome")
    everything = "\n".join(sqlite3.connect(tmp_path / "ledger.db").iterdump())
    assert "secret" not in everything
    assert [r.outcome for r in log.rows()] == ([Outcome.FAILED] if record == "outcome" else [])


def test_the_latest_queries_are_kept_and_half_characters_told(ledger: Ledger) -> None:
    log = QueryLog(ledger, QuestionSettings(keep=3))
    for n in range(5):
        half = {"a\ud800": "\udc00"} if n == 4 else {}
        log.add(
            QueryRequest(cypher=f"RETURN {n} \ud800", parameters=half), EndedQuery(outcome=Outcome.REFUSED)
        )
    kept = log.rows()
    assert [r.query for r in kept] == [f"RETURN {n} \\ud800" for n in (4, 3, 2)]
    assert kept[0].parameters == {"a\\ud800": "\\udc00"}
    assert kept[0].number == 5


def test_what_is_too_long_is_cut_and_said_to_be(ledger: Ledger) -> None:
    log = QueryLog(ledger)
    given = {"name": "a" * 50_000, "ids": tuple(range(9_000)), **{f"n{i}": "x" for i in range(5_000)}}
    long = QueryRequest(cypher="RETURN " + "1" * LONGEST_QUERY, parameters=given)
    log.add(request(), EndedQuery(outcome=Outcome.ANSWERED, sent="MATCH"))
    log.add(long, EndedQuery(outcome=Outcome.ANSWERED, sent="m" * 3 * LONGEST_SENT, why="w" * 2_000))
    kept, whole = log.rows()
    assert kept.cut == ("parameters", "query", "sent", "why")
    assert (len(kept.query), len(kept.sent), len(kept.why)) == (LONGEST_QUERY, LONGEST_SENT, LONGEST_WHY)
    [(held,)] = ledger.execute("SELECT length(parameters) FROM queries WHERE id = 2")
    assert held <= LONGEST_PARAMETERS
    assert list(kept.parameters)[:3] == ["name", "ids", "n0"]
    assert (kept.parameters["name"], kept.parameters["n0"]) == ("a" * LONGEST_VALUE, "x")
    ids = kept.parameters["ids"]
    assert isinstance(ids, tuple)
    assert 50 < len(ids) < LONGEST_VALUE
    assert ids == tuple(range(len(ids)))
    assert (whole.cut, whole.parameters) == ((), {"x": ("a", 1)})


def test_where_nothing_is_recorded_no_refusal_is_counted(ledger: Ledger) -> None:
    for record, days in (("off", 0), ("outcome", 1)):
        log = QueryLog(ledger, QuestionSettings.model_validate({"record": record}))
        log.busy("look")
        assert len(log.busy_days()) == days


def test_a_schema_that_cannot_be_read_hides_no_failure_of_a_query(caplog: pytest.LogCaptureFixture) -> None:
    class Unread:
        @property
        def schema(self) -> object:
            raise SchemaError("no such schema")

    def refused() -> None:
        raise QueryTimeoutError("too late")

    platform = SimpleNamespace(workspace=Unread(), store_schema=refused)
    with pytest.raises(QueryTimeoutError, match="too late"):
        run_query(cast(Platform, platform), QueryRequest(cypher="RETURN 1"))
    assert "a query was not kept: no such schema" in caplog.text


def test_an_older_ledger_gets_the_column_of_what_was_cut(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    with Ledger(path) as ledger:
        QueryLog(ledger).add(request(), EndedQuery(outcome=Outcome.ANSWERED))
        ledger.execute("ALTER TABLE queries DROP COLUMN cut")
    with Ledger(path) as ledger:
        assert [r.cut for r in QueryLog(ledger).rows()] == [()]


def test_an_older_ledger_gets_the_tables(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    with Ledger(path) as ledger:
        ledger.execute("DROP TABLE queries")
        ledger.execute("DROP TABLE busy")
    with Ledger(path) as ledger:
        assert (QueryLog(ledger).rows(), QueryLog(ledger).busy_days()) == ((), ())
        assert QueryLog(ledger).add(request(), EndedQuery(outcome=Outcome.ANSWERED)) == 1


def test_who_is_told_that_the_server_is_busy_is_counted(
    ledger: Ledger, caplog: pytest.LogCaptureFixture
) -> None:
    log = QueryLog(ledger)

    async def told(busy: Busy) -> int:
        async with busy.turn():
            with pytest.raises(HTTPException) as refused:
                await busy.enter()
        return refused.value.status_code

    assert asyncio.run(told(Busy(concurrent=1, wait=0.01, what="look", count=log.busy))) == 429
    assert asyncio.run(told(Busy(concurrent=1, wait=0.01, what="look", count=log.busy))) == 429
    assert asyncio.run(told(Busy(concurrent=1, wait=0.01, count=log.busy))) == 429
    assert [(d.what, d.times) for d in log.busy_days()] == [("look", 2), ("question or query", 1)]

    def full(_: str) -> None:
        raise WorkspaceError("the disk is full")

    assert asyncio.run(told(Busy(concurrent=1, wait=0.01, count=full))) == 429
    assert "was not counted: the disk is full" in caplog.text


def test_a_question_is_kept_with_schema_query_and_other_readings(ledger: Ledger) -> None:
    log = QuestionLog(ledger, fingerprint=lambda: "of the schema")
    base = Answer(outcome=Outcome.EMPTY_BUT_VALID, question="q", text="", cypher="MATCH (n) RETURN n")
    first = log.add(Question(text="q"), base.model_copy(update={"alternatives": ("Lists papers.",)}))
    asked_back = {"outcome": Outcome.AMBIGUOUS, "cypher": "", "suggestions": ("Papers.", "Decays.")}
    second = log.add(Question(text="q"), base.model_copy(update=asked_back))
    kept, ambiguous = log.get(first), log.get(second)
    assert (kept.schema_fingerprint, kept.alternatives) == ("of the schema", ("Lists papers.",))
    assert len(kept.query_hash) == 32
    assert (ambiguous.query_hash, ambiguous.alternatives) == ("", ("Papers.", "Decays."))


def test_a_hash_of_the_query_is_kept_where_its_words_are_not(ledger: Ledger) -> None:
    full = QuestionLog(ledger)
    bare = QuestionLog(ledger, QuestionSettings(record="outcome"))
    answer = Answer(outcome=Outcome.EMPTY_BUT_VALID, question="q", text="", cypher="MATCH (n) RETURN n")
    kept, counted = (log.get(log.add(Question(text="q"), answer)) for log in (full, bare))
    assert (counted.query, counted.alternatives) == ("", ())
    assert counted.query_hash == kept.query_hash != ""


def test_the_command_line_lists_queries_and_busy_days(tmp_path: Path) -> None:
    workspace = Workspace.create(tmp_path / "ws", schema="particle_physics")
    with open_platform(workspace, SilentProgress()) as platform:
        platform.query_log.add(request(), EndedQuery(outcome=Outcome.TIMEOUT, why="too late"))
        platform.query_log.busy("question or query")
    run = CliRunner()
    listed = run.invoke(app, ["questions", "--queries", "-w", str(workspace.root)])
    assert listed.exit_code == 0, listed.output
    for said in ("timeout", "too late", "told 1 time that the server is busy (question or query)"):
        assert said in " ".join(listed.output.split())
    as_json = run.invoke(app, ["questions", "--queries", "--json", "-w", str(workspace.root)])
    assert [q["query"] for q in json.loads(as_json.stdout)] == [SECRET]
    for others in (["--queries", "--outcome", "failed"], []):
        none = run.invoke(app, ["questions", *others, "--json", "-w", str(workspace.root)])
        assert json.loads(none.stdout) == []
