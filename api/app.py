"""The application factory; ``kg serve`` hands uvicorn its import string."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path

import anyio
from fastapi import FastAPI
from fastapi.concurrency import run_in_threadpool

from api import problems
from api.busy import Busy
from api.hosts import HostCheck
from api.limits import BodyLimit
from api.looks import MOST_LOOKS
from api.routes import graph, health, query, questions
from kg.progress import SilentProgress
from kg.settings import read_environment
from kg.wiring import Platform, open_platform
from kg.workspace import Workspace
from schemas.errors import QueryError, ServiceError

DESCRIPTION = "Ask a corpus graph in English; every answer cites the statements it rests on."
HEALTH_THREADS = 4
"""For /health alone, which answers also while all other threads wait for something."""

_log = logging.getLogger(__name__)


def _warm(platform: Platform) -> None:
    """Read names and values before the first question; a store that is down is /health's to report."""
    try:
        platform.questions.prepare()
    except (ServiceError, QueryError) as e:
        _log.warning("the store cannot be used yet: %s", e)


def create_app(platform: Platform | None = None) -> FastAPI:
    """The API over ``platform``; without one, over the workspace of $KG_WORKSPACE or the current folder.

    A platform that is handed in stays open; one made here is closed with the app.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        if platform is not None:
            app.state.platform = platform
            yield
            return
        root = Path(read_environment().workspace or ".")
        with open_platform(Workspace(root), SilentProgress()) as opened:
            app.state.platform = opened
            await run_in_threadpool(_warm, opened)
            yield

    app = FastAPI(
        title="corpusgraph",
        version=version("corpusgraph"),
        description=DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
    )

    def count(what: str) -> None:
        app.state.platform.query_log.busy(what)

    app.state.busy = Busy(count=count)
    app.state.looks = Busy(concurrent=MOST_LOOKS, what="look into the graph", count=count)
    app.state.health = anyio.CapacityLimiter(HEALTH_THREADS)
    problems.install(app)
    app.add_middleware(BodyLimit)
    app.add_middleware(HostCheck, known=lambda: app.state.platform.workspace.settings.api.hosts)
    app.include_router(health.router)
    app.include_router(questions.router, prefix="/api/v1")
    app.include_router(query.router, prefix="/api/v1")
    app.include_router(graph.router, prefix="/api/v1")
    return app
