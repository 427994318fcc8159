"""The events of one answer as server-sent events; whoever goes away ends the work.

Format: https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable, Iterator

import anyio.to_thread
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from cypher.answers.events import AnswerEvent, ErrorEvent
from kg.stopping import stoppable
from kg.wiring import Platform
from schemas.errors import CorpusGraphError, StoreUnavailableError
from schemas.questions import Question

MEDIA_TYPE = "text/event-stream"


class EventResponse(StreamingResponse):
    """Sends events; ``leave`` is called at the end however it comes, also before the first event."""

    def __init__(self, lines: AsyncIterator[str], leave: Callable[[], None]) -> None:
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        super().__init__(lines, media_type=MEDIA_TYPE, headers=headers)
        self._leave = leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._leave()


class AnswerStream:
    """One question on its way to one client."""

    def __init__(self, platform: Platform, question: Question, conversation: str) -> None:
        self._platform, self._question, self._conversation = platform, question, conversation
        self._gone = threading.Event()

    async def lines(self, leave: Callable[[], None]) -> AsyncIterator[str]:
        """The events as text; the work stops when this iterator is closed or cancelled.

        ``leave`` is called once the graph has answered: whoever waits for a model keeps no one out.
        """
        events = self._events()
        try:
            while True:
                # a thread that waits for a model is left behind: it sees that the client has gone
                event = await anyio.to_thread.run_sync(self._next, events, abandon_on_cancel=True)
                if event is None:
                    return
                if event.event != "query":
                    leave()
                yield f"event: {event.event}\ndata: {event.model_dump_json()}\n\n"
        finally:
            self._gone.set()

    def _next(self, events: Iterator[AnswerEvent]) -> AnswerEvent | None:
        with stoppable(self._gone.is_set):
            return next(events, None)

    def _events(self) -> Iterator[AnswerEvent]:
        try:
            asking = self._platform.asking
            yield from asking.events(self._question, conversation=self._conversation, gone=self._gone.is_set)
        except CorpusGraphError as e:
            if isinstance(e, StoreUnavailableError):
                self._platform.forget_store()
            yield ErrorEvent(kind=type(e).__name__, detail=str(e))
