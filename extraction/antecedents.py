"""What "their branching fractions" and "its lifetime" are about: decays and particles named before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from extraction.observables import ObservableMention, particle_name
from schemas.language.notation import find_decays

_KIND = re.compile(r"\b(?:mesons?|baryons?|states?|resonances?|hadrons?|bosons?|tetraquarks?|pentaquarks?)\b")
_NAMED = re.compile(r",?\s(?:denoted |called |named |known as )?(?:the |as )?(?P<name>\S{2,30})")
_TOKEN = re.compile(r"\S+")
_CLAUSE = re.compile(r"[,;]\s(?:and|while|whereas|but)\s|;\s|\s(?:while|whereas|but)\s|\sand\s(?=its\s)")
_BACK = 200
"""Characters before "baryons" in which its particles stand."""
_BETWEEN = frozenset({"and", "or", "the", ",", "&"})
_MOST = 6
"""With more candidates nothing is concluded."""


def with_antecedents(mention: ObservableMention, texts: Sequence[str]) -> list[ObservableMention]:
    """The mention completed by what the nearest of ``texts`` (nearest first) names; else nothing.

    >>> from extraction.observables import ObservableMention
    >>> incomplete = ObservableMention(0, 5, "", "{particle} mass", "", {}, False)
    >>> [m.name for m in with_antecedents(incomplete, ["The Λ_b^0 and Ξ_b^0 baryons are seen."])]
    ['Lambda_b0 mass', 'Xi_b0 mass']
    """
    slots = set(re.findall(r"\{(\w+)\}", mention.template))
    for text in texts:
        if slots == {"particle"}:
            names = particles_of(text)
            if 1 <= len(names) <= _MOST:
                return [of_particle(mention, name) for name in names]
        decays = list(dict.fromkeys(d.name for _, _, d in find_decays(text)))
        if slots == {"decay"} and 1 <= len(decays) <= _MOST:
            return [replace(mention, name=mention.template.replace("{decay}", name)) for name in decays]
        if slots == {"decay", "decay2"} and len(decays) == 2:
            filled = mention.template.replace("{decay}", decays[0]).replace("{decay2}", decays[1])
            return [replace(mention, name=filled)]
        if decays and slots <= {"decay", "decay2"}:
            return []
    return []


def of_particle(mention: ObservableMention, name: str) -> ObservableMention:
    """The mention as one of that particle."""
    return replace(
        mention,
        name=mention.template.replace("{particle}", name),
        particle=name,
        attributes={**mention.attributes, "particle": name},
    )


def particles_of(text: str) -> list[str]:
    """Canonical names of particles that a word such as "baryons" follows or introduces, in order.

    >>> particles_of("the Ξ_c^+ , Λ_c^+ and Ω_c^0 baryons in proton collisions")
    ['Xi_c+', 'Lambda_c+', 'Omega_c0']
    """
    found: dict[str, None] = {}
    for kind in _KIND.finditer(text):
        tokens = [m.group() for m in _TOKEN.finditer(text, max(0, kind.start() - _BACK), kind.start())]
        names: list[str] = []
        for token in reversed(tokens):
            name = particle_name(token)
            if name:
                names.append(name)
            elif token not in _BETWEEN:
                break
        after = _NAMED.match(text, kind.end())
        if after and particle_name(after["name"]):
            names.insert(0, particle_name(after["name"]))
        found |= dict.fromkeys(reversed(names))
    return list(found)


def owner(before: str, earlier: str) -> tuple[str, bool]:
    """The particle that "its" after ``before`` stands for, and whether any particle stands there at all.

    The nearest clause of the sentence that names a particle decides, else the nearest of the sentence
    ``earlier``; with two particles there nothing is concluded, and the parts of a decay are none.

    >>> owner("The Ξ_b^- mass is 5797 MeV and its", "The decay B^+ → J/ψ K^+ is used.")
    ('Xi_b-', True)
    >>> owner("and its", "The Ξ_b^- and the Ξ_b^0 are seen.")
    ('', True)
    """
    for text in (before, earlier):
        for clause in reversed(_CLAUSE.split(_without_decays(text))):
            names = {n for m in _TOKEN.finditer(clause) if (n := particle_name(m.group()))}
            if names:
                return (names.pop(), True) if len(names) == 1 else ("", True)
    return "", False


def _without_decays(text: str) -> str:
    for start, end, _ in reversed(find_decays(text)):
        text = text[:start] + " " + text[end:]
    return text
