"""The managed server without a server: configuration, files, ports, stale state, failing starts."""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg import neo4j_server
from kg.neo4j_config import Memory, Ports, config_text, java_environment, password_command, server_command
from kg.neo4j_lock import Lock
from kg.neo4j_process import (
    end_group,
    free_ports,
    is_free,
    is_running,
    resident_bytes,
    spawn_detached,
    start_mark,
)
from kg.neo4j_runtime import Runtime
from kg.neo4j_server import ManagedNeo4j, Neo4jEndpoint
from kg.neo4j_state import (
    ServerState,
    create_password,
    log_tail,
    read_password,
    read_state,
    remove_state,
    write_state,
)
from schemas.errors import ServerStartError, SettingsError, UsageError, WorkspaceError

LOCK = Lock(("org.neo4j:neo4j:9.9.9",), ())
STATE = ServerState(pid=4_000_000, started="never", bolt_port=1, http_port=2, version="9.9.9", data="/x")


def fake_java(folder: Path, *, server: str) -> Path:
    """A program that takes Java's place: it sets the password, and runs ``server`` instead of Neo4j."""
    path = folder / "java"
    path.write_text(
        "#!/bin/sh\n"
        'case "$*" in\n'
        '*set-initial-password*) cd "$NEO4J_HOME/data" && mkdir dbms && echo x > dbms/auth.ini;;\n'
        f"*) {server};;\n"
        "esac\n",
        encoding="utf-8",
    )
    path.chmod(0o755)
    return path


def managed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, server: str) -> ManagedNeo4j:
    """A managed Neo4j whose Java is ``fake_java``."""
    runtime = Runtime(fake_java(tmp_path, server=server), (tmp_path / "a.jar",), "9.9.9")
    monkeypatch.setattr(neo4j_server, "resolve_runtime", lambda *_, **__: runtime)
    return ManagedNeo4j(tmp_path / "neo4j", cache=tmp_path / "cache", lock=LOCK)


@pytest.fixture
def listener() -> Iterator[int]:
    """A port that something listens on."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield server.getsockname()[1]


def settings(text: str) -> dict[str, str]:
    """The keys and values of a neo4j.conf."""
    return dict(line.split("=", 1) for line in text.splitlines())


def test_the_configuration_is_strict_and_listens_on_loopback_only() -> None:
    found = settings(config_text(Ports(1111, 2222), Memory("1g", "256m")))
    assert found["server.bolt.listen_address"] == found["server.bolt.advertised_address"] == "127.0.0.1:1111"
    assert found["server.http.listen_address"] == "127.0.0.1:2222"
    assert found["server.config.strict_validation.enabled"] == found["dbms.security.auth_enabled"] == "true"
    assert found["server.memory.heap.max_size"] == "1g"
    assert found["server.memory.pagecache.size"] == "256m"
    assert all(value.startswith("127.0.0.1") for key, value in found.items() if key.endswith("_address"))


def test_the_command_takes_heap_and_class_path() -> None:
    runtime = Runtime(Path("/j/java"), (Path("/c/a.jar"), Path("/c/b.jar")), "5.26.31")
    command = server_command(runtime, Path("/w"), Memory("1g"))
    assert command[0] == "/j/java"
    assert {"-Xms1g", "-Xmx1g", "--home-dir=/w", "--config-dir=/w/conf"} <= set(command)
    assert command[command.index("-cp") + 1] == f"/c/a.jar{os.pathsep}/c/b.jar"


def test_a_quick_server_differs_by_its_compiler_only() -> None:
    runtime = Runtime(Path("/j/java"), (Path("/c/a.jar"),), "5.26.31")
    full, quick = (server_command(runtime, Path("/w"), Memory(), jit=jit) for jit in ("full", "quick"))
    assert set(quick) - set(full) == {"-XX:TieredStopAtLevel=1"}
    assert [part for part in quick if part in full] == full
    assert quick.index("-XX:TieredStopAtLevel=1") < quick.index("-cp")


def test_the_password_never_stands_in_a_command_or_a_repr(tmp_path: Path) -> None:
    path = create_password(tmp_path)
    password = read_password(tmp_path, note=print)
    runtime = Runtime(Path("/j/java"), (), "5.26.31")
    assert password not in " ".join(password_command(runtime, path))
    assert password not in "".join(java_environment(tmp_path).values())
    assert password not in repr(Neo4jEndpoint("bolt://h:1", "neo4j", password, "neo4j", "http://h:2", None))


@pytest.mark.parametrize("heap", ["", "512", "m", "-1g", "1 g", "1gb", "0m", "1g -XX:+Evil"])
def test_a_malformed_size_is_refused(heap: str) -> None:
    with pytest.raises(SettingsError, match="heap must be digits"):
        Memory(heap)


def test_the_password_is_for_its_owner_alone_and_kept(tmp_path: Path) -> None:
    path = create_password(tmp_path)
    first = path.read_text(encoding="ascii")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(first) == 32
    assert create_password(tmp_path).read_text(encoding="ascii") == first


def test_a_password_that_others_could_read_is_closed_and_said_so(tmp_path: Path) -> None:
    notes: list[str] = []
    path = create_password(tmp_path)
    path.chmod(0o644)
    read_password(tmp_path, note=notes.append)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "0600" in notes[0]


def test_a_store_without_its_password_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = managed(tmp_path, monkeypatch, server="exit 0")
    (server.data / "dbms").mkdir(parents=True)
    (server.data / "dbms" / "auth.ini").write_text("x", encoding="utf-8")
    with pytest.raises(WorkspaceError, match=r"password file .* is missing"):
        server.start()


def test_state_survives_writing_and_a_damaged_one_is_told(tmp_path: Path) -> None:
    assert read_state(tmp_path) is None
    write_state(tmp_path, STATE)
    assert read_state(tmp_path) == STATE
    (tmp_path / "state.json").write_text('{"pid": 1}', encoding="utf-8")
    with pytest.raises(WorkspaceError, match="cannot be read"):
        read_state(tmp_path)
    remove_state(tmp_path)
    remove_state(tmp_path)
    assert read_state(tmp_path) is None


def test_status_looks_and_changes_nothing(tmp_path: Path) -> None:
    server = ManagedNeo4j(tmp_path / "neo4j", cache=tmp_path, lock=LOCK)
    assert server.status().state == "stopped"
    assert not server.stop()
    assert not server.home.exists()
    server.home.mkdir()
    write_state(server.home, STATE)
    status = server.status()
    assert (status.state, status.endpoint, status.pid) == ("stale", None, None)
    assert "process 4000000 has ended" in status.notes[0]
    assert read_state(server.home) == STATE


def test_stop_removes_a_stale_state_and_says_so(tmp_path: Path) -> None:
    notes: list[str] = []
    server = ManagedNeo4j(tmp_path, cache=tmp_path, lock=LOCK)
    write_state(tmp_path, STATE)
    assert not server.stop(note=notes.append)
    assert notes == ["stale state: process 4000000 has ended without being stopped: removed it"]
    assert read_state(tmp_path) is None


def test_a_reused_process_id_is_not_our_server(tmp_path: Path) -> None:
    server = ManagedNeo4j(tmp_path, cache=tmp_path, lock=LOCK)
    ours = ServerState(os.getpid(), "another start", 1, 2, "9.9.9", str(server.data))
    write_state(tmp_path, ours)
    assert server.status().state == "stale"
    assert not server.stop()


def test_the_state_of_a_copied_workspace_is_not_believed(tmp_path: Path) -> None:
    mark = start_mark(os.getpid())
    assert mark is not None
    server = ManagedNeo4j(tmp_path, cache=tmp_path, lock=LOCK)
    write_state(tmp_path, ServerState(os.getpid(), mark, 1, 2, "9.9.9", "/original/data"))
    assert not server.stop(), "the server of the original must not be touched"


@pytest.mark.parametrize("which", ["bolt_port", "http_port"])
def test_a_requested_port_in_use_is_named(
    which: str, listener: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = managed(tmp_path, monkeypatch, server="exit 0")
    with pytest.raises(UsageError, match=f"Port {listener} of 127.0.0.1 is in use"):
        server.start(**{which: listener})  # type: ignore[arg-type]


def test_one_port_cannot_serve_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = managed(tmp_path, monkeypatch, server="exit 0")
    with pytest.raises(UsageError, match="different ports"):
        server.start(bolt_port=34567, http_port=34567)


@pytest.mark.timeout(60)
def test_a_server_that_ends_is_reported_at_once_with_its_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = managed(tmp_path, monkeypatch, server="echo Unrecognized setting; exit 3")
    with pytest.raises(ServerStartError, match="ended before it was ready") as caught:
        server.start()
    assert caught.value.log_tail == "Unrecognized setting"
    assert server.status().state == "stopped"


def test_a_silent_server_is_ended_after_the_timeout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = managed(tmp_path, monkeypatch, server='echo $$ > "$NEO4J_HOME/pid"; exec /bin/sleep 60')
    with pytest.raises(ServerStartError, match=r"no query within 0\.5 s"):
        server.start(timeout=0.5)
    assert start_mark(int((server.home / "pid").read_text(encoding="ascii"))) is None
    assert server.status().state == "stopped"


def test_ports_taken_in_between_are_chosen_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notes: list[str] = []
    server = managed(tmp_path, monkeypatch, server="echo Address already in use; exit 1")
    with pytest.raises(ServerStartError, match="5 attempts"):
        server.start(note=notes.append)
    started = [note for note in notes if note.startswith("starting")]
    assert len(set(started)) == 5


def test_requested_ports_taken_in_between_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = managed(tmp_path, monkeypatch, server="echo Address already in use; exit 1")
    bolt, http = free_ports(2)
    with pytest.raises(UsageError, match=f"{bolt} and {http} of 127.0.0.1"):
        server.start(bolt_port=bolt, http_port=http)


def test_a_store_in_use_is_a_clear_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = managed(
        tmp_path, monkeypatch, server="echo org.neo4j.kernel.internal.locker.FileLockException; exit 1"
    )
    with pytest.raises(WorkspaceError, match="is in use by another Neo4j"):
        server.start()


def test_a_detached_process_outlives_the_one_that_started_it(tmp_path: Path) -> None:
    script = (
        "import sys, pathlib; from kg.neo4j_process import spawn_detached, start_mark\n"
        f"log = pathlib.Path({str(tmp_path / 'log')!r})\n"
        "pid = spawn_detached(['/bin/sleep', '60'], log=log, environment={})\n"
        "sys.stdout.write(f'{pid} {start_mark(pid)}')"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    number, _, mark = done.stdout.partition(" ")
    pid = int(number)
    try:
        assert is_running(pid, mark)
        assert os.getsid(pid) == os.getpgid(pid) == pid
        assert (resident_bytes(pid) or 0) > 0
    finally:
        assert end_group(pid, mark, timeout=5)
    assert not is_running(pid, mark)


def test_a_process_that_ignores_sigterm_is_killed(tmp_path: Path) -> None:
    ignore = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)"
    code = f"{ignore}; print(1, flush=True); time.sleep(60)"
    log = tmp_path / "log"
    pid = spawn_detached([sys.executable, "-c", code], log=log, environment={})
    mark = start_mark(pid) or ""
    while not log_tail(log):
        time.sleep(0.02)
    assert not end_group(pid, mark, timeout=0.3)
    assert not is_running(pid, mark)


def test_an_ended_child_is_not_running(tmp_path: Path) -> None:
    pid = spawn_detached(["/bin/sleep", "60"], log=tmp_path / "log", environment={})
    mark = start_mark(pid) or ""
    assert is_running(pid, mark)
    os.kill(pid, signal.SIGKILL)
    while start_mark(pid) is not None:
        time.sleep(0.01)
    assert not is_running(pid, mark)


def test_free_ports_differ_and_a_taken_one_is_seen(listener: int) -> None:
    ports = free_ports(3)
    assert len(set(ports)) == 3
    assert all(map(is_free, ports))
    assert not is_free(listener)
