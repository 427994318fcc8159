"""`kg serve` says that it serves once it does, and in one line why it does not."""

from __future__ import annotations

import logging
import socket
from pathlib import Path

import pytest
import uvicorn

from kg import demo
from kg.neo4j_process import free_ports
from kg.workspace import Workspace
from schemas.errors import SettingsError


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KG_WORKSPACE", "")
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    monkeypatch.setenv("NEO4J_PASSWORD", "of-no-use-here")
    return Workspace.create(tmp_path / "ws", schema="particle_physics").root


def test_it_is_said_to_serve_once_it_listens(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def at_once(_: uvicorn.Server) -> None:
        """Ends the server as soon as it has started."""

    monkeypatch.setattr(uvicorn.Server, "main_loop", at_once)
    [port] = free_ports(1)
    told: list[bool] = []

    def listening() -> None:
        with socket.create_connection(("127.0.0.1", port)):
            told.append(True)

    demo.serve(root, host="127.0.0.1", port=port, listening=listening)
    assert told == [True]


def test_what_keeps_it_from_starting_is_raised_and_logged_nowhere(
    root: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    (root / "kg.toml").write_text("schema = [", encoding="utf-8")
    told: list[bool] = []
    with pytest.raises(SettingsError, match=r"kg\.toml"):
        demo.serve(root, host="127.0.0.1", port=free_ports(1)[0], listening=lambda: told.append(True))
    assert told == []
    assert "Traceback" not in caplog.text + capfd.readouterr().err
    assert not logging.getLogger("uvicorn.error").filters
