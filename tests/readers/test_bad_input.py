"""What is wrong, huge or hostile gives a clear error or a clean document, in bounded memory.

A test that would not end is stopped by its timeout; memory is measured with ``tracemalloc``.
"""

from __future__ import annotations

import codecs
import itertools
import json
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from extraction.readers import read_document
from extraction.readers.source import MAX_BYTES
from schemas.documents import BlockKind, Document
from schemas.errors import ReadError

pytestmark = pytest.mark.timeout(120)

HEAD = "\\documentclass{article}\n\\begin{document}\n"
TAIL = "\n\\end{document}\n"
SUFFIXES = (".tex", ".xml", ".html", ".json", ".jsonl", ".mbox", ".md", ".txt", ".pdf")


def write(tmp_path: Path, name: str, content: str | bytes) -> Document:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_document(path, root=tmp_path)


def latex(tmp_path: Path, body: str) -> Document:
    return write(tmp_path, "a.tex", f"{HEAD}{body}{TAIL}")


@contextmanager
def at_most(megabytes: float) -> Iterator[None]:
    """Also where the block ends with an error."""
    tracemalloc.start()
    try:
        yield
    finally:
        peak = tracemalloc.get_traced_memory()[1] / 2**20
        tracemalloc.stop()
        assert peak < megabytes


@pytest.mark.parametrize(
    "body", ["\\footnote{never closed", "{" * 100_000, "\\textbf{" * 10_000, "}" * 100_000]
)
def test_braces_without_their_pair(tmp_path: Path, body: str) -> None:
    with pytest.raises(ReadError, match=r"closing brace|nested|paragraphs"), at_most(100):
        latex(tmp_path, body)


@pytest.mark.parametrize(
    "macros",
    [
        r"\def\a{\a}\a",
        r"\def\a{\b}\def\b{\a}\a",
        r"\newcommand{\a}[1]{\a{#1#1}}\a{xy}",
        r"\def\a{xx}\def\b{\a\a\a\a\a\a\a\a}" + r"\let\c=\b \def\b{\c\c\b}\b",
    ],
)
def test_macros_that_use_themselves(tmp_path: Path, macros: str) -> None:
    with pytest.raises(ReadError, match="itself"), at_most(500):
        latex(tmp_path, macros)


def test_macros_that_grow_exponentially(tmp_path: Path) -> None:
    names = "abcdefghijklmnopqrstuvwxyz"
    doubling = "\\def\\ya{lol}" + "".join(
        f"\\def\\y{b}{{{chr(92)}y{a} {chr(92)}y{a} }}" for a, b in itertools.pairwise(names)
    )
    with pytest.raises(ReadError, match="after expansion"), at_most(1_000):
        latex(tmp_path, f"{doubling}\\yz")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_file_of_100_mb_is_refused_unread(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    with path.open("wb") as stream:
        stream.truncate(100 * 2**20)
    with pytest.raises(ReadError, match=r"at most 50 MB.*max_file_mb"), at_most(5):
        read_document(path, root=tmp_path)


def test_the_limit_can_be_set(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("word " * 1_000)
    with pytest.raises(ReadError, match="at most"):
        read_document(path, root=tmp_path, max_bytes=4_999)
    assert read_document(path, root=tmp_path, max_bytes=5_000).text
    assert MAX_BYTES == 50 * 2**20


def test_the_limit_holds_for_included_files(tmp_path: Path) -> None:
    (tmp_path / "part.tex").write_text("x" * 2_000)
    (tmp_path / "a.tex").write_text(f"{HEAD}\\input{{part}}{TAIL}")
    with pytest.raises(ReadError, match="at most") as caught:
        read_document(tmp_path / "a.tex", root=tmp_path, max_bytes=1_000)
    assert caught.value.file == "part.tex"


BINARY = bytes(range(256)) * 64


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("content", [BINARY, b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", b"PK\x03\x04\x14\x00"])
def test_binary_files_are_refused(tmp_path: Path, suffix: str, content: bytes) -> None:
    with pytest.raises(ReadError) as caught:
        write(tmp_path, f"a{suffix}", content)
    assert caught.value.file == f"a{suffix}"


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("content", [b"", b" \n\t\n", codecs.BOM_UTF8])
def test_empty_documents_are_refused(tmp_path: Path, suffix: str, content: bytes) -> None:
    with pytest.raises(ReadError, match=r"empty|none|expected"):
        write(tmp_path, f"a{suffix}", content)


TEXTS = {
    ".tex": f"{HEAD}Café prices{TAIL}",
    ".xml": "<article><body><p>Café prices</p></body></article>",
    ".html": "<p>Café prices</p>",
    ".json": '{"abstract": "Café prices"}',
    ".jsonl": '{"id": "1", "text": "Café prices"}',
    ".md": "Café prices",
    ".txt": "Café prices",
}


@pytest.mark.parametrize("suffix", TEXTS)
def test_undeclared_latin1_is_refused(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(ReadError, match="UTF-8"):
        write(tmp_path, f"a{suffix}", TEXTS[suffix].encode("latin-1"))


@pytest.mark.parametrize("suffix", TEXTS)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be"])
def test_byte_order_marks_are_understood(tmp_path: Path, suffix: str, encoding: str) -> None:
    data = TEXTS[suffix].encode(encoding)
    if encoding == "utf-16-be":
        data = codecs.BOM_UTF16_BE + data
    assert "Café prices" in write(tmp_path, f"a{suffix}", data).text


@pytest.mark.parametrize("suffix", TEXTS)
def test_utf16_without_its_mark_is_refused(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(ReadError, match="NUL"):
        write(tmp_path, f"a{suffix}", TEXTS[suffix].encode("utf-16-le"))


@pytest.mark.parametrize("suffix", TEXTS)
def test_nul_bytes_are_refused_with_their_line(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(ReadError, match="NUL") as caught:
        write(tmp_path, f"a{suffix}", TEXTS[suffix].encode() + b"\n\n\0")
    assert caught.value.line == TEXTS[suffix].count("\n") + 3


def test_nul_as_an_escape_in_json_is_dropped(tmp_path: Path) -> None:
    assert write(tmp_path, "a.json", '{"abstract": "a\\u0000b"}').text == "ab"


def test_the_same_text_under_two_names_has_one_version(tmp_path: Path) -> None:
    one, two = (write(tmp_path, name, TEXTS[".txt"]) for name in ("one.txt", "deep/two.txt"))
    assert one.version == two.version
    assert one.key != two.key


def rows(count: int) -> list[list[str]]:
    return [[f"name {n}", str(n), f"{n}.5"] for n in range(count)]


def table_sources() -> dict[str, str]:
    lines = rows(10_000)
    cells = "".join("<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>" for row in lines)
    tabular = " \\\\\n".join(" & ".join(row) for row in lines)
    pipes = "\n".join(f"| {' | '.join(row)} |" for row in lines)
    return {
        ".tex": f"{HEAD}Text.\\begin{{tabular}}{{lll}}\n{tabular}\n\\end{{tabular}}{TAIL}",
        ".xml": f"<article><body><p>Text.</p><fig/><table-wrap><table>{cells}</table></table-wrap></body>"
        "</article>",
        ".html": f"<p>Text.</p><table>{cells}</table>",
        ".json": json.dumps({"abstract": "x", "ref_entries": {"T": {"html": f"<table>{cells}</table>"}}}),
        ".md": f"Text.\n\n| a | b | c |\n|---|---|---|\n{pipes}\n",
    }


@pytest.mark.parametrize("suffix", [".tex", ".xml", ".html", ".json", ".md"])
def test_a_table_of_10_000_rows(tmp_path: Path, suffix: str) -> None:
    with at_most(250):
        document = write(tmp_path, f"a{suffix}", table_sources()[suffix])
    block = next(b for b in document.blocks if b.kind is BlockKind.TABLE)
    last = block.cells[-1]
    assert last.row - (suffix == ".md") == 9_999
    assert (last.column, last.text) == (2, "9999.5")


@pytest.mark.parametrize("suffix", TEXTS)
def test_right_to_left_text_keeps_its_order(tmp_path: Path, suffix: str) -> None:
    arabic = "قياس عمر B⁰ \u200fفي \u2067العينة\u2069"
    document = write(tmp_path, f"a{suffix}", TEXTS[suffix].replace("Café prices", arabic))
    assert "قياس" in document.text
    assert document.text.index("قياس") < document.text.index("العينة")


@pytest.mark.parametrize(
    "source",
    [
        '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><article><body><p>&b;</p></body></article>',
        '<!DOCTYPE l SYSTEM "x.dtd" [<!ENTITY % p SYSTEM "http://127.0.0.1/x">%p;]><article/>',
        '<!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/hostname">]><article><body><p>&x;</p></body></article>',
    ],
)
def test_xml_entities_are_refused(tmp_path: Path, source: str) -> None:
    with pytest.raises(ReadError, match="entity"), at_most(10):
        write(tmp_path, "a.xml", f'<?xml version="1.0"?>\n{source}')


def test_html_entities_do_not_grow(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE html [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><p>&b; &amp; text</p>'
    with at_most(10):
        assert "haha" not in write(tmp_path, "a.html", bomb).text


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.tex", HEAD + "{" * 100_000 + "x" + "}" * 100_000 + TAIL),
        ("a.tex", HEAD + "$" + "\\frac{" * 5_000 + "x" + "}{y}" * 5_000 + "$" + TAIL),
        ("a.tex", HEAD + "\\begin{center}" * 5_000 + "x" + "\\end{center}" * 5_000 + TAIL),
        (
            "a.xml",
            "<article><body>" + "<sec>" * 50_000 + "<p>x</p>" + "</sec>" * 50_000 + "</body></article>",
        ),
        ("a.html", "<div>" * 100_000 + "x" + "</div>" * 100_000),
        ("a.html", "<b>" * 100_000 + "x"),
        ("a.json", '{"body_text": ' + "[" * 200_000 + "]" * 200_000 + "}"),
        ("a.json", '{"metadata": ' + '{"a":' * 200_000 + "1" + "}" * 200_000 + "}"),
        ("a.jsonl", '{"id": "1", "text": ' + "[" * 200_000 + "]" * 200_000 + "}"),
    ],
)
def test_deep_nesting_is_refused(tmp_path: Path, name: str, content: str) -> None:
    with pytest.raises(ReadError), at_most(200):
        write(tmp_path, name, content)


def test_deeply_nested_mail_is_refused_or_read(tmp_path: Path) -> None:
    parts = "".join(f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n' for n in range(2_000))
    source = f"From x\nX-Entry-ID: 1\nMIME-Version: 1.0\n{parts}Content-Type: text/plain\n\ntext\n"
    with pytest.raises(ReadError):
        write(tmp_path, "a.mbox", source)


@pytest.mark.parametrize(
    "name",
    ["../out", "../../out.tex", "/etc/hostname", "sub/../../out", "~/out", "|ls", "sub/link", "..\\out"],
)
@pytest.mark.parametrize("command", ["input", "include", "subfile"])
def test_inputs_do_not_lead_out_of_the_root(tmp_path: Path, name: str, command: str) -> None:
    (tmp_path / "out.tex").write_text("secret")
    root = tmp_path / "root"
    (root / "sub").mkdir(parents=True)
    (root / "sub" / "link.tex").symlink_to(tmp_path / "out.tex")
    (root / "a.tex").write_text(f"{HEAD}Text.\\{command}{{{name}}}{TAIL}")
    for missing_ok in (False, True):
        with pytest.raises(ReadError, match=r"outside|relative"):
            read_document(root / "a.tex", root=root, missing_inputs_ok=missing_ok)
