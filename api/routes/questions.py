"""POST /api/v1/questions."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from api.deps import PlatformDep
from schemas.questions import MAX_QUESTION, Answer, Question, Scope

router = APIRouter(tags=["questions"])


class AskRequest(BaseModel):
    """A question to the graph."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"question": "Which papers determine the B_s0 mass?"}]},
    )

    question: str = Field(
        min_length=1, max_length=MAX_QUESTION, pattern=r"\S", description="A question in English."
    )
    scope: Scope = Field(Scope.ALL, description="Which facts count.")
    limit: int = Field(25, ge=1, le=1_000, description="Rows to show.")
    timeout: float = Field(10.0, gt=0, le=60, description="Seconds for all queries together.")


@router.post("/questions")
def ask(body: AskRequest, platform: PlatformDep) -> Answer:
    """Answer a question from the graph.

    The outcome says how it ended; only `answered` has rows. An `unanswerable` question comes with the
    nearest ones that can be answered.
    """
    return platform.ask(
        Question(text=body.question, scope=body.scope, limit=body.limit, timeout=body.timeout)
    )


@router.get("/questions/examples")
def examples(platform: PlatformDep) -> tuple[str, ...]:
    """Questions that this graph can answer, one per shape."""
    return platform.questions.examples()
