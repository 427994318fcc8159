"""The demonstration: one real graph, five questions, servers left running."""

from __future__ import annotations

import json
import logging
import socket
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from pathlib import Path
from typing import Any

from rich.console import Console

from kg.build import build
from kg.files import write_atomic
from kg.neo4j_process import end_group, free_ports, is_running, spawn_detached, start_mark
from kg.neo4j_state import password_file
from kg.progress import ConsoleProgress
from kg.settings import hand_down_workspace, read_environment
from kg.setup import prepare
from kg.show import print_answer
from kg.terminal import PlainConsole
from kg.wiring import Platform, open_platform
from kg.workspace import Workspace
from schemas.errors import CorpusGraphError, ServerStartError, UsageError
from schemas.questions import Question

EXPERIMENT = "LHCb"
EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "oscillation"
QUESTIONS = (
    "Which papers determine Delta m_s?",
    "What is the most precise measurement of the B_s0 mass?",
    "Which decays were used to measure BR(B_s0 -> mu+ mu-)?",
    "How many measurements of Delta m_s by year?",
    "Which uncertainty sources affect Delta m_s most?",
)
BROWSER_QUERIES = (
    "MATCH (p:Paper)-[d:DETERMINES]->(o:Observable {name: 'Delta m_s'}) RETURN p, d, o",
    "MATCH (o:Observable)-[m:MEASURED_WITH]->(d:Decay) WHERE 'J/psi(1S)' IN d.children RETURN * LIMIT 50",
    "MATCH (s:UncertaintySource)-[a:AFFECTS]->(o:Observable) RETURN s, a, o LIMIT 100",
)


def run(root: Path, *, port: int | None) -> None:
    """Build, ask, and leave Neo4j and the API running; a second run reuses everything."""
    console, environment = PlainConsole(stderr=True, highlight=False), read_environment()
    prepare(environment.cache, note=lambda line: console.print(line, markup=False))
    workspace = (
        Workspace(root) if (root / "kg.toml").exists() else Workspace.create(root, schema="particle_physics")
    )
    with open_platform(workspace, ConsoleProgress(console), environment=environment) as platform:
        platform.ensure_server(lambda line: console.print(line, markup=False))
        sources = ["pdg", *([str(EXAMPLE)] if EXAMPLE.is_dir() else [])]
        build(platform, sources, experiment=EXPERIMENT, embed=False)
        platform.questions.prepare()
        out = PlainConsole(highlight=False)
        for question in QUESTIONS:
            out.rule(f"[bold]{question}", align="left")
            print_answer(platform.ask(Question(text=question, limit=8)), out)
        address = start_api(workspace, platform, port=port)
        _farewell(out, platform, address)


def _farewell(out: Console, platform: Platform, address: str) -> None:
    target = platform.target_if_running()
    out.rule("[bold]running", align="left")
    lines = [f"API            {address} (OpenAPI: /openapi.json)"]
    if target and target.browser_url:
        secret = password_file(platform.workspace.neo4j_home)
        lines += [
            f"Neo4j Browser  {target.browser_url}",
            f"               connect to {target.uri} as {target.username}; the password is in {secret}",
        ]
    lines += [
        "",
        "Paste into Neo4j Browser:",
        *(f"  {query}" for query in BROWSER_QUERIES),
        "",
        "`make stop` stops both.",
    ]
    for line in lines:
        out.print(line, markup=False, soft_wrap=True)


def _state_file(root: Path) -> Path:
    return root / "api.json"


def start_api(workspace: Workspace, platform: Platform, *, port: int | None) -> str:
    """Start the API as a detached process, or find it running; returns its address."""
    state = _read_state(workspace.root)
    if state is not None and is_running(state[0], state[1]) and _healthy(state[2]):
        return state[2]
    chosen = port or free_ports(1)[0]
    address = f"http://127.0.0.1:{chosen}"
    log = workspace.root / "api.log"
    command = [sys.executable, "-m", "kg", "serve", "--workspace", str(workspace.root), "--port", str(chosen)]
    pid = spawn_detached(command, log=log, environment=dict(platform.environment.variables))
    mark = start_mark(pid) or ""
    write_atomic(_state_file(workspace.root), json.dumps([pid, mark, address]).encode())
    for _ in range(240):
        if _healthy(address):
            return address
        if not is_running(pid, mark):
            break
        time.sleep(0.25)
    tail = log.read_text(encoding="utf-8", errors="replace")[-2000:] if log.exists() else ""
    raise ServerStartError(f"the API did not start on {address}", log_tail=tail)


def _healthy(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/health", timeout=5) as reply:  # noqa: S310 - our own loopback address
            return bool(reply.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _read_state(root: Path) -> tuple[int, str, str] | None:
    path = _state_file(root)
    if not path.exists():
        return None
    pid, mark, address = json.loads(path.read_text(encoding="utf-8"))
    return int(pid), str(mark), str(address)


def stop(root: Path, *, note: Callable[[str], None]) -> None:
    """Stop the API and the managed Neo4j of the demo, if they run."""
    if not (root / "kg.toml").exists():
        note("nothing was started")
        return
    workspace = Workspace(root)
    state = _read_state(workspace.root)
    if state is not None:
        ended = is_running(state[0], state[1]) and end_group(state[0], state[1], timeout=15)
        note("API stopped" if ended else "the API was not running")
        _state_file(workspace.root).unlink(missing_ok=True)
    with open_platform(workspace, ConsoleProgress(PlainConsole(stderr=True))) as platform:
        note("Neo4j stopped" if platform.managed.stop() else "Neo4j was not running")


def serve(root: Path, *, host: str, port: int, listening: Callable[[], None]) -> None:
    """Run the API in this process until it is interrupted; ``listening`` is called once it takes requests.

    ``UsageError`` when the port is in use. What keeps it from starting is raised as it is.
    """
    import uvicorn

    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, port))
        except OSError as e:
            raise UsageError(
                f"cannot listen on {host}:{port}: {e.strerror or e}; choose another --port"
            ) from e

    class Told(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            listening()

    hand_down_workspace(root)
    config = uvicorn.Config("api.app:create_app", factory=True, host=host, port=port, log_level="warning")
    config.load()
    config.loaded_app = app = _Starting(config.loaded_app)
    log = logging.getLogger("uvicorn.error")
    log.addFilter(app.unknown)
    try:
        Told(config).run()
    except KeyboardInterrupt:
        pass  # it has stopped
    except SystemExit:
        if app.failure is None:
            raise
        raise app.failure from None
    finally:
        log.removeFilter(app.unknown)


class _Starting:
    """An ASGI app; what it raises while it starts is kept, so that it is told without a traceback."""

    def __init__(self, app: Callable[..., Awaitable[None]]) -> None:
        self._app = app
        self.failure: CorpusGraphError | OSError | None = None

    def unknown(self, _record: logging.LogRecord) -> bool:
        """Whether what is logged is not of a failure that is told by whoever started the server."""
        return self.failure is None

    async def __call__(
        self, scope: MutableMapping[str, Any], receive: Callable[..., Any], send: Callable[..., Any]
    ) -> None:
        async def kept(message: Mapping[str, Any]) -> None:
            error = sys.exc_info()[1]
            if message["type"] == "lifespan.startup.failed" and isinstance(error, CorpusGraphError | OSError):
                self.failure = error
            await send(message)

        await self._app(scope, receive, kept if scope["type"] == "lifespan" else send)
