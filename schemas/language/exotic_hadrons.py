"""Names of tetraquarks and pentaquarks: those of papers in the scheme of the listings.

Papers leave out the antiquarks that a letter implies, or name a hidden pair by its quarkonium; the listings
spell every quark ("Naming scheme for hadrons" in the Review of Particle Physics; arXiv:2206.15233 for the
scheme with ``psi``). A state is told by its mass in brackets, so a name without one is left as it is.
"""

from __future__ import annotations

import re
from typing import Final

from schemas.language.particles import particle_table

BASES: Final = frozenset({"P", "T", "Z"})
_PAIRS: Final = {"psi": ("c", "cbar"), "ψ": ("c", "cbar"), "Upsilon": ("b", "bbar"), "Υ": ("b", "bbar")}
_HEAVY: Final = ("c", "b")
_QUARK: Final = r"(?:‾\s*\{?\s*[udscb]\s*\}?|[udscb](?:bar|[\u0304\u0305])?|psi|ψ|Upsilon|Υ)"
_SPACED: Final = rf"{_QUARK}(?:[\s_]?{_QUARK}){{0,3}}[\s_]?"
_RUN: Final = rf"{_QUARK}{{1,4}}"
SUBSCRIPT: Final = re.compile(
    rf"_\{{?\s*(?P<quarks>{_SPACED})(?P<spin>[0-5]?)\s*\}}?(?=[\s(^*+\-_]|0(?!\d)|$)"
    rf"|(?P<plain>{_RUN})(?P<turn>[0-5]?)(?=[\^{{}}*+\-0]{{0,6}}\(\d{{3,5}}\))"
)
"""The quarks that a name holds, and a spin: below the line, or in plain ASCII before a mass."""
ISOSPIN: Final = re.compile(
    r"\^\{?\s*(?:N|Lambda|Λ|Sigma|Σ|Delta|Δ|Xi|Ξ|Omega|Ω|pi|π|eta|η|omega|ω|rho|ρ|theta|θ|[abfhK])\s*\}?(?![a-z])"
)
"""The letter that tells the isospin, which the listings do not write."""


def quarks(text: str) -> tuple[str, ...]:
    """The quarks of a subscript, a hidden pair as its quark and antiquark.

    >>> quarks("c‾{c}s"), quarks("ccbar"), quarks("psi s")
    (('c', 'cbar', 's'), ('c', 'cbar'), ('c', 'cbar', 's'))
    """
    found: list[str] = []
    for piece in re.findall(_QUARK, text):
        if piece in _PAIRS:
            found.extend(_PAIRS[piece])
        else:
            letter = re.sub(r"bar|[^a-z]", "", piece)
            found.append(letter if piece == letter else f"{letter}bar")
    return tuple(found)


def spelled(base: str, subs: tuple[str, ...], mass: str) -> tuple[str, tuple[str, ...]]:
    """Letter and subscripts in the scheme of the listings; as they are for any other name.

    A pentaquark with one heavy quark has its antiquark too; so has a ``Z``, which is a tetraquark of spin 1.

    >>> spelled("P", ("c", "s"), "4459"), spelled("Z", ("c", "s"), "4220"), spelled("T", ("c", "c"), "3875")
    (('P', ('c', 'cbar', 's')), ('T', ('c', 'cbar', 'sbar', '1')), ('T', ('c', 'c')))
    """
    heavy = [q for q in subs if q in _HEAVY]
    hidden = any(f"{q}bar" in subs for q in heavy)
    if not mass or base not in BASES or hidden or len(heavy) != 1 or base == "T":
        return base, subs
    (quark,) = heavy
    at = subs.index(quark) + 1
    if base == "P":
        return base, (*subs[:at], f"{quark}bar", *subs[at:])
    rest = tuple(f"{q}bar" for q in subs[at:] if q.isalpha())
    return "T", (quark, f"{quark}bar", *rest, "1")


def former(base: str, subs: tuple[str, ...], mass: str, charge: str) -> str:
    """The name under which the listings' table of former names has it, or empty.

    >>> former("P", ("c",), "4450", "+"), former("P", ("c",), "4312", "+")
    ('P_c(4450)', '')
    """
    name = f"{base}_{''.join(subs)}({mass})"
    known = particle_table().former
    return name if name in known or name + charge in known else ""
