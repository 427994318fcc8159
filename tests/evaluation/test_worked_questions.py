"""Two questions that need a whole chain of the graph, with the nodes that the right query passes."""

from __future__ import annotations

from pathlib import Path

import pytest

from cypher.evaluation.page import page
from cypher.evaluation.queries import matched_part
from kg.evaluation import GoldQueries, read_cases, run_evaluation
from kg.wiring import Platform
from schemas.errors import QueryFailedError, ReadError, UsageError
from schemas.evaluation import EvaluationReport, FailureCode
from schemas.questions import Outcome

pytestmark = pytest.mark.neo4j
QUESTIONS = Path(__file__).parent / "worked_questions.jsonl"
OSCILLATION, ANGLE = read_cases(QUESTIONS)[:2]


@pytest.fixture(scope="module")
def gold(worked: Platform) -> GoldQueries:
    return GoldQueries(worked.connection, timeout=10)


def names(platform: Platform, ids: frozenset[str]) -> set[str]:
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
    ids = gold.matched(matched_part(OSCILLATION.cypher), OSCILLATION.parameters)
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
    ids = gold.matched(matched_part(ANGLE.cypher), ANGLE.parameters)
    assert names(worked, ids) == {
        "2001003",
        "CKM angle gamma",
        "B+ -> D0 K+",
        "strong phase input",
        "background model",
    }


def test_a_gold_query_only_reads(gold: GoldQueries) -> None:
    with pytest.raises(UsageError, match="only reads"):
        gold.rows("MATCH (n) SET n.name = 'x' RETURN n", {})
    with pytest.raises(QueryFailedError):
        gold.rows("MATCH (n RETURN n", {})


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
