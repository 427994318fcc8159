"""Two questions that need a whole chain of the graph, with the nodes that the right query passes."""

from __future__ import annotations

from pathlib import Path

import pytest

from cypher.evaluation.page import page
from kg.evaluation import read_cases, run_evaluation
from kg.query import run_query
from kg.wiring import Platform
from schemas.errors import ReadError, UsageError
from schemas.evaluation import EvaluationReport, FailureCode
from schemas.questions import Outcome, QueryRequest, QueryResult, Question

pytestmark = pytest.mark.neo4j
QUESTIONS = Path(__file__).parent / "worked_questions.jsonl"
SOURCE = "uncertainty source"
PATIENT = 60
"""Seconds: the server plans each query for the first time, beside other tests."""
OSCILLATION, ANGLE = read_cases(QUESTIONS)[:2]


@pytest.fixture(scope="module")
def text() -> dict[str, str]:
    return {
        f.stem: f.read_text("utf-8") for f in sorted((Path(__file__).parent / "traversals").glob("*.cypher"))
    }


def traversed(platform: Platform, cypher: str, **parameters: str) -> QueryResult:
    """The rows of a traversal through the gate, with the nodes that it matched."""
    return run_query(
        platform, QueryRequest(cypher=cypher, parameters=parameters, provenance=True, timeout=PATIENT)
    )


OF_OSCILLATION = {"part": "m_s", "text": "B_s eigenstate oscillation frequency"}
OF_ANGLE = {"text": "gamma, CKM angle gamma"}


def names(platform: Platform, result: QueryResult) -> set[str]:
    assert result.provenance is not None
    rows = platform.connection.read(
        "MATCH (n) WHERE n.id IN $ids RETURN n.name AS name",
        {"ids": [n.id for n in result.provenance.nodes]},
    )
    return {row["name"] for row in rows}


def test_the_traversal_of_the_oscillation_frequency(worked: Platform, text: dict[str, str]) -> None:
    result = traversed(worked, text["oscillation"], **OF_OSCILLATION)
    assert result.columns == ("source", "ranking", "decays", "papers", "related")
    both = ("B_s0 -> D_s- pi+", "B_s0 -> D_s- pi+ pi+ pi-")
    rows = [(s, r, tuple(sorted(d)), tuple(sorted(p)), o) for s, r, d, p, o in result.rows]
    assert rows == [
        ("length scale", 1.5, both, ("2001001", "2001002"), ("Delta Gamma_s",)),
        ("decay time resolution", 2.0, both, ("2001001", "2001002"), ("Delta Gamma_s",)),
        ("background model", 4.0, both[:1], ("2001002",), ("Delta Gamma_s",)),
    ]


def test_the_likeness_keeps_another_quantity_of_that_name_out(worked: Platform, text: dict[str, str]) -> None:
    open_to_all = text["oscillation"].replace("> 0.5", "> -1.0")
    assert open_to_all != text["oscillation"]
    assert "2001005" in str(traversed(worked, open_to_all, **OF_OSCILLATION).rows)
    kept = names(worked, traversed(worked, text["oscillation"], **OF_OSCILLATION))
    assert {"2001001", "2001002", "Delta m_s", "Delta Gamma_s", "B_s0 -> D_s- pi+"} <= kept
    assert not kept & {"m_s", "2001005", "2001003", "CKM angle gamma"}


def test_the_traversal_of_the_angle(worked: Platform, text: dict[str, str]) -> None:
    first, *others = traversed(worked, text["angle"], **OF_ANGLE).rows
    name, likeness, decays, papers, sources = first
    assert (name, sorted(decays), sorted(papers)) == (
        "CKM angle gamma",
        ["B+ -> D0 K+", "B0 -> D0 K*0"],
        ["2001003", "2001004"],
    )
    assert sources == ("strong phase input", "background model")
    assert [likeness, *(o[1] for o in others)] == sorted([likeness, *(o[1] for o in others)], reverse=True)
    assert {o[0] for o in others} == {"Delta m_s", "Delta Gamma_s", "m_s"}


def test_the_service_answers_with_the_rows_of_the_traversals(worked: Platform, text: dict[str, str]) -> None:
    """In the seed's own words; of the first quantity only the most precise measurement is asked for."""
    first = worked.questions.ask(Question(text=OSCILLATION.question, timeout=PATIENT))
    of_that = text["oscillation"].replace(
        "MATCH (p:Paper)-[d:DETERMINES]->(o)\n",
        "MATCH (p:Paper)-[d:DETERMINES]->(o) WITH o, p, d ORDER BY d.total_plus LIMIT 1\n",
    )
    assert of_that != text["oscillation"]
    assert first.rows == tuple(r[:4] for r in traversed(worked, of_that, **OF_OSCILLATION).rows)
    assert first.text.startswith("Smallest total error for Delta m_s: 17.768 ± 0.006 (2001002, 2002) [1].")
    assert "1 decay: B_s0 -> D_s- pi+" in first.text
    second = worked.questions.ask(Question(text=ANGLE.question, timeout=PATIENT))
    _, _, decays, papers, sources = traversed(worked, text["angle"], **OF_ANGLE).rows[0]
    assert tuple(r[0] for r in second.rows) == sources
    assert {d for r in second.rows for d in r[2]} == set(decays)
    assert {p for r in second.rows for p in r[3]} == set(papers)
    assert [r[1] for r in second.rows] == [1.5, 2.0]


def test_each_row_cites_what_it_rests_on(worked: Platform) -> None:
    answer = worked.questions.ask(Question(text=OSCILLATION.question, timeout=PATIENT))
    documents = {c.number: c.document for c in answer.citations}
    assert all(row and {documents[n] for n in row} == {"2001002"} for row in answer.row_citations)


@pytest.mark.parametrize(
    ("question", "outcome", "rows"),
    [
        ("Which decay gives the most precise Delta m_s?", Outcome.ANSWERED, [("B_s0 -> D_s- pi+",)]),
        (
            "What sources of systematic uncertainty will dominate my measurement of Delta Gamma_s?",
            Outcome.EMPTY_BUT_VALID,
            [],
        ),
        (
            "What are the systematic uncertainties that measurements of CKM angle gamma are limited by?",
            Outcome.ANSWERED,
            [("background model",), ("strong phase input",)],
        ),
        (
            "What decay channel should I use to measure the CP violating phase gamma?",
            Outcome.ANSWERED,
            [("B+ -> D0 K+",), ("B0 -> D0 K*0",)],
        ),
        (
            "Which decay gives the most precise Delta Gamma_s, and what systematic uncertainties limit it?",
            Outcome.ANSWERED,
            [("B_s0 -> D_s- pi+",)],
        ),
        ("Which papers determine Delta m_s, and which papers determine it?", Outcome.UNANSWERABLE, []),
        ("Which papers determine the mass of the top quark, Delta m_s?", Outcome.UNANSWERABLE, []),
    ],
)
def test_near_the_worked_questions(
    worked: Platform, question: str, outcome: Outcome, rows: list[tuple[str, ...]]
) -> None:
    answer = worked.questions.ask(Question(text=question, timeout=PATIENT))
    assert (answer.outcome, [r[:1] for r in answer.rows]) == (outcome, rows), answer.text


@pytest.mark.parametrize(
    ("question", "cell", "rows"),
    [
        (
            "What is the largest systematic uncertainty on Delta m_s?",
            SOURCE,
            ["decay time resolution", "length scale"],
        ),
        ("Which systematic uncertainty is the largest for CKM angle gamma?", SOURCE, ["strong phase input"]),
        ("What is the dominant systematic uncertainty of m_s?", SOURCE, ["background model"]),
        ("What is the smallest statistical uncertainty on Delta m_s?", "paper", ["2001002"]),
        ("Which paper has the largest systematic uncertainty on Delta m_s?", "paper", ["2001001"]),
        ("Which paper has the smallest statistical uncertainty on Delta m_s?", "paper", ["2001002"]),
    ],
)
def test_the_largest_is_one(worked: Platform, question: str, cell: str, rows: list[str]) -> None:
    """Ranks hold within a document, so of a quantity that two papers measured each has its largest."""
    answer = worked.questions.ask(Question(text=question, timeout=PATIENT))
    assert answer.outcome is Outcome.ANSWERED, answer.text
    at = answer.columns.index(cell)
    assert [r[at] for r in answer.rows] == rows, answer.text


def test_the_largest_of_all_is_told_where_one_row_is_shown(worked: Platform) -> None:
    text = "What is the largest systematic uncertainty on Delta m_s?"
    answer = worked.questions.ask(Question(text=text, limit=1, timeout=PATIENT))
    assert answer.text.startswith("2 uncertainty sources of Delta m_s, each the largest of its document")
    assert len(answer.rows) == 1
    assert answer.truncated


def test_half_an_answer_says_what_is_not_known(worked: Platform) -> None:
    text = "Which decays are used to measure Delta Gamma_s? Which systematic uncertainties dominate there?"
    answer = worked.questions.ask(Question(text=text, timeout=PATIENT))
    assert answer.text.endswith("The graph knows no uncertainty sources of 'Delta Gamma_s'.")


@pytest.fixture(scope="module")
def measured(worked: Platform) -> EvaluationReport:
    return run_evaluation(worked, read_cases(QUESTIONS), limit=100, timeout=PATIENT)


def test_the_service_answers_both_worked_questions_in_two_wordings(measured: EvaluationReport) -> None:
    both = measured.results[:4]
    assert [r.outcome for r in both if not r.correct] == []
    assert all(r.psjs is not None for r in both)


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
