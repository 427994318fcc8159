"""What the gate changed in a query is told wherever its answer is: events, ledger, terminal, JSON."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from cypher.answers.asker import Asker
from cypher.answers.events import DoneEvent, QueryEvent
from cypher.answers.features import features
from cypher.answers.reading import Reading
from cypher.generation.citing import Cited
from cypher.generation.from_rows import answer_of
from cypher.guard import check_text
from cypher.own_store import fact_store
from kg.ledger import Ledger
from kg.question_log import QuestionLog
from kg.question_settings import QuestionSettings
from kg.show import print_answer
from kg.store_fit import with_missing
from schemas.findings import Repair
from schemas.graph_schema import GraphSchema
from schemas.questions import Answer, Question, Subgraph

TURNED = "MATCH (o:Observable {name: $name})-[:DETERMINES]->(p:Paper) RETURN p.name AS paper"
TOLD = "-[:DETERMINES]-> became <-[:DETERMINES]-"


class Fixed:
    """A question service with one answer."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    def ask(self, question: Question) -> Answer:  # noqa: ARG002
        return self._answer

    def examples(self) -> tuple[str, ...]:
        return ()

    def read(self, text: str) -> Reading:
        return Reading(False, text)


def answered(schema: GraphSchema) -> Answer:
    query = check_text(TURNED, fact_store(schema), parameters={"name": "phi_s"})
    found = Subgraph(columns=("paper",), rows=(("1100005",),))
    return answer_of("Which papers determine phi_s?", query, found, Cited((), (), ((),)))


def test_an_answer_carries_what_the_gate_changed(particle_schema: GraphSchema) -> None:
    answer = answered(particle_schema)
    assert [r.code for r in answer.repairs] == ["SCH4"]
    assert answer.repairs[0].told.startswith("no DETERMINES leads from Observable to Paper")
    assert answer.repairs[0].told.endswith(TOLD)
    assert json.loads(answer.model_dump_json())["repairs"][0]["before"].startswith("MATCH (o:Observable")
    assert features(answer)["repairs"] == 1.0


def test_the_events_and_the_ledger_carry_it(particle_schema: GraphSchema, tmp_path: Path) -> None:
    answer = answered(particle_schema)
    query, _, done = Asker(Fixed(answer)).events(Question(text=answer.question))
    assert isinstance(query, QueryEvent)
    assert isinstance(done, DoneEvent)
    assert query.repairs == done.answer.repairs == answer.repairs
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        log = QuestionLog(ledger)
        kept = log.get(log.add(Question(text=answer.question), done.answer))
        assert kept.repairs == answer.repairs
        wordless = QuestionLog(ledger, QuestionSettings(record="outcome"))
        assert wordless.get(wordless.add(Question(text=answer.question), answer)).repairs == ()


def test_the_terminal_tells_it(particle_schema: GraphSchema) -> None:
    shown = StringIO()
    print_answer(answered(particle_schema), Console(file=shown, width=300))
    assert "The query was changed before it ran: no DETERMINES leads" in shown.getvalue()
    assert TOLD in shown.getvalue()


def test_an_answer_that_is_taken_back_still_tells_it(particle_schema: GraphSchema) -> None:
    answer = answered(particle_schema)
    assert with_missing(answer, ["Paper"]).repairs == answer.repairs


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("MATCH (p:Papr) RETURN p", "MATCH (p:Paper) RETURN p", "Papr became Paper"),
        ("name = 'lhcb'", "name = 'LHCb'", "'lhcb' became 'LHCb'"),
        ("MATCH (a)-[:X*]->(b)", "MATCH (a)-[:X*..4]->(b)", "..4 was put in"),
        ("RETURN a, a", "RETURN a", ", a was left out"),
    ],
)
def test_only_the_changed_part_is_told(before: str, after: str, told: str) -> None:
    assert Repair(code="SCH1", message="why", before=before, after=after).told == f"why: {told}"


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_change_can_be_told(before: str, after: str) -> None:
    assert Repair(code="SCH1", message="why", before=before, after=after).told.startswith("why: ")


def test_what_is_checked_is_told_once_as_json(particle_schema: GraphSchema) -> None:
    query = check_text(TURNED, fact_store(particle_schema), parameters={"name": "phi_s"})
    dumped: dict[str, Any] = query.model_dump()
    assert query.repairs
    assert "repairs" not in dumped
