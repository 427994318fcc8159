"""A conversation on a terminal, with a model that puts the rows into words."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from cypher.answers.events import DoneEvent, QueryEvent, RowsEvent, SentenceEvent
from kg.commands.ask_session import Session
from schemas.errors import StoreUnavailableError
from schemas.questions import Answer, Outcome, Question


def test_what_is_taken_for_granted_is_said_once_and_first(capsys: pytest.CaptureFixture[str]) -> None:
    taken = "'boats' was read as Ferry."
    answer = Answer(
        outcome=Outcome.ANSWERED,
        question="Which boats?",
        text="Skarven.",
        columns=("name",),
        rows=(("Skarven",),),
        assumptions=(taken, "Two sentences were left out."),
        confidence=0.2,
    )
    events = (
        QueryEvent(
            outcome=answer.outcome,
            resolved="",
            cypher="",
            parameters={},
            explanation="",
            assumptions=(taken,),
        ),
        RowsEvent(text=answer.text, columns=answer.columns, rows=answer.rows, citations=(), truncated=False),
        SentenceEvent(text="It is the Skarven."),
        DoneEvent(answer=answer),
    )
    settings = SimpleNamespace(chat=object(), answers=SimpleNamespace(prose=True))
    platform: Any = SimpleNamespace(
        asking=SimpleNamespace(events=lambda *_, **__: iter(events)),
        workspace=SimpleNamespace(settings=settings),
    )
    Session(platform.asking, "c", Question(text=""), cypher=False, writes=True).answer("Which boats?")
    lines = capsys.readouterr().out.splitlines()
    assert lines[:5] == [
        taken,
        "Skarven.",
        "It is the Skarven.",
        "Two sentences were left out.",
        "Unsure (0.20).",
    ]
    assert lines.count(taken) == 1


def test_a_fault_ends_its_question_and_not_the_conversation(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def events(question: Question, **_: object) -> Any:
        asked.append(question.text)
        if len(asked) == 1:
            raise IndexError("tuple index out of range")
        if len(asked) == 2:
            raise StoreUnavailableError("Neo4j does not answer")
        yield DoneEvent(answer=Answer(outcome=Outcome.UNANSWERABLE, question=question.text, text="Skarven."))

    typed = iter(["which boats?", "which boats now?", "exit"])
    monkeypatch.setattr("builtins.input", lambda *_: next(typed))
    asking: Any = SimpleNamespace(events=events)
    Session(asking, "c", Question(text=""), cypher=False).talk("who?")
    lines = capsys.readouterr().out.splitlines()
    assert asked == ["who?", "which boats?", "which boats now?"]
    assert lines[0] == "The question failed with IndexError, a fault of this program."
    assert "Neo4j does not answer" in lines[1]
    assert "Skarven." in lines[2]
