"""Whether the rows of an answer are the answer that SQL gives, whatever their columns and order."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from benchmarks.pdg_gold import Gold, Kind
from schemas.graphs import CanonicalGraph
from schemas.questions import Answer, Outcome, Value

Rows = tuple[tuple[Value, ...], ...]

ABSTAINED = frozenset({Outcome.UNANSWERABLE, Outcome.REFUSED, Outcome.AMBIGUOUS})
BROKEN = frozenset({Outcome.FAILED, Outcome.TIMEOUT})
_TOLERANCE = 1e-3
"""Relative; averages are printed with four to six digits."""
_PRINTED = re.compile(r"^\(?\s*([+-]?\d+\.?\d*(?:[eE][+-]?\d+)?)[^E]*(?:E\s?([+-]?\d+))?")


class Verdict(StrEnum):
    """How one question went."""

    EXACT = "exact"
    WRONG = "wrong answer"
    ABSTAINED = "not answered"
    BROKEN = "failed or timed out"


@dataclass(frozen=True, slots=True)
class Names:
    """What a cell may stand for: keys of papers, quantities and decay modes by each of their names."""

    keys: Mapping[Kind, Mapping[str, frozenset[str]]] = field(default_factory=dict)

    @classmethod
    def of(cls, graph: CanonicalGraph) -> Names:
        """Names of the entities of a graph of the PDG listings, with the keys of all their records."""
        records = {r.id: r for r in graph.records}
        keys: dict[Kind, dict[str, frozenset[str]]] = {k: {} for k in _KEYS}
        for entity in graph.entities:
            kind = _TYPES.get(entity.type)
            if kind is None:
                continue
            own: set[str] = set()
            names = {entity.name}
            for record in (records[i] for i in entity.records):
                own |= {f"{form}{v}" for name, form in _KEYS[kind] if (v := record.attributes.get(name))}
                names |= {str(v) for name, _ in _KEYS[kind] if (v := record.attributes.get(name))}
            for name in names:
                keys[kind][name] = keys[kind].get(name, frozenset()) | own
        return cls(keys)

    def keys_in(self, kind: Kind, row: Iterable[Value]) -> frozenset[str]:
        """Keys of the first cell that names something of the kind; empty where none does."""
        known = self.keys[kind]
        return next((known[cell] for cell in row if isinstance(cell, str) and cell in known), frozenset())


_TYPES = {"paper": Kind.PAPERS, "observable": Kind.OBSERVABLES, "decay": Kind.DECAYS}
_KEYS: Mapping[Kind, tuple[tuple[str, str], ...]] = {
    Kind.PAPERS: (("inspire_id", "inspire:"), ("document_id", "short:")),
    Kind.OBSERVABLES: (("pdgid", ""),),
    Kind.DECAYS: (("pdgid", ""),),
}


def judge(answer: Answer, gold: Gold, names: Names) -> Verdict:
    """The verdict on an answer. An empty result is right just where SQL finds nothing, or for a "no"."""
    if answer.outcome in BROKEN:
        return Verdict.BROKEN
    if gold.kind is Kind.NONE:
        return Verdict.EXACT if answer.outcome in ABSTAINED - {Outcome.AMBIGUOUS} else Verdict.WRONG
    if answer.outcome in ABSTAINED:
        return Verdict.ABSTAINED
    if answer.truncated:
        return Verdict.WRONG
    return Verdict.EXACT if agrees(answer.rows, gold, names) else Verdict.WRONG


def agrees(rows: Rows, gold: Gold, names: Names) -> bool:
    """Whether rows are the answer: nothing missing, and no row beside it."""
    match gold.kind:
        case Kind.PAPERS | Kind.OBSERVABLES | Kind.DECAYS:
            found = [names.keys_in(gold.kind, row) & gold.items for row in rows]
            return all(found) and frozenset().union(*found) == gold.items
        case Kind.TEXTS:
            cells = [{str(c) for c in row} & gold.items for row in rows]
            return all(cells) and set().union(*cells) == gold.items
        case Kind.NUMBER:
            return len(rows) == 1 and any(_close(c, gold.number) for c in rows[0])
        case Kind.TABLE:
            return len(rows) == len(gold.table) and all(_has_row(rows, pair) for pair in gold.table)
        case Kind.TRUTH:
            return bool(rows) is gold.truth if not _says(rows) else (_says(rows) == "yes") is gold.truth
    return False


def _close(cell: Value, number: float) -> bool:
    if isinstance(cell, bool) or cell is None or isinstance(cell, tuple):
        return False
    if isinstance(cell, str):
        found = _PRINTED.match(cell)
        if found is None:
            return False
        cell = float(found[1]) * 10.0 ** int(found[2] or 0)
    exact = float(number).is_integer() and isinstance(cell, int)
    return cell == number if exact else math.isclose(cell, number, rel_tol=_TOLERANCE)


def _has_row(rows: Rows, pair: tuple[str, float]) -> bool:
    key, number = pair
    return any(any(str(c) == key for c in row) and any(_is(c, number) for c in row) for row in rows)


def _is(cell: Value, number: float) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool) and cell == number


def _says(rows: Rows) -> str:
    """``yes`` or ``no`` where the only cell is a truth value, else empty."""
    if len(rows) == 1 and len(rows[0]) == 1 and isinstance(rows[0][0], bool):
        return "yes" if rows[0][0] else "no"
    return ""
