"""Write schemas/language/notations.tsv: names in other notations -> Monte Carlo numbers.

Run by hand for a new edition: ``python scripts/make_notation_table.py``. The names are those of the
``particle`` package (scikit-hep, BSD-3-Clause; data of the Particle Data Group, CC BY 4.0): EvtGen, PDG
and LaTeX names, each in the normal form of ``particle_rules``. Names of two particles are left out, and so
are nuclei, generators' own objects, and what ``particles.tsv`` has already.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path

import particle
from particle import Particle

from schemas.language.particle_rules import ParticleParts, parse_particle
from schemas.language.particles import particle_table

TARGET = Path(__file__).resolve().parents[1] / "schemas" / "language" / "notations.tsv"
_INTERNAL = range(79, 101)


def notations() -> list[tuple[int, str]]:
    """Monte Carlo number and name, of every notation, the package's own name first."""
    data = Path(particle.__file__).parent / "data"
    found = [
        (int(p.pdgid), name) for p in Particle.all() for name in (p.name, p.programmatic_name, p.latex_name)
    ]
    with (data / "conversions.csv").open(encoding="utf-8") as lines:
        rows = csv.reader((line for line in lines if not line.startswith("#")), skipinitialspace=True)
        next(rows)
        for row in rows:
            cells = [cell.strip() for cell in row]
            found += [(int(cells[0]), cell) for cell in (cells[4], cells[3], cells[5]) if cell]
    return [(mcid, name) for mcid, name in found if abs(mcid) < 10**9 and abs(mcid) not in _INTERNAL]


def _is_family(parts: ParticleParts) -> bool:
    """Names such as f_0, which EvtGen has for one state and papers for any of several."""
    return parts.base in {"f", "h", "a"} and not (parts.state or parts.charge or parts.prime)


def main() -> None:
    """Read, reduce, write."""
    states = particle_table().states
    numbered = (state.name for state in states.values() if state.mcid is not None)
    taken = {parts.name for name in numbered if (parts := parse_particle(name)) is not None}
    owners: dict[str, set[int]] = defaultdict(set)
    for mcid, name in notations():
        parts = parse_particle(name)
        if parts is not None and not _is_family(parts):
            owners[parts.name].add(mcid)
    lines = [
        f"{name}\t{next(iter(ids))}" for name, ids in owners.items() if len(ids) == 1 and name not in taken
    ]
    head = (
        "# Particle names in the normal form of particle_rules, and Monte Carlo numbers."
        " Data: scikit-hep particle (BSD-3-Clause), from the Particle Data Group (CC BY 4.0)."
    )
    TARGET.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
