"""What leaves by HTTP names no server behind."""

from __future__ import annotations

import pytest

from api.addresses import hidden, leaving, told
from cypher.answers.events import DoneEvent, ErrorEvent, RowsEvent
from schemas.questions import Answer, Outcome

AT = "Neo4j at bolt://127.0.0.1:7687 did not answer"
PLAIN = "Neo4j at (address not shown) did not answer"


@pytest.mark.parametrize(
    "address",
    ["neo4j+s://db.example.org", "bolt+ssc://[::1]:7688", "10.1.2.3:7687", "localhost:7687", "[::1]:7687"],
)
def test_addresses_are_not_shown(address: str) -> None:
    assert hidden(f"cannot reach {address}, or not now") == "cannot reach (address not shown), or not now"


@pytest.mark.parametrize("text", ["arXiv:2101.12345", "line 3:14", "10.1007/JHEP04(2021)170", "at 12:30"])
def test_what_is_no_address_stays(text: str) -> None:
    assert hidden(text) == text


def test_answers_and_events_without_a_result_name_no_address() -> None:
    failed = Answer(outcome=Outcome.FAILED, question="?", text=AT, explanation=AT)
    assert (told(failed).text, told(failed).explanation) == (PLAIN, PLAIN)
    assert leaving(DoneEvent(answer=failed), None) == DoneEvent(answer=told(failed))
    rows = RowsEvent(text=AT, columns=(), rows=(), citations=(), truncated=False)
    assert leaving(rows, Outcome.TIMEOUT) == rows.model_copy(update={"text": PLAIN})
    assert leaving(rows, Outcome.ANSWERED) == rows, "what the graph holds is told as it is"
    assert leaving(ErrorEvent(kind="E", detail=AT), None) == ErrorEvent(kind="E", detail=PLAIN)
