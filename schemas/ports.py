"""What the stages need from the outside world, and what the platform offers: one small protocol each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from schemas.communities import Communities, CommunityReport
from schemas.documents import Document
from schemas.graph_schema import GraphSchema
from schemas.graphs import CanonicalGraph, Extraction
from schemas.model import Frozen
from schemas.model_output import LabelledText, WrittenTriplets
from schemas.questions import (
    CheckedQuery,
    EntityMatch,
    Parameter,
    PlanSummary,
    StatementDetail,
    Subgraph,
)
from schemas.waiting import never


class ChatMessage(Frozen):
    """One turn of a conversation."""

    role: str
    """``system``, ``user`` or ``assistant``."""
    content: str


class ChatRequest(Frozen):
    """A request to a chat model."""

    messages: tuple[ChatMessage, ...]
    purpose: str
    """``extract/abstract/1``: task and prompt version; part of the cache key."""
    json_schema: str = ""
    """JSON Schema of the reply as text; empty for prose."""
    max_tokens: int = 4_096
    temperature: float = 0.0


class ChatReply(Frozen):
    """A model's reply and its price."""

    text: str
    finish_reason: str
    """``stop``, or ``length`` when it was cut."""
    model: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached: bool = False


class Chat(Protocol):
    """A chat model. Raises ``TransientServiceError`` (after its own retries) or ``ChatError``."""

    @property
    def model(self) -> str: ...

    def complete(self, request: ChatRequest, *, gone: Callable[[], bool] = never) -> ChatReply:
        """One reply to one request.

        Once ``gone`` a request that still waits for its turn is not sent: ``TransientServiceError``.
        """
        ...


@runtime_checkable
class StreamingChat(Chat, Protocol):
    """A chat model whose reply can be read while it is written."""

    def stream(self, request: ChatRequest, *, gone: Callable[[], bool]) -> Iterator[str | ChatReply]:
        """Pieces of the reply's text as they come, and at last the whole reply; errors as of ``complete``.

        Once ``gone`` the model is told to stop, by closing the connection: the iterator ends with an error.
        """
        ...


class Embedder(Protocol):
    """Texts to vectors."""

    @property
    def model_id(self) -> str:
        """Name, version and weights hash: stored with every vector, never mixed with another."""
        ...

    @property
    def dimension(self) -> int: ...

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n_texts, dimension) float32, rows L2-normalised (an empty text gives a zero row)."""
        ...


class Extractor(Protocol):
    """Finds entities and relations in one document."""

    @property
    def name(self) -> str:
        """Name and version, for example ``rules/2``; part of the run id."""
        ...

    def extract(self, document: Document, schema: GraphSchema) -> Extraction:
        """Drafts with their quotes; whatever it cannot use it returns as rejections."""
        ...


@runtime_checkable
class SecondPassExtractor(Extractor, Protocol):
    """An extractor that builds on what others found: it runs after them."""

    def extract_after(
        self, document: Document, schema: GraphSchema, found: Sequence[Extraction]
    ) -> Extraction:
        """Drafts with their quotes, the ends of relations among them; ``found`` has passed the checks."""
        ...


class SpanLabeller(Protocol):
    """A model that finds spans under labels given at run time, and relations where it can (GLiNER)."""

    @property
    def model_id(self) -> str:
        """Name and hash of all its files."""
        ...

    @property
    def relates(self) -> bool:
        """Whether it finds relations."""
        ...

    def label(
        self, texts: Sequence[str], labels: Sequence[str], *, relations: Sequence[str] = (), threshold: float
    ) -> tuple[LabelledText, ...]:
        """One result per text, with everything that scores ``threshold`` or more."""
        ...


class TripletWriter(Protocol):
    """A sequence-to-sequence model that writes a text's triplets in REBEL's linear form."""

    @property
    def model_id(self) -> str:
        """Name and hash of all its files."""
        ...

    def write(self, texts: Sequence[str]) -> tuple[WrittenTriplets, ...]:
        """One result per text."""
        ...


class QueryRunner(Protocol):
    """Runs checked queries in READ transactions."""

    def explain(self, query: CheckedQuery) -> PlanSummary:
        """What the server would do; nothing is run."""
        ...

    def run(self, query: CheckedQuery) -> Subgraph:
        """Rows with their summary.

        Raises ``QueryTimeoutError``, ``QueryFailedError`` or ``StoreUnavailableError``.
        """
        ...


class StatementSource(Protocol):
    """Looks statements up by id, for citations."""

    def statements(self, ids: Sequence[str]) -> tuple[StatementDetail, ...]:
        """The statements of these ids, in their order; an id that the graph does not hold is left out."""
        ...


class ValueIndex(Protocol):
    """Finds the entities that a phrase may mean."""

    def exact(self, phrases: Sequence[str], types: Sequence[str]) -> Mapping[str, tuple[EntityMatch, ...]]:
        """Entities whose normalised name or alias equals each phrase's; other phrases are left out."""
        ...

    def similar(self, phrase: str, types: Sequence[str], *, limit: int = 5) -> tuple[EntityMatch, ...]:
        """Nearest entities by full text and embedding, best first."""
        ...

    def qualified(self, phrase: str, entity_type: str) -> tuple[EntityMatch, ...]:
        """Entities of a type whose name or alias is the phrase with a condition behind it, by name."""
        ...


class GraphCounts(Frozen):
    """How much of each type the graph holds."""

    entities: dict[str, int]
    relations: dict[str, int]


class SchemaSource(Protocol):
    """The schema in force and what the graph holds of it."""

    def schema(self) -> GraphSchema: ...

    def counts(self) -> GraphCounts: ...


class Example(Frozen):
    """A question with a query that a reviewer found right."""

    question: str
    query: str
    parameters: dict[str, Parameter]
    explanation: str = ""


class ExampleBank(Protocol):
    """Verified pairs of question and query."""

    def nearest(self, question: str, *, limit: int = 5) -> tuple[Example, ...]:
        """Pairs whose questions are most like this one, best first; none without any likeness."""
        ...


class Summarizer(Protocol):
    """Describes communities."""

    @property
    def name(self) -> str: ...

    def summarize(self, graph: CanonicalGraph, communities: Communities) -> tuple[CommunityReport, ...]:
        """One report per community, each finding citing statements."""
        ...


class ProgressTask(Protocol):
    """One running step."""

    def advance(self, count: int = 1, *, note: str = "") -> None: ...


class Progress(Protocol):
    """Shows how far a step is: a bar on a terminal, plain lines elsewhere, nothing in tests."""

    def task(
        self, label: str, *, total: int | None = None, unit: str = ""
    ) -> AbstractContextManager[ProgressTask]: ...
