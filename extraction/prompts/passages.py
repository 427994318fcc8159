"""Which parts of a document an LLM reads in stage two, and how they are cut to size."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from schemas.documents import Block, BlockKind, Document, Section
from schemas.errors import SchemaError
from schemas.graph_schema import GraphSchema
from schemas.language.expressions import Expression, ExpressionError, expression

SKIPPED_HEADINGS = (
    "^introduction",
    "^acknowledg",
    "^references",
    "^bibliography",
    "detector and (simulation|data)",
)
"""Sections without analysis content: arXiv:2509.06855, appendix D.2.1."""
_SENTENCE_END = re.compile(r"[.;]\s+|\n")
_STAGE_ONE = frozenset({BlockKind.TITLE, BlockKind.ABSTRACT, BlockKind.HEADING})


@dataclass(frozen=True, slots=True)
class Passage:
    """Text for one request; ``text`` names the section before its blocks."""

    text: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Selection:
    """The chosen passages, in document order, and what the limit left out."""

    passages: tuple[Passage, ...]
    left_out: int
    """Characters of matching blocks beyond the limit."""


def select_passages(
    document: Document, schema: GraphSchema, *, limit: int, size: int, overlap: int
) -> Selection:
    """Blocks that matter, at most ``limit`` characters, in passages of about ``size`` characters.

    A block matters when a heading above it matches one of ``schema.passages``; next in rank come tables
    and captions that match, then paragraphs that match. Without such expressions every block matters.
    Where a section is cut, the next passage repeats up to ``overlap`` characters of whole blocks or, from
    a longer block, of whole sentences.
    """
    ranked = sorted(_ranked(document, schema), key=lambda item: item[0])
    chosen: list[int] = []
    left_out = used = 0
    for _, index in ranked:
        length = len(document.blocks[index].text)
        if used + length > limit:
            left_out += length
            continue
        used += length
        chosen.append(index)
    piece_size = max(size - overlap, size // 2)
    blocks = [piece for i in sorted(chosen) for piece in _pieces(document.blocks[i], piece_size)]
    return Selection(tuple(_group(document, blocks, size=size, overlap=overlap)), left_out)


def halve(document: Document, passage: Passage) -> tuple[Passage, Passage] | None:
    """The passage in two, or None when one block cannot be cut further."""
    blocks = list(passage.blocks)
    if len(blocks) == 1:
        blocks = list(_pieces(blocks[0], max(1, len(blocks[0].text) // 2 + 1)))
    if len(blocks) < 2 or len(passage.text) < 200:
        return None
    middle = len(blocks) // 2
    return _passage(document, blocks[:middle]), _passage(document, blocks[middle:])


def heading_path(document: Document, index: int) -> tuple[str, ...]:
    """Titles of the sections from the top down to section ``index``, without the document itself."""
    titles: list[str] = []
    section: Section | None = document.sections[index]
    while section is not None and section.parent is not None:
        titles.insert(0, section.title)
        section = document.sections[section.parent]
    return tuple(titles)


def _ranked(document: Document, schema: GraphSchema) -> Iterator[tuple[int, int]]:
    cue, skipped = _expression(schema.passages, schema), _expression(SKIPPED_HEADINGS, schema)
    for index, block in enumerate(document.blocks):
        titles = heading_path(document, block.section)
        if block.kind in _STAGE_ONE or not block.text.strip() or any(skipped.search(t) for t in titles):
            continue
        if any(cue.search(t) for t in titles):
            yield 0, index
        elif block.kind in {BlockKind.TABLE, BlockKind.CAPTION} and _near(document, index, cue):
            yield 1, index
        elif cue.search(block.text):
            yield 2, index


def _near(document: Document, index: int, cue: Expression) -> bool:
    """Whether the block, or a table or caption next to it in the same section, matches."""
    block = document.blocks[index]
    around = document.blocks[max(0, index - 1) : index + 2]
    kinds = {BlockKind.TABLE, BlockKind.CAPTION}
    return any(cue.search(b.text) for b in around if b.section == block.section and b.kind in kinds)


def _expression(parts: Sequence[str], schema: GraphSchema) -> Expression:
    try:
        return expression("|".join(f"(?:{part})" for part in parts), case_sensitive=False)
    except ExpressionError as e:
        raise SchemaError(f"schema {schema.name}: passages holds no valid expression: {e}") from e


def _pieces(block: Block, size: int) -> Iterator[Block]:
    """The block, or parts of it at ends of sentences or lines, none longer than ``size``."""
    start = 0
    while len(block.text) - start > size:
        cut = start + size
        ends = [m.end() for m in re.finditer(r"[.;]\s|\n|\s", block.text[start + size // 2 : cut])]
        strong = [m.end() for m in re.finditer(r"[.;]\s|\n", block.text[start + size // 2 : cut])]
        if ends:
            cut = start + size // 2 + (strong or ends)[-1]
        yield _part(block, start, cut)
        start = cut
    yield _part(block, start, len(block.text)) if start else block


def _part(block: Block, start: int, end: int) -> Block:
    text = block.text[start:end]
    return Block(
        kind=block.kind, start=block.start + start, end=block.start + end, text=text, section=block.section
    )


def _group(document: Document, blocks: list[Block], *, size: int, overlap: int) -> Iterator[Passage]:
    group: list[Block] = []
    fresh = 0
    for block in blocks:
        if fresh and sum(len(b.text) for b in group) + len(block.text) > size:
            yield _passage(document, group)
            group, fresh = _tail(group, block, min(overlap, size - len(block.text))), 0
        group.append(block)
        fresh += 1
    if fresh:
        yield _passage(document, group)


def _tail(group: list[Block], following: Block, overlap: int) -> list[Block]:
    """The end of ``group``, at most ``overlap`` characters of the section that goes on."""
    tail: list[Block] = []
    room = overlap
    for block in reversed(group):
        if block.section != following.section:
            break
        if len(block.text) > room:
            tail[:0] = _last_sentences(block, room)
            break
        tail.insert(0, block)
        room -= len(block.text)
    return tail


def _last_sentences(block: Block, room: int) -> list[Block]:
    """The sentences or lines at the block's end that fit into ``room`` characters."""
    length = len(block.text)
    starts = (m.end() for m in _SENTENCE_END.finditer(block.text, max(0, length - room - 2)))
    start = next((s for s in starts if length - room <= s < length), None)
    return [] if start is None else [_part(block, start, length)]


def _passage(document: Document, blocks: Sequence[Block]) -> Passage:
    lines: list[str] = []
    section = -1
    for block in blocks:
        if block.section != section:
            section = block.section
            path = heading_path(document, section)
            lines += [f"[section: {' / '.join(path)}]"] if path else []
        lines.append(block.text)
    return Passage("\n\n".join(lines), tuple(blocks))
