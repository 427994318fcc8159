"""One document and graph per paper: what it determines, and what its footnotes say of the uncertainties."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from extraction.readers.pdg_build import Builder, Context
from extraction.readers.pdg_experiments import EXPERIMENTS
from extraction.readers.pdg_footnotes import Source, find_sources
from extraction.readers.pdg_names import Names, quantity_kind, tidy
from extraction.readers.pdg_summaries import average_of, best_summary, kind_of
from extraction.readers.pdg_tables import Measurement, Reference, Tables, Value
from extraction.readers.pdg_titles import readable_title
from extraction.readers.pdg_values import LIMITS, numbers, parse_value, readable, superseded_by
from schemas.documents import BlockKind, Document, DocumentKind, Identifiers
from schemas.graphs import DocumentGraph, Evidence
from schemas.ids import DocumentKey, RecordId


@dataclass(frozen=True, slots=True)
class PaperKey:
    """Key and name of a paper, and whether its INSPIRE id is its own."""

    key: DocumentKey
    name: str
    inspire_id: str


def paper_keys(references: Sequence[Reference]) -> dict[int, PaperKey]:
    """Keys of all papers by reference id.

    INSPIRE ids come first. 60 of them stand at several references (an article and its erratum, one
    review cited for several fits): the first bears the id; a later one with another DOI is a paper of
    its own, named by that DOI.
    """
    keys: dict[int, PaperKey] = {}
    first: dict[str, Reference] = {}
    taken: set[str] = set()
    for r in references:
        owner = first.setdefault(r.inspire_id, r) if r.inspire_id else None
        if r.inspire_id and owner is not None and (owner is r or owner.doi == r.doi):
            name, inspire = r.inspire_id, r.inspire_id
            key = f"inspire:{r.inspire_id}"
        else:
            name, inspire = r.doi or r.document_id, ""
            key = f"doi:{r.doi}" if r.doi else f"pdg:paper/{r.document_id}"
        if key in taken:
            key = f"{key}#{r.document_id}"
        taken.add(key)
        keys[r.id] = PaperKey(DocumentKey(key), name, inspire)
    return keys


@dataclass(frozen=True, slots=True)
class _Row:
    """One value row in the document."""

    measurement: Measurement
    value: Value
    observable: RecordId
    evidence: Evidence


class PaperReader:
    """Makes the documents of papers."""

    def __init__(self, tables: Tables, names: Names, context: Context) -> None:
        self._tables, self._names, self._context = tables, names, context
        self._keys = paper_keys(tables.references)

    def key(self, reference: Reference) -> DocumentKey:
        """Key of a paper's document."""
        return self._keys[reference.id].key

    def read(
        self, reference: Reference, measurements: Sequence[Measurement]
    ) -> tuple[Document, DocumentGraph]:
        """Document and graph of one paper with the given measurements."""
        key = self._keys[reference.id]
        build = Builder(self._context, key.key)
        title = _title(reference)
        (heading,) = build.block(BlockKind.TITLE, [title], ("pdgreference", reference.id, key.name))
        experiment = _experiment(measurements)
        paper = build.record(
            "paper",
            key.name,
            evidence=(heading,),
            description=title,
            aliases=(reference.document_id,) if reference.document_id else (),
            attributes={
                "title": title,
                "year": reference.year,
                "experiment": experiment,
                "doi": reference.doi,
                "inspire_id": key.inspire_id,
                "document_id": reference.document_id,
            },
        )
        rows = [row for m in measurements for row in self._measurement(build, reference, paper, m)]
        self._footnotes(build, rows)
        return build.finish(
            DocumentKind.PDG_PAPER,
            title,
            identifiers=Identifiers(inspire=reference.inspire_id, doi=reference.doi),
            year=reference.year,
            experiment=experiment,
        )

    def _measurement(
        self, build: Builder, reference: Reference, paper: RecordId, measurement: Measurement
    ) -> list[_Row]:
        values = self._tables.values.get(measurement.id, [])
        name = self._names.observable(measurement.pdgid)
        lines = [_line(name.name, reference, measurement, v) for v in values]
        if not lines:
            return []
        spans = build.block(BlockKind.PARAGRAPH, lines, ("pdgmeasurement", measurement.id, measurement.pdgid))
        observable = add_observable(build, self._tables, self._names, measurement.pdgid, spans[0])
        rows = []
        for value, span in zip(values, spans, strict=True):
            build.statement(
                paper,
                "determines",
                observable,
                evidence=(span,),
                attributes=_determined(measurement, value),
                qualifiers=(
                    ("column", value.column),
                    ("value_text", value.value_text),
                    ("comment", measurement.comment),
                ),
            )
            rows.append(_Row(measurement, value, observable, span))
        return rows

    def _footnotes(self, build: Builder, rows: list[_Row]) -> None:
        """Footnotes of the rows, once each, and the sources of uncertainty they name."""
        users: dict[int, list[_Row]] = {}
        for row in rows:
            for note in self._tables.footnotes.get(row.measurement.id, ()):
                users.setdefault(note, []).append(row)
        for note, used_by in users.items():
            raw = self._tables.footnote_text.get(note)
            if not raw:
                continue
            text = tidy(raw)
            (span,) = build.block(BlockKind.FOOTNOTE, [text], ("pdgfootnote", note, ""))
            for source in find_sources(text):
                self._source(build, source, span, used_by)

    def _source(self, build: Builder, source: Source, note: Evidence, rows: list[_Row]) -> None:
        quote = Evidence(
            start=note.start + source.start,
            end=note.start + source.end,
            quote=note.quote[source.start : source.end],
        )
        record = build.record(
            "uncertainty_source", source.name, evidence=(quote,), attributes={"kind": source.kind}
        )
        if source.method:
            method = build.record("method", source.method, evidence=(quote,))
            build.statement(method, "estimates", record, evidence=(quote,))
        for row in rows:
            size = _size(row.value, source.error)
            text, unit = (size[1], row.value.unit) if size else ("", "")
            build.statement(
                record,
                "affects",
                row.observable,
                evidence=(quote, row.evidence) if size else (quote,),
                attributes={"magnitude": size[0] if size else None, "magnitude_text": text, "unit": unit},
                qualifiers=(("magnitude_text", text), ("unit", unit)),
            )


def add_observable(build: Builder, tables: Tables, names: Names, pdgid: str, evidence: Evidence) -> RecordId:
    """The record of a quantity, with the PDG's best value as derived attributes."""
    name = names.observable(pdgid)
    quantity = tables.quantities[pdgid]
    best, average = best_summary(tables, pdgid), average_of(tables, pdgid)
    return build.record(
        "observable",
        name.name,
        evidence=(evidence,),
        aliases=name.aliases,
        attributes={
            "kind": quantity_kind(quantity),
            "pdgid": pdgid,
            "particle": names.particle(pdgid),
            "average": average.value if average else None,
            "average_text": average.value_text if average else "",
            "average_unit": average.unit if average else "",
            "pdg_value": best.value if best and not best.limit else None,
            "pdg_value_text": best.value_text if best else "",
            "pdg_value_unit": best.unit if best else "",
            "pdg_value_kind": kind_of(best) if best else "",
        },
    )


def _title(reference: Reference) -> str:
    return readable_title(reference.title) or reference.document_id


def _experiment(measurements: Sequence[Measurement]) -> str:
    """The experiment that most of the measurements name; empty where they name methods only."""
    counts = Counter(EXPERIMENTS[m.technique] for m in measurements if m.technique in EXPERIMENTS)
    return min(counts, key=lambda n: (-counts[n], n)) if counts else ""


def _line(name: str, reference: Reference, measurement: Measurement, value: Value) -> str:
    """One readable row: quantity, value, unit, paper and remark."""
    amount = readable(value.value_text) or "no value given"
    if value.limit in {"U", "L"} and not amount.startswith(("<", ">")):
        amount = f"{'<' if value.limit == 'U' else '>'}{amount}"
    parts = [f"{amount} {value.unit}".strip()]
    if value.column and value.column != "VALUE":
        parts[0] = f"{value.column} {parts[0]}"
    if measurement.confidence_level is not None:
        parts.append(f"CL {measurement.confidence_level:g}%")
    parts += [reference.document_id, measurement.technique, tidy(measurement.comment)]
    return " ".join(f"{name} ({measurement.pdgid}): {'; '.join(p for p in parts if p)}".split())


def _determined(measurement: Measurement, value: Value) -> dict[str, str | float | None]:
    found = numbers(value)
    stat, syst, total = found.stat or (None, None), found.syst or (None, None), found.total or (None, None)
    return {
        "value_text": value.value_text,
        "value": found.value,
        "unit": value.unit,
        "stat_plus": stat[0],
        "stat_minus": stat[1],
        "syst_plus": syst[0],
        "syst_minus": syst[1],
        "total_plus": total[0],
        "total_minus": total[1],
        "limit": LIMITS.get(value.limit),
        "confidence_level": measurement.confidence_level,
        "column": value.column,
        "superseded_by": superseded_by(measurement.comment),
        "comment": measurement.comment,
        "technique": measurement.technique,
    }


def _size(value: Value, error: int | None) -> tuple[float, str] | None:
    """The printed error at that position where it is one number: size and text."""
    printed = parse_value(value.value_text) if error is not None else None
    if printed is None or error is None:
        return None
    # "The last" of two may be the whole systematic error: only a third one stands alone.
    needed = 3 if error == -1 else error
    if len(printed.errors) < needed or (error == 2 and len(printed.errors) > 2):
        return None
    at = error if error < 0 else error - 1
    plus, minus = printed.errors[at]
    return (plus, printed.texts[at]) if plus == minus else None
