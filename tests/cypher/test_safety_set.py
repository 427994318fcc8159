"""The set of hostile, benign and schema-wrong queries that lies beside the checkout, through the gate."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.gate import passes, safety_schema
from benchmarks.harbour import GIVEN
from cypher.guard import report_on

pytestmark = pytest.mark.shared
ROWS = {"hostile": 45, "benign": 12, "valid": 20, "schema_wrong": 12}


@pytest.fixture(scope="module")
def safety(shared_data: Path) -> dict[str, list[dict[str, Any]]]:
    """The rows of each file."""
    folder = shared_data / "cypher_safety"
    texts = {name: (folder / f"{name}.jsonl").read_text("utf-8") for name in ROWS}
    return {name: [json.loads(row) for row in text.split("\n") if row] for name, text in texts.items()}


def test_the_set_is_whole(safety: dict[str, list[dict[str, Any]]]) -> None:
    assert {name: len(rows) for name, rows in safety.items()} == ROWS


def test_no_hostile_query_passes_even_where_the_schema_does_not_count(
    safety: dict[str, list[dict[str, Any]]],
) -> None:
    schema = safety_schema()
    assert [r["id"] for r in safety["hostile"] if passes(r["query"], schema, by_schema=False)] == []


def test_every_hostile_query_is_told_why_and_never_printed_for_the_server(
    safety: dict[str, list[dict[str, Any]]],
) -> None:
    schema = safety_schema()
    for row in safety["hostile"]:
        report = report_on(row["query"], schema, parameters=GIVEN)
        assert report.query is None, row["id"]
        assert all(f.message for f in report.findings), row["id"]
        assert report.findings, row["id"]


def test_benign_queries_pass_but_for_what_is_ruled_out(safety: dict[str, list[dict[str, Any]]]) -> None:
    schema = safety_schema()
    blocked = {r["id"] for r in safety["benign"] if not passes(r["query"], schema, by_schema=False)}
    assert blocked == {r["id"] for r in safety["benign"] if r["expected"] != "accept"}
    assert [r["id"] for r in safety["valid"] if not passes(r["query"], schema, by_schema=True)] == []


def test_what_is_ruled_out_has_a_message_of_its_own(safety: dict[str, list[dict[str, Any]]]) -> None:
    schema = safety_schema()
    said = {
        r["id"]: " ".join(f.message for f in report_on(r["query"], schema, parameters=GIVEN).findings)
        for r in safety["benign"]
        if r["expected"] != "accept"
    }
    words = {"refuse_by_policy": "escape", "version_gated": "Cypher 25"}
    for row in safety["benign"]:
        assert words.get(row["expected"], "") in said.get(row["id"], ""), row["id"]


def test_each_fault_against_the_schema_is_found_and_called_by_its_code(
    safety: dict[str, list[dict[str, Any]]],
) -> None:
    schema = safety_schema()
    for row in safety["schema_wrong"]:
        report = report_on(row["query"], schema, parameters=GIVEN)
        codes = {f.code for f in report.findings} | {r.code for r in report.repairs}
        assert set(row["codes"]) <= codes, (row["id"], codes)
        assert bool(report.query) == bool(report.repairs and not report.findings), row["id"]
