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
        ("How many decays have no tau?", 12),
        ("How many decays have two taus?", 1),
        ("How many decays have a mu?", 4),
        ("How many decays have a muon?", 4),
        ("How many decays contain a D meson?", 3),
        ("How many decays contain D mesons?", 3),
        ("How many decays have a tau+?", 2),
    ],
)
def test_a_name_of_a_family_is_all_of_it(service: QuestionService, text: str, count: int) -> None:
    answer = ask(service, text)
    assert (answer.outcome, answer.rows) == (Outcome.ANSWERED, ((count,),))


def test_the_decaying_particle_is_meant_by_its_own_name(service: QuestionService) -> None:
    assert {r[0] for r in ask(service, "Which are the decays of the tau?").rows} == {"tau- -> mu- gamma"}
    assert {r[0] for r in ask(service, "decays of the B meson").rows} == {"B -> K tau mu"}


def test_what_else_a_symbol_might_stand_for_is_told(service: QuestionService) -> None:
    answer = ask(service, "How many decays have a proton?")
    assert answer.rows == ((2,),)
    assert "'proton' stands for 'p' alone; 'pbar' was not looked for." in answer.assumptions
    answer = ask(service, "How many decays have a K?")
    assert answer.rows == ((1,),)
    assert "'K' stands for 'K' alone; 'K+', 'K-' were not looked for." in answer.assumptions


def test_nothing_is_told_of_a_symbol_with_its_charge(service: QuestionService) -> None:
    assert not any("looked for" in a for a in ask(service, "How many decays have a K+?").assumptions)
