"""An answer tells the readings that came next, in English; the ledger keeps them."""

from __future__ import annotations

from typing import Any

import pytest

from cypher import decide
from cypher.form import Count, Entities, Form, Node
from cypher.service import QuestionService
from cypher.shapes import Candidate
from cypher.store_service import StoreQuestionService
from schemas.questions import Outcome, Question
from tests.cypher.test_other_schema import Harbours
from tests.cypher.test_store_answers import SCHEMA, STORED, Fixed


def form(head: Entities | Count, kind: str, shape: str = "entities") -> Form:
    """All things of a kind."""
    return Form(shape, (Node("n0", kind),), (), (), head)


def test_the_next_readings_are_told_best_first(recording: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    listed, counted = form(Entities("n0"), "ship"), form(Count("n0"), "ship", "count")
    ports, cargo, again = (
        form(Entities("n0"), k, s) for k, s in (("harbour", "x"), ("cargo", "y"), ("ship", "z"))
    )
    scored = ((counted, 0.5), (listed, 0.9), (cargo, 0.2), (again, 0.6), (ports, 0.8), (ports, 0.3))

    def some(_: Any, slots: Any) -> list[Candidate]:
        return [Candidate(one, slots, score) for one, score in scored]

    monkeypatch.setattr(decide, "candidates", some)
    index = Harbours()
    answer = QuestionService(index, index, recording, index).ask(Question(text="Which ships?"))
    assert (answer.outcome, answer.explanation) == (Outcome.EMPTY_BUT_VALID, "Lists ships.")
    assert answer.alternatives == ("Lists harbours.", "Counts ships.", "Lists cargos.")


def test_a_question_of_one_reading_has_no_other(recording: Any) -> None:
    index = Harbours()
    answer = QuestionService(index, index, recording, index).ask(Question(text="Which ships visit Genoa?"))
    assert answer.alternatives == ()


def test_readings_of_a_question_to_another_store_are_told() -> None:
    service = StoreQuestionService(SCHEMA, STORED, Fixed((("Skarven",),)))
    answer = service.ask(Question(text="Which ferries call at Ekholm?"))
    assert answer.outcome is Outcome.ANSWERED
    assert 0 < len(answer.alternatives) <= 3
    assert answer.explanation not in answer.alternatives
    assert len(set(answer.alternatives)) == len(answer.alternatives)
