"""docker-compose.yml: valid, and of the same settings as the managed server."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from kg.neo4j_config import Memory, Ports, config_text
from kg.neo4j_lock import load_lock
from kg.settings import StoreSettings

COMPOSE = Path(__file__).resolve().parents[2] / "docker-compose.yml"


@pytest.fixture
def service() -> dict[str, Any]:
    """The one service."""
    services: dict[str, Any] = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["services"]
    assert list(services) == ["neo4j"]
    found: dict[str, Any] = services["neo4j"]
    return found


def resolved(value: str) -> str:
    """A value with the defaults of its variables."""
    return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", value).strip()


def test_it_follows_the_compose_specification() -> None:
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    done = subprocess.run([*check, str(COMPOSE)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_runs_the_locked_version_on_loopback_with_a_password(service: dict[str, Any]) -> None:
    assert service["image"] == f"neo4j:{load_lock().version}-community"
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    assert service["environment"]["NEO4J_AUTH"].startswith("neo4j/${NEO4J_PASSWORD:?")
    assert "RETURN 1" in service["healthcheck"]["test"][1]


def test_its_settings_are_those_of_the_managed_server(service: dict[str, Any]) -> None:
    store = StoreSettings()
    text = config_text(Ports(7687, 7474), Memory(store.heap, store.page_cache))
    managed = dict(line.split("=", 1) for line in text.splitlines())
    named = {
        key.removeprefix("NEO4J_").replace("__", "\0").replace("_", ".").replace("\0", "_"): resolved(value)
        for key, value in service["environment"].items()
        if key != "NEO4J_AUTH"
    }
    # The image decides these itself: it listens inside its container and has folders of its own.
    inside = {key for key in managed if "listen_address" in key or "directories" in key}
    assert named == {key: value for key, value in managed.items() if key not in inside}


def test_the_example_names_the_memory_that_is_used_without_it(service: dict[str, Any]) -> None:
    used = dict(re.findall(r"\$\{(\w+):-([^}]*)\}", "\n".join(service["environment"].values())))
    lines = COMPOSE.with_name(".env.example").read_text(encoding="utf-8").splitlines()
    told = dict(line.removeprefix("# ").split("=", 1) for line in lines if line.startswith("# NEO4J_"))
    assert told == {name: value for name, value in used.items() if name in told}
    assert "NEO4J_HEAP" in told
