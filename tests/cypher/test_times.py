"""A number in front of a product of decays ("two muons") is read, and never left out."""

from __future__ import annotations

import pytest

from cypher.service import QuestionService
from schemas.questions import Answer, Outcome, Question

MUONS = ("mu+", "mu-")


def ask(service: QuestionService, text: str) -> Answer:
    return service.ask(Question(text=text))


@pytest.mark.parametrize(
    ("text", "size", "number"),
    [
        ("Which decays have two muons?", "=", 2),
        ("How many decays have two muons?", "=", 2),
        ("Which decays have three muons?", "=", 3),
        ("Which decays have at least two muons?", ">=", 2),
        ("Which decays have two or more muons?", ">=", 2),
        ("Which decays have more than one muon?", ">", 1),
    ],
)
def test_a_number_of_products_counts_all_charges_together(
    service: QuestionService, text: str, size: str, number: int
) -> None:
    answer = ask(service, text)
    assert answer.outcome in (Outcome.ANSWERED, Outcome.EMPTY_BUT_VALID)
    assert f"]) {size} $" in answer.cypher
    assert MUONS in answer.parameters.values()
    assert number in answer.parameters.values()


def test_two_muons_are_two_of_either_charge(service: QuestionService) -> None:
    answer = ask(service, "Which decays have two muons?")
    assert {row[0] for row in answer.rows} == {"B_s0 -> mu+ mu-", "B+ -> K+ mu+ mu-"}
    assert any("Exactly 2 of 'mu+' or 'mu-' are meant" in a for a in answer.assumptions)
    assert "exactly 2 of them" in answer.explanation


@pytest.mark.parametrize(
    "text",
    ["Which decays have two J/psi?", "Which decays have two K+?", "Which decays have three muons?"],
)
def test_one_product_is_not_two(service: QuestionService, text: str) -> None:
    assert ask(service, text).outcome is Outcome.EMPTY_BUT_VALID


def test_two_kaons_of_either_charge(service: QuestionService) -> None:
    answer = ask(service, "Which decays have a J/psi and two kaons?")
    assert {row[0] for row in answer.rows} == {"B_s0 -> J/psi(1S) K+ K-"}


def test_alternatives_keep_their_numbers(service: QuestionService) -> None:
    answer = ask(service, "How many decays have two muons or two kaons?")
    assert answer.rows == ((3,),)


def test_named_twice_is_had_twice(service: QuestionService) -> None:
    assert ask(service, "How many decays have a muon and a muon?").rows == ((2,),)


@pytest.mark.parametrize("text", ["Which decays have fewer than two muons?"])
def test_a_number_that_is_not_read_is_refused(service: QuestionService, text: str) -> None:
    assert ask(service, text).outcome is Outcome.UNANSWERABLE
