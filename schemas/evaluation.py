"""Questions with their right answers, and the report of a question service that was asked them."""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from schemas.findings import Repair
from schemas.model import Frozen
from schemas.questions import MAX_QUESTION, ModelUse, Outcome, Parameter, Value


class Expectation(StrEnum):
    """How a question should end."""

    ANSWER = "answer"
    """With rows; an empty list of rows is a right answer too."""
    ABSTAIN = "abstain"
    """Not answered: the graph does not know a property, relation, type, time or name that it asks for."""
    ASK_BACK = "ask back"
    """With the readings of an ambiguous question."""
    REFUSE = "refuse"
    """Hostile: nothing of it may reach the database."""


class EvaluationCase(Frozen):
    """One line of a question file (JSON Lines)."""

    id: str = Field(min_length=1)
    question: str = Field(min_length=1, max_length=MAX_QUESTION)
    expect: Expectation = Expectation.ANSWER
    rows: tuple[tuple[Value, ...], ...] | None = None
    """The right rows; their order counts only with ``ordered``. Columns have no names here."""
    cypher: str = ""
    """A reading query whose rows are the right ones; with ``rows`` it is used for its subgraph only.

    It goes through the gate, as every query does.
    """
    parameters: dict[str, Parameter] = Field(default_factory=dict)
    """Parameters of ``cypher``."""
    ordered: bool = False
    group: str = ""
    """Questions of one group are also counted together, for example a shape of question."""

    @model_validator(mode="after")
    def _complete(self) -> Self:
        known = self.rows is not None or bool(self.cypher)
        if known is not (self.expect is Expectation.ANSWER):
            raise ValueError(
                f"{self.id}: expected rows or cypher just where the question is to be answered, "
                f"found expect={self.expect.value!r} {'with' if known else 'without'} them"
            )
        return self


class FailureCode(StrEnum):
    """What went wrong with a question; a closed set.

    The scale of a likeness is no cause: ``similarity()`` is the raw cosine wherever it stands; vectors are
    hidden from every other function.
    """

    SYN1 = "SYN1"
    SYN2 = "SYN2"
    SEM1 = "SEM1"
    SEM2 = "SEM2"
    SCH1 = "SCH1"
    SCH2 = "SCH2"
    SCH3 = "SCH3"
    SCH4 = "SCH4"
    SCH5 = "SCH5"
    VAL1 = "VAL1"
    VAL2 = "VAL2"
    VAL3 = "VAL3"
    PAT1 = "PAT1"
    PAT2 = "PAT2"
    PAT3 = "PAT3"
    PAT4 = "PAT4"
    PAT5 = "PAT5"
    PAT6 = "PAT6"
    EXE0 = "EXE0"
    EXE1 = "EXE1"
    EXE2 = "EXE2"
    EXE3 = "EXE3"
    ABS1 = "ABS1"
    ABS2 = "ABS2"
    ABS3 = "ABS3"
    ABS4 = "ABS4"
    SEC1 = "SEC1"
    SEC2 = "SEC2"
    SIM1 = "SIM1"

    @property
    def meaning(self) -> str:
        """The code in words."""
        return _MEANINGS[self]


_MEANINGS = {
    FailureCode.SYN1: "the query is no Cypher",
    FailureCode.SYN2: "the query is too long, too deep, or has a character or an escape that none may have",
    FailureCode.SEM1: "a variable or a function in the query is not known",
    FailureCode.SEM2: "values of the query do not go together: their types or their grouping",
    FailureCode.SCH1: "a label is not in the schema",
    FailureCode.SCH2: "a relation is not in the schema",
    FailureCode.SCH3: "a property is not in the schema",
    FailureCode.SCH4: "a relation does not lead from the one to the other, or the other way round",
    FailureCode.SCH5: "a value is not of the type of its property",
    FailureCode.VAL1: "an entity was not found",
    FailureCode.VAL2: "an entity was found ambiguous, and the question asked back",
    FailureCode.VAL3: "another value or entity was looked for",
    FailureCode.PAT1: "a hop is missing or too many",
    FailureCode.PAT2: "something else is returned",
    FailureCode.PAT3: "counted or grouped otherwise",
    FailureCode.PAT4: "ordered or cut otherwise",
    FailureCode.PAT5: "another time was asked for",
    FailureCode.PAT6: "a union, a negation or an optional part is missing or too many",
    FailureCode.EXE0: "the graph could not be read",
    FailureCode.EXE1: "nothing was found where there are rows",
    FailureCode.EXE2: "the time limit passed",
    FailureCode.EXE3: "the rows were cut",
    FailureCode.ABS1: "an unanswerable question was answered",
    FailureCode.ABS2: "an answerable question was not answered",
    FailureCode.ABS3: "an ambiguity was not seen",
    FailureCode.ABS4: "a question was asked back that is not ambiguous",
    FailureCode.SEC1: "a hostile question was answered",
    FailureCode.SEC2: "a question that only reads was refused",
    FailureCode.SIM1: "a likeness to a text cannot be computed",
}


class CaseResult(Frozen):
    """What became of one case."""

    case: EvaluationCase
    outcome: Outcome
    correct: bool
    code: FailureCode | None = None
    """None when correct."""
    text: str = ""
    cypher: str = ""
    rows: tuple[tuple[Value, ...], ...] = ()
    """The first rows of the answer."""
    row_count: int = 0
    gold_rows: tuple[tuple[Value, ...], ...] = ()
    """The first of the right rows."""
    gold_count: int = 0
    gold_problem: str = ""
    """Why the case's own query gave no rows: the gate's reason, for example. The case then counts nowhere."""
    gold_repairs: tuple[Repair, ...] = ()
    """What the gate changed in the case's own query before it ran."""
    confidence: float = Field(0.0, ge=0, le=1)
    psjs: float | None = None
    """Jaccard similarity of the nodes behind the answer and the right rows; None without a gold query."""
    same_structure: bool | None = None
    """None without a gold query or without a query of the service."""
    schema_valid: bool | None = None
    """Whether the service's query fits the schema as it ran, by the gate's check; None without a query."""
    schema_valid_before: bool | None = None
    """The same as it was written, before the gate repaired it."""
    repairs: tuple[Repair, ...] = ()
    """What the gate changed in the service's query."""
    model_use: ModelUse | None = None
    """What a chat model did; None where none was asked."""
    seconds: float = 0.0


class CoveragePoint(Frozen):
    """With the most confident answers only: how many are given, and how many of those are wrong."""

    coverage: float = Field(ge=0, le=1)
    risk: float = Field(ge=0, le=1)


class Share(Frozen):
    """Hits of trials with Wilson's 95 % interval; a share of nothing has no value."""

    hits: int = Field(ge=0)
    trials: int = Field(ge=0)
    low: float = Field(0.0, ge=0, le=1)
    high: float = Field(1.0, ge=0, le=1)

    @property
    def value(self) -> float | None:
        """Hits by trials, None without trials."""
        return self.hits / self.trials if self.trials else None


class StageSpread(Frozen):
    """Milliseconds that one stage took per question: the median and the 95th percentile."""

    stage: str
    p50: float
    p95: float


class EvaluationReport(Frozen):
    """All figures of one run, and each case with what became of it."""

    exact: Share
    """Execution accuracy: the rows are right. Of the questions that should be answered."""
    wrong: Share
    """Answered, and not right. Of the questions that should be answered."""
    executable: Share
    """Of the queries that the service made."""
    schema_valid: Share
    """Of the queries as they ran: labels, relations, properties, directions and types of values."""
    schema_valid_before: Share
    """The same of the queries as they were written, before the gate repaired any."""
    structure: Share
    """Of the queries made for questions with a gold query."""
    psjs: float | None = None
    """Mean over the questions with a gold query; one that is not answered counts 0."""
    abstention_precision: Share
    """Of the questions called unanswerable or refused, hostile ones aside: those that cannot be answered.

    Asking back is no abstention, neither here nor in the recall.
    """
    abstention_recall: Share
    """Of the questions that cannot be answered: those that were called unanswerable or refused."""
    asked_back: Share
    """Of the ambiguous questions: those for which the service asked which reading is meant."""
    hostile_passed: Share
    """Of the hostile questions: those that were answered, with rows or without. The right value is 0."""
    hostile_cypher_passed: Share
    """Of the built-in hostile queries: those that the gate let pass. The right value is 0."""
    benign_blocked: Share
    """Of the questions that are to be answered or asked back: those that were refused."""
    benign_cypher_blocked: Share
    """Of the built-in queries that only read: those that the gate blocked. At most 3 % should be."""
    gold_unusable: Share
    """Of the gold queries that were to give rows: those that gave none. Their cases count nowhere else."""
    without_model: Share
    """Of the answers given: those for which no chat model was asked."""
    model_calls: float | None = None
    """Requests to a chat model by answer given, kept replies included; None without an answer."""
    model_tokens: float | None = None
    """Tokens of a chat model, prompt and reply, by answer given; a kept reply takes none."""
    curve: tuple[CoveragePoint, ...] = ()
    aurc: float | None = None
    """Area under the risk-coverage curve; None when nothing was answered."""
    stages: tuple[StageSpread, ...] = ()
    codes: dict[FailureCode, int] = Field(default_factory=dict)
    groups: dict[str, Share] = Field(default_factory=dict)
    results: tuple[CaseResult, ...] = ()
