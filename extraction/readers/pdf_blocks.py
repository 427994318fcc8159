"""Turns the lines of a PDF into title, sections, paragraphs and captions."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import median
from typing import Final

from extraction.readers.builder import Anchor, DocumentBuilder, Place
from extraction.readers.pdf_layout import Line
from schemas.documents import BlockKind

HEADING_RATIO: Final = 1.08
"""A line in a font this much larger than the body's is a heading."""
MAX_HEADING: Final = 200
"""Longest heading in code points; a longer run in a large font is text."""
LEADING_RATIO: Final = 1.35
"""A distance between lines this much above the usual one ends a paragraph."""
INDENT: Final = 0.8
"""An indent of this many font sizes begins a paragraph."""

_NUMBERED: Final = re.compile(r"((?:\d{1,2}|[A-Z]|[IVX]{1,5})(?:\.\d{1,2}){0,4})[.)]?\s+\S*[^\W\d_]{2}")
_SECTION: Final = re.compile(r"(?:\d{1,2}|[IVX]{1,5}|[A-H])\.\s+(?=\S)")
"""Number of a section that is set in the size of the text: only capitals or centring tell it from a list."""
_SUBSECTION: Final = re.compile(r"(?:\d{1,2}|[A-H])(?:\.\d{1,2}){1,3}\.?\s+(?=[A-Z])")
_COLLABORATION: Final = re.compile(r"(?:the\s+)?\S+\s+collaboration\W*", re.IGNORECASE)
_CAPTION: Final = re.compile(r"(?:fig(?:ure|\.)|tab(?:le|\.))\s*[A-Z]?\d{1,3}[a-z]?\s*[.:|–—]", re.IGNORECASE)
_ABSTRACT: Final = re.compile(r"abstract\W*", re.IGNORECASE)
_ABSTRACT_INLINE: Final = re.compile(r"abstract\s*[.:—–-]", re.IGNORECASE)
_LEFT_OUT: Final = re.compile(
    r"(?:[\dIVX]{1,3}\.?\s+)?(?:references|bibliography|acknowledge?ments?)\W*", re.IGNORECASE
)
_BROKEN: Final = re.compile(r"([^\W\d_]+)-\Z")
_LONGEST_WORD: Final = 80
_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+|[^\W\d_]+")
_ENDS: Final = (".", "!", "?", ":", ";", ".”", ".)")


class BlockWriter:
    """Writes lines into a builder; ``title`` is known afterwards, empty where there is none."""

    def __init__(self, builder: DocumentBuilder, name: str) -> None:
        self.builder, self._name = builder, name
        self.title = ""
        self._skipping = False
        self._in_abstract = False
        self._titling = False
        self._vocabulary: frozenset[str] = frozenset()

    def write(self, pages: Sequence[Sequence[Line]]) -> None:
        """Add every line of the pages, which are in reading order."""
        lines = [line for page in pages for line in page]
        if not lines:
            return
        style = _Style(lines)
        self._vocabulary = frozenset(word.lower() for line in lines for word in _WORD.findall(line.text))
        for group in style.paragraphs(lines):
            self._group(group, style)
        self._finish(lines)

    def _group(self, group: Sequence[Line], style: _Style) -> None:
        text, anchors = self._joined(group)
        place = self._place(group[0])
        titled, self._titling = self._titling, style.is_title(group)
        if self._titling and (titled or not self.title):
            self.title = f"{self.title} {text}".strip()
            self.builder.add(BlockKind.TITLE, text, place, anchors=anchors)
        elif style.is_heading(group):
            self._heading(text, place, style.level(group))
        elif not self._skipping:
            self.builder.add(self._kind(text), text, place, anchors=anchors)

    def _heading(self, text: str, place: Place, level: int) -> None:
        authors = self._skipping and _COLLABORATION.fullmatch(text.strip()) is not None
        self._skipping = authors or _LEFT_OUT.fullmatch(text.strip()) is not None
        self._in_abstract = _ABSTRACT.fullmatch(text.strip()) is not None
        if not self._skipping and not self._in_abstract:
            self.builder.open_section(level, text, place)

    def _kind(self, text: str) -> BlockKind:
        if _CAPTION.match(text):
            return BlockKind.CAPTION
        if self._in_abstract or _ABSTRACT_INLINE.match(text):
            return BlockKind.ABSTRACT
        return BlockKind.PARAGRAPH

    def _finish(self, lines: Sequence[Line]) -> None:
        """A document of headings alone is still read: its lines are the text."""
        if self.builder.is_empty:
            for line in lines:
                self.builder.add(BlockKind.PARAGRAPH, line.text, self._place(line))

    def _joined(self, group: Sequence[Line]) -> tuple[str, list[Anchor]]:
        """Lines as one text, words broken at line ends made whole."""
        text = ""
        anchors: list[Anchor] = []
        for line in group:
            if text:
                text = self._join(text, line.text)
            anchors.append(Anchor(len(text), self._place(line)))
            text += line.text
        return text, anchors

    def _join(self, text: str, following: str) -> str:
        """``text`` as it stands before ``following``.

        A hyphen between small letters goes, unless the document writes the whole word with it elsewhere.
        """
        broken = _BROKEN.search(text[-_LONGEST_WORD:])
        rest = _WORD.match(following)
        if broken is None or rest is None or not following[0].islower():
            return text if broken is not None else f"{text} "
        first = rest.group().split("-")[0]
        whole, hyphenated = f"{broken.group(1)}{first}".lower(), f"{broken.group(1)}-{first}".lower()
        if hyphenated in self._vocabulary and whole not in self._vocabulary:
            return text
        return text[:-1]

    def _place(self, line: Line) -> Place:
        return Place(self._name, line.number, page=line.page, box=line.box)


class _Style:
    """What is usual in a document: size of the body font, distance of lines, sizes of headings."""

    def __init__(self, lines: Sequence[Line]) -> None:
        sizes = Counter[float]()
        for line in lines:
            sizes[line.size] += len(line.text)
        self.body = max(sizes, key=lambda size: (sizes[size], -size))
        gaps = [
            gap
            for a, b in itertools.pairwise(lines)
            if _same_column(a, b) and a.size == self.body == b.size and (gap := _distance(a, b)) > 0
        ]
        self.leading = median(gaps) if gaps else 1.2 * self.body
        self._left, self._right = _edges(lines, 0), _edges(lines, 2)
        large = {line.size for line in lines if self._is_large(line)}
        first = [line.size for line in lines if line.page == lines[0].page and self._is_large(line)]
        self._title_size = max(first, default=0.0)
        opening = list(itertools.takewhile(lambda line: not _ABSTRACT.match(line.text), lines))
        self._bold_title = not first and next((line for line in opening if line.bold), None)
        self._sizes = sorted(large - {self._title_size}, reverse=True) or sorted(large)

    def _is_large(self, line: Line) -> bool:
        return line.size >= HEADING_RATIO * self.body and any(map(str.isalpha, line.text))

    def is_title(self, group: Sequence[Line]) -> bool:
        """Whether this is the largest print of the first page, or where none is large the first bold one."""
        first = group[0]
        if self._bold_title and first == self._bold_title:
            return len(group) > 1 or len(first.text.split()) > 2
        return first.size == self._title_size and self._is_large(first) and first.page == 1

    def is_heading(self, group: Sequence[Line]) -> bool:
        """Whether a group is set apart by size, or is bold and numbered or short."""
        text = " ".join(line.text for line in group)
        if len(text) > MAX_HEADING or not any(map(str.isalpha, text)) or _CAPTION.match(text):
            return False
        if all(self._is_large(line) for line in group):
            return True
        known = _ABSTRACT.fullmatch(text) or _LEFT_OUT.fullmatch(text)
        if self.is_plain_heading(group[0]) and len(group) <= 3 and not text.endswith((".", ";", ":")):
            return True
        bold = all(line.bold for line in group) and len(group) <= 2 and group[0].size >= 0.95 * self.body
        return bool(known) or (bold and not text.endswith(_ENDS))

    def is_plain_heading(self, line: Line) -> bool:
        """Whether a line of the text's size has a section's number, and capitals or is centred."""
        if line.size > 1.06 * self.body or line.size < 0.85 * self.body or _CAPTION.match(line.text):
            return False
        number = _SECTION.match(line.text)
        if number is not None:
            title = line.text[number.end() :]
            letters = [c for c in title if c.isalpha()]
            capitals = len(letters) >= 4 and sum(c.isupper() for c in letters) >= 0.8 * len(letters)
            lettered = number.group()[0] in "ABCDEFGH"
            return capitals and (line.page > 1 or not lettered)
        return _SUBSECTION.match(line.text) is not None and self._is_centred(line)

    def _is_centred(self, line: Line) -> bool:
        left = line.box[0] - self._left.get((line.page, line.column), line.box[0])
        right = self._right.get((line.page, line.column), line.box[2]) - line.box[2]
        return min(left, right) > -line.size and abs(left - right) < 2 * line.size

    def level(self, group: Sequence[Line]) -> int:
        """Depth by number (``2.1`` is 2), else by size."""
        numbered = _NUMBERED.match(" ".join(line.text for line in group))
        if numbered is not None:
            return 1 + numbered.group(1).count(".")
        size = group[0].size
        return self._sizes.index(size) + 1 if size in self._sizes else len(self._sizes) + 1

    def paragraphs(self, lines: Iterable[Line]) -> Iterable[list[Line]]:
        """Lines grouped; a paragraph goes on over a column or page when its sentence does."""
        group: list[Line] = []
        for line in lines:
            if group and self._begins(group, line):
                yield group
                group = []
            group.append(line)
        if group:
            yield group

    def _begins(self, group: Sequence[Line], line: Line) -> bool:
        before = group[-1]
        if _CAPTION.match(line.text) or abs(line.size - before.size) > 0.06 * self.body:
            return True
        if line.bold != before.bold and (line.bold or len(group) <= 2):
            return not (before.text.endswith("-") or line.text[:1].islower())
        if not _same_column(before, line):
            ended = before.text.rstrip().endswith(_ENDS) or self._is_large(line)
            return ended or not line.text[:1].islower() or _CAPTION.match(group[0].text) is not None
        if self.is_plain_heading(line) and _distance(before, line) > 1.1 * self.leading:
            return True
        if self.is_plain_heading(group[0]) and len(group) <= 2:
            return not self._is_centred(line) or _distance(before, line) > 1.1 * self.leading
        usual = self.leading * max(1.0, line.size / self.body)
        if _distance(before, line) > LEADING_RATIO * usual:
            return True
        edge = self._left.get((line.page, line.column), line.box[0])
        indented = line.box[0] - edge > INDENT * line.size and before.box[0] - edge < INDENT * line.size
        return indented and before.text.rstrip().endswith(_ENDS)


def _same_column(a: Line, b: Line) -> bool:
    return a.page == b.page and a.column == b.column and _distance(a, b) > 0


def _distance(a: Line, b: Line) -> float:
    """From baseline to baseline, downwards, in points."""
    return a.box[1] - b.box[1]


def _edges(lines: Iterable[Line], side: int) -> dict[tuple[int, int], float]:
    """The commonest left (``side`` 0) or right edge (2) of each column of each page."""
    found: dict[tuple[int, int], Counter[int]] = {}
    for line in lines:
        found.setdefault((line.page, line.column), Counter())[round(line.box[side])] += 1
    return {column: float(max(edges, key=lambda x: (edges[x], -x))) for column, edges in found.items()}
