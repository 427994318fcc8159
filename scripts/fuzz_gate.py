"""Random queries through the gate and to a real Neo4j: whatever the gate accepts, the server plans as a read.

    python scripts/fuzz_gate.py                     10,000 accepted queries, about half an hour
    python scripts/fuzz_gate.py --queries 500 --seed 7

Each fault is printed with its query; the exit status is 1 if there is one.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
EVERY: Final = 1_000
"""Accepted queries between two lines that say how far it is."""


def main() -> int:
    """Compare until so many queries passed the gate."""
    sys.path.insert(0, str(ROOT))
    from benchmarks.gate_corpora import server
    from benchmarks.gate_differential import Found, compare, fill_database

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--queries", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    found = Found()
    with server() as driver, driver.session() as session:
        fill_database(session)
        for found in compare(session, seed=arguments.seed, accepted=arguments.queries):
            if found.accepted % EVERY == 0:
                _say(f"{found.accepted} of {found.drawn} drawn passed the gate, {len(found.faults)} faults")
    for kind, text, message in found.faults:
        sys.stdout.write(f"{kind}\n  {text}\n  {message}\n")
    scopes = ", ".join(f"{scope.value} {count}" for scope, count in sorted(found.scopes.items()))
    _say(f"scopes: {scopes}; {found.likened} compare a node with a text")
    _say(f"accepted {found.accepted}, plans compared {found.compared}, faults {len(found.faults)}")
    return bool(found.faults)


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")


if __name__ == "__main__":
    raise SystemExit(main())
