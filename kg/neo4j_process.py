"""Detached processes on POSIX: start, recognise again, measure and end them.

A process id alone does not name a process, because ids are reused. Here a process is named by its id and
its start, as the system tells it; both are kept in a file and compared before anything is signalled.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

_POLL = 0.1
_PROC = Path("/proc")


def spawn_detached(command: Sequence[str], *, log: Path, environment: Mapping[str, str]) -> int:
    """Start ``command`` in a session of its own, so that it outlives this process and its terminal.

    Args:
        command: program and arguments; the program is a path.
        log: file that receives both outputs; made anew.
        environment: the whole environment of the process.

    Returns:
        The process id, which is also the id of its process group.

    Raises:
        OSError: the program cannot be run.
    """
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, str(log), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
        (os.POSIX_SPAWN_DUP2, 1, 2),
    ]
    return os.posix_spawn(command[0], list(command), dict(environment), file_actions=actions, setsid=True)


def start_mark(pid: int) -> str | None:
    """When process ``pid`` started, in the system's own words; None when it is not running.

    An ended process whose parent has not yet asked for its result (a zombie) is not running.
    """
    if (_PROC / "self").exists():
        return _start_mark_proc(pid)
    return _start_mark_ps(pid)


def is_running(pid: int, mark: str) -> bool:
    """Whether the process that had this id and this start is still running."""
    _reap(pid)
    return start_mark(pid) == mark


def resident_bytes(pid: int) -> int | None:
    """Resident memory of a process in bytes, or None when it cannot be told."""
    try:
        pages = int((_PROC / str(pid) / "statm").read_text(encoding="ascii").split()[1])
    except (FileNotFoundError, ProcessLookupError):
        kilobytes = _ps(pid, "rss=")
        return int(kilobytes) * 1024 if kilobytes.isdecimal() else None
    return pages * os.sysconf("SC_PAGE_SIZE")


def end_group(pid: int, mark: str, *, timeout: float) -> bool:
    """End a process and its group: SIGTERM, and SIGKILL when it is still there after ``timeout`` seconds.

    Returns:
        True when it ended by itself after SIGTERM (or had ended already), False when it was killed.
    """
    for number, patience in ((signal.SIGTERM, timeout), (signal.SIGKILL, 10.0)):
        if not is_running(pid, mark):
            return True
        try:
            os.killpg(pid, number)
        except ProcessLookupError:
            return True
        if wait_ended(pid, mark, timeout=patience):
            return number is signal.SIGTERM
    return False


def wait_ended(pid: int, mark: str, *, timeout: float) -> bool:
    """Wait until the process has ended; False when it still runs after ``timeout`` seconds."""
    deadline = time.monotonic() + timeout
    while is_running(pid, mark):
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL)
    return True


def is_free(port: int) -> bool:
    """Whether a server could listen on 127.0.0.1:``port`` now."""
    with socket.socket() as probe:
        probe.setsockopt(
            socket.SOL_SOCKET, socket.SO_REUSEADDR, 1
        )  # as Java does: ports in TIME_WAIT are free
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def free_ports(count: int) -> tuple[int, ...]:
    """Different ports of 127.0.0.1 that nothing listened on a moment ago."""
    probes = [socket.socket() for _ in range(count)]
    try:
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return tuple(probe.getsockname()[1] for probe in probes)
    finally:
        for probe in probes:
            probe.close()


def _reap(pid: int) -> None:
    try:
        os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        return  # not started by this process: its parent reaps it


def _start_mark_proc(pid: int) -> str | None:
    try:
        text = (_PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    fields = text.rpartition(")")[2].split()  # the name in parentheses may hold spaces
    state, ticks = fields[0], fields[19]
    boot = (_PROC / "sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return None if state in "ZX" else f"{boot} {ticks}"


def _start_mark_ps(pid: int) -> str | None:
    state, _, started = _ps(pid, "stat=,lstart=").partition(" ")
    return None if not started or state.startswith("Z") else " ".join(started.split())


def _ps(pid: int, columns: str) -> str:
    done = subprocess.run(  # noqa: S603
        ["/bin/ps", "-o", columns, "-p", str(pid)],
        capture_output=True,
        text=True,
        env={"LC_ALL": "C"},
        check=False,
    )
    return done.stdout.strip()
