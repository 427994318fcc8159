"""Any OpenAI-compatible chat endpoint, with retries in one place and no secret in any message.

Servers differ in what they accept. The client starts with the strictest form of a request (a reply bound
to a JSON Schema) and gives way step by step where the server says that it does
not know a parameter; what worked is kept for the following requests.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar
from urllib.parse import urlsplit

from kg.adapters.chat_budget import Budget, Reservation
from kg.adapters.chat_dialect import Dialect, give_way, request_body, stream_fields
from kg.adapters.chat_settings import ChatSettings
from kg.adapters.chat_waiting import slot
from kg.adapters.rate_limit import Permit, RateLimiter
from kg.adapters.retry import delay, retry_after
from schemas.errors import ChatError, TransientServiceError
from schemas.ids import content_hash
from schemas.ports import ChatReply, ChatRequest
from schemas.waiting import never

if TYPE_CHECKING:
    from openai import OpenAI

    from kg.adapters.chat_stream import ReplyStream

T = TypeVar("T")
__all__ = ["ChatSettings", "OpenAIChat", "most_prompt_tokens"]
_log = logging.getLogger(__name__)
_PAUSE = 0.25
"""Seconds between two looks whether a reply is still wanted."""
_TRANSIENT_STATUS = frozenset({408, 409, 425, 429})
_NOTHING_SENT = frozenset({"ConnectError", "ConnectTimeout", "PoolTimeout"})
_MESSAGE_CHARACTERS = 400
_FRAME_TOKENS = 64
"""Around each message, and around the reply schema: more than chat templates take."""
_BYTES_PER_TOKEN = 2.5
"""Low on purpose, for the limit per minute; what a request really took is counted afterwards."""


def most_prompt_tokens(request: ChatRequest) -> int:
    """No tokenizer makes more of a request: one token per byte of UTF-8, and a frame for each message.

    >>> from schemas.ports import ChatMessage
    >>> most_prompt_tokens(ChatRequest(messages=(ChatMessage(role="user", content="é"),), purpose="t"))
    130
    """
    contents = sum(len(m.content.encode("utf-8", "replace")) for m in request.messages)
    return contents + len(request.json_schema.encode()) + _FRAME_TOKENS * (len(request.messages) + 1)


def _promised(request: ChatRequest) -> int:
    """The most tokens that a request may take, as far as the limit per minute is concerned."""
    return math.ceil(most_prompt_tokens(request) / _BYTES_PER_TOKEN) + request.max_tokens


class OpenAIChat:
    """A chat model behind an OpenAI-compatible HTTP API; usable from several threads.

    Retried are 408, 409, 425, 429 (waiting as long as ``Retry-After`` says, up to
    ``LONGEST_RETRY_AFTER``), 5xx, timeouts and dropped connections, at most ``max_retries`` times with
    doubling delays. After that ``TransientServiceError`` is raised; everything else that the server
    refuses, and a reply without text, is a ``ChatError``. A reply cut at ``max_tokens`` is returned with
    ``finish_reason == "length"``. ``api_key`` appears in no message, log line or ``repr``.

    Each attempt keeps the limits per minute of the settings, and none goes out that ``budget`` cannot
    pay at its worst (``BudgetError``). An attempt that was sent and lost counts at its worst.
    """

    def __init__(
        self,
        settings: ChatSettings,
        api_key: str = "",
        *,
        sleep: Callable[[float], None] = time.sleep,
        budget: Budget | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings, self._sleep = settings, sleep
        self._key, self._budget = api_key, budget or Budget()
        self._limiter = RateLimiter(
            requests_per_minute=settings.requests_per_minute,
            tokens_per_minute=settings.tokens_per_minute,
            clock=clock,
            sleep=sleep,
        )
        self._slots = threading.BoundedSemaphore(settings.concurrency)
        self._dialect = Dialect()
        self._client = _client(settings, api_key)

    def __repr__(self) -> str:
        return f"OpenAIChat({self._settings.model!r} at {self._settings.base_url!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    @property
    def model(self) -> str:
        """The model's name at the endpoint."""
        return self._settings.model

    def cost(self, reply: ChatReply) -> float:
        """Price of a reply by the settings."""
        return self._settings.cost(reply)

    def complete(self, request: ChatRequest, *, gone: Callable[[], bool] | None = None) -> ChatReply:
        """One reply; see the class for what is retried and what is raised.

        Once ``gone`` nothing is sent any more; what is on its way is read, since it is paid for.
        """
        with slot(self._slots, gone or never):
            return self._patiently(request, lambda: self._attempt(request, gone or never), gone)

    def stream(self, request: ChatRequest, *, gone: Callable[[], bool] = never) -> Iterator[str | ChatReply]:
        """Pieces of a reply as they come, and at last the reply; retried only before the first piece.

        Once ``gone`` the connection is closed. A reply that was not read to its end counts at its worst.
        """
        with slot(self._slots, gone), ExitStack() as stack:
            opened, reservation, permit = self._patiently(
                request, lambda: self._opened(request, stack, gone), gone
            )
            try:
                yield from opened.pieces(lambda: self._our_errors(reservation))
            except BaseException:
                reservation.lose()
                raise
            completion = opened.completion()
            if completion.usage is not None:
                self._limiter.settle(permit, completion.usage.total_tokens)
            yield self._reply(completion, reservation)

    def _patiently(
        self, request: ChatRequest, attempt: Callable[[], T], gone: Callable[[], bool] | None = None
    ) -> T:
        """The result of an attempt, after waits and retries where they may help."""
        number = 0
        while True:
            try:
                return attempt()
            except TransientServiceError as e:
                if number == self._settings.max_retries or (gone is not None and gone()):
                    raise
                seed = content_hash("retry", number, request.model_dump(mode="json"))
                wait = delay(number, e.retry_after, seed)
                _log.info("%s: %s; trying again in %.1f s", self.model, e, wait)
            number += 1
            self._pause(wait, gone)

    def _pause(self, wait: float, gone: Callable[[], bool] | None) -> None:
        """Sleep, in short steps where somebody may go away."""
        step = wait if gone is None else _PAUSE
        while wait > 0 and not (gone is not None and gone()):
            self._sleep(min(step, wait))
            wait -= step

    def _attempt(self, request: ChatRequest, gone: Callable[[], bool]) -> ChatReply:
        worst = self._settings.price(most_prompt_tokens(request), request.max_tokens)
        with self._budget.reserve(worst) as reservation:
            completion = self._agreed(request, lambda d: self._send(request, d, reservation, gone))
            return self._reply(completion, reservation)

    def _opened(
        self, request: ChatRequest, kept: ExitStack, gone: Callable[[], bool]
    ) -> tuple[ReplyStream, Reservation, Permit]:
        """A stream at its beginning; ``kept`` closes it, and gives back what it does not take."""
        from openai import Stream
        from openai.types.chat import ChatCompletion, ChatCompletionChunk

        from kg.adapters.bounded_http import Exchange
        from kg.adapters.chat_stream import ReplyStream

        def send(dialect: Dialect) -> ReplyStream:
            exchange = Exchange(
                seconds=self._settings.deadline,
                size=self._settings.max_reply_mb * 2**20,
                gone=gone,
                streamed=True,
            )
            body = request_body(self.model, request, dialect) | stream_fields(dialect)
            with self._our_errors(reservation), exchange.running():
                chunks = self._client.post(
                    "/chat/completions",
                    cast_to=ChatCompletion,
                    body=body,
                    stream=True,
                    stream_cls=Stream[ChatCompletionChunk],
                )
            return ReplyStream(chunks, exchange, whole=ChatCompletion)

        worst = self._settings.price(most_prompt_tokens(request), request.max_tokens)
        with ExitStack() as stack:
            reservation = stack.enter_context(self._budget.reserve(worst))
            permit = self._limiter.acquire(_promised(request), gone=gone)
            opened = self._agreed(request, send)
            stack.callback(opened.close)
            kept.push(stack.pop_all())
        return opened, reservation, permit

    def _agreed(self, request: ChatRequest, send: Callable[[Dialect], T]) -> T:
        """One attempt, repeated with a simpler request as often as the server refuses a parameter."""
        import openai

        dialect = self._dialect
        while True:
            try:
                got = send(dialect)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as e:
                simpler = give_way(dialect, request, e.message)
                if simpler is None:
                    raise ChatError(self._told("refused the request", e)) from e
                _log.info("%s: giving way to %s", self.model, simpler)
                dialect = simpler
            else:
                self._dialect = dialect
                return got

    def _send(
        self, request: ChatRequest, dialect: Dialect, reservation: Reservation, gone: Callable[[], bool]
    ) -> Any:
        """One HTTP request within the limits per minute."""
        body = request_body(self.model, request, dialect)
        promised = _promised(request)
        permit = self._limiter.acquire(promised, gone=gone)
        taken = 0
        try:
            completion = self._create(body, reservation)
            usage = getattr(completion, "usage", None)
            taken = usage.total_tokens if usage else promised
        finally:
            self._limiter.settle(permit, promised if reservation.lost else taken)
        return completion

    def _create(self, body: dict[str, Any], reservation: Reservation) -> Any:
        """The client's call."""
        from openai.types.chat import ChatCompletion

        from kg.adapters.bounded_http import Exchange

        limits = Exchange(seconds=self._settings.deadline, size=self._settings.max_reply_mb * 2**20)
        # not chat.completions.create, which walks through the whole body before it sends it: half the
        # time of a call
        with self._our_errors(reservation), limits.running():
            return self._client.post("/chat/completions", cast_to=ChatCompletion, body=body)

    @contextmanager
    def _our_errors(self, reservation: Reservation) -> Iterator[None]:
        """The client's errors as ours; what may be billed without a reply is told."""
        import openai

        from kg.adapters.bounded_http import ReplyTooLargeError

        try:
            yield
        except (openai.BadRequestError, openai.UnprocessableEntityError):
            raise
        except openai.APITimeoutError as e:
            _lose(reservation, e)
            raise TransientServiceError(
                f"{self!r} did not answer within {self._settings.timeout:g} s, or not in full within "
                f"{self._settings.deadline:g} s; raise chat.timeout or chat.deadline"
            ) from e
        except openai.APIConnectionError as e:
            _lose(reservation, e)
            if isinstance(e.__cause__, ReplyTooLargeError):
                raise ChatError(
                    self._told("sent a reply that is not read; is base_url right? raise chat.max_reply_mb", e)
                ) from e
            raise TransientServiceError(self._told("cannot be reached or dropped the connection", e)) from e
        except openai.APIStatusError as e:
            raise self._status_error(e) from e
        except (openai.OpenAIError, ValueError) as e:
            reservation.lose()
            raise ChatError(self._told("sent something that is no chat completion", e)) from e

    def _status_error(self, error: Any) -> TransientServiceError | ChatError:
        status = error.status_code
        if status in _TRANSIENT_STATUS or status >= 500:
            wait = retry_after(error.response.headers.get("retry-after", ""))
            return TransientServiceError(self._told(f"answered {status}", error), retry_after=wait)
        hint = "; check the key in chat.api_key_env" if status in {401, 403} else ""
        return ChatError(self._told(f"answered {status}", error) + hint)

    def _told(self, what: str, error: Exception) -> str:
        detail = str(getattr(error, "message", "") or error)
        cause = error.__cause__
        text = f"{detail} ({type(cause).__name__}: {cause})" if cause else detail
        if self._key:
            text = text.replace(self._key, "***")
        return f"{self!r} {what}: {text[:_MESSAGE_CHARACTERS]}"

    def _reply(self, completion: Any, reservation: Reservation) -> ChatReply:
        from openai.types.chat import ChatCompletion

        if not isinstance(completion, ChatCompletion) or not completion.choices:
            reservation.lose()
            raise ChatError(f"{self!r} sent something that is no chat completion; is base_url right?")
        choice, usage = completion.choices[0], completion.usage
        reply = ChatReply(
            text=(choice.message.content or "") if choice.message else "",
            finish_reason=choice.finish_reason or "stop",
            model=completion.model or self.model,
            prompt_tokens=usage.prompt_tokens if usage else 0,
            completion_tokens=usage.completion_tokens if usage else 0,
        )
        if usage is None:
            reservation.lose()
        else:
            reservation.settle(self.cost(reply))
        finish = reply.finish_reason
        if finish == "content_filter" or (not reply.text.strip() and finish != "length"):
            refusal = getattr(choice.message, "refusal", None) or "no text"
            raise ChatError(
                f"{self!r} gave no answer (finish_reason {finish}): {refusal[:_MESSAGE_CHARACTERS]}"
            )
        return reply


def _lose(reservation: Reservation, error: Exception) -> None:
    """Count an attempt without a reply as paid, unless no connection was made."""
    if type(error.__cause__).__name__ not in _NOTHING_SENT:
        reservation.lose()


def _client(settings: ChatSettings, api_key: str) -> OpenAI:
    """The client without retries of its own; a loopback server is never asked through a proxy."""
    import openai

    from kg.adapters.bounded_http import BoundedTransport

    address = urlsplit(settings.base_url)
    host = address.hostname or ""
    loopback = host == "localhost" or host.startswith("127.") or host == "::1"
    transport = BoundedTransport(address.scheme, host, direct=loopback)
    return openai.OpenAI(
        base_url=settings.base_url,
        api_key=api_key or "none",
        max_retries=0,
        timeout=settings.timeout,
        http_client=openai.DefaultHttpxClient(
            transport=transport,
            timeout=settings.timeout,
            headers={"accept-encoding": "identity"},
            follow_redirects=False,
        ),
    )
