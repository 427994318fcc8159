"""What Markdown, HTML and plain text write without marking it: abstracts, captions, formulas, header rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from extraction.readers.builder import CellText
from extraction.readers.latex_math import render
from extraction.readers.latex_stack import SourceFiles, TokenStack, plain
from extraction.readers.latex_tokens import tokenise
from schemas.documents import BlockKind
from schemas.errors import ReadError

_ABSTRACT: Final = re.compile(r"\W*abstract\W*\Z", re.IGNORECASE)
_BEGINS_ABSTRACT: Final = re.compile(r"\W{0,3}abstract\W{0,3}[.:\u2014\u2013-]", re.IGNORECASE)
_CAPTION: Final = re.compile(
    r"\W{0,3}(?:(?:table|tab\.)\s?(?:[A-Z]?\d{1,3}|[IVXL]{1,5})(?:\s?[.:|\u2014\u2013-]|\W{0,3}\s)|table\s?:|:\s)",
    re.IGNORECASE,
)
_FORMULA: Final = re.compile(
    r"(?<![\\$])(?:(?<!\w)|(?=\$[\^_]))\$(?=[^\s$])(?P<dollar>[^$\n]{0,400}?[^\s$\\])\$(?![\d$])|\\\((?P<bracket>[^\n]{1,400}?)\\\)"
)
_NUMERIC: Final = re.compile(r"\s*[<>~≲≳±+\-\u2212(]{0,3}\s?\d")


def prose_kind(text: str, section: str, kind: BlockKind = BlockKind.PARAGRAPH) -> BlockKind:
    """``ABSTRACT`` for a paragraph below the heading "Abstract" or one that begins with the word.

    >>> prose_kind("Abstract. We measure the rate.", "A title").value, prose_kind("It is.", "Abstract").value
    ('abstract', 'abstract')
    """
    if kind is BlockKind.PARAGRAPH and (_ABSTRACT.match(section) or _BEGINS_ABSTRACT.match(text)):
        return BlockKind.ABSTRACT
    return kind


def is_table_caption(text: str) -> bool:
    """Whether a paragraph beside a table is its caption: "Table 2: ...", "Table: ..." or ": ...".

    >>> is_table_caption("**Table 2.** Yields"), is_table_caption("Tables of yields follow")
    (True, False)
    """
    return _CAPTION.match(text) is not None


def with_formulas(text: str) -> str:
    r"""The text with ``$...$`` and ``\(...\)`` as readable text, as the LaTeX reader writes formulas.

    Dollars of prices stay, and so does a formula that cannot be read. After a letter only a power or an
    index is a formula: ``ps$^{-1}$``.

    >>> with_formulas(r"the $B_s^0$ lifetime is $1.51 \pm 0.02$ ps and costs $5 or $6")
    'the B_s^0 lifetime is 1.51 ± 0.02 ps and costs $5 or $6'
    >>> with_formulas("17.7 ps$^{-1}$ for US$5 and CA$6")
    '17.7 ps^{-1} for US$5 and CA$6'
    """
    return _FORMULA.sub(_formula, text) if "$" in text or "\\(" in text else text


def _formula(found: re.Match[str]) -> str:
    source = found["dollar"] or found["bracket"]
    files = SourceFiles()
    file = files.add("formula")
    try:
        tokens = tokenise(source, file=file, name="formula")
        text = render(TokenStack(tokens, files, at=1), _plain_text) or found.group()
    except ReadError:
        return found.group()
    return text + (" " if re.match(r"[a-z]{4}", found.string[found.end() :]) else "")


def _plain_text(stack: TokenStack) -> str:
    tokens = []
    while (token := stack.pop()) is not None:
        tokens.append(token)
    return plain(tokens)


def with_header(rows: Sequence[Sequence[CellText]]) -> list[list[CellText]]:
    """The rows of a table with its first row as header where none is marked and only the others hold numbers.

    >>> rows = [[CellText("source", 0), CellText("size", 1)], [CellText("trigger", 0), CellText("2.1", 1)]]
    >>> [cell.header for row in with_header(rows) for cell in row]
    [True, True, False, False]
    """
    made = [list(row) for row in rows]
    if len(made) < 2 or any(cell.header for row in made for cell in row):
        return made
    if not _numbers(made[0]) and len(made[0]) > 1 and any(_numbers(row) for row in made[1:]):
        made[0] = [replace(cell, header=True) for cell in made[0]]
    return made


def _numbers(row: Sequence[CellText]) -> bool:
    return any(_NUMERIC.match(cell.text) for cell in row)
