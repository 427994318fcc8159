"""Error of the forecast of a run with a chat model: the third part of ``llm_server``."""

from __future__ import annotations

import os
from pathlib import Path

from benchmarks.harness import Recorder
from benchmarks.llm_server_model import server
from benchmarks.llm_server_runs import add_more, run, workspace
from kg.adapters.openai_chat import ChatSettings
from kg.build import forecast, probe
from kg.wiring import Platform

CONCURRENCY = 16
DEFAULT_CONCURRENCY: int = ChatSettings.model_fields["concurrency"].default
PROBE = 5


def forecasts(record: Recorder, folder: Path) -> None:
    """Error of the forecast: before the model was ever asked, after a probe, and after 20 documents."""
    with (
        server("counting") as scripted,
        workspace(folder / "a", range(200, 400), scripted.url, concurrency=DEFAULT_CONCURRENCY) as platform,
    ):
        _errors(
            record, platform, "first", "before the model was ever asked: defaults, which are told", goal=False
        )
    for concurrency, name in ((DEFAULT_CONCURRENCY, "probe"), (CONCURRENCY, f"probe_{CONCURRENCY}")):
        with (
            server("counting") as scripted,
            workspace(folder / name, range(200, 400), scripted.url, concurrency=concurrency) as platform,
        ):
            paid = probe(platform, PROBE)
            note = f"after a probe of {PROBE} documents for {paid.cost:.4f}; {concurrency} requests at a time"
            _errors(record, platform, name, note, goal=concurrency == DEFAULT_CONCURRENCY)
    with (
        server("faults") as scripted,
        workspace(folder / "b", range(20), scripted.url, concurrency=DEFAULT_CONCURRENCY) as platform,
    ):
        run(platform)
        add_more(platform, folder / "more", range(200, 400))
        _errors(
            record, platform, "learned", "after 20 documents; the faults above are injected, repairs paid"
        )


def _errors(record: Recorder, platform: Platform, name: str, note: str, *, goal: bool = True) -> None:
    told = forecast(platform)
    _, row, seconds = run(platform)
    goals = {"goal": "<= 10"} if goal else {}
    pairs = {
        "calls": (told.calls, row.counts["chat_calls"]),
        "tokens": (told.prompt_tokens + told.completion_tokens, row.prompt_tokens + row.completion_tokens),
        "money": (told.cost, row.cost),
    }
    for what, (expected, real) in pairs.items():
        error = 100 * abs(expected - real) / real
        record.add(
            f"forecast_error_{what}_{name}",
            error,
            "%",
            note=f"{expected:.6g} told, {real:.6g} real; {note}",
            **goals,
        )
    record.add(
        f"forecast_error_seconds_{name}",
        100 * abs(told.seconds - seconds) / seconds,
        "%",
        note=f"{told.seconds:.1f} s told, {seconds:.1f} s real; load {os.getloadavg()[0]:.1f}",
        **goals,
    )
