"""Uncertainty-table rules: rows "source, magnitude ..." make sources affect observables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from extraction.known_terms import known_term, term_within
from extraction.observables import decays_in, find_observables, particle_name
from extraction.passages import unified
from extraction.rules_compile import Tabular
from extraction.rules_lead_in import lead_in
from extraction.rules_state import Reading
from extraction.rules_terms import Terms
from schemas.documents import Block, BlockKind, Cell
from schemas.language.quantities import Quantity, find_quantities
from schemas.language.units import UNIT, canonical_unit
from schemas.model import AttributeValue

_POWER = r"10\s?\^?\s?\{?[-\u2212]\d{1,2}\}?"
_IN_UNITS = re.compile(
    rf"in\s(?:units\sof\s)?(?P<unit>%|per\s?cent|{_POWER}|{UNIT})"
    rf"|[\[(]\s?(?P<bracketed>%|per\s?cent|{_POWER}|(?:{UNIT})(?=\s?[\]),;]))",
    re.IGNORECASE,
)
EMPTY = re.compile(r"[\s\-\u2013\u2014\u2212.*]*|n/?a", re.IGNORECASE)
RANGE = re.compile(r"\d\s?[-\u2013\u2212]\s?\d")
SMALL = re.compile(r"negligible|neglected", re.IGNORECASE)
_QUANTITY_HEAD = re.compile(r"\s*(?:observable|quantity|parameter|resonance|component)s?\b", re.IGNORECASE)
_ERROR_HEAD = re.compile(r"σ_|\\sigma_|\b(?:stat|syst)\b", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"\s*[\[(][^\[\]()]{0,30}[\])]")
_BRACKETED = re.compile(r"\s[\[(][^\[\]()]{0,30}[\])](?=\s)")
_NAME = re.compile(r"(?=.*[^\W\d_].*[^\W\d_\s]|.*[^\W\d_]\}?[_^(|])[^\W\d_|(\\]")
"""A letter first, and more than the one letter."""
_GENERIC_HEAD = re.compile(
    r"(?:\b(?:relative|absolute|total|systematic|estimated|fractional|size|of|the|value|magnitude|effect|impact"
    r"|uncertaint(?:y|ies)|errors?|contributions?|variation|shift|change|sources?|per|cent|in|and)\b|\W)*",
    re.IGNORECASE,
)
"""Heads that say what the numbers are, not what they are about."""
_ABOUT = re.compile(
    r"(?:uncertaint(?:y|ies)|errors?)\b[^.;:]{0,60}?\b(?:on|of|for|in|to|affecting) (?:the |our )?"
    r"(?:(?:measurements?|determination|values?) of )?(?:the )?(?P<what>[^.;:(]{3,80}?)"
    r"(?=[.;:(,]| (?:in|for|from|with|after|at|as|using|are|is|and) |$)",
    re.IGNORECASE | re.DOTALL,
)
_SYMBOL = re.compile(r"[^\W\d_]\}?_")
_MATRIX = re.compile(
    r"\W*(?:\w+\W+){0,4}?(?:correlation|covariance)s?\W+(?:matri|coefficient|factor)", re.IGNORECASE
)
"""How the caption of a table begins whose rows and columns are the same quantities."""
NOT_A_VALUE = re.compile(r"comment|correlat|remark|reference|note", re.IGNORECASE)


_LEAST_KNOWN = 2
"""Heads that must be known sources for a table to list its sources in columns."""


@dataclass(frozen=True, slots=True)
class Column:
    """What the entries of one column have in common."""

    number: int
    header: str
    target: str
    """Ref of the observable, or an empty string."""
    confidence: float
    unit: str
    spans: tuple[tuple[int, int], ...]
    """Of its header cells."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One size of one source."""

    source: str
    column: Column
    span: tuple[int, int]
    text: str
    quantity: Quantity | None


@dataclass(frozen=True, slots=True)
class _Row:
    label: Cell
    values: tuple[Cell, ...]
    span: tuple[int, int]


def read_tables(reading: Reading) -> None:
    """All tables with sources in rows whose caption or header carries a cue of the rule."""
    for tabular, block, caption in uncertainty_tables(reading):
        if not source_heads(reading, tabular, block):
            _read_table(reading, tabular, block, caption)


def uncertainty_tables(reading: Reading) -> Iterator[tuple[Tabular, Block, Block | None]]:
    """Each table, with its caption or what stands for it, where that or the header has a cue of a rule."""
    blocks = reading.document.blocks
    for tabular in reading.rules.tables:
        for at, block in enumerate(blocks):
            caption = caption_of(blocks, at) or lead_in(reading, tabular, at) if block.cells else None
            header = " | ".join(c.text for c in block.cells if c.header)
            said = f"{caption.text if caption else ''} {header}"
            if caption is not None and _MATRIX.match(caption.text):
                continue
            if block.cells and (tabular.cues is None or tabular.cues.search(unified(said))):
                yield tabular, block, caption


def source_heads(reading: Reading, tabular: Tabular, block: Block) -> tuple[Cell, ...]:
    """The heads of the lowest header row that are sources, where two or more are known terms; else none.

    Totals and statistical columns are left out.
    """
    lowest = max((c.row for c in block.cells if c.header), default=-1)
    heads = [c for c in block.cells if c.row == lowest and c.column and c.text.strip()]
    known = [c for c in heads if term_within(reading, tabular.rule.source_type, c.text)]
    labels = [c for c in block.cells if not c.header and not c.column and c.text.strip()]
    rows = [c for c in labels if term_within(reading, tabular.rule.source_type, c.text)]
    if not tabular.rule.columns or len(known) < _LEAST_KNOWN or len(rows) >= len(known):
        return ()
    return tuple(
        c
        for c in heads
        if re.search(r"[^\W\d_]{2}", c.text) and not (tabular.skip and tabular.skip.search(unified(c.text)))
    )


def caption_of(blocks: Sequence[Block], at: int) -> Block | None:
    """The caption beside the table that is block ``at``; None without one."""
    for near in (at - 1, at + 1):
        if 0 <= near < len(blocks) and blocks[near].kind is BlockKind.CAPTION:
            return blocks[near]
    return None


def _read_table(reading: Reading, tabular: Tabular, block: Block, caption: Block | None) -> None:
    if _lists_sources_in_columns(block):
        said = "expected sources in rows, found observables there; such tables are not read"
        reading.reject("sources_in_columns", said, caption.text if caption else block.text)
        return
    headers = {" ".join(c.text.split()) for c in block.cells if c.header}
    rows = [r for r in _rows(reading.document.text, block) if _is_source(tabular, r, headers)]
    if not rows:
        return
    numbers = sorted({c.column for row in rows for c in row.values})
    columns = [_column(reading, tabular, block, caption, number) for number in numbers]
    entries = [entry for row in rows for entry in _entries(reading, tabular, row, columns)]
    for column in columns:
        mine = [e for e in entries if e.column is column]
        for entry, rank in zip(mine, ranks(mine), strict=True):
            affect(reading, tabular, entry, rank)


def _rows(text: str, block: Block) -> Iterator[_Row]:
    by_row: dict[int, list[Cell]] = {}
    headers = {c.row for c in block.cells if c.header} or {0}
    for cell in block.cells:
        if cell.row not in headers:
            by_row.setdefault(cell.row, []).append(cell)
    heading = ""
    for cells in by_row.values():
        label, values = cells[0], [c for c in cells[1:] if c.text.strip()]
        if not values:
            heading = label.text
        elif label.column == 0 and not NOT_A_VALUE.search(heading):
            end = max(c.end for c in cells)
            while end > label.start and text[end - 1].isspace():
                end -= 1
            yield _Row(label, tuple(values), (label.start, end))


def _lists_sources_in_columns(block: Block) -> bool:
    """Whether the first column is headed as the quantities and the other heads are errors."""
    heads = [c.text for c in block.cells if c.header and c.text.strip()]
    quantities = any(_QUANTITY_HEAD.match(c.text) for c in block.cells if c.header and c.column == 0)
    return quantities and sum(_ERROR_HEAD.search(h) is not None for h in heads) >= 2


def _is_source(tabular: Tabular, row: _Row, headers: Set[str]) -> bool:
    """A row headed by words, or by a symbol that is no column's; not a total."""
    label = " ".join(row.label.text.split())
    symbol = _SYMBOL.search(label) is not None and label not in headers
    if not (symbol or re.search(r"[^\W\d_]{2}", label)) or find_quantities(label[:1]):
        return False
    return not (tabular.skip and tabular.skip.search(unified(label)))


def _column(reading: Reading, tabular: Tabular, block: Block, caption: Block | None, number: int) -> Column:
    above = [c for c in block.cells if c.header and c.column <= number < c.column + max(1, c.span)]
    texts = [c.text.strip() for c in above if c.text.strip()]
    header = " / ".join(dict.fromkeys(texts))
    target, confidence = target_of(reading, tabular, header, caption, above)
    unit = unit_of(header, caption.text if caption else "")
    spans = tuple((c.start, c.end) for c in above if c.text.strip())
    return Column(number, header, target, confidence, unit, spans)


def unit_of(header: str, caption: str) -> str:
    """The unit or power of ten that a column's head, else the caption gives its numbers.

    >>> unit_of("Value [10^{-4}]", ""), unit_of("Width", "Widths in MeV.")
    ('10^-4', 'MeV')
    """
    said = _IN_UNITS.search(header) or _IN_UNITS.search(caption)
    if said is None:
        return ""
    unit = said["unit"] or said["bracketed"]
    if "10" in unit:
        return re.sub(r"[\s{}]", "", unit).lower()
    return "%" if unit.lower().startswith(("%", "per")) else canonical_unit(unit)


def target_of(
    reading: Reading, tabular: Tabular, header: str, caption: Block | None, cells: Sequence[Cell]
) -> tuple[str, float]:
    """The observable that a column is about: by its header, else the caption, else the document's first."""
    terms = Terms.joined([reading.terms(measuring) for measuring in reading.rules.measurements])
    for cell in reversed(cells):
        found = _named(reading, tabular, cell.text, (cell.start, cell.end), terms)
        found = found or _as_determined(reading, cell.text)
        if found:
            return found, 0.85
    written = _particles(header)
    for determined in reading.determined:
        if determined.particle and determined.particle in written:
            return determined.ref, 0.6
    decays = {d.name for c in cells for _, _, d in decays_in(c.text)}
    if decays:
        return _of_decay(reading, decays, caption, terms)
    if caption is not None:
        found = _named(reading, tabular, caption.text, (caption.start, caption.end), terms)
        if found:
            return found, 0.75
    if reading.determined:
        return reading.determined[0].ref, 0.4
    return _target_as_written(reading, tabular, caption, cells)


def _as_determined(reading: Reading, head: str) -> str:
    """Ref of the observable that the document determines under just this name; else an empty string."""
    plain = " ".join(head.split())
    names = {plain, _IN_BRACKETS.sub("", plain).strip(" :,")}
    return next((d.ref for d in reading.determined if d.name in names), "")


def _of_decay(reading: Reading, decays: Set[str], caption: Block | None, terms: Terms) -> tuple[str, float]:
    """The document's only observable of a column's only decay, of the caption's kind where it says one."""
    if len(decays) != 1:
        return "", 0.0
    [decay] = decays
    kinds = {m.template for m in find_observables(caption.text, terms)} if caption is not None else set()
    own = {d.ref for d in reading.determined if decay in d.name and (d.term in kinds or not kinds)}
    return (own.pop(), 0.6) if len(own) == 1 else ("", 0.0)


def _target_as_written(
    reading: Reading, tabular: Tabular, caption: Block | None, cells: Sequence[Cell]
) -> tuple[str, float]:
    """An observable under the name that the column's head gives it, else what the caption speaks of."""
    for cell in reversed(cells):
        name = _IN_BRACKETS.sub("", " ".join(cell.text.split())).strip(" :,")
        if _NAME.match(name) and not _GENERIC_HEAD.fullmatch(name):
            return reading.record(
                tabular.rule.target_type, name, span=(cell.start, cell.end), confidence=0.5
            ), 0.5
    said = _ABOUT.search(_BRACKETED.sub(_blank, caption.text)) if caption is not None else None
    if said is None or caption is None:
        return "", 0.0
    span = (caption.start + said.start("what"), caption.start + said.end("what"))
    name = " ".join(said["what"].split())
    if not _NAME.match(name):
        return "", 0.0
    return reading.record(tabular.rule.target_type, name, span=span, confidence=0.4), 0.4


def _blank(found: re.Match[str]) -> str:
    return " " * len(found.group())


def _named(reading: Reading, tabular: Tabular, text: str, span: tuple[int, int], terms: Terms) -> str:
    for mention in find_observables(text, terms):
        same = [d for d in reading.determined if d.term == mention.template]
        if mention.name:
            place = (span[0] + mention.start, span[0] + mention.end)
            return reading.record(
                tabular.rule.target_type,
                mention.name,
                span=place,
                attributes=mention.attributes,
                confidence=0.8,
            )
        if len({d.name for d in same}) == 1:
            return same[0].ref
    return ""


def _particles(header: str) -> set[str]:
    pieces = re.findall(r"\{([^{}]{1,20}(?:\{[^{}]{1,10}\})?[^{}]{0,10})\}", header) + header.split()
    return {name for piece in pieces if (name := particle_name(piece))}


def _entries(reading: Reading, tabular: Tabular, row: _Row, columns: Sequence[Column]) -> Iterator[Entry]:
    name, aliases, attributes = source_named(reading, tabular, row.label.text)
    ref = ""
    for cell in row.values:
        column = next(c for c in columns if c.number == cell.column)
        text = " ".join(cell.text.split())
        if EMPTY.fullmatch(text) or NOT_A_VALUE.search(column.header):
            continue
        quantities = find_quantities(text)
        if (not quantities and not SMALL.search(text)) or is_result(quantities):
            continue
        if not column.target:
            reading.reject("no_target", "no observable is known that the column could be about", name)
            continue
        ref = ref or reading.record(
            tabular.rule.source_type,
            name,
            span=(row.label.start, row.label.end),
            aliases=aliases,
            attributes=attributes,
        )
        plain = len(quantities) == 1 and not quantities[0].limit and not RANGE.search(text)
        yield Entry(ref, column, row.span, text, quantities[0] if plain else None)


def is_result(quantities: Sequence[Quantity]) -> bool:
    """A value with errors of its own, "0.66 ± 0.03": no size of an uncertainty."""
    return any(q.value and q.errors for q in quantities)


def source_named(
    reading: Reading, tabular: Tabular, label: str
) -> tuple[str, tuple[str, ...], dict[str, AttributeValue]]:
    """Name, aliases and attributes: of the known term that the whole label is, else the label as it is."""
    plain = " ".join(label.split()).strip(" :*†‡")
    term = known_term(reading, tabular.rule.source_type, plain)
    if term is not None:
        return term.name, (plain,), dict(term.attributes)
    return plain, (), {}


def ranks(entries: Sequence[Entry]) -> list[int | None]:
    """1 for the largest of one column; equal sizes share a rank; none without a number, or with zero."""
    sizes = [abs(e.quantity.value) if e.quantity else 0.0 for e in entries]
    falling = sorted(sizes, reverse=True)
    return [falling.index(size) + 1 if size else None for size in sizes]


def affect(reading: Reading, tabular: Tabular, entry: Entry, rank: int | None) -> None:
    """State that the entry's source affects the observable of its column."""
    column = entry.column
    values: dict[str, AttributeValue] = {"magnitude_text": entry.text, "condition": column.header}
    unit = entry.quantity.unit if entry.quantity and entry.quantity.unit else column.unit
    values["unit"] = unit
    if entry.quantity is not None:
        values["magnitude"] = abs(entry.quantity.value)
    if rank is not None:
        values["ranking"] = rank
    reading.statement(
        (entry.source, column.target),
        tabular.rule.relation,
        spans=(*column.spans, entry.span),
        place=str(column.number),
        attributes={k: v for k, v in values.items() if v != ""},
        confidence=column.confidence,
    )
