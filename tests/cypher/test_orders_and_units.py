"""Orders of years, one unit for all rows, rates, shares and contradictions, asked of a loaded graph."""

from __future__ import annotations

import pytest

from cypher.at_once import impossible
from cypher.form import Condition, Entities, Form, Node, Op
from cypher.general import plan as p
from cypher.general.kinds import Form as K
from cypher.general.kinds import Kind
from cypher.general.unlisted import unlisted_notes
from cypher.one_unit import most_precise, one_mean, tightest
from cypher.particle_phrases import rates_asked
from cypher.service import QuestionService
from cypher.table import Table
from cypher.wording import printed
from schemas.graph_schema import GraphSchema
from schemas.questions import Answer, Outcome, Question


def answered(service: QuestionService, text: str) -> Answer:
    found = service.ask(Question(text=text, timeout=60.0))
    assert found.outcome is Outcome.ANSWERED, found.text
    return found


def years(answer: Answer) -> list[object]:
    at = answer.columns.index("year")
    return [row[at] for row in answer.rows]


@pytest.mark.parametrize(
    ("question", "order"),
    [
        ("values of Delta m_s, newest first", [2023, 2015, 2012]),
        ("values of Delta m_s by year, oldest first", [2012, 2015, 2023]),
        ("Which papers determine Delta m_s, most recent first?", [2023, 2015, 2012]),
        ("papers on Delta m_s, oldest first", [2012, 2015, 2023]),
    ],
)
def test_rows_are_in_the_order_of_years_that_is_asked_for(
    service: QuestionService, question: str, order: list[int]
) -> None:
    found = answered(service, question)
    assert years(found) == order
    assert ("newest first" if order[0] == 2023 else "oldest first") in found.explanation
    assert "keeps" not in found.explanation


def test_an_order_that_cannot_be_kept_is_told(service: QuestionService) -> None:
    found = answered(service, "Which observables does 1100005 determine, newest first?")
    assert "The rows are not in the order of years that was asked for." in found.assumptions


def test_papers_that_share_an_observable(service: QuestionService) -> None:
    found = answered(service, "Which papers share an observable with 1100003?")
    assert {row[0] for row in found.rows} == {"1100001", "1100010"}
    assert "one document" not in found.explanation


def test_shares_are_given_in_percent(service: QuestionService) -> None:
    found = answered(service, "What are the values of BR(B_s0 -> D_s- pi+) in percent?")
    assert found.rows[0][found.columns.index("value")] == 0.3
    assert "0.3 percent" in found.text


def test_what_cannot_be_both_is_told(service: QuestionService) -> None:
    found = service.ask(Question(text="Which observables measured in 2012 were measured again in 2015?"))
    assert found.outcome is Outcome.ANSWERED, found.text
    assert found.rows[0][0] == "Delta m_s"
    contradiction = (
        Condition("p", "year", Op.AT_MOST, 2012, "2012"),
        Condition("p", "year", Op.AT_LEAST, 2015, "2015"),
    )
    form = Form("related", (Node("p", "paper"),), (), contradiction, Entities("p"))
    assert impossible(form).startswith("The year of one paper cannot be both at most 2012 and at least 2015;")


def test_a_count_of_none_is_said(service: QuestionService) -> None:
    for question in ("How many papers were published in 1999?", "How many papers determine no observable?"):
        found = service.ask(Question(text=question))
        assert found.outcome is Outcome.EMPTY_BUT_VALID
        assert found.text.startswith("0. "), found.text


def test_nothing_contains_what_is_a_parent_only(service: QuestionService) -> None:
    found = service.ask(Question(text="Which decays contain a B_s0?"))
    assert found.outcome is Outcome.UNANSWERABLE
    assert found.text == "Nothing in this graph is known to contain 'B_s0'."


def test_how_often_something_decays_is_no_count_of_measurements(service: QuestionService) -> None:
    found = answered(service, "How often does the B_s0 decay to mu+ mu-?")
    assert found.shape != "count_measurements"
    assert found.rows[0][found.columns.index("value")] == 3.2e-9
    assert rates_asked("How often was phi_s measured?") == "How often was phi_s measured?"


COLUMNS = ("total error", "observable", "value text", "value", "unit", "column", "count")


def rows(*cells: tuple[float, float, str | None, int]) -> Table:
    made = tuple((error, "X", f"{value:g}", value, "ps", column, n) for error, value, column, n in cells)
    ids = tuple((f"s{i}",) for i in range(len(made)))
    return Table(COLUMNS, made, ids, tuple(0 for _ in made), False)


def test_once_in_one_unit_the_best_is_one(particle_schema: GraphSchema) -> None:
    shown = rows((0.2, 1.5, "VALUE", 8), (0.1, 1.6, None, 1))
    assert most_precise(shown, particle_schema).statements == (("s1",),)
    assert tightest(shown, particle_schema, lower=False).statements == (("s0",),)
    assert tightest(shown, particle_schema, lower=True).statements == (("s1",),)
    other = rows((0.2, 1.5, "VALUE", 8), (0.1, 1.6, "WIDTH", 1))
    assert most_precise(other, particle_schema) == other


def test_a_mean_is_over_all_values_in_the_unit(particle_schema: GraphSchema) -> None:
    shown = one_mean(rows((0.2, 1.5, "VALUE", 3), (0.1, 1.9, None, 1)), particle_schema)
    assert [(row[3], row[6]) for row in shown.rows] == [(1.6, 4)]
    assert shown.statements == (("s0", "s1"),)
    summed = one_mean(rows((0.2, 1.5, "VALUE", 3), (0.1, 1.9, None, 1)), particle_schema, summed=True)
    assert [(row[3], row[6]) for row in summed.rows] == [(3.4, 4)]


def test_a_power_behind_an_error_is_one_of_both() -> None:
    assert printed("1.465+-0.009E-12") == "(1.465±0.009) E-12"
    assert printed("17.79 ±0.04 ps^{-1}") == "17.79 ±0.04 ps^-1"


@pytest.mark.parametrize(("negated", "told"), [(True, 1), (False, 0)])
def test_of_lists_that_are_not_known_that_is_told(
    particle_schema: GraphSchema, *, negated: bool, told: int
) -> None:
    decays, children = (Kind(form, "decay", name) for form, name in ((K.ENTITY, ""), (K.VALUE, "children")))
    kaons = p.Tree(children, tests=(p.Test(Op.ONE_OF, ("K+", "K-")),))
    made = p.Plan(p.Tree(decays, branches=(p.Branch((kaons,), negated=negated),)), p.ListOf())
    notes = unlisted_notes(made, particle_schema)
    assert notes == ("Decays with unknown children are included.",) * told
