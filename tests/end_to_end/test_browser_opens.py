"""Neo4j Browser really renders: its connect form appears in a browser."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from kg.neo4j_server import Neo4jEndpoint

OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--virtual-time-budget=15000",
    "--dump-dom",
)


@pytest.mark.neo4j
def test_the_browser_shows_its_connect_form(neo4j_endpoint: Neo4jEndpoint, tmp_path: Path) -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        assert not os.environ.get("CI"), "CI must have Chromium for this test"
        pytest.skip("no Chromium on this machine")
    command = [chromium, *OPTIONS, f"--user-data-dir={tmp_path}", neo4j_endpoint.browser_url]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    page = done.stdout
    assert "<form" in page, page[:2_000]
    assert 'type="password"' in page
    assert "Connect to Neo4j" in page or "Connect URL" in page
    assert neo4j_endpoint.password not in page
