"""POST /api/v1/questions, its stream of events, and the list of what was asked."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from api.addresses import hidden, told
from api.busy import Busy
from api.deps import BusyDep, PlatformDep
from api.leaving import while_wanted
from api.looks import looked
from api.sites import OwnSite
from api.sse import AnswerStream, EventResponse
from cypher.normalise import MAX_CHARACTERS
from kg.asking import new_conversation
from kg.correcting import correct
from kg.question_rows import AskedQuestion, Verdict
from kg.wiring import Platform
from schemas.errors import QueryFailedError
from schemas.questions import MAX_QUESTION, Answer, Outcome, QueryResult, Question, Scope

router = APIRouter(tags=["questions"])


def _digits(given: object) -> object:
    """Digits alone: whatever else ``int`` takes for a number is none here."""
    if isinstance(given, str) and not re.fullmatch("0|[1-9][0-9]*", given):
        raise ValueError("expected the number of a question in digits, without sign or leading zero")
    return given


Number = Annotated[int, BeforeValidator(_digits)]


class AskRequest(BaseModel):
    """A question to the graph."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"question": "Which papers determine the B_s0 mass?"}]},
    )

    question: str = Field(
        min_length=1,
        max_length=MAX_QUESTION,
        pattern=r"\S",
        description=f"A question in English; one of more than {MAX_CHARACTERS} characters is refused.",
    )
    scope: Scope = Field(Scope.ALL, description="Which facts count.")
    limit: int = Field(25, ge=1, le=1_000, description="Rows to show.")
    timeout: float = Field(
        10.0,
        gt=0,
        le=60,
        description="Seconds for all queries together; where it is given, for a chat model's part as well.",
    )
    llm: bool = Field(True, description="Whether a chat model may help, where the workspace has one.")
    conversation: str | None = Field(
        None,
        pattern=r"^[A-Za-z0-9_-]{0,64}$",
        description="Continue this conversation, so that a follow-up is understood; empty to begin one. "
        "The answer names it, and says so where it is not known, as after a restart that kept nothing.",
    )

    def as_question(self) -> Question:
        """The question with its limits."""
        return Question(
            text=self.question,
            scope=self.scope,
            limit=self.limit,
            timeout=self.timeout,
            deadline=self.timeout if "timeout" in self.model_fields_set else None,
            use_llm=self.llm,
        )

    def in_conversation(self) -> str:
        """The conversation it belongs to; a new one where one is to begin, empty for none."""
        return new_conversation() if self.conversation == "" else self.conversation or ""

    @property
    def continues(self) -> bool:
        """Whether that conversation should be there already."""
        return bool(self.conversation)

    def streamed(self, platform: Platform) -> AnswerStream:
        """The events of its answer."""
        question, conversation = self.as_question(), self.in_conversation()
        return AnswerStream(platform, question, conversation, continues=self.continues)


class MarkRequest(BaseModel):
    """A reviewer's verdict on an answer."""

    model_config = ConfigDict(extra="forbid")

    verdict: Verdict
    note: str = Field("", max_length=1_000)
    by: str = Field("", max_length=200, description="Who says so.")


class CorrectRequest(BaseModel):
    """The right query for a question."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"cypher": "MATCH (p:Paper) RETURN p.name AS paper"}]},
    )

    cypher: str = Field(min_length=1, max_length=8_000, description="A reading query in Cypher 5.")
    note: str = Field("", max_length=1_000)
    by: str = Field("", max_length=200, description="Who says so.")


@router.post("/questions", dependencies=[OwnSite])
async def ask(body: AskRequest, request: Request, platform: PlatformDep, busy: BusyDep) -> Answer:
    """Answer a question from the graph.

    The outcome says how it ended; only `answered` has rows. An `unanswerable` question comes with three close
    ones that can be answered. `repairs` lists what the gate changed in the query before it ran, with
    the text before and after. Status 429 with `Retry-After` when too many ask at once.
    """
    async with busy.turn():
        conversation = body.in_conversation()
        return await while_wanted(
            request,
            lambda: told(
                platform.ask(body.as_question(), conversation=conversation, continues=body.continues)
            ),
        )


@router.post("/questions/stream", dependencies=[OwnSite], response_class=StreamingResponse)
async def ask_stream(body: AskRequest, platform: PlatformDep, busy: BusyDep) -> StreamingResponse:
    """Answer a question as server-sent events: `query`, `rows`, a `sentence` each, then `done` or `error`.

    `query` has the query with its `repairs`; `done` has the whole answer. Whoever goes away ends the work: no
    model is asked any more.
    """
    return await _streamed(body.streamed(platform), busy)


@router.get("/questions/stream", dependencies=[OwnSite], response_class=StreamingResponse)
async def ask_event_source(
    body: Annotated[AskRequest, Query()], platform: PlatformDep, busy: BusyDep
) -> StreamingResponse:
    """The same for a browser's EventSource, which can only GET."""
    return await _streamed(body.streamed(platform), busy)


async def _streamed(stream: AnswerStream, busy: Busy) -> EventResponse:
    leave = await busy.enter()
    return EventResponse(stream, leave)


@router.get("/questions")
def asked(
    platform: PlatformDep,
    outcome: Outcome | None = None,
    limit: Annotated[int, Query(ge=1, le=1_000)] = 50,
) -> tuple[AskedQuestion, ...]:
    """The latest questions of the ledger, newest first."""
    return platform.question_log.rows(outcome=outcome, limit=limit)


@router.get("/questions/examples")
async def examples(request: Request, platform: PlatformDep) -> tuple[str, ...]:
    """Questions that this graph can answer, one per shape.

    Status 429 with `Retry-After` when too many look at once.
    """
    return await looked(request, platform, lambda services: services.questions.examples(), prepares=True)


@router.get("/questions/{number}")
def one(number: Number, platform: PlatformDep) -> AskedQuestion:
    """One question of the ledger with its query, stages and marks."""
    return _known(number, platform)


@router.post("/questions/{number}/mark", dependencies=[OwnSite])
def mark(number: Number, body: MarkRequest, platform: PlatformDep) -> AskedQuestion:
    """Say that an answer was right or wrong: a wrong one is not given again, right ones become examples."""
    _known(number, platform)
    return platform.question_log.mark(number, body.verdict, note=body.note, by=body.by)


@router.post("/questions/{number}/correct", dependencies=[OwnSite])
async def correct_question(
    number: Number, body: CorrectRequest, request: Request, platform: PlatformDep, busy: BusyDep
) -> QueryResult:
    """Give the right query for a question: it is answered by it from now on, with other names in it too.

    What the query finds now; one that may not run is refused (422) with what is wrong with it.
    Status 429 with `Retry-After` when too many ask at once.
    """

    def corrected() -> QueryResult:
        _known(number, platform)
        return correct(platform, number, body.cypher, by=body.by, note=body.note)

    try:
        async with busy.turn():
            return await while_wanted(request, corrected)
    except QueryFailedError as e:
        raise HTTPException(422, hidden(str(e))) from e


@router.delete("/questions/{number}/mark", dependencies=[OwnSite])
def unmark(number: Number, platform: PlatformDep) -> AskedQuestion:
    """Take back what was said last, a mark or a correction, as if it had never been given."""
    if _known(number, platform).verdict is None:
        raise HTTPException(404, f"question {number} is not marked, so there is nothing to take back")
    return platform.question_log.unmark(number)


def _known(number: int, platform: Platform) -> AskedQuestion:
    found = platform.question_log.find(number)
    if found is None:
        raise HTTPException(404, f"the ledger holds no question {number}; GET /api/v1/questions lists them")
    return found
