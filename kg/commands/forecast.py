"""How a forecast is shown."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from kg.commands.common import out
from kg.forecast import Forecast, ForecastRow
from kg.nouns import counted


def print_forecast(forecast: Forecast, budget: float | None, *, head: str = "") -> None:
    """The forecast as a table with its totals, what it rests on, and whether ``budget`` is enough."""
    probe = forecast.probe
    if probe is not None:
        _say(
            f"probe: extracted {counted(probe.documents, 'document')} for real with "
            f"{counted(probe.calls, 'call')}, "
            f"{probe.prompt_tokens + probe.completion_tokens:,} tokens, {probe.cost:,.4f} "
            f"{forecast.currency}, {_duration(probe.seconds)}; their graphs are kept. The rest:"
        )
        for failure in probe.failures:
            _say(f"probe failed: {failure}")
    model = f" with {forecast.model}" if forecast.model else ""
    _say(
        head
        or f"would extract {counted(forecast.documents, 'document')}{model}, {forecast.unchanged} unchanged"
    )
    if forecast.rows:
        table = Table(
            "calls for", "calls", "kept", "prompt tokens", "reply tokens", "cost", "tokens from", box=None
        )
        for row in forecast.rows:
            table.add_row(row.purpose, *_cells(row), _origin(row))
        table.add_row("all", *_cells(forecast))
        out().print(table)
        _say(f"about {_duration(forecast.seconds)}; cost in {forecast.currency}")
    if any(r.depends_on_replies for r in forecast.rows):
        _say("* prompts that will hold names from replies that are not there yet")
    _say(f"tokens: {forecast.basis}")
    if budget is not None:
        enough = "enough" if forecast.cost <= budget else "not enough"
        _say(f"a budget of {budget:g} {forecast.currency} is {enough} by this forecast")
    for failure in forecast.failures:
        _say(f"cannot be forecast: {failure}")
    _say("nothing was asked or written" if probe is None else "nothing but the probe was asked or written")


def _cells(row: ForecastRow | Forecast) -> tuple[str, ...]:
    numbers = (row.calls, row.cached, row.prompt_tokens, row.completion_tokens)
    return (*(f"{n:,}" for n in numbers), f"{row.cost:,.4f}")


def _origin(row: ForecastRow) -> str:
    origin = f"{row.learned_from:,} earlier calls" if row.learned_from else "defaults"
    return origin + (" *" if row.depends_on_replies else "")


def _duration(seconds: float) -> str:
    """Seconds in the unit that suits them.

    >>> _duration(30), _duration(600), _duration(10_000)
    ('30 s', '10 min', '2.8 h')
    """
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7_200 else f"{seconds / 3_600:.1f} h"


def _say(line: str) -> None:
    out().print(Text(line), soft_wrap=True)
