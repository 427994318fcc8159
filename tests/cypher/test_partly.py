"""What can be read of a question that cannot be read whole, for the prompt of a chat model."""

from __future__ import annotations

import pytest

from cypher.generation.bank import SimilarExamples
from cypher.generation.citing import NoCitations
from cypher.generation.guard_gate import GuardGate
from cypher.generation.helper import LlmHelper, Services
from cypher.generation.ports import Draft, Hints, Limits
from cypher.generation.prompting import Material, query_request
from cypher.generation.settings import LlmQuerySettings
from cypher.generation.terms import Subject
from cypher.own_store import described_store, fact_store
from cypher.service import QuestionService
from schemas.graph_schema import GraphSchema
from schemas.questions import Answer, CheckedQuery, Outcome, Question, Scope
from tests.cypher.test_llm_queries import Model, Rows, reply

READ = (
    ("Which papers pin down phi_s?", ("pin down",), "Lists papers. Pattern: paper DETERMINES observable."),
    ("Which papers from Japan determine phi_s?", ("Japan",), "Lists papers. Pattern: paper DETERMINES"),
    ("Which three papers are the newest?", ("three",), "Lists papers of the latest year."),
    ("Which decays contain two muons?", ("two", "muons"), "Lists decays."),
)


@pytest.mark.parametrize(("asked", "left", "explanation"), READ)
def test_the_first_draft_leaves_out_least(
    dry_service: QuestionService, asked: str, left: tuple[str, ...], explanation: str
) -> None:
    partial = dry_service.hints(Question(text=asked)).partial
    assert partial[0].left == left
    assert partial[0].explanation.startswith(explanation)
    assert 1 <= len(partial) <= 3
    assert len({d.query for d in partial}) == len(partial)


def test_a_draft_passes_the_gate(dry_service: QuestionService, particle_schema: GraphSchema) -> None:
    gate = GuardGate(lambda: fact_store(particle_schema))
    for asked, *_ in READ:
        for draft in dry_service.hints(Question(text=asked)).partial:
            given = {k: v for k, v in draft.parameters.items() if k != "scope"}
            found = gate.check(draft.query, given, scope=Scope.ALL, limits=Limits(25, 1.0))
            assert isinstance(found, CheckedQuery)


@pytest.mark.parametrize(
    ("asked", "left"),
    [
        ("Who won the match?", []),
        ("Why?", []),
        ("phi_s or what", [("or",)]),
        ("Which papers determine phi_s or what else?", [("or", "else")]),
    ],
)
def test_where_nothing_is_read_or_all_lies_between_two_readings_none_is_partial(
    dry_service: QuestionService, asked: str, left: list[tuple[str, ...]]
) -> None:
    assert [d.left for d in dry_service.hints(Question(text=asked)).partial] == left


def test_a_draft_says_what_it_leaves_out(particle_schema: GraphSchema) -> None:
    whole = Answer(
        outcome=Outcome.ANSWERED, question="q", text="t", rows=((1,),), explanation="Whole.", cypher="W"
    )
    partial = tuple(Draft(f"Part {n}.", f"P{n}", {"p": n}, ("in Japan\n", "twice")[:n]) for n in range(4))
    material = Material("q", described_store(particle_schema), Hints(drafts=(whole,), partial=partial), ())
    told = query_request(material, LlmQuerySettings(), sample=0).messages[1].content
    drafts = told.partition("Drafts by another program")[2].partition("Question:")[0].splitlines()[1:]
    assert drafts[:9] == [
        "Whole.",
        "Query: W",
        "Parameters: {}",
        "Part 0.",
        "Query: P0",
        'Parameters: {"p": 0}',
        'Leaves out "in Japan": Part 1.',
        "Query: P1",
        'Parameters: {"p": 1}',
    ]
    assert not any("P2" in line for line in drafts)


def test_what_is_left_out_of_a_draft_is_never_answered_by_it(
    dry_service: QuestionService, particle_schema: GraphSchema
) -> None:
    """A model that repeats the draft leaves the words out as well, and the question stays unanswered."""
    asked = Question(text="Which papers from Japan determine phi_s?")
    (draft, *_) = dry_service.hints(asked).partial
    given = [
        {"name": k, "value": list(v) if isinstance(v, tuple) else v} for k, v in draft.parameters.items()
    ]
    said = reply(draft.query, parameters=[p for p in given if p["name"] != "scope"])
    services = Services(
        chat=Model(lambda _s, _r: said),
        gate=GuardGate(lambda: fact_store(particle_schema)),
        run=Rows(),
        source=dry_service,
        cites=NoCitations(),
        bank=SimilarExamples(()),
    )
    before = Answer(outcome=Outcome.UNANSWERABLE, question=asked.text, text="'Japan' is not known.")
    answer = LlmHelper(services, Subject.of(particle_schema)).help(asked, before)
    assert answer.outcome is Outcome.UNANSWERABLE
    assert answer.model_use is not None
    assert "'Japan'" in answer.model_use.note
