"""What the path over a chat model needs: a gate, a runner, and what is known of the question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from cypher.generation.reply import Written
from schemas.findings import Finding
from schemas.questions import (
    Answer,
    CheckedQuery,
    Citation,
    EntityMatch,
    Parameter,
    Question,
    Scope,
    StatementDetail,
    Subgraph,
    Value,
)

Row: TypeAlias = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Limits:
    """Of one query: ``rows`` shown and ``seconds`` left."""

    rows: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Findings:
    """At least one finding."""

    items: tuple[Finding, ...]


class Gate(Protocol):
    """The one way from a text to a query that may run."""

    def check(
        self, text: str, parameters: Mapping[str, Parameter], *, scope: Scope, limits: Limits
    ) -> CheckedQuery | Findings:
        """The query with its scope, limits and repairs, or what is wrong with it; never raises for a text."""
        ...

    def matched(
        self, text: str, parameters: Mapping[str, Parameter], *, scope: Scope, limits: Limits
    ) -> CheckedQuery | Findings:
        """The query that returns the ids of what the query matches, a row for each that it makes."""
        ...


class Run(Protocol):
    """Runs a checked query after a look at the server's plan."""

    def __call__(self, query: CheckedQuery) -> Subgraph: ...


@dataclass(frozen=True, slots=True)
class Draft:
    """A query that was made for a question and not run: a start for a chat model, and no answer."""

    explanation: str
    query: str
    parameters: Mapping[str, Parameter]
    left: tuple[str, ...] = ()
    """Words of the question that it leaves out."""


@dataclass(frozen=True, slots=True)
class Hints:
    """What the service's own linking knows of a question."""

    names: tuple[tuple[str, tuple[EntityMatch, ...]], ...] = ()
    """Phrases of the question with the entities that they may name."""
    labels: tuple[str, ...] = ()
    """Labels of the graph that the question seems to be about."""
    drafts: tuple[Answer, ...] = ()
    """Answers of the readings between which the service could not decide."""
    partial: tuple[Draft, ...] = ()
    """Readings that were not taken, best first: most leave words of the question out."""


@dataclass(frozen=True, slots=True)
class Cited:
    """Statements with their citations, and the numbers of those behind each row."""

    details: tuple[StatementDetail, ...] = ()
    citations: tuple[Citation, ...] = ()
    behind: tuple[tuple[int, ...], ...] = ()
    note: str = ""
    """Why statements are missing, for whoever reads the answer; empty where none are."""


class Cites(Protocol):
    """Finds what stands behind the rows of a model's query."""

    def cited(self, question: Question, written: Written, result: Subgraph, rows: Sequence[Row]) -> Cited:
        """The statements with their citations, or why there are none; raises no error of a query."""
        ...


class HintSource(Protocol):
    """The question service, as far as it is needed here."""

    def hints(self, question: Question) -> Hints:
        """What is known of a question without answering it; drafts are run."""
        ...
