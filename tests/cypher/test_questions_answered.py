"""Questions over the small graph in a real Neo4j: the shape, and the first column of the rows."""

from __future__ import annotations

import pytest

from cypher.service import QuestionService
from schemas.graphs import Origin
from schemas.questions import Outcome, Question, Scope

MUMU, PSIPHI, DSPI, PSIKK = (
    "B_s0 -> mu+ mu-",
    "B_s0 -> J/psi(1S) phi(1020)",
    "B_s0 -> D_s- pi+",
    "B_s0 -> J/psi(1S) K+ K-",
)
DMS_PAPERS = {"1100001", "1100003", "1100010"}
BR_PAPERS = {"1100002", "1100004", "1100008"}
PHIS_PAPERS = {"1100005", "1100006"}
CASES: tuple[tuple[str, str, set[object]], ...] = (
    ("Which papers determine phi_s?", "related", PHIS_PAPERS),
    ("Which papers determine φ_s?", "related", PHIS_PAPERS),
    ("What publications measured Delta m_s?", "related", DMS_PAPERS),
    ("Please list all articles that report delta M_S.", "related", DMS_PAPERS),
    ("Papers about 'Delta m_s'", "related", DMS_PAPERS),
    ("Which papers determine phi_s and B_s0 mean life?", "related", {"1100005"}),
    ("Which papers determine phi_s or Delta m_s?", "related", PHIS_PAPERS | DMS_PAPERS),
    ("Which decays were used to measure phi_s?", "related", {PSIPHI, PSIKK}),
    ("Which decay modes are used for measurements of phi_s?", "related", {PSIPHI, PSIKK}),
    ("Which decays do phi_s and B_s0 mean life share?", "related", {PSIPHI}),
    ("What is the most precise measurement of Delta m_s?", "most_precise", {0.0057}),
    ("Which paper has the smallest uncertainty on BR(B_s0 -> mu+ mu-)?", "most_precise", {0.5e-9}),
    ("best measurement of phi_s", "most_precise", {0.025}),
    ("How many measurements of Delta m_s by year?", "count_by", {2012, 2015, 2023}),
    ("Number of measurements of phi_s per year", "count_by", {2017, 2019}),
    ("number of papers per experiment", "count_by", {"LHCb", "CMS", "ATLAS", "CDF"}),
    ("Which observables share a decay with Delta m_s?", "sharing", {"BR(B_s0 -> D_s- pi+)"}),
    (
        "Which observables are measured with the decay B_s0 -> J/psi phi?",
        "related",
        {"phi_s", "B_s0 mean life", "Delta Gamma_s"},
    ),
    (
        "Which observables are measured with B_s0 → J/ψ φ?",
        "related",
        {"phi_s", "B_s0 mean life", "Delta Gamma_s"},
    ),
    (
        "Which uncertainty sources affect phi_s most?",
        "strongest",
        {"angular acceptance", "decay time resolution", "background model"},
    ),
    (
        "What is the dominant systematic uncertainty of phi_s?",
        "strongest",
        {"angular acceptance"},
    ),
    ("Top 1 uncertainty sources that affect phi_s", "strongest", {"angular acceptance"}),
    ("What is the value of phi_s?", "values", PHIS_PAPERS),
    ("What are the values of tau(B_s0)?", "values", {"1100005", "1100009"}),
    ("lifetime of B_s0", "values", {"1100005", "1100009"}),
    ("What is the branching fraction of B_s0 -> mu+ mu-?", "values", BR_PAPERS),
    ("What is the phi_s result of 2017?", "values", {"1100005"}),
    ("What is the world average of B_s0 mean life?", "attribute", {"B_s0 mean life"}),
    (
        "Which observables does paper 1100005 determine?",
        "related",
        {"phi_s", "B_s0 mean life", "Delta Gamma_s"},
    ),
    ("Which observables are determined by 1100001?", "related", {"Delta m_s"}),
    (
        "Top 2 uncertainty sources that affect the most observables",
        "most_connected",
        {"trigger efficiency", "decay time resolution"},
    ),
    ("The 1 most frequent uncertainty sources", "most_frequent", {"trigger efficiency"}),
    ("Which methods estimate trigger efficiency?", "related", {"simulation", "tag and probe"}),
    ("Which method is used to evaluate triger efficiency?", "related", {"simulation", "tag and probe"}),
    ("Which uncertainty sources are estimated by pseudo-experiments?", "related", {"decay time resolution"}),
    ("How many papers are there?", "count", {11}),
    ("How many decays exist in the graph?", "count", {6}),
    ("How many papers were published in 2022?", "count", {2}),
    ("How many papers by LHCb?", "count", {7}),
    ("How many papers determine phi_s?", "count", {2}),
    ("How often was Delta m_s measured?", "count_measurements", {3}),
    ("How many measurements of phi_s were made between 2016 and 2018?", "count_measurements", {1}),
    ("Which papers of 2022 measure BR(B_s0 -> mu+ mu-)?", "related", {"1100008"}),
    ("Which LHCb papers determine Delta m_s?", "related", {"1100003", "1100010"}),
    ("Which papers have been published since 2022?", "with_attribute", {"1100008", "1100009", "1100010"}),
    ("Which papers from before 2015 measure Delta m_s?", "related", {"1100001"}),
    ("What are the upper limits on A_CP(B0 -> K+ pi-)?", "limits", {"1100011"}),
    ("Which observables have only limits?", "only_limits", {"A_CP(B0 -> K+ pi-)"}),
    ("Which decays have only limits?", "only_limits", {"B0 -> K+ pi-"}),
    ("Which values of BR(B_s0 -> mu+ mu-) were superseded?", "superseded", {"1100002"}),
    ("Which branching fractions are measured with B_s0 -> mu+ mu-?", "values", BR_PAPERS),
    ("Which observables are branching ratios?", "with_attribute", {"R_K"}),
    ("What is the title of paper 1100005?", "attribute", {"1100005"}),
    ("What is the parent of the decay B_s0 -> mu+ mu-?", "attribute", {MUMU}),
    ("What are the children of B_s0 → J/ψ φ?", "attribute", {PSIPHI}),
    ("What is B_s0 -> mu+ mu-?", "describe", {MUMU}),
    ("Which papers use the decay B_s0 -> D_s- pi+?", "connected", DMS_PAPERS),
    ("Which decays have the product K+?", "with_attribute", {"B+ -> K+ mu+ mu-", "B0 -> K+ pi-", PSIKK}),
    ("List the decays of B_s0", "with_attribute", {MUMU, PSIPHI, DSPI, PSIKK}),
    ("Which decays of B_s0 contain K+?", "with_attribute", {PSIKK}),
    ("Which decays of B_s0 do not contain mu+?", "with_attribute", {PSIPHI, DSPI, PSIKK}),
    ("Which decays of B_s0 without K+ contain J/psi?", "with_attribute", {PSIPHI}),
    ("Which values of B_s0 mean life are above 1500 fs?", "values", {"1100009"}),
    ("Values of B_s0 mean life between 1.4 and 1.5 ps", "values", {"1100005"}),
    ("Limits on A_CP(B0 -> K+ pi-) at 90% CL", "limits", {"1100011"}),
    ("Has ATLAS published a value of phi_s?", "general", {"ATLAS"}),
    ("Show me papers with the doi 10.1000/example.1100005", "with_attribute", {"1100005"}),
    ("What is the latest value of Delta m_s?", "latest_value", {"1100010"}),
    ("When was Delta m_s first measured?", "first_value", {"1100001"}),
    ("Compare the number of measurements of phi_s and Delta m_s", "compare", {"phi_s", "Delta m_s"}),
    ("Does paper 1100005 determine phi_s?", "check", {"1100005"}),
    ("Has phi_s been measured by ATLAS?", "check", {"1100006"}),
    ("Which papers set a limit on A_CP(B0 -> K+ pi-)?", "related", {"1100011"}),
    ("Which papers set an upper limit on A_CP(B0 -> K+ pi-)?", "related", {"1100011"}),
    ("How many papers set limits on A_CP(B0 -> K+ pi-)?", "count", {1}),
    ("What is the strongest limit on A_CP(B0 -> K+ pi-)?", "tightest", {"1100011"}),
    ("Which experiments measured phi_s?", "attribute_values", {"LHCb", "ATLAS"}),
    ("Which papers by LHCb or CMS determine BR(B_s0 -> mu+ mu-)?", "related", BR_PAPERS),
    ("Which papers of 2017 or 2019 determine phi_s?", "related", PHIS_PAPERS),
    ("Which papers determine either phi_s or Delta m_s?", "related", PHIS_PAPERS | DMS_PAPERS),
    ("Which papers determine both phi_s and B_s0 mean life?", "related", {"1100005"}),
    ("How many papers determine phi_s or Delta m_s?", "count", {5}),
    ("What are the values of phi_s and Delta m_s?", "values", PHIS_PAPERS | DMS_PAPERS),
    ("What decays does the B_s0 have?", "with_attribute", {MUMU, PSIPHI, DSPI, PSIKK}),
    ("Into which particles does the B_s0 decay?", "with_attribute", {MUMU, PSIPHI, DSPI, PSIKK}),
    ("Which decays contain J/psi(1S) and K+?", "with_attribute", {PSIKK}),
    ("What does paper 1100005 measure?", "implied", {"phi_s", "B_s0 mean life", "Delta Gamma_s"}),
    ("newest paper", "newest", {"1100010"}),
    ("oldest paper on phi_s", "oldest", {"1100005"}),
    ("Which year had the most papers?", "general", {2015, 2022}),
    ("mean B_s0 lifetime", "values", {"1100005", "1100009"}),
    ("B_s0 meson mean life", "values", {"1100005", "1100009"}),
)
pytestmark = pytest.mark.neo4j


@pytest.mark.parametrize(("text", "shape", "first"), CASES, ids=[c[0][:60] for c in CASES])
def test_answer(service: QuestionService, text: str, shape: str, first: set[object]) -> None:
    answer = service.ask(Question(text=text))
    assert answer.outcome is Outcome.ANSWERED, answer.text
    assert answer.shape == shape
    assert {row[0] for row in answer.rows} == first
    assert "statement_ids" not in answer.columns
    assert answer.explanation
    assert answer.cypher.startswith("MATCH ")
    assert 0 < answer.confidence <= 1


def test_every_example_is_answered(service: QuestionService) -> None:
    examples = service.examples()
    assert len(examples) >= 20
    failed = [
        (e, a.text) for e in examples if (a := service.ask(Question(text=e))).outcome is not Outcome.ANSWERED
    ]
    assert failed == []


def test_shapes_are_at_least_fifteen() -> None:
    assert len({shape for _, shape, _ in CASES}) >= 15


def test_replaced_values_are_counted_and_flagged(service: QuestionService) -> None:
    answer = service.ask(Question(text="What are the values of BR(B_s0 -> mu+ mu-)?"))
    assert answer.superseded == 1
    assert "1 of the values was replaced" in answer.text
    assert "superseded by" in answer.columns


def test_most_precise_leaves_replaced_values_and_limits_out(service: QuestionService) -> None:
    answer = service.ask(Question(text="What is the most precise measurement of BR(B_s0 -> mu+ mu-)?"))
    assert [row[answer.columns.index("paper")] for row in answer.rows] == ["1100008"]
    assert any("smallest total error" in a for a in answer.assumptions)


def test_comparison_counts_each(service: QuestionService) -> None:
    answer = service.ask(Question(text="Compare the number of measurements of phi_s and Delta m_s"))
    assert dict(answer.rows) == {"Delta m_s": 3, "phi_s": 2}


@pytest.mark.parametrize(
    "text",
    [
        "Which uncertainty sources affect phi_s most?",
        "Which systematic uncertainties dominate phi_s?",
        "What are the largest uncertainties of phi_s?",
    ],
)
def test_strongest_comes_first(service: QuestionService, text: str) -> None:
    answer = service.ask(Question(text=text))
    assert answer.shape == "strongest"
    assert [row[0] for row in answer.rows] == [
        "angular acceptance",
        "decay time resolution",
        "background model",
    ]
    assert "strongest first" in answer.text
    assert any("within each document" in a for a in answer.assumptions)


@pytest.mark.parametrize(
    "text",
    [
        "Which systematic uncertainty dominates phi_s?",
        "What is the dominant systematic uncertainty of phi_s?",
        "What is the largest uncertainty of phi_s?",
        "Which uncertainty source affects phi_s most?",
    ],
)
def test_where_one_is_asked_for_the_first_alone_is_told(service: QuestionService, text: str) -> None:
    answer = service.ask(Question(text=text))
    assert [row[0] for row in answer.rows] == ["angular acceptance"]
    assert "the largest" in answer.text


def test_what_is_counted_is_said(service: QuestionService) -> None:
    answer = service.ask(Question(text="most frequent decay"))
    assert answer.text.startswith("Decays with the most observables")
    assert any("not how often anything happens in nature" in a for a in answer.assumptions)


def test_a_comparison_of_values_shows_them(service: QuestionService) -> None:
    answer = service.ask(Question(text="Compare BR(B_s0 -> mu+ mu-) and phi_s"))
    shown = {
        (row[answer.columns.index("paper")], row[answer.columns.index("observable")]) for row in answer.rows
    }
    assert shown == {
        ("1100004", "BR(B_s0 -> mu+ mu-)"),
        ("1100008", "BR(B_s0 -> mu+ mu-)"),
        ("1100005", "phi_s"),
        ("1100006", "phi_s"),
    }
    alone = service.ask(Question(text="Compare phi_s and B_s0 mass"))
    assert "There is no such value of 'B_s0 mass'." in alone.text


def test_a_gap_is_named_with_what_there_is(service: QuestionService) -> None:
    answer = service.ask(Question(text="Which uncertainty sources affect R_K?"))
    assert answer.outcome is Outcome.EMPTY_BUT_VALID
    assert "holds no statement 'uncertainty source affects observable' for 'R_K'" in answer.text
    assert "1 'paper determines observable'" in answer.text
    assert answer.suggestions
    for text in answer.suggestions:
        assert service.ask(Question(text=text)).outcome is Outcome.ANSWERED, text


def test_suggestions_of_a_refusal_have_answers(service: QuestionService) -> None:
    for question in (
        "Which papers do not determine R_K?",
        "Which unicorns affect B_s0 mass?",
        "largest decay",
    ):
        for text in service.ask(Question(text=question)).suggestions:
            assert service.ask(Question(text=text)).outcome is Outcome.ANSWERED, text


def test_conditions_read_as_english(service: QuestionService) -> None:
    answer = service.ask(Question(text="most precise value of phi_s"))
    assert "the value is not a limit; the value was not replaced by a later paper" in answer.explanation


def test_citations_name_the_listing_and_carry_its_attribution(service: QuestionService) -> None:
    answer = service.ask(Question(text="Which papers determine phi_s?"))
    assert [c.number for c in answer.citations] == [1, 2]
    assert all(
        c.origin is Origin.PDG_TABLES and c.quote.startswith("PDG listing: ") for c in answer.citations
    )
    assert answer.attributions == ("Example listing, CC BY 4.0",)
    assert {e.id for e in answer.edges} == {c.statement for c in answer.citations}
    assert "[1]" in answer.text


def test_a_path_is_stated_by_one_document(service: QuestionService) -> None:
    answer = service.ask(Question(text="Which papers use the decay B_s0 -> J/psi K+ K-?"))
    assert {row[0] for row in answer.rows} == {"1100005"}, "1100006 measures phi_s, but not with this decay"


def test_row_limit_is_reported(service: QuestionService) -> None:
    answer = service.ask(Question(text="List all papers", limit=3))
    assert len(answer.rows) == 3
    assert answer.truncated
    assert "there are more" in answer.text
    exact = service.ask(Question(text="List all papers", limit=11))
    assert not exact.truncated


def test_a_near_spelling_is_reported(service: QuestionService) -> None:
    answer = service.ask(Question(text="Which methods estimate triger efficiency?"))
    assert "'triger efficiency' was read as" in answer.assumptions[0]
    sure = service.ask(Question(text="Which methods estimate trigger efficiency?"))
    assert answer.confidence < sure.confidence


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("How many papers determine phi_s in 1950?", "year of the paper is 1950"),
        ("Which papers at CMS determine phi_s?", "experiment of the paper is 'CMS'"),
        ("Does paper 1100001 determine phi_s?", "the observable is 'phi_s'"),
        ("What is the doi of 1100011?", "doi of the paper is known"),
        ("Which papers of 2022 published in 2023 determine phi_s?", "year of the paper is"),
    ],
)
def test_nothing_found_names_the_condition(service: QuestionService, text: str, condition: str) -> None:
    answer = service.ask(Question(text=text))
    assert answer.outcome is Outcome.EMPTY_BUT_VALID
    assert answer.rows == ()
    if "2023" not in text:
        assert condition in answer.text


def test_scope_holds_for_every_row(service: QuestionService) -> None:
    answer = service.ask(Question(text="Which papers determine phi_s?", scope=Scope.PUBLISHED))
    assert answer.outcome is Outcome.EMPTY_BUT_VALID
    assert "published" in answer.text


def test_both_ends_of_what_two_are_asked_for(service: QuestionService) -> None:
    answer = service.ask(Question(text="Which methods estimate which uncertainty sources?"))
    assert answer.outcome is Outcome.ANSWERED
    assert answer.explanation.startswith("Lists the ESTIMATES statements.")
    pairs = {(row[0], row[1]) for row in answer.rows}
    assert {("simulation", "trigger efficiency"), ("tag and probe", "trigger efficiency")} <= pairs
    assert len(answer.citations) >= len(pairs)
