"""``kg resolve`` after one more document in a workspace of 100,000 made records, each run in its own process.

Vectors are given. The seconds are those of the command itself, from the opened workspace to the written
log and state; the process, and the libraries that it loads, are told beside them. Every document is put
into a corpus that was resolved in full before.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from benchmarks.harness import Recorder, benchmark
from benchmarks.record_generator import RECORDS_PER_DOCUMENT, generate
from kg.workspace import Workspace
from schemas.documents import Document, DocumentKind, Section, SourceMap
from schemas.graphs import DocumentGraph, Record, RecordColumns
from schemas.ids import DocumentKey, RecordId, content_hash

BASE, NEW_DOCUMENTS, SEED = 100_000, 5, 1
_SCHEMA = """\
name: made
version: "1"
entities:
  - name: source
    label: Source
    canonicalization: {threshold: 0.8, name_weight: 0.6, vetoes: [charge, numbers, particles, antonyms]}
relations: []
"""
_SETTINGS = "\n[canonicalize]\nfull_below = 0\nfull_share = 1.0\n"


class Run(BaseModel):
    """One run of the command."""

    seconds: float
    cpu_seconds: float
    start_cpu_seconds: float
    resolved: int
    note: str


class GivenVectors:
    """The vectors of the records, found by the record id that ends a text."""

    model_id = "given/1"

    def __init__(self, root: Path) -> None:
        self._rows = np.load(root / "given.npy", mmap_mode="r")
        ids = (root / "given.txt").read_text(encoding="utf-8").split("\n")
        self._at = {record: row for row, record in enumerate(ids)}

    @property
    def dimension(self) -> int:
        return int(self._rows.shape[1])

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = [self._at[text.rpartition(" ")[2]] for text in texts]
        return np.array(self._rows[rows], dtype=np.float32)


def make_workspace(root: Path, table: RecordColumns) -> list[DocumentKey]:
    """A workspace with one graph per document of the table; the documents."""
    (root / "made.yaml").write_text(_SCHEMA, encoding="utf-8")
    workspace = Workspace.create(root, schema="made.yaml")
    with (root / "kg.toml").open("a", encoding="utf-8") as settings:
        settings.write(_SETTINGS)
    if table.vectors is not None:
        np.save(root / "given.npy", table.vectors)
    (root / "given.txt").write_text("\n".join(table.ids), encoding="utf-8")
    rows: dict[DocumentKey, list[int]] = {}
    for row, key in enumerate(table.documents):
        rows.setdefault(key, []).append(row)
    for key, own in rows.items():
        _add(workspace, key, table, own)
    return sorted(rows)


def _add(workspace: Workspace, key: DocumentKey, table: RecordColumns, rows: Sequence[int]) -> None:
    text = "\n".join(table.names[row] for row in rows)
    document = Document(
        key=key,
        kind=DocumentKind.TEXT,
        title=key,
        text=text,
        sections=(Section(index=0, parent=None, level=0, title=key, start=0, end=len(text)),),
        blocks=(),
        source_map=SourceMap(files=("made",), offsets=(0,), file_of=(0,), lines=(1,)),
    )
    workspace.save_document(document, {})
    records = tuple(
        Record(
            id=RecordId(content_hash("made", table.ids[row])),
            document=key,
            type=table.type,
            name=table.names[row],
            description=f"record {table.ids[row]}",
        )
        for row in rows
    )
    graph = DocumentGraph(
        document=key,
        version=document.version,
        schema_name="made",
        schema_version="1",
        run_id=content_hash("run", key),
        records=records,
    )
    workspace.save_graph(graph)


def run(root: Path) -> Run:
    """One ``kg resolve`` in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.resolve_command", str(root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the command failed:\n{done.stderr[-4000:]}")
    return Run.model_validate_json(done.stdout.splitlines()[-1])


def measure(root: Path) -> Run:
    """Resolve in this process, its libraries loaded before the clock starts."""
    import time

    for library in ("scipy.sparse.csgraph", "faiss", "sparse_dot_topn"):
        import_module(library)
    from kg import build
    from kg.progress import SilentProgress
    from kg.wiring import open_platform

    vectors = GivenVectors(root)
    began, used = time.perf_counter(), time.process_time()
    with open_platform(Workspace(root), SilentProgress()) as platform:
        vars(platform)["embedder"] = vectors
        report = build.resolve(platform)
    seconds, cpu = time.perf_counter() - began, time.process_time() - used
    note = report.notes[0]
    resolved = int(note.partition(": ")[2].partition(" ")[0]) if "were resolved again" in note else 0
    return Run(seconds=seconds, cpu_seconds=cpu, start_cpu_seconds=used, resolved=resolved, note=note)


def main() -> None:
    """Resolve in full, then once for each of some documents that were held back."""
    with benchmark("resolve_command") as record, tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        made = generate(BASE + NEW_DOCUMENTS * RECORDS_PER_DOCUMENT, seed=SEED)
        documents = make_workspace(root, made.table)
        drawn = np.random.default_rng(SEED).permutation(len(documents))[:NEW_DOCUMENTS].tolist()
        held = [next((root / "documents").glob(f"{documents[at]}@*")) for at in drawn]
        (root / "held").mkdir()
        aside = [path.rename(root / "held" / path.name) for path in held]
        full = run(root)
        runs: list[Run] = []
        for path in aside:
            path.rename(root / "documents" / path.name)
            runs.append(run(root))
        _recorded(record, full, runs)


def _recorded(record: Recorder, full: Run, runs: Sequence[Run]) -> None:
    floor = f"{full.seconds:.0f} s in full ({full.cpu_seconds:.0f} s of processor time)"
    start = float(np.median([one.start_cpu_seconds for one in runs]))
    resolved = ", ".join(str(one.resolved) for one in runs)
    note = f"one document of about {RECORDS_PER_DOCUMENT} records; resolved again: {resolved} records"
    for name, column in (
        ("seconds", [r.seconds for r in runs]),
        ("cpu_seconds", [r.cpu_seconds for r in runs]),
    ):
        record.add(f"p50_{name}", float(np.median(column)), "s", goal="<= 2", floor=floor, note=note)
        record.add(f"max_{name}", max(column), "s", goal="<= 2", floor=floor, note=note)
    record.add(
        "start_cpu_seconds", start, "s", note="the process and its libraries, not in the figures above"
    )
    record.notes.append(
        f"{BASE} records in {BASE // RECORDS_PER_DOCUMENT} documents; two cores, shared: processor"
        " seconds beside those of the clock"
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(measure(Path(sys.argv[1])).model_dump()))
    else:
        main()
