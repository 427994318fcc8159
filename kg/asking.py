"""Questions as they come from the command line and the API: conversations, the ledger, the model's help."""

from __future__ import annotations

import logging
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Final, Protocol

from cypher.answers.events import AnswerEvent, DoneEvent, QueryEvent, RowsEvent
from kg.stopping import stopped_here
from schemas.errors import CorpusGraphError, FaultError, WorkspaceError
from schemas.questions import Answer, Outcome, Question
from schemas.waiting import never

_log = logging.getLogger(__name__)
MOST_CONVERSATIONS: Final = 10_000
"""Held in memory; an older one is looked up in the ledger."""
_LEFT: Final = "The asker went away before the rows were told."
_LEFT_OFF: Final = {"outcome": Outcome.FAILED, "text": _LEFT, "explanation": _LEFT}
NOT_KEPT: Final = "This question was not kept, because the ledger cannot be written; the log says why."
UNKNOWN: Final = "The conversation {!r} is not known here, so this question was taken by itself."
_UNDERSTOOD: Final = frozenset({Outcome.ANSWERED, Outcome.EMPTY_BUT_VALID})


class Conversations:
    """The last full question of each conversation; usable from several threads.

    >>> known = Conversations(most=1)
    >>> known.keep("a", "Which papers?"); known.keep("b", "How many?")
    >>> known.last("a"), known.last("b")
    ('', 'How many?')
    """

    def __init__(self, *, most: int = MOST_CONVERSATIONS) -> None:
        self._most, self._lock = most, threading.Lock()
        self._last: OrderedDict[str, str] = OrderedDict()

    def last(self, conversation: str) -> str:
        """The last full question, or empty."""
        with self._lock:
            return self._last.get(conversation, "")

    def knows(self, conversation: str) -> bool:
        """Whether anything was asked in it."""
        with self._lock:
            return conversation in self._last

    def keep(self, conversation: str, question: str) -> None:
        """Remember a question, empty for one that was not understood, after which the one before counts.

        The conversation that was quiet for longest may be forgotten.
        """
        with self._lock:
            self._last[conversation] = question or self._last.get(conversation, "")
            self._last.move_to_end(conversation)
            while len(self._last) > self._most:
                self._last.popitem(last=False)


def new_conversation() -> str:
    """An id that nobody can guess, so that no conversation is read by another asker."""
    return secrets.token_urlsafe(12)


class Log(Protocol):
    """Where questions are kept, or are not."""

    def last(self, conversation: str) -> str:
        """The latest full question of a conversation that was understood; empty if there is none."""
        ...

    def add(self, question: Question, answer: Answer) -> int:
        """Keep a question with its answer; its number, 0 if it is not kept."""
        ...


class Asks(Protocol):
    """What answers a question, event by event."""

    def events(
        self, question: Question, *, before: str = "", gone: Callable[[], bool] = never
    ) -> Iterator[AnswerEvent]:
        """Events as they become known; ``before`` is the question before this one in its conversation."""
        ...


class OnDemand:
    """Asks by the asker that is had for each question, and held until its end.

    One that cannot be had is an error of the question.
    """

    def __init__(self, asker: Callable[[Question], AbstractContextManager[Asks]]) -> None:
        self._asker = asker

    def events(
        self, question: Question, *, before: str = "", gone: Callable[[], bool] = never
    ) -> Iterator[AnswerEvent]:
        """The events of that asker."""
        with self._asker(question) as asker:
            yield from asker.events(question, before=before, gone=gone)


class NoLog:
    """Keeps nothing: for questions asked outside of any workspace."""

    def last(self, conversation: str) -> str:  # noqa: ARG002
        """Nothing."""
        return ""

    def add(self, question: Question, answer: Answer) -> int:  # noqa: ARG002
        """Nothing is kept."""
        return 0


def _so_far(question: Question, events: Sequence[AnswerEvent], ended: BaseException) -> Answer:
    """What the events before the last one tell of an answer; without rows it failed, and says why."""
    query = next((e for e in events if isinstance(e, QueryEvent)), None)
    rows = next((e for e in events if isinstance(e, RowsEvent)), None)
    if query is None or rows is None:
        why = f"It ended in an error ({type(ended).__name__})." if isinstance(ended, Exception) else _LEFT
        return Answer(outcome=Outcome.FAILED, question=question.text, text=why, explanation=why)
    told = query.model_dump(exclude={"event"}) | rows.model_dump(exclude={"event"})
    return Answer(**told, question=question.text)


def _is_late(event: AnswerEvent) -> bool:
    return isinstance(event, QueryEvent) and event.outcome is Outcome.TIMEOUT


@contextmanager
def fault_told() -> Iterator[None]:
    """What nobody expected is raised as a ``FaultError``: it ends one question, and others go on."""
    try:
        yield
    except CorpusGraphError:
        raise
    except Exception as e:
        raise FaultError(f"The question failed with {type(e).__name__}, a fault of this program.") from e


class Asking:
    """Asks, remembers what a conversation is about, and records how each question ended."""

    def __init__(self, asker: Asks, log: Log, conversations: Conversations) -> None:
        self._asker, self._log, self._conversations = asker, log, conversations

    def ask(self, question: Question, *, conversation: str = "", continues: bool = False) -> Answer:
        """The answer with its number in the ledger; see ``events``."""
        gone = stopped_here() or never
        for event in self.events(question, conversation=conversation, continues=continues, gone=gone):
            if isinstance(event, DoneEvent):
                return event.answer
        raise AssertionError("the events of a question end with its answer")

    def events(
        self,
        question: Question,
        *,
        conversation: str = "",
        continues: bool = False,
        gone: Callable[[], bool] = never,
    ) -> Iterator[AnswerEvent]:
        """The events of one question; ``done`` comes after it was recorded.

        With ``continues`` the conversation should be there already; the answer says so where it is not.

        A question that ends before that, in an error or since its asker goes away, is recorded with what was
        known by then; reads that end since the asker has gone are not taken for reads that took too long.
        Where the ledger cannot be written, the answer says that it was not kept.
        """
        before = self._before(conversation) if conversation else ""
        notes = (UNKNOWN.format(conversation),) if continues and not self._known(conversation, before) else ()
        seen: list[AnswerEvent] = []
        done: DoneEvent | None = None
        left = False
        try:
            for event in self._asker.events(question, before=before, gone=gone):
                if isinstance(event, DoneEvent):
                    done = event
                else:
                    seen.append(event)
                    left = left or (_is_late(event) and gone())
                    yield event
        except BaseException as e:
            ended = _LEFT_OFF if left else {}
            self._recorded(question, _so_far(question, seen, e).model_copy(update=ended), conversation)
            raise
        if done is not None:
            update = {"assumptions": (*done.answer.assumptions, *notes)} | (_LEFT_OFF if left else {})
            yield self._recorded(question, done.answer.model_copy(update=update), conversation)

    def left(self, question: Question, *, conversation: str = "") -> None:
        """Record a question whose asker went away before it was begun."""
        self._recorded(question, _so_far(question, (), GeneratorExit()), conversation)

    def _before(self, conversation: str) -> str:
        return self._conversations.last(conversation) or self._log.last(conversation)

    def _known(self, conversation: str, before: str) -> bool:
        return bool(before) or self._conversations.knows(conversation)

    def _recorded(self, question: Question, answer: Answer, conversation: str) -> DoneEvent:
        known = answer.model_copy(update={"conversation": conversation})
        if conversation:
            understood = answer.outcome in _UNDERSTOOD
            self._conversations.keep(conversation, (answer.resolved or answer.question) if understood else "")
        try:
            number = self._log.add(question, known)
        except WorkspaceError as e:  # a full disk, for example: the answer is none the worse for it
            _log.warning("a question was not kept: %s", e)
            return DoneEvent(answer=known.model_copy(update={"assumptions": (*known.assumptions, NOT_KEPT)}))
        return DoneEvent(answer=known.model_copy(update={"number": number}))
