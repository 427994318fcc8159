"""The PDG's own best value of a quantity."""

from __future__ import annotations

from extraction.readers.pdg_tables import Summary, Tables

_EXTRA = {"OM", "ON", "DR"}
"""Entries beside the summary value, and decay rates in place of fractions (pdgdoc, PDGDATA.VALUE_TYPE)."""
_AVERAGES = {"AC", "D"}
_KINDS = {
    "AC": "average",
    "D": "average",
    "FC": "fit",
    "V": "evaluation",
    "DV": "evaluation",
    "E": "estimate",
    "L": "best limit",
    "OL": "limit",
}
"""What the PDG calls each type of value (pdgdoc, PDGDATA.VALUE_TYPE)."""


def kind_of(summary: Summary) -> str:
    """The PDG's word for how a value was found; empty where its tables have none."""
    return _KINDS.get(summary.value_type, "")


def average_of(tables: Tables, pdgid: str) -> Summary | None:
    """The average of measurements of a quantity, never a fit, an evaluation or a limit."""
    rows = (r for r in tables.summaries.get(pdgid, []) if r.value_type in _AVERAGES)
    return next((r for r in rows if r.value is not None and not r.limit), None)


def best_summary(tables: Tables, pdgid: str) -> Summary | None:
    """The summary-table entry, else the first listed; a branching fraction may have it at its decay mode."""
    own = _first(tables.summaries.get(pdgid, []))
    modes = tables.modes_of.get(pdgid, [])
    if own is None and len(modes) == 1 and tables.quantities[pdgid].description.endswith("/G(total)"):
        return _first(tables.summaries.get(modes[0], []))
    return own


def _first(rows: list[Summary]) -> Summary | None:
    usable = [r for r in rows if r.value_type not in _EXTRA and (r.value is not None or r.value_text)]
    return next((r for r in usable if r.in_summary_table), usable[0] if usable else None)
