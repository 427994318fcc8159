"""GET / and /health."""

from __future__ import annotations

from importlib.metadata import version

import anyio
import anyio.to_thread
from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from api.deps import PlatformDep
from kg.stopping import within
from kg.wiring import Platform
from schemas.errors import QueryTimeoutError, ServiceError

STORE_SECONDS = 3.0
"""For the store to say what it holds."""
router = APIRouter(tags=["health"])


class Health(BaseModel):
    """Whether questions can be answered, and what is in use."""

    status: str
    """``ok`` or ``degraded``."""
    store: str
    """``ok``, or what is wrong with it."""
    graph_schema: str
    graph_hash: str
    embedder: str
    version: str


class Pointers(BaseModel):
    """Where to go from the root."""

    name: str
    version: str
    openapi: str
    health: str
    ask: str
    examples: str


@router.get("/")
def root() -> Pointers:
    """Where to go from here."""
    return Pointers(
        name="corpusgraph",
        version=version("corpusgraph"),
        openapi="/openapi.json",
        health="/health",
        ask='POST /api/v1/questions with a JSON body like {"question": "..."}',
        examples="/api/v1/questions/examples",
    )


@router.get("/health")
async def health(platform: PlatformDep, request: Request, response: Response) -> Health:
    """Store, schema and models. Status 503 when the store cannot be used. It needs no turn."""
    limiter: anyio.CapacityLimiter = request.app.state.health
    found = await anyio.to_thread.run_sync(_found, platform, limiter=limiter)
    if found.status != "ok":
        response.status_code = 503
    return found


def _found(platform: Platform) -> Health:
    store, graph_hash = "ok", ""
    try:
        with within(STORE_SECONDS):
            marker = platform.store.marker()
        graph_hash = marker.graph_hash if marker else ""
        store = "ok" if marker else "the database is empty; run `kg build`"
    except (QueryTimeoutError, ServiceError) as e:
        store = str(e)
    schema = platform.workspace.schema
    return Health(
        status="ok" if store == "ok" else "degraded",
        store=store,
        graph_schema=f"{schema.name} {schema.version}",
        graph_hash=graph_hash,
        embedder=platform.embedder.model_id,
        version=version("corpusgraph"),
    )
