"""Values in the unit that is asked for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cypher.asked_unit import factor, in_unit, split_unit
from cypher.form import Precise
from cypher.one_unit import best_of_all
from cypher.service import QuestionService
from cypher.table import Table
from cypher.units import SCALES
from schemas.graph_schema import GraphSchema
from schemas.questions import Outcome, Question

UNITS = st.sampled_from([(u, v) for scale in SCALES.values() for u, _ in scale for v, _ in scale])


def table(value: float, text: str, unit: str) -> Table:
    columns = ("paper", "value text", "value", "stat plus", "unit", "year")
    return Table(columns, (("P", text, value, value / 10, unit, 2012),), ((),), (0,), False)


@given(units=UNITS, value=st.floats(1e-3, 1e6))
def test_there_and_back_is_the_same(units: tuple[str, str], value: float) -> None:
    given_unit, wanted = units
    there, left = in_unit(table(value, f"{value:g}", given_unit), wanted)
    assert left == ()
    assert there.rows[0][4] == wanted
    back, _ = in_unit(there, given_unit)
    assert back.rows[0][2] == pytest.approx(value, rel=1e-9)
    assert there.rows[0][5] == 2012


def test_digits_are_kept() -> None:
    made, _ = in_unit(table(1.465e-12, "1.465+-0.009E-12", "s"), "ps")
    assert made.rows[0][1] == "1.465+-0.009"
    made, _ = in_unit(table(4.3e-13, "< 43 E-14", "s"), "ps")
    assert made.rows[0][1] == "< 0.43"
    made, _ = in_unit(table(5366.98, "5366.98 +-0.07 +-0.13", "MeV"), "GeV")
    assert made.rows[0][1:5] == ("5.36698 +-0.00007 +-0.00013", 5.36698, 0.536698, "GeV")


def test_another_kind_of_unit_stays() -> None:
    made, left = in_unit(table(1.5, "1.5", "ps"), "GeV")
    assert left == ("ps",)
    assert made.rows[0][4] == "ps"
    assert factor("ps", "GeV") is None


@pytest.mark.parametrize("text", ["Which papers appeared in 2012?", "What is known of decays in GeVland?"])
def test_other_ends_are_no_units(text: str) -> None:
    assert split_unit(text) == (text, "")


def test_an_answer_is_given_in_the_unit(service: QuestionService) -> None:
    answer = service.ask(Question(text="What are the values of B_s0 mean life in fs?"))
    assert answer.outcome is Outcome.ANSWERED, answer.text
    values = {row[answer.columns.index("value")] for row in answer.rows}
    assert values == {1479.0, 1510.0}
    assert "1479 fs" in answer.text
    assert set(answer.rows[0]) & {"fs"}


def test_a_general_answer_is_given_in_the_unit(service: QuestionService) -> None:
    answer = service.ask(Question(text="What is the statistical error of the latest value of phi_s in mrad?"))
    assert answer.outcome is Outcome.ANSWERED, answer.text
    assert 41.0 in answer.rows[0]


@pytest.mark.parametrize(
    "text",
    [
        "What are the values of B_s0 mean life in GeV?",
        "What is the value of R_K in MeV?",
        "How many papers determine phi_s in rad?",
    ],
)
def test_what_cannot_be_given_in_the_unit_is_refused(service: QuestionService, text: str) -> None:
    answer = service.ask(Question(text=text))
    assert answer.outcome is Outcome.UNANSWERABLE
    assert not answer.rows
    assert "cannot be given in" in answer.text
    assert answer.confidence == 0


def _errors(*rows: tuple[str, float, str | None]) -> Table:
    """Values of one quantity with their total errors and units."""
    columns = ("paper", "observable", "value", "total error", "unit")
    cells = tuple((paper, "Delta m_s", 17.8, error, unit) for paper, error, unit in rows)
    return Table(columns, cells, tuple((f"s{i}",) for i in range(len(rows))), (0,) * len(rows), False)


@pytest.mark.parametrize(
    ("rows", "best"),
    [
        ((("A", 6.0e9, "hbar s**-1"), ("B", 0.045, "ps^-1")), ["A"]),
        ((("A", 6.0e10, "hbar s**-1"), ("B", 0.045, "ps^-1")), ["B"]),
        ((("A", 0.1, "MeV"), ("B", 0.045, "ps")), ["A", "B"]),
        ((("A", 0.1, "MeV"), ("B", 0.045, None)), ["A", "B"]),
        ((("A", 0.1, "MeV"), ("B", 0.045, "MeV")), ["A", "B"]),
    ],
)
def test_the_most_precise_of_all_is_in_its_own_unit(
    rows: tuple[tuple[str, float, str | None], ...], best: list[str], particle_schema: GraphSchema
) -> None:
    shown = _errors(*rows)
    found = best_of_all(Precise("r0"), shown, particle_schema)
    assert [r[0] for r in found.rows] == best
    assert set(found.rows) <= set(shown.rows)
    assert len(found.statements) == len(found.replaced) == len(best)
