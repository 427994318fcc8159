"""The managed Neo4j: one server process per workspace, started, found again and stopped.

The server runs in a session of its own and outlives the command that started it. It listens on 127.0.0.1
only, keeps data, log and password in ``WORKSPACE/neo4j``, and is ready when a query succeeds. Works on
Linux and macOS.
"""

from __future__ import annotations

import logging
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from kg.neo4j_config import (
    FOLDERS,
    Jit,
    Memory,
    Ports,
    config_text,
    java_environment,
    password_command,
    server_command,
)
from kg.neo4j_lock import Lock, load_lock
from kg.neo4j_process import (
    end_group,
    free_ports,
    is_free,
    is_running,
    resident_bytes,
    spawn_detached,
    start_mark,
)
from kg.neo4j_runtime import Runtime, exclusive, resolve_runtime
from kg.neo4j_state import (
    ServerState,
    create_password,
    has_store,
    log_tail,
    read_password,
    read_state,
    remove_state,
    write_state,
)
from schemas.errors import ServerStartError, StoreAuthError, UsageError, WorkspaceError

log = logging.getLogger(__name__)

USERNAME = "neo4j"
DATABASE = "neo4j"
_POLL = 0.25
_PORT_ATTEMPTS = 5
_PORT_TAKEN = ("Address already in use", "PortBindException")
_DATA_IN_USE = (
    "FileLockException",
    "Lock file has been locked by another process",
    "already in use by another",
)


@dataclass(frozen=True, slots=True)
class Neo4jEndpoint:
    """How to reach a Neo4j."""

    uri: str
    username: str
    password: str = field(repr=False)
    database: str
    browser_url: str
    pid: int | None
    """Process id of a managed server, None for any other."""


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """What is known of a managed Neo4j without asking it anything."""

    state: Literal["running", "stopped", "stale"]
    """``stale``: a state file is there but its process is not; the next start or stop removes it."""
    endpoint: Neo4jEndpoint | None
    version: str
    pid: int | None
    data: Path
    log: Path
    notes: tuple[str, ...]
    rss_bytes: int | None
    """Resident memory."""


def silent(_: str) -> None:
    """A ``note`` that says nothing."""


class _PortTakenError(Exception):
    """Another process took a port between the choice and the start."""


class ManagedNeo4j:
    """The Neo4j of one workspace.

    Args:
        home: its folder, ``WORKSPACE/neo4j``; made by ``start``.
        cache: the per-user cache, as ``kg.settings.read_environment`` finds it.
        heap: Java heap, digits and k, m or g; ``1g`` for bulk loads. Taken at the next start.
        page_cache: cache of store pages, same notation.
        jit: ``quick`` for a server that lives for minutes. Taken at the next start.
        lock: what to run; by default the lock that ships with the package.

    Raises:
        SettingsError: a size is not in that notation.
    """

    def __init__(
        self,
        home: Path,
        *,
        cache: Path,
        heap: str = "512m",
        page_cache: str = "128m",
        jit: Jit = "full",
        lock: Lock | None = None,
    ) -> None:
        self.home = home.absolute()
        self.cache = cache
        self.memory = Memory(heap, page_cache)
        self.jit: Jit = jit
        self.lock = lock or load_lock()
        self.data = self.home / "data"
        self.log = self.home / "logs" / "console.log"

    def prepare(self, *, note: Callable[[str], None] = silent) -> Runtime:
        """Find Java; fetch and verify the jars. ``start`` does it too; here it is for a machine's set-up.

        Raises:
            ServerStartError: Java or a jar cannot be had, or a jar is not the locked one.
        """
        return resolve_runtime(self.lock, self.cache, note=note)

    def start(
        self,
        *,
        bolt_port: int | None = None,
        http_port: int | None = None,
        note: Callable[[str], None] = silent,
        timeout: float = 120,
    ) -> Neo4jEndpoint:
        """Start the server and wait until it answers a query, or return the one that runs already.

        Two processes that call this at once get the same server.

        Args:
            bolt_port: port of the Bolt protocol; a free one when None.
            http_port: port of the Browser; a free one when None.
            note: told what takes time or was found, one line each.
            timeout: seconds to wait for the first answer.

        Raises:
            UsageError: a requested port is in use.
            ServerStartError: no Java or jars, or the server ended or stayed silent; holds its log's tail.
            StoreAuthError: the store has another password than the workspace.
            WorkspaceError: the store's password is missing, or the state file is damaged.
        """
        asked = Ports(bolt_port or 0, http_port or 0)
        with exclusive(self.home / "server.lock", note=note):
            if state := self._running(note=note):
                _note_other_ports(asked, state.ports, note=note)
                self._await_ready(state, note=note, timeout=timeout)
                return self._endpoint(state, note=note)
            runtime = self.prepare(note=note)
            self._make_home(runtime, note=note)
            for _ in range(_PORT_ATTEMPTS):
                try:
                    return self._launch(runtime, _choose_ports(asked), note=note, timeout=timeout)
                except _PortTakenError as error:
                    if asked.bolt and asked.http:
                        raise UsageError(_in_use([asked.bolt, asked.http])) from error
                    note("another program took a port in the meantime: trying other ports")
            raise ServerStartError(
                f"No free ports of 127.0.0.1 were left in {_PORT_ATTEMPTS} attempts. Repeat."
            )

    def stop(self, *, timeout: float = 30, note: Callable[[str], None] = silent) -> bool:
        """Stop the server: SIGTERM, then SIGKILL after ``timeout`` seconds. The store survives both.

        Returns:
            True when a server was running, False when there was none.
        """
        if not self.home.exists():
            return False
        with exclusive(self.home / "server.lock", note=note):
            state = self._running(note=note)
            if state is None:
                return False
            if not end_group(state.pid, state.started, timeout=timeout):
                note(f"Neo4j (process {state.pid}) did not end within {timeout:g} s and was killed")
            remove_state(self.home)
            return True

    def status(self) -> ServerStatus:
        """Look, and change nothing.

        Raises:
            WorkspaceError: the state file is damaged.
        """
        state = read_state(self.home)
        if state is None:
            return self._status("stopped")
        if reason := self._why_stale(state):
            return self._status("stale", notes=(reason,))
        notes: list[str] = []
        endpoint = self._endpoint(state, note=notes.append)
        return self._status("running", state=state, endpoint=endpoint, notes=tuple(notes))

    def _status(
        self,
        word: Literal["running", "stopped", "stale"],
        *,
        state: ServerState | None = None,
        endpoint: Neo4jEndpoint | None = None,
        notes: tuple[str, ...] = (),
    ) -> ServerStatus:
        return ServerStatus(
            state=word,
            endpoint=endpoint,
            version=state.version if state else self.lock.version,
            pid=state.pid if state else None,
            data=self.data,
            log=self.log,
            notes=notes,
            rss_bytes=resident_bytes(state.pid) if state else None,
        )

    def _running(self, *, note: Callable[[str], None]) -> ServerState | None:
        """The state of the running server; a stale one is removed, and said so."""
        state = read_state(self.home)
        if state and (reason := self._why_stale(state)):
            remove_state(self.home)
            note(f"{reason}: removed it")
            return None
        return state

    def _why_stale(self, state: ServerState) -> str:
        if not is_running(state.pid, state.started):
            return f"stale state: process {state.pid} has ended without being stopped"
        if state.data != str(self.data):
            return f"stale state: process {state.pid} serves {state.data}, not {self.data}"
        return ""

    def _endpoint(self, state: ServerState, *, note: Callable[[str], None]) -> Neo4jEndpoint:
        return Neo4jEndpoint(
            uri=f"bolt://127.0.0.1:{state.bolt_port}",
            username=USERNAME,
            password=read_password(self.home, note=note),
            database=DATABASE,
            browser_url=f"http://127.0.0.1:{state.http_port}/browser/",
            pid=state.pid,
        )

    def _make_home(self, runtime: Runtime, *, note: Callable[[str], None]) -> None:
        for folder in FOLDERS:
            (self.home / folder).mkdir(parents=True, exist_ok=True)
        if has_store(self.home):
            read_password(self.home, note=note)
            return
        command = password_command(runtime, create_password(self.home))
        done = subprocess.run(  # noqa: S603
            command,
            env=java_environment(self.home),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=60,
            check=False,
        )
        if done.returncode or not has_store(self.home):
            tail = (done.stdout + done.stderr).strip()[-2000:]
            raise ServerStartError(f"Neo4j's first password could not be set in {self.home}.", log_tail=tail)

    def _launch(
        self, runtime: Runtime, ports: Ports, *, note: Callable[[str], None], timeout: float
    ) -> Neo4jEndpoint:
        conf = self.home / "conf" / "neo4j.conf"
        conf.write_text(config_text(ports, self.memory), encoding="utf-8")
        note(f"starting Neo4j {runtime.version}, ports {ports.bolt} (Bolt) and {ports.http} (Browser)")
        command = server_command(runtime, self.home, self.memory, jit=self.jit)
        try:
            pid = spawn_detached(command, log=self.log, environment=java_environment(self.home))
        except OSError as error:
            raise ServerStartError(f"{runtime.java} could not be run: {error}") from error
        mark = start_mark(pid) or "ended at once"
        state = ServerState(pid, mark, ports.bolt, ports.http, runtime.version, str(self.data))
        try:
            write_state(self.home, state)
            self._await_ready(state, note=note, timeout=timeout)
        except BaseException:
            end_group(pid, mark, timeout=10)
            remove_state(self.home)
            raise
        return self._endpoint(state, note=note)

    def _await_ready(self, state: ServerState, *, note: Callable[[str], None], timeout: float) -> None:
        password = read_password(self.home, note=note)
        uri = f"bolt://127.0.0.1:{state.bolt_port}"
        began = time.monotonic()
        while True:
            if not is_running(state.pid, state.started):
                raise self._ended_early(state)
            if not is_free(state.bolt_port) and self._answers(uri, password):
                log.info("Neo4j answered after %.1f s", time.monotonic() - began)
                return
            if time.monotonic() - began > timeout:
                raise ServerStartError(
                    f"Neo4j (process {state.pid}) answered no query within {timeout:g} s. "
                    "Give it more time, more heap or a less busy machine.",
                    log_tail=log_tail(self.log),
                )
            time.sleep(_POLL)

    def _answers(self, uri: str, password: str) -> bool:
        from neo4j.exceptions import AuthError, DriverError, Neo4jError

        try:
            probe(uri, USERNAME, password, database=DATABASE)
        except AuthError as error:
            # Until our own server holds the port, whoever answers there may be another one.
            if "Bolt enabled on" not in log_tail(self.log, lines=1000):
                return False
            raise StoreAuthError(
                f"The store in {self.data} has another password than {self.home / 'password'}. Put the right "
                "password into that file, or remove the folder data: the graph is rebuilt from the workspace."
            ) from error
        except (DriverError, Neo4jError) as error:
            log.debug("not ready: %s", error)
            return False
        return True

    def _ended_early(self, state: ServerState) -> Exception:
        tail = log_tail(self.log, lines=200)
        if any(words in tail for words in _PORT_TAKEN):
            return _PortTakenError(str(state.ports))
        if any(words in tail for words in _DATA_IN_USE):
            return WorkspaceError(
                f"{self.data} is in use by another Neo4j that this workspace knows nothing of. Find it with "
                f"'ps ax | grep CommunityEntryPoint' and stop it, then repeat. The log is {self.log}."
            )
        return ServerStartError(
            f"Neo4j (process {state.pid}) ended before it was ready. The whole log is {self.log}.",
            log_tail=log_tail(self.log),
        )


def probe(uri: str, username: str, password: str, *, database: str, timeout: float = 2) -> None:
    """Run ``RETURN 1`` once, without the driver's retries and their log lines.

    Raises:
        neo4j.exceptions.DriverError, neo4j.exceptions.Neo4jError: no answer.
    """
    import neo4j

    with (
        neo4j.GraphDatabase.driver(uri, auth=(username, password), connection_timeout=timeout) as driver,
        driver.session(database=database, default_access_mode=neo4j.READ_ACCESS) as session,
    ):
        session.run(neo4j.Query("RETURN 1", timeout=timeout)).consume()


def _choose_ports(asked: Ports) -> Ports:
    if asked.bolt and asked.bolt == asked.http:
        raise UsageError(
            f"Bolt and Browser need different ports; both are {asked.bolt}. Give another for one."
        )
    if taken := [port for port in (asked.bolt, asked.http) if port and not is_free(port)]:
        raise UsageError(_in_use(taken))
    bolt, http = free_ports(2)
    return Ports(asked.bolt or bolt, asked.http or http)


def _in_use(ports: list[int]) -> str:
    names = " and ".join(map(str, ports))
    return f"Port {names} of 127.0.0.1 is in use by another program. Give another, or none for a free one."


def _note_other_ports(asked: Ports, running: Ports, *, note: Callable[[str], None]) -> None:
    if (asked.bolt or running.bolt, asked.http or running.http) != (running.bolt, running.http):
        note(f"Neo4j runs already, on ports {running.bolt} and {running.http}; stop it to change them")
