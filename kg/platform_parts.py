"""What a platform opens without a store, as far as others need it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from kg.workspace import Workspace
from schemas.ports import Chat, Embedder

if TYPE_CHECKING:
    from kg.question_log import QuestionLog


class Models(Protocol):
    """What a platform opens, as far as a chat model's queries need it."""

    @property
    def workspace(self) -> Workspace: ...

    @property
    def chat(self) -> Chat: ...

    @property
    def embedder(self) -> Embedder: ...


class Local(Models, Protocol):
    """What needs no store: the workspace, its models and its ledger."""

    @property
    def question_log(self) -> QuestionLog: ...
