"""Tables of results: values with errors whose row or column names an observable, a decay or a particle."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from extraction.observables import ObservableMention, decays_in, find_observables, particle_name
from extraction.passages import unified
from extraction.rules_compile import Measuring
from extraction.rules_errors import named_by
from extraction.rules_measure import values_of
from extraction.rules_state import Determined, Reading
from extraction.rules_tables import caption_of, unit_of
from schemas.documents import Block, Cell
from schemas.language.quantities import Quantity, find_quantities
from schemas.model import AttributeValue

_VALUE_HEAD = re.compile(
    r"\W*(?:(?:central|measured|fitted) )?(?:values?|results?|measurements?)\b", re.IGNORECASE
)
_OTHERS_HEAD = re.compile(
    r"\b(?:PDG|world|average|HFLAV|predict|theory|SM|standard model|previous|known|expect|yield|signif|correl"
    r"|efficienc|generated|input|difference|pull|ratio to|refs?\b|candidates|events)",
    re.IGNORECASE,
)
_OTHERS_ROW = re.compile(
    r"\W*(?:PDG|HFLAV|HFAG|world[- ]average|previous"
    r"|BaBar|Belle|CDF|CLEO|BES(?:III?)?|ATLAS|CMS|ALICE|DELPHI|OPAL)\b",
    re.IGNORECASE,
)
_UNIT_HEAD = re.compile(r"\W*units?\W*", re.IGNORECASE)
_ERROR_HEADS = {
    "stat": re.compile(r"\bstat", re.IGNORECASE),
    "syst": re.compile(r"^(?!.*(?:internal|external)).*\bsyst", re.IGNORECASE),
}
_GENERIC = re.compile(
    r"(?:\b(?:values?|results?|measured|measurements?|observables?|quantit(?:y|ies)|parameters?|fitted|decays?"
    r"|modes?|channels?|uncertaint(?:y|ies)|in|units?|of)\b|[\W\d_]|MeV|GeV|TeV|ps|fs|pb|nb|mb|fb|%)*",
    re.IGNORECASE,
)
_SLOT = re.compile(r"\{(\w+)\}")
_WORDS = re.compile(r"[^\W\d_]{4,} [^\W\d_]{3,} [^\W\d_]{3,}")
_LONGEST_LABEL = 120


@dataclass(frozen=True, slots=True)
class _Table:
    measuring: Measuring
    block: Block
    caption: Block | None
    kinds: tuple[ObservableMention, ...]
    """What the caption names without saying of what: one kind, or none."""

    def above(self, number: int) -> tuple[Cell, ...]:
        """The header cells of a column that say something."""
        return tuple(
            c
            for c in self.block.cells
            if c.header and c.text.strip() and c.column <= number < c.column + max(1, c.span)
        )


@dataclass(frozen=True, slots=True)
class _Named:
    mention: ObservableMention
    cell: Cell
    condition: str
    by_caption: bool = False


def read_results(reading: Reading) -> None:
    """All tables that a measurement rule takes for results; needs the document's own record."""
    blocks = reading.document.blocks
    for measuring in reading.rules.measurements:
        for at, block in enumerate(blocks):
            if not block.cells or not reading.paper or measuring.tables is None:
                continue
            caption = caption_of(blocks, at)
            head = " | ".join(c.text for c in block.cells if c.header)
            if _is_of_results(measuring, caption.text if caption else "", head):
                kinds = _kinds(reading, measuring, caption.text) if caption else ()
                _read(reading, _Table(measuring, block, caption, kinds))


def _is_of_results(measuring: Measuring, caption: str, head: str) -> bool:
    said = unified(f"{caption} | {head}")
    if measuring.tables is None or not measuring.tables.search(said):
        return False
    return measuring.exclude_tables is None or not measuring.exclude_tables.search(unified(caption))


def _kinds(reading: Reading, measuring: Measuring, text: str) -> tuple[ObservableMention, ...]:
    found = {m.template: m for m in find_observables(text, reading.terms(measuring))}
    return tuple(found.values()) if len(found) == 1 else ()


def _read(reading: Reading, table: _Table) -> None:
    rows: dict[int, list[Cell]] = {}
    for cell in table.block.cells:
        if not cell.header:
            rows.setdefault(cell.row, []).append(cell)
    for cells in rows.values():
        label = cells[0]
        if label.column or len(label.text) > _LONGEST_LABEL or not label.text.strip():
            continue
        if _OTHERS_ROW.match(unified(label.text)):
            reading.reject("not_own_result", "the row is headed as another's result", label.text)
            continue
        for cell, quantity, errors in _values(table, cells[1:]):
            named = _observable(reading, table, label, cell)
            if named is not None:
                _determine(reading, table, named, (cells, cell), {**values_of(quantity), **errors})


def _values(
    table: _Table, cells: Sequence[Cell]
) -> Iterator[tuple[Cell, Quantity, Mapping[str, AttributeValue]]]:
    """Cells with a value and its errors, in the cell itself or in columns of errors."""
    for cell in cells:
        heads = [unified(c.text) for c in table.above(cell.column)]
        quantities = find_quantities(cell.text)
        if len(quantities) != 1 or any(_OTHERS_HEAD.search(h) for h in heads):
            continue
        quantity = named_by(quantities[0], unified(table.caption.text) if table.caption else "")
        if quantity.errors or (quantity.limit and quantity.confidence_level is not None):
            yield cell, quantity, {}
        elif not quantity.limit and any(_VALUE_HEAD.match(h) for h in heads):
            errors = _errors(table, cells)
            if errors:
                yield cell, quantity, errors


def _errors(table: _Table, cells: Sequence[Cell]) -> dict[str, AttributeValue]:
    found: dict[str, AttributeValue] = {}
    for cell in cells:
        heads = " ".join(unified(c.text) for c in table.above(cell.column))
        for label, pattern in _ERROR_HEADS.items():
            sizes = re.findall(r"\d+(?:\.\d+)?", cell.text)
            if not pattern.search(heads) or f"{label}_plus" in found or not 1 <= len(sizes) <= 2:
                continue
            minus_first = cell.text.lstrip().startswith(("_", "-", "\u2212"))
            plus, minus = (sizes[-1], sizes[0]) if minus_first else (sizes[0], sizes[-1])
            found[f"{label}_plus"], found[f"{label}_minus"] = float(plus), float(minus)
    return found


def _observable(reading: Reading, table: _Table, label: Cell, value: Cell) -> _Named | None:
    heads = table.above(value.column)
    terms = reading.terms(table.measuring)
    for cell in (label, *reversed(heads)):
        complete = [m for m in find_observables(cell.text, terms) if m.name and (m.sure or cell is label)]
        if len({m.name for m in complete}) == 1 and not _WORDS.search(cell.text):
            others = heads if cell is label else (label,)
            return _Named(complete[0], cell, _condition(others))
    for kind_cell, about in ((h, label) for h in reversed(heads)):
        kinds = {m.template: m for m in find_observables(kind_cell.text, terms)}
        if len(kinds) == 1:
            made = _filled(next(iter(kinds.values())), about.text)
            if made is not None:
                return _Named(made, about, _condition([h for h in heads if h is not kind_cell]))
    for kind in table.kinds:
        for cell in (label, *reversed(heads)):
            made = _filled(kind, cell.text)
            if made is not None:
                return _Named(made, cell, _condition(heads if cell is label else (label,)), by_caption=True)
    return None


def _filled(kind: ObservableMention, text: str) -> ObservableMention | None:
    """The kind with the only decay or the particle that a cell names."""
    slots = _SLOT.findall(kind.template)
    if len(slots) != 1:
        return None
    decays = {d.name for _, _, d in decays_in(text)}
    written = particle_name(text.strip())
    if slots == ["decay"]:
        worded = written if "(" not in kind.template else ""
        name = decays.pop() if len(decays) == 1 else worded
        return replace(kind, name=_SLOT.sub(lambda _: name, kind.template), sure=True) if name else None
    if slots == ["particle"] and written:
        attributes = {**kind.attributes, "particle": written}
        named = _SLOT.sub(lambda _: written, kind.template)
        return replace(kind, name=named, particle=written, attributes=attributes, sure=True)
    return None


def _unit_cell(table: _Table, row: Sequence[Cell]) -> str:
    """What a column headed "Unit" says of a row."""
    for cell in row:
        if any(_UNIT_HEAD.fullmatch(c.text) for c in table.above(cell.column)):
            return unit_of(f"[{cell.text.strip()}]", "")
    return ""


def _condition(cells: Sequence[Cell]) -> str:
    """What else the row or column says: a bin, a sample."""
    said = dict.fromkeys(" ".join(c.text.split()) for c in cells)
    return " / ".join(s for s in said if not _GENERIC.fullmatch(s) or re.search(r"\d", s))


def _determine(
    reading: Reading,
    table: _Table,
    named: _Named,
    place: tuple[Sequence[Cell], Cell],
    attributes: Mapping[str, AttributeValue],
) -> None:
    rule, mention = table.measuring.rule, named.mention
    row, value = place
    known = reading.same.get(mention.name)
    name = known.name if known else mention.name
    ref = reading.record(
        reading.schema.relation(rule.relation).objects[0],
        name,
        span=(named.cell.start, named.cell.end),
        attributes=mention.attributes,
        confidence=0.8,
    )
    heads = table.above(value.column)
    said = " / ".join(c.text for c in heads)
    caption = table.caption.text if table.caption else ""
    unit = _unit_cell(table, row) or unit_of(row[0].text, "") or unit_of(said, caption)
    extra: dict[str, AttributeValue] = {"unit": unit} if unit and "unit" not in attributes else {}
    if rule.condition and named.condition:
        extra[rule.condition] = named.condition
    spans = [(c.start, c.end) for c in heads]
    if table.caption is not None and named.by_caption:
        spans.append((table.caption.start, table.caption.end))
    spans.append((row[0].start, max(c.end for c in row)))
    reading.statement(
        (reading.paper, ref),
        rule.relation,
        spans=tuple(spans),
        attributes={**attributes, **extra},
        place=str(value.column),
        confidence=0.75,
    )
    reading.determined.append(Determined(ref, name, mention.template, mention.particle, -1))
