"""Run every benchmark and render docs/benchmarks.md."""

from __future__ import annotations

import subprocess
import sys
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
        "pdg_questions_match",
        "pdg_gold",
        "pdg_questions_sql",
        "pdg_unseen_sql",
        "property_graphs",
    ),
    *(
        "random_cypher",
        "random_grammar",
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


def main() -> int:
    """Each benchmark in its own process; a failed one is named and the others go on."""
    failed = [
        name
        for name in modules()
        if subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], cwd=ROOT, check=False).returncode
    ]
    results = [Result.model_validate_json(p.read_bytes()) for p in sorted(OUT.glob("*.json"))]
    page = ROOT / "docs" / "benchmarks.md"
    page.write_text(render(results, page.read_text(encoding="utf-8")), encoding="utf-8")
    if failed:
        sys.stderr.write(f"failed: {', '.join(failed)}\n")
    return len(failed)


if __name__ == "__main__":
    raise SystemExit(main())
