"""Run every benchmark and render docs/benchmarks.md."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.harness import OUT, ROOT, Result
from benchmarks.render import render

NOT_BENCHMARKS = {
    *("__init__", "__main__", "harness", "render", "shared_sets", "text2kg_sets"),
    *(
        "executed",
        "fit_ranking",
        "fit_reader",
        "gate_corpora",
        "gate_differential",
        "harbour",
        "pdg_questions_match",
        "pdg_gold",
        "pdg_questions_sql",
        "pdg_unseen_sql",
        "property_graphs",
    ),
    *(
        "random_cypher",
        "random_grammar",
        "random_patterns",
        "random_values",
        "biored_mentions",
        "cluster_sets",
        "judge_calls",
        "pair_judge",
        "peer_resolvers",
        "phrase_oracle",
        "record_generator",
    ),
    *("llm_server_forecast", "llm_server_model", "llm_server_parts", "llm_server_runs"),
}


def modules() -> list[str]:
    """Names of all benchmark modules."""
    found = (p.stem for p in Path(__file__).parent.glob("*.py"))
    return sorted(name for name in found if name not in NOT_BENCHMARKS)


def main(arguments: Sequence[str] | None = None) -> int:
    """Each benchmark in its own process; a failed one is named and the others go on."""
    options = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    options.add_argument("names", nargs="*", metavar="NAME", help="benchmarks to run (all)")
    options.add_argument("--render", action="store_true", help="run nothing, render what was measured")
    chosen = options.parse_args(arguments)
    if unknown := sorted(set(chosen.names) - set(modules())):
        options.error(f"no such benchmark: {', '.join(unknown)}; there are {', '.join(modules())}")
    failed = [] if chosen.render else _run(chosen.names or modules())
    results = [Result.model_validate_json(p.read_bytes()) for p in sorted(OUT.glob("*.json"))]
    page = ROOT / "docs" / "benchmarks.md"
    page.write_text(render(results, page.read_text(encoding="utf-8")), encoding="utf-8")
    if failed:
        sys.stderr.write(f"failed: {', '.join(failed)}\n")
    return len(failed)


def _run(names: Sequence[str]) -> list[str]:
    """Those that failed."""
    command = [sys.executable, "-m"]
    return [
        n for n in names if subprocess.run([*command, f"benchmarks.{n}"], cwd=ROOT, check=False).returncode
    ]


if __name__ == "__main__":
    raise SystemExit(main())
