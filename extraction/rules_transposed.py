"""Uncertainty tables with the sources in columns: a row is an observable, or a bin of one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from extraction.passages import unified
from extraction.rules_compile import Tabular
from extraction.rules_state import Reading
from extraction.rules_tables import (
    EMPTY,
    RANGE,
    SMALL,
    Column,
    Entry,
    affect,
    is_result,
    ranks,
    source_heads,
    source_named,
    target_of,
    uncertainty_tables,
    unit_of,
)
from schemas.documents import Block, Cell
from schemas.language.quantities import find_quantities


def read_transposed(reading: Reading) -> None:
    """All tables whose lowest header row names two known sources or more."""
    for tabular, block, caption in uncertainty_tables(reading):
        heads = source_heads(reading, tabular, block)
        rows: dict[int, list[Cell]] = {}
        for cell in block.cells:
            if heads and not cell.header:
                rows.setdefault(cell.row, []).append(cell)
        for cells in rows.values():
            label = cells[0]
            if label.column or not label.text.strip() or _is_total(tabular, label):
                continue
            mine = list(_entries(reading, tabular, (block, caption), (cells, heads)))
            for entry, rank in zip(mine, ranks(mine), strict=True):
                affect(reading, tabular, entry, rank)


def _is_total(tabular: Tabular, label: Cell) -> bool:
    return tabular.skip is not None and tabular.skip.search(unified(label.text)) is not None


def _entries(
    reading: Reading,
    tabular: Tabular,
    table: tuple[Block, Block | None],
    place: tuple[Sequence[Cell], Sequence[Cell]],
) -> Iterator[Entry]:
    """The sizes of one row, each with the source of its column."""
    caption = table[1]
    cells, heads = place
    label = cells[0]
    target, confidence = target_of(reading, tabular, label.text, caption, [label])
    if not target:
        reading.reject("no_target", "no observable is known that the row could be about", label.text)
        return
    span = (label.start, max(c.end for c in cells if c.text.strip()))
    for cell in cells[1:]:
        head = next((h for h in heads if h.column <= cell.column < h.column + max(1, h.span)), None)
        text = " ".join(cell.text.split())
        quantities = find_quantities(text)
        sized = bool(quantities) or SMALL.search(text) is not None
        if head is None or EMPTY.fullmatch(text) or not sized or is_result(quantities):
            continue
        name, aliases, attributes = source_named(reading, tabular, _without_unit(head.text))
        source = reading.record(
            tabular.rule.source_type,
            name,
            span=(head.start, head.end),
            aliases=aliases,
            attributes=attributes,
        )
        plain = len(quantities) == 1 and not quantities[0].limit and not RANGE.search(text)
        column = Column(
            number=cell.column,
            header=" ".join(label.text.split()),
            target=target,
            confidence=confidence,
            unit=unit_of(head.text, caption.text if caption else ""),
            spans=((head.start, head.end),),
        )
        yield Entry(source, column, span, text, quantities[0] if plain else None)


def _without_unit(head: str) -> str:
    return re.sub(r"\s*[\[(][^\[\]()]{0,20}[\])]\s*$", "", head)
