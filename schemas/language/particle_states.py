"""Which excitation a name without a mass means, from the other names of a corpus alone.

EvtGen and everyday writing leave masses out. The convention: the bare name is the lightest state of its
family, a primed one the next, ``nS`` the n-th. Families whose ground state never carries a mass
(pseudoscalar mesons, the spin-1/2 baryons of each flavour) are counted from that state.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from schemas.language.particle_rules import ParticleParts

_Family = tuple[str, str, bool]
_UNMARKED = re.compile(
    "pi|K|eta|eta'|[DB](?:_s)?|B_c|p|n|(?:Lambda|Xi|Omega)(?:_[cb])?|Sigma(?:_b)?|Xi_cc"
)  # fmt: skip
_BARYONS = frozenset({"Sigma", "Xi", "Omega", "Lambda", "Delta", "N"})
_LEVELS = {"1S": 0, "2S": 1, "3S": 2}


def complete_states(names: Iterable[ParticleParts]) -> dict[ParticleParts, ParticleParts]:
    """Each name -> the name with its state, where ``names`` hold the state that it means.

    >>> bare = ParticleParts("K", subs="4", star="*")
    >>> full = replace(bare, state="2045")
    >>> complete_states([bare, full])[bare].name
    'K_4*(2045)'
    """
    every = set(names)
    masses = _masses(every)
    return {parts: _completed(parts, masses) for parts in every}


def _family(parts: ParticleParts, *, star: str | None = None) -> _Family:
    return (f"{parts.base}_{parts.subs}", parts.star if star is None else star, parts.partner)


def _masses(names: Iterable[ParticleParts]) -> dict[_Family, dict[str, set[int]]]:
    """Family -> charge -> masses in MeV."""
    found: dict[_Family, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    for parts in names:
        if parts.state.isdigit() and not parts.prime:
            found[_family(parts)][parts.charge.strip("+-") or "±"].add(int(parts.state))
    return found


def _completed(parts: ParticleParts, masses: Mapping[_Family, Mapping[str, set[int]]]) -> ParticleParts:
    level = _LEVELS.get(parts.state)
    if not parts.state and not parts.prime and parts.base in {"chi", "h"} and parts.subs[:1] in {"b", "c"}:
        return replace(parts, state="1P")
    ground = f"{parts.base}{'_' if parts.subs else ''}{parts.subs}"
    unmarked = _UNMARKED.fullmatch(ground) is not None and not parts.star
    heavy = parts.base in {"psi", "Upsilon", "chi", "h", "J/psi"} or any(f in parts.subs for f in "cb")
    if parts.state and (level is None or heavy or parts.star):
        return parts
    rank = (level or 0) + bool(parts.prime) - unmarked
    if rank < 0 or (parts.prime and parts.base in {"eta", "psi"}):
        return parts
    starless = parts.star and parts.base in _BARYONS
    states = masses.get(_family(parts, star="")) if starless else masses.get(_family(parts))
    if starless and not unmarked and states is not None and parts.subs:
        rank += _ground_has_mass(parts)
    known = sorted((states or {}).get(parts.charge.strip("+-") or "±", ()))
    if rank >= len(known):
        return parts
    return replace(parts, state=str(known[rank]), prime="", star="" if starless else parts.star)


def _ground_has_mass(parts: ParticleParts) -> bool:
    """Sigma_c(2455) is the one ground state of a starred family that is printed with its mass."""
    return (parts.base, parts.subs) == ("Sigma", "c")
