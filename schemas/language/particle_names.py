"""Canonical names of particles: the spelling of the tables, whatever notation a source uses."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from schemas.language import exotic_hadrons
from schemas.language.notation_fold import plain_latex
from schemas.language.notation_scan import Scanned, prepare, scan_particle
from schemas.language.particle_ids import look_up
from schemas.language.particle_rules import ParticleParts, parse_particle
from schemas.language.particles import DEFAULT_MASS, particle_table

_SAME_MASS = 2.0
"""MeV: a mass in brackets is rounded, or an old one."""
_ROLES = frozenset({"s", "sl", "slow", "soft", "fast", "tag", "bach", "bachelor"})
"""Subscripts that tell what a pion or kaon is in a chain, and no flavour."""
_NEEDS_MORE = {"a", "f", "h", "l", "N", "P", "T", "Y"}


def _assemble(base: str, part: Scanned, *, bar: bool) -> str:
    subs = "".join(f"_{s}" for s in part.subs if s)
    mass = f"({part.mass})" if part.mass else ""
    return f"{base}{'bar' if bar else ''}{subs}{part.star}{part.prime}{mass}"


def _with_default_mass(stem: str, charge: str) -> str:
    plain = stem.replace("bar", "", 1)
    if plain == "psi'":
        return "psi(2S)"
    if plain == "D*":
        mass = {"0": "(2007)", "": ""}.get(charge, "(2010)")
        return stem + mass
    if plain in {"Sigma_c", "Delta"} and not charge:
        return stem
    mass = DEFAULT_MASS.get(plain, "")
    return f"{stem}({mass})" if mass else stem


def _resolve(stem: str, charge: str) -> str:
    """The table's spelling of a name, or the name itself."""
    table = particle_table()
    former = table.former.get(stem + charge) or table.former.get(stem)
    if former:
        stem, charge = (former, charge) if former not in table.states else (former, "")
    for name in (stem + charge, stem if charge == "0" else ""):
        if name and name in table.states:
            return name
    if charge and stem in table.states and charge == "+" and stem in {"p", "n"}:
        return stem
    other = stem.replace("bar", "", 1) if "bar" in stem else re.sub(r"^([A-Za-z]+)", r"\1bar", stem, count=1)
    if charge in {"+", "-", "++", "--"} and other + charge in table.states:
        return other + charge
    if charge == "-" and other in table.states and stem == "p":
        return other
    ground = re.fullmatch(r"([^()]+)\((\d{3,4})\)", stem)
    if ground:  # the mass of a state that goes without one: Lambda(1116)
        state = table.states.get(ground[1] + charge) or table.states.get(ground[1])
        if state is not None and abs(state.mass - float(ground[2])) < _SAME_MASS:
            return state.name
    if not charge and "(" not in stem:
        plain = [n for n in table.members.get(stem.replace("bar", "", 1), ()) if "bar" not in n]
        states = [n for n in table.members.get(stem, ()) if ("bar" in n) == ("bar" in stem)]
        if len(states) == len(plain) == 1:
            return states[0]
    unstarred = stem.replace("*(", "(", 1)  # a star for an excitation whose name is its mass: Lambda*(1520)
    if unstarred != stem and not {unstarred, unstarred + charge}.isdisjoint(table.states):
        return _resolve(unstarred, charge)
    return stem + charge


def canonical_scanned(part: Scanned) -> str | None:
    """Canonical name of a scanned particle; None for letters that name no particle on their own."""
    base, subs = part.base, part.subs
    if base in _NEEDS_MORE and not (subs or part.mass or (part.charge and base in "lh")):
        return None
    if base == "K" and subs and subs[-1] in {"S", "L"}:
        return f"K0{subs[-1]}"
    if base in {"B", "D"} and subs in {("d",), ("u",)}:
        part = _without_subs(part)
    if base in {"pi", "K"} and set(subs) & _ROLES:
        part, subs = _without_subs(part), ()
    if any(len(sub) > 2 and sub in _ROLES for sub in subs):
        return None
    if base == "X" and subs and not part.mass:
        return _assemble(base, part, bar=part.bar) + part.charge
    if base in {"X", "anything"}:
        return (
            base
            if base == "anything" or not part.mass
            else _resolve(_assemble(base, part, bar=False), part.charge)
        )
    if base == "l":
        base = "lepton"
    if base in exotic_hadrons.BASES and subs:
        old = exotic_hadrons.former(base, subs, part.mass, part.charge)
        if old:
            return _resolve(old, part.charge)
        base, subs = exotic_hadrons.spelled(base, subs, part.mass)
        part = replace(part, subs=subs)
    stem = _assemble(base, part, bar=part.bar)
    if not part.mass:
        stem = _with_default_mass(stem, part.charge)
    return _resolve(stem, part.charge)


def _without_subs(part: Scanned) -> Scanned:
    return replace(part, subs=())


@lru_cache(maxsize=65_536)
def canonical_particle(text: str, *, lookup: bool = True) -> str | None:
    """Canonical name of a particle in any notation; None when the text is not one particle.

    With ``lookup`` the name is the tables' (``particles.tsv``, ``notations.tsv``), with the masses that
    writers leave out; without, the normal form that the grammar of ``particle_rules`` gives. Idempotent.

    >>> canonical_particle("B^0_s"), canonical_particle("J/ψ"), canonical_particle("K^{*0}")
    ('B_s0', 'J/psi(1S)', 'K*(892)0')
    >>> canonical_particle(r"\\overline{B}{}^0_s"), canonical_particle("anti-D0")
    ('Bbar_s0', 'Dbar0')
    >>> [canonical_particle(t) for t in ("K(2)*(1430)~0", "K_2st_1430_0_bar", r"\\Kstarz")]
    ['Kbar_2*(1430)0', 'Kbar_2*(1430)0', 'K*(892)0']
    >>> canonical_particle("K(2)*(1430)~0", lookup=False)
    'anti-K_2*(1430)0'
    """
    if not lookup:
        parts = parse_particle(text)
        return None if parts is None else parts.name
    if text in particle_table().states:
        return text
    parts = parse_particle(text)
    if parts is not None and "~" in text and "\\" not in text:  # an antiparticle's mark, not a blank
        return look_up(parts) or _scanned(_spelled(parts))
    name = _scanned(plain_latex(text.strip()))
    if parts is None or name in particle_table().states:
        return name
    if name is not None and not (parts.charge or parts.prime or parts.base in {"p", "n", "psi"}):
        return name  # a family: EvtGen's f_0 is one state, a paper's any of several
    return look_up(parts) or name or (_scanned(_spelled(parts)) if parts.charge or parts.state else None)


def canonical_part(part: Scanned, written: str) -> str | None:
    """Canonical name of a scanned particle, of which ``written`` is the text."""
    name = canonical_scanned(part)
    return name if name is None or name in particle_table().states else canonical_particle(written) or name


def _scanned(text: str) -> str | None:
    ready = prepare(text).text.strip()
    part = scan_particle(ready, 0)
    return None if part is None or ready[part.end :].strip("} ") else canonical_scanned(part)


def _spelled(parts: ParticleParts) -> str:
    """The name as PDG descriptions spell it, which the scanner reads."""
    return parts.name.replace("anti-~", "anti-")
