"""How fast the rules read short documents and long papers, and whether memory stays flat.

The short documents are all papers and particles of the PDG listings, which carry their graph: the rules
read their text beside it. They are read, extracted and dropped one after the other in a process of its
own, whose memory is noted after every thousand. Only the extraction is timed, on one core. The long papers
are the LHCb papers in LaTeX, already read.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.harness import benchmark
from benchmarks.uncertainty_tables import papers, read
from extraction.extract import extract_document
from extraction.rules import RuleExtractor
from schemas.schema_files import load_schema

_WORKER = """
import json, os, resource, time
from pathlib import Path
from extraction.extract import extract_document
from extraction.readers.pdg import read_pdg
from extraction.rules import RuleExtractor
from schemas.schema_files import load_schema
page = os.sysconf("SC_PAGE_SIZE")
def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * page / 2**20
schema, extractor = load_schema("particle_physics"), RuleExtractor()
source = read_pdg(schema)
spent, slowest, characters, memory = 0.0, 0.0, 0, []
for number, (document, graph) in enumerate(source, start=1):
    began = time.perf_counter()
    extract_document(document, schema, [extractor], base=graph)
    took = time.perf_counter() - began
    spent, slowest, characters = spent + took, max(slowest, took), characters + len(document.text)
    if number % 1000 == 0:
        memory.append(resident())
memory.append(resident())
print(json.dumps({"documents": number, "seconds": spent, "slowest": slowest, "characters": characters,
    "memory": memory, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
"""


def short_documents() -> dict[str, Any]:
    """All PDG documents in one process: documents, seconds, characters, MiB after each thousand."""
    command = [sys.executable, "-c", _WORKER]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"extracting the PDG documents failed:\n{done.stderr[-4000:]}")
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def long_papers() -> dict[str, tuple[int, float]]:
    """Characters and seconds of each LHCb paper; rules are compiled before."""
    schema, extractor = load_schema("particle_physics"), RuleExtractor()
    found: dict[str, tuple[int, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for paper in papers():
            document = read(paper, Path(folder))
            if not found:
                extract_document(document, schema, [extractor])
            began = time.perf_counter()
            extract_document(document, schema, [extractor])
            found[paper.name] = len(document.text), time.perf_counter() - began
    return found


def main() -> None:
    """Measure both."""
    with benchmark("extraction_speed") as record:
        long = long_papers()
        slowest = max(long, key=lambda name: long[name][1])
        record.add(
            "slowest_lhcb_paper",
            long[slowest][1],
            "s",
            goal="<= 2",
            note=f"{slowest}, {long[slowest][0]} characters; mean of {len(long)} papers "
            f"{sum(seconds for _, seconds in long.values()) / len(long):.2f} s",
        )
        short = short_documents()
        record.add(
            "pdg_documents_per_second",
            short["documents"] / short["seconds"],
            "documents/s",
            goal=">= 100",
            note=f"{short['documents']} documents, {short['characters']} characters, one core; "
            f"the slowest took {short['slowest']:.2f} s",
        )
        record.add("memory_at_1000", short["memory"][0], "MiB", note="resident, the PDG tables included")
        record.add("memory_at_end", short["memory"][-1], "MiB", note=f"peak {short['peak']:.0f} MiB")
        record.notes.append(
            "MiB after each thousand documents: " + ", ".join(f"{m:.0f}" for m in short["memory"])
        )


if __name__ == "__main__":
    main()
