"""One document at a time, put into a resolved corpus of 100,000 made records.

The partition afterwards is compared with a full resolution of all records by pairwise F1. The floor is
what equal names alone would do with the new records.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.harness import Recorder, benchmark, stopwatch
from benchmarks.record_generator import RECORDS_PER_DOCUMENT, Made, generate, schema
from canonicalize.incremental import State, add, remove, start
from canonicalize.one_type import Deciding
from canonicalize.quality import pairwise
from canonicalize.resolve import resolve
from canonicalize.state_files import load, save
from canonicalize.tables import take
from schemas.graphs import RecordColumns
from schemas.language.names import normalise_name
from schemas.review import Resolution

BASE = 100_000
NEW_DOCUMENTS = 200
REMOVED = 20
SEED = 1


def split(made: Made) -> tuple[RecordColumns, list[RecordColumns]]:
    """The corpus without ``NEW_DOCUMENTS`` documents drawn at random, and those, one table each."""
    documents = sorted(set(made.table.documents))
    drawn = np.random.default_rng(SEED).permutation(len(documents))[:NEW_DOCUMENTS]
    rows: dict[str, list[int]] = {documents[i]: [] for i in drawn.tolist()}
    kept: list[int] = []
    for row, document in enumerate(made.table.documents):
        rows.get(document, kept).append(row)
    return take(made.table, kept), [take(made.table, own) for own in rows.values()]


def add_all(state: State, tables: list[RecordColumns]) -> tuple[list[float], list[float]]:
    """Seconds and processor seconds of each document."""
    seconds, processor = [], []
    for table in tables:
        began, used = time.perf_counter(), time.process_time()
        add(state, [table])
        seconds.append(time.perf_counter() - began)
        processor.append(time.process_time() - used)
    return seconds, processor


def homes(resolution: Resolution) -> dict[str, str]:
    """Every record and its entity."""
    return {record: group.id for group in resolution.groups for record in group.records}


def names_only(base: RecordColumns, before: dict[str, str], tables: list[RecordColumns]) -> dict[str, str]:
    """The old partition, each new record with an entity that has a record of its name, else alone."""
    by_name: dict[str, str] = {}
    for record, name in zip(base.ids, base.names, strict=True):
        by_name.setdefault(normalise_name(name, case_sensitive=False), before[record])
    home = dict(before)
    for table in tables:
        for record, name in zip(table.ids, table.names, strict=True):
            home[record] = by_name.setdefault(normalise_name(name, case_sensitive=False), record)
    return home


def main() -> None:
    """Resolve, save, load, add, remove, and compare."""
    with benchmark("incremental") as record, tempfile.TemporaryDirectory() as folder:
        made = generate(BASE + NEW_DOCUMENTS * RECORDS_PER_DOCUMENT, seed=SEED)
        base, new = split(made)
        with stopwatch() as full:
            resolution, first = start([base], schema())
        before = homes(resolution)
        with stopwatch() as saving:
            save(first, Path(folder) / "state")
        del first, resolution
        with stopwatch() as loading:
            state = load(Path(folder) / "state", schema())
        record.add("load_seconds", loading[0], "s", note=f"{len(base)} records; saved in {saving[0]:.1f} s")
        _added(record, state, new, full[0])
        scratch = homes(resolve([made.table], schema()))
        self_agreement = pairwise(before, scratch).f1
        _compared(record, state, scratch, floor=names_only(base, before, new), anchor=self_agreement)
        _removed(record, state, new)


def _added(record: Recorder, state: State, new: list[RecordColumns], full: float) -> None:
    seconds, processor = add_all(state, new)
    record.add("first_seconds", seconds[0], "s", goal="<= 2", note="the first document after loading")
    for name, quantile in (("p50_seconds", 0.5), ("p95_seconds", 0.95), ("max_seconds", 1.0)):
        value = float(np.quantile(seconds, quantile))
        cpu = float(np.quantile(processor, quantile))
        note = f"per document of about {RECORDS_PER_DOCUMENT} records; {cpu:.2f} s of processor time"
        record.add(name, value, "s", goal="<= 2", floor=f"{full:.0f} s in full", note=note)


def _compared(
    record: Recorder, state: State, scratch: dict[str, str], *, floor: dict[str, str], anchor: float
) -> None:
    now: dict[str, str] = {str(r): e for r, e in state.entity_of().items()}
    added = {r: scratch[r] for r in scratch if floor[r] != now[r]}
    record.add(
        "pairwise_f1",
        pairwise(now, scratch).f1,
        "F1",
        goal=">= 0.995",
        floor=f"{pairwise(floor, scratch).f1:.4f} new records by equal names only",
        anchor=f"{anchor:.4f} two full resolutions, without and with the new documents, on the old records",
        note=f"against a full resolution; {len(added)} records differ from the floor",
    )


def _removed(record: Recorder, state: State, new: list[RecordColumns]) -> None:
    """Each document out and in again; the log is in order of age: the corpus, then each document."""
    late = [record for table in new for record in sorted(table.ids)]
    homes_now, seconds = state.entity_of(), list[float]()
    early = sorted(homes_now.keys() - set(late))
    before = {record: homes_now[record] for record in (*early, *late)}
    known = Deciding(entity_of=before)
    for table in new[:REMOVED]:
        began = time.perf_counter()
        remove(state, table.documents[:1], deciding=known)
        seconds.append(time.perf_counter() - began)
        add(state, [table], deciding=known)
    record.add("remove_p95_seconds", float(np.quantile(seconds, 0.95)), "s", goal="<= 2")
    now = state.entity_of()
    partition = pairwise(
        {str(r): str(e) for r, e in now.items()}, {str(r): str(e) for r, e in before.items()}
    )
    note = f"{REMOVED} documents out and in again"
    record.add("readded_f1", partition.f1, "F1", goal="= 1", note=note)
    same = sum(now[r] == before[r] for r in before) / len(before)
    record.add("readded_same_ids", same, "of records", goal="= 1", note=note)


if __name__ == "__main__":
    main()
