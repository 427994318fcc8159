"""Follow-up questions become full questions, ask back, or say why they cannot."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cypher.answers.asker import Asker
from cypher.answers.follow_up import Resolved, resolve
from cypher.answers.reading import Phrase, Reading
from cypher.service import QuestionService
from schemas.errors import QueryTimeoutError
from schemas.questions import Outcome, Question
from tests.cypher.conftest import RecordingRunner

PHI, VALUES = "Which papers determine phi_s?", "What are the values of phi_s?"
PRECISE, BY_YEAR = "What is the most precise B_s0 mass?", "How many measurements of phi_s by year?"
SOURCES = (
    *("which paper is that from?", "from which paper?", "which paper does this come from?", "who published"),
    *("who published it?", "who reported that?"),
)
RESOLVED = (
    (PHI, "and for Delta m_s?", "Which papers determine Delta m_s?"),
    (PHI, "What about R_K?", "Which papers determine R_K?"),
    (PHI, "how many?", "How many papers determine phi_s?"),
    (PHI, "How many are there?", "How many papers determine phi_s?"),
    (PHI, "in 2019?", "Which papers determine phi_s in 2019?"),
    (PHI, "and since 2018", "Which papers determine phi_s since 2018?"),
    ("Which papers since 2015 determine phi_s?", "in 2019?", "Which papers in 2019 determine phi_s?"),
    (VALUES, "how many?", "How many values of phi_s?"),
    (VALUES, "in mrad", "What are the values of phi_s in mrad?"),
    (VALUES, "newest first", "What are the values of phi_s, newest first?"),
    ("values of phi_s in rad, oldest first", "and in mrad?", "values of phi_s in mrad, oldest first?"),
    (VALUES, "and the latest?", "What is the latest value of phi_s?"),
    (VALUES, "the same for Delta m_s", "What are the values of Delta m_s?"),
    ("How many papers determine phi_s?", "which papers?", "Which papers determine phi_s?"),
    (PHI, "and how many papers?", "How many papers determine phi_s?"),
    (VALUES, "which papers?", "Which papers of phi_s?"),
    (VALUES, "which papers are there?", "which papers are there?"),
    (VALUES, "and which papers determine R_K?", "and which papers determine R_K?"),
    (VALUES, "In 2019, which papers determine R_K?", "In 2019, which papers determine R_K?"),
    (PHI, "Which uncertainty sources affect phi_s?", "Which uncertainty sources affect phi_s?"),
    (
        "What are the values of BR(B_s0 -> mu+ mu-)?",
        "which of these are not superseded?",
        "What are the values of BR(B_s0 -> mu+ mu-) that are not superseded?",
    ),
)
POINTING = (
    *((PRECISE, t, "Which paper has the most precise B_s0 mass?") for t in SOURCES),
    ("What is the latest value of phi_s?", "who measured it?", "Which paper has the latest value of phi_s?"),
    (PHI, "which year?", "What are the years of the papers that determine phi_s?"),
    (PHI, "when?", "What are the years of the papers that determine phi_s?"),
    (PHI, "sort by year", "Which papers determine phi_s, oldest first?"),
    (PHI, "papers?", PHI),
    (PHI, "which is the newest?", "Which is the newest of the papers that determine phi_s?"),
    (PHI, "which of these was the first?", "Which is the first of the papers that determine phi_s?"),
    (PHI, "which one is the most precise?", "Which paper has the most precise value of phi_s?"),
    (VALUES, "which is the oldest one?", "What is the oldest value of phi_s?"),
    ("How many papers determine phi_s?", "which ones?", PHI),
    ("How many papers determine phi_s?", "list them", PHI),
    (PHI, "which uncertainty sources affect it?", "which uncertainty sources affect phi_s?"),
    ("What is the value of phi_s in mrad?", "which paper?", "Which paper of phi_s?"),
    (
        "Which is the newest of the papers that determine phi_s?",
        "which is the oldest?",
        "Which is the oldest of the papers that determine phi_s?",
    ),
    (PHI, "what is the average?", "Which average of phi_s?"),
    (PHI, "what's the PDG value?", "Which PDG value of phi_s?"),
    (PHI, "how many measurements?", "How many measurements of phi_s?"),
    (PHI, "what are the values?", "Which values of phi_s?"),
    (PHI, "which decays were used?", "Which decays of phi_s?"),
    (PHI, "what are the uncertainties?", "Which uncertainties of phi_s?"),
    (PHI, "no limits", "Which papers determine values of phi_s that are not limits?"),
    (VALUES, "no limits", "What are the values of phi_s that are not limits?"),
    (PHI, "no, only since 2018", "Which papers determine phi_s since 2018?"),
    (BY_YEAR, "newest first", "How many measurements of phi_s by year, newest first?"),
)
OPEN = (
    *SOURCES,
    *("how many?", "what is the average?", "what's the PDG value?", "which decays were used?", "which year?"),
    *("what are the uncertainties?", "sort by year", "when was that?"),
)
PARENT, LIMITS = "Which decays have the parent B_s0?", "What are the values of BR(B_s0 -> mu+ mu-)?"
WITH_VALUES = (
    ("What is the mass of B_s0?", "and its lifetime?", {"the lifetime of B_s0"}),
    (PARENT, "with a J/psi(1S)", {"parent B_s0", "J/psi(1S)"}),
    (PARENT, "that contain mu+?", {"parent B_s0", "mu+"}),
    (PARENT, "only those with K+", {"parent B_s0", "K+"}),
    (PARENT, "not with a mu+", {"parent B_s0 without mu+"}),
    (PARENT, "and B+?", {"parent B+"}),
    ("Which decays of B_s0 contain mu+?", "with K+?", {"B_s0 contain mu+ and K+"}),
    ("Which decays contain a K+?", "and with a mu+?", {"contain a K+ and mu+"}),
    ("Which decays contain a K+?", "with a J/psi(1S)", {"contain a K+ and J/psi(1S)"}),
    ("Which decays contain a K+?", "but not of the B0", {"contain a K+", "not of B0"}),
    ("Which papers determine phi_s?", "not from LHCb", {"phi_s", "not from LHCb"}),
    ("Which decays of B_s0 with mu+ are there?", "without mu+", {"B_s0 without mu+"}),
    (LIMITS, "and for B+ -> K+ mu+ mu-?", {"BR(B+ -> K+ mu+ mu-)?"}),
    (PHI, "only LHCb", {"LHCb", "phi_s"}),
    (PHI, "only those by LHCb", {"LHCb", "phi_s"}),
    (PHI, "how many of them are from LHCb?", {"How many", "LHCb", "phi_s"}),
    ("Which LHCb papers determine phi_s?", "and ATLAS?", {"ATLAS", "phi_s"}),
    ("Which decays of B_s0 contain K+?", "and of B+?", {"B+", "K+"}),
)
NOT_RESOLVED = (
    ("", "and for B0?", "no question before this one"),
    (PHI, "and in Japan?", "'Japan'"),
    (PHI, "what about its lifetime?", "Ask it in full"),
    (PHI, "what about the weather?", "'weather'"),
    (PHI, "only the good ones", "Ask it in full"),
    ("Who won the match?", "and in 2019?", "was not understood either"),
)


def test_a_graph_that_answers_nothing_ends_a_question_too(service: QuestionService) -> None:
    @contextmanager
    def frozen(seconds: float) -> Iterator[None]:
        raise QueryTimeoutError(f"no answer within {seconds} s")
        yield

    answer = Asker(service, within=frozen).ask(Question(text=PHI))
    assert answer.outcome is Outcome.TIMEOUT
    assert "did not answer within" in answer.text


@pytest.mark.parametrize(("before", "text", "full"), RESOLVED)
def test_a_follow_up_becomes_a_full_question(
    dry_service: QuestionService, before: str, text: str, full: str
) -> None:
    assert resolve(text, before, dry_service) == Resolved(full)


@pytest.mark.parametrize(("before", "text", "full"), POINTING)
def test_what_leaves_open_what_it_is_about_is_of_the_question_before(
    dry_service: QuestionService, before: str, text: str, full: str
) -> None:
    assert resolve(text, before, dry_service) == Resolved(full)
    assert dry_service.read(full).understood


@pytest.mark.parametrize("text", OPEN)
def test_what_leaves_open_what_it_is_about_is_refused_alone(
    dry_service: QuestionService, recording: RecordingRunner, text: str
) -> None:
    answer = Asker(dry_service).ask(Question(text=text))
    assert answer.outcome is Outcome.UNANSWERABLE
    assert "outside this question" in answer.text or "no question before this one" in answer.text
    assert dry_service.ask(Question(text=text)).outcome is Outcome.UNANSWERABLE
    assert not [q for q in recording.queries if "statement_ids" in q.columns]


def test_the_paper_of_an_average_is_asked_back(dry_service: QuestionService) -> None:
    found = resolve("which paper is that from?", "What is the B_s0 mass?", dry_service)
    assert (found.text, found.options) == ("", ("Which papers determine B_s0 mass?",))
    assert resolve("sort by colour", PHI, dry_service).reason.startswith(
        "It is not known what 'sort by colour'"
    )


def test_a_count_for_each_year_stays_one_in_another_order(dry_service: QuestionService) -> None:
    read = dry_service.read("How many measurements of phi_s by year, newest first?")
    assert read.signature == dry_service.read(BY_YEAR).signature


@pytest.mark.neo4j
@pytest.mark.parametrize(("before", "text", "words"), WITH_VALUES)
def test_a_value_of_the_graph_is_added_or_exchanged(
    service: QuestionService, before: str, text: str, words: set[str]
) -> None:
    answer = Asker(service).ask(Question(text=text), before=before)
    assert answer.outcome in {Outcome.ANSWERED, Outcome.EMPTY_BUT_VALID}, answer.text
    assert answer.question == text
    assert all(w in answer.resolved for w in words), answer.resolved
    assert "LHCb papers" not in answer.resolved or "ATLAS" not in text
    direct = service.ask(Question(text=answer.resolved))
    assert (direct.cypher, direct.parameters) == (answer.cypher, answer.parameters)


@pytest.mark.parametrize(("before", "text", "said"), NOT_RESOLVED)
def test_it_says_when_it_cannot_be_resolved(
    dry_service: QuestionService, before: str, text: str, said: str
) -> None:
    answer = Asker(dry_service).ask(Question(text=text), before=before)
    assert answer.outcome is Outcome.UNANSWERABLE
    assert said in answer.text
    assert answer.resolved == ""


@pytest.mark.neo4j
@pytest.mark.parametrize(
    ("before", "text", "said"),
    [
        (LIMITS, "and for B0 -> K+ pi-?", "knows nothing called 'BR(B0 -> K+ pi-)'"),
        (LIMITS, "what about phi(1020)?", "cannot be read as a follow-up"),
        ("", "and for B_s0?", "no question before this one"),
        ("", "with a J/psi(1S)?", "no question before this one"),
    ],
)
def test_a_fragment_is_not_read_as_something_else(
    service: QuestionService, before: str, text: str, said: str
) -> None:
    answer = Asker(service).ask(Question(text=text), before=before)
    assert (answer.outcome, answer.resolved) == (Outcome.UNANSWERABLE, "")
    assert said in answer.text


@pytest.mark.neo4j
def test_a_kind_alone_is_not_answered_with_all_there_are(service: QuestionService) -> None:
    """After the one latest value "which papers?" may mean its paper or all: it is asked back."""
    before = "What is the latest value of phi_s?"
    answer = Asker(service).ask(Question(text="which papers?"), before=before)
    assert (answer.outcome, answer.suggestions) == (Outcome.AMBIGUOUS, ("Which papers of phi_s?",))
    answer = Asker(service).ask(Question(text="which methods?"), before="Which papers are there?")
    assert answer.outcome is Outcome.UNANSWERABLE
    assert "'Which methods are there?' asks for all" in answer.text


@pytest.mark.neo4j
@pytest.mark.parametrize("joint", ["with", "and contain", "containing"])
def test_two_values_of_an_attribute_with_one_value_are_not_both_wanted(
    service: QuestionService, joint: str
) -> None:
    answer = service.ask(Question(text=f"Which decays have the parent B_s0 {joint} a J/psi(1S)?"))
    assert {row[0] for row in answer.rows} == {"B_s0 -> J/psi(1S) phi(1020)", "B_s0 -> J/psi(1S) K+ K-"}


def test_two_meanings_are_asked_back() -> None:
    class TwoPlaces:
        def read(self, text: str) -> Reading:
            at = [(m, m + 1) for m, c in enumerate(text) if c in "ABC"]
            found = tuple(Phrase(s, e, text[s:e], frozenset({"entity thing"})) for s, e in at)
            conditions = frozenset(f"{n}{text[s:e]}" for n, (s, e) in enumerate(at))
            return Reading(True, signature=text, shape="s", conditions=conditions, phrases=found)

    found = resolve("and for C?", "compare A with B", TwoPlaces())
    assert found.options == ("compare C with B?", "compare A with C?")
    assert found.text == ""


REWORDED = (
    PRECISE,
    BY_YEAR,
    "Thanks, and which papers determine phi_s please?",
    LIMITS,
    PARENT,
    f"{VALUES} in mrad",
)


@pytest.mark.parametrize("text", REWORDED)
def test_phrases_are_those_of_the_question_itself(dry_service: QuestionService, text: str) -> None:
    """Also where the question was understood in other words than its own."""
    phrases = dry_service.read(text).phrases
    assert phrases
    assert [text[p.start : p.end] for p in phrases] == [p.text for p in phrases]


@pytest.mark.parametrize(
    ("before", "text"),
    [
        *((PRECISE, t) for t in ("who published it?", "who measured that?", "who measured it first?")),
        *((BY_YEAR, t) for t in ("where?", "when?", "list them", "which year?", "really?", "thanks")),
        (PHI, "both with gamma"),
        (BY_YEAR, "only with errors below 0.1"),
        ("", "How many measurements of phi_s by year by errors below 0.1?"),
    ],
)
def test_no_follow_up_of_a_reworded_question_is_a_fault(
    dry_service: QuestionService, before: str, text: str
) -> None:
    answer = Asker(dry_service).ask(Question(text=text), before=before)
    assert answer.text
    assert answer.outcome is not Outcome.FAILED


@given(st.text(max_size=80), st.sampled_from(["", PHI, VALUES, "nonsense"]))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_is_resolved_or_refused_with_a_reason(
    dry_service: QuestionService, text: str, before: str
) -> None:
    found = resolve(text, before, dry_service)
    assert sum(map(bool, (found.text, found.options, found.reason))) == 1 or not text
    answer = Asker(dry_service).ask(Question(text=text), before=before)
    assert answer.text


@pytest.mark.neo4j
def test_what_is_not_of_a_particle_may_have_it_among_its_products(service: QuestionService) -> None:
    asker = Asker(service)
    all_of_them = asker.ask(Question(text="Which decays contain a K+?"))
    found = asker.ask(Question(text="but not of the B0"), before="Which decays contain a K+?")
    assert {r[0] for r in all_of_them.rows} - {r[0] for r in found.rows} == {"B0 -> K+ pi-"}
