"""Messages leave by HTTP without the addresses of the servers behind: who asks need not know them."""

from __future__ import annotations

import re
from typing import Final

from cypher.answers.events import AnswerEvent, DoneEvent, ErrorEvent, QueryEvent, RowsEvent
from schemas.questions import Answer, Outcome

HIDDEN: Final = "(address not shown)"
_ADDRESS: Final = re.compile(
    r"(?:\b(?:bolt|neo4j|https?)(?:\+s(?:sc)?)?://[^\s,;()'\"]+[^\s,;()'\".:]"
    r"|\[[0-9a-f:.%]*:[0-9a-f:.%]*\]:\d{2,5}"
    r"|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{2,5})?"
    r"|\b[a-z][\w.-]*:\d{4,5})(?![\w.]*\w)",
    re.IGNORECASE,
)
_NO_RESULT: Final = frozenset({Outcome.FAILED, Outcome.TIMEOUT})


def hidden(message: str) -> str:
    """A message without addresses.

    >>> hidden("Neo4j at bolt://127.0.0.1:7687 did not answer within 2 s; arXiv:2101.12345")
    'Neo4j at (address not shown) did not answer within 2 s; arXiv:2101.12345'
    >>> hidden("cannot reach db.example:7687 (resolved to ('10.0.0.1:7687',))")
    "cannot reach (address not shown) (resolved to ('(address not shown)',))"
    """
    return _ADDRESS.sub(HIDDEN, message)


def told(answer: Answer) -> Answer:
    """An answer as it leaves: where there is no result, why is said without addresses."""
    if answer.outcome not in _NO_RESULT:
        return answer
    update = {"text": hidden(answer.text), "explanation": hidden(answer.explanation)}
    return answer.model_copy(update=update)


def leaving(event: AnswerEvent, outcome: Outcome | None) -> AnswerEvent:
    """The same for an event of an answer of such an outcome."""
    match event:
        case ErrorEvent(detail=detail):
            return event.model_copy(update={"detail": hidden(detail)})
        case DoneEvent(answer=answer):
            return DoneEvent(answer=told(answer))
        case QueryEvent(explanation=said) if outcome in _NO_RESULT:
            return event.model_copy(update={"explanation": hidden(said)})
        case RowsEvent(text=said) if outcome in _NO_RESULT:
            return event.model_copy(update={"text": hidden(said)})
    return event
