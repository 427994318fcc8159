"""Questions as students and reviewers put them: courtesies, purposes, pronouns, particles in words."""

from __future__ import annotations

import pytest

from cypher.asides import Named, cores
from cypher.general.answer import Shown, shown
from cypher.general.kinds import Form, Kind
from cypher.general.plan import Compare, Comparing, Plan, Side, Tree
from cypher.identifiers import REPLACED, STATEMENTS
from cypher.link import _first_of_each_type
from cypher.paraphrase import plainer, settled
from cypher.particle_phrases import notated
from cypher.service import QuestionService
from schemas.questions import EntityMatch, Outcome, Question, Subgraph

PHIS = {"1100005", "1100006"}
PSI = {"B_s0 -> J/psi(1S) phi(1020)", "B_s0 -> J/psi(1S) K+ K-"}
RARE = {"R_K", "BR(B+ -> K+ mu+ mu-)"}
DIMUONS = {"1100002", "1100004", "1100008"}
LISTS: tuple[tuple[str, set[object]], ...] = (
    ("Could you please tell me which papers determine phi_s?", PHIS),
    ("I am writing a chapter on mixing, so could you list the papers on phi_s?", PHIS),
    ("I need all papers on phi_s for the bibliography of my thesis.", PHIS),
    ("Reviewer question: which papers determine phi_s?", PHIS),
    ("We discuss the paper 1100001 in our group meeting; which quantities does it determine?", {"Delta m_s"}),
    ("I have read a lot about phi_s; which papers give a value or a limit for it?", PHIS),
    (
        "I know LHCb and CMS papers, so which other experiments, apart from these two, measured Delta m_s?",
        {"CDF"},
    ),
    ("Which experiments other than LHCb determine Delta m_s?", {"CDF"}),
    ("Which papers except 1100005 determine phi_s?", {"1100006"}),
    ("Papers with 'phases' in the title", PHIS),
    ("Which papers mention phases in their title?", PHIS),
    ("Which LHCb papers have a title that contains the word dimuons?", {"1100002", "1100008"}),
    ("Which papers whose title contains oscillation determine Delta m_s?", {"1100003", "1100010"}),
    (
        "Show me the decays of the B_s0 meson with a J/psi(1S)",
        {"B_s0 -> J/psi(1S) phi(1020)", "B_s0 -> J/psi(1S) K+ K-"},
    ),
    ("Papers with the branching fraction of the B_s0 meson decaying to two muons", DIMUONS),
    (
        "Which papers report the branching fraction of the B_s0 decaying into mu+ mu-?",
        {"1100002", "1100004", "1100008"},
    ),
    ("Which papers determine both the lifetime and the width of the B_s0?", {"1100005"}),
    ("What is the smallest total error of Delta m_s for each experiment?", {"LHCb", "CDF"}),
    ("For each experiment, what is the highest value of Delta m_s?", {"LHCb", "CDF"}),
    ("What is the latest year of a paper on phi_s by each experiment?", {"LHCb", "ATLAS"}),
    (
        "Which quantities of the B+ have been measured by LHCb and by nobody else?",
        {"R_K", "BR(B+ -> K+ mu+ mu-)"},
    ),
    ("Papers that measure phi_s without measuring Delta Gamma_s too", {"1100006"}),
    ("Which papers had their BR(B_s0 -> mu+ mu-) value superseded by another paper?", {"1100002"}),
    ("I could not find it myself, so may I ask which papers determine phi_s?", PHIS),
    ("I have heard that nobody measures it any more; could you list the papers on phi_s?", PHIS),
)


@pytest.mark.neo4j
@pytest.mark.parametrize(("text", "expected"), LISTS)
def test_people_are_understood(service: QuestionService, text: str, expected: set[object]) -> None:
    answer = service.ask(Question(text=text, use_llm=False))
    assert answer.outcome is Outcome.ANSWERED, answer.text
    assert {r[0] for r in answer.rows} == expected, answer.explanation


@pytest.mark.neo4j
def test_how_a_question_was_read_is_said(service: QuestionService) -> None:
    answer = service.ask(
        Question(text="Could you please tell me which papers determine phi_s?", use_llm=False)
    )
    assert "Read as: which papers determine phi_s?" in answer.assumptions


@pytest.mark.neo4j
def test_the_numbers_of_each_stand_beside_them(service: QuestionService) -> None:
    answer = service.ask(Question(text="highest value of Delta m_s of each experiment", use_llm=False))
    assert {(r[0], r[answer.columns.index("value")]) for r in answer.rows} == {
        ("CDF", 17.77),
        ("LHCb", 17.768),
    }
    assert "all kept" in answer.explanation


@pytest.mark.neo4j
@pytest.mark.parametrize(
    "text",
    [
        "I only care about LHCb, so which papers determine phi_s?",
        "We work on papers from after 2018, so which papers determine phi_s?",
        "My colleague talks about phi_s and Delta m_s; which papers determine it?",
        "I like LHCb results, so which papers determine phi_s?",
        "I like CLEO results, so which papers determine phi_s?",
        "What is the earliest paper on phi_s of each experiment?",
        "Which papers determine phi_s currently?",
        "Which experiments other than phi_s determine Delta m_s?",
        "Which papers on phi_s does it replace?",
        "We work on IceCube, so which papers determine phi_s?",
    ],
)
def test_what_may_be_a_condition_is_not_left_out(service: QuestionService, text: str) -> None:
    answer = service.ask(Question(text=text, use_llm=False))
    assert answer.outcome in (Outcome.UNANSWERABLE, Outcome.AMBIGUOUS), answer.explanation


def test_two_questions_about_one_thing_are_both_answered(service: QuestionService) -> None:
    both = "Through which decay channels is phi_s measured, and what systematic uncertainties affect it?"
    answer = service.ask(Question(text=both, use_llm=False))
    decays = service.ask(Question(text="Through which decay channels is phi_s measured?", use_llm=False))
    sources = service.ask(Question(text="What systematic uncertainties affect phi_s?", use_llm=False))
    assert (answer.outcome, decays.outcome) == (Outcome.ANSWERED, Outcome.ANSWERED)
    assert all(str(row[0]) in answer.text for row in decays.rows)
    assert sources.outcome is Outcome.ANSWERED
    assert {row[0] for row in answer.rows} == {row[0] for row in sources.rows}


@pytest.mark.parametrize(
    ("text", "core"),
    [
        (
            "I was wondering which papers determine phi_s, could you list those?",
            "which papers determine phi_s?",
        ),
        ("Hi all, would you be so kind as to give me the papers on phi_s?", "the papers on phi_s?"),
        ("For my talk I need the papers on phi_s, thanks.", None),
    ],
)
def test_courtesies_are_left_out(text: str, core: str | None) -> None:
    found = list(cores(text, lambda _: ()))
    assert (core in found) if core else all("thanks" not in f for f in found)


@pytest.mark.parametrize(
    "text",
    [
        "Which papers determine just phi_s?",
        "Which papers list those?",
        "For the W mass, I need the most precise value.",
        "I am looking at LHCb results and want the papers on phi_s",
        "Which values are used for the review?",
        "papers for my phi_s chapter",
        "XENON student here: papers on phi_s",
    ],
)
def test_no_name_and_no_condition_is_a_courtesy(text: str) -> None:
    kept = ("just phi_s", "list those", "W mass", "LHCb", "review", "phi_s chapter", "XENON")
    (word,) = (k for k in kept if k in text)
    assert all(word in core for core in cores(text, lambda _: ()))


@pytest.mark.parametrize(
    "text",
    [
        "papers by LHCb with a long phrase (technique HBC) of X",
        "Which papers published after 2010, the LHCb ones?",
        "measurements of X (smallest error)",
        "quantities measured by LHCb only in 2012",
    ],
)
def test_a_rule_drops_no_name_and_no_superlative(text: str) -> None:
    plain = plainer(text)
    for word in ("LHCb", "smallest error", "only in 2012"):
        assert (word in text) == (word in plain)


def test_a_pronoun_takes_the_phrase_that_it_points_at() -> None:
    text = "I read about the mean life of the B_s0; which papers give a value for it?"
    at = text.index("B_s0")

    def names(part: str) -> tuple[Named, ...]:
        return (Named(at, at + 4, True),) if part.startswith("I read") else ()

    assert list(cores(text, names)) == ["which papers give a value for the mean life of the B_s0?"]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("the decay of the phi(1020) into K+ K-", "phi(1020) -> K+ K-"),
        ("the branching fraction of B_s0 to K- mu+ nu_mu", "the branching fraction of B_s0 -> K- mu+ nu_mu"),
        ("long-lived neutral kaon into a neutral pion and two neutrinos", "K0L -> pi0 nu nubar"),
        ("decays of the Z boson", "decays of the Z0"),
        ("papers from LHCb to CMS", "papers from LHCb to CMS"),
        ("How many K mesons decay to e+ e-?", "How many K decay to e+ e-?"),
        ("'B_s0 meson' papers", "'B_s0 meson' papers"),
    ],
)
def test_particles_and_decays_in_words(text: str, written: str) -> None:
    assert notated(text) == written


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (
            "What is the strictest upper bound anyone has published on X?",
            "What is the tightest upper limit on X?",
        ),
        ("best limit tau- -> mu- gamma", "tightest upper limit on tau- -> mu- gamma"),
        ("X best upper limit, which paper", "which paper sets the tightest upper limit on X?"),
        ("how low is the tightest upper limit on X nowadays?", "what is the tightest upper limit on X?"),
        ("Which papers determine X currently?", "Which papers determine X currently?"),
        ("How small is X at most, going by the best limit?", "what is the tightest upper limit on X?"),
        ("Who measured X? Only the experiments, please.", "which experiments measured X?"),
        ("Who was first to measure X? Which paper was it?", "which paper first measured X?"),
        ("On how many papers does the X listing rest?", "how many papers are on X?"),
        ("What average does the PDG give for X?", "what is the PDG average of X?"),
        ("How large is the X according to the PDG?", "what is the PDG value of the X?"),
        ("What value does the Particle Data Group recommend for X?", "what is the recommended value of X?"),
        (
            "The first measurement of X appeared in which paper?",
            "which paper has the first measurement of X?",
        ),
        ("Best single measurement of X (smallest error)", "Best measurement of X"),
    ],
)
def test_much_is_said_in_many_ways(text: str, plain: str) -> None:
    assert plainer(text) == plain


@pytest.mark.parametrize(
    "text",
    [
        "papers with a precise measurement of the W mass",
        "How many measurements of phi_s per paper",
        "largest value of phi_s for each paper",
        "values of the W mass with a paper number",
        "'values with paper'",
    ],
)
def test_other_questions_stay_as_they_are(text: str) -> None:
    assert settled(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "Is the average of phi_s larger than that of Delta m_s?",
        "Is phi_s smaller than Delta m_s?",
        "What is the difference between the averages of phi_s and Delta m_s?",
        "What is the ratio of the average of phi_s to the average of Delta m_s?",
        "Is the B_s0 heavier than the B+?",
        "Taking the PDG averages, what is the ratio of the B_s0 mass to the B+ mass?",
    ],
)
def test_listed_numbers_are_compared(dry_service: QuestionService, text: str) -> None:
    answer = dry_service.ask(Question(text=text, use_llm=False))
    assert answer.outcome is Outcome.EMPTY_BUT_VALID, answer.text
    average = "average" in text
    assert answer.explanation.startswith("Compares the average" if average else "Compares the pdg value")


def _difference(first: float, unit: str, second: float, other: str) -> Shown:
    kind = Kind(Form.ENTITY, "observable")
    sides = (Side("B_s0 mass", Tree(kind)), Side("top quark mass", Tree(kind)))
    plan = Plan(sides[0].root, Compare(Comparing.DIFFERENCE, sides))
    columns = ("first", "second", "first_unit", "second_unit", STATEMENTS, REPLACED)
    return shown(plan, Subgraph(columns=columns, rows=((first, second, unit, other, (), 0),)), limit=9)


def test_numbers_in_different_units_are_brought_into_one() -> None:
    found = _difference(5000.0, "MeV", 1.0, "GeV")
    assert found.text == "4000 MeV (B_s0 mass: 5000 MeV, top quark mass: 1 GeV)"
    assert found.table.rows == ((4000.0, "MeV"),)


def test_numbers_of_different_kinds_are_not_compared() -> None:
    found = _difference(5000.0, "MeV", 1.0, "ps")
    assert (found.mixed, found.text, found.table.rows) == (True, "MeV, ps", ())


def test_a_name_in_another_spelling_may_be_of_another_type() -> None:
    source, quantity = (
        EntityMatch(id=i, type=t, name=n, score=1.0, via="name")
        for i, t, n in (("1", "uncertainty_source", "D+ lifetime"), ("2", "observable", "D+- mean life"))
    )
    assert _first_of_each_type([(source,), (), (quantity,), (source,)]) == (source, quantity)
