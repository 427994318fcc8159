"""How resolution grows: 10,000, 100,000 and 1,000,000 made records, with vectors given.

The records come from ``benchmarks.record_generator``. Each size runs in a process of its own, so that the
peak memory is that size's; the seconds include the loading of libraries. Candidate recall: of the pairs
that an exact search finds for 10,000 units drawn at random, those that the search in use found.
"""

from __future__ import annotations

import itertools
import json
import math
import subprocess
import sys

from pydantic import BaseModel

from benchmarks.harness import Recorder, benchmark
from schemas.graphs import RecordColumns

GOALS = {10_000: 5, 100_000: 60, 1_000_000: 1_200}
"""Records -> most seconds."""
DIMENSION = 64
SEED = 0
_RECALL_SAMPLE = 10_000


class Run(BaseModel):
    """One size."""

    records: int
    units: int
    seconds: float
    cpu_seconds: float
    peak_gb: float
    b_cubed: float
    b_cubed_floor: float
    precision: float
    candidate_recall: float
    exact: bool


def run_size(records: int) -> Run:
    """Resolve ``records`` made records in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.scale_records", str(records)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the run of {records} records failed:\n{done.stderr[-4000:]}")
    return Run.model_validate_json(done.stdout.splitlines()[-1])


def measure(records: int) -> Run:
    """Resolve in this process."""
    import resource
    import time

    from benchmarks.record_generator import generate, schema

    made = generate(records, dimension=DIMENSION, seed=SEED)
    began, used = time.perf_counter(), time.process_time()
    from canonicalize.resolve import resolve

    resolution = resolve([made.table], schema())
    seconds, cpu = time.perf_counter() - began, time.process_time() - used
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    from canonicalize.quality import b_cubed
    from schemas.language.names import normalise_name

    gold: dict[str, int] = dict(zip(made.table.ids, made.concepts.tolist(), strict=True))
    home: dict[str, str] = {record: group.id for group in resolution.groups for record in group.records}
    del resolution
    exact_names: dict[str, str] = {
        r: normalise_name(n, case_sensitive=False)
        for r, n in zip(made.table.ids, made.table.names, strict=True)
    }
    scores, floor = b_cubed(home, gold), b_cubed(exact_names, gold)
    units, recall, exact = _candidate_recall(made.table)
    return Run(
        records=records,
        units=units,
        seconds=seconds,
        cpu_seconds=cpu,
        peak_gb=peak,
        b_cubed=scores.f1,
        b_cubed_floor=floor.f1,
        precision=scores.precision,
        candidate_recall=recall,
        exact=exact,
    )


def _candidate_recall(table: RecordColumns) -> tuple[int, float, bool]:
    import numpy as np

    from benchmarks.record_generator import schema
    from canonicalize.candidates import EXACT_UNITS, find_candidates
    from canonicalize.one_type import prepare, type_features
    from schemas.review import Constraints

    kind = schema().entity(table.type)
    prepared = prepare(table, schema(), Constraints())
    features = type_features(prepared)
    count = len(prepared.units)
    sample = np.sort(np.random.default_rng(SEED).permutation(count)[:_RECALL_SAMPLE])
    weight, floor = kind.canonicalization.name_weight, kind.canonicalization.threshold
    found = find_candidates(prepared.units, features, name_weight=weight, floor=floor)
    wanted = find_candidates(
        prepared.units, features, name_weight=weight, floor=floor, queries=sample, exact=True
    )
    keys = wanted.left * count + wanted.right
    hit = np.isin(keys, found.left * count + found.right)
    return count, float(hit.mean()) if len(keys) else 1.0, count <= EXACT_UNITS


def record_run(record: Recorder, run: Run) -> None:
    """The figures of one size."""
    size = run.records
    record.add(
        f"seconds_{size}",
        run.seconds,
        "s",
        goal=f"<= {GOALS[size]}",
        note=f"{run.cpu_seconds:.0f} s of processor time on a shared machine; {run.units} units",
    )
    record.add(
        f"b_cubed_{size}",
        run.b_cubed,
        "F1",
        floor=f"{run.b_cubed_floor:.3f} equal names",
        note=f"precision {run.precision:.4f}",
    )
    record.add(
        f"candidate_recall_{size}",
        run.candidate_recall,
        "of exact pairs",
        goal=">= 0.98",
        note="exact search" if run.exact else f"pruned search, sample of {_RECALL_SAMPLE} units",
    )


def main() -> None:
    """Run all sizes and write the figures."""
    with benchmark("scale_records") as record:
        runs = [run_size(size) for size in GOALS]
        for run in runs:
            record_run(record, run)
        first, last = runs[0], runs[-1]
        growth = math.log(last.seconds / first.seconds) / math.log(last.records / first.records)
        steps = [
            math.log(b.seconds / a.seconds) / math.log(b.records / a.records)
            for a, b in itertools.pairwise(runs)
        ]
        record.add(
            "growth_exponent",
            growth,
            "exponent of records",
            goal="<= 1.2",
            floor="1: reading the records",
            note="from the smallest to the largest size; by step " + ", ".join(f"{s:.2f}" for s in steps),
        )
        record.add("peak_gb", last.peak_gb, "GiB", goal="<= 8", note="1,000,000 records, vectors included")
        record.notes.append(f"vectors of {DIMENSION} float32 columns; seed {SEED}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(measure(int(sys.argv[1])).model_dump()))
    else:
        main()
