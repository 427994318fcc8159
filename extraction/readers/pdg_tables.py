"""The tables of ``pdg.sqlite`` as typed rows, each table read once and whole."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, TypeVar

from schemas.errors import ReadError

K = TypeVar("K", int, str)
V = TypeVar("V", int, str)
R = TypeVar("R")


class Quantity(NamedTuple):
    """A row of pdgid: a particle, a quantity, a decay mode or a heading."""

    pdgid: str
    parent: str | None
    description: str
    mode: int | None
    data_type: str


class Reference(NamedTuple):
    """A paper. ``document_id`` is trimmed: half of them end in a space."""

    id: int
    document_id: str
    publication: str
    year: int | None
    doi: str
    inspire_id: str
    title: str


class Measurement(NamedTuple):
    """One listed measurement."""

    id: int
    pdgid: str
    reference: int
    confidence_level: float | None
    technique: str
    charge: str
    comment: str


class Value(NamedTuple):
    """One value row of a measurement; numbers are scaled already, ``value_text`` is as printed."""

    id: int
    measurement: int
    column: str
    value_text: str
    unit: str
    limit: str
    value: float | None
    total_plus: float | None
    total_minus: float | None
    stat_plus: float | None
    stat_minus: float | None
    syst_plus: float | None
    syst_minus: float | None


class Summary(NamedTuple):
    """An average, fit or limit that the PDG gives for a quantity."""

    pdgid: str
    value_type: str
    in_summary_table: bool
    limit: str
    value: float | None
    value_text: str
    unit: str


class DecayItem(NamedTuple):
    """One particle of a decay mode."""

    item: int
    outgoing: bool
    multiplier: int


class Item(NamedTuple):
    """A name as decays use it, and what it is."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Tables:
    """Everything the reader needs, keyed for lookup; lists keep the listing's order."""

    info: dict[str, str]
    quantities: dict[str, Quantity]
    references: list[Reference]
    measurements: dict[int, list[Measurement]]
    """By reference id, in the order of the listing."""
    values: dict[int, list[Value]]
    footnotes: dict[int, list[int]]
    """Footnote ids by measurement id."""
    footnote_text: dict[int, str]
    summaries: dict[str, list[Summary]]
    decays: dict[str, list[DecayItem]]
    items: dict[int, Item]
    item_targets: dict[int, list[int]]
    modes_of: dict[str, list[str]]
    """Decay modes by the quantity that is measured with them."""


def default_database() -> Path:
    """The database that the ``pdg`` package brings (which is found, not imported)."""
    spec = find_spec("pdg")
    if spec is None or spec.origin is None:
        raise ReadError("expected the package pdg with its database, found none; install pdg==2026.0")
    return Path(spec.origin).parent / "pdg.sqlite"


def load_tables(database: Path | None = None) -> Tables:
    """Read the database (about two seconds), or ``ReadError`` naming the file."""
    return _read(database, _load)


def load_info(database: Path | None = None) -> dict[str, str]:
    """Edition, licence, citation and the like, or ``ReadError`` naming the file."""
    return _read(database, _info)


def _read(database: Path | None, load: Callable[[sqlite3.Connection], R]) -> R:
    path = database or default_database()
    if not path.is_file():
        raise ReadError("expected the PDG database, found no file; install pdg or name one", file=str(path))
    try:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
        try:
            return load(connection)
        finally:
            connection.close()
    except sqlite3.DatabaseError as e:
        raise ReadError(
            f"expected a PDG database of schema 0.3, found: {e}; install pdg==2026.0", file=str(path)
        ) from e


def _info(db: sqlite3.Connection) -> dict[str, str]:
    return {name: value or "" for name, value in db.execute("select name, value from pdginfo")}


def _load(db: sqlite3.Connection) -> Tables:
    quantities = (
        Quantity(*row)
        for row in db.execute(
            "select pdgid, parent_pdgid, trim(description), mode_number, data_type from pdgid"
            " order by sort, id"
        )
    )
    return Tables(
        info=_info(db),
        quantities={q.pdgid: q for q in quantities},
        references=_references(db),
        measurements=_measurements(db),
        values=_values(db),
        footnotes=_groups(
            db, "select pdgmeasurement_id, pdgfootnote_id from pdgmeasurement_footnote order by 1, id"
        ),
        footnote_text={
            i: " ".join(t.split()) for i, t in db.execute("select id, text from pdgfootnote where text != ''")
        },
        summaries=_summaries(db),
        decays=_decays(db),
        items={i: Item(n.strip(), k) for i, n, k in db.execute("select id, name, item_type from pdgitem")},
        item_targets=_groups(db, "select pdgitem_id, target_id from pdgitem_map order by 1, sort"),
        modes_of=_groups(db, "select target, source from pdgid_map order by 1, id"),
    )


def _groups(db: sqlite3.Connection, query: str) -> dict[K, list[V]]:
    groups: dict[K, list[V]] = defaultdict(list)
    for key, value in db.execute(query):
        groups[key].append(value)
    return dict(groups)


def _references(db: sqlite3.Connection) -> list[Reference]:
    query = (
        "select id, trim(document_id), trim(coalesce(publication_name, '')), publication_year,"
        " trim(coalesce(doi, '')), trim(coalesce(inspire_id, '')), trim(coalesce(title, ''))"
        " from pdgreference order by id"
    )
    return [Reference(*row) for row in db.execute(query)]


def _measurements(db: sqlite3.Connection) -> dict[int, list[Measurement]]:
    query = (
        "select m.id, m.pdgid, m.pdgreference_id, m.confidence_level, trim(coalesce(m.technique, '')),"
        " coalesce(m.charge, ''), trim(coalesce(m.comment, '')) from pdgmeasurement m"
        " join pdgid i on i.id = m.pdgid_id order by i.sort, m.sort, m.id"
    )
    groups: dict[int, list[Measurement]] = defaultdict(list)
    for row in db.execute(query):
        groups[row[2]].append(Measurement(*row))
    return dict(groups)


def _values(db: sqlite3.Connection) -> dict[int, list[Value]]:
    query = (
        "select id, pdgmeasurement_id, trim(coalesce(column_name, '')), trim(coalesce(value_text, '')),"
        " trim(coalesce(unit_text, '')), coalesce(limit_type, ''), value, error_positive, error_negative,"
        " stat_error_positive, stat_error_negative, syst_error_positive, syst_error_negative"
        " from pdgmeasurement_values order by pdgmeasurement_id, sort, id"
    )
    groups: dict[int, list[Value]] = defaultdict(list)
    for row in db.execute(query):
        groups[row[1]].append(Value(*row))
    return dict(groups)


def _summaries(db: sqlite3.Connection) -> dict[str, list[Summary]]:
    query = (
        "select pdgid, value_type, in_summary_table, coalesce(limit_type, ''), value,"
        " trim(coalesce(value_text, '')), trim(unit_text) from pdgdata order by pdgid_id, sort, id"
    )
    groups: dict[str, list[Summary]] = defaultdict(list)
    for row in db.execute(query):
        groups[row[0]].append(Summary(row[0], row[1], bool(row[2]), *row[3:]))
    return dict(groups)


def _decays(db: sqlite3.Connection) -> dict[str, list[DecayItem]]:
    groups: dict[str, list[DecayItem]] = defaultdict(list)
    query = "select pdgid, pdgitem_id, is_outgoing, multiplier from pdgdecay order by pdgid_id, sort, id"
    for pdgid, item, outgoing, multiplier in db.execute(query):
        groups[pdgid].append(DecayItem(item, bool(outgoing), multiplier))
    return dict(groups)
