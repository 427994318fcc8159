"""Papers come from the archives once, whole, and with what the archives say of them."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

from kg.adapters.scripted_paper_server import Answer, PaperRequest, ServedPaper
from kg.progress import SilentProgress
from kg.status import status_report
from kg.wiring import open_platform
from kg.workspace import Workspace
from schemas.documents import DocumentKind
from schemas.errors import UsageError

MAKE = Callable[..., Any]


def pdf(text: str) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    canvas.drawString(72, 700, text)
    canvas.save()
    return buffer.getvalue()


def test_a_paper_is_fetched_once_and_described(bench: MAKE, make_latex: MAKE, make_archive: MAKE) -> None:
    files = {"main.tex": make_latex("The mass of it", r"\input{body}"), "body.tex": b"It weighs 5 GeV.\n"}
    there = bench(
        [
            ServedPaper(
                "2104.04421",
                make_archive(files),
                version=2,
                title="The mass of it",
                authors=("A. One", "B. Two", "C. Three", "D. Four"),
                doi="10.1000/X.1 10.1000/X.2",
                year=2021,
            )
        ]
    )
    report = there.add("arxiv:2104.04421")
    assert (report.step, report.changed, report.failures, report.notes) == ("fetch", 1, (), ())
    document = there.documents()["2104.04421"]
    assert document.kind is DocumentKind.LATEX
    assert "It weighs 5 GeV." in document.text
    assert document.identifiers.model_dump() == {"arxiv": "2104.04421", "inspire": "", "doi": "10.1000/x.1"}
    assert (document.year, document.licence, document.title) == (2021, "CC BY 4.0", "The mass of it")
    assert document.attribution == (
        "A. One, B. Two, C. Three et al.: The mass of it, arXiv:2104.04421v2, doi:10.1000/x.1 (CC BY 4.0)"
    )
    assert document.source_map.locate(document.text.index("It weighs")).file == "body.tex"
    assert there.server.paths == ("/api/query", "/e-print/2104.04421v2", "/oai")

    again = there.add("arxiv:2104.04421")
    assert (again.changed, again.unchanged) == (0, 1)
    assert len(there.server.paths) == 3


def test_the_manifest_tells_where_a_file_came_from(bench: MAKE, make_latex: MAKE, make_archive: MAKE) -> None:
    source = make_archive({"main.tex": make_latex()})
    there = bench([ServedPaper("2104.04421", source, version=3)])
    there.add("arxiv:2104.04421v3")
    folder = there.root / "fetched" / "arxiv_2104.04421v3"
    assert (folder / "source.tar.gz").read_bytes() == source
    manifest = json.loads((folder / "paper.json").read_text())
    assert manifest["licence_url"] == "http://creativecommons.org/licenses/by/4.0/"
    (file,) = manifest["files"]
    assert (file["path"], file["size"]) == ("/e-print/2104.04421v3", len(source))
    assert len(file["sha256"]) == 64
    assert file["fetched_utc"].endswith("Z")
    assert there.server.base_url not in (folder / "paper.json").read_text()


def test_requests_are_paced_and_named(bench: MAKE, make_latex: MAKE) -> None:
    papers = [ServedPaper(f"2104.0000{n}", gzip.compress(make_latex(f"Paper {n}"))) for n in range(3)]
    there = bench(papers, settings='contact = "me@example.org"\n')
    assert there.add(*(f"arxiv:{p.arxiv}" for p in papers)).changed == 3
    assert len(there.server.paths) == 7
    assert there.server.paths.count("/api/query") == 1
    assert there.time.waits == [3.0] * 6
    assert {r.headers["user-agent"] for r in there.server.requests} == {
        "corpusgraph/0.1.0 (mailto:me@example.org)"
    }


def test_single_file_sources_and_pdf(bench: MAKE, make_latex: MAKE) -> None:
    there = bench(
        [
            ServedPaper("2104.00001", gzip.compress(make_latex("One"))),
            ServedPaper("2104.00002", make_latex("Two")),
            ServedPaper("2104.00003", pdf("A paper of one page."), title="Three"),
            ServedPaper("hep-ex/0012035", gzip.compress(pdf("An old paper.")), title="Four"),
            ServedPaper("2104.00005", b"%!PS-Adobe", pdf("Instead of PostScript."), title="Five"),
            ServedPaper("2104.00006", b"", pdf("Instead of nothing."), title="Six"),
        ]
    )
    report = there.add(*(f"arxiv:{p.arxiv}" for p in there.server.papers))
    assert report.failures == ()
    found = {key: (d.kind.value, d.title) for key, d in there.documents().items()}
    assert found == {
        "2104.00001": ("latex", "One"),
        "2104.00002": ("latex", "Two"),
        "2104.00003": ("pdf", "Three"),
        "hep-ex/0012035": ("pdf", "Four"),
        "2104.00005": ("pdf", "Five"),
        "2104.00006": ("pdf", "Six"),
    }
    asked = len(there.server.paths)
    assert there.add(*(f"arxiv:{p.arxiv}" for p in there.server.papers)).changed == 0
    assert len(there.server.paths) == asked


def test_a_source_that_cannot_be_read_gives_way_to_the_pdf(
    bench: MAKE, make_latex: MAKE, make_archive: MAKE
) -> None:
    source = make_archive({"main.tex": make_latex(text=r"\input{lost}")})
    there = bench([ServedPaper("2104.00001", source, pdf("From the PDF."))])
    report = there.add("arxiv:2104.00001")
    (note,) = report.notes
    assert "read from the PDF, since its TeX source cannot be read" in note
    assert "lost" in note
    assert there.documents()["2104.00001"].kind is DocumentKind.PDF
    asked = len(there.server.paths)
    assert there.add("arxiv:2104.00001").unchanged == 1
    assert len(there.server.paths) == asked


def test_the_main_file_is_the_longest_or_the_named_one(
    bench: MAKE, make_latex: MAKE, make_archive: MAKE
) -> None:
    long, short = make_latex("Long", "Many words. " * 50), make_latex("Short")
    other = make_latex("Other", "Few words.")
    readme = json.dumps({"sources": [{"usage": "toplevel", "filename": "b.tex"}]}).encode()
    there = bench(
        [
            ServedPaper("2104.00001", make_archive({"supplement.tex": short, "a/paper.tex": long})),
            ServedPaper("2104.00002", make_archive({"00README.json": readme, "a.tex": long, "b.tex": short})),
            ServedPaper(
                "2104.00003",
                make_archive({"00README.XXX": b"b.tex toplevelfile", "a.tex": long, "b.tex": other}),
            ),
        ]
    )
    report = there.add("arxiv:2104.00001", "arxiv:2104.00002", "arxiv:2104.00003")
    assert [d.title for d in there.documents().values()] == ["Long", "Short", "Other"]
    assert report.notes == ("arxiv:2104.00001: 1 more main files are not read: supplement.tex",)


def test_a_query_is_paged_limited_and_describes(bench: MAKE, make_latex: MAKE) -> None:
    papers = [
        ServedPaper(
            f"2104.{n:05}",
            gzip.compress(make_latex(f"Paper {n}", f"Text {n}.")),
            inspire=str(1000 + n),
            collaboration="LHCb" if n % 2 else "ATLAS",
            doi=f"10.1000/{n}",
            title=f"Paper {n}",
        )
        for n in range(1, 131)
    ]
    there = bench(papers)
    report = there.add("inspire:collaboration:LHCb and paper", limit=60)
    assert (report.changed, report.failures) == (60, ())
    assert report.notes == (
        "inspire:collaboration:LHCb and paper: 60 of 65 papers taken; --limit sets another number",
    )
    document = there.documents()["2104.00119"]
    assert document.experiment == "LHCb"
    assert document.identifiers.model_dump() == {
        "arxiv": "2104.00119",
        "inspire": "1119",
        "doi": "10.1000/119",
    }
    assert document.attribution.startswith("LHCb collaboration: Paper 119, arXiv:2104.00119v1")
    literature = [r for r in there.server.requests if r.path == "/api/literature"]
    assert [r.query["page"] for r in literature] == ["1", "2"]

    there.add("inspire:collaboration:LHCb and paper", limit=65)
    downloads = [p for p in there.server.paths if p.startswith("/e-print/")]
    assert len(downloads) == len(set(downloads)) == 65


def test_what_inspire_knows_is_added_to_a_kept_paper(bench: MAKE, make_latex: MAKE) -> None:
    paper = ServedPaper("2104.00001", gzip.compress(make_latex()), inspire="77", collaboration="Belle II")
    there = bench([paper])
    there.add("arxiv:2104.00001")
    assert there.documents()["2104.00001"].identifiers.inspire == ""
    assert there.add("inspire:77").changed == 1
    document = there.documents()["2104.00001"]
    assert (document.identifiers.inspire, document.experiment) == ("77", "Belle II")
    assert there.server.paths.count("/e-print/2104.00001v1") == 1


def test_a_named_version_is_kept_beside_the_newest(bench: MAKE, make_latex: MAKE) -> None:
    papers = [ServedPaper("2104.00001", make_latex(f"Version {v}"), version=v) for v in (1, 2)]
    there = bench(papers)
    there.add("arxiv:2104.00001")
    there.add("arxiv:2104.00001v1")
    assert there.folders() == ["arxiv_2104.00001v1", "arxiv_2104.00001v2"]
    assert there.documents()["2104.00001"].title == "Version 1"
    there.add("arxiv:2104.00001")
    assert there.documents()["2104.00001"].title == "Version 2"


def test_a_changed_file_is_refused(bench: MAKE, make_latex: MAKE) -> None:
    there = bench([ServedPaper("2104.00001", make_latex())])
    there.add("arxiv:2104.00001")
    path: Path = there.root / "fetched" / "arxiv_2104.00001v1" / "source.tex"
    path.write_bytes(make_latex("Another"))
    (failure,) = there.add("arxiv:2104.00001").failures
    assert "found others; remove the folder" in failure.reason


def test_a_licence_that_was_not_to_be_had_is_asked_for_again(bench: MAKE, make_latex: MAKE) -> None:
    def script(request: PaperRequest, number: int) -> Answer | None:
        return Answer(b"no", 403) if request.path == "/oai" and number < 4 else None

    there = bench([ServedPaper("2104.00001", make_latex())], script)
    report = there.add("arxiv:2104.00001")
    assert report.changed == 1
    assert "its licence is not known; the next run asks again" in report.notes[0]
    assert there.documents()["2104.00001"].attribution.endswith("(licence not known)")
    assert there.add("arxiv:2104.00001").notes != ()
    assert there.add("arxiv:2104.00001").changed == 1
    assert there.documents()["2104.00001"].licence == "CC BY 4.0"
    assert there.server.paths.count("/e-print/2104.00001v1") == 1


def test_the_status_counts_papers_by_licence(bench: MAKE, make_latex: MAKE) -> None:
    arxiv = "http://arxiv.org/licenses/nonexclusive-distrib/1.0/"
    given = ["", arxiv, arxiv, "http://creativecommons.org/publicdomain/zero/1.0/", "https://example.org/own"]
    papers = [ServedPaper(f"2104.0000{n}", make_latex(f"P {n}"), licence=x) for n, x in enumerate(given)]
    there = bench(papers)
    there.add(*(f"arxiv:{p.arxiv}" for p in papers))
    with open_platform(Workspace(there.root), SilentProgress()) as platform:
        status = status_report(platform)
        attributions = platform.attributions()
    assert dict(status.lines())["fetched papers"] == (
        "1 licence not known, 1 CC0 1.0, 2 arXiv non-exclusive licence to distribute 1.0, "
        "1 https://example.org/own"
    )
    assert len(attributions) == 5
    assert there.server.paths.count("/oai") == 5
    assert there.add("arxiv:2104.00000").unchanged == 1
    assert there.server.paths.count("/oai") == 5


def test_papers_and_files_are_added_together(bench: MAKE, make_latex: MAKE, tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("A note.")
    there = bench([ServedPaper("2104.00001", make_latex())])
    there.add("arXiv:2104.00001", str(note))
    assert sorted(there.documents()) == ["2104.00001", "note.txt"]


@pytest.mark.parametrize("source", ["arxiv:", "arxiv:../../etc", "arxiv:2104", "inspire:", "inspire: "])
def test_a_source_that_cannot_be_meant_is_refused_before_anything(bench: MAKE, source: str) -> None:
    there = bench([])
    with pytest.raises(UsageError, match="expected"):
        there.add(source)
    assert there.server.paths == ()
