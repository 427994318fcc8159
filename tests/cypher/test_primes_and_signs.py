"""Primes at the end of a name, and signs of arithmetic between two names, are never dropped."""

from __future__ import annotations

import pytest

from cypher.service import QuestionService
from schemas.questions import Answer, Outcome, Question
from tests.cypher.conftest import Graph, make_graph

ETA, PRIMED, RATIO = "eta mass", "eta' mass", "Delta Gamma_s/Gamma_s"


@pytest.fixture(scope="module")
def small_graph() -> Graph:
    graph = make_graph()
    for name, particle, value in ((ETA, "eta", 547.9), (PRIMED, "eta'", 957.8), (RATIO, "B_s0", 0.12)):
        graph.node("observable", name, kind="mass", particle=particle)
        graph.edge(
            "1100005", "paper:1100005", "determines", f"observable:{name}", value=value, value_text=str(value)
        )
    return graph


def ask(service: QuestionService, text: str) -> Answer:
    return service.ask(Question(text=text))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("What are the values of the mass of the eta?", 547.9),
        ("What are the values of the mass of the eta'?", 957.8),
        ("values of the eta' mass", 957.8),
        ("values of the 'eta mass'", 547.9),
        ("values of Delta Gamma_s / Gamma_s", 0.12),
        ("values of Delta Gamma_s/Gamma_s", 0.12),
    ],
)
def test_a_name_keeps_its_prime_and_its_sign(service: QuestionService, text: str, value: float) -> None:
    answer = ask(service, text)
    assert answer.outcome is Outcome.ANSWERED, answer.text
    numbers = {c for row in answer.rows for c in row if isinstance(c, float)}
    assert value in numbers
    assert not numbers & ({547.9, 957.8, 0.12} - {value})


@pytest.mark.parametrize(
    "text",
    ["values of the B_s0' mass", "What is the mass of the B_s0'?", "papers that determine the phi_s'"],
)
def test_a_primed_name_is_not_the_plain_one(service: QuestionService, text: str) -> None:
    answer = ask(service, text)
    assert answer.outcome is Outcome.UNANSWERABLE
    assert "'" in answer.text


@pytest.mark.parametrize(
    "text",
    [
        "values of phi_s + B_s0 mass",
        "values of B_s0 mass / phi_s",
        "Which papers determine B_s0 mass - phi_s?",
        "phi_s × B_s0 mass",
    ],
)
def test_arithmetic_with_names_is_not_both_of_them(service: QuestionService, text: str) -> None:
    answer = ask(service, text)
    assert answer.outcome is Outcome.UNANSWERABLE
    assert "no sums, products or ratios of names are computed" in answer.text
