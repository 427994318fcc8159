"""The events of one answer as server-sent events; whoever goes away ends the work.

Format: https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

from __future__ import annotations

import logging
import threading
from collections.abc import AsyncIterator, Callable, Generator

import anyio
import anyio.to_thread
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from api.addresses import leaving
from cypher.answers.events import AnswerEvent, ErrorEvent, QueryEvent
from kg.asking import fault_told
from kg.stopping import stoppable
from kg.wiring import Platform
from schemas.errors import CorpusGraphError, FaultError
from schemas.questions import Outcome, Question

_log = logging.getLogger(__name__)

MEDIA_TYPE = "text/event-stream"


class EventResponse(StreamingResponse):
    """Sends the events of ``stream``; however it ends, ``leave`` is called and the stream closed."""

    def __init__(self, stream: AnswerStream, leave: Callable[[], None]) -> None:
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        super().__init__(stream.lines(leave), media_type=MEDIA_TYPE, headers=headers)
        self._stream, self._leave = stream, leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._leave()
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(self._stream.close)


class AnswerStream:
    """One question on its way to one client."""

    def __init__(
        self, platform: Platform, question: Question, conversation: str, *, continues: bool = False
    ) -> None:
        """With ``continues`` the conversation should be there already."""
        self._platform, self._question = platform, question
        self._conversation, self._continues = conversation, continues
        self._gone = threading.Event()
        self._turn = threading.Lock()
        self._made = self._events()
        self._begun = False

    async def lines(self, leave: Callable[[], None]) -> AsyncIterator[str]:
        """The events as text; the work stops when this iterator is closed or cancelled.

        ``leave`` is called once the graph has answered: whoever waits for a model keeps no one out.
        """
        outcome: Outcome | None = None
        try:
            while True:
                # a thread that waits for a model is left behind: it sees that the client has gone
                event = await anyio.to_thread.run_sync(self._next, abandon_on_cancel=True)
                if event is None:
                    return
                if event.event != "query":
                    leave()
                outcome = event.outcome if isinstance(event, QueryEvent) else outcome
                data = leaving(event, outcome).model_dump_json()
                yield f"event: {event.event}\ndata: {data}\n\n"
        finally:
            self._gone.set()

    def close(self) -> None:
        """End the work, also where no thread is at it: a client may go away between two events.

        A thread that is at it ends it itself, as soon as its step is done. A question that was never begun,
        since its client went away while it waited, is kept like others.
        """
        self._gone.set()
        if self._turn.acquire(blocking=False):
            try:
                self._made.close()
                if not self._begun:
                    self._begun = True
                    self._never_begun()
            finally:
                self._turn.release()

    def _next(self) -> AnswerEvent | None:
        with self._turn, stoppable(self._gone.is_set):
            self._begun = True
            event = next(self._made, None)
        if self._gone.is_set():
            self.close()
        return event

    def _never_begun(self) -> None:
        try:
            self._platform.asking.left(self._question, conversation=self._conversation)
        except CorpusGraphError as e:
            _log.warning("a question whose asker went away was not kept: %s", e)

    def _events(self) -> Generator[AnswerEvent]:
        try:
            asking = self._platform.asking
            with fault_told():
                yield from asking.events(
                    self._question,
                    conversation=self._conversation,
                    continues=self._continues,
                    gone=self._gone.is_set,
                )
        except CorpusGraphError as e:
            if isinstance(e, FaultError):
                _log.exception("the events of a question ended in a fault")
            yield ErrorEvent(kind=type(e).__name__, detail=str(e))
