"""What a managed Neo4j leaves in its home: the state file, the password and the tail of its log."""

from __future__ import annotations

import json
import os
import secrets
import stat
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from kg.neo4j_config import Ports
from schemas.errors import WorkspaceError

_STATE = "state.json"
_PASSWORD = "password"  # noqa: S105


@dataclass(frozen=True, slots=True)
class ServerState:
    """Which process serves which data where."""

    pid: int
    started: str
    """The process's start mark: an id alone may have been reused."""
    bolt_port: int
    http_port: int
    version: str
    data: str
    """Absolute path: the state of a copied or moved workspace is not believed."""

    @property
    def ports(self) -> Ports:
        """Both ports."""
        return Ports(self.bolt_port, self.http_port)


def read_state(home: Path) -> ServerState | None:
    """The state in ``home``, or None when there is none.

    Raises:
        WorkspaceError: the file is there but is not a state.
    """
    path = home / _STATE
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        return ServerState(**fields)
    except FileNotFoundError:
        return None
    except (ValueError, TypeError) as error:
        raise WorkspaceError(
            f"{path} should hold the state of the managed Neo4j but cannot be read ({error}). "
            "If no Neo4j of this workspace is running, remove the file."
        ) from error


def write_state(home: Path, state: ServerState) -> None:
    """Replace the state in ``home`` at once."""
    temporary = home / f"{_STATE}.tmp"
    temporary.write_text(json.dumps(asdict(state), indent=2) + "\n", encoding="utf-8")
    temporary.replace(home / _STATE)


def remove_state(home: Path) -> None:
    """Forget the state; nothing happens when there is none."""
    (home / _STATE).unlink(missing_ok=True)


def password_file(home: Path) -> Path:
    """Where the password is kept."""
    return home / _PASSWORD


def read_password(home: Path, *, note: Callable[[str], None]) -> str:
    """The password of the user ``neo4j``; takes the file away from others when they could read it.

    Raises:
        WorkspaceError: there is none.
    """
    path = password_file(home)
    try:
        password = path.read_text(encoding="ascii").strip()
    except FileNotFoundError as error:
        raise WorkspaceError(
            f"{home / 'data'} holds a Neo4j store but its password file {path} is missing. "
            "Put the file back, or remove the folder data: the graph is rebuilt from the workspace."
        ) from error
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        path.chmod(0o600)
        note(f"{path} was readable by others: set to 0600")
    return password


def create_password(home: Path) -> Path:
    """Make a password of 128 random bits, readable by its owner alone; keeps one that is there."""
    path = password_file(home)
    if not path.exists():
        temporary = path.with_suffix(".tmp")
        temporary.unlink(missing_ok=True)
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_hex(16))
        temporary.replace(path)
    return path


def has_store(home: Path) -> bool:
    """Whether a password was set or a database made: after that the first password cannot be set."""
    data = home / "data"
    return (data / "dbms" / "auth.ini").exists() or (data / "databases" / "system").exists()


def log_tail(path: Path, *, lines: int = 25) -> str:
    """The last lines of a log, or an empty text when there is no log."""
    if not path.exists():
        return ""
    return "\n".join(path.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:])
