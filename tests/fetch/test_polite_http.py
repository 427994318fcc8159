"""One HTTP layer for all archives: bounded in time and size, and giving up in time."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from kg.adapters.polite_http import FetchSettings, Pace, PoliteHttp, Timing
from kg.adapters.scripted_paper_server import Answer, PaperRequest, ScriptedPaperServer, ServedPaper
from schemas.errors import FetchError, TransientServiceError

MAKE = Callable[..., Any]


def polite(settings: FetchSettings, timing: Timing) -> PoliteHttp:
    return PoliteHttp("the archive", Pace(1, 3.0, timing), settings, timing)


@given(
    st.integers(1, 5),
    st.floats(0.1, 10.0),
    st.lists(st.floats(0.0, 5.0), min_size=1, max_size=30),
)
def test_no_window_holds_more_requests_than_allowed(count: int, seconds: float, gaps: list[float]) -> None:
    now = [0.0]

    def sleep(wait: float) -> None:
        now[0] += wait

    pace, begun = Pace(count, seconds, Timing(clock=lambda: now[0], sleep=sleep)), []
    for gap in gaps:
        now[0] += gap
        pace.wait()
        begun.append(now[0])
    assert all(b - a >= seconds - 1e-9 for a, b in zip(begun, begun[count:], strict=False))


def test_a_server_that_keeps_failing_is_left_alone(bench: MAKE, make_latex: MAKE) -> None:
    def script(request: PaperRequest, _number: int) -> Answer | None:
        return Answer(status=500) if request.path.startswith("/e-print/") else None

    papers = [ServedPaper(f"2104.0000{n}", make_latex()) for n in range(6)]
    there = bench(papers, script)
    report = there.add(*(f"arxiv:{p.arxiv}" for p in papers))
    assert len(report.failures) == 6
    assert len([p for p in there.server.paths if p.startswith("/e-print/")]) == 3 * 5
    assert len([w for w in there.time.waits if w >= 3.0 - 1e-6]) >= 3 * 4


def test_a_reply_that_never_comes_or_never_ends(tmp_path: Path) -> None:
    release = threading.Event()

    def script(request: PaperRequest, _number: int) -> Answer | None:
        if request.path == "/silent":
            release.wait(20)
        return Answer(b"x" * 300_000)

    with ScriptedPaperServer([], script) as server:
        quick = FetchSettings(timeout=0.2, max_retries=0)
        with (
            polite(quick, Timing()) as http,
            pytest.raises(TransientServiceError, match=r"/silent: .*check the network"),
        ):
            http.get(server.base_url + "/silent")
        release.set()
        ticks = itertools.count(0.0, 500.0)
        slow = Timing(clock=lambda: next(ticks), sleep=lambda _seconds: None)
        with (
            polite(FetchSettings(), slow) as http,
            pytest.raises(FetchError, match="expected a reply within"),
        ):
            http.get(server.base_url + "/slow")


@pytest.mark.parametrize("headers", [(), (("transfer-encoding", "chunked"),)])
def test_what_is_too_large_is_not_read(headers: tuple[tuple[str, str], ...]) -> None:
    body = b"186a0\r\n" + b"x" * 100_000 + b"\r\n0\r\n\r\n" if headers else b"x" * 100_000
    with ScriptedPaperServer([], lambda _request, _number: Answer(body, headers=headers)) as server:
        timing = Timing(sleep=lambda _seconds: None)
        with polite(FetchSettings(), timing) as http:
            with pytest.raises(FetchError, match=r"expected at most .* MB, found more"):
                http.get(server.base_url, max_bytes=99_999)
            assert len(http.get(server.base_url, max_bytes=200_000).content) == 100_000


def test_no_credentials_leave_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login me password mine\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    with ScriptedPaperServer([], lambda _request, _number: Answer(b"x")) as server:
        with polite(FetchSettings(), Timing()) as http:
            http.get(server.base_url + "/x")
        assert "authorization" not in server.requests[0].headers


@pytest.mark.parametrize(
    "address", ["ftp://host", "host", "http://me:mine@host", "http://host/?q=1", "http://"]
)
def test_an_address_is_a_plain_one(address: str) -> None:
    with pytest.raises(ValidationError):
        FetchSettings(arxiv=address)


def test_an_address_loses_its_last_slash() -> None:
    assert FetchSettings(inspire="http://127.0.0.1:8080/").inspire == "http://127.0.0.1:8080"
