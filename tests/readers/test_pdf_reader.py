"""The PDF reader on pages drawn here."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from extraction.readers import pdf_text, read_document
from schemas.documents import BlockKind, Document
from schemas.errors import ReadError

TOP, LEFT = 720.0, 72.0


class Paper:
    """Draws lines on A4 pages; ``text`` moves down by itself."""

    def __init__(self, path: Path, *, encrypt: StandardEncryption | None = None) -> None:
        self.path = path
        self.canvas = Canvas(str(path), pagesize=(595, 842), encrypt=encrypt, invariant=1)
        self.y = TOP

    def text(self, line: str, *, font: str = "Times-Roman", size: float = 10, x: float = LEFT) -> None:
        self.canvas.setFont(font, size)
        self.canvas.drawString(x, self.y, line)
        self.y -= 1.2 * size

    def gap(self, points: float = 8) -> None:
        self.y -= points

    def page(self) -> None:
        self.canvas.showPage()
        self.y = TOP

    def read(self) -> Document:
        self.canvas.save()
        return read_document(self.path, root=self.path.parent)


@pytest.fixture
def paper(tmp_path: Path) -> Paper:
    return Paper(tmp_path / "paper.pdf")


def of_kind(document: Document, kind: BlockKind) -> list[str]:
    return [b.text for b in document.blocks if b.kind is kind]


def one_column(paper: Paper) -> None:
    paper.text("A measurement of the widget lifetime", font="Helvetica-Bold", size=18)
    paper.gap()
    paper.text("Abstract", font="Helvetica-Bold", size=12)
    paper.text("We measure the lifetime of widgets with a sample of long-")
    paper.text("lived widgets. The result is 3.5.")
    paper.gap()
    paper.text("1 Introduction", font="Helvetica-Bold", size=12)
    paper.text("Widgets are studied by many collabora-")
    paper.text("tions. The long-lived ones are of interest, and the")
    paper.text("sentence ends here.")
    paper.gap()
    paper.text("A second paragraph begins after a gap.")
    paper.gap()
    paper.text("1.1 Detector", font="Helvetica-Bold", size=11)
    paper.text("It is described elsewhere.")
    paper.gap()
    paper.text("Figure 1: The detector from")
    paper.text("above.")
    paper.gap()
    paper.text("References", font="Helvetica-Bold", size=12)
    paper.text("[1] J. Doe, Widgets.")


def test_headings_paragraphs_and_captions(paper: Paper) -> None:
    one_column(paper)
    document = paper.read()
    assert document.title == "A measurement of the widget lifetime"
    assert document.abstract == (
        "We measure the lifetime of widgets with a sample of long-lived widgets. The result is 3.5."
    )
    assert [(s.title, s.level) for s in document.sections[1:]] == [("1 Introduction", 1), ("1.1 Detector", 2)]
    assert of_kind(document, BlockKind.PARAGRAPH) == [
        "Widgets are studied by many collaborations. The long-lived ones are of interest, and the sentence "
        "ends here.",
        "A second paragraph begins after a gap.",
        "It is described elsewhere.",
    ]
    assert of_kind(document, BlockKind.CAPTION) == ["Figure 1: The detector from above."]
    assert "Doe" not in document.text
    assert document.notes == ()


def test_a_span_leads_back_to_page_and_boxes(paper: Paper) -> None:
    paper.text("Nothing of interest on this page.")
    paper.page()
    paper.text("The first line says little and")
    second = paper.y
    paper.text("the second has the needle in it.")
    document = paper.read()
    start = document.text.index("needle")
    place = document.source_map.locate(start)
    assert (place.file, place.page, place.line) == ("paper.pdf", 2, 2)
    assert place.box is not None
    left, bottom, right, top = place.box
    assert left == pytest.approx(LEFT, abs=1)
    assert bottom < second < top < second + 12
    assert LEFT + 100 < right < LEFT + 200
    both = document.source_map.locate_span(document.text.index("little"), start)
    assert [(x.page, x.line) for x in both] == [(2, 1), (2, 2)]


def two_columns(paper: Paper, *, by_rows: bool) -> None:
    left = [f"Left line number {n} runs on and on and on for the width" for n in range(12)]
    right = [f"Right line number {n} runs on and on and on for the width" for n in range(12)]
    paper.text("A title that spans both of the columns of the page", font="Helvetica-Bold", size=16)
    paper.gap(10)
    begin = paper.y
    if by_rows:
        for a, b in zip(left, right, strict=True):
            at = paper.y
            paper.text(a)
            paper.y = at
            paper.text(b, x=310)
    else:
        for line in right:
            paper.text(line, x=310)
        paper.y = begin
        for line in left:
            paper.text(line)
    paper.gap(20)
    paper.text("Figure 1. A caption under both columns that is as wide as the whole page, which is wide.")


@pytest.mark.parametrize("by_rows", [False, True])
def test_two_columns_are_read_one_after_the_other(paper: Paper, by_rows: bool) -> None:
    two_columns(paper, by_rows=by_rows)
    document = paper.read()
    found = [document.text.index(f"{side} line number {n} ") for side in ("Left", "Right") for n in range(12)]
    assert found == sorted(found)
    assert document.text.index("A title") < found[0]
    assert of_kind(document, BlockKind.CAPTION)[0].startswith("Figure 1. A caption")
    assert document.text.index("Figure 1.") > found[-1]


def test_a_table_is_not_two_columns(paper: Paper) -> None:
    for name in ("Trigger", "Tracking", "Model", "Fit", "Selection", "Background"):
        at = paper.y
        paper.text(name)
        paper.y = at
        paper.text("1.5", x=400)
    assert "Trigger 1.5" in paper.read().text


def test_running_heads_and_page_numbers_go(paper: Paper) -> None:
    for number in range(1, 5):
        paper.y = 810
        paper.text(f"Widgets, version {number}", size=8)
        paper.y = TOP
        paper.text(f"The text of page number {number} is kept, whatever stands above it.")
        paper.y = 30
        paper.text(f"Page {number} of 4", size=8, x=280)
        paper.page()
    document = paper.read()
    assert "version" not in document.text
    assert "of 4" not in document.text
    assert [b.text for b in document.blocks] == [
        f"The text of page number {n} is kept, whatever stands above it." for n in range(1, 5)
    ]


def test_a_sentence_goes_on_over_the_page(paper: Paper) -> None:
    paper.text("This sentence is bro-")
    paper.page()
    paper.text("ken over two pages.")
    assert of_kind(paper.read(), BlockKind.PARAGRAPH) == ["This sentence is broken over two pages."]


def test_a_page_without_text_is_noted(paper: Paper) -> None:
    paper.text("The first page has text.")
    paper.page()
    paper.canvas.rect(100, 100, 300, 300, fill=1)
    paper.page()
    paper.page()
    assert paper.read().notes == ("no text layer on 1 of 3 pages, which are not read: 2",)


def test_a_scan_is_refused(paper: Paper) -> None:
    paper.canvas.rect(100, 100, 300, 300, fill=1)
    paper.page()
    with pytest.raises(ReadError, match=r"text layer.*OCR"):
        paper.read()


@pytest.mark.parametrize(("user", "may_copy", "word"), [("secret", 1, "password"), ("", 0, "forbids")])
def test_encryption_is_told(tmp_path: Path, user: str, may_copy: int, word: str) -> None:
    encryption = StandardEncryption(user, ownerPassword="owner", canCopy=may_copy)
    paper = Paper(tmp_path / "locked.pdf", encrypt=encryption)
    paper.text("Secret text.")
    with pytest.raises(ReadError, match=f"encrypted.*{word}|{word}.*encrypted") as caught:
        paper.read()
    assert caught.value.file == "locked.pdf"


def test_encryption_that_allows_reading_is_no_obstacle(tmp_path: Path) -> None:
    paper = Paper(tmp_path / "open.pdf", encrypt=StandardEncryption("", ownerPassword="owner"))
    paper.text("Open text.")
    assert paper.read().text == "Open text."


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    canvas.drawString(72, 700, "Some text.")
    canvas.save()
    data = buffer.getvalue()
    path = tmp_path / "cut.pdf"
    for damaged in (data[:60], b"%PDF-1.7\n" + bytes(range(256)), b"no PDF at all"):
        path.write_bytes(damaged)
        with pytest.raises(ReadError, match="damaged"):
            read_document(path, root=tmp_path)


def test_too_many_pages_are_refused(paper: Paper, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_text, "MAX_PAGES", 2)
    for _ in range(3):
        paper.text("x")
        paper.page()
    with pytest.raises(ReadError, match="pages"):
        paper.read()


def test_the_key_is_the_arxiv_number(tmp_path: Path) -> None:
    paper = Paper(tmp_path / "download.pdf")
    paper.text("arXiv:2001.12345v2 [hep-ex] 3 Jan 2020")
    paper.text("Some text of the paper.")
    assert paper.read().key == "2001.12345"


BODY = "the widgets are counted by the new counter in the hall and each is weighed upon a scale."


def centred(paper: Paper, line: str, **style: object) -> None:
    """A line in the middle of the column that :func:`body` fills."""
    paper.gap(6)
    font, size = str(style.get("font", "Times-Roman")), 10.0
    width = paper.canvas.stringWidth(BODY, "Times-Roman", size)
    x = LEFT + (width - paper.canvas.stringWidth(line, font, size)) / 2
    paper.text(line, font=font, size=size, x=x)
    paper.gap(6)


def body(paper: Paper, lines: int = 4) -> None:
    for _ in range(lines):
        paper.text(BODY)


def test_headings_in_the_size_of_the_text(paper: Paper) -> None:
    centred(paper, "Widgets of the second kind and how they decay", font="Times-Bold")
    centred(paper, "ABSTRACT")
    body(paper)
    centred(paper, "1. INTRODUCTION")
    body(paper)
    centred(paper, "1.1. Counters of the new kind")
    body(paper)
    paper.gap()
    paper.text("2. An item of a list is no heading, though a number begins it")
    paper.text("and it goes on.")
    centred(paper, "IV. RESULTS AND OUTLOOK")
    body(paper)
    document = paper.read()
    assert document.title == "Widgets of the second kind and how they decay"
    assert [(s.title, s.level) for s in document.sections[1:]] == [
        ("1. INTRODUCTION", 1),
        ("1.1. Counters of the new kind", 2),
        ("IV. RESULTS AND OUTLOOK", 1),
    ]
    assert (len(of_kind(document, BlockKind.ABSTRACT)), "INTRODUCTION" in document.abstract) == (1, False)


def test_a_title_goes_on_after_a_gap_and_authors_after_the_references_go(paper: Paper) -> None:
    paper.text("Test of the universality of", font="Helvetica-Bold", size=18)
    paper.gap(20)
    paper.text("widgets", font="Helvetica-Bold", size=18)
    paper.gap(20)
    body(paper)
    paper.gap()
    paper.text("References", font="Helvetica-Bold", size=12)
    paper.text("[1] J. Doe, Widgets.")
    paper.gap()
    paper.text("ACME collaboration", font="Helvetica-Bold", size=12)
    paper.text("J. Doe, K. Roe and A. N. Other")
    document = paper.read()
    assert document.title == "Test of the universality of widgets"
    assert "Roe" not in document.text
