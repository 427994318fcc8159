r"""Decays that a macro's name spells, for sources that came without its definition: ``\BuToKll``.

Read only where the whole text is one unknown macro. Charges that the name leaves open follow from charge and
baryon number, then from the favoured quark transition (b to c, else to s; c to s; PDG review of the CKM
matrix, doi:10.1103/PhysRevD.110.030001); where these leave two choices, the name is not read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from schemas.language.notation_fold import lhcb_macros
from schemas.language.particles import particle_table

_PARENTS = {
    **dict.fromkeys(("Lb", "Lbz", "Lambdab"), "Lambda_b0"),
    **dict.fromkeys(("Lc", "Lcp", "Lambdac"), "Lambda_c+"),
    **dict.fromkeys(("Bs", "Bsz"), "B_s0"), **dict.fromkeys(("Bd", "Bz"), "B0"),
    **dict.fromkeys(("Bu", "Bp"), "B+"), **dict.fromkeys(("Bc", "Bcp"), "B_c+"),
    **dict.fromkeys(("Ds", "Dsp"), "D_s+"), **dict.fromkeys(("Dz", "Dzero"), "D0"), "Dp": "D+",
    **dict.fromkeys(("Dstp", "Dst", "Dstar", "Dstarp"), "D*(2010)+"),
    **dict.fromkeys(("Xibm", "Xib"), "Xi_b-"), "Xic": "Xi_c+", "Xibz": "Xi_b0", "Omegab": "Omega_b-",
    "Xicp": "Xi_c+",
    "Xicz": "Xi_c0", "Sigmap": "Sigma+", "Omegac": "Omega_c0",
    "Xicc": "Xi_cc++", "Xiccpp": "Xi_cc++", "B": "B", "b": "b",
}  # fmt: skip
_LIGHT_PARENTS = {
    **dict.fromkeys(("jpsi", "Jpsi", "JPsi"), "J/psi(1S)"),
    **dict.fromkeys(("psitwos", "psiTwoS", "PsiTwoS"), "psi(2S)"),
    **dict.fromkeys(("phi", "Phi", "phiz"), "phi(1020)"),
    **dict.fromkeys(("Kst", "Kstz", "Kstar", "Kstarz"), "K*(892)0"),
    **dict.fromkeys(("KS", "Ks", "KSz"), "K0S"),
    **dict.fromkeys(("Lz", "Lambda"), "Lambda"),
    **dict.fromkeys(("tau", "Tau"), "tau-"), "Z": "Z0", "W": "W+",
    **dict.fromkeys(("rho", "rhoz"), "rho(770)0"), **dict.fromkeys(("ups", "Ups"), "Upsilon(1S)"),
    **dict.fromkeys(("D",), "D0"), "Sigma": "Sigma+",
}  # fmt: skip
"""Read only before "To": without it such a name is that of a particle."""
_PRODUCTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("jpsi", "Jpsi", "JPs", "JPsi", "jps"), ("J/psi(1S)",)),
    **dict.fromkeys(("psi", "Psi"), ("J/psi(1S)",)),
    **dict.fromkeys(("psitwos", "psiTwoS", "psi2S", "PsiTwoS"), ("psi(2S)",)),
    **dict.fromkeys(("phi", "Phi", "phiz"), ("phi(1020)",)),
    **dict.fromkeys(("mumu", "MuMu", "Mumu", "mm", "MM", "mupmum"), ("mu+", "mu-")),
    **dict.fromkeys(("ee", "EE", "epem"), ("e+", "e-")),
    **dict.fromkeys(("ll", "LL", "ellell"), ("lepton+", "lepton-")),
    **dict.fromkeys(("tautau", "TauTau"), ("tau+", "tau-")),
    **dict.fromkeys(("munu", "MuNu", "Munu", "mun"), ("mu", "nu_mu")),
    **dict.fromkeys(("taunu", "TauNu", "Taunu"), ("tau", "nu_tau")),
    **dict.fromkeys(("enu", "ENu"), ("e", "nu_e")),
    **dict.fromkeys(("lnu", "ellnu", "LNu"), ("lepton", "nu_lepton")),
    **dict.fromkeys(("gamma", "Gamma", "gam", "g", "G"), ("gamma",)),
    **dict.fromkeys(("Kstz", "Kstarz"), ("K*(892)0",)),
    **dict.fromkeys(("Kst", "Kstar", "KStar"), ("K*(892)",)),
    **dict.fromkeys(("KS", "Ks", "KsZ", "KSz"), ("K0S",)),
    **dict.fromkeys(("Lz", "Lambda", "Lm", "L"), ("Lambda",)),
    **dict.fromkeys(("pi", "Pi"), ("pi",)),
    **dict.fromkeys(("K", "k"), ("K",)),
    **dict.fromkeys(("p", "P"), ("p",)), **dict.fromkeys(("mu", "Mu"), ("mu",)),
    **dict.fromkeys(("e", "E"), ("e",)), **dict.fromkeys(("eta", "Eta"), ("eta",)),
    **{name: (name,) for name in ("nu", "s", "d", "pbar")},
    **dict.fromkeys(("ppbar", "PPbar"), ("p", "pbar")),
    **dict.fromkeys(("etap", "etapr"), ("eta'(958)",)), **dict.fromkeys(("rho", "rhoz"), ("rho(770)0",)),
    "omega": ("omega(782)",),
    "Kp": ("K+",), "Km": ("K-",), "pip": ("pi+",), "pim": ("pi-",), **dict.fromkeys(("piz", "Piz"), ("pi0",)),
    "mup": ("mu+",), "mum": ("mu-",), "taup": ("tau+",), "taum": ("tau-",),
    **dict.fromkeys(("tau", "Tau"), ("tau",)),
    "Ds": ("D_s",), "Dsp": ("D_s+",), "Dsm": ("D_s-",), **dict.fromkeys(("Dst", "Dstar"), ("D*",)),
    **dict.fromkeys(("Dstp", "Dstarp"), ("D*(2010)+",)), **dict.fromkeys(("Dstm", "Dstarm"), ("D*(2010)-",)),
    "Dz": ("D0",), "Dzb": ("Dbar0",), "D": ("D",), "Dp": ("D+",), "Dm": ("D-",),
    **dict.fromkeys(("Lc", "Lcp"), ("Lambda_c+",)), **dict.fromkeys(("Lb", "Lbz"), ("Lambda_b0",)),
}  # fmt: skip
_PRODUCTS |= {
    **dict.fromkeys(("mumumu", "MuMuMu", "mmm"), ("mu", "mu", "mu")),
    **dict.fromkeys(("Psitwos", "psitwoS", "PsiTwos", "psiTwos", "psitwo"), ("psi(2S)",)),
    **dict.fromkeys(("Lst", "Lstar", "Lres", "LstarX"), ("Lambda(1520)",)),
    **dict.fromkeys(("KstKst", "KstarKstar", "KstzKstz"), ("K*(892)0", "Kbar*(892)0")),
    **dict.fromkeys(("Xim", "Xi"), ("Xi-",)),
    **dict.fromkeys(("Om", "Omega"), ("Omega-",)),
    **dict.fromkeys(("Xicp",), ("Xi_c+",)),
    **dict.fromkeys(("Xicz",), ("Xi_c0",)),
    **dict.fromkeys(("DzDzb", "DzDzbar"), ("D0", "Dbar0")),
    **dict.fromkeys(("DpDm",), ("D+", "D-")),
    **dict.fromkeys(("pp", "PP"), ("p", "p")),
}
_QUARKS = {"s": ("s",), "S": ("s",), "d": ("d",), "D": ("d",), "c": ("c",), "u": ("u",),
           "ccs": ("c", "cbar", "s"), "ccd": ("c", "cbar", "d"), "qq": ("q", "qbar")}  # fmt: skip
"""What a b quark goes to, as macros of quark transitions spell it."""
_CHARMONIA = frozenset({"J/psi(1S)", "psi(2S)"})
_OF_CHARMONIUM = ({"mu+", "mu-"}, {"e+", "e-"}, {"lepton+", "lepton-"})
"""Written after a charmonium, its own decay: ``\\BuToKJPsmm``."""
_CHARGED = {
    "K": ("K+", "K-"), "pi": ("pi+", "pi-"), "p": ("p", "pbar"), "D_s": ("D_s+", "D_s-"), "D": ("D+", "D-"),
    "D*": ("D*(2010)+", "D*(2010)-"), "mu": ("mu+", "mu-"), "tau": ("tau+", "tau-"), "e": ("e+", "e-"),
    "lepton": ("lepton+", "lepton-"), "K*(892)": ("K*(892)0", "Kbar*(892)0", "K*(892)+", "K*(892)-"),
    "D0": ("D0", "Dbar0"), "K*(892)0": ("K*(892)0", "Kbar*(892)0"), "Lambda": ("Lambda", "Lambdabar"),
    **{f"nu_{x}": (f"nu_{x}", f"nubar_{x}") for x in ("e", "mu", "tau", "lepton")},
}  # fmt: skip
_STRANGE = {
    "K+": 1, "K*(892)0": 1, "K*(892)+": 1, "Lambda": -1, "D_s+": 1, "B_s0": -1, "Xi_b-": -1, "Xi_b0": -1,
    "Omega_b-": -2, "Lambda(1520)": -1, "Xi-": -2, "Omega-": -3, "Sigma+": -1,
    "Xi_c+": -1, "Xi_c0": -1, "Omega_c0": -2,
}  # fmt: skip
_CHARM = {
    **dict.fromkeys(("D0", "D+", "D_s+", "D*(2010)+", "Lambda_c+", "Xi_c+", "Xi_c0", "Omega_c0", "B_c+"), 1),
    "Xi_cc++": 2,
}  # fmt: skip
_BEAUTY = {
    **dict.fromkeys(("B0", "B+", "B_s0", "B_c+"), -1),
    **dict.fromkeys(("Lambda_b0", "Xi_b-", "Xi_b0", "Omega_b-"), 1),
}
"""Strangeness, charm, and the number of b quarks less that of their antiquarks."""
_STRONG = frozenset({"D*(2010)+"})
"""Of the parents with charm, those that keep it."""
_CONJUGATE = {"K-": "K+", "Kbar*(892)0": "K*(892)0", "K*(892)-": "K*(892)+", "Lambdabar": "Lambda",
              "D_s-": "D_s+", "Dbar0": "D0", "D-": "D+", "D*(2010)-": "D*(2010)+"}  # fmt: skip
_WORD = "|".join(sorted(_PRODUCTS, key=len, reverse=True))
_FIRST_WORD = re.compile(rf"({_WORD})((?:{_WORD})*)")
_MACRO = re.compile(r"\$?\\([A-Za-z]{3,22})(?:\{\})?\$?")
_REST = re.compile(rf"(?P<to>To|to|TO)?(?P<rest>(?:{_WORD})+)")
_QUARK = re.compile(rf"b(?:To|to|TO)?(?P<quark>ccs|ccd|qq|[sSdDcu])(?P<rest>(?:{_WORD})+|(?<=ccs)|(?<=ccd))")
_BARE = re.compile(
    r"(?P<parent>jpsi|Jpsi|JPsi|Jps|psitwos|psiTwoS|PsiTwoS|Z|ups|Ups)(?P<leptons>mm|mumu|MuMu|ee|EE|ll|LL|tautau)"
    r"|(?P<neutral>KS|Ks|KSz|Kst|Kstz|Kstar|phi|Phi)(?P<hadrons>pipi|PiPi|Kpi|KPi|KK|mumu|mm|MuMu)"
    r"|(?P<tau>tau|Tau)(?P<three>mumumu|mmm|MuMuMu)"
)
"""Light parents that their products tell without a "To"."""
_CANNOT = frozenset(
    {"Kstmm", "Kstmumu", "KstMuMu", "Kstzmm", "Kstarmm", "phimm", "Phimm", "phimumu", "Phimumu"}
)
"""As often the products of something else."""


@lru_cache(maxsize=4_096)
def decay_of_macro(text: str) -> str | None:
    r"""The decay, in canonical notation, that an unknown macro's name spells; None for any other text.

    >>> decay_of_macro(r"\BuToKmumu"), decay_of_macro(r"\LbTopKJpsi"), decay_of_macro(r"\Big")
    ('B+ -> K+ mu+ mu-', 'Lambda_b0 -> p K- J/psi(1S)', None)
    >>> decay_of_macro(r"\DzToKpi"), decay_of_macro(r"\BsToDsPi")
    ('D0 -> K- pi+', 'B_s0 -> D_s- pi+')
    """
    macro = _MACRO.fullmatch(text.strip())
    if macro is None or macro[1] in lhcb_macros():
        return None
    return next((decay for decay in map(_decay, _readings(macro[1])) if decay is not None), None)


def _readings(name: str) -> Iterator[tuple[str, list[str]]]:
    """Parent and products of every way to read the name, that of the longest parent first."""
    quark = _QUARK.fullmatch(name)
    if quark:
        yield "b", [*_QUARKS[quark["quark"]], *(p for word in _words(quark["rest"]) for p in _PRODUCTS[word])]
    bare = None if name in _CANNOT else _BARE.fullmatch(name)
    if bare:
        parent, products = (part for part in bare.groups() if part)
        yield _LIGHT_PARENTS[parent], [p for word in _words(products) for p in _PRODUCTS[word]]
    for known in sorted({*_PARENTS, *_LIGHT_PARENTS}, key=len, reverse=True):
        if not name.startswith(known):
            continue
        rest = _REST.fullmatch(name, len(known))
        if rest is None or not (rest["to"] or _tells_without_to(known)):
            continue
        parent = (_LIGHT_PARENTS if known in _LIGHT_PARENTS else _PARENTS)[known]
        yield parent, [p for word in _words(rest["rest"]) for p in _PRODUCTS[word]]


def _decay(reading: tuple[str, list[str]]) -> str | None:
    """The decay of a reading, where charges and quantum numbers leave one."""
    parent, products = reading
    if len(products) > 2 and set(products[-2:]) in _OF_CHARMONIUM:
        charmonium = [p for p in products[:-2] if p in _CHARMONIA]
        products = products[:-2] if charmonium and len(products) > 3 else products
    if len(products) < 2:
        return None
    choices = _charged(parent, products)
    return f"{parent} -> {' '.join(choices)}" if choices else None


def _tells_without_to(parent: str) -> bool:
    """Whether a parent right before its products is one: a flavoured one, not the lone letter B."""
    return parent in _PARENTS and parent != "B"


def _words(text: str) -> list[str]:
    words: list[str] = []
    while found := _FIRST_WORD.fullmatch(text):
        words.append(found[1])
        text = found[2]
    return words


def _charged(parent: str, products: list[str]) -> tuple[str, ...] | None:
    """The assignment of charges that conserves what must be, and is favoured alone; None where none is.

    A ``D`` that cannot be charged is a neutral one of either flavour, and keeps its name.
    """
    if parent in {"B", "b"}:
        return tuple(products)
    ranks: dict[tuple[str, ...], tuple[int, int]] = {}
    for chosen in product(*(_CHARGED.get(p, (p,)) for p in products)):
        if _conserved(parent, chosen):
            spelled = sorted(chosen, key=lambda p: (products.index(_family(p, products)), p))
            ranks[tuple(spelled)] = _favoured(parent, chosen)
    best = min(ranks.values(), default=None)
    found = [chosen for chosen, rank in ranks.items() if rank == best]
    if not found and "D" in products:
        neutral = _charged(parent, ["D0" if p == "D" else p for p in products])
        return None if neutral is None else tuple("D" if p in _CHARGED["D0"] else p for p in neutral)
    return found[0] if len(found) == 1 else None


def _conserved(parent: str, chosen: tuple[str, ...]) -> bool:
    """Whether charge, baryon number and the numbers of the leptons agree."""
    thirds = [particle_table().thirds(p) for p in chosen]
    if None in thirds or particle_table().thirds(parent) != sum(t or 0 for t in thirds):
        return False
    count = Counter(chosen)
    leptons = sum(count[n] for n in _leptons("-", "nu_")) - sum(count[n] for n in _leptons("+", "nubar_"))
    return sum(map(_baryon_number, chosen)) == _baryon_number(parent) and (
        leptons == (parent == "tau-") or "nu" in count
    )


def _baryon_number(name: str) -> int:
    if name != "p" and not name.startswith(("pbar", "Lambda", "Xi", "Omega", "Sigma")):
        return 0
    return -1 if "bar" in name else 1


def _leptons(sign: str, neutrino: str) -> tuple[str, ...]:
    """Names of the charged leptons of one sign, and of the neutrinos or antineutrinos."""
    kinds = ("e", "mu", "tau", "lepton")
    return (*(kind + sign for kind in kinds), *(neutrino + kind for kind in kinds))


def _favoured(parent: str, chosen: tuple[str, ...]) -> tuple[int, int]:
    """How far an assignment is from the favoured transition: in charm, then in strangeness; 0 is nearest."""
    charm, strange = (sum(_number(p, table) for p in chosen) for table in (_CHARM, _STRANGE))
    before_c, before_s = _number(parent, _CHARM), _number(parent, _STRANGE)
    beauty = _BEAUTY.get(parent, 0)
    turn = beauty or (before_c > 0 and parent not in _STRONG)
    if not turn:
        return abs(charm - before_c), abs(strange - before_s)
    off = abs(charm - before_c - beauty) if beauty else 0
    change = strange - before_s + turn
    return off, (0 if change == 0 else abs(strange - before_s) + 1)


def _number(name: str, table: dict[str, int]) -> int:
    return -table.get(_CONJUGATE[name], 0) if name in _CONJUGATE else table.get(name, 0)


def _family(name: str, products: list[str]) -> str:
    return next(p for p in products if name == p or name in _CHARGED.get(p, ()))
