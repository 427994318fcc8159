"""Names that hold other names, and common names that leave the charge of a particle open."""

from __future__ import annotations

import pytest

from cypher.schema_words import ValueWord
from cypher.service import QuestionService
from cypher.vocabulary import Vocabulary
from schemas.language.names import name_key
from schemas.questions import Outcome, Question

MUMU, PSIPHI, PSIKK = "B_s0 -> mu+ mu-", "B_s0 -> J/psi(1S) phi(1020)", "B_s0 -> J/psi(1S) K+ K-"
DSPI, KMUMU, KPI = "B_s0 -> D_s- pi+", "B+ -> K+ mu+ mu-", "B0 -> K+ pi-"


@pytest.mark.neo4j
@pytest.mark.parametrize(
    "text",
    [
        "What is the branching fraction of B_s0 -> mu+ mu-?",
        "What is the branching ratio of B_s0 -> mu+ mu-?",
        "branching fraction of B_s0 → μ+μ-",
        "What is the branching ratio for the B_s0 -> mu+ mu- decay?",
        "Give me the branching fraction for the channel B_s0 -> mu+ mu-.",
        "What is the branching ratio of the decay mode B_s0 -> mu+ mu-?",
    ],
)
def test_the_name_of_a_quantity_that_holds_a_decay_asks_for_its_values(
    service: QuestionService, text: str
) -> None:
    answer = service.ask(Question(text=text, use_llm=False))
    assert answer.outcome is Outcome.ANSWERED, answer.text
    assert {row[0] for row in answer.rows} == {"1100002", "1100004", "1100008"}, answer.explanation
    assert "value" in answer.columns


@pytest.mark.neo4j
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Which decays contain a muon?", {MUMU, KMUMU}),
        ("Which decays of the B+ contain a kaon and a muon?", {KMUMU}),
        ("Which decays contain a pion?", {DSPI, KPI}),
        ("Which decays contain a charged kaon but no muon?", {PSIKK, KPI}),
        ("Which decays of the B_s0 contain neither a muon nor a pion?", {PSIPHI, PSIKK}),
        ("Which decays without muons contain a J/psi(1S)?", {PSIPHI, PSIKK}),
        ("Which decays contain a muon or a pion?", {MUMU, KMUMU, DSPI, KPI}),
    ],
)
def test_a_common_name_stands_for_every_charge(
    service: QuestionService, text: str, expected: set[str]
) -> None:
    answer = service.ask(Question(text=text, use_llm=False))
    assert answer.outcome is Outcome.ANSWERED, answer.text
    assert {row[0] for row in answer.rows} == expected, answer.cypher


@pytest.mark.neo4j
def test_what_a_common_name_was_read_as_is_said(service: QuestionService) -> None:
    answer = service.ask(Question(text="How many decays contain a muon?", use_llm=False))
    assert answer.rows == ((2,),)
    assert "'muon' was read as the children of the decay ('mu+' or 'mu-')." in answer.assumptions


def test_a_symbol_without_a_charge_is_any_of_them() -> None:
    known = ("mu+", "mu-", "mu", "K+", "K")
    words = {v: (ValueWord("decay", "children", v, many=True),) for v in known}
    vocabulary = Vocabulary({name_key(v): w for v, w in words.items()})
    (kaon,) = vocabulary.lookup("K")
    assert (set(kaon.among), kaon.beside) == ({"K+", "K"}, ())
    assert vocabulary.lookup("mu")[0].among == ("mu+", "mu-", "mu")
    assert vocabulary.lookup("Muons")[0].among == ("mu+", "mu-", "mu")
    assert vocabulary.lookup("electron") == ()


@pytest.mark.neo4j
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Which papers measured a branching fraction and a branching ratio?", {"1100007"}),
        ("Which papers measured both an angular observable and a lifetime?", {"1100005"}),
        ("Which papers measured a lifetime or a branching ratio?", {"1100005", "1100007", "1100009"}),
        ("Which papers measured widths, lifetimes and angular observables?", {"1100005"}),
        ("Which observables are branching ratios and widths?", {"R_K", "Delta Gamma_s"}),
        ("What are the lifetimes and widths of the B_s0?", {"1100005", "1100009"}),
    ],
)
def test_two_values_joined_by_and_may_be_of_two_things(
    service: QuestionService, text: str, expected: set[str]
) -> None:
    answer = service.ask(Question(text=text, use_llm=False))
    assert answer.outcome is Outcome.ANSWERED, answer.text
    assert {row[0] for row in answer.rows} == expected, answer.explanation


@pytest.mark.neo4j
def test_a_count_of_what_has_each_value_is_no_count_of_what_has_any(service: QuestionService) -> None:
    both = service.ask(Question(text="How many papers measured a width and a lifetime?", use_llm=False))
    either = service.ask(Question(text="How many papers measured a width or a lifetime?", use_llm=False))
    assert (both.rows, either.rows) == (((1,),), ((2,),))
