"""Cuts a document into passages for retrieval and citation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from schemas.documents import Block, BlockKind, Chunk, Document
from schemas.errors import UsageError
from schemas.ids import content_hash
from schemas.language.sentences import sentences

DEFAULT_LIMIT: Final = 1_200
"""Code points: about 300 tokens, within the window of the common small embedders (512 tokens)."""


def chunk_document(document: Document, *, limit: int = DEFAULT_LIMIT) -> tuple[Chunk, ...]:
    """Passages in text order: whole blocks of one section while they fit into ``limit`` code points.

    A longer block is cut at sentence ends (a table at row ends), a longer sentence at a space, and a
    longer word inside. A heading goes with what follows it in its section. Every block but a heading
    without text under it is covered; ``document.text[c.start:c.end] == c.text``.

    Raises ``UsageError`` for a limit below 1.
    """
    if limit < 1:
        raise UsageError(f"expected a limit of at least 1 character, found {limit}")
    version = document.version
    return tuple(
        Chunk(
            id=content_hash(document.key, version, start, end),
            document=document.key,
            section=section,
            order=order,
            start=start,
            end=end,
            text=document.text[start:end],
        )
        for order, (section, start, end) in enumerate(_spans(document, limit))
    )


def _spans(document: Document, limit: int) -> Iterator[tuple[int, int, int]]:
    """(section, start, end) of each chunk."""
    section, start, end, has_text = -1, 0, 0, False
    for block in document.blocks:
        for piece_start, piece_end in _pieces(block, limit):
            if block.section == section and piece_end - start <= limit and end > start:
                end, has_text = piece_end, has_text or block.kind is not BlockKind.HEADING
                continue
            if has_text:
                yield section, start, end
            section, start, end = block.section, piece_start, piece_end
            has_text = block.kind is not BlockKind.HEADING
    if has_text:
        yield section, start, end


def _pieces(block: Block, limit: int) -> Iterator[tuple[int, int]]:
    """The block whole, or its sentences where it is too long."""
    if block.end - block.start <= limit:
        yield block.start, block.end
        return
    for first, end in sentences(block.text, offset=block.start):
        at = first
        while end - at > limit:
            cut = _space_before(block.text, at - block.start, limit) + block.start
            yield at, cut
            blanks = block.text[cut - block.start : end - block.start]
            at = cut + len(blanks) - len(blanks.lstrip())
        yield at, end


def _space_before(text: str, start: int, limit: int) -> int:
    cut = text.rfind(" ", start + 1, start + limit + 1)
    return cut if cut > start else start + limit
