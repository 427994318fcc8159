"""docs/benchmarks.md: the latest figures, and a history that only grows."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.harness import Figure, Result

LATEST = "## Latest"
HISTORY = "## History"
_TITLE = "### "
_HEAD = (
    "| figure | value | unit | goal | met | floor or limit | anchor | note |\n"
    "|---|--:|---|---|---|---|---|---|"
)
_HISTORY_HEAD = "| commit | benchmark | figure | value |\n|---|---|---|--:|"


def render(results: Sequence[Result], page: str) -> str:
    """The page with new sections in "Latest"; those of benchmarks without a new result stay as they are.

    Rows of a commit already in the history are replaced.
    """
    head, _, rest = page.partition(LATEST)
    old, _, history = rest.partition(HISTORY)
    sections = _sections(old) | {result.name: _section(result) for result in results}
    latest = "\n\n".join(sections[name] for name in sorted(sections))
    return f"{head}{LATEST}\n\n{latest}\n\n{HISTORY}\n\n{_HISTORY_HEAD}\n{_history(results, history)}\n"


def _sections(latest: str) -> dict[str, str]:
    """The sections of the page by the benchmark's name."""
    found = (f"{_TITLE}{part}".strip() for part in f"\n{latest}".split(f"\n{_TITLE}")[1:])
    return {text.splitlines()[0].removeprefix(_TITLE).strip(): text for text in found}


def _section(result: Result) -> str:
    rows = "\n".join(_row(figure) for figure in result.figures)
    notes = "".join(f"\n\n{note}" for note in result.notes)
    return (
        f"{_TITLE}{result.name}\n\n`{result.command}` at {result.commit}, {result.seconds:.0f} s, "
        f"{result.machine}\n\n{_HEAD}\n{rows}{notes}"
    )


def _row(figure: Figure) -> str:
    cells = (
        figure.figure,
        f"{figure.value:,.4g}" if abs(figure.value) < 1e4 else f"{figure.value:,.0f}",
        figure.unit,
        figure.goal,
        figure.met,
        figure.floor,
        figure.anchor,
        figure.note,
    )
    return "| " + " | ".join(cells) + " |"


def _history(results: Sequence[Result], old: str) -> str:
    new = [
        f"| {result.commit} | {result.name} | {figure.figure} | {figure.value:g} {figure.unit} |"
        for result in results
        for figure in result.figures
    ]
    keys = {_key(line) for line in new}
    kept = [
        line
        for line in old.splitlines()
        if line.startswith("| ") and "---" not in line and not line.startswith("| commit")
    ]
    return "\n".join([*(line for line in kept if _key(line) not in keys), *new])


def _key(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.split("|")[1:4])
