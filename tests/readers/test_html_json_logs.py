"""HTML pages, CORD-19 papers and logbooks, on sources written for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from extraction.readers import read_document
from schemas.documents import BlockKind, Document, DocumentKind
from schemas.errors import ReadError

PAGE = """<!DOCTYPE html>
<html><head><title>Site | Page</title><meta name="citation_doi" content="10.1000/ABC.1">
<style>p { color: red }</style></head>
<body><nav><a href="/">Home</a></nav>
<h1>Widget <em>notes</em></h1>
<p>The first<br>paragraph, x<sup>2</sup> and T<sub>reg</sub>.</p>
<script>var hidden = 1;</script>
<h2 id="how">How</h2>
<div>Loose text <span>in a span</span><p>Inner paragraph.</p>tail text</div>
<ul><li>One<ul><li>Deep</li></ul></li><li>Two</li></ul>
<table id="t1"><caption>Doses</caption><thead><tr><th>Arm<th colspan=2>Dose</thead>
<tr><td>A<td>1<td>2</table>
<figure><img src="x.png"><figcaption>A picture</figcaption></figure>
<p>Formula <math><mi>a</mi><mo>=</mo><mn>1</mn></math> &amp; more &eacute;.</p>
</body></html>
"""


def write(tmp_path: Path, name: str, content: str | bytes | dict[str, Any]) -> Document:
    path = tmp_path / name
    if isinstance(content, dict):
        content = json.dumps(content)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_document(path, root=tmp_path)


def of_kind(document: Document, kind: BlockKind) -> list[str]:
    return [b.text for b in document.blocks if b.kind is kind]


def test_html(tmp_path: Path) -> None:
    document = write(tmp_path, "a.html", PAGE)
    assert (document.kind, document.key, document.title) == (
        DocumentKind.HTML,
        "doi:10.1000/abc.1",
        "Widget notes",
    )
    assert [(s.title, s.level) for s in document.sections[1:]] == [("Widget notes", 1), ("How", 2)]
    assert of_kind(document, BlockKind.PARAGRAPH) == [
        "The first paragraph, x^2 and T_{reg}.",
        "Loose text in a span",
        "Inner paragraph.",
        "tail text",
        "Formula a = 1 & more é.",
    ]
    assert of_kind(document, BlockKind.LIST_ITEM) == ["One", "Deep", "Two"]
    assert of_kind(document, BlockKind.CAPTION) == ["Doses", "A picture"]
    table = next(b for b in document.blocks if b.kind is BlockKind.TABLE)
    assert (table.label, [(c.row, c.column, c.span, c.header, c.text) for c in table.cells]) == (
        "t1",
        [
            (0, 0, 1, True, "Arm"),
            (0, 1, 2, True, "Dose"),
            (1, 0, 1, False, "A"),
            (1, 1, 1, False, "1"),
            (1, 2, 1, False, "2"),
        ],
    )
    place = document.source_map.locate(document.text.index("Inner"))
    assert (place.line, place.path) == (9, "/html/body/div/p")
    assert "hidden" not in document.text


def test_html_keeps_text_without_any_markup_of_paragraphs(tmp_path: Path) -> None:
    assert write(tmp_path, "a.htm", "Just <b>some</b> text").text == "Just some text"


def test_html_in_declared_latin1(tmp_path: Path) -> None:
    source = '<html><head><meta charset="ISO-8859-1"></head><body><p>Café</p></body></html>'
    assert write(tmp_path, "a.html", source.encode("latin-1")).text == "Café"


PAPER = {
    "paper_id": "abc",
    "metadata": {"title": "On widgets", "doi": "10.1000/XYZ", "publish_time": "2020-03-01"},
    "abstract": [{"text": "We study widgets.", "section": "Abstract"}],
    "body_text": [
        {"text": "First.", "section": "Introduction", "sec_num": "1"},
        {"text": "Second.", "section": "Introduction", "sec_num": "1"},
        {"text": "Third.", "section": "Setup", "sec_num": "1.1"},
        {"text": "Fourth.", "section": ""},
    ],
    "ref_entries": {
        "FIGREF0": {"text": "A figure.", "type": "figure"},
        "TAB/0": {
            "text": "A table.",
            "type": "table",
            "html": "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>",
        },
    },
}


def test_cord19(tmp_path: Path) -> None:
    document = write(tmp_path, "a.json", PAPER)
    assert (document.key, document.title, document.year) == ("doi:10.1000/xyz", "On widgets", 2020)
    assert document.abstract == "We study widgets."
    assert [(s.title, s.level) for s in document.sections[1:]] == [("Introduction", 1), ("Setup", 2)]
    assert of_kind(document, BlockKind.PARAGRAPH) == ["First.", "Second.", "Third.", "Fourth."]
    captions = [b for b in document.blocks if b.kind is BlockKind.CAPTION]
    assert [(b.label, b.text) for b in captions] == [("FIGREF0", "A figure."), ("TAB/0", "A table.")]
    table = next(b for b in document.blocks if b.kind is BlockKind.TABLE)
    assert table.text == "a | b\n1 | 2"
    locate = document.source_map.locate
    assert locate(document.text.index("Third")).path == "/body_text/2/text"
    assert locate(table.start).path == "/ref_entries/TAB~10/html"


def test_cord19_by_arxiv_number(tmp_path: Path) -> None:
    paper = PAPER | {"metadata": {"title": "T", "arxiv": "arXiv:2001.12345v2"}}
    assert write(tmp_path, "a.json", paper).key == "2001.12345"


ENTRIES = [
    {
        "id": 17,
        "time": "2024-05-03T07:15:00+02:00",
        "author": "A. Operator",
        "title": "Pump tripped",
        "text": "Vacuum pump P3 tripped.\n\nReset at 07:20.",
        "attachments": ["trend.png", {"name": "photo.jpg"}],
        "backlink": "https://log.example.org/17",
    },
    {"id": "18", "time": 1714713300, "text": "Beam back."},
]


def test_logbook_in_json_lines(tmp_path: Path) -> None:
    lines = "\n\n".join(json.dumps(entry) for entry in ENTRIES)
    document = write(tmp_path, "shift.jsonl", lines)
    assert (document.kind, document.key, document.title) == (DocumentKind.LOGBOOK, "shift.jsonl", "shift")
    assert [s.title for s in document.sections[1:]] == ["Pump tripped", "Entry 18"]
    entries = [b for b in document.blocks if b.kind is BlockKind.LOG_ENTRY]
    assert [(b.label, b.section, b.text) for b in entries] == [
        ("17", 1, "2024-05-03T07:15:00+02:00 | A. Operator\nVacuum pump P3 tripped.\nReset at 07:20."),
        ("18", 2, "2024-05-03T05:15:00+00:00\nBeam back."),
    ]
    assert of_kind(document, BlockKind.FOOTNOTE) == [
        "Attachments: trend.png, photo.jpg",
        "Link: https://log.example.org/17",
    ]
    place = document.source_map.locate(document.text.index("Beam back"))
    assert (place.line, place.path) == (3, "18")


MAIL = """From logbook Fri May  3 07:15:00 2024
Message-ID: <17@log.example.org>
Date: Fri, 3 May 2024 07:15:00 +0200
From: A. Operator <a@example.org>
Subject: =?utf-8?q?Pump_tripp=C3=A9d?=
Archived-At: <https://log.example.org/17>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="b"

--b
Content-Type: text/plain; charset="utf-8"

Vacuum pump P3 tripped.
>From then on we waited.
--b
Content-Type: image/png
Content-Disposition: attachment; filename="trend.png"
Content-Transfer-Encoding: base64

AAAA
--b--

From logbook Fri May  3 08:00:00 2024
X-Entry-ID: 18
Content-Type: text/html

<p>Beam <b>back</b>.</p><script>x</script>
"""


def test_logbook_in_a_mail_folder(tmp_path: Path) -> None:
    document = write(tmp_path, "shift.mbox", MAIL)
    assert [s.title for s in document.sections[1:]] == ["Pump trippéd", "Entry 18"]
    assert of_kind(document, BlockKind.LOG_ENTRY) == [
        "2024-05-03T07:15:00+02:00 | A. Operator\nVacuum pump P3 tripped.\nFrom then on we waited.",
        "Beam back.",
    ]
    assert of_kind(document, BlockKind.FOOTNOTE) == [
        "Attachments: trend.png",
        "Link: https://log.example.org/17",
    ]
    place = document.source_map.locate(document.text.index("Beam back"))
    assert (place.line, place.path) == (23, "18")


def test_bad_lines_are_left_out_and_listed(tmp_path: Path) -> None:
    lines = [f'{{"id": "{n}", "text": "entry {n}"}}' for n in range(1, 10)]
    lines[1], lines[3], lines[5] = "not json", '{"text": "no id"}', '{"id": "1", "text": "again"}'
    document = write(tmp_path, "shift.jsonl", "\n".join(lines))
    assert len(of_kind(document, BlockKind.LOG_ENTRY)) == 6
    assert document.notes[0] == "left out 3 of 9 entries, which cannot be read: lines 2, 4, 6"
    assert [f":{n}:" in note for n, note in zip((2, 4, 6), document.notes[1:], strict=True)] == [True] * 3
    place = document.source_map.locate(document.text.index("entry 9"))
    assert (place.line, place.path) == (9, "9")


def test_dated_entries_of_a_text_file_are_a_logbook(tmp_path: Path) -> None:
    said = (
        "2024-05-03 07:15 | A. Smith | Pump 3 tripped.\n  Reset by hand.\n\n2024/05/03 07:15:30 - Beam back\n"
        "[2024-05-03T08:00+02:00] [B. Jones] All well\n2024-05-03 07:15 | A. Smith | Same minute\n"
    )
    document = write(tmp_path, "shift.txt", said)
    assert (document.kind, document.title) == (DocumentKind.LOGBOOK, "shift")
    assert of_kind(document, BlockKind.LOG_ENTRY) == [
        "2024-05-03T07:15:00 | A. Smith\nPump 3 tripped.\n  Reset by hand.",
        "2024-05-03T07:15:30\nBeam back",
        "2024-05-03T08:00:00+02:00 | B. Jones\nAll well",
        "2024-05-03T07:15:00 | A. Smith\nSame minute",
    ]
    place = document.source_map.locate(document.text.index("Beam back"))
    assert (place.line, place.path) == (4, "2024-05-03T07:15:30")
    assert document.sections[-1].title == "Entry 2024-05-03T07:15:00#2"


def test_parts_of_a_second_belong_to_the_time_of_an_entry(tmp_path: Path) -> None:
    said = "2024-05-03 07:15:30.125 a\n2024-05-03 07:16:30,250 b\n2024-05-03T07:17:30.5Z c\n"
    document = write(tmp_path, "shift.txt", said)
    assert of_kind(document, BlockKind.LOG_ENTRY) == [
        "2024-05-03T07:15:30\na",
        "2024-05-03T07:16:30\nb",
        "2024-05-03T07:17:30+00:00\nc",
    ]


@pytest.mark.parametrize(
    "said",
    [
        "A title\n\n2024-05-03 07:15 a\n2024-05-03 07:16 b\n2024-05-03 07:17 c\n",
        "2024-05-03 07:15 a\n2024-02-31 07:16 b\n2024-05-03 07:17 c\n",
        "03.05.2024 07:15 a\n04.05.2024 07:16 b\n05.05.2024 07:17 c\n",
        "2024-05-03 a\n2024-05-04 b\n2024-05-05 c\n",
    ],
)
def test_other_text_files_are_no_logbooks(tmp_path: Path, said: str) -> None:
    assert write(tmp_path, "a.txt", said).kind is DocumentKind.TEXT


@pytest.mark.parametrize(
    ("name", "content", "line", "word"),
    [
        ("a.html", "<script>x</script>", 1, "found none"),
        ("a.html", "<div>" * 5_000 + "x", 1, "nested"),
        ("a.json", "{", 1, "JSON"),
        ("a.json", "[1]", 1, "an array"),
        ("a.json", '{"name": 1}', 1, "body_text"),
        ("a.json", '{"body_text": []}', 1, "paragraphs"),
        ("a.json", '{"body_text": [1]}', None, "array of objects"),
        ("a.json", '{"body_text": [{"text": []}]}', 1, "a string"),
        ("a.json", '{"abstract": "x", "metadata": 3}', None, "an object"),
        ("a.json", '{"abstract": ' + "[" * 100_000 + "]" * 100_000 + "}", 1, "JSON"),
        ("a.jsonl", 'not json\n{"text": "x"}', 1, "JSON"),
        ("a.jsonl", '{"text": "x"}', 1, "id and text"),
        ("a.jsonl", '{"id": "1", "text": "x", "time": "some day"}', 1, "time"),
        ("a.jsonl", '{"id": "1", "text": "x", "attachments": "a"}', 1, "array"),
        ("a.jsonl", '{"id": "1", "text": "x", "attachments": [1]}', 1, "attachment"),
        ("a.jsonl", '{"id": "1", "text": ""}', 1, "found none"),
        ("a.mbox", "Subject: x\n\ntext", 1, "From"),
        ("a.mbox", "From x\nSubject: y\n\ntext\n", 1, "header"),
        ("a.mbox", "From x\nX-Entry-ID: 1\nDate: 3 May 99999999999 07:15:00 +0200\n\nt", 1, "mail|time"),
    ],
)
def test_what_is_refused(tmp_path: Path, name: str, content: str, line: int | None, word: str) -> None:
    with pytest.raises(ReadError, match=word) as caught:
        write(tmp_path, name, content)
    assert (caught.value.file, caught.value.line) == (name, line)


def test_a_message_that_cannot_be_read_is_left_out_alone(tmp_path: Path) -> None:
    good = "From x\nX-Entry-ID: 1\n\nfirst\n\n"
    bad = "From x\nX-Entry-ID: 2\nDate: never\n\nsecond\n\n"
    nameless = "From x\nSubject: y\n\nthird\n\n"
    document = write(tmp_path, "a.mbox", good + bad + nameless + good.replace("ID: 1", "ID: 4"))
    assert [b.label for b in document.blocks if b.kind is BlockKind.LOG_ENTRY] == ["1", "4"]
    assert document.notes[0] == "left out 2 of 4 entries, which cannot be read: lines 6, 12"
    assert "a.mbox:6" in document.notes[1]
    assert "a.mbox:12" in document.notes[2]
