"""The table of particle names: charges, masses, former names, and the masses that writers leave out.

``particles.tsv`` is made from the tables of the Particle Data Group (CC BY 4.0) by
``scripts/make_particle_table.py``; its first line names the source.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_CHARGE = re.compile(r"(\+\+|--|\+-|-\+|[+\-0])$")

# What a bare name means in the literature and in PDG decay listings (pdgitem_map: phi is phi(1020)).
# Names that several states share (f_0, K_1, D_s1) are left out on purpose.
DEFAULT_MASS = {
    "K*": "892",
    "rho": "770",
    "omega": "782",
    "eta'": "958",
    "phi": "1020",
    "a_1": "1260",
    "b_1": "1235",
    "J/psi": "1S",
    "eta_c": "1S",
    "eta_b": "1S",
    "psi'": "2S",
    "chi_c0": "1P",
    "chi_c1": "1P",
    "chi_c2": "1P",
    "chi_b0": "1P",
    "chi_b1": "1P",
    "chi_b2": "1P",
    "Upsilon": "1S",
    "h_b": "1P",
    "h_c": "1P",
    "Sigma_c": "2455",
    "Delta": "1232",
    "D_s0*": "2317",
    "T_c_c": "3875",
}


@dataclass(frozen=True, slots=True)
class Particle:
    """One state: ``thirds`` is three times its charge, ``mass`` in MeV (0 where unknown)."""

    name: str
    mcid: int | None
    thirds: int
    mass: float


@dataclass(frozen=True, slots=True)
class ParticleTable:
    """All states by canonical name, former names, and the states of each name without charge."""

    states: dict[str, Particle]
    former: dict[str, str]
    members: dict[str, tuple[str, ...]]

    def mass(self, name: str) -> float:
        """Mass in MeV of a state, of the lightest state of a generic name, or the number in its name."""
        if name in self.states:
            return self.states[name].mass
        stem = split_charge(name)[0]
        known = [self.states[m].mass for m in self.members.get(stem, ())]
        if known:
            return min(known)
        number = re.search(r"\((\d{3,5})\)", name)
        return float(number[1]) if number else 0.0

    def thirds(self, name: str) -> int | None:
        """Three times the charge; None where the name does not tell (``K``, ``lepton+-``)."""
        if name in self.states:
            return self.states[name].thirds
        charge = split_charge(name)[1]
        if charge in {"+", "-", "++", "--"}:
            return 3 * len(charge) * (1 if charge[0] == "+" else -1)
        return 0 if charge == "0" or name in {"K0S", "K0L"} or name.startswith(("nu", "nubar")) else None


def split_charge(name: str) -> tuple[str, str]:
    """Name without charge, and the charge: ``K*(892)0`` is ``K*(892)`` and ``0``.

    >>> split_charge("Delta(1232)++")
    ('Delta(1232)', '++')
    """
    if re.search(r"_[scb]?\d$", name) or name in {"K0S", "K0L"}:
        sub = re.search(r"_(?:[a-z]+)0$", name)
        if sub is None or name.startswith(("chi_", "h_")):
            return name, ""
    found = _CHARGE.search(name)
    return (name[: found.start()], found[0]) if found else (name, "")


@cache
def particle_table() -> ParticleTable:
    """The packaged table, read once."""
    states: dict[str, Particle] = {}
    former: dict[str, str] = {}
    members: dict[str, list[str]] = {}
    text = files("schemas.language").joinpath("particles.tsv").read_text(encoding="utf-8")
    for line in text.splitlines()[1:]:
        cells = line.split("\t")
        if cells[0].startswith("="):
            former[cells[0][1:]] = cells[1]
            continue
        name, mcid, thirds, mass = cells
        states.setdefault(name, Particle(name, int(mcid) if mcid else None, int(thirds), float(mass)))
        members.setdefault(split_charge(name)[0], []).append(name)
    return ParticleTable(states, former, {stem: tuple(names) for stem, names in members.items()})
