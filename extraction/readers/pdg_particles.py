"""One document and graph per particle: its quantities, its decay modes, and which is measured with which."""

from __future__ import annotations

from collections import Counter, defaultdict

from extraction.readers.pdg_build import Builder, Context
from extraction.readers.pdg_names import Mode, Names
from extraction.readers.pdg_papers import add_observable
from extraction.readers.pdg_summaries import best_summary
from extraction.readers.pdg_tables import Tables
from extraction.readers.pdg_values import readable
from schemas.documents import BlockKind, Document, DocumentKind
from schemas.graphs import DocumentGraph, Evidence
from schemas.ids import DocumentKey, RecordId


class ParticleReader:
    """Makes the documents of particles."""

    def __init__(self, tables: Tables, names: Names, context: Context) -> None:
        self._tables, self._names, self._context = tables, names, context
        self._quantities: dict[str, list[str]] = defaultdict(list)
        self._modes: dict[str, list[str]] = defaultdict(list)
        for pdgid in names.observables():
            self._quantities[pdgid[:4]].append(pdgid)
        for pdgid, quantity in tables.quantities.items():
            if quantity.data_type.startswith("BF"):
                self._modes[pdgid[:4]].append(pdgid)

    def particles(self) -> tuple[str, ...]:
        """Ids of all particles, and of other headings with quantities (admixtures), as listed."""
        return tuple(
            p
            for p, q in self._tables.quantities.items()
            if q.parent is None
            and (q.data_type in {"PART", "SRCH"} or self._quantities.get(p) or self._modes.get(p))
        )

    def read(self, pdgid: str) -> tuple[Document, DocumentGraph]:
        """Document and graph of one particle (``S086``)."""
        build = Builder(self._context, DocumentKey(f"pdg:{pdgid}"))
        title = self._names.particle(pdgid)
        build.block(BlockKind.TITLE, [title], ("pdgid", 1, pdgid))
        rows: dict[str, tuple[RecordId, Evidence]] = {}
        if self._quantities[pdgid]:
            build.section("Quantities")
            for index, quantity in enumerate(self._quantities[pdgid], start=1):
                rows[quantity] = self._quantity(build, quantity, index)
        decays: dict[str, RecordId] = {}
        if self._modes[pdgid]:
            build.section("Decay modes")
            for index, mode in enumerate(self._modes[pdgid], start=1):
                decays[mode] = self._mode(build, mode, index)
        for quantity, (observable, evidence) in rows.items():
            for mode in self._tables.modes_of.get(quantity, ()):
                decay = decays.get(mode) or self._foreign(build, mode, evidence)
                build.statement(observable, "measured_with", decay, evidence=(evidence,))
        return build.finish(DocumentKind.PDG_PARTICLE, title)

    def _quantity(self, build: Builder, pdgid: str, row: int) -> tuple[RecordId, Evidence]:
        name = self._names.observable(pdgid).name
        best = best_summary(self._tables, pdgid)
        parts = [f"{name} ({pdgid})"]
        if best:
            parts.append(f"best value {f'{readable(best.value_text)} {best.unit}'.strip()}")
        modes = self._tables.modes_of.get(pdgid, [])
        if modes:
            parts.append(
                "measured with " + ", ".join(f"{self._names.mode(m).name.name} ({m})" for m in modes)
            )
        (span,) = build.block(BlockKind.PARAGRAPH, ["; ".join(parts)], ("pdgid", row, pdgid))
        return add_observable(build, self._tables, self._names, pdgid, span), span

    def _mode(self, build: Builder, pdgid: str, row: int) -> RecordId:
        mode = self._names.mode(pdgid)
        counts = Counter(mode.children)
        products = ", ".join(f"{n} ×{k}" for n, k in counts.items())
        text = f"{mode.name.name} ({pdgid})" + (f"; products {products}" if products else "")
        (span,) = build.block(BlockKind.PARAGRAPH, [text], ("pdgdecay", row, pdgid))
        return _add_decay(build, mode, pdgid, span)

    def _foreign(self, build: Builder, pdgid: str, evidence: Evidence) -> RecordId:
        """A mode of another particle, named in the quantity's own row."""
        return _add_decay(build, self._names.mode(pdgid), pdgid, evidence)


def _add_decay(build: Builder, mode: Mode, pdgid: str, evidence: Evidence) -> RecordId:
    return build.record(
        "decay",
        mode.name.name,
        evidence=(evidence,),
        aliases=mode.name.aliases,
        attributes={"parent": mode.parent, "children": mode.children, "pdgid": pdgid},
    )
