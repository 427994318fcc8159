"""What is told while a question is answered, in this order: query, rows, sentences, done."""

from __future__ import annotations

from typing import Literal, TypeAlias

from schemas.findings import Repair
from schemas.model import Frozen
from schemas.questions import Answer, Citation, Outcome, Parameter, Value


class QueryEvent(Frozen):
    """The query that was run, or is said not to be one."""

    event: Literal["query"] = "query"
    outcome: Outcome
    resolved: str = ""
    cypher: str = ""
    parameters: dict[str, Parameter]
    explanation: str = ""
    assumptions: tuple[str, ...] = ()
    repairs: tuple[Repair, ...] = ()


class RowsEvent(Frozen):
    """The result, complete by itself: the text is the template's."""

    event: Literal["rows"] = "rows"
    text: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    citations: tuple[Citation, ...]
    truncated: bool


class SentenceEvent(Frozen):
    """One checked sentence of a chat model."""

    event: Literal["sentence"] = "sentence"
    text: str


class DoneEvent(Frozen):
    """The whole answer; nothing comes after it."""

    event: Literal["done"] = "done"
    answer: Answer


class ErrorEvent(Frozen):
    """The answer could not be finished; nothing comes after it."""

    event: Literal["error"] = "error"
    kind: str
    detail: str


AnswerEvent: TypeAlias = QueryEvent | RowsEvent | SentenceEvent | DoneEvent | ErrorEvent
