"""Questions that no shape holds, composed and run over the small graph; and what must be refused."""

from __future__ import annotations

import math

import pytest

from cypher.general.answer import shown
from cypher.general.kinds import Form, Kind
from cypher.general.plan import Compare, Comparing, Plan, Side, Tree
from cypher.identifiers import REPLACED, STATEMENTS
from cypher.service import QuestionService
from schemas.questions import Outcome, Question, Scope, Subgraph

MUMU, PSIPHI, PSIKK = "B_s0 -> mu+ mu-", "B_s0 -> J/psi(1S) phi(1020)", "B_s0 -> J/psi(1S) K+ K-"
LISTS: tuple[tuple[str, set[object]], ...] = (
    ("Which papers measured phi_s but not B_s0 mean life?", {"1100006"}),
    (
        "Which papers report neither Delta m_s nor phi_s and appeared after 2020?",
        {"1100008", "1100009", "1100011"},
    ),
    ("Which experiments have measured both phi_s and Delta m_s?", {"LHCb"}),
    ("Which experiments measured Delta m_s but never phi_s?", {"CDF"}),
    ("Which of ATLAS, CMS and CDF measured phi_s?", {"ATLAS"}),
    ("Which experiment has the most papers on Delta m_s?", {"LHCb"}),
    ("Which experiment measured Delta m_s first?", {"CDF"}),
    ("Which of phi_s and Delta m_s has more measurements?", {"Delta m_s"}),
    ("Which observables have been measured by at least three papers?", {"Delta m_s", "BR(B_s0 -> mu+ mu-)"}),
    ("Which decays of the B_s0 have a J/psi(1S) but no phi(1020)?", {PSIKK}),
    ("Which two-body decays of the B_s0 have a J/psi(1S)?", {PSIPHI}),
    ("Which decays of the B_s0 have exactly three products?", {PSIKK}),
    ("Which papers on Delta m_s have a total uncertainty below 0.05?", {"1100003", "1100010"}),
    ("Which papers on B_s0 mean life have a total error below 11 fs?", {"1100009"}),
    ("Which papers on B_s0 mean life have a total error above 0.011 ps?", {"1100005"}),
    ("Which measurements of Delta m_s have a systematic error larger than the statistical error?", set()),
    ("Which paper reports the highest value of Delta m_s?", {"1100001"}),
    ("Which papers were published in the same year as 1100003?", {"1100004"}),
    ("Which sources of uncertainty affect exactly two observables?", {"decay time resolution"}),
    ("Which decay parents are there?", {"B_s0", "B+", "B0"}),
    ("Which kinds of B0 observables are there?", {"asymmetry"}),
    ("List the kinds of observables that CMS measured", {"branching fraction", "lifetime"}),
    ("Which particles have a measured branching fraction?", {"B_s0", "B+"}),
    ("Which particles have a measured mass?", set()),
    ("Which observables were first measured in 2017?", {"phi_s", "B_s0 mean life", "Delta Gamma_s"}),
    ("Which observables were measured for the first time in 2015?", {"BR(B_s0 -> D_s- pi+)"}),
    ("Which B_s0 observables were first measured in 2015?", {"BR(B_s0 -> D_s- pi+)"}),
    ("Which observables were last measured in 2017?", {"Delta Gamma_s"}),
    ("Which observables were first measured before 2013?", {"Delta m_s"}),
    ("Which observables were first measured by CMS in 2015?", set()),
    ("Which observables did CMS first measure in 2015?", {"BR(B_s0 -> mu+ mu-)"}),
)
NUMBERS: tuple[tuple[str, float], ...] = (
    ("How many experiments have measured both phi_s and Delta m_s?", 1),
    ("How many different experiments measured BR(B_s0 -> mu+ mu-)?", 2),
    ("How many more papers on Delta m_s than on phi_s are there?", 1),
    ("What is the ratio of the number of LHCb papers to the number of CMS papers?", 3.5),
    ("What is the mean of all measurements of phi_s?", -0.061),
    ("When did LHCb first measure Delta m_s?", 2015),
    ("How many observables were first measured after 2019?", 3),
    ("How many kinds of observables are there?", 9),
    ("How many measured observables are there?", 9),
    ("Which experiment measured Delta m_s first?", 2012),
    ("What is the average total error of the phi_s measurements?", (0.025 + math.hypot(0.041, 0.022)) / 2),
    ("What is the mean statistical uncertainty of the measurements of Delta m_s?", 0.0615),
    ("average systematic error on Delta m_s since 2015", 0.006),
    ("What is the average year of the papers on Delta m_s?", (2012 + 2015 + 2023) / 3),
    ("What is the median year of the papers from CMS?", 2018.5),
    ("What is the average magnitude of the uncertainty sources that affect phi_s?", 0.013 / 3),
    ("What is the mean of the upper limits on A_CP(B0 -> K+ pi-)?", 0.1),
)


def ask(service: QuestionService, text: str, scope: Scope = Scope.ALL):  # type: ignore[no-untyped-def]
    return service.ask(Question(text=text, scope=scope, use_llm=False))


@pytest.mark.neo4j
@pytest.mark.parametrize(("text", "expected"), LISTS)
def test_lists_are_composed(service: QuestionService, text: str, expected: set[object]) -> None:
    answer = ask(service, text)
    assert answer.outcome in (Outcome.ANSWERED, Outcome.EMPTY_BUT_VALID), answer.text
    named = [{c for c in row if isinstance(c, str)} & expected for row in answer.rows]
    assert all(named), answer.rows
    assert set().union(*named) == expected, (answer.explanation, answer.rows)


@pytest.mark.neo4j
@pytest.mark.parametrize(("text", "number"), NUMBERS)
def test_numbers_are_composed(service: QuestionService, text: str, number: float) -> None:
    answer = ask(service, text)
    assert answer.outcome is Outcome.ANSWERED, answer.text
    numbers = [c for row in answer.rows for c in row if isinstance(c, int | float)]
    assert len(answer.rows) == 1, answer.cypher
    assert any(n == pytest.approx(number) for n in numbers), answer.cypher


@pytest.mark.neo4j
def test_a_comparison_says_yes_or_no_and_what_it_compared(service: QuestionService) -> None:
    yes = ask(service, "Did LHCb publish more papers on Delta m_s than CDF?")
    no = ask(service, "Did CDF publish more papers on Delta m_s than LHCb?")
    assert (yes.rows, no.rows) == (((True,),), ((False,),))
    assert "LHCb: 2, CDF: 1" in yes.text


@pytest.mark.neo4j
def test_each_row_rests_on_statements_of_every_branch(service: QuestionService) -> None:
    answer = ask(service, "Which experiments have measured both phi_s and Delta m_s?")
    assert answer.shape == "general"
    ends = {e.end for e in answer.edges}
    assert ends == {"observable:phi_s", "observable:Delta m_s"}
    assert answer.row_citations == (tuple(c.number for c in answer.citations),)
    assert {c.document for c in answer.citations} == {"1100003", "1100005", "1100010"}


@pytest.mark.neo4j
def test_a_mean_says_of_what_it_is_in_which_unit_and_how_much_of_it_was_replaced(
    service: QuestionService,
) -> None:
    error = ask(service, "What is the average total error of the phi_s measurements?")
    assert error.text.startswith("Unweighted mean of the total errors of measurements (limits left out): ")
    assert " rad (count 2)" in error.text
    replaced = ask(service, "What is the mean of all measurements of BR(B_s0 -> mu+ mu-)?")
    assert "(count 3, 1 of them replaced by later papers)" in replaced.text


@pytest.mark.neo4j
def test_the_listed_average_stays_the_listed_one(service: QuestionService) -> None:
    answer = ask(service, "What is the average of B_s0 mean life?")
    assert (answer.shape, answer.rows[0][1]) == ("attribute", 1.52)


@pytest.mark.neo4j
@pytest.mark.parametrize("text", ["Which kinds of observables are there?", "List the observable kinds"])
def test_the_kinds_of_things_are_listed_and_not_the_things(service: QuestionService, text: str) -> None:
    answer = ask(service, text)
    assert answer.columns == ("kind",)
    assert len(answer.rows) == len(set(answer.rows)) == 9


@pytest.mark.neo4j
def test_averages_stand_beside_what_they_are_of(service: QuestionService) -> None:
    answer = ask(service, "Which averages are there?")
    assert answer.text.startswith("1 observable: B_s0 mean life (average 1.520 ± 0.005)")


@pytest.mark.neo4j
def test_values_in_order_have_their_unit_and_say_what_was_replaced(service: QuestionService) -> None:
    answer = ask(service, "largest measured value of BR(B_s0 -> mu+ mu-)")
    assert "1100002 (year 2013, value 3.2e-09, replaced)" in answer.text
    unit = ask(service, "smallest measured value of phi_s")
    assert "1100006 (year 2019, value -0.081 rad)" in unit.text


@pytest.mark.neo4j
def test_the_scope_holds_in_every_branch(service: QuestionService) -> None:
    answer = ask(service, "Which papers measured phi_s but not B_s0 mean life?", Scope.PUBLISHED)
    assert answer.outcome is Outcome.EMPTY_BUT_VALID
    assert not answer.rows


@pytest.mark.neo4j
def test_an_order_keeps_its_ties(service: QuestionService) -> None:
    answer = ask(service, "Which experiment has the most papers on BR(B_s0 -> mu+ mu-)?")
    assert answer.rows == (("LHCb", 2),)
    both = ask(service, "Which year had the most papers on phi_s?")
    assert {r[0] for r in both.rows} == {2017, 2019}


@pytest.mark.parametrize(
    "text",
    [
        "Which observables were first measured by LHCb?",
        "Which experiments first measured phi_s in 2017?",
        "Which papers measured phi_s and were cited by Delta m_s?",
        "Which experiment spent the most money on phi_s?",
        "How many papers per author are there on phi_s?",
        "Which observables determine papers that measured phi_s?",
        "Which papers on phi_s are better than those on Delta m_s?",
        "How many more papers on phi_s than money are there?",
    ],
)
def test_what_is_not_understood_whole_is_refused(dry_service: QuestionService, text: str) -> None:
    answer = dry_service.ask(Question(text=text, use_llm=False))
    assert answer.outcome in (Outcome.UNANSWERABLE, Outcome.AMBIGUOUS), answer.explanation


def test_a_question_that_a_plan_reads_is_understood(dry_service: QuestionService) -> None:
    reading = dry_service.read("Which experiments measured Delta m_s but never phi_s?")
    assert reading.understood
    assert reading.shape == "general"
    other = dry_service.read("Which experiments measured phi_s but never Delta m_s?")
    assert reading.signature != other.signature


@pytest.mark.parametrize(
    "text",
    [
        "Which papers set limits but determine no value?",
        "Which papers determine limits but no value?",
        "Papers with limits but without values",
    ],
)
def test_values_that_are_denied_beside_limits_are_no_limits(dry_service: QuestionService, text: str) -> None:
    told = dry_service.ask(Question(text=text)).explanation
    assert "not (a 'determines' statement with limit is not given)" in told
    assert told.count("a 'determines' statement with limit is known") == 1
    assert "not (a 'determines' statement with limit is known)" not in told


@pytest.mark.neo4j
def test_papers_with_limits_alone_and_with_none(service: QuestionService) -> None:
    assert [r[0] for r in ask(service, "Which papers set limits but determine no value?").rows] == ["1100011"]
    none = {r[0] for r in ask(service, "Which papers determine values but set no limits?").rows}
    assert none == {f"11000{n:02}" for n in range(1, 11)}


@pytest.mark.parametrize(
    "text",
    [
        "Which papers determine phi_s but give no value?",
        "Which papers set limits on phi_s and determine no value?",
    ],
)
def test_denied_values_of_one_thing_are_refused(dry_service: QuestionService, text: str) -> None:
    assert dry_service.ask(Question(text=text)).outcome is Outcome.UNANSWERABLE


@pytest.mark.parametrize("thing", ["phi_s", "Delta m_s"])
def test_the_most_of_the_papers_on_one_thing_are_not_counted_on_it_alone(
    dry_service: QuestionService, thing: str
) -> None:
    told = dry_service.ask(
        Question(text=f"Which of the papers on {thing} has the most observables?")
    ).explanation
    same = dry_service.ask(Question(text=f"Which paper on {thing} has the most observables?")).explanation
    assert told == same
    assert "Lists papers by the number of observables (largest first, 1 kept with ties)" in told
    several = dry_service.ask(Question(text=f"Which papers on {thing} have the most observables?"))
    assert "by the number of observables (largest first, all kept)" in several.explanation


@pytest.mark.neo4j
def test_the_paper_on_one_thing_with_the_most_observables(service: QuestionService) -> None:
    answer = ask(service, "Which of the papers on phi_s has the most observables?")
    assert [(r[0], r[-1]) for r in answer.rows] == [("1100005", 3)]


def test_a_bound_on_a_long_number_in_many_units_fits_into_a_query(dry_service: QuestionService) -> None:
    answer = dry_service.ask(Question(text="Values of Delta m_s with a total error below 0.03 ps^-1"))
    assert answer.outcome is Outcome.EMPTY_BUT_VALID, answer.text
    assert len(answer.cypher) < 2_000


def test_a_difference_of_numbers_is_rounded_in_the_text_alone() -> None:
    kind = Kind(Form.ENTITY, "observable")
    sides = (Side("Delta m_s", Tree(kind)), Side("Delta m_d", Tree(kind)))
    plan = Plan(sides[0].root, Compare(Comparing.DIFFERENCE, sides))
    found = shown(
        plan, Subgraph(columns=("a", "b", STATEMENTS, REPLACED), rows=((0.3, 0.1, (), 0),)), limit=9
    )
    assert found.text == "0.2 (Delta m_s: 0.3, Delta m_d: 0.1)"
    assert found.table.rows == ((0.3 - 0.1,),)
