"""The pages under docs/: their commands run, their settings parse, their links lead somewhere."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.render import HISTORY, LATEST, render
from kg.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), *ROOT.glob("*.md")])
FOLLOWED = (
    "tutorial/first-graph.md",
    "how-to/add-documents.md",
    "how-to/undo-a-merge.md",
    "how-to/recover-after-a-crash.md",
    "how-to/write-a-schema.md",
    "how-to/use-your-neo4j.md",
    "how-to/decide-on-merges.md",
    "how-to/evaluate-questions.md",
)
"""Pages with console blocks, in the order in which a reader with one workspace can follow them."""
STORE, PASSWORD = "bolt://localhost:7687", "your-password"
LINK = re.compile(r"(?<!!)\[[^\]]+\]\((?P<target>[^)#\s]+)(?:#[^)]*)?\)")


def with_console() -> set[str]:
    """Pages under docs/ that show commands with their prompt."""
    return {str(p.relative_to(DOCS)) for p in DOCS.rglob("*.md") if "```console" in p.read_text("utf-8")}


def test_every_page_with_commands_is_followed() -> None:
    assert with_console() == set(FOLLOWED)


@pytest.mark.timeout(600)
def test_the_tutorial_and_the_how_tos(
    reader: Callable[[Path], Any], tmp_path: Path, clean_database: Any
) -> None:
    someone = reader(tmp_path)
    someone.replaced = {STORE: clean_database.uri, PASSWORD: clean_database.password}
    for page in FOLLOWED:
        assert someone.follow(DOCS / page), page


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    targets = [m["target"] for m in LINK.finditer(page.read_text(encoding="utf-8"))]
    local = [t for t in targets if "://" not in t and not t.startswith("mailto:")]
    assert [t for t in local if not (page.parent / t).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_settings_and_python_in_a_page_are_valid(page: Path, page_blocks: Callable[[Path], Any]) -> None:
    for block in page_blocks(page):
        if block.kind == "toml":
            Settings.model_validate(tomllib.loads(block.body))
        elif block.kind == "python":
            compile(block.body, str(page), "exec")


def test_the_map_names_every_page() -> None:
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    pages = [str(p.relative_to(DOCS)) for p in DOCS.rglob("*.md") if p.name != "index.md"]
    assert [p for p in pages if f"({p})" not in index] == []


def test_the_benchmark_page_can_be_rendered() -> None:
    page = (DOCS / "benchmarks.md").read_text(encoding="utf-8")
    assert page.index(LATEST) < page.index(HISTORY)
    again = render([], page)
    assert again.partition(LATEST)[0] == page.partition(LATEST)[0]
    assert "| commit | benchmark | figure | value |" in again.partition(HISTORY)[2]


def test_the_graph_model_names_every_label_and_link() -> None:
    from kg.migrations import ENTITY_PROPERTIES, STATEMENT_PROPERTIES
    from kg.queries import Label, Link

    page = (DOCS / "reference" / "graph-model.md").read_text(encoding="utf-8")
    names = [*(f":{label.value}" for label in Label), *Link, *ENTITY_PROPERTIES, *STATEMENT_PROPERTIES]
    assert [n for n in names if n not in page] == []
