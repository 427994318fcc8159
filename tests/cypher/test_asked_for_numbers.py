"""How people ask for a number, and what they say around it."""

from __future__ import annotations

import pytest

from cypher.no_limits import split_no_limits
from cypher.paraphrase import plainer, settled
from cypher.particle_phrases import decays_written
from cypher.service import QuestionService
from schemas.language.notation import parse_decay
from schemas.language.particle_words import leptons_signed
from schemas.questions import Outcome, Question


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("What is the mass of the J/psi particle in MeV?", "What is the mass of the J/psi in MeV?"),
        ("bs lifetime", "B_s lifetime"),
        ("current upper limit on BR(B0 -> mu+ mu-)", "upper limit on BR(B0 -> mu+ mu-)"),
        (
            "was the W mass of AALTONEN 2012E superseded?",
            "was the W mass value of AALTONEN 2012E superseded?",
        ),
        (
            "Is the W mass result of AALTONEN 2012E marked as superseded by a later paper?",
            "was the W mass value of AALTONEN 2012E superseded?",
        ),
        (
            "How many BaBar papers have at least one result that has been superseded?",
            "How many BaBar papers with a superseded result?",
        ),
        (
            "Which K+ branching fractions are above 1%?",
            "Which K+ branching fractions have a recommended value above 1%?",
        ),
        (
            "affected by the uncertainty on the phi -> K+ K- branching fraction",
            "affected by BR(phi -> K+ K-)",
        ),
        ("papers that put the W' mass below 2 TeV", "papers with an upper limit on W' mass below 2 TeV"),
        ("delta in neutrino mixing (in units of pi)", "delta in neutrino mixing"),
        ("Was any result of AALTONEN 2012E superseded?", "Was any result of AALTONEN 2012E superseded?"),
        ("papers by the ATLAS team", "papers by the ATLAS collaboration"),
        ("phi_s measurements since 2013, values and papers please", "phi_s measurements since 2013"),
        ("most recent paper(s) on phi_s", "most recent papers on phi_s"),
        ("papers since the year 2000", "papers since 2000"),
        (
            "how often does a higgs turn into two photons",
            "what is the branching fraction of the Higgs decaying to two photons?",
        ),
    ],
)
def test_a_question_is_settled_before_it_is_read(text: str, plain: str) -> None:
    assert settled(text) == plain


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (
            "What fraction of Z boson decays are invisible?",
            "what is BR(Z -> invisible)?",
        ),
        ("How heavy can the photon be at most?", "what is the recommended value of the photon mass?"),
        ("papers on how long a free neutron lives", "papers on the neutron mean life"),
        ("Could you give me the papers on phi_s?", "the papers on phi_s?"),
        ("Which limits on phi_s are there, and what are they in GeV?", "Which limits on phi_s are there?"),
        ("What limit does the PDG quote for phi_s?", "what is the recommended value of phi_s?"),
        (
            "Which ATLAS papers measure the W mass, and what value does each give in GeV?",
            "ATLAS values of the W mass",
        ),
        ("NA62 K+ -> pi+ nu nubar papers, oldest first", "NA62 papers on K+ -> pi+ nu nubar"),
        ("Which papers were the very first to measure phi_s?", "which papers first measured phi_s?"),
        ("What does an electron weigh?", "what is the electron mass?"),
        ("May I ask what value is recommended for phi_s?", "what is the recommended value of phi_s?"),
        ("What width does the PDG quote for the Z?", "what is the recommended value of the width of the Z?"),
        ("Has anybody determined phi_s?", "is there a measurement of the phi_s?"),
        ("How many papers have no experiment assigned?", "How many papers are without any experiment?"),
        (
            "In the years before 1980, which papers determined phi_s, and what value did each of them give?",
            "values of phi_s before 1980",
        ),
        ("What else does AAIJ 2021C measure?", "What else does AAIJ 2021C measure?"),
        (
            "Besides the B_s0 mass, what else does AAIJ 2021C measure?",
            "which quantities besides the B_s0 mass did AAIJ 2021C determine?",
        ),
        (
            "papers published in 2020 or later that are on phi_s",
            "which papers are on phi_s published since 2020",
        ),
        (
            "Which CMS results on phi_s were superseded, and by which papers?",
            "Which CMS results on phi_s were superseded?",
        ),
    ],
)
def test_a_question_is_said_in_plainer_words(text: str, plain: str) -> None:
    assert plainer(text) == plain


@pytest.mark.parametrize(
    "text",
    [
        "What are the sources of uncertainty on the Xi_cc++ mass and how large are they?",
        "Which papers were superseded, and by which papers?",
        "For BR(D+ -> K- pi+), which papers have a title?",
        "Which paper has the lowest limit on phi_s, and at what confidence level?",
        "papers on phi_s. List only those with limits",
        "values of phi_s. Give the average please.",
        "Which papers first measured phi_s, and what was the value?",
        "Which experiments measured phi_s, and how many papers does each have?",
    ],
)
def test_what_asks_for_more_is_kept(text: str) -> None:
    said = plainer(text)
    assert text.split()[-2].strip(",.?") in said, said


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("a measured value, rather than just a limit, for phi_s", "a measured value, for phi_s"),
        ("papers with a value of phi_s that is not a limit", "papers with a value of phi_s"),
    ],
)
def test_limits_are_left_out(text: str, plain: str) -> None:
    assert split_no_limits(text) == (plain, True)


def test_a_lepton_that_decays_has_the_sign_of_what_it_decays_to() -> None:
    decays = ("mu -> e- gamma", "tau -> mu+ gamma", "mu -> e gamma", "D0 -> K- pi+")
    assert [leptons_signed(parse_decay(d)).name for d in decays] == [
        "mu- -> e- gamma",
        "tau+ -> mu+ gamma",
        "mu- -> e- gamma",
        "D0 -> K- pi+",
    ]
    assert decays_written("a muon decays into an electron and a photon").startswith("mu- -> e- gamma")


@pytest.mark.neo4j
@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("papers on phi_s without a value", Outcome.EMPTY_BUT_VALID),
        ("Which papers on Delta m_s are without a value?", Outcome.EMPTY_BUT_VALID),
    ],
)
def test_what_is_said_not_to_be_is_no_empty_answer(
    service: QuestionService, text: str, wrong: Outcome
) -> None:
    answer = service.ask(Question(text=text, use_llm=False))
    assert answer.outcome is not wrong, answer.explanation
    assert not answer.rows


@pytest.mark.neo4j
def test_who_measured_a_value_that_is_no_limit(service: QuestionService) -> None:
    """A paper with a limit and a value was left out; of experiments all were listed."""
    values = service.ask(Question(text="values of BR(B_s0 -> mu+ mu-) that are not limits", use_llm=False))
    papers = service.ask(
        Question(text="papers with a value of BR(B_s0 -> mu+ mu-) that is not a limit", use_llm=False)
    )
    assert values.rows
    column = values.columns.index("paper") if "paper" in values.columns else 0
    assert {r[0] for r in papers.rows} == {r[column] for r in values.rows}, (papers, values)


@pytest.mark.neo4j
def test_a_span_of_years_behind_for_is_a_span(service: QuestionService) -> None:
    """ "Papers per year for 2010 to 2020" counted those of 2010 alone."""
    between = service.ask(Question(text="number of papers by year between 2008 and 2020", use_llm=False))
    said = service.ask(Question(text="number of papers by year for 2008 to 2020", use_llm=False))
    assert len(between.rows) > 1
    assert said.rows == between.rows


@pytest.mark.neo4j
def test_from_a_year_on_a_topic_is_that_year(service: QuestionService) -> None:
    """ "Papers from 2012 on phi_s" was read as all since 2012."""
    on = service.ask(Question(text="papers from 2012 on phi_s", use_llm=False))
    since = service.ask(Question(text="papers on phi_s since 2012", use_llm=False))
    assert "is 2012" in on.explanation, on.explanation
    assert "at least 2012" in since.explanation
