"""Text, Markdown, JATS, and what all readers refuse."""

from __future__ import annotations

import gzip
import unicodedata
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from extraction.readers import find_documents, read_document
from schemas.documents import BlockKind, Document
from schemas.errors import ReadError

ARTICLE = """<?xml version="1.0"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS 1.0//EN" "http://example.org/jats.dtd">
<article xmlns:mml="http://www.w3.org/1998/Math/MathML"><front><article-meta>
<article-id pub-id-type="doi">10.1371/Journal.Test.1</article-id>
<title-group><article-title>Effect of <italic>X</italic> on T<sub>reg</sub></article-title></title-group>
<pub-date pub-type="epub"><year>2012</year></pub-date><pub-date><year>2011</year></pub-date>
<abstract><title>Background</title><p>We study X<sup>2+</sup>.</p></abstract></article-meta></front>
<body><sec id="s1"><title>Methods</title>
<p>First <xref ref-type="bibr" rid="b1">[1]</xref> part.<disp-formula><mml:math><mml:mi>a</mml:mi>
<mml:mo>=</mml:mo><mml:mfrac>
<mml:mn>1</mml:mn><mml:mi>b</mml:mi></mml:mfrac></mml:math></disp-formula>second part.</p>
<sec><title>Deep</title><p>Inner.</p><list><list-item><p>One</p></list-item></list></sec>
<table-wrap id="t1"><label>Table 1</label><caption><title>Doses.</title></caption>
<table><thead><tr><th rowspan="2">Arm</th><th colspan="2">Dose</th></tr>
<tr><th>low</th><th>high</th></tr></thead><tbody>
<tr><td rowspan="2">A</td><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></tbody></table>
</table-wrap></sec></body><back><ack><p>Thanks.</p></ack><ref-list><ref><label>1</label></ref></ref-list></back></article>
"""


NEWER = ("a.pdf", "a.html", "a.json", "a.jsonl", "a.mbox")


def write(tmp_path: Path, name: str, content: str | bytes) -> Document:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_document(path, root=tmp_path)


def of_kind(document: Document, kind: BlockKind) -> list[str]:
    return [b.text for b in document.blocks if b.kind is kind]


def test_jats(tmp_path: Path) -> None:
    document = write(tmp_path, "a.xml", ARTICLE)
    assert (document.key, document.year) == ("doi:10.1371/journal.test.1", 2011)
    assert document.title == "Effect of X on T_{reg}"
    assert document.abstract == "We study X^{2+}."
    assert [(s.title, s.level) for s in document.sections[1:]] == [("Methods", 1), ("Deep", 2)]
    assert of_kind(document, BlockKind.PARAGRAPH) == ["First part.", "second part.", "Inner."]
    assert of_kind(document, BlockKind.EQUATION) == ["a = 1/b"]
    assert of_kind(document, BlockKind.LIST_ITEM) == ["One"]
    assert of_kind(document, BlockKind.CAPTION) == ["Table 1 Doses."]
    block = next(b for b in document.blocks if b.kind is BlockKind.TABLE)
    assert [(c.row, c.column, c.span, c.header, c.text) for c in block.cells] == [
        (0, 0, 1, True, "Arm"),
        (0, 1, 2, True, "Dose"),
        (1, 0, 1, True, "Arm"),
        (1, 1, 1, True, "low"),
        (1, 2, 1, True, "high"),
        (2, 0, 1, False, "A"),
        (2, 1, 1, False, "1"),
        (2, 2, 1, False, "2"),
        (3, 0, 1, False, "A"),
        (3, 1, 1, False, "3"),
        (3, 2, 1, False, "4"),
    ]
    assert "Thanks" not in document.text
    inner = document.source_map.locate(document.text.index("Inner"))
    assert inner.line == 12
    assert inner.path == "/article/body/sec/sec/p"


def test_gzipped_jats_reads_the_same(tmp_path: Path) -> None:
    assert (
        write(tmp_path, "a.xml.gz", gzip.compress(ARTICLE.encode())).text
        == write(tmp_path, "b.xml", ARTICLE).text
    )


@pytest.mark.parametrize(
    ("name", "content", "word"),
    [
        ("a.xml", '<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY x "y">]><article>&x;</article>', "entity"),
        ("a.xml", '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><article>&x;</article>', "entity"),
        ("a.xml", "<article><body>", "well-formed"),
        ("a.xml", "<html/>", "<article>"),
        ("a.xml", "<article><body/></article>", "paragraphs"),
        ("a.xml", "<article>" + "<b>" * 240 + "x" + "</b>" * 240 + "</article>", "nested"),
        ("a.xml.gz", b"not gzip", "readable"),
        ("a.txt", b"\xff\xfe\x00binary", "NUL"),
        ("a.txt", b"fine\nbad \xe9 byte", "UTF-8"),
        ("a.txt", b"  \n ", "empty"),
        ("a.docx", b"PK", "expected one of"),
        ("a.md", "```\ncode", "close the code"),
        ("a.tex", r"\documentclass{a}\begin{document}\end{document}", "found none"),
    ],
)
def test_what_readers_refuse(tmp_path: Path, name: str, content: str | bytes, word: str) -> None:
    with pytest.raises(ReadError, match=word) as caught:
        write(tmp_path, name, content)
    assert caught.value.file == name


def test_the_line_of_a_bad_byte_is_told(tmp_path: Path) -> None:
    with pytest.raises(ReadError) as caught:
        write(tmp_path, "a.txt", b"one\ntwo\nth\xe9ree")
    assert caught.value.line == 3


def test_declared_latin1_is_read(tmp_path: Path) -> None:
    source = "\\documentclass{a}\\usepackage[latin1]{inputenc}\\begin{document}Café\\end{document}"
    assert write(tmp_path, "a.tex", source.encode("latin-1")).text == "Café"
    xml = "<?xml version='1.0' encoding='ISO-8859-1'?><article><body><p>Café</p></body></article>"
    assert write(tmp_path, "a.xml", xml.encode("latin-1")).text == "Café"


def test_a_zip_bomb_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="50 MB"):
        write(tmp_path, "a.xml.gz", gzip.compress(b"<article>" + b" " * (51 * 2**20)))


def test_a_file_outside_the_root_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    (tmp_path / "root").mkdir()
    with pytest.raises(ReadError, match="outside"):
        read_document(tmp_path / "a.txt", root=tmp_path / "root")


def test_text(tmp_path: Path) -> None:
    document = write(tmp_path, "a.txt", "\ufeffA title\n\nOne\ntwo.\r\n\r\n\r\nThree e\u0301.")
    assert document.title == "A title"
    assert of_kind(document, BlockKind.PARAGRAPH) == ["One\ntwo.", "Three é."]
    assert document.source_map.locate(document.text.index("two")).line == 4


def test_markdown(tmp_path: Path) -> None:
    source = """---
title: "The note"
---
# First
Some **bold** text with a [link](http://x.y).

* item one
  goes on
* item two

| a | b \\| c |
|---|:-:|
| 1 | 2 |

Second
------
```python
x = 1
```
"""
    document = write(tmp_path, "a.md", source)
    assert document.title == "The note"
    assert [(s.title, s.level) for s in document.sections[1:]] == [("First", 1), ("Second", 2)]
    assert of_kind(document, BlockKind.PARAGRAPH) == ["Some bold text with a link.", "x = 1"]
    assert of_kind(document, BlockKind.LIST_ITEM) == ["item one\ngoes on", "item two"]
    block = next(b for b in document.blocks if b.kind is BlockKind.TABLE)
    assert [(c.text, c.header) for c in block.cells] == [
        ("a", True),
        ("b | c", True),
        ("1", False),
        ("2", False),
    ]
    assert document.source_map.locate(document.text.index("Second")).line == 15


def test_finding_documents(tmp_path: Path) -> None:
    paper = tmp_path / "paper"
    (paper / "parts").mkdir(parents=True)
    (paper / "main.tex").write_text("% x\n\\documentclass{a}\\begin{document}x\\end{document}")
    (paper / "intro.tex").write_text("included")
    (paper / "parts" / "end.tex").write_text("included too")
    (tmp_path / "notes.md").write_text("# n")
    (tmp_path / ".hidden.txt").write_text("no")
    (paper / "figure.pdf").write_text("a picture of the paper")
    (tmp_path / "package.json").write_text('{"name": "no paper"}')
    (tmp_path / "note.pdf").write_text("x")
    (tmp_path / "paper.json").write_text('{"body_text": []}')
    (tmp_path / "rows.jsonl").write_text('{"id": 1}')
    (tmp_path / "loose").mkdir()
    (tmp_path / "loose" / "fragment.tex").write_text("alone")
    found = find_documents([tmp_path, tmp_path / "notes.md"])
    assert [(p.relative_to(tmp_path).as_posix(), r) for p, r in found] == [
        ("loose/fragment.tex", tmp_path),
        ("note.pdf", tmp_path),
        ("notes.md", tmp_path),
        ("paper/main.tex", tmp_path),
        ("paper.json", tmp_path),
    ]
    [(absent, root)] = find_documents([tmp_path / "absent.txt"])
    with pytest.raises(ReadError, match="found nothing"):
        read_document(absent, root=root)


def test_a_line_that_is_a_sentence_is_no_title(tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text("The pump of line 3 failed. The valve of line 4 was replaced.")
    document = read_document(tmp_path / "log.txt", root=tmp_path)
    assert [b.kind for b in document.blocks] == [BlockKind.PARAGRAPH]


@given(
    name=st.sampled_from(["a.txt", "a.md", "a.xml", "a.tex", "a.xml.gz", *NEWER]),
    content=st.one_of(
        st.binary(max_size=200),
        st.text(max_size=300).map(lambda s: s.encode("utf-8", "replace")),
        st.text("#|-*` \n\tab1.:>=[]()\u0301\u0338\u2028\x85", max_size=120).map(str.encode),
    ),
)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_read_or_are_refused(tmp_path: Path, name: str, content: bytes) -> None:
    try:
        document = write(tmp_path, name, content)
    except ReadError as e:
        told = e.file
    else:
        told = name
        assert unicodedata.is_normalized("NFC", document.text)
        assert "\r" not in document.text
        assert document.source_map.locate(0).line >= 1
    assert told == name


def test_a_power_set_as_a_formula_of_its_own_belongs_to_the_unit(tmp_path: Path) -> None:
    said = "It is $0.51 \\pm 0.01$ ps$^{-1}$ for B$_s^0$ and costs US$5 or US$6.\n"
    (tmp_path / "a.md").write_text(said, encoding="utf-8")
    document = read_document(tmp_path / "a.md", root=tmp_path)
    assert document.text.strip() == "It is 0.51 ± 0.01 ps^{-1} for B_s^0 and costs US$5 or US$6."


def test_a_text_file_of_dated_entries_says_how_a_logbook_is_read(tmp_path: Path) -> None:
    entries = "2024-03-01 07:10 Pump tripped.\nReset.\n\n2024-03-02 Chiller back.\n\n3 Mar 2024: all well.\n"
    (tmp_path / "log.txt").write_text(entries, encoding="utf-8")
    [note] = read_document(tmp_path / "log.txt", root=tmp_path).notes
    assert note.startswith("3 lines begin with a date")
    assert ".jsonl" in note
    (tmp_path / "prose.txt").write_text(
        "2024-03-01\n\nMay 5 events pass.\n\n1.5 ps is long.\n", encoding="utf-8"
    )
    assert not read_document(tmp_path / "prose.txt", root=tmp_path).notes
