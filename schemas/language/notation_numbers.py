"""Monte Carlo numbers of what a notation can stand for, particle by particle."""

from __future__ import annotations

import re

from schemas.language.notation import DecayName, canonical_particle, parse_chain, parse_decay, prepared
from schemas.language.notation_fold import plain_latex
from schemas.language.notation_scan import arrows
from schemas.language.particle_ids import numbers_of

_FLAVOUR = re.compile(r"B_\{?([sd])\}?")
_NEUTRAL = {"s": 531, "d": 511}


def particle_numbers(text: str) -> frozenset[int]:
    """Monte Carlo numbers of the particles that a notation can stand for; empty where it is no particle.

    Without a charge, ``B_s`` and ``B_d`` are both flavours, as every symbol without one.

    >>> sorted(particle_numbers("B_s")), sorted(particle_numbers("B_s^0")), sorted(particle_numbers("K^*"))
    ([-531, 531], [531], [-323, -313, 313, 323])
    """
    found = _FLAVOUR.fullmatch(plain_latex(text.strip("$ ")).replace(" ", ""))
    if found:
        return frozenset({_NEUTRAL[found[1]], -_NEUTRAL[found[1]]})
    name = canonical_particle(text)
    return frozenset() if name is None else numbers_of(name)


def decay_numbers(text: str) -> tuple[frozenset[int], tuple[frozenset[int], ...]] | None:
    """Monte Carlo numbers of a decay's parent, and of each product; None where the text is no decay.

    Of a chain, those of its first step. No product is narrowed by its neighbours: a neutrino without a bar
    and flavour is written for antineutrinos as well.

    >>> parent, products = decay_numbers("B_s -> mu+ mu-")
    >>> sorted(parent), [sorted(numbers) for numbers in products]
    ([-531, 531], [[-13], [13]])
    >>> [sorted(numbers) for numbers in decay_numbers("B0 -> J/psi K*0, J/psi -> mu+ mu-")[1]]
    [[443], [313]]
    >>> [[len(numbers) for numbers in decay_numbers(d)[1]] for d in ("W -> mu nu", "W- -> mu- nu")]
    [[2, 6], [1, 6]]
    """
    decay = parse_decay(text) or _first_step(text)
    if decay is None:
        return None
    ready = prepared(text)
    marks = arrows(ready)
    written = ready[: marks[0][0]].strip() if marks else ""
    parent = particle_numbers(written) if _FLAVOUR.fullmatch(written) else numbers_of(decay.parent)
    return parent, tuple(map(numbers_of, decay.children))


def _first_step(text: str) -> DecayName | None:
    """The first step of a chain in which every other is of the same parent, or of an earlier product."""
    steps = parse_chain(text) or ()
    known = {steps[0].parent} if steps else set()
    for step in steps:
        if step.parent not in known:
            return None
        known.update(step.children)
    return steps[0] if steps else None
