"""Phrases that no reading honours are not left out; kinds that people call by one word are told apart."""

from __future__ import annotations

import pytest

from cypher.paraphrase import settled
from cypher.service import QuestionService
from cypher.ways.decisive import decisive
from schemas.questions import Answer, Outcome, Question


def ask(service: QuestionService, text: str) -> Answer:
    return service.ask(Question(text=text))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Which limits have been replaced by a measurement?", "'replaced by a measurement'"),
        ("Which values were superseded by another limit?", "'superseded by another limit'"),
        ("Which papers measured phi_s for the first time in 2014?", "'for the first time in 2014'"),
        ("How many observables have a PDG fit?", "'have a PDG fit'"),
        ("What is the most common product of B_s0 decays?", "'most common product'"),
        ("From what does phi_s come?", "'From what'"),
        ("Which b hadrons decay to J/psi?", "hadrons"),
        ("How many B mesons are there?", "B mesons"),
    ],
)
def test_it_is_said_what_is_not_honoured(service: QuestionService, text: str, named: str) -> None:
    answer = ask(service, text)
    assert answer.outcome is Outcome.UNANSWERABLE, answer.explanation
    assert named in answer.text


@pytest.mark.parametrize(
    "text",
    [
        "Which values were superseded by later papers?",
        "Which values of phi_s were superseded?",
        "Which papers first measured phi_s?",
        "What is the PDG value of phi_s?",
        "How many measurements of phi_s are there?",
        "How often was phi_s measured?",
    ],
)
def test_what_is_near_it_is_answered(service: QuestionService, text: str) -> None:
    assert ask(service, text).outcome in {Outcome.ANSWERED, Outcome.EMPTY_BUT_VALID}


def test_ratios_of_branching_fractions_are_told_apart(service: QuestionService) -> None:
    answer = ask(service, "Which observables are branching ratios?")
    told = "'branching ratios' stands for 'branching ratio' alone; 'branching fraction' was not looked for."
    assert told in answer.assumptions


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (
            "Which observables were measured in 2012 and again in 2024?",
            "Which observables were measured in both 2012 and 2024?",
        ),
        (
            "Which observables were measured in 2012 and in 2024 by LHCb?",
            "Which observables were measured in both 2012 and 2024 by LHCb?",
        ),
        ("Which papers were published in 2012 and 2024?", "Which papers were published in 2012 and 2024?"),
        ("Who decays to J/psi phi?", "which particles decay to J/psi phi?"),
        (
            "Which particles appear in the final state of B_c+ decays?",
            "what are the products of B_c+ decays?",
        ),
    ],
)
def test_it_is_said_plainly(text: str, plain: str) -> None:
    assert settled(text) == plain


def test_what_is_searched_for_is_not_what_there_is() -> None:
    assert decisive("which decays were searched for?") != decisive("which decays are there?")


OUTSIDE = "What documents state that are not in this graph is not known here."


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Which observables have never been measured?", True),
        ("Which papers first measured phi_s?", True),
        ("Which papers measured phi_s but not R_K?", False),
        ("What is the latest value of phi_s?", False),
    ],
)
def test_of_what_nobody_stated_it_is_told_that_others_may_have(
    service: QuestionService, text: str, told: bool
) -> None:
    answer = ask(service, text)
    assert answer.outcome in {Outcome.ANSWERED, Outcome.EMPTY_BUT_VALID}
    assert (OUTSIDE in answer.assumptions) is told
