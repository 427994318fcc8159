"""What a question says twice, beside itself or in another order: parentheses, talk, names in words."""

from __future__ import annotations

import pytest

from cypher.asides import Named
from cypher.fillers import is_filler
from cypher.named_in_words import named_in_words
from cypher.normalise import tokenise
from cypher.paraphrase import plainer, settled
from cypher.parentheses import resolved
from cypher.particle_phrases import parents_asked, quantities_compared, with_signs
from cypher.schema_words import ValueWord
from cypher.service import QuestionService
from cypher.spelling import spellings
from cypher.vocabulary import Vocabulary
from schemas.questions import EntityMatch, Outcome, Question

PHIS = {"1100005", "1100006"}
LISTS: tuple[tuple[str, set[str]], ...] = (
    ("Hi, I am new in the group and would like to know which papers determine phi_s?", PHIS),
    ("phi_s: papers", PHIS),
    ("Which papers determine the phase, i.e. phi_s?", PHIS),
    ("For phi_s, list the papers", PHIS),
    ("Every reference that gives phi_s", PHIS),
    ("Which papers determine phi_s? Need it for the draft of a review.", PHIS),
    ("Which experiments published papers before 2013?", {"CDF"}),
    ("What particles decay to J/psi(1S) and phi(1020)?", {"B_s0"}),
    ("Which particles decay to exactly K+ K-?", set()),
    ("Which papers determine 7 observables?", set()),
)


@pytest.mark.neo4j
@pytest.mark.parametrize(("text", "expected"), LISTS)
def test_the_question_itself_is_found(service: QuestionService, text: str, expected: set[str]) -> None:
    answer = service.ask(Question(text=text, use_llm=False))
    assert answer.outcome is (Outcome.ANSWERED if expected else Outcome.EMPTY_BUT_VALID), answer.text
    assert {r[0] for r in answer.rows} == expected, answer.explanation


@pytest.mark.neo4j
def test_words_of_talk_are_told(service: QuestionService) -> None:
    answer = service.ask(Question(text="Which papers obviously determine phi_s?", use_llm=False))
    assert {r[0] for r in answer.rows} == PHIS
    assert any("obviously" in a for a in answer.assumptions), answer.assumptions


@pytest.mark.neo4j
@pytest.mark.parametrize(
    "text",
    [
        "Which papers of our group determine phi_s?",
        "Which papers determine phi_s (at tree level)?",
        "Which papers determine about 3 observables?",
        "Which papers determine phi_s rather than Delta m_s?",
        "Which mesons decay to K+ K-?",
    ],
)
def test_what_may_be_meant_is_no_talk(service: QuestionService, text: str) -> None:
    answer = service.ask(Question(text=text, use_llm=False))
    assert answer.outcome is Outcome.UNANSWERABLE, (answer.explanation, answer.assumptions)


def names_of(*known: str) -> object:
    """Names of things in a text, each with its own id."""

    def names(text: str) -> tuple[Named, ...]:
        places = ((text.find(k), k) for k in known)
        return tuple(Named(at, at + len(k), True, ids=frozenset({k})) for at, k in sorted(places) if at >= 0)

    return names


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("papers on the EDM (e electric dipole moment)", "papers on the e electric dipole moment"),
        ("limits on X per year (year, number of papers)", "limits on X per year"),
        ("papers since 2010 (2010 included)", "papers since 2010"),
        ("papers on tau mass (its value)", "papers on the value of tau mass"),
        ("masses of the K0L (K-long)", "masses of the K0L"),
    ],
)
def test_one_name_is_kept(text: str, short: str) -> None:
    found = list(resolved(text, names_of("e electric dipole moment", "tau mass")))  # type: ignore[arg-type]
    assert short in found


@pytest.mark.parametrize(
    "text",
    [
        "the W mass (AALTONEN 2022)",
        "papers on the tau mass (not from LHCb)",
        "papers that determine the width that is given in AALTONEN 2022",
        'papers on "X (e electric dipole moment)"',
    ],
)
def test_a_condition_in_parentheses_stays(text: str) -> None:
    assert not list(resolved(text, names_of("W mass", "AALTONEN 2022", "tau mass", "LHCb")))  # type: ignore[arg-type]


class Near:
    """An index whose near names are given."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def similar(self, phrase: str, types: object, *, limit: int = 5) -> tuple[EntityMatch, ...]:
        del phrase, types, limit
        return tuple(
            EntityMatch(id=n, type="observable", name=n, score=0.5, via="fulltext") for n in self.names
        )

    def qualified(self, name: object, types: object) -> tuple[EntityMatch, ...]:
        raise AssertionError(f"not asked for {name} of {types}")

    def exact(self, names: object, types: object) -> dict[str, tuple[EntityMatch, ...]]:
        raise AssertionError(f"not asked for {names} of {types}")


KINETIC = "Hidden Photons: Kinetic Mixing Parameter Limits"


@pytest.mark.parametrize(
    ("phrase", "near", "named"),
    [
        ("kinetic mixing of hidden photons", (KINETIC, "Photon mass"), KINETIC),
        (
            "sum of neutrino masses",
            ("SUM of the neutrino masses, mass(tot)",),
            "SUM of the neutrino masses, mass(tot)",
        ),
        ("mean life of the tau", ("B_s0 mean life (B_s0 -> tau tau)",), None),
        ("hidden photons", (KINETIC, "Hidden Photons limits"), "Hidden Photons limits"),
        ("hidden photons", ("Hidden Photons", "Hidden Photon limit"), None),
        ("trigger efficiency", ("trigger efficiency of dimuons",), None),
        ("produced leptoquark", ("Leptoquark Production",), "Leptoquark Production"),
    ],
)
def test_a_name_in_other_words(phrase: str, near: tuple[str, ...], named: str | None) -> None:
    tokens = tokenise(phrase)
    found = named_in_words(phrase, tokens, [range(len(tokens))], Near(*near), ["observable"])
    assert found == (named or phrase)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("phi_s: papers with their values", "values of phi_s"),
        ("phi_s: upper limits at 90% CL, paper and value", "upper limits at 90% CL on phi_s"),
        (
            "If I take the mean of all values of phi_s, what do I get?",
            "what is the mean of all values of phi_s?",
        ),
        ("How wide is the f_1(1285)?", "what is the f_1(1285) width?"),
        (
            "Which papers measured the D0 mass but did not measure its width?",
            "Which papers measured the D0 mass but not the D0 width?",
        ),
        (
            "Which papers measured a lifetime but not a mass?",
            "Which papers measured a lifetime and did not measure a mass?",
        ),
        (
            "How many papers measured a mass without measuring any lifetime?",
            "How many papers measured a mass and did not measure a lifetime?",
        ),
        ("Top 5 sources by number of observables they affect", "which 5 sources affect the most observables"),
    ],
)
def test_wordings(text: str, plain: str) -> None:
    assert plainer(text) == plain


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (
            "Which Higgs quantities has CMS measured but not ATLAS?",
            "Which Higgs quantities were measured by CMS but not by ATLAS?",
        ),
        ("papers from the 1980s", "papers between 1980 and 1989"),
        ("papers that determine about 3 observables", "papers that determine approximately 3 observables"),
        ("papers in the 1960s and 1970s", "papers between 1960 and 1979"),
        ("papers whose value has not been superseded", "papers with a value that is not superseded"),
        ("values of phi_s that are not limits", "values of phi_s without a limit"),
    ],
)
def test_what_would_be_misread_is_said_otherwise(text: str, plain: str) -> None:
    assert settled(text) == plain


@pytest.mark.parametrize(
    "text",
    [
        "papers in the 1960s and 1980s",
        "quantities measured by all experiments",
        "experiment with the highest number of papers without limits",
        "For each experiment, which papers are on phi_s?",
        "best value of phi_s",
        "Which papers possibly determine phi_s?",
    ],
)
def test_a_rule_keeps_what_may_change_the_answer(text: str) -> None:
    kept = ("1980s", "all experiments", "without limits", "For each", "best value", "possibly")
    (word,) = (k for k in kept if k in text)
    assert word in plainer(settled(text))
    assert not is_filler("possibly")


def test_particles_in_a_sentence() -> None:
    assert quantities_compared("Is the psi(4230) broader than the psi(4360)?").startswith(
        "Is the psi(4230) width"
    )
    assert parents_asked("Which mesons decay to K+ K-?") == "Which mesons decay to K+ K-?"
    assert with_signs("papers on Z0 -> tau mu") == "papers on Z0 -> tau+- mu-+"
    assert "Deltam(21)^2" in spellings("Delta m^2_21")
    assert "e electric dipole moment" in spellings("electron EDM")


def test_talk_is_a_closed_list() -> None:
    assert is_filler("very")
    for word in (
        "only",
        "just",
        "our",
        "still",
        "yet",
        "about",
        "rather",
        "might",
        "not",
        "first",
        "without",
    ):
        assert not is_filler(word), word


def test_values_that_no_node_has_are_no_words() -> None:
    search, kind = ValueWord("paper", "strategy", "search"), ValueWord("observable", "kind", "mass")
    vocabulary = Vocabulary(absent=frozenset({("paper", "strategy")}))
    assert vocabulary.held((search, kind)) == (kind,)
    assert Vocabulary().held((search, kind)) == (search, kind)


def test_a_letter_counts_in_its_own_case() -> None:
    word = ValueWord("observable", "particle", "b")
    vocabulary = Vocabulary({"b": (word,)})
    assert vocabulary.lookup("b") == (word,)
    assert vocabulary.lookup("B") == ()
