"""The page of figures: new results replace their own sections, and the history grows."""

from __future__ import annotations

from pathlib import Path

from benchmarks.harness import Figure, Result
from benchmarks.render import HISTORY, LATEST, render

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"


def _result(name: str, commit: str, value: float) -> Result:
    return Result(
        name=name,
        command=f".venv/bin/python -m benchmarks.{name}",
        commit=commit,
        seconds=3.0,
        machine="2 cores",
        figures=(Figure(figure="f1", value=value, unit="share"),),
    )


def test_only_the_sections_of_new_results_change() -> None:
    first = render(
        [_result("beta", "c1", 0.5), _result("alpha", "c1", 0.25)], f"Head\n\n{LATEST}\n\n{HISTORY}\n"
    )
    second = render([_result("beta", "c2", 0.75)], first)
    latest, _, history = second.partition(HISTORY)
    assert latest.index("### alpha") < latest.index("### beta")
    assert "| f1 | 0.25 |" in latest
    assert "| f1 | 0.75 |" in latest
    assert "| f1 | 0.5 |" not in latest
    assert [line for line in history.splitlines() if "| f1 |" in line] == [
        "| c1 | beta | f1 | 0.5 share |",
        "| c1 | alpha | f1 | 0.25 share |",
        "| c2 | beta | f1 | 0.75 share |",
    ]


def test_the_page_of_the_project_is_kept_where_nothing_is_new() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert render([], page) == page
