"""Particles and decays in words: "charged pion", "B_s0 decays to phi mu mu", charges left to conservation."""

from __future__ import annotations

import re
from functools import lru_cache

from schemas.language.notation import DecayName, canonical_particle, make_decay, parse_decay
from schemas.language.notation_fold import plain_latex
from schemas.language.particles import particle_table, split_charge

_NOUNS = {
    "proton": "p", "antiproton": "pbar", "neutron": "n", "antineutron": "nbar", "electron": "e-",
    "positron": "e+", "photon": "gamma", "gluon": "g", "muon": "mu", "pion": "pi", "kaon": "K",
    "tau lepton": "tau", "tauon": "tau",
    "higgs": "H", "higgs boson": "H", "z": "Z0", "z boson": "Z0", "w": "W", "w boson": "W",
    "top quark": "t", "bottom quark": "b", "beauty quark": "b", "charm quark": "c", "strange quark": "s",
    "up quark": "u", "down quark": "d", "electron neutrino": "nu_e", "muon neutrino": "nu_mu",
    "tau neutrino": "nu_tau", "neutrino": "nu", "antineutrino": "nubar", "antimuon": "mu+",
    "short lived neutral kaon": "K0S", "long lived neutral kaon": "K0L", "lambda": "Lambda",
    "k long": "K0L", "k short": "K0S", "long lived kaon": "K0L", "short lived kaon": "K0S",
    "eta prime": "eta'(958)",
}  # fmt: skip
NOUN_WORDS = frozenset(word for name in _NOUNS for word in name.split())
"""All words of the names."""
_SIGNS = {"charged": "+-", "neutral": "0", "positive": "+", "negative": "-",
          "positively charged": "+", "negatively charged": "-"}  # fmt: skip
_SPOKEN = re.compile(
    r"(?P<symbol>(?:pi|K|D|B|D_s|B_c|mu|e|W|Sigma|Xi|Omega|Lambda_c|Xi_c|Xi_b|Omega_b|Sigma_c|Delta|rho)\*?)"
    r"[ -](?P<charge>plus plus|plus|minus|zero|nought)"
)
_CHARGES = {"plus plus": "++", "plus": "+", "minus": "-", "zero": "0", "nought": "0"}
_SIGNED = re.compile(rf"({'|'.join(sorted(_SIGNS, key=len, reverse=True))}) (\w+)")
_FAMILIES = {name.lower(): name for name in ("Sigma", "Xi", "Omega", "Delta", "D", "B", "K", "rho", "pi")}
"""Symbols that stand for several charges: "the negative Xi"."""
_CLASS = re.compile(
    r"[ -]+(?:mesons?|baryons?|bosons?|leptons?|hadrons?|hyperons?|quarks?|resonances?|states?)$"
)
_LEPTONS = ("e", "mu", "tau", "lepton")
_PAIR = 2
_ONE = 3
"""A charge of one, in thirds."""
_FINAL_STATE = re.compile(r"(?:the )?(.+?) final states? of (?:the )?(.+)")
_DECAYS_TO = re.compile(
    r"(?:the )?(?:decays? of (?:the |an? )?)?(.+?)(?: mesons?| baryons?)?"
    r" (?:decays?|decaying|going|goes)? ?(?:in)?to (?:an? |the )?(.+?)(?: decays?)?"
)


@lru_cache(maxsize=65_536)
def particle_in_words(text: str) -> str | None:
    """Canonical particle of a name in words or in notation; None where it is neither.

    >>> [particle_in_words(t) for t in ("charged pion", "B0 meson", "antiproton", "trigger", "Omega minus")]
    ['pi+-', 'B0', 'pbar', None, 'Omega-']
    >>> particle_in_words("negative Xi"), particle_in_words("neutral Xi hyperon")
    ('Xi-', 'Xi0')
    """
    plain = text.strip()
    name = canonical_particle(plain)
    if name is not None:
        return name
    spoken = _SPOKEN.fullmatch(plain)
    if spoken is not None:
        return canonical_particle(spoken["symbol"] + _CHARGES[spoken["charge"]])
    low = plain.lower().replace("-", " ")
    noun = _NOUNS.get(low) or _NOUNS.get(low.removesuffix("s"))
    if noun is not None:
        return canonical_particle(noun)
    signed = _SIGNED.fullmatch(low)
    if signed is not None:
        base = _NOUNS.get(signed[2]) or _NOUNS.get(signed[2].removesuffix("s"))
        base = base or _FAMILIES.get(signed[2])
        return canonical_particle(split_charge(base)[0] + _SIGNS[signed[1]]) if base else None
    shorter = _CLASS.sub("", plain)
    return particle_in_words(shorter) if shorter != plain else None


@lru_cache(maxsize=65_536)
def decay_in_words(text: str) -> DecayName | None:
    """The decay that a text names in notation or in words, its charges completed where there is no choice.

    >>> decay_in_words("phi mu mu final state of Bs0").name
    'B_s0 -> phi(1020) mu+ mu-'
    >>> decay_in_words("B+ meson decaying to K+ e e").name
    'B+ -> K+ e+ e-'
    """
    decay = parse_decay(text)
    if decay is None:
        plain = " ".join(plain_latex(text).replace("$", " ").split())
        found = _FINAL_STATE.fullmatch(plain)
        parts = (found[2], found[1]) if found else None
        turned = _DECAYS_TO.fullmatch(plain) if parts is None else None
        parts = (turned[1], turned[2]) if turned else parts
        if parts is None:
            return None
        products = re.sub(r"\s*(?:,|\band\b)\s*", " ", parts[1])
        decay = parse_decay(f"{particle_in_words(parts[0]) or parts[0]} -> {products}")
    return None if decay is None else charges_completed(decay)


def charges_completed(decay: DecayName) -> DecayName:
    """Pairs of one charged lepton or light meson without sign become one of each sign: ``mu mu`` in a decay.

    >>> charges_completed(parse_decay("B+ -> K+ mu mu")).name
    'B+ -> K+ mu+ mu-'
    """
    children = list(decay.children)
    for name in ("e", "mu", "tau", "lepton"):
        if children.count(name) == 2 and _neutral_rest(decay, name):
            children = [c for c in children if c != name] + [f"{name}+", f"{name}-"]
    for name in ("K", "pi", "p"):
        if children.count(name) == 2 and _neutral_rest(decay, name):
            pair = ["p", "pbar"] if name == "p" else [f"{name}+", f"{name}-"]
            children = [c for c in children if c != name] + pair
    return make_decay(decay.parent, tuple(children)) if children != list(decay.children) else decay


def leptons_signed(decay: DecayName) -> DecayName:
    """Leptons of one kind without a sign with those that the parent's charge leaves, and their neutrinos.

    A lepton that decays is given as the negative one.

    >>> [leptons_signed(parse_decay(d)).name for d in ("tau -> mu mu mu", "B+ -> tau nu", "B0 -> K+ mu mu")]
    ['tau- -> mu+ mu- mu-', 'B+ -> tau+ nu_tau', 'B0 -> K+ mu mu']
    >>> [leptons_signed(parse_decay(d)).name for d in ("D0 -> K- e nu", "Z0 -> tau mu", "B_s0 -> K- mu+ nu")]
    ['D0 -> K- e+ nu_e', 'Z0 -> tau+- mu-+', 'B_s0 -> K- mu+ nu_mu']
    >>> leptons_signed(parse_decay("mu -> e- gamma")).name
    'mu- -> e- gamma'
    """
    parent = f"{decay.parent}-" if decay.parent in _LEPTONS else decay.parent
    children = _with_flavour(list(decay.children))
    unsigned = [c for c in children if c in _LEPTONS]
    rest = [c for c in children if c not in _LEPTONS]
    if len(set(unsigned)) == len(unsigned) == len(children) == _PAIR and particle_table().thirds(parent) == 0:
        return make_decay(parent, (f"{unsigned[0]}+-", f"{unsigned[1]}-+"))
    charges = [particle_table().thirds(c) for c in (parent, *("nu_e" if c == "nu" else c for c in rest))]
    if not unsigned:
        parent = _charged_parent(decay.parent, rest)
        same = (parent, children) == (decay.parent, list(decay.children))
        return decay if same else make_decay(parent, tuple(children))
    if len(set(unsigned)) != 1 or None in charges:
        return decay
    missing, odd = divmod((charges[0] or 0) - sum(c or 0 for c in charges[1:]), _ONE)
    plus, half = divmod(len(unsigned) + missing, 2)
    if odd or half or not 0 <= plus <= len(unsigned):
        return decay
    name = unsigned[0]
    signed = [f"{name}+"] * plus + [f"{name}-"] * (len(unsigned) - plus)
    if len(unsigned) == 1 and rest.count("nu") == 1 and parent == decay.parent:
        rest[rest.index("nu")] = f"nu_{name}" if plus else f"nubar_{name}"
    return make_decay(parent, (*rest, *signed))


def _charged_parent(parent: str, children: list[str]) -> str:
    """A lepton without a sign with that of what it decays to: ``mu -> e- gamma`` is ``mu- -> e- gamma``."""
    charges = [particle_table().thirds("nu_e" if c == "nu" else c) for c in children]
    if parent not in _LEPTONS or None in charges:
        return parent
    signs = {_ONE: "+", -_ONE: "-"}
    return parent + signs.get(sum(c or 0 for c in charges), "")


def _with_flavour(children: list[str]) -> list[str]:
    """The neutrino of the one lepton with a sign beside it."""
    signed = [c for c in children if c[:-1] in _LEPTONS and c[-1] in "+-"]
    if len(signed) != 1 or children.count("nu") != 1:
        return children
    flavour = f"nu_{signed[0][:-1]}" if signed[0].endswith("+") else f"nubar_{signed[0][:-1]}"
    return [flavour if c == "nu" else c for c in children]


def _neutral_rest(decay: DecayName, name: str) -> bool:
    """Whether the other products have the parent's charge, so that the pair is neutral."""
    if name == "p" and "pbar" in decay.children:
        return False
    table = particle_table()
    parent = table.thirds(decay.parent)
    rest = [table.thirds(child) for child in decay.children if child != name]
    return parent is not None and None not in rest and parent == sum(c for c in rest if c is not None)
