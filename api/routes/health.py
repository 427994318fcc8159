"""GET / and /health."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from typing import TypeVar

import anyio
import anyio.to_thread
from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from api.addresses import hidden
from api.deps import PlatformDep
from kg.stopping import within
from kg.store import WorkspaceMarker
from kg.wiring import Platform
from schemas.errors import CorpusGraphError

STORE_SECONDS = 3.0
"""For the store to say what it holds."""
T = TypeVar("T")
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
    """Store, schema and models. Status 503 when one of them cannot be used. It needs no turn."""
    limiter: anyio.CapacityLimiter = request.app.state.health
    found = await anyio.to_thread.run_sync(_found, platform, limiter=limiter)
    if found.status != "ok":
        response.status_code = 503
    return found


def _found(platform: Platform) -> Health:
    """What can be told; whatever is wrong with one thing stands in its place."""
    marker, no_store = _or_why(lambda: _marker(platform))
    schema, no_schema = _or_why(
        lambda: f"{platform.workspace.schema.name} {platform.workspace.schema.version}"
    )
    embedder, no_embedder = _or_why(lambda: platform.embedder.model_id)
    store = no_store or ("ok" if marker else "the database is empty; run `kg build`")
    well = store == "ok" and not (no_schema or no_embedder)
    return Health(
        status="ok" if well else "degraded",
        store=store,
        graph_schema=schema or no_schema,
        graph_hash=marker.graph_hash if marker else "",
        embedder=embedder or no_embedder,
        version=version("corpusgraph"),
    )


def _marker(platform: Platform) -> WorkspaceMarker | None:
    with within(STORE_SECONDS):
        return platform.store.marker()


def _or_why(read: Callable[[], T]) -> tuple[T | None, str]:
    """What was read and no error, or nothing and the error."""
    try:
        return read(), ""
    except CorpusGraphError as e:
        return None, hidden(str(e)) or type(e).__name__
