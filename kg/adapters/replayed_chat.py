"""Recorded replies played back: no network, and an error for anything that was not recorded.

Record with ``CachedChat(OpenAIChat(...), ReplyFolder(folder))``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from kg.adapters.cached_chat import ReplyFolder, chat_key
from schemas.errors import ChatError, ModelUnavailableError
from schemas.ports import ChatReply, ChatRequest
from schemas.waiting import never


class ReplayedChat:
    """Plays the recording in ``folder`` as if it were ``model``."""

    def __init__(self, folder: Path, model: str) -> None:
        if not folder.is_dir():
            raise ModelUnavailableError(f"no recorded replies: {folder} is no folder; record them first")
        self._replies, self._model = ReplyFolder(folder), model

    @property
    def model(self) -> str:
        """The model that was recorded."""
        return self._model

    def complete(self, request: ChatRequest, *, gone: Callable[[], bool] = never) -> ChatReply:  # noqa: ARG002
        """The recorded reply; ``ChatError`` when this request to this model was not recorded."""
        key = chat_key(self._model, request)
        reply = self._replies.get(key)
        if reply is None:
            raise ChatError(
                f"no recorded reply {key} of {self._model} for {request.purpose} in {self._replies.folder}; "
                "the prompt or the text changed since the recording, so record again"
            )
        return reply.model_copy(update={"cached": True})
