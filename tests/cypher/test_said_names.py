"""What an answer says of the names it rests on, and of documents that nobody published."""

from __future__ import annotations

from typing import Any

import pytest

from cypher import answer as rows_to_answer
from cypher.said_names import up_to_a_factor
from cypher.service import QuestionService
from schemas.graph_schema import GraphSchema
from schemas.graphs import Origin
from schemas.ids import DocumentKey, StatementId
from schemas.questions import Citation, Outcome, Question
from tests.cypher.conftest import DELTAGS, MUMU, PHIS, BoltRunner, Graph, MemoryIndex, make_graph

BETA = "phase beta_s = -phi_s/2 (b -> c cbar s)"


@pytest.fixture(scope="module")
def phases(bolt_runner: BoltRunner, small_graph: Graph, particle_schema: GraphSchema) -> QuestionService:
    """Names over the small graph in which phi_s is an alias of what is -phi_s/2."""
    graph = Graph()
    graph.node("observable", "phi_s")
    kind, known = graph.nodes.pop("observable:phi_s")
    graph.nodes["observable:phi_s"] = kind, known | {"name": BETA, "aliases": ["phi_s", "mixing phase"]}
    graph.node("observable", "R")
    graph.nodes["observable:R"][1]["aliases"] = ["phi_s in penguin decays"]
    index = MemoryIndex(graph, particle_schema)
    return QuestionService(index, index, bolt_runner, MemoryIndex(small_graph, particle_schema))


def said(service: QuestionService, text: str) -> tuple[str, ...]:
    return service.ask(Question(text=text)).assumptions


def test_an_alias_up_to_a_factor_is_said(phases: QuestionService) -> None:
    note = "'{}' is listed as beta_s = -phi_s/2: the numbers are those of beta_s."
    for text in ("What are the values of phi_s?", "Which papers determine phi_s?"):
        assert note.format("phi_s") in said(phases, text)
    assert note.format("mixing phase") in said(phases, "What is the value of the mixing phase?")
    assert not any("listed as" in s for s in said(phases, f'What are the values of "{BETA}"?'))


@pytest.mark.parametrize(
    "text",
    [
        "Which values of phi_s are below 0 rad?",
        "How many values of phi_s are above 0.1?",
        "What is the largest value of phi_s?",
        "the smallest value of phi_s",
        "What is the strongest limit on phi_s?",
        "Which papers on phi_s have a total error below 0.05 rad?",
        "Is phi_s above 0?",
    ],
)
def test_numbers_of_another_quantity_are_not_compared(phases: QuestionService, text: str) -> None:
    answer = phases.ask(Question(text=text, use_llm=False))
    assert answer.outcome is Outcome.UNANSWERABLE, answer.explanation
    assert "Ask the same of beta_s" in answer.text


@pytest.mark.parametrize(
    "text",
    [
        "Which papers on phi_s appeared after 2018?",
        "What is the most precise value of phi_s?",
        f'Which values of "{BETA}" are below 0 rad?',
    ],
)
def test_what_no_factor_changes_is_answered(phases: QuestionService, text: str) -> None:
    assert phases.ask(Question(text=text, use_llm=False)).outcome is Outcome.ANSWERED


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("What are the values of phi_s from B_s0 -> mu+ mu-?", "1100005"),
        ("Which papers measure phi_s with B_s0 -> mu+ mu-?", "1100005"),
        ("How many values of phi_s from B_s0 -> mu+ mu-?", 1),
    ],
)
def test_a_quantity_with_a_decay_may_be_listed_of_its_own(
    bolt_runner: BoltRunner, particle_schema: GraphSchema, text: str, row: object
) -> None:
    graph = make_graph()
    kind, known = graph.nodes[f"observable:{DELTAGS}"]
    graph.nodes[f"observable:{DELTAGS}"] = kind, known | {"name": f"{PHIS} ({MUMU})"}
    index = MemoryIndex(graph, particle_schema)
    answer = QuestionService(index, index, bolt_runner, index).ask(Question(text=text, use_llm=False))
    assert [r[0] for r in answer.rows] == [row]
    assert f"'{PHIS}' with '{MUMU}' is listed as '{PHIS} ({MUMU})'." in answer.assumptions


def test_a_definition_is_no_factor_of_itself() -> None:
    assert up_to_a_factor("x(d)", "x(d) = Deltamass(B0)/Gamma(B0)") == ""
    assert up_to_a_factor("B_s0 mass", "B_s0 mass") == ""


def test_quantities_of_the_same_name_under_conditions_are_told(phases: QuestionService) -> None:
    told = [s for s in said(phases, "What is the latest value of phi_s?") if "under conditions" in s]
    assert told == [f"'phi_s' was read as '{BETA}'; under conditions it also names 'R'."]


def test_without_siblings_nothing_is_said(service: QuestionService) -> None:
    assert said(service, "What are the values of Delta m_s?") == ()


def _cited(**known: Any) -> Citation:
    return Citation(
        number=1, statement=StatementId("s"), type="determines", document=DocumentKey("a.tex"), **known
    )


def test_a_document_without_numbers_is_named_with_its_title() -> None:
    (note,) = rows_to_answer.unnumbered([_cited(title="Example: an invented detector")])
    assert note.startswith("a.tex ('Example: an invented detector') has no arXiv, INSPIRE or DOI number")
    assert rows_to_answer.unnumbered([_cited(arxiv="1234.5678")]) == ()
    paper, listing = _cited(arxiv="1234.5678"), _cited(origin=Origin.PDG_TABLES)
    assert rows_to_answer.unnumbered([paper, listing]) == ()
    assert rows_to_answer.unnumbered([listing])[0].startswith(
        "For this the listings of the Particle Data Group"
    )
