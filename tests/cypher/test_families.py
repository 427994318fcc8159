"""Names of particles that leave the charge open, where the graph has that very name, too: "a tau"."""

from __future__ import annotations

import pytest

from cypher.service import QuestionService
from schemas.questions import Answer, Outcome, Question
from tests.cypher.conftest import Graph, make_graph

DECAYS = {
    "B+ -> tau+ nu_tau": ("B+", ("tau+", "nu_tau")),
    "B_s0 -> tau+ tau-": ("B_s0", ("tau+", "tau-")),
    "B -> K tau mu": ("B", ("K", "tau", "mu")),
    "tau- -> mu- gamma": ("tau-", ("mu-", "gamma")),
    "B0 -> D0 K+ pi-": ("B0", ("D0", "K+", "pi-")),
    "B0 -> D X": ("B0", ("D", "X")),
    "B0 -> p pbar": ("B0", ("p", "pbar")),
    "B0 -> Lambda_cbar- p": ("B0", ("Lambda_cbar-", "p")),
    "B0 -> n pbar": ("B0", ("n", "pbar")),
    "psi(2S) -> D anything": ("psi(2S)", ("D", "anything")),
    "B0 -> omega K0": ("B0", ("omega", "K0")),
    "B+ -> omega(782) K+": ("B+", ("omega(782)", "K+")),
    "B0 -> K*(892) gamma": ("B0", ("K*(892)", "gamma")),
    "B+ -> K*(892)+ gamma": ("B+", ("K*(892)+", "gamma")),
    "B+ -> eta K+": ("B+", ("eta", "K+")),
    "B0 -> eta eta": ("B0", ("eta", "eta")),
    "B0 -> D*(2010)- pi+": ("B0", ("D*(2010)-", "pi+")),
    "B- -> D*(2007)0 pi-": ("B-", ("D*(2007)0", "pi-")),
    "B -> D* X": ("B", ("D*", "X")),
    "H -> W W": ("H", ("W", "W")),
    "W+- -> pi+- gamma": ("W+-", ("pi+-", "gamma")),
    "D0 -> K- pi+": ("D0", ("K-", "pi+")),
    "K+ -> pi+ pi0": ("K+", ("pi+", "pi0")),
    "phi(1020) -> K+ K-": ("phi(1020)", ("K+", "K-")),
    "B0 -> phi K0": ("B0", ("phi", "K0")),
    "B+ -> eta'(958) K+": ("B+", ("eta'(958)", "K+")),
}


@pytest.fixture(scope="module")
def small_graph() -> Graph:
    graph = make_graph()
    for name, (parent, children) in DECAYS.items():
        graph.node("decay", name, parent=parent, children=list(children))
    return graph


def ask(service: QuestionService, text: str) -> Answer:
    return service.ask(Question(text=text))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("How many decays have a tau?", 3),
        ("How many decays have a tau lepton?", 3),
        ("How many decays have no tau?", 29),
        ("How many decays have two taus?", 1),
        ("How many decays have a mu?", 4),
        ("How many decays have a muon?", 4),
        ("How many decays contain a D meson?", 4),
        ("How many decays contain D mesons?", 4),
        ("How many decays have a tau+?", 2),
        ("How many decays have an omega?", 2),
        ("How many decays are there with anything?", 1),
        ("How many decays have an omega(782)?", 2),
        ("How many decays have no omega?", 30),
        ("How many decays have an omega or an eta?", 4),
        ("How many decays have an eta'?", 1),
        ("How many decays contain omegas?", 2),
        ("How many decays have two etas?", 1),
        ("How many decays have an eta?", 2),
        ("How many decays have a K*?", 2),
        ("How many decays have a D*?", 3),
        ("How many decays have a D*-?", 1),
        ("How many decays have a K?", 12),
        ("How many decays have a K*+?", 1),
    ],
)
def test_a_name_of_a_family_is_all_of_it(service: QuestionService, text: str, count: int) -> None:
    answer = ask(service, text)
    assert (answer.outcome, answer.rows) == (Outcome.ANSWERED, ((count,),))


def test_the_decaying_particle_is_meant_by_its_own_name(service: QuestionService) -> None:
    assert {r[0] for r in ask(service, "Which are the decays of the tau?").rows} == {"tau- -> mu- gamma"}
    assert {r[0] for r in ask(service, "decays of the B meson").rows} == {"B -> K tau mu", "B -> D* X"}
    assert {r[0] for r in ask(service, "W decays with a photon").rows} == {"W+- -> pi+- gamma"}
    assert {r[0] for r in ask(service, "What are the decays of the W?").rows} == {"W+- -> pi+- gamma"}
    assert {r[0] for r in ask(service, "decays of the phi").rows} == {"phi(1020) -> K+ K-"}


def test_what_else_a_symbol_might_stand_for_is_told(service: QuestionService) -> None:
    answer = ask(service, "How many decays have a proton?")
    assert answer.rows == ((2,),)
    assert "'proton' stands for 'p' alone; 'pbar' was not looked for." in answer.assumptions


def test_nothing_is_told_of_a_symbol_with_its_charge(service: QuestionService) -> None:
    assert not any("looked for" in a for a in ask(service, "How many decays have a K+?").assumptions)


@pytest.mark.parametrize(
    "text",
    [
        "What are the decays of the omega?",
        "How many decays does the pi0 have?",
        "pi0 decays",
        "How many decays of the K*(892) are there?",
        "Which decays of the D0 have no pi?",
    ],
)
def test_what_decays_is_no_product(service: QuestionService, text: str) -> None:
    answer = ask(service, text)
    assert not any(row[0] for row in answer.rows), answer.explanation
    assert answer.outcome in {Outcome.ANSWERED, Outcome.EMPTY_BUT_VALID}
    assert "parent" in answer.explanation


@pytest.mark.parametrize("text", ["How many decays have a Lambda_cbar-?", "How many decays have a B0?"])
def test_a_product_is_nothing_that_decays(service: QuestionService, text: str) -> None:
    answer = ask(service, text)
    known = "Lambda" in text
    assert answer.outcome is (Outcome.ANSWERED if known else Outcome.EMPTY_BUT_VALID)
    assert answer.rows == (((1,),) if known else ())
    assert "children" in answer.explanation


@pytest.mark.parametrize(
    ("text", "children"),
    [
        ("Which decays of the B0 have both a D0 and a K+?", ("D0", "K+")),
        ("Which decays produce a gamma?", ("gamma",)),
        ("Which decays contain a tau and a mu?", ("tau", "mu")),
    ],
)
def test_a_product_is_one_wherever_it_stands(
    service: QuestionService, text: str, children: tuple[str, ...]
) -> None:
    answer = ask(service, text)
    assert answer.outcome is Outcome.ANSWERED, answer.text
    held = {name: set(found) for name, (_, found) in DECAYS.items()}
    assert all(set(children) <= held[str(row[0])] for row in answer.rows if str(row[0]) in held)
    assert any(str(row[0]) in held for row in answer.rows)


@pytest.mark.parametrize(
    "text",
    [
        "What is the mass of the gamma?",
        "How many decays have leptons?",
        "Which decays were not used to measure anything?",
    ],
)
def test_what_nothing_is_known_of_is_refused(service: QuestionService, text: str) -> None:
    assert ask(service, text).outcome is Outcome.UNANSWERABLE
