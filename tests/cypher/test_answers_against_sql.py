"""Answers on the graph of LHCb's PDG listings, each against rows that SQL computes from the tables."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from extraction.readers.pdg_tables import default_database
from kg.build import build
from kg.neo4j_server import Neo4jEndpoint
from kg.progress import SilentProgress
from kg.settings import Environment
from kg.wiring import Platform, open_platform
from kg.workspace import Workspace
from schemas.questions import Answer, Outcome, Question
from tests.cypher.test_sources_of_answers import has_sources

DMS, PHIS, GAMMA, WMASS, LBMASS, LBLIFE = "S086D", "S086PHS", "S041GGM", "S043M", "S040M", "S040T"
BSMASS, BSMUMU, BDMUMU, DGS, RK, ACP, DMD, AGAMMA = (
    "S086M",
    "S086R14",
    "S042R7",
    "S086DGS",
    "S041PBP",
    "S042ACP",
    "S042D",
    "S032AG",
)
ROWS = (
    " from pdgmeasurement m join pdgreference r on r.id = m.pdgreference_id"
    " join pdgmeasurement_values v on v.pdgmeasurement_id = m.id where m.technique = 'LHCB' "
)
PAPER = "trim(r.document_id)"
SAME = "coalesce(nullif(trim(r.inspire_id), '') || trim(coalesce(r.doi, '')), r.document_id)"
"""Two references with one INSPIRE id and one DOI are one paper."""


class Sql:
    """The tables, read only."""

    def __init__(self) -> None:
        self._db = sqlite3.connect(f"file:{default_database()}?mode=ro", uri=True)

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        return [tuple(r) for r in self._db.execute(query, values)]

    def one(self, query: str, *values: object) -> Any:
        return self.rows(query, *values)[0][0]

    def close(self) -> None:
        self._db.close()


Expected = Callable[[Sql], Any]
Got = Callable[[Answer], Any]


@dataclass(frozen=True)
class Case:
    """A question, what SQL says, and how to read the same from the answer."""

    question: str
    shape: str
    expected: Expected
    got: Got

    def __str__(self) -> str:
        return self.question


def column(answer: Answer, name: str) -> list[Any]:
    at = answer.columns.index(name)
    return [row[at] for row in answer.rows]


def papers(answer: Answer) -> Any:
    return sorted(column(answer, "paper"))


def papers_and_values(answer: Answer) -> Any:
    return Counter(zip(column(answer, "paper"), column(answer, "value text"), strict=True))


def the_count(answer: Answer) -> Any:
    return answer.rows[0][0]


def pairs(answer: Answer) -> Any:
    return {row[0]: row[1] for row in answer.rows}


def pdgids(answer: Answer) -> Any:
    return set(column(answer, "pdgid"))


def papers_of(words: str, pdgid: str, *, year: int | None = None) -> Case:
    when, given = (" and r.publication_year = ?", (year,)) if year else ("", ())
    query = f"select distinct {PAPER}{ROWS} and m.pdgid = ?{when} order by 1"
    text = f"Which papers determine {words}{f' in {year}' if year else ''}?"
    return Case(text, "related", lambda sql: [r[0] for r in sql.rows(query, pdgid, *given)], papers)


def values_of(question: str, pdgid: str, *, shape: str = "values", where: str = "") -> Case:
    query = f"select {PAPER}, trim(v.value_text){ROWS} and m.pdgid = ? {where}"
    return Case(question, shape, lambda sql: Counter(sql.rows(query, pdgid)), papers_and_values)


def first_or_last(question: str, pdgid: str, function: str) -> Case:
    shape = {"max": "latest_value", "min": "first_value"}[function]
    year = f"(select {function}(r.publication_year){ROWS} and m.pdgid = '{pdgid}')"
    return values_of(question, pdgid, shape=shape, where=f"and r.publication_year = {year}")


def count_of(question: str, query: str, *values: object, shape: str = "count") -> Case:
    return Case(question, shape, lambda sql: sql.one(query, *values), the_count)


def by_year(question: str, what: str, *, pdgid: str = "") -> Case:
    where = f" and m.pdgid in ('{pdgid}')" if pdgid else ""
    first = f"select {what} as thing, r.publication_year as year, min(r.id){ROWS}{where} group by 1"
    query = f"select year, count(*) from ({first}) group by 1"
    return Case(question, "count_by", lambda sql: dict(sql.rows(query)), pairs)


def most_precise(question: str, pdgid: str) -> Case:
    """The row with the smallest mean of the total errors; neither limits nor replaced values."""
    query = (
        f"select {PAPER}, trim(v.value_text), v.error_positive, v.error_negative, v.stat_error_positive,"
        f" v.stat_error_negative, v.syst_error_positive, v.syst_error_negative{ROWS} and m.pdgid = ?"
        " and v.limit_type is null and coalesce(m.comment, '') not like '%Repl. by%'"
    )

    def expected(sql: Sql) -> Any:
        sized = []
        for paper, text, *errors in sql.rows(query, pdgid):
            total = errors[:2]
            if None in total:
                stat, syst = errors[2:4], [e or 0.0 for e in errors[4:6]]
                total = [(a * a + b * b) ** 0.5 for a, b in zip(stat, syst, strict=True) if a is not None]
            if total:
                sized.append((sum(map(abs, total)) / len(total), paper, text))
        return Counter([min(sized)[1:]])

    return Case(question, "most_precise", expected, papers_and_values)


def observables_of(paper: str) -> Case:
    query = f"select distinct m.pdgid{ROWS} and {PAPER} = ?"
    text = f"Which observables are determined by {paper}?"
    return Case(text, "related", lambda sql: {r[0] for r in sql.rows(query, paper)}, pdgids)


def measured_with(words: str, mode: str) -> Case:
    query = "select distinct target from pdgid_map where source = ?"
    text = f"Which observables are measured with {words}?"
    return Case(text, "related", lambda sql: {r[0] for r in sql.rows(query, mode)}, pdgids)


def number_of_decays(words: str, pdgid: str) -> Case:
    query = "select count(distinct source) from pdgid_map where target = ?"
    return count_of(f"How many decays are used to measure {words}?", query, pdgid)


def average_of(question: str, pdgid: str) -> Case:
    """Averages (AC) and what the PDG recommends (in its summary table) are two things."""
    query = "select value from pdgdata where pdgid = ? and value_type = 'AC' and limit_type is null"
    return Case(question, "attribute", lambda sql: sql.one(query, pdgid), lambda a: column(a, "average")[0])


def recommended(question: str, pdgid: str, kind: str) -> Case:
    query = "select value from pdgdata where pdgid = ? and in_summary_table = 1 and limit_type is null"

    def got(answer: Answer) -> Any:
        return column(answer, "pdg value")[0], column(answer, "pdg value kind")[0]

    return Case(question, "attribute", lambda sql: (sql.one(query, pdgid), kind), got)


def limits_of(question: str, pdgid: str) -> Case:
    query = f"select distinct {PAPER}{ROWS} and m.pdgid = ? and v.limit_type is not null order by 1"
    return Case(question, "related", lambda sql: [r[0] for r in sql.rows(query, pdgid)], papers)


def strongest_limit(question: str, pdgid: str) -> Case:
    """The lowest upper limit of each confidence level."""
    query = (
        f"select {PAPER}, trim(v.value_text), min(v.value){ROWS} and m.pdgid = ? and v.limit_type = 'U'"
        " group by coalesce(m.confidence_level, '')"
    )
    return Case(
        question, "tightest", lambda sql: Counter(r[:2] for r in sql.rows(query, pdgid)), papers_and_values
    )


def side_by_side(question: str, *pdgids: str) -> Case:
    query = (
        f"select {PAPER}, trim(v.value_text){ROWS} and m.pdgid in (?, ?)"
        " and coalesce(m.comment, '') not like '%Repl. by%'"
    )
    return Case(question, "side_by_side", lambda sql: Counter(sql.rows(query, *pdgids)), papers_and_values)


def compared(question: str, names: dict[str, str]) -> Case:
    query = f"select count(*){ROWS} and m.pdgid = ?"
    return Case(question, "compare", lambda sql: {n: sql.one(query, p) for n, p in names.items()}, pairs)


VALUES, PAPERS = f"select count(*){ROWS}", f"select count(distinct {SAME}){ROWS}"
TWO_YEARS = " and r.publication_year in (2012, 2013)"
REPLACED, LIMIT = "and m.comment like '%Repl. by%'", "and v.limit_type is not null"
CASES = (
    papers_of("Delta m_s", DMS),
    papers_of("phi_s", PHIS),
    papers_of("the CKM angle gamma", GAMMA),
    papers_of("the W mass", WMASS),
    papers_of("BR(B_s0 -> mu+ mu-)", BSMUMU),
    papers_of("A_CP(B0 -> K+ pi-)", ACP),
    papers_of("R_K", RK),
    papers_of("the mass of the Lambda_b0", LBMASS),
    papers_of("phi_s", PHIS, year=2014),
    papers_of("gamma", GAMMA, year=2023),
    papers_of("Delta m_s", DMS, year=2013),
    papers_of("ΔΓ_s", DGS, year=2024),
    values_of("What are the values of Delta m_s?", DMS),
    values_of("values of the oscillation frequency of B_s0", DMS),
    values_of("values of phi_s", PHIS),
    recommended("phi_s", PHIS, "evaluation"),
    recommended("What is the CKM angle gamma?", GAMMA, "evaluation"),
    values_of("values of tau(Lambda_b0)", LBLIFE),
    recommended("tau(Lambda_b0)", LBLIFE, "evaluation"),
    values_of("measurements of the mass of the Lambda_b0", LBMASS),
    recommended("mass of the Lambda_b0", LBMASS, "average"),
    values_of("values of the branching fraction of Bs -> mu mu", BSMUMU),
    values_of("R_K", RK),
    values_of("A_Gamma values", AGAMMA),
    recommended("A_Gamma?", AGAMMA, "evaluation"),
    most_precise("What is the most precise measurement of Delta m_s?", DMS),
    most_precise("the most precise value of phi_s", PHIS),
    most_precise("Which is the most precise measurement of the Lambda_b0 mass?", LBMASS),
    most_precise("most precise measurement of R_K", RK),
    first_or_last("What is the latest value of gamma?", GAMMA, "max"),
    first_or_last("latest measurement of Delta Gamma_s", DGS, "max"),
    first_or_last("What is the first measurement of Delta m_s?", DMS, "min"),
    first_or_last("When was phi_s first measured?", PHIS, "min"),
    values_of("Which values of Lambda_b0 mass were superseded?", LBMASS, shape="superseded", where=REPLACED),
    values_of("Which values of phi_s were replaced?", PHIS, shape="superseded", where=REPLACED),
    values_of("superseded values of Delta m_s", DMS, shape="superseded", where=REPLACED),
    values_of("What are the limits on BR(B0 -> mu+ mu-)?", BDMUMU, shape="limits", where=LIMIT),
    values_of("What are the upper limits on BR(B_s0 -> mu+ mu-)?", BSMUMU, shape="limits", where=LIMIT),
    count_of("How many papers are there?", PAPERS),
    count_of("How many papers of 2021 are there?", PAPERS + " and r.publication_year = 2021"),
    count_of("How many papers determine phi_s?", PAPERS + " and m.pdgid = ?", PHIS),
    count_of("How many papers determine BR(B0 -> mu+ mu-)?", PAPERS + " and m.pdgid = ?", BDMUMU),
    count_of("How many papers since 2022?", PAPERS + " and r.publication_year >= 2022"),
    count_of(
        "How many measurements of gamma are there?",
        VALUES + " and m.pdgid = ?",
        GAMMA,
        shape="count_measurements",
    ),
    count_of("How often was phi_s measured?", VALUES + " and m.pdgid = ?", PHIS, shape="count_measurements"),
    count_of(
        "How many measurements of Delta m_d since 2013?",
        VALUES + " and m.pdgid = ? and r.publication_year >= 2013",
        DMD,
        shape="count_measurements",
    ),
    by_year("How many papers are there by year?", SAME),
    by_year("How many measurements of gamma by year?", "v.id", pdgid=GAMMA),
    by_year("How many papers by year determine phi_s?", SAME, pdgid=PHIS),
    observables_of("AAIJ 2022C"),
    observables_of("AAIJ 2013AR"),
    observables_of("AAIJ 2023AB"),
    observables_of("AAIJ 2012E"),
    measured_with("B_s0 -> J/psi phi", "S086.7"),
    number_of_decays("BR(B_s0 -> mu+ mu-)", BSMUMU),
    number_of_decays("BR(B0 -> mu+ mu-)", BDMUMU),
    average_of("What is the world average of Delta m_s?", DMS),
    average_of("What is the PDG average of the Lambda_b0 mass?", LBMASS),
    average_of("average B_s0 mass", BSMASS),
    recommended("PDG value of the B_s0 mass", BSMASS, "fit"),
    recommended("world average of the W mass", WMASS, "evaluation"),
    limits_of("Which papers set a limit on BR(B_s0 -> mu+ mu-)?", BSMUMU),
    limits_of("Which papers set an upper limit on BR(B_s0 -> mu+ mu-)?", BSMUMU),
    count_of(
        "How many papers set a limit on BR(B_s0 -> mu+ mu-)?",
        f"{PAPERS} and m.pdgid = ? {LIMIT}",
        BSMUMU,
    ),
    strongest_limit("What is the strongest limit on BR(B_s0 -> mu+ mu-)?", BSMUMU),
    strongest_limit("What is the best limit on BR(B0 -> mu+ mu-)?", BDMUMU),
    count_of(
        "How many papers do not determine phi_s?",
        f"select count(distinct {SAME}){ROWS} and {SAME} not in (select {SAME}{ROWS} and m.pdgid = ?)",
        PHIS,
    ),
    count_of("How many papers in 2012 and 2013?", f"{PAPERS} and r.publication_year in (2012, 2013)"),
    count_of(
        "How many papers of 2012 or 2013 are there?", f"{PAPERS} and r.publication_year in (2012, 2013)"
    ),
    by_year(
        "How many measurements by year of Delta m_s and W mass?",
        "v.id",
        pdgid=f"{DMS}', '{WMASS}",
    ),
    side_by_side("Compare the values of B_s0 mass and Lambda_b0 mass", BSMASS, LBMASS),
    recommended("Which is the value of the B_s0 meson mass?", BSMASS, "fit"),
    Case(
        "Which experiments measured Delta m_s?",
        "attribute_values",
        lambda sql: {"LHCb": sql.one(f"{PAPERS} and m.pdgid = ?", DMS)},
        pairs,
    ),
    Case(
        "What does AAIJ 2013BI measure?",
        "implied",
        lambda sql: {r[0] for r in sql.rows(f"select m.pdgid{ROWS} and {PAPER} = 'AAIJ 2013BI'")},
        pdgids,
    ),
    Case(
        "Which papers superseded AAIJ 2012I?",
        "replaced_by",
        lambda sql: (
            {"AAIJ 2021M"}
            if sql.one(f"select count(*){ROWS} and {PAPER} = 'AAIJ 2012I' {REPLACED}")
            else set()
        ),
        lambda a: {row[0] for row in a.rows},
    ),
    Case(
        "Which year had the most papers?",
        "top_year",
        lambda sql: sql.rows(
            f"select r.publication_year, count(distinct {SAME}){ROWS} group by 1 order by 2 desc"
        )[0],
        lambda a: tuple(a.rows[0]),
    ),
    Case(
        "newest paper",
        "newest",
        lambda sql: sql.one(f"{PAPERS} and r.publication_year = (select max(r.publication_year){ROWS})"),
        lambda a: len(a.rows),
    ),
    compared(
        "Compare the number of measurements of Delta m_s and Delta m_d", {"Delta m_s": DMS, "Delta m_d": DMD}
    ),
    compared(
        "Compare the number of measurements of W mass and Lambda_b0 mass",
        {"W mass": WMASS, "Lambda_b0 mass": LBMASS},
    ),
)
UNANSWERABLE = (
    "Which papers determine V_ub?",
    "Who wrote AAIJ 2022C?",
    "How many citations does AAIJ 2022C have?",
    "Which papers determine the mass of the unicorn?",
    "What is the luminosity of Run 3?",
    "Which papers determine Delta m_s with more than 3 sigma?",
    "Why is phi_s small?",
    "Is phi_s compatible with the Standard Model?",
    "Which papers by Smith determine gamma?",
    "Plot the values of gamma",
    "Which papers determine Delta m_t?",
    "What will LHCb measure next year?",
    "Which detectors measured phi_s at Tevatron?",
    "Which papers determine BR(B_s0 -> unicorn mu-)?",
    "Which papers determine phi_s this year?",
    "Which papers determine all observables?",
    "Which observables determine AAIJ 2012I?",
    "Which papers were determined by Delta m_s?",
    "Which theory papers determine phi_s?",
    "What is the largest decay?",
)


@pytest.fixture(scope="module")
def sql() -> Iterator[Sql]:
    tables = Sql()
    yield tables
    tables.close()


@pytest.fixture(scope="module")
def lhcb(
    neo4j_endpoint: Neo4jEndpoint, user_cache: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Platform]:
    """The graph of LHCb's listings in the shared Neo4j, built by the pipeline itself."""
    workspace = Workspace.create(tmp_path_factory.mktemp("lhcb"), schema="particle_physics")
    toml = workspace.root / "kg.toml"
    toml.write_text(
        'schema = "particle_physics"\n[embedder]\nprefer = "tfidf"\n[communities]\nenabled = false\n', "utf-8"
    )
    environment = Environment(
        neo4j_uri=neo4j_endpoint.uri,
        neo4j_username=neo4j_endpoint.username,
        neo4j_password=neo4j_endpoint.password,
        neo4j_database=neo4j_endpoint.database,
        cache=user_cache,
    )
    with open_platform(Workspace(workspace.root), SilentProgress(), environment=environment) as platform:
        platform.connection.write("MATCH (n) DETACH DELETE n", {})
        build(platform, ["pdg"], experiment="LHCb", embed=False)
        yield platform
        platform.store.wipe()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_answer_is_what_sql_says(case: Case, lhcb: Platform, sql: Sql) -> None:
    answer = lhcb.questions.ask(Question(text=case.question, limit=100))
    assert answer.outcome is Outcome.ANSWERED, answer.text
    assert answer.shape in (case.shape, "general")  # which may take over, with the same rows
    expected = case.expected(sql)
    assert expected
    assert case.got(answer) == expected


def test_a_difference_is_that_of_the_recommended_values(lhcb: Platform, sql: Sql) -> None:
    answer = lhcb.questions.ask(Question(text="What is the difference between Delta m_s and Delta m_d?"))
    query = "select value from pdgdata where pdgid = ? and in_summary_table = 1 and limit_type is null"
    difference = pytest.approx(sql.one(query, DMS) - sql.one(query, DMD))
    assert answer.rows == ((difference, "hbar s**-1"),)
    assert answer.explanation.startswith("Compares the pdg value (difference)")


@pytest.mark.parametrize("question", UNANSWERABLE)
def test_what_the_graph_cannot_say_is_not_answered(question: str, lhcb: Platform) -> None:
    answer = lhcb.questions.ask(Question(text=question))
    assert answer.outcome in (Outcome.UNANSWERABLE, Outcome.AMBIGUOUS, Outcome.REFUSED), answer.text
    assert not answer.rows
    assert answer.text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which papers set a limit on Delta m_s?", "the value is a limit"),
        ("Which decays were used to measure Delta m_s?", "'observable measured with decay' for 'Delta m_s'"),
    ],
)
def test_gaps_are_named(question: str, said: str, lhcb: Platform) -> None:
    answer = lhcb.questions.ask(Question(text=question))
    assert answer.outcome is Outcome.EMPTY_BUT_VALID
    assert said in answer.text
    assert answer.suggestions
    for text in (*answer.suggestions, *lhcb.questions.examples()):
        given = lhcb.questions.ask(Question(text=text))
        assert given.outcome is Outcome.ANSWERED, text
        assert has_sources(given), text


def test_questions_on_decays_agree(lhcb: Platform) -> None:
    asked = (
        "What decays does the B_s0 have?",
        "Into which particles does the B_s0 decay?",
        "Which decays have parent B_s0?",
    )
    answers = [lhcb.questions.ask(Question(text=text, limit=500)) for text in asked]
    counted = lhcb.questions.ask(Question(text="How many decays of the B_s0 are there?"))
    assert len({a.rows for a in answers}) == 1
    assert counted.rows[0][0] == len(answers[0].rows) > 100
    assert all("parent of the decay" in a.assumptions[0] for a in (*answers, counted))


def test_a_statement_nobody_makes_is_not_affirmed(lhcb: Platform) -> None:
    yes = lhcb.questions.ask(Question(text="Does AAIJ 2022C determine the W mass?"))
    no = lhcb.questions.ask(Question(text="Does AAIJ 2022C determine phi_s?"))
    assert (yes.outcome, no.outcome) == (Outcome.ANSWERED, Outcome.EMPTY_BUT_VALID)


def test_texts_are_for_people(lhcb: Platform) -> None:
    for case in CASES:
        answer = lhcb.questions.ask(Question(text=case.question, limit=30))
        for text in (answer.text, *(str(cell) for row in answer.rows for cell in row)):
            assert not any(mark in text for mark in ("$", "\\", "{{", "<m"))
        assert not any(all(row[i] is None for row in answer.rows) for i in range(len(answer.columns)))
