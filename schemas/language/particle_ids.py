"""Monte Carlo particle numbers of names, and antiparticles.

``notations.tsv`` (made by ``scripts/make_notation_table.py``) has the names of EvtGen, LaTeX tables and
Monte Carlo event records that the rules alone cannot place, such as ``D'_10`` for ``D_1(2430)0``.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from schemas.language.particle_rules import ParticleParts, parse_particle
from schemas.language.particles import particle_table, split_charge

_SIGN = str.maketrans("+-", "-+")
_SELF_CONJUGATE = re.compile(r"(?:gamma|Z|H|eta|omega|phi|psi|J/psi|chi|Upsilon|f|h|X)(?:$|[^a-z'].*|'.*)")
_FAMILIES = {"lepton": (11, 13), "nu": (12, 14, 16), "nu_lepton": (12, 14)}
_SEVERAL = {"D*": ("D*(2007)", "D*(2010)")}
_NEUTRAL_LIGHT = frozenset({"pi", "rho", "a", "b"})


@cache
def _numbers() -> dict[str, int]:
    """Normal form of ``particle_rules`` -> Monte Carlo number, of both tables."""
    known: dict[str, int] = {}
    text = files("schemas.language").joinpath("notations.tsv").read_text(encoding="utf-8")
    for line in text.splitlines()[1:]:
        name, number = line.split("\t")
        known[name] = int(number)
    for state in particle_table().states.values():
        parts = parse_particle(state.name)
        if parts is not None and state.mcid is not None:
            known[parts.name] = state.mcid
    return known


@cache
def _names() -> dict[int, str]:
    """Monte Carlo number -> canonical name."""
    names: dict[int, str] = {}
    for name, number in _numbers().items():
        names.setdefault(number, name)
    for name in particle_table().states:
        known = number_of(name)
        if known is not None:
            names[known] = name
    return names


def look_up(parts: ParticleParts) -> str | None:
    """Canonical name of the particle that the tables have under this normal form, or None.

    >>> from schemas.language.particle_rules import parse_particle
    >>> look_up(parse_particle("D'_10")), look_up(parse_particle("K_2st_1430_0_bar"))
    ('D_1(2430)0', 'Kbar_2*(1430)0')
    """
    number = _numbers().get(parts.name)
    return None if number is None else _names()[number]


def number_of(name: str) -> int | None:
    """Monte Carlo number of a canonical name; None where it has none.

    >>> number_of("B_s0"), number_of("Lambdabar_c-"), number_of("K")
    (531, -4122, None)
    """
    state = particle_table().states.get(name)
    if state is not None and state.mcid is not None:
        return state.mcid
    parts = parse_particle(name)
    return None if parts is None else _numbers().get(parts.name)


def numbers_of(name: str) -> frozenset[int]:
    """Monte Carlo numbers of all particles that a canonical name can stand for.

    A name without charge stands for every charge, particles and antiparticles alike (``D`` for four),
    one with a bar for the antiparticles, ``+-`` for both charges, ``nu`` for all neutrinos, ``lepton`` for
    e and mu.

    >>> sorted(numbers_of("pi+-")), sorted(numbers_of("D")), sorted(numbers_of("Dbar"))
    ([-211, 211], [-421, -411, 411, 421], [-421, -411])
    >>> sorted(numbers_of("lepton+")), sorted(numbers_of("nubar"))
    ([-13, -11], [-16, -14, -12])
    """
    number = number_of(name)
    if number is not None:
        return frozenset({number})
    stem, charge = split_charge(name)
    if charge in {"+-", "-+"}:
        return frozenset(n for sign in "+-" for n in numbers_of(stem + sign))
    bar = "bar" in stem
    plain = stem.replace("bar", "", 1)
    if plain in _FAMILIES:
        sign = (
            {"": 0, "+": -1, "-": 1}.get(charge, 0)
            if plain == "lepton"
            else -1
            if bar
            else 1
            if "_" in plain
            else 0
        )
        return frozenset(n * s for n in _FAMILIES[plain] for s in ((sign,) if sign else (1, -1)))
    if charge:
        return frozenset()
    stems = _SEVERAL.get(plain, (plain,))
    barred = (re.sub(r"^([A-Za-z]+)", r"\1bar", s, count=1) for s in stems)
    members = [m for s in (*stems, *barred) for m in particle_table().members.get(s, ())]
    numbers = frozenset(n for m in members if (n := number_of(m)) is not None)
    return frozenset(n for n in numbers if n < 0) if bar else numbers


def conjugate_particle(name: str) -> str:
    """Canonical name of the antiparticle; of a self-conjugate particle its own name.

    Where no table has the particle, bar and charge are turned. ``conjugate(conjugate(x)) == x`` for every
    canonical name.

    >>> [conjugate_particle(n) for n in ("B_s0", "K-", "J/psi(1S)", "Lambda_c+", "K0S")]
    ['Bbar_s0', 'K+', 'J/psi(1S)', 'Lambdabar_c-', 'K0S']
    """
    number = number_of(name)
    if number is not None and number != 0:
        other = _names().get(-number)
        return name if other is None else other
    if name in {"K0S", "K0L", "X", "anything"}:
        return name
    stem, charge = split_charge(name)
    turned = charge.translate(_SIGN)
    parts = parse_particle(name)
    if (
        parts is None
        or charge in {"+-", "-+"}
        or (parts.charge in {"+", "-"} and parts.base in _NEUTRAL_LIGHT)
    ):
        return stem + turned
    if _SELF_CONJUGATE.fullmatch(stem):
        return stem + turned
    bare = stem.replace("bar", "", 1) if "bar" in stem else re.sub(r"^([A-Za-z]+)", r"\1bar", stem, count=1)
    return bare + turned
