"""Puts the words of a page into lines and the lines into reading order, for one or two columns.

A gutter is the position in the middle of the page that the fewest line pieces cross. Pieces that cross
it part the page into bands; within a band the left column is read before the right one, a
simplified form of the cuts of G. Nagy and S. Seth (ICPR 1984, pp. 347-349).
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Final

from extraction.readers.pdf_text import Page, Word
from schemas.documents import Box

WORD_GAP: Final = 1.0
"""A wider gap (in font sizes) parts two pieces of a row; within a column they are joined again."""
MARGIN: Final = 0.1
"""Share of the page height, above and below, in which running heads and page numbers stand."""
MIN_COLUMN_FILL: Final = 0.6
"""Median width of a column's lines, as a share of the column: less is a table, not two columns."""
MIN_COLUMN_LINES: Final = 4

_NUMBER: Final = re.compile(
    r"(?:page\s*)?[-–—]?\s*(?:\d{1,4}|[ivxl]{1,7})(?:\s*(?:of|/)\s*\d{1,4})?\s*[-–—]?", re.IGNORECASE
)
_DIGITS: Final = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a column; ``number`` counts the lines of its page in reading order, from 1."""

    text: str
    box: Box
    size: float
    bold: bool
    page: int
    column: int = 0
    """0 across the page or in its only column, 1 left, 2 right."""
    number: int = 0


def page_lines(page: Page) -> list[Line]:
    """Lines of one page in reading order."""
    pieces = _pieces(page)
    gutter = _gutter(pieces)
    ordered = _rows(pieces) if gutter is None else _in_bands(pieces, gutter)
    return [replace(line, number=number) for number, line in enumerate(ordered, 1)]


def without_furniture(pages: Sequence[list[Line]], heights: Sequence[float]) -> list[list[Line]]:
    """Pages without running heads and page numbers.

    Removed is a line in the upper or lower margin that is a number, or whose text but for digits stands
    there on three pages or more (two, when there are only two or three).
    """
    margins = [
        {line for line in lines if _in_margin(line, height)}
        for lines, height in zip(pages, heights, strict=True)
    ]
    seen = Counter(text for lines in margins for text in {_without_digits(line) for line in lines})
    needed = 2 if len(pages) <= 3 else 3
    return [
        [
            line
            for line in lines
            if line not in margin
            or not (_NUMBER.fullmatch(line.text.strip()) or seen[_without_digits(line)] >= needed)
        ]
        for lines, margin in zip(pages, margins, strict=True)
    ]


def _in_margin(line: Line, height: float) -> bool:
    return line.box[1] > height * (1 - MARGIN) or line.box[3] < height * MARGIN


def _without_digits(line: Line) -> str:
    return _DIGITS.sub("#", line.text)


def _pieces(page: Page) -> list[Line]:
    """Runs of words on one row without a wide gap, in the order of the file."""
    pieces: list[Line] = []
    run: list[Word] = []
    for word in page.words:
        if run and not _goes_on(run, word):
            pieces.append(_line(run, page.number))
            run = []
        run.append(word)
    if run:
        pieces.append(_line(run, page.number))
    return pieces


def _goes_on(run: Sequence[Word], word: Word) -> bool:
    before = run[-1]
    size = max(before.size, word.size)
    gap = word.box[0] - before.box[2]
    return _overlap(before.box, word.box) > 0.3 and -0.5 * size < gap < WORD_GAP * size


def _overlap(a: Box, b: Box) -> float:
    """Common height as a share of the lower one."""
    lower = min(a[3] - a[1], b[3] - b[1])
    return (min(a[3], b[3]) - max(a[1], b[1])) / lower if lower > 0 else 0.0


def _line(words: Sequence[Word], page: int) -> Line:
    sizes = Counter[float]()
    bold = 0
    for word in words:
        sizes[word.size] += len(word.text)
        bold += len(word.text) if word.bold else 0
    return Line(
        text=_spaced(words),
        box=_around(word.box for word in words),
        size=max(sizes, key=lambda size: (sizes[size], size)),
        bold=2 * bold > sizes.total(),
        page=page,
    )


def _spaced(words: Sequence[Word]) -> str:
    """Words with spaces, but for scripts that touch what they belong to."""
    text = words[0].text
    for before, word in itertools.pairwise(words):
        touching = word.box[0] - before.box[2] < 0.08 * max(before.size, word.size)
        text += word.text if touching and before.size != word.size else f" {word.text}"
    return text


def _around(boxes: Iterable[Box]) -> Box:
    columns = tuple(zip(*boxes, strict=True))
    return (min(columns[0]), min(columns[1]), max(columns[2]), max(columns[3]))


def _gutter(pieces: Sequence[Line]) -> float | None:
    """Where the gap between two columns lies, or None for one column."""
    if len(pieces) < 2 * MIN_COLUMN_LINES:
        return None
    left, right = min(p.box[0] for p in pieces), max(p.box[2] for p in pieces)
    middle = [left + (right - left) * step / 100 for step in range(35, 66)]
    crossings = {x: sum(p.box[0] < x < p.box[2] for p in pieces) for x in middle}
    fewest = min(crossings.values())
    best = [x for x in middle if crossings[x] == fewest]
    gutter = best[len(best) // 2]
    sides = [p for p in pieces if p.box[2] <= gutter], [p for p in pieces if p.box[0] >= gutter]
    if min(map(len, sides)) < MIN_COLUMN_LINES or fewest > 0.5 * min(map(len, sides)):
        return None
    for side, width in zip(sides, (gutter - left, right - gutter), strict=True):
        if median(p.box[2] - p.box[0] for p in side) < MIN_COLUMN_FILL * width:
            return None
    return gutter


def _in_bands(pieces: Sequence[Line], gutter: float) -> list[Line]:
    """Bands between the pieces across the gutter, each read left column first."""
    across = _rows([p for p in pieces if p.box[0] < gutter < p.box[2]])
    left = [replace(p, column=1) for p in pieces if p.box[2] <= gutter]
    right = [replace(p, column=2) for p in pieces if p.box[0] >= gutter]
    floors = [-_middle(row) for row in across]
    bands: list[tuple[list[Line], list[Line]]] = [([], []) for _ in range(len(across) + 1)]
    for side, column in enumerate((left, right)):
        for piece in column:
            bands[bisect_left(floors, -_middle(piece))][side].append(piece)
    ordered: list[Line] = []
    for number, (on_left, on_right) in enumerate(bands):
        ordered += [*_rows(on_left), *_rows(on_right), *across[number : number + 1]]
    return ordered


def _rows(pieces: Sequence[Line]) -> list[Line]:
    """Pieces of one column from top to bottom, those on one row joined from left to right."""
    rows: list[list[Line]] = []
    tallest: Box = (0.0, 0.0, 0.0, 0.0)
    for piece in sorted(pieces, key=lambda p: (-_middle(p), p.box[0])):
        if rows and _overlap(tallest, piece.box) > 0.5:
            rows[-1].append(piece)
            tallest = max(tallest, piece.box, key=lambda box: box[3] - box[1])
        else:
            rows.append([piece])
            tallest = piece.box
    return [_joined(sorted(row, key=lambda p: p.box[0])) for row in rows]


def _middle(line: Line) -> float:
    return (line.box[1] + line.box[3]) / 2


def _joined(row: Sequence[Line]) -> Line:
    widest = max(row, key=lambda p: len(p.text))
    if len(row) == 1:
        return widest
    return replace(widest, text=" ".join(p.text for p in row), box=_around(p.box for p in row))
