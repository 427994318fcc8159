"""The whole PDG data, and LHCb's part of it, from the package to a queryable Neo4j.

Each build runs in a process of its own, so that the peak memory is that build's. The embedding cache is
empty at the start, and the user's is not used. Chunk embeddings are a step of their own and reported apart.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.harness import OUT, benchmark

FULL = OUT / "pdg-full"
"""The workspace of the full build; other benchmarks ask it."""

_WORKER = """
import json, resource, sys, time
from pathlib import Path
from kg.build import add, build, context_of, embed_chunks
from kg.progress import SilentProgress
from kg.wiring import open_platform
from kg.workspace import Workspace
root, experiment, passages = Path(sys.argv[1]), sys.argv[2] or None, sys.argv[3] == "passages"
workspace = Workspace.create(root, schema="particle_physics")
with (root / "kg.toml").open("a", encoding="utf-8") as settings:
    settings.write("\\n[embedder]\\nshare_mb = 0\\n")
with open_platform(workspace, SilentProgress()) as platform:
    platform.ensure_server(lambda line: None)
    platform.store.marker()
    began = time.perf_counter()
    build(platform, ["pdg"], experiment=experiment, embed=False)
    built = time.perf_counter() - began
    chunks = None
    if passages:
        began = time.perf_counter()
        embed_chunks(platform)
        chunks = time.perf_counter() - began
    steps = {}
    for row in platform.ledger.runs():
        steps[row.step] = {"seconds": row.seconds, **row.counts}
    counts = platform.values.counts()
    slugs = [d.slug for d in workspace.documents()]
    papers = sum(s.startswith("pdg_paper") or not s.startswith("pdg_") for s in slugs)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    server = platform.managed.status().rss_bytes
    platform.managed.stop()
print(json.dumps({"seconds": built, "papers": papers, "steps": steps, "chunks": chunks,
    "entities": counts.entities, "relations": counts.relations, "peak_gb": peak,
    "server_gb": (server or 0) / 2**30}))
"""


def run_build(root: Path, experiment: str, *, passages: bool) -> dict[str, Any]:
    """One build in its own process."""
    command = [sys.executable, "-c", _WORKER, str(root), experiment, "passages" if passages else ""]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the build failed:\n{done.stderr[-4000:]}")
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def main() -> None:
    """Build both and write the figures."""
    with benchmark("pdg_build") as record, tempfile.TemporaryDirectory() as folder:
        lhcb = run_build(Path(folder) / "lhcb", "LHCb", passages=True)
        record.add("lhcb_seconds", lhcb["seconds"], "s", note="add, extract, resolve, load, communities")
        record.add(
            "lhcb_papers",
            lhcb["papers"],
            "papers",
            goal="= 629",
            floor="629 references in the PDG tables",
            note=f"{lhcb['entities']['paper']} entities: the tables list one paper under two names",
        )
        record.add(
            "lhcb_measurements",
            lhcb["relations"]["determines"],
            "values",
            goal=">= 2,972",
            floor="2,972 measurements with 2,980 values in the PDG tables",
        )
        shutil.rmtree(FULL, ignore_errors=True)
        full = run_build(FULL, "", passages=True)
        record.add(
            "chunk_embedding_seconds",
            full["chunks"],
            "s",
            anchor=f"LHCb's part: {lhcb['steps']['embed']['passages']} passages in {lhcb['chunks']:.0f} s",
            note=f"{full['steps']['embed']['passages']} passages; resumable, cached by content",
        )
        record.add(
            "full_seconds",
            full["seconds"],
            "s",
            goal="<= 600",
            anchor="LightRAG + Neo4j: 1,500 articles an hour",
        )
        record.add(
            "peak_gb",
            full["peak_gb"],
            "GiB",
            goal="<= 2",
            note=f"besides Neo4j's own {full['server_gb']:.1f} GiB",
        )
        for name, result in (("LHCb", lhcb), ("all", full)):
            steps = ", ".join(f"{step} {row['seconds']:.0f} s" for step, row in result["steps"].items())
            record.notes.append(f"{name}: {steps}; {result['entities']} {result['relations']}")


if __name__ == "__main__":
    main()
