"""A newcomer follows README.md from top to bottom."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
API, STORE, PASSWORD = "http://127.0.0.1:8000", "bolt://localhost:7687", "your-password"
DEMO_SECONDS = 1_200
SAME: dict[str, set[str]] = {
    "entities": {"related", "connected", "with_attribute"},
    "dated_values": {"first_value", "values"},
    "most_frequent": {"most_connected", "most_frequent"},
    "compare_count": {"compare", "general"},
    "compare_more": {"compare", "general"},
    "top_year": {"general"},
    "newest_entities": {"newest"},
    "oldest_entities": {"oldest"},
    "strongest_rank": {"strongest"},
    "strongest_size": {"strongest"},
    "tightest_best": {"tightest"},
}
"""Shapes whose forms go by other names, or whose questions the general reading answers more closely."""


@pytest.mark.timeout(DEMO_SECONDS)
def test_every_command_does_what_the_readme_says(
    reader: Callable[[Path], Any],
    checkout: Path,
    clean_database: Any,
    plain_environment: Any,
    page_blocks: Any,
) -> None:
    newcomer = reader(checkout)
    newcomer.environment = plain_environment(checkout)
    newcomer.replaced = {STORE: clean_database.uri, PASSWORD: clean_database.password}
    shapes: list[str] = []

    def after(line: str, output: str) -> None:
        if line == "make demo":
            prints = next(b.body for b in page_blocks(README) if b.kind == "text")
            assert newcomer.absent(tuple(prints.splitlines()), output) == []
            address = json.loads((checkout / "demo-workspace" / "api.json").read_text())[2]
            newcomer.replaced[API] = address
            shapes.extend(wrong_shapes(address))

    try:
        done = newcomer.follow(README, after=after)
    finally:
        subprocess.run(
            ["make", "stop"], cwd=checkout, env=plain_environment(checkout), check=False, capture_output=True
        )
    assert done[0] == "make demo"
    assert any(line.startswith("curl ") for line in done)
    assert shapes == []


def wrong_shapes(address: str) -> list[str]:
    """Examples of docs/reference/question-shapes.md that the demonstration answers in another way."""
    page = (ROOT / "docs" / "reference" / "question-shapes.md").read_text(encoding="utf-8")
    table = page.partition("| shape |")[2].partition("## Outcomes")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| `")]
    assert len(rows) > 10
    wrong = []
    for shape, _, question in rows:
        body = json.dumps({"question": question})
        reply = subprocess.run(
            ["curl", "-s", f"{address}/api/v1/questions", "-H", "content-type: application/json", "-d", body],
            capture_output=True,
            text=True,
            check=True,
        )
        answer = json.loads(reply.stdout)
        if answer.get("shape") not in SAME.get(shape.strip("`"), {shape.strip("`")}):
            wrong.append(f"{shape}: {question!r} gave {answer.get('shape')!r} ({answer.get('outcome')})")
    return wrong


def test_the_two_commands_open_the_readme(page_blocks: Callable[[Path], Any]) -> None:
    first = page_blocks(README)[0]
    assert first.kind == "console"
    assert [line for line in first.body.splitlines() if line.startswith("$")] == [
        "$ make demo",
        "$ make test",
    ]
