"""The Particle Data Group's listings as documents that carry their own graphs.

Source: the SQLite file of the ``pdg`` package, edition 2026 (F. Takahashi et al., Int. J. Mod. Phys. A 41,
2630011 (2026)), CC BY 4.0.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from extraction.readers.pdg_build import Context
from extraction.readers.pdg_experiments import technique_code
from extraction.readers.pdg_headings import own_headings
from extraction.readers.pdg_names import Names
from extraction.readers.pdg_papers import PaperReader
from extraction.readers.pdg_particles import ParticleReader
from extraction.readers.pdg_tables import Measurement, Reference, Tables, load_info, load_tables
from schemas.documents import Document
from schemas.graph_schema import GraphSchema
from schemas.graphs import DocumentGraph
from schemas.ids import DocumentKey


def _citation(info: dict[str, str]) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", info.get("citation", ""))).strip()


def pdg_citation(database: Path | None = None) -> str:
    """How to cite the data, without markup. Raises ``ReadError`` when there is no database."""
    return _citation(load_info(database))


class PdgSource:
    """Papers first, then particles; documents are made one at a time while iterating.

    ``len()`` is the number of documents; ``edition`` is the year of the Review.
    """

    def __init__(self, schema: GraphSchema, tables: Tables, technique: str | None) -> None:
        for name in ("paper", "observable", "decay", "uncertainty_source", "method"):
            schema.entity(name)
        for name in ("determines", "measured_with", "affects", "estimates"):
            schema.relation(name)
        self.citation = _citation(tables.info)
        self.edition = tables.info.get("edition", "")
        self._tables, self._technique = tables, technique
        names = Names(tables)
        context = Context.of(schema, self.citation)
        self._papers = PaperReader(tables, names, context)
        self._particles = ParticleReader(tables, names, context)
        self._selection = self._select()
        self._particle_ids = self._concerned()
        self._places: dict[DocumentKey, str | tuple[Reference, list[Measurement]]] = {}

    def __len__(self) -> int:
        return len(self._selection) + len(self._particle_ids)

    def __iter__(self) -> Iterator[tuple[Document, DocumentGraph]]:
        for reference, measurements in self._selection:
            yield self._papers.read(reference, measurements)
        for pdgid in self._particle_ids:
            yield self._particles.read(pdgid)

    def find(self, key: DocumentKey) -> tuple[Document, DocumentGraph] | None:
        """The one document of that key, or None."""
        if not self._places:
            self._places |= {self._papers.key(r): (r, rows) for r, rows in self._selection}
            self._places |= {DocumentKey(f"pdg:{pdgid}"): pdgid for pdgid in self._particle_ids}
        place = self._places.get(key)
        if place is None:
            return None
        return self._particles.read(place) if isinstance(place, str) else self._papers.read(*place)

    def _select(self) -> list[tuple[Reference, list[Measurement]]]:
        chosen = []
        for reference in self._tables.references:
            rows = self._tables.measurements.get(reference.id, [])
            if self._technique is not None:
                rows = [m for m in rows if m.technique == self._technique]
                if not rows:
                    continue
            chosen.append((reference, rows))
        return chosen

    def _concerned(self) -> list[str]:
        particles = self._particles.particles()
        if self._technique is None:
            return list(particles)
        wanted = {m.pdgid[:4] for _, rows in self._selection for m in rows}
        return [p for p in particles if p in wanted]


def read_pdg(
    schema: GraphSchema, *, experiment: str | None = None, database: Path | None = None
) -> PdgSource:
    """The listings as a structured source.

    Args:
        schema: A schema with the types and relations of ``particle_physics``.
        experiment: Keep only this experiment's papers and measurements, and the particles they concern;
            a name or the PDG's code, without regard to case. None keeps everything.
        database: ``pdg.sqlite``; None takes that of the ``pdg`` package.

    Raises:
        UsageError: no such experiment (the message lists near names).
        ReadError: the database is missing or damaged.
        SchemaError: the schema lacks a type or relation.
    """
    tables = load_tables(database)
    tables = replace(tables, quantities=own_headings(tables.quantities))
    technique = None
    if experiment is not None:
        codes = {m.technique for rows in tables.measurements.values() for m in rows}
        technique = technique_code(experiment, codes)
    return PdgSource(schema, tables, technique)
