"""Write schemas/language/particles.tsv from the names of the PDG tables and the masses of ``particle``.

Run by hand for a new edition: ``python scripts/make_particle_table.py``. Both sources carry CC BY 4.0
data of the Particle Data Group; the first line of the file says so.
"""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from pathlib import Path

import pdg
from particle import Particle, ParticleNotFound

TARGET = Path(__file__).resolve().parents[1] / "schemas" / "language" / "particles.tsv"


def tidy(name: str) -> str:
    """PDG table notation as PDG description notation: ``B_s()0`` is ``B_s0``, ``K(S)0`` is ``K0S``."""
    name = name.replace("()", "").replace("^", "")
    return re.sub(r"^K\(([SL])\)0$", r"K0\1", name)


def mass_of(mcid: int | None) -> float:
    """Mass in MeV, 0 where the tables have none."""
    if mcid is None:
        return 0.0
    try:
        return float(Particle.from_pdgid(mcid).mass or 0.0)
    except ParticleNotFound:
        return 0.0


def main() -> None:
    """Read, reduce, write."""
    path = Path(pdg.__file__).parent / "pdg.sqlite"
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    rows = db.execute("select name, mcid, charge from pdgparticle order by id").fetchall()
    stems = defaultdict(set)
    for name, _, charge in rows:
        stems[re.sub(r"(\+\+|--|[+\-0])$", "", tidy(name).replace("bar", ""))].add(abs(charge))
    generic = {tidy(r[0]) for r in db.execute("select name from pdgitem where item_type = 'G'")}
    lines = []
    for name, mcid, charge in rows:
        plain = tidy(name)
        stem = plain[:-1]
        unbarred = stem.replace("bar", "")
        # A neutral state without charged partners drops its 0, as PDG descriptions do: phi(1020), Lambda.
        single = unbarred in generic and stems[unbarred] == {0.0} and not re.match(r"[BDK]", stem)
        named = "(" in stem or stem.startswith("Lambda")
        if single and named and plain.endswith("0") and "_" not in stem.split("(")[0][6:]:
            plain = stem
        lines.append(f"{plain}\t{mcid or ''}\t{round(3 * charge)}\t{mass_of(mcid):g}")
    # The tables list some charmed baryons of unknown charge as neutral.
    lines = [x for x in lines if not re.match(r"Lambda(bar)?_c\(\d+\)0\t|Axions|T_c c", x)]
    olds = db.execute(
        "select a.name, t.name from pdgitem_map m join pdgitem a on a.id = m.pdgitem_id"
        " join pdgitem t on t.id = m.target_id where a.item_type in ('A', 'W') order by a.id"
    )
    aliases = [f"={tidy(old)}\t{tidy(new)}" for old, new in olds if " " not in old]
    head = (
        "# Particle names, Monte Carlo numbers, charges (thirds of e), masses (MeV; 0 unknown);"
        " then former names. Data: Particle Data Group, Int. J. Mod. Phys. A 41, 2630011 (2026), CC BY 4.0."
    )
    TARGET.write_text("\n".join([head, *dict.fromkeys(lines), *aliases]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
