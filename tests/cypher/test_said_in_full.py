"""One quantity of several things, differences, mistyped words, limits left out, and what stands behind."""

from __future__ import annotations

import pytest

from cypher.differences import difference_named
from cypher.mistyped import mended
from cypher.no_limits import split_no_limits
from cypher.normalise import tokenise
from cypher.paraphrase import plainer, settled
from cypher.particle_phrases import decays_written, with_fractions
from cypher.rivals import rivals_ranked
from cypher.service import QuestionService
from cypher.several import each_named
from cypher.spelling import spellings
from schemas.questions import Outcome, Question

NAMES = {
    **{f"mass of {p}": f"{p} mass" for p in ("B0", "B+", "D0")},
    **{f"mean life of {p}": f"{p} mean life" for p in ("pi+", "K+")},
    "magnetic moment of Sigma+": "Sigma+ magnetic moment",
    "magnetic moment of Xi0": "Xi0 magnetic moment",
}


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("masses of B0, B+ and D0", "B0 mass, B+ mass and D0 mass"),
        ("What are the masses of the B0, the B+ or the D0?", "What are the B0 mass, B+ mass or D0 mass?"),
        ("Compare the B0 and B+ masses", "Compare the B0 mass and B+ mass"),
        ("the mean lives of the pi+ and the K+", "the pi+ mean life and K+ mean life"),
        ("magnetic moments of the Sigma+ and Xi0", "Sigma+ magnetic moment and Xi0 magnetic moment"),
        ("Which papers give both the B0 and the B+ mass?", "Which papers give both the B0 mass and B+ mass?"),
        ("masses of the B0 and B+ mesons", "B0 mass and B+ mass"),
    ],
)
def test_a_quantity_is_named_for_each_thing(text: str, full: str) -> None:
    assert each_named(text, lambda said: NAMES.get(said, "")) == full


@pytest.mark.parametrize(
    "text",
    [
        "ratio of the masses of the B0 and the B+",
        "masses of the B0 and the X(99)",
        "papers on the B0 and CMS",
        'masses of "B0 and B+"',
    ],
)
def test_one_number_of_two_things_is_not_taken_apart(text: str) -> None:
    assert each_named(text, lambda said: NAMES.get(said, "")) == text


DIFFERENCES = (
    "mass(n)-mass(p)",
    "mass(D*(2010)+)-mass(D0)",
    "Delta0-Delta++ width difference",
    "mass(K0)-mass(K+-)",
)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("What is the neutron-proton mass difference?", "What is mass(n)-mass(p)?"),
        ("mass difference between the neutron and the proton", "mass(n)-mass(p)"),
        ("the difference between the masses of the D*+ and the D0", "mass(D*(2010)+)-mass(D0)"),
        ("mass splitting of D*(2010)+ and D0, newest", "mass(D*(2010)+)-mass(D0), newest"),
        ("D*+ - D0 mass difference", "mass(D*(2010)+)-mass(D0)"),
        ("width difference of the Delta++ and the Delta0", "Delta0-Delta++ width difference"),
        ("How much heavier is the K0 than the K+?", "what is mass(K0)-mass(K+-)?"),
        ("By how much is the neutron heavier than the proton?", "what is mass(n)-mass(p)?"),
    ],
)
def test_a_difference_is_called_as_the_listings_do(text: str, named: str) -> None:
    assert difference_named(text, lambda said: said if said in DIFFERENCES else "") == named


@pytest.mark.parametrize("text", ["mass difference of the B0 and the B+", "Is the K0 heavier than the K+?"])
def test_an_unknown_difference_stays(text: str) -> None:
    assert difference_named(text, lambda said: said if said in DIFFERENCES else "") == text


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("liftime", "lifetime"),
        ("mesurements", "measurements"),
        ("asymmetric", "asymmetric"),
        ("measures", "measures"),
        ("Liftime", "Liftime"),
    ],
)
def test_only_slips_are_mended(said: str, meant: str) -> None:
    words = ("lifetime", "measurement", "measurements", "asymmetry", "measured")
    assert mended(f"{said} of X", tokenise(f"{said} of X"), [range(1)], words) == f"{meant} of X"


@pytest.mark.parametrize(
    ("text", "rest", "found"),
    [
        ("values of X (no limits)", "values of X", True),
        (
            "measurements of X by LHCb, not the upper limits, newest first",
            "measurements of X by LHCb, newest first",
            True,
        ),
        ("X values which are not limits", "X values", True),
        ("How many papers have no limits?", "How many papers have no limits?", False),
        ("values without the limits of X", "values without the limits of X", False),
        ('values of "no limits"', 'values of "no limits"', False),
    ],
)
def test_limits_are_left_out(text: str, rest: str, found: bool) -> None:
    assert split_no_limits(text) == (rest, found)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("the best W mass value and its uncertainty", "the best W mass value"),
        ("show all W width measurements with the experiment", "show all W width measurements"),
        ("Which paper has the most values, and how many?", "Which paper has the most values?"),
        ("Is there an upper limit on X, and what is it?", "what is the tightest upper limit on X?"),
        ("How often does the Higgs decay to a pair of muons?", None),
        ("How long does a free neutron live before it decays?", "what is the neutron mean life?"),
        ("papers that put X below 0.1 eV", "papers with an upper limit on X below 0.1 eV"),
        ("X, what is the present value?", "what is the value of X?"),
        ("Who first measured X?", "which papers first measured X?"),
        ("How do the masses of A and B compare?", "compare masses of A and B"),
        ("strongest ATLAS limit on X", "tightest limit on X from ATLAS"),
        ("papers from 2025 with no DOI", "papers from 2025 without a DOI"),
        ("history of the X limits by year", "X limits"),
        ("Which experiments weighed the W?", "Which experiments measured the W mass?"),
        ("What's the recommended limit on X?", "What's the recommended value of X?"),
        (
            "Does a photon have any mass? What's the upper limit?",
            "what is the recommended value of the photon mass?",
        ),
        ("X in pp - values and papers", "X in pp measurements"),
        ("For X, how many papers did each experiment contribute?", "number of papers on X by experiment"),
        ("How many X entries are marked as superseded?", "How many X entries were superseded?"),
        ("X: all 90% CL upper limits", "90% CL upper limits on X"),
        ("newest upper limit on X (eV)?", "newest upper limit on X in eV?"),
        ("How heavy is an electron, in MeV?", "what is the electron mass, in MeV?"),
        ("How heavy is the Z and how big is its width?", "what are the mass and the width of the Z?"),
        ("X, how much is it?", "what is the X?"),
        ("papers on X from 2023 or later", "papers on X since 2023"),
        ("BR Bs -> X", "branching fraction of B_s -> X"),
        (
            "Which higgs modes were looked at by both ATLAS and CMS?",
            "Which Higgs modes were measured by both ATLAS and CMS?",
        ),
        ("Who measured X?", "which papers measured X?"),
        ("PDG limit on X?", "recommended value of X?"),
        ("For checking: all entries of X, with paper and quoted value", "all entries of X"),
        ("the best limit on X and which paper set it?", "the best limit on X?"),
        ("Which papers constrain X since 2024?", "Which papers measured X since 2024?"),
        ("How many papers have no value attached to them at all?", "How many papers are without a value?"),
        ("papers dating from before 1955", "papers before 1955"),
        ("experiments that have results on X but none on Y?", "which experiments measured X but not Y?"),
        ("Is the asymmetry of X negative?", "is the asymmetry of X smaller than 0?"),
        ("Whats the mass of X?", "What is the mass of X?"),
        (
            "Which papers did the LUX dark matter experiment publish?",
            "Which papers did the LUX experiment publish?",
        ),
        ("Who measured X? Only the experiments, please.", "which experiments measured X?"),
    ],
)
def test_plain_speech(text: str, plain: str | None) -> None:
    expected = plain or "what is the branching fraction of the Higgs decaying to muon pair?"
    assert plainer(text) == expected


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (
            "Which lives longer, the B0 or the B+?",
            "Which of B0 mean life and B+ mean life has the largest recommended value?",
        ),
        (
            "which one dies faster: B0 or B+",
            "Which of B0 mean life and B+ mean life has the smallest recommended value?",
        ),
        (
            "Which of the B mesons B0, B+ and B_s0 is the heaviest?",
            "Which of B0 mass, B+ mass and B_s0 mass has the largest recommended value?",
        ),
        ("Which of B0 and X is the lightest?", "Which of B0 and X is the lightest?"),
        ("Which papers live longer?", "Which papers live longer?"),
    ],
)
def test_rivals_are_ranked_by_their_numbers(text: str, asked: str) -> None:
    known = {f"{p} {kind}" for p in ("B0", "B+", "B_s0") for kind in ("mass", "mean life")}
    assert rivals_ranked(text, lambda said: said if said in known else "") == asked


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("upper limit on B0 to tau mu", "upper limit on B0 -> tau mu"),
        ("bs -> mu mu", "Bs -> mu mu"),
        ("limits on h -> invisible", "limits on H -> invisible"),
        ("phi_s in b -> c cbar s", "phi_s in b -> c cbar s"),
        ("from 2010 to 2015", "from 2010 to 2015"),
        ('papers with "B0 to tau mu" in the title', 'papers with "B0 to tau mu" in the title'),
    ],
)
def test_decays_are_written_first(text: str, written: str) -> None:
    assert decays_written(text) == written


@pytest.mark.parametrize(
    "text",
    [
        "How many measurements of X with the experiment?",
        "Which papers report values of X with errors?",
        "Which experiments have results with uncertainties?",
        "papers with at least one hundred values",
        "papers with at least one of X and Y",
        "values of X with a limit",
        "Is the ratio of the B0 and B+ masses known?",
    ],
)
def test_what_may_be_a_condition_stays(text: str) -> None:
    assert settled(text) == text
    assert plainer(text) == text


def test_quoted_titles_are_titles() -> None:
    assert settled('papers called "A first look"') == 'papers with the title "A first look"'
    asked = settled('When was the paper "A first look" published?')
    assert asked == 'what is the year of the paper with the title "A first look"?'
    assert settled('values of "the B0, newest first"') == 'values of "the B0, newest first"'


def test_the_kind_behind_a_decay_is_said_once() -> None:
    text = "limits on the B_s -> mu+ mu- branching fraction"
    assert with_fractions(text) == "limits on the BR(B_s0 -> mu+ mu-)"


def test_anomalous_moments_have_the_name_of_the_listings() -> None:
    assert "mu_mu/(ehbar/2m_mu)-1" in spellings("muon g-2")
    assert "mu_tau/(ehbar/2m_tau)-1" in spellings("anomalous magnetic moment of the tau")
    assert not any("ehbar" in s for s in spellings("W anomalous magnetic moment"))


LIFE, BR, ACP = "B_s0 mean life", "BR(B_s0 -> mu+ mu-)", "A_CP(B0 -> K+ pi-)"


@pytest.mark.neo4j
@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (f"measurements of {BR}, without the upper limits", 3),
        (f"values of {BR} since 2015 (no limits)", 2),
        ("B_s0 liftime values", 2),
        ('papers titled "Dimuons again"', 1),
        ("who first measured phi_s?", 1),
        ("Which papers measured phi_s, and what did each find?", 2),
    ],
)
def test_it_is_answered(service: QuestionService, text: str, rows: int) -> None:
    answer = service.ask(Question(text=text, use_llm=False))
    assert answer.outcome is Outcome.ANSWERED, answer.text
    assert len(answer.rows) == rows, answer.explanation


@pytest.mark.neo4j
@pytest.mark.parametrize(
    ("text", "condition"),
    [
        (f"results for {ACP} that are not limits", "the value is not a limit"),
        ("What are the masses of the B_s0 and the B+?", "'B_s0 mass' or 'B+ mass'"),
    ],
)
def test_what_was_asked_is_what_is_looked_for(service: QuestionService, text: str, condition: str) -> None:
    answer = service.ask(Question(text=text, use_llm=False))
    assert answer.outcome is Outcome.EMPTY_BUT_VALID
    assert condition in answer.explanation


@pytest.mark.neo4j
@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("How many upper limits have no unit recorded?", 1),
        ("How many upper limits have no unit?", 1),
        ("How many measurements have no unit recorded?", 11),
    ],
)
def test_what_has_none_is_still_what_was_asked_for(service: QuestionService, text: str, count: int) -> None:
    answer = service.ask(Question(text=text, use_llm=False))
    assert answer.outcome is Outcome.ANSWERED, answer.text
    assert answer.rows[0][0] == count, answer.explanation


@pytest.mark.neo4j
def test_what_is_printed_in_place_of_a_number_is_a_recommended_value(service: QuestionService) -> None:
    answer = service.ask(Question(text=f"What is the recommended value of {ACP}?", use_llm=False))
    assert answer.outcome is Outcome.ANSWERED, answer.text
    assert f"{ACP}: pdg value < 0.1 (best limit)" in answer.text
    bare = service.ask(Question(text=f"{ACP}?", use_llm=False))
    assert bare.rows == answer.rows
    listed = service.ask(Question(text=f"{ACP} values", use_llm=False))
    assert listed.shape == "values"


@pytest.mark.neo4j
def test_one_limit_is_the_recommended_one(service: QuestionService) -> None:
    one = service.ask(Question(text=f"upper limit on {ACP}", use_llm=False))
    assert f"{ACP}: pdg value < 0.1 (best limit)" in one.text
    assert any("limits on" in a for a in one.assumptions)
    several = service.ask(Question(text=f"upper limits on {ACP}", use_llm=False))
    assert several.shape == "limits"
    best = service.ask(Question(text=f"best upper limit on {ACP}", use_llm=False))
    assert best.shape == "tightest"
    none = service.ask(Question(text="upper limit on B_s0 mean life", use_llm=False))
    assert none.shape == "limits"


@pytest.mark.neo4j
@pytest.mark.parametrize(
    "text", ["Which phi_s measurements quote asymmetric errors?", "phi_s measurements that carry no label"]
)
def test_an_unknown_condition_is_still_refused(service: QuestionService, text: str) -> None:
    answer = service.ask(Question(text=text, use_llm=False))
    assert answer.outcome is not Outcome.ANSWERED, answer.explanation
