"""What goes wrong on the way: it is retried, told and remembered, and the other papers are added."""

from __future__ import annotations

import gzip
import io
import signal
import socket
import subprocess
import sys
import tarfile
from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import CliRunner

import kg.wiring
from kg.adapters.scripted_paper_server import Answer, PaperRequest, ScriptedPaperServer, ServedPaper
from kg.cli import app

MAKE = Callable[..., Any]
GOOD = "2104.00009"


def hostile(**attributes: Any) -> bytes:
    """A gzipped tar whose one member is not what a paper holds."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        member = tarfile.TarInfo("x.tex")
        for name, value in attributes.items():
            setattr(member, name, value)
        tar.addfile(member, io.BytesIO(b"\0" * member.size))
    return gzip.compress(buffer.getvalue(), mtime=0)


def failing(times: int, answer: Answer, path: str) -> Callable[[PaperRequest, int], Answer | None]:
    """A script that gives ``answer`` to the first requests of a path."""
    seen: list[str] = []

    def script(request: PaperRequest, _number: int) -> Answer | None:
        if not request.path.startswith(path):
            return None
        seen.append(request.path)
        return answer if len(seen) <= times else None

    return script


@pytest.mark.parametrize(
    "answer",
    [
        Answer(status=503, content=b"busy"),
        Answer(status=429),
        Answer(drop="before"),
        Answer(b"x" * 5_000, drop="midway"),
    ],
    ids=["503", "429", "dropped", "cut"],
)
@pytest.mark.parametrize("path", ["/api/query", "/e-print/", "/oai", "/api/literature"])
def test_a_passing_fault_is_retried(bench: MAKE, make_latex: MAKE, answer: Answer, path: str) -> None:
    paper = ServedPaper(GOOD, make_latex(), inspire="5")
    there = bench([paper], failing(2, answer, path))
    report = there.add("inspire:5")
    assert (report.changed, report.failures, report.notes) == (1, (), ())
    assert len([p for p in there.server.paths if p.startswith(path)]) == 3


def test_retry_after_is_waited_for(bench: MAKE, make_latex: MAKE) -> None:
    answer = Answer(status=429, headers=(("retry-after", "40"),))
    there = bench([ServedPaper(GOOD, make_latex())], failing(1, answer, "/e-print/"))
    assert there.add(f"arxiv:{GOOD}").changed == 1
    assert [w for w in there.time.waits if 40 <= w <= 44] != []


def test_a_server_that_asks_for_an_hour_is_left_alone(bench: MAKE, make_latex: MAKE) -> None:
    answer = Answer(status=503, headers=(("retry-after", "3600"),))
    papers = [ServedPaper(f"2104.0000{n}", make_latex(f"P {n}")) for n in range(3)]
    there = bench(papers, failing(99, answer, "/e-print/"))
    report = there.add(*(f"arxiv:{p.arxiv}" for p in papers))
    assert len(report.failures) == 3
    assert "asking to wait 3600 s" in report.failures[0].reason
    assert "not asked again in this run" in report.failures[2].reason
    assert there.server.paths == ("/api/query", "/e-print/2104.00000v1")
    assert max(there.time.waits, default=0) < 5


def test_without_a_network_the_address_is_named(bench: MAKE, make_latex: MAKE) -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
        there = bench([])
        toml = there.root / "kg.toml"
        toml.write_text(toml.read_text().replace(there.server.base_url, f"http://127.0.0.1:{port}"))
        report = there.add(f"arxiv:{GOOD}", "inspire:anything")
    assert [f.item for f in report.failures] == [f"arxiv:{GOOD}", "inspire:anything"]
    for failure, name in zip(report.failures, ("arXiv", "INSPIRE"), strict=True):
        assert f"http://127.0.0.1:{port}" in failure.reason
        assert f"{name} cannot be reached" in failure.reason
        assert "check the network" in failure.reason
    assert [item for item, _ in there.failures()] == [f"arxiv:{GOOD}", "inspire:anything"]


def test_unknown_numbers_and_empty_queries_are_told(bench: MAKE, make_latex: MAKE) -> None:
    there = bench([ServedPaper(GOOD, make_latex())])
    report = there.add("arxiv:2104.99999", f"arxiv:{GOOD}", f"arxiv:{GOOD}v7", "inspire:recid:1")
    assert report.changed == 1
    assert [(f.item, f.reason.split(", which")[0].split(";")[0]) for f in report.failures] == [
        ("arxiv:2104.99999", "expected the number of a paper on arXiv, found 2104.99999"),
        (f"arxiv:{GOOD}v7", f"expected the number of a paper on arXiv, found {GOOD}v7"),
        ("inspire:recid:1", "expected papers for the query 'recid:1', found none on INSPIRE"),
    ]
    assert there.failures() == []


def test_a_batch_that_arxiv_refuses_is_asked_one_by_one(bench: MAKE, make_latex: MAKE) -> None:
    def script(request: PaperRequest, _number: int) -> Answer | None:
        bad = request.path == "/api/query" and "zz-zz" in request.query["id_list"]
        return Answer(b"incorrect id format for zz-zz/0001001", 400) if bad else None

    there = bench([ServedPaper(GOOD, make_latex())], script)
    report = there.add("arxiv:zz-zz/0001001", f"arxiv:{GOOD}")
    assert report.changed == 1
    assert [f.item for f in report.failures] == ["arxiv:zz-zz/0001001"]


def test_a_withdrawn_paper_is_told_with_its_authors_words(bench: MAKE, make_latex: MAKE) -> None:
    stub = b"%auto-ignore\nThis paper has been withdrawn.\\def\\x{}\n"
    words = "This paper has been withdrawn due to a sign error"
    there = bench(
        [
            ServedPaper("2104.00001", stub, version=2, comment=words),
            ServedPaper("2104.00002", b"", version=1, comment=words),
            ServedPaper("2104.00003", make_latex(), comment="The paper we cite was withdrawn"),
        ]
    )
    report = there.add("arxiv:2104.00001", "arxiv:2104.00002", "arxiv:2104.00003")
    assert list(there.documents()) == ["2104.00003"]
    first, second = report.failures
    assert f"version 2 was withdrawn ('{words}'); an earlier version is arxiv:2104.00001v1" in first.reason
    assert "earlier" not in second.reason
    assert [item for item, _ in there.failures()] == ["arxiv:2104.00001", "arxiv:2104.00002"]


def test_papers_without_an_arxiv_number_are_listed(bench: MAKE, make_latex: MAKE) -> None:
    papers = [
        ServedPaper("", inspire="8", title="Thesis"),
        ServedPaper(GOOD, make_latex(), inspire="9", title="Thesis"),
    ]
    there = bench(papers)
    report = there.add("inspire:thesis")
    assert report.changed == 1
    assert [(f.item, f.reason) for f in report.failures] == [
        ("inspire:8", "expected an arXiv number of 'Thesis', found none; add its file by hand")
    ]
    assert there.failures() == [(f.item, f.reason) for f in report.failures]


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        pytest.param(hostile(name="/etc/passwd"), "names inside the archive", id="absolute"),
        pytest.param(hostile(name="../../escaped.tex"), "names inside the archive", id="parent"),
        pytest.param(hostile(name="a/../../escaped.tex"), "names inside the archive", id="hidden"),
        pytest.param(hostile(type=tarfile.SYMTYPE, linkname="/etc/passwd"), "a link or device", id="symlink"),
        pytest.param(hostile(type=tarfile.LNKTYPE, linkname="../x"), "a link or device", id="hardlink"),
        pytest.param(hostile(type=tarfile.CHRTYPE), "a link or device", id="device"),
        pytest.param(hostile(type=tarfile.FIFOTYPE), "a link or device", id="fifo"),
        pytest.param(hostile(size=3 * 2**20), "at most 2 MB unpacked", id="bomb"),
        pytest.param(
            gzip.compress(b"\\begin{x}" + b" " * 3 * 2**20), "at most 2 MB unpacked", id="gzip-bomb"
        ),
        pytest.param(hostile(size=900)[:-30], "a whole gzip file", id="cut-gzip"),
        pytest.param(
            gzip.compress(gzip.decompress(hostile(size=900))[:700]), "a whole tar archive", id="cut-file"
        ),
        pytest.param(
            gzip.compress(gzip.decompress(hostile(size=900))[:1536]), "a whole tar archive", id="cut-end"
        ),
        pytest.param(b"\x1f\x8b nonsense", "a whole gzip file", id="damaged"),
        pytest.param(b"x" * (1 * 2**20 + 1), "at most 1 MB", id="large"),
    ],
)
def test_what_is_no_honest_source_is_refused_and_not_kept(
    bench: MAKE, make_latex: MAKE, source: bytes, reason: str
) -> None:
    papers = [ServedPaper("2104.00001", source), ServedPaper(GOOD, make_latex())]
    there = bench(papers, settings="max_unpacked_mb = 2\nmax_source_mb = 1\n")
    report = there.add("arxiv:2104.00001", f"arxiv:{GOOD}")
    (failure,) = report.failures
    assert reason in failure.reason
    assert [item for item, _ in there.failures()] == ["arxiv:2104.00001"]
    assert list(there.documents()) == [GOOD]
    assert there.folders() == [f"arxiv_{GOOD}v1"]
    assert list(there.root.parent.rglob("escaped*")) == []


def test_a_paper_that_is_mended_is_added_and_forgotten_as_a_failure(bench: MAKE, make_latex: MAKE) -> None:
    there = bench([ServedPaper(GOOD, make_latex())], failing(1, Answer(b"\x1f\x8b cut"), "/e-print/"))
    assert len(there.add(f"arxiv:{GOOD}").failures) == len(there.failures()) == 1
    assert there.add(f"arxiv:{GOOD}").changed == 1
    assert there.failures() == []


@pytest.mark.parametrize("content", [b"<html>captcha</html>", b"<?xml version='1.0'?><feed><entry>", b""])
def test_a_feed_that_is_none_is_no_empty_feed(bench: MAKE, content: bytes) -> None:
    there = bench([], failing(9, Answer(content), "/api/query"))
    (failure,) = there.add(f"arxiv:{GOOD}").failures
    assert "expected a whole Atom feed" in failure.reason


@pytest.mark.parametrize(
    "content", [b"<html>", b"[]", b'{"hits": {}}', b'{"hits": {"total": 1, "hits": [{"metadata": {}}]}}']
)
def test_search_results_that_are_none_are_no_empty_results(bench: MAKE, content: bytes) -> None:
    there = bench([], failing(9, Answer(content), "/api/literature"))
    (failure,) = there.add("inspire:x").failures
    assert "expected search results of INSPIRE as JSON" in failure.reason


def test_a_redirect_stays_on_the_site(bench: MAKE, make_latex: MAKE) -> None:
    def script(request: PaperRequest, _number: int) -> Answer | None:
        if request.path == "/e-print/2104.00001v1":
            return Answer(status=301, headers=(("location", f"/e-print/{GOOD}v1"),))
        if request.path == "/e-print/2104.00002v1":
            return Answer(status=302, headers=(("location", "http://localhost:1/"),))
        loop = request.path == "/e-print/2104.00003v1"
        return Answer(status=302, headers=(("location", request.path),)) if loop else None

    papers = [ServedPaper(f"2104.0000{n}", b"x") for n in (1, 2, 3)]
    report = bench([*papers, ServedPaper(GOOD, make_latex())], script).add(
        *(f"arxiv:{p.arxiv}" for p in papers)
    )
    assert report.changed == 1
    assert ["redirect to http://localhost:1/" in report.failures[0].reason, len(report.failures)] == [True, 2]
    assert "more than 5 redirects" in report.failures[1].reason


KILLED = """
import sys
from kg.adapters.polite_http import Timing
from kg.build import add
from kg.progress import SilentProgress
from kg.wiring import open_platform
from kg.workspace import Workspace
from pathlib import Path
with open_platform(Workspace(Path(sys.argv[1])), SilentProgress()) as platform:
    platform.timing = Timing(sleep=lambda seconds: None)
    add(platform, sys.argv[2:])
"""


def test_a_killed_run_loses_nothing_and_leaves_no_half_paper(bench: MAKE, make_latex: MAKE) -> None:
    papers = [ServedPaper(f"2104.0000{n}", make_latex(f"P {n}", f"Words {n}.")) for n in range(6)]
    running: list[subprocess.Popen[bytes]] = []

    def script(request: PaperRequest, _number: int) -> Answer | None:
        if request.path == "/e-print/2104.00003v1" and running:
            running.pop().send_signal(signal.SIGKILL)
        return None

    there = bench(papers, script)
    sources = [f"arxiv:{p.arxiv}" for p in papers]
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(there.root), *sources])
    running.append(process)
    assert process.wait(60) == -signal.SIGKILL
    (there.root / "fetched" / ".scratch-left" / "paper").mkdir(parents=True)
    assert len(there.documents()) >= 2
    assert there.add(*sources).failures == ()
    assert len(there.documents()) == 6
    assert there.folders() == [f"arxiv_2104.0000{n}v1" for n in range(6)]
    downloads = [p for p in there.server.paths if p.startswith("/e-print/")]
    assert sorted(set(downloads)) == sorted(f"/e-print/{p.arxiv}v1" for p in papers)
    assert {p for p in downloads if downloads.count(p) > 1} == {"/e-print/2104.00003v1"}


def test_the_command_lists_failures_and_ends_with_1(
    bench: MAKE, make_latex: MAKE, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = bench([ServedPaper(GOOD, make_latex(), inspire="4", title="Found"), ServedPaper("", inspire="5")])
    monkeypatch.setattr(kg.wiring, "Timing", lambda: there.time.timing)
    done = CliRunner().invoke(app, ["add", "-w", str(there.root), "inspire:found", "arxiv:2104.99999"])
    assert done.exit_code == 1
    assert "fetch: 1 changed, 0 unchanged, 1 failed" in done.output
    assert "1 failed" in done.output
    done = CliRunner().invoke(app, ["add", "-w", str(there.root), "inspire:4", "--limit", "1"])
    assert (done.exit_code, done.stdout) == (0, "fetch: 0 changed, 1 unchanged\n")


def test_the_server_says_when_it_does_not_run() -> None:
    with pytest.raises(Exception, match="not running"):
        _ = ScriptedPaperServer([]).base_url
