"""Passages: the sentences, equations, captions and headings that rules are matched on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from schemas.documents import Block, BlockKind, Document
from schemas.language.patterns import LONGEST_PASSAGE
from schemas.language.sentences import sentences

_UNIFIED = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
    | dict.fromkeys("\n\t\u00a0\u2009\u202f", " ")
    | dict.fromkeys("\u2018\u2019", "'")
)


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch ``start:end`` of the document, of at most ``LONGEST_PASSAGE`` characters."""

    index: int
    start: int
    end: int
    text: str
    unified: str
    """``text`` of the same length with one kind of dash, space and apostrophe: patterns match on it."""
    block: int
    kind: BlockKind
    section: int


def unified(text: str) -> str:
    """The text, character for character, with one kind of dash, space and apostrophe.

    >>> unified("decay\u2013time\\nresolution")
    'decay-time resolution'
    """
    return text.translate(_UNIFIED)


def passages(document: Document) -> tuple[Passage, ...]:
    """All passages in order; tables are left out, a longer stretch is cut."""
    found: list[Passage] = []
    for at, block in enumerate(document.blocks):
        for start, end in _spans(block):
            text = document.text[start:end]
            if text.strip():
                found.append(
                    Passage(len(found), start, end, text, unified(text), at, block.kind, block.section)
                )
    return tuple(found)


def _spans(block: Block) -> Iterator[tuple[int, int]]:
    if block.kind is BlockKind.TABLE:
        return
    whole = block.kind in {BlockKind.EQUATION, BlockKind.HEADING, BlockKind.TITLE}
    spans = ((block.start, block.end),) if whole else sentences(block.text, offset=block.start)
    for start, end in spans:
        for cut in range(start, end, LONGEST_PASSAGE):
            yield cut, min(cut + LONGEST_PASSAGE, end)
