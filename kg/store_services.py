"""What one connection to the store serves: all of it is opened with that connection, and left with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING

from kg.opened import opened
from kg.platform_parts import Local
from kg.stopping import within
from kg.workspace import Workspace
from schemas.ports import Chat, Embedder
from schemas.store_schema import StoreSchema

if TYPE_CHECKING:  # the driver is imported when a command first talks to Neo4j, the rest for a question
    from cypher.answers.asker import Asker
    from cypher.service import QuestionService
    from kg.adapters.neo4j_connection import Connection
    from kg.adapters.neo4j_runner import Neo4jRunner
    from kg.adapters.neo4j_store import Neo4jStore
    from kg.adapters.neo4j_values import Neo4jValues
    from kg.adapters.neo4j_views import Neo4jViews
    from kg.question_log import QuestionLog

PREPARE_SECONDS = 30.0
"""For the names and values of the graph, where a question comes before they were read."""


class StoreServices:
    """The services over one connection, each opened on first use."""

    def __init__(self, local: Local, connection: Connection) -> None:
        self._local, self.connection = local, connection
        self.opening = RLock()

    # what the asker needs beside the store -------------------------------------------------------
    @property
    def workspace(self) -> Workspace:
        return self._local.workspace

    @property
    def chat(self) -> Chat:
        return self._local.chat

    @property
    def embedder(self) -> Embedder:
        return self._local.embedder

    @property
    def question_log(self) -> QuestionLog:
        return self._local.question_log

    # services ------------------------------------------------------------------------------------
    @opened
    def store(self) -> Neo4jStore:
        from kg.adapters.neo4j_store import Neo4jStore

        return Neo4jStore(self.connection, workspace=self.workspace.id)

    @opened
    def values(self) -> Neo4jValues:
        from kg.adapters.neo4j_values import Neo4jValues

        return Neo4jValues(self.connection, self.workspace.schema, self.embedder)

    @opened
    def runner(self) -> Neo4jRunner:
        from kg.adapters.neo4j_runner import Neo4jRunner

        return Neo4jRunner(self.connection)

    @opened
    def views(self) -> Neo4jViews:
        from kg.adapters.neo4j_views import Neo4jViews

        return Neo4jViews(self.connection, self.workspace.schema)

    @opened
    def questions(self) -> QuestionService:
        from cypher.service import QuestionService

        return QuestionService(self.values, self.values, self.runner, self.runner, ways=self.workspace.ways)

    @opened
    def asker(self) -> Asker:
        """The asker of the workspace, with the chat model where kg.toml lets it help."""
        from kg.asker import make_asker

        return make_asker(self, within=self.within)

    def store_schema(self) -> StoreSchema:
        """What a query of the loaded graph may name."""
        from kg.store_schema import own_store_schema

        return own_store_schema(self.values.schema())

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """The limit of a question; the first one may take longer, since it prepares the others.

        A server that answers nothing at all is waited for no longer than in any question.
        """
        unprepared = not self.questions.prepared
        if unprepared:
            with within(seconds):
                self.connection.read("RETURN 1")
        with within(seconds + (PREPARE_SECONDS if unprepared else 0.0)):
            yield

    # life ----------------------------------------------------------------------------------------
    def lost(self) -> bool:
        """Whether the store could not be reached when it was last asked: it may be elsewhere by now."""
        return self.connection.lost.is_set()

    def used(self) -> bool:
        """Whether calls of this connection still run."""
        return self.connection.calls.left(0.0) > 0
