"""Wiring: opens everything once, hands it to who needs it, and closes it again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass
from threading import RLock
from types import TracebackType
from typing import TYPE_CHECKING, Self

from canonicalize.judge import Judge, ThresholdJudge
from canonicalize.llm_judge import LlmJudge
from canonicalize.pair_judge import PairJudge
from canonicalize.pair_model import shipped_model
from extraction.describe import ChatDescriber, Describer, TemplateDescriber
from extraction.learned import LearnedExtractor
from extraction.learned_fit import LearnedTrainer
from extraction.learned_model import embedder_of
from extraction.llm import LlmExtractor
from extraction.rules import RuleExtractor
from kg.adapters.cached_chat import CachedChat
from kg.adapters.chat_budget import Budget
from kg.adapters.chat_store import SqliteReplyCache
from kg.adapters.embedders import open_embedder
from kg.adapters.model_files_store import FileModelStore
from kg.adapters.openai_chat import ChatSettings, OpenAIChat
from kg.adapters.polite_http import Timing
from kg.chat_tally import ChatTally
from kg.corpus import corpus_graph
from kg.ledger import Ledger
from kg.neo4j_server import ManagedNeo4j
from kg.opened import opened
from kg.review_log import ReviewLog
from kg.settings import Environment, read_environment, store_password, store_target
from kg.steps.recipe import Recipe
from kg.steps.train import EXTRACTOR, JUDGE
from kg.stopping import within
from kg.store import graph_hash
from kg.store_link import StoreLink
from kg.store_services import StoreServices
from kg.workspace import Workspace
from schemas.errors import ModelUnavailableError, SettingsError, StoreUnavailableError
from schemas.graphs import CanonicalGraph
from schemas.learning import ModelStore
from schemas.ports import Chat, Embedder, Extractor, Progress
from schemas.questions import Answer, Question
from schemas.store_schema import StoreSchema

if TYPE_CHECKING:  # the driver is imported when a command first talks to Neo4j, the rest for a question
    from cypher.answers.asker import Asker
    from cypher.service import QuestionService
    from kg.adapters.neo4j_connection import Connection
    from kg.adapters.neo4j_runner import Neo4jRunner
    from kg.adapters.neo4j_store import Neo4jStore
    from kg.adapters.neo4j_values import Neo4jValues
    from kg.adapters.neo4j_views import Neo4jViews
    from kg.asking import Asking, Conversations
    from kg.query_log import QueryLog
    from kg.question_log import QuestionLog


@dataclass(frozen=True, slots=True)
class Target:
    """The Neo4j in use; ``managed`` when it is the workspace's own."""

    uri: str
    username: str
    database: str
    browser_url: str
    managed: bool


class Platform:
    """One workspace with its services, each opened on first use and closed by ``with``."""

    def __init__(self, workspace: Workspace, environment: Environment, progress: Progress) -> None:
        self.workspace, self.environment, self.progress = workspace, environment, progress
        self.tally = ChatTally()
        """What the chat model took since this platform was opened."""
        self.budget = Budget()
        """What the chat model may still take; without a limit unless a command sets one."""
        self.timing = Timing()
        """The clock by which archives are asked for papers."""
        self.opening = RLock()
        self._stack = ExitStack()
        self._link = StoreLink(self._connected, lost=StoreServices.lost, used=StoreServices.used)
        self._stack.callback(self._link.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None:
        self._stack.close()

    # files -------------------------------------------------------------------------------------
    @opened
    def ledger(self) -> Ledger:
        return self._stack.enter_context(Ledger(self.workspace.ledger_path))

    @opened
    def log(self) -> ReviewLog:
        return self._stack.enter_context(ReviewLog.open(self.workspace.log_path))

    def graph(self) -> CanonicalGraph:
        """The canonical graph that the workspace's files describe."""
        return corpus_graph(tuple(self.workspace.graphs()), self.workspace.schema, self.log)

    def graph_hash(self) -> str:
        return graph_hash(self.graph())

    def attributions(self) -> tuple[str, ...]:
        """The citation lines that must stand in every export."""
        read = self.workspace.read_document
        return tuple(sorted({a for d in self.workspace.documents() if (a := read(d).attribution)}))

    # models ------------------------------------------------------------------------------------
    @opened
    def embedder(self) -> Embedder:
        return self._stack.enter_context(
            open_embedder(
                self.workspace.settings.embedder,
                self.environment.cache,
                vectors=self.workspace.embeddings_path,
            )
        )

    @opened
    def chat(self) -> Chat:
        """The chat model of ``[chat]``, with its replies cached."""
        settings = self.chat_settings()
        key = self.environment.variables.get(settings.api_key_env, "")
        model = self._stack.enter_context(OpenAIChat(settings, api_key=key, budget=self.budget))
        kept = self._stack.enter_context(closing(SqliteReplyCache(self.workspace.ledger_path)))
        return CachedChat(
            model,
            kept,
            ledger=self.tally.add,
            price=model.cost,
            concurrency=settings.concurrency,
            run=lambda: self.tally.run,
        )

    def chat_settings(self) -> ChatSettings:
        """The ``[chat]`` of kg.toml, which must be there."""
        settings = self.workspace.settings.chat
        if settings is None:
            raise SettingsError(
                "a chat model is asked for, but kg.toml has no [chat]; add base_url and model"
            )
        return settings

    @property
    def models(self) -> ModelStore:
        """The learned models of the workspace."""
        return FileModelStore(self.workspace.models_path)

    def extractors(self, chat: Chat | None = None) -> tuple[Extractor, ...]:
        """The extractors that kg.toml asks for; ``chat`` in place of the real model."""
        settings = self.workspace.settings.extraction
        found: list[Extractor] = [RuleExtractor()] if settings.rules else []
        if settings.learned:
            found.append(self.learned_extractor())
        found += self.local_models if chat is None else self._local_models(chat)
        if settings.llm:
            found.append(LlmExtractor(chat or self.chat, settings.llm_settings))
        return tuple(found)

    def learned_extractor(self) -> LearnedExtractor:
        """The model of `kg train extractor`, with the embedder if it was trained with one."""
        artifact = self.models.load(EXTRACTOR)
        embedder = self.embedder if embedder_of(artifact) else None
        return LearnedExtractor(artifact, self.workspace.schema, embedder=embedder)

    def trainer(self) -> LearnedTrainer:
        """What fits the learned extractor, as kg.toml says."""
        vectors = self.workspace.settings.extraction.models.learn_vectors
        return LearnedTrainer(embedder=self.embedder if vectors else None)

    def recipe(self, chat: Chat | None = None) -> Recipe:
        """How documents are extracted: what a run does and what decides whether a graph is current."""
        return Recipe(self.workspace.schema, self.extractors(chat), self.describer(chat))

    @opened
    def local_models(self) -> tuple[Extractor, ...]:
        """GLiNER and REBEL where kg.toml names them; kept, so that a model is loaded once."""
        return self._local_models(None)

    def _local_models(self, chat: Chat | None) -> tuple[Extractor, ...]:
        settings = self.workspace.settings.extraction
        return settings.models.extractors(
            self.workspace.root,
            (settings.gliner, settings.rebel),
            chat=(chat or self.chat) if self.settles() else None,
            embedder=lambda: self.embedder,
        )

    def describer(self, chat: Chat | None = None) -> Describer | None:
        """What describes records without a description, if kg.toml asks for it; ``chat`` as above."""
        settings = self.workspace.settings
        kind = settings.extraction.describe
        if kind == "chat" and settings.chat is None:
            raise SettingsError(
                "extraction.describe is chat, but kg.toml has no [chat]; add base_url and model"
            )
        if kind == "chat":
            return ChatDescriber(chat or self.chat)
        return TemplateDescriber() if kind == "template" else None

    def judge(self, chat: Chat | None = None) -> Judge:
        """The judge that kg.toml asks for, ``chat`` in place of the real model, asked one by one.

        A pair model that was trained here goes before the shipped one.
        """
        settings = self.workspace.settings.canonicalize
        if settings.judge == "pairs":
            try:
                artifact = self.models.load(JUDGE)
            except ModelUnavailableError:
                artifact = shipped_model()
            return PairJudge(artifact, accept=settings.accept, refuse=settings.refuse)
        if settings.judge == "llm":
            own = self.chat_settings()
            types = {
                e.name: f"{e.label}: {e.description}" if e.description else e.label
                for e in self.workspace.schema.entities
            }
            return LlmJudge(
                chat or self.chat,
                settings.llm,
                types=types,
                concurrency=1 if chat else 2 * own.concurrency,
                price=own.cost,
            )
        return ThresholdJudge()

    def chat_concurrency(self) -> int:
        """Documents extracted at a time when a chat model takes part, else 1.

        Twice the requests in the air: while half of the documents wait for the model, the others are
        prepared and checked.
        """
        chat = self.workspace.settings.chat
        return 2 * chat.concurrency if chat is not None and self.asks_chat() else 1

    def asks_chat(self) -> bool:
        """Whether extraction asks the chat model: to extract, to settle mentions of GLiNER, to describe."""
        settings = self.workspace.settings.extraction
        return settings.llm or settings.describe == "chat" or self.settles()

    def settles(self) -> bool:
        """Whether the chat model settles what GLiNER is unsure of."""
        settings = self.workspace.settings
        wanted = bool(settings.extraction.gliner) and settings.extraction.models.settle
        return wanted and settings.chat is not None

    # store -------------------------------------------------------------------------------------
    @opened
    def managed(self) -> ManagedNeo4j:
        store = self.workspace.settings.store
        return ManagedNeo4j(
            self.workspace.neo4j_home,
            cache=self.environment.cache,
            heap=store.heap,
            page_cache=store.page_cache,
            jit=store.jit,
        )

    def target_if_running(self) -> Target | None:
        """Where Neo4j is; None when the managed one does not run."""
        store = store_target(self.workspace.settings, self.environment)
        if store.uri:
            return Target(store.uri, store.username, store.database, "", managed=False)
        endpoint = self.managed.status().endpoint
        if endpoint is None:
            return None
        return Target(endpoint.uri, endpoint.username, endpoint.database, endpoint.browser_url, managed=True)

    def ensure_server(self, note: Callable[[str], None]) -> None:
        """Start the managed Neo4j unless it runs or another Neo4j is configured."""
        if self.target_if_running() is None:
            self.managed.start(note=note)

    @contextmanager
    def _connected(self) -> Iterator[StoreServices]:
        """The managed server must have been started before."""
        from kg.adapters.neo4j_connection import connect

        target = self.target_if_running()
        if target is None:
            raise StoreUnavailableError(
                "the managed Neo4j of this workspace is not running; start it with `kg neo4j start`"
            )
        endpoint = self.managed.status().endpoint if target.managed else None
        password = endpoint.password if endpoint else store_password(self.environment)
        with connect(target.uri, target.username, password, database=target.database) as connection:
            yield StoreServices(self, connection)

    def services(self) -> StoreServices:
        """What the store serves; it is connected to on first use, and anew when it was lost.

        Connecting takes no longer than the limit of ``kg.stopping``.
        """
        return self._link.get()

    def services_held(self) -> AbstractContextManager[StoreServices]:
        """The same for a block: its connection is not closed before, also where it was lost meanwhile."""
        return self._link.held()

    @property
    def connection(self) -> Connection:
        """The open driver."""
        return self.services().connection

    @property
    def store(self) -> Neo4jStore:
        return self.services().store

    @property
    def values(self) -> Neo4jValues:
        return self.services().values

    @property
    def runner(self) -> Neo4jRunner:
        return self.services().runner

    @property
    def views(self) -> Neo4jViews:
        return self.services().views

    def database_hash(self) -> str:
        """The hash of the graph that Neo4j holds."""
        return graph_hash(self.store.read_graph())

    # use ---------------------------------------------------------------------------------------
    @property
    def questions(self) -> QuestionService:
        return self.services().questions

    def store_schema(self) -> StoreSchema:
        """What a query of the loaded graph may name."""
        return self.services().store_schema()

    @opened
    def question_log(self) -> QuestionLog:
        """The questions in the ledger."""
        from kg.question_log import QuestionLog

        return QuestionLog(
            self.ledger,
            self.workspace.settings.questions,
            fingerprint=lambda: self.workspace.schema.fingerprint,
        )

    @opened
    def query_log(self) -> QueryLog:
        """Analysts' own queries in the ledger."""
        from kg.query_log import QueryLog

        return QueryLog(self.ledger, self.workspace.settings.questions)

    @opened
    def conversations(self) -> Conversations:
        """What follow-up questions lean on."""
        from kg.asking import Conversations

        return Conversations()

    @opened
    def asking(self) -> Asking:
        """Questions with conversations, the ledger, and the chat model where kg.toml lets it help."""
        from kg.asking import Asking, OnDemand

        return Asking(OnDemand(self._asker), self.question_log, self.conversations)

    @contextmanager
    def _asker(self, question: Question) -> Iterator[Asker]:
        import kg.adapters.neo4j_connection  # noqa: F401 - loaded in its own time, not in the question's

        with ExitStack() as held:
            with within(question.timeout):
                asker = held.enter_context(self.services_held()).asker
            yield asker

    def ask(self, question: Question, *, conversation: str = "", continues: bool = False) -> Answer:
        """Answer a question and record it in the ledger; a store that was lost is looked for anew."""
        return self.asking.ask(question, conversation=conversation, continues=continues)


def open_platform(
    workspace: Workspace, progress: Progress, *, environment: Environment | None = None
) -> Platform:
    """A platform for one workspace; use it with ``with``."""
    return Platform(workspace, environment or read_environment(), progress)
