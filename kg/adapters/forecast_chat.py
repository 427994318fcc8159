"""A chat model that asks nothing: it answers from kept replies and notes what it would have asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from kg.adapters.cached_chat import chat_key, request_characters
from schemas.ports import ChatReply, ChatRequest
from schemas.waiting import never

NO_FINDINGS = '{"document": {}, "entities": {}, "relations": {}, "items": []}'
"""A valid reply in which nothing is found: what is asked next does not depend on it but for its names."""


class KeptReplies(Protocol):
    """Replies by key, read only."""

    def get(self, key: str) -> ChatReply | None: ...


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """A request that a run would make."""

    purpose: str
    characters: int
    cached: bool
    """Answered by a kept reply, or by the reply to an equal request earlier in the run."""
    guessed: bool
    """Made after a reply that is not known yet, so without the names in it."""


class ForecastChat:
    """Stands in for ``model`` while a run is forecast; not for several threads."""

    def __init__(self, model: str, kept: KeptReplies) -> None:
        self._model, self._kept = model, kept
        self._planned: list[PlannedCall] = []
        self._keys: set[str] = set()
        self._guessing = False

    @property
    def model(self) -> str:
        """The name of the model that is stood in for."""
        return self._model

    def complete(self, request: ChatRequest, *, gone: Callable[[], bool] = never) -> ChatReply:  # noqa: ARG002
        """The kept reply, else one without findings."""
        key = chat_key(self._model, request)
        kept = self._kept.get(key)
        cached = kept is not None or key in self._keys
        self._planned.append(
            PlannedCall(request.purpose, request_characters(request), cached, self._guessing)
        )
        self._keys.add(key)
        if kept is not None:
            return kept.model_copy(update={"cached": True})
        self._guessing = True
        return ChatReply(text=NO_FINDINGS, finish_reason="stop", model=self._model)

    def take(self) -> tuple[PlannedCall, ...]:
        """The calls since the last ``take``: those of one document."""
        planned = tuple(self._planned)
        self._planned.clear()
        self._guessing = False
        return planned
