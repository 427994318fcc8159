"""A number without a unit is compared with what the listing has, with its power of ten, or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from cypher.listed import Scale, listed_as, meaning
from cypher.service import QuestionService
from schemas.questions import Answer, Outcome, Question
from tests.cypher.conftest import BMASS, BR, DMS, LIFE, MASS, PHIS, RK, Graph, make_graph

LISTED: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("1100001", DMS, {"value": 1.763e13, "value_text": "(17.63 +-0.11) E12", "unit": "hbar s**-1"}),
    ("1100003", DMS, {"value": 1.7768e13, "value_text": "(17.768 +-0.02) E12", "unit": "hbar s**-1"}),
    ("1100010", DMS, {"value": 1.7757e13, "value_text": "(17.757 +-0.01) E12", "unit": "hbar s**-1"}),
    ("1100007", DMS, {"value": 17.79, "value_text": "17.79 ± 0.04 ps^{-1}", "unit": "ps^-1"}),
    ("1100005", LIFE, {"value": 1.479e-12, "value_text": "(1.479 +-0.012) E-12", "unit": "s"}),
    ("1100009", LIFE, {"value": 4.1e-13, "value_text": "(410 +-10) E-15", "unit": "s"}),
    ("1100005", PHIS, {"value": -0.041, "value_text": "-0.041 +-0.025", "unit": "rad"}),
    ("1100006", PHIS, {"value": 2.0, "value_text": "2.0 +-0.1", "unit": "degrees"}),
    ("1100002", BR, {"value": 8e-10, "value_text": "<8.0 E-10", "limit": "upper"}),
    ("1100004", BR, {"value": 2e-9, "value_text": "<2 E-9", "limit": "upper"}),
    ("1100008", BR, {"value": 3e-9, "value_text": ">3 E-9", "limit": "lower"}),
    ("1100011", BR, {"value": 3.1e-9, "value_text": "(3.1 +-0.5) E-9"}),
    ("1100009", MASS, {"value": 5.0, "value_text": "<5", "unit": "GeV", "limit": "upper"}),
    ("1100007", RK, {"value": 0.846, "value_text": "(84.6 +-4.4) E-2"}),
)
AVERAGES = {
    DMS: (1.7765e13, "(1.7765 +-0.0006) E13", "hbar s**-1"),
    MASS: (5366.9, "5366.9 +-0.1", "MeV"),
    BMASS: (5279.4, "5279.4 +-0.1", "MeV"),
}
ERRORS = {"1100001": 1.1e11, "1100003": 2e10, "1100010": 1e10, "1100007": 0.04}


@pytest.fixture(scope="module")
def small_graph() -> Graph:
    """The small graph with values as the Particle Data Group lists them."""
    graph = make_graph()
    graph.edges.clear()
    for name, (number, text, unit) in AVERAGES.items():
        graph.nodes[f"observable:{name}"][1].update(average=number, average_text=text, average_unit=unit)
    for paper, observable, attributes in LISTED:
        error = {"stat_plus": ERRORS[paper], "stat_minus": ERRORS[paper]} if observable == DMS else {}
        graph.edge(paper, f"paper:{paper}", "determines", f"observable:{observable}", **attributes, **error)
    return graph


def ask(service: QuestionService, text: str) -> Answer:
    return service.ask(Question(text=text, use_llm=False))


@pytest.mark.neo4j
@pytest.mark.parametrize(
    ("text", "papers"),
    [
        ("Which values of Delta m_s are larger than 17.75?", {"1100003", "1100010", "1100007"}),
        ("Which values of Delta m_s are above 1.775e13?", {"1100003", "1100010", "1100007"}),
        ("Which values of Delta m_s are between 17.6 and 17.7?", {"1100001"}),
        ("Which papers determine Delta m_s below 17.76?", {"1100001", "1100010"}),
        ("Values of Delta m_s with a statistical error below 0.03", {"1100003", "1100010"}),
        ("Which papers on Delta m_s have a statistical error below 0.05?", {"1100003", "1100010", "1100007"}),
        ("Which values of Delta m_s have a total error below 0.03?", {"1100003", "1100010"}),
        ("Which values of phi_s are below 0?", {"1100005"}),
        ("Which values of R_K are above 0.5?", {"1100007"}),
    ],
)
def test_the_number_is_on_the_scale_of_the_listing(
    service: QuestionService, text: str, papers: set[str]
) -> None:
    answer = ask(service, text)
    assert answer.outcome is Outcome.ANSWERED, answer.text
    assert {row[0] for row in answer.rows} == papers


@pytest.mark.neo4j
def test_no_value_is_above_a_number_that_none_reaches(service: QuestionService) -> None:
    answer = ask(service, "Is Delta m_s above 20?")
    assert answer.outcome is Outcome.EMPTY_BUT_VALID
    assert answer.text.startswith("No")
    assert "20 has no unit" in " ".join(answer.assumptions)
    assert ask(service, "Is Delta m_s above 17.7?").text.startswith("3 of 4 statements say so")


@pytest.mark.neo4j
@pytest.mark.parametrize(
    ("text", "papers"),
    [
        ("Which values of phi_s are above 1 in degrees?", {"1100006"}),
        ("Which values of phi_s are above 1 in rad?", set()),
        ("Which values of B_s0 mean life are above 1000 in fs?", {"1100005"}),
        ("Values of Delta m_s with a statistical error below 0.03 in ps^-1", {"1100003", "1100010"}),
    ],
)
def test_the_unit_of_the_answer_is_that_of_the_number(
    service: QuestionService, text: str, papers: set[str]
) -> None:
    answer = ask(service, text)
    assert {row[0] for row in answer.rows} == papers, answer.explanation
    assert not [a for a in answer.assumptions if "has no unit" in a]


@pytest.mark.neo4j
@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("Which values of B_s0 mean life are above 1.2?", ("10^-12 s", "10^-15 s")),
        ("Which values of phi_s are above 0.1?", ("rad", "degrees")),
        ("Which papers on phi_s have a statistical error below 0.05?", ("rad", "degrees")),
        ("Which papers have no value above 17.8?", ("hbar s**-1", "without a unit")),
    ],
)
def test_without_one_scale_the_unit_is_asked_for(
    service: QuestionService, text: str, units: tuple[str, ...]
) -> None:
    answer = ask(service, text)
    assert answer.outcome is Outcome.UNANSWERABLE, answer.text
    assert "Say the unit" in answer.text
    assert all(unit in answer.text for unit in units), answer.text
    assert answer.confidence == 0


def test_powers_of_ten_are_read_beside_a_unit_only() -> None:
    assert listed_as("s", "(1.482 +-0.018) E-12") == Scale("s", -12)
    assert listed_as("s", "<1.3 E-14") == Scale("s", -14)
    assert listed_as("ps^-1", "17.79 ± 0.04 ps^{-1}") == Scale("ps^-1")
    assert listed_as("s", "(1.5 ± 0.1) × 10^{−12} s") == Scale("s", -12)
    assert listed_as("", "(2.37 +-0.31) E-3") == Scale("")


def test_among_mostly_pure_numbers_a_number_is_pure() -> None:
    mixed = meaning(1e-9, "1e-09", {Scale(""): 20, Scale("MeV"): 3})
    assert mixed.pure
    assert "values with a unit were left out" in mixed.note
    assert meaning(0.5, "0.5", {Scale(""): 1, Scale("MeV"): 3}).problem


def test_the_scale_of_most_values_counts_and_is_said() -> None:
    meant = meaning(0.1, "0.1", {Scale("rad"): 15, Scale("rad", -2): 1})
    assert dict(meant.units)["rad"] == pytest.approx(0.1)
    assert dict(meant.units)["mrad"] == pytest.approx(100)
    assert "in rad, as most of these values are" in meant.note


@pytest.mark.neo4j
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Which limits are below 1e-9?", ["1100002"]),
        ("Which limits are above 1e-9?", ["1100004", "1100008"]),
        ("How many limits are above 1e-9?", [2]),
        ("Which papers have limits on BR(B_s0 -> mu+ mu-) below 1e-9?", ["1100002"]),
        ("Which values of BR(B_s0 -> mu+ mu-) are above 1e-9?", ["1100011"]),
    ],
)
def test_limits_are_compared_with_numbers(service: QuestionService, text: str, found: list[object]) -> None:
    answer = ask(service, text)
    assert answer.outcome is Outcome.ANSWERED, answer.explanation
    assert [row[0] for row in answer.rows] == found
    assert answer.explanation.count("is a limit") + answer.explanation.count("is not a limit") == 1


@pytest.mark.neo4j
@pytest.mark.parametrize(
    "text",
    [
        "Which observables have both a limit and a value?",
        "Which observables have both values and upper limits?",
        "observables with a limit and a value",
    ],
)
def test_a_value_beside_a_limit_is_none(service: QuestionService, text: str) -> None:
    answer = ask(service, text)
    assert [row[0] for row in answer.rows] == [BR], answer.explanation


@pytest.mark.neo4j
@pytest.mark.parametrize(
    "text",
    ["Which observables have limits and values?", "What are the values and limits of BR(B_s0 -> mu+ mu-)?"],
)
def test_limits_and_values_are_no_one_kind_of_statement(service: QuestionService, text: str) -> None:
    answer = ask(service, text)
    assert answer.outcome is Outcome.UNANSWERABLE, answer.explanation
    assert "two kinds of statements" in answer.text


@pytest.mark.neo4j
@pytest.mark.parametrize(
    "text",
    [
        "How many papers per year on average?",
        "How many measurements per paper on average?",
        "On average, how many papers per year?",
        "What is the average number of papers per year?",
    ],
)
def test_an_average_of_counts_is_no_average_of_a_listing(service: QuestionService, text: str) -> None:
    answer = ask(service, text)
    assert answer.outcome is Outcome.UNANSWERABLE, answer.explanation
    assert "on average" in answer.text


@pytest.mark.neo4j
def test_averages_are_compared_as_they_are_listed(service: QuestionService) -> None:
    masses = ask(service, "Which masses have an average above 5300?")
    assert [row[0] for row in masses.rows] == [MASS]
    assert "in MeV" in " ".join(masses.assumptions)
    mixed = ask(service, "Which observables have an average above 5300?")
    assert mixed.outcome is Outcome.UNANSWERABLE, mixed.explanation
    assert "Say the unit" in mixed.text


@pytest.mark.neo4j
@pytest.mark.parametrize(
    "text",
    [
        "How many papers have a total error of Delta m_s below 0.05?",
        "Which papers have a statistical error of Delta m_s below 0.05?",
    ],
)
def test_the_number_of_an_error_is_not_compared_with_the_value(service: QuestionService, text: str) -> None:
    assert ask(service, text).outcome is Outcome.UNANSWERABLE
