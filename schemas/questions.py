"""Questions, checked queries, the subgraph they return, and the answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Self, TypeAlias

from pydantic import Field, PrivateAttr, field_validator, model_validator

from schemas.findings import Finding, Repair
from schemas.graphs import Origin, Status
from schemas.ids import DocumentKey, StatementId
from schemas.matched import Provenance, VectorSearch
from schemas.model import Frozen
from schemas.store_schema import StoreSchema

Scalar: TypeAlias = str | int | float | bool | None
Value: TypeAlias = Scalar | tuple[Scalar, ...]
"""One cell of a result row."""
Parameter: TypeAlias = Scalar | tuple[Scalar, ...]


MAX_QUESTION = 2_000
"""Most characters of a question."""
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
"""What no terminal and no log should be sent back: controls but for tab and line ends, halves of pairs."""


class Scope(StrEnum):
    """Which facts a question may rest on."""

    ALL = "all"
    VETTED = "vetted"
    PUBLISHED = "published"

    @property
    def statuses(self) -> tuple[str, ...]:
        """Statuses of the facts that count."""
        known = (Status.DRAFT, Status.VETTED, Status.PUBLISHED)
        least = Status.DRAFT if self is Scope.ALL else Status(self.value)
        return tuple(s.value for s in known[known.index(least) :])


class Question(Frozen):
    """A question in English with its limits."""

    text: str = Field(max_length=MAX_QUESTION)
    scope: Scope = Scope.ALL
    limit: int = Field(25, ge=1, le=1_000)
    """Rows to show."""
    timeout: float = Field(10.0, gt=0, le=120)
    """Seconds for all queries together."""
    deadline: float | None = Field(None, gt=0)
    """Seconds for the whole answer, a chat model's part included; None gives a model the settings' time."""
    use_llm: bool = True


class StageTime(Frozen):
    """How long one stage of answering took."""

    name: str
    ms: float = Field(ge=0)


class ModelUse(Frozen):
    """What a chat model did for one answer."""

    model: str
    calls: int = 0
    """Requests, kept replies included."""
    repairs: int = 0
    """Rounds in which findings of the gate were sent back."""
    samples: int = 0
    """Queries asked for."""
    agreeing: int = 0
    """Samples that share the most frequent result."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    decided: bool = False
    """Whether the answer rests on a query that the model wrote or chose."""
    note: str = ""
    """Why its replies did not count, where they did not."""


class CheckedQuery(Frozen):
    """A read query that passed the gate. Only ``cypher.guard`` makes one (a test holds that).

    It is a type of its own, not ``str``, so that no runner can be handed unchecked text.
    """

    text: str
    """Printed from the checked form; holds no user text, only parameters."""
    parameters: dict[str, Parameter]
    columns: tuple[str, ...]
    row_cap: int
    """Rows asked for plus one: one more row than the cap means truncated."""
    timeout: float
    """Seconds."""
    repairs: tuple[Repair, ...] = Field((), exclude=True)
    """What the gate changed in the text that came in."""
    store: StoreSchema = Field(StoreSchema(), exclude=True, repr=False)
    """What it was checked against: of nodes that come back nothing is told that this does not name."""
    scope: Scope = Field(Scope.ALL, exclude=True)
    """Which facts its rows rest on: no statement is told of that is outside of it."""
    _by_guard: bool = PrivateAttr(default=False)

    @property
    def passed(self) -> bool:
        """Whether the gate made it, as it is: a runner takes no other."""
        return self._by_guard

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy; one that differs did not pass the gate."""
        made = super().model_copy(update=update, deep=deep)
        made._by_guard = self._by_guard and not update
        return made


class GateReport(Frozen):
    """What the gate made of a query: it may run only where ``query`` is set."""

    query: CheckedQuery | None = None
    text: str = ""
    """The query as it is printed, repairs included; empty where it could not be read."""
    findings: tuple[Finding, ...] = ()
    repairs: tuple[Repair, ...] = ()
    notes: tuple[str, ...] = ()
    search: VectorSearch | None = Field(None, exclude=True)


class QueryRequest(Frozen):
    """A query that an analyst wrote, with its limits."""

    cypher: str
    parameters: dict[str, Parameter] = Field(default_factory=dict)
    scope: Scope = Scope.ALL
    limit: int = Field(100, ge=1, le=1_000)
    """Rows to show."""
    timeout: float = Field(10.0, gt=0, le=120)
    """Seconds."""
    provenance: bool = False
    """Also tell which nodes and relationships the patterns matched."""


class GraphNode(Frozen):
    """A node of a returned subgraph."""

    id: str
    type: str
    name: str
    status: Status = Status.DRAFT


class GraphEdge(Frozen):
    """A statement of a returned subgraph."""

    id: str
    type: str
    start: str
    end: str
    document: str
    status: Status = Status.DRAFT
    origin: Origin = Origin.TEXT


class Subgraph(Frozen):
    """What a query returned, with its own summary: data never leave without it."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    nodes: tuple[GraphNode, ...] = ()
    edges: tuple[GraphEdge, ...] = ()
    truncated: bool = False
    seconds: float = 0.0


class QueryResult(Frozen):
    """Rows of a query that an analyst wrote, with what was run and what the gate changed."""

    cypher: str
    """What was run: the printed query, not the text that came in."""
    parameters: dict[str, Parameter]
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    nodes: tuple[GraphNode, ...] = ()
    edges: tuple[GraphEdge, ...] = ()
    repairs: tuple[Repair, ...] = ()
    notes: tuple[str, ...] = ()
    truncated: bool = False
    approximate: bool = False
    """Whether a vector index chose the rows: it can miss a few of the nearest."""
    provenance: Provenance | None = None
    seconds: float = 0.0


class PlanSummary(Frozen):
    """What EXPLAIN says of a query."""

    query_type: str
    """``r`` for a read."""
    operators: tuple[str, ...]
    """Operator names without the database suffix."""
    procedures: tuple[str, ...] = ()
    estimated_rows: float = 0.0
    """Of the result."""
    most_rows: float = 0.0
    """Of the step that passes on the most."""


class Citation(Frozen):
    """A statement that an answer rests on; ``number`` is what ``[1]`` in the text refers to."""

    number: int
    statement: StatementId
    type: str
    document: DocumentKey
    title: str = ""
    arxiv: str = ""
    inspire: str = ""
    doi: str = ""
    quote: str = ""
    """The document's own words, or the listing's row for ``pdg-tables``."""
    origin: Origin = Origin.TEXT
    status: Status = Status.DRAFT


class StatementDetail(Frozen):
    """A statement with the names of its ends and the reference of its document: what a citation shows."""

    id: str
    type: str
    """Relation of the schema, for example ``determines``."""
    start_id: str
    start_name: str
    start_type: str
    end_id: str
    end_name: str
    end_type: str
    document: DocumentKey
    title: str = ""
    arxiv: str = ""
    inspire: str = ""
    doi: str = ""
    attribution: str = ""
    """The line that must stand with an answer, if the document's source asks for one."""
    quote: str = ""
    origin: Origin = Origin.TEXT
    status: Status = Status.DRAFT
    superseded_by: str = ""

    @property
    def ends(self) -> tuple[GraphNode, GraphNode]:
        """Subject and object as nodes of a subgraph."""
        return (
            GraphNode(id=self.start_id, type=self.start_type, name=self.start_name),
            GraphNode(id=self.end_id, type=self.end_type, name=self.end_name),
        )

    @property
    def edge(self) -> GraphEdge:
        """The statement as an edge of a subgraph."""
        return GraphEdge(
            id=self.id,
            type=self.type,
            start=self.start_id,
            end=self.end_id,
            document=self.document,
            status=self.status,
            origin=self.origin,
        )


class Outcome(StrEnum):
    """How a question ended: a closed set."""

    ANSWERED = "answered"
    EMPTY_BUT_VALID = "empty_but_valid"
    """The query fits the schema and ran; the graph holds nothing for it."""
    AMBIGUOUS = "ambiguous"
    """Two readings with different results."""
    UNANSWERABLE = "unanswerable"
    """The question cannot be expressed over this schema, or names something the graph does not know."""
    REFUSED = "refused"
    FAILED = "failed"
    TIMEOUT = "timeout"


class Answer(Frozen):
    """The answer to one question, with all that is needed to check it."""

    outcome: Outcome
    question: str
    text: str
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Value, ...], ...] = ()
    citations: tuple[Citation, ...] = ()
    cypher: str = ""
    parameters: dict[str, Parameter] = Field(default_factory=dict)
    row_citations: tuple[tuple[int, ...], ...] = ()
    """Numbers of the citations that each row rests on."""
    explanation: str = ""
    """What the query does, in English, made from its form and never from the question."""
    shape: str = ""
    """Name of the question shape that was used."""
    assumptions: tuple[str, ...] = ()
    """Readings that were chosen: "'B_s' was read as the particle in ..."."""
    suggestions: tuple[str, ...] = ()
    """For unanswerable and ambiguous: the nearest questions that can be answered."""
    alternatives: tuple[str, ...] = ()
    """Other readings of the question, in English, the nearest first; none of them was answered."""
    repairs: tuple[Repair, ...] = ()
    """What the gate changed in the query before it ran, each the only change that fits the graph."""
    superseded: int = 0
    """Rows that rest on a value which a later paper replaced."""
    attributions: tuple[str, ...] = ()
    """Citation lines that must stand with the answer."""
    nodes: tuple[GraphNode, ...] = ()
    edges: tuple[GraphEdge, ...] = ()
    truncated: bool = False
    confidence: float = Field(0.0, ge=0, le=1)
    margin: float | None = Field(None, ge=0)
    """Lead of the reading over the next best one, in their scores; none where no other was scored."""
    seconds: float = 0.0
    resolved: str = ""
    """The full question that a follow-up was read as; empty where the question stood for itself."""
    conversation: str = ""
    """Names the conversation that the next follow-up belongs to."""
    number: int = 0
    """Of the question in the ledger, for `kg questions`; 0 where it was not recorded."""
    prose: bool = False
    """Whether a chat model wrote the text; each of its sentences was checked against the cited rows."""
    dropped_sentences: int = 0
    """Sentences of the model that the cited rows do not support; they were left out."""
    stages: tuple[StageTime, ...] = ()
    model_use: ModelUse | None = None

    @field_validator("question", mode="before")
    @classmethod
    def _shown(cls, question: object) -> object:
        return _CONTROL.sub("\ufffd", question) if isinstance(question, str) else question

    @model_validator(mode="after")
    def _honest(self) -> Self:
        if self.outcome is Outcome.ANSWERED and not self.rows:
            raise ValueError("an answered question has rows")
        if self.outcome is not Outcome.ANSWERED and self.rows:
            raise ValueError(f"{self.outcome} has no rows")
        return self


class EntityMatch(Frozen):
    """A graph entity that a phrase may mean."""

    id: str
    type: str
    name: str
    score: float = Field(ge=-1, le=1)
    """1 for an exact name or alias, else a similarity."""
    via: str
    """``name``, ``alias``, ``fulltext`` or ``embedding``."""
