r"""Decays that a macro's name spells, for sources that came without its definition: ``\BuToKll``.

Read only where the whole text is one unknown macro. Charges that the name leaves open follow from charge and
baryon number; where these leave two choices, the name is not read.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import product

from schemas.language.particles import particle_table

_PARENTS = {
    "Lb": "Lambda_b0", "Lc": "Lambda_c+", "Bs": "B_s0", "Bd": "B0", "Bz": "B0", "Bu": "B+", "Bp": "B+",
    "Bc": "B_c+", "Ds": "D_s+", "Dz": "D0", "Dp": "D+", "Dstp": "D*(2010)+", "Dst": "D*(2010)+",
    "Xibm": "Xi_b-", "Omegab": "Omega_b-", "B": "B", "b": "b",
}  # fmt: skip
_PRODUCTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("jpsi", "Jpsi", "JPs", "JPsi", "jps"), ("J/psi(1S)",)),
    **dict.fromkeys(("psitwos", "psiTwoS", "psi2S"), ("psi(2S)",)),
    **dict.fromkeys(("phi", "Phi"), ("phi(1020)",)),
    **dict.fromkeys(("mumu", "MuMu", "mm", "mupmum"), ("mu+", "mu-")),
    **dict.fromkeys(("ee", "EE", "epem"), ("e+", "e-")),
    **dict.fromkeys(("ll", "LL", "ellell"), ("lepton+", "lepton-")),
    **dict.fromkeys(("tautau", "TauTau"), ("tau+", "tau-")),
    **dict.fromkeys(("gamma", "gam", "g", "G"), ("gamma",)),
    **dict.fromkeys(("Kstz", "Kstarz"), ("K*(892)0",)),
    **dict.fromkeys(("Kst", "Kstar", "KStar"), ("K*(892)",)),
    **dict.fromkeys(("KS", "Ks", "KsZ"), ("K0S",)),
    **dict.fromkeys(("Lz", "Lambda", "Lm"), ("Lambda",)),
    **dict.fromkeys(("pi", "Pi"), ("pi",)),
    **dict.fromkeys(("K", "k"), ("K",)),
    **{name: (name,) for name in ("p", "mu", "nu", "s", "d", "eta")},
    "Kp": ("K+",), "Km": ("K-",), "pip": ("pi+",), "pim": ("pi-",), "piz": ("pi0",),
    "Ds": ("D_s",), "Dst": ("D*",), "Dz": ("D0",), "D": ("D",), "Lc": ("Lambda_c+",),
}  # fmt: skip
_CHARGED = {
    "K": ("K+", "K-"), "pi": ("pi+", "pi-"), "p": ("p", "pbar"), "D_s": ("D_s+", "D_s-"), "D": ("D+", "D-"),
    "D*": ("D*(2010)+", "D*(2010)-"), "mu": ("mu+", "mu-"), "K*(892)": ("K*(892)0", "K*(892)+", "K*(892)-"),
}  # fmt: skip
_MACRO = re.compile(r"\$?\\([A-Z][A-Za-z]{3,18}|b[sd][a-z]{2,8})(?:\{\})?\$?")
_WORD = "|".join(sorted(_PRODUCTS, key=len, reverse=True))
_FIRST_WORD = re.compile(rf"({_WORD})((?:{_WORD})*)")
_SPELLED = re.compile(
    rf"(?P<parent>{'|'.join(sorted(_PARENTS, key=len, reverse=True))})(?P<to>To|to|TO)?(?P<rest>(?:{_WORD})+)"
)


@lru_cache(maxsize=4_096)
def decay_of_macro(text: str) -> str | None:
    r"""The decay, in canonical notation, that an unknown macro's name spells; None for any other text.

    >>> decay_of_macro(r"\BuToKmumu"), decay_of_macro(r"\LbTopKJpsi"), decay_of_macro(r"\Big")
    ('B+ -> K+ mu+ mu-', 'Lambda_b0 -> p K- J/psi(1S)', None)
    """
    macro = _MACRO.fullmatch(text.strip())
    found = _SPELLED.fullmatch(macro[1]) if macro else None
    if found is None:
        return None
    products = [p for word in _words(found["rest"]) for p in _PRODUCTS[word]]
    parent = _PARENTS[found["parent"]]
    if len(products) < 2 or (parent == "B" and not found["to"]):
        return None
    choices = _charged(parent, products)
    return f"{parent} -> {' '.join(choices)}" if choices else None


def _words(text: str) -> list[str]:
    words: list[str] = []
    while found := _FIRST_WORD.fullmatch(text):
        words.append(found[1])
        text = found[2]
    return words


def _charged(parent: str, products: list[str]) -> tuple[str, ...] | None:
    """The one assignment of charges that conserves charge and baryon number, or None."""
    if parent == "B":
        return tuple(products)
    charge = particle_table().thirds(parent)
    baryon = parent.startswith(("Lambda", "Xi", "Omega"))
    found: set[tuple[str, ...]] = set()
    for chosen in product(*(_CHARGED.get(p, (p,)) for p in products)):
        thirds = [particle_table().thirds(p) for p in chosen]
        nucleons = chosen.count("p") - chosen.count("pbar") + sum(p.startswith("Lambda") for p in chosen)
        conserved = None not in thirds and charge == sum(t or 0 for t in thirds)
        if conserved and nucleons == baryon:
            found.add(tuple(sorted(chosen, key=lambda p: products.index(_family(p, products)))))
    return next(iter(found)) if len(found) == 1 else None


def _family(name: str, products: list[str]) -> str:
    return next(p for p in products if name == p or name in _CHARGED.get(p, ()))
