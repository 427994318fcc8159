"""A reply of a chat model that is read while it is written: the pieces, and the whole at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any, Protocol

from pydantic import BaseModel

from kg.adapters.bounded_http import Exchange
from schemas.errors import TransientServiceError

_CHUNKS = "text/event-stream"


class Chunks(Protocol):
    """The client's stream, with the response that it reads."""

    response: Any

    def __next__(self) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...
    def close(self) -> None: ...


class ReplyStream:
    """The server-sent events of one reply (``chat.completion.chunk`` objects).

    A server that knows no streams answers with a whole completion: then that is the only piece. ``guard``
    wraps every read, and turns the client's errors into ours.
    """

    def __init__(self, chunks: Chunks, exchange: Exchange, *, whole: type[BaseModel]) -> None:
        """``whole`` is the type of a completion that is not streamed."""
        self._chunks, self._exchange, self._type = chunks, exchange, whole
        self._texts: list[str] = []
        self._refusals: list[str] = []
        self._finish: str | None = None
        self._usage: Any = None
        self._model = ""
        self._whole: Any = None

    def close(self) -> None:
        """Stop reading; a server that still writes sees its connection closed."""
        self._chunks.close()

    def pieces(self, guard: Callable[[], AbstractContextManager[None]]) -> Iterator[str]:
        """The pieces of the text that are not empty.

        ``TransientServiceError`` when the stream ends before the reply does.
        """
        if not self._chunks.response.headers.get("content-type", "").startswith(_CHUNKS):
            with guard(), self._exchange.running():
                self._whole = self._type.model_validate_json(self._chunks.response.read())
            if self._whole.choices and (text := self._whole.choices[0].message.content):
                yield text
            return
        while True:
            with guard(), self._exchange.running():
                chunk = next(self._chunks, None)
            if chunk is None:
                break
            yield from self._taken(chunk)
        if self._finish is None:
            raise TransientServiceError(f"a streamed reply of {self._model or 'the model'} broke off")

    def _taken(self, chunk: Any) -> Iterator[str]:
        self._model, self._usage = chunk.model or self._model, chunk.usage or self._usage
        for choice in chunk.choices or ():
            self._finish = choice.finish_reason or self._finish
            self._refusals.append(choice.delta.refusal or "")
            if choice.delta.content:
                self._texts.append(choice.delta.content)
                yield choice.delta.content

    def completion(self) -> Any:
        """All pieces as one completion, as a server without streams would send it."""
        if self._whole is not None:
            return self._whole
        message = {"role": "assistant", "content": "".join(self._texts), "refusal": "".join(self._refusals)}
        choice = {"index": 0, "message": message, "finish_reason": self._finish}
        usage = self._usage.model_dump() if self._usage is not None else None
        whole = {"id": "", "object": "chat.completion", "created": 0, "model": self._model}
        return self._type.model_validate({**whole, "choices": [choice], "usage": usage})
