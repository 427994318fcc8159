"""POST /api/v1/query: Cypher that an analyst wrote."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request
from pydantic import BaseModel, ConfigDict, Field

from api.addresses import hidden
from api.deps import BusyDep, PlatformDep
from api.leaving import while_wanted
from api.sites import OwnSite
from kg.query import check_query, run_query
from kg.query_log import WrittenQuery
from schemas.errors import QueryFailedError
from schemas.questions import GateReport, Outcome, Parameter, QueryRequest, QueryResult, Scope

router = APIRouter(tags=["query"])


class CypherRequest(BaseModel):
    """A reading query in Cypher 5."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"cypher": "MATCH (p:Paper) RETURN p.name AS paper LIMIT 5"}]},
    )

    cypher: str = Field(
        min_length=1, max_length=8_000, description="The query; it is only read, never written."
    )
    parameters: dict[str, Parameter] = Field(default_factory=dict, description="Values of its $names.")
    scope: Scope = Field(Scope.ALL, description="Which facts count.")
    limit: int = Field(100, ge=1, le=1_000, strict=True, description="Rows to show.")
    timeout: float = Field(10.0, gt=0, le=60, strict=True, description="Seconds.")
    provenance: bool = Field(
        False, strict=True, description="Also tell which nodes and relationships were matched."
    )


@router.post("/query", dependencies=[OwnSite])
async def query(body: CypherRequest, request: Request, platform: PlatformDep, busy: BusyDep) -> QueryResult:
    """Run a query through the gate; a query that may not run is refused (422) with what is wrong with it.

    So is one that the server cannot finish, such as a division by zero. When the client goes away, the query
    is ended on the server. Status 429 with `Retry-After` when too many ask at once.
    """
    asked = QueryRequest(**body.model_dump())
    try:
        async with busy.turn():
            return await while_wanted(request, lambda: run_query(platform, asked))
    except QueryFailedError as e:
        raise HTTPException(422, hidden(str(e))) from e


@router.post("/query/check", dependencies=[OwnSite])
async def check(body: CypherRequest, request: Request, platform: PlatformDep, busy: BusyDep) -> GateReport:
    """What the gate makes of a query, without running it. Status 429 when too many ask at once."""
    asked = QueryRequest(**body.model_dump())
    async with busy.turn():
        return await while_wanted(request, lambda: check_query(platform, asked))


@router.get("/queries")
def written(
    platform: PlatformDep,
    outcome: Outcome | None = None,
    limit: Annotated[int, Query(ge=1, le=1_000)] = 50,
) -> tuple[WrittenQuery, ...]:
    """The latest queries that analysts wrote, with their outcomes, as the ledger keeps them, newest first."""
    return platform.query_log.rows(outcome=outcome, limit=limit)
