"""LaTeX papers of several files."""

from __future__ import annotations

from pathlib import Path

import pytest

from extraction.readers import read_document
from schemas.documents import BlockKind, Document
from schemas.errors import ReadError


def paper(tmp_path: Path, files: dict[str, str], *, missing_ok: bool = False) -> Document:
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return read_document(tmp_path / "main.tex", root=tmp_path, missing_inputs_ok=missing_ok)


def main(body: str, preamble: str = "") -> str:
    return f"\\documentclass{{article}}\n{preamble}\\begin{{document}}\n{body}\n\\end{{document}}\n"


def paragraphs(document: Document) -> list[tuple[str, str, int]]:
    """(text, file, line) of each paragraph."""
    locate = document.source_map.locate
    return [
        (b.text, locate(b.start).file, locate(b.start).line)
        for b in document.blocks
        if b.kind is BlockKind.PARAGRAPH
    ]


@pytest.mark.parametrize(
    "command",
    [
        r"\input{parts/one}",
        r"\input{parts/one.tex}",
        r"\input parts/one",
        r"\input parts/one.tex ",
        r"\include{parts/one}",
        r"\subfile{parts/one}",
        r"\input{./parts/one}",
        r"\input{parts/../parts/one}",
        r"\import{parts/}{one}",
        r"\subimport{parts}{one.tex}",
    ],
)
def test_ways_to_name_a_file(tmp_path: Path, command: str) -> None:
    document = paper(tmp_path, {"main.tex": main(f"{command}\n\nEnd."), "parts/one.tex": "\nOne.\n"})
    assert paragraphs(document) == [("One.", "parts/one.tex", 2), ("End.", "main.tex", 5)]


def test_nested_files_count_from_the_main_file(tmp_path: Path) -> None:
    files = {
        "main.tex": main("\\input{a/one}\n\nEnd."),
        "a/one.tex": "One.\n\n\\input{a/b/two}\n\nStill one.",
        "a/b/two.tex": "% comment\nTwo.",
    }
    assert paragraphs(paper(tmp_path, files)) == [
        ("One.", "a/one.tex", 1),
        ("Two.", "a/b/two.tex", 2),
        ("Still one.", "a/one.tex", 5),
        ("End.", "main.tex", 5),
    ]


def test_a_file_may_come_twice_and_in_the_middle_of_a_sentence(tmp_path: Path) -> None:
    files = {"main.tex": main("We find \\input{n} and \\input{n}."), "n.tex": "12\n"}
    assert paper(tmp_path, files).text == "We find 12 and 12."


def test_macros_of_an_included_preamble_hold_in_the_body(tmp_path: Path) -> None:
    files = {
        "main.tex": main("The \\Bz decays.\n\\input{body}", "\\input{macros}\n"),
        "macros.tex": "\\newcommand{\\Bz}{$B^0$\\ignorespaces}\n",
        "body.tex": "\\section{The \\Bz}\nIts \\Bz life.",
    }
    document = paper(tmp_path, files)
    assert [s.title for s in document.sections[1:]] == ["The B^0"]
    heading = document.text.index("The B^0\n\n")
    assert document.source_map.locate(heading).file == "body.tex"


def test_subfiles_with_their_own_preamble(tmp_path: Path) -> None:
    files = {
        "main.tex": main("\\subfile{part}\n\nEnd."),
        "part.tex": "\\documentclass[main]{subfiles}\n\\begin{document}\nPart.\n\\end{document}\n",
    }
    assert [text for text, _, _ in paragraphs(paper(tmp_path, files))] == ["Part.", "End."]


def test_missing_files_are_told_or_marked(tmp_path: Path) -> None:
    files = {"main.tex": main("Text.\n\n\\input{gone}")}
    with pytest.raises(ReadError, match=r"main.tex:5: .*gone"):
        paper(tmp_path, files)
    assert "[missing file gone]" in paper(tmp_path, files, missing_ok=True).text


@pytest.mark.parametrize(
    "files",
    [
        {"main.tex": main("\\input{main}")},
        {"main.tex": main("\\input{a}"), "a.tex": "x\\input{b}", "b.tex": "y\\input{a}"},
        {"main.tex": main("\\input{a}"), "a.tex": "x\\include{./a}"},
    ],
)
def test_cycles_are_refused(tmp_path: Path, files: dict[str, str]) -> None:
    with pytest.raises(ReadError, match="themselves"):
        paper(tmp_path, files)


def test_many_files_are_bounded(tmp_path: Path) -> None:
    files = {
        "main.tex": main(
            "\\def\\a{\\input{n}}\\def\\b{\\a\\a\\a\\a\\a\\a\\a\\a}\\def\\c{\\b\\b\\b\\b}" + "\\c" * 40
        ),
        "n.tex": "x\n",
    }
    with pytest.raises(ReadError, match="files"):
        paper(tmp_path, files)
