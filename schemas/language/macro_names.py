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
from itertools import islice, product

from schemas.language.macro_words import (
    ANTIPARENTS,
    ANTIPARENTS_BEFORE_TO,
    BEAUTY,
    CHARGED,
    CHARM,
    CONJUGATE,
    OWN_DECAYS,
    PARENTS,
    PARENTS_BEFORE_TO,
    PRODUCTS,
    QUARKS,
    STRANGE,
    STRONG,
)
from schemas.language.notation_fold import lhcb_macros
from schemas.language.particle_ids import conjugate_particle
from schemas.language.particles import particle_table

_LONGEST = max(map(len, PRODUCTS))
_MAX_WAYS = 24
_MACRO = re.compile(r"\$?\\([A-Za-z]{3,26})(?:\{\})?\$?")
_TO = re.compile(r"(?:To|to|TO)?")
_QUARK = re.compile(
    r"b(?:To|to|TO)(?P<quark>ccs|ccd|qq|[sSdDcu])(?P<rest>[A-Za-z]*)"
    r"|b(?P<light>[sd])(?P<leptons>ll|LL|ellell|ee|EE|mm|mumu|MuMu|tautau|gamma|Gamma|gam)"
    r"|b(?P<heavy>[cu])(?P<charged>lnu|ellnu|enu|munu|taunu)"
)
_BARE = re.compile(
    r"(?P<parent>jpsi|Jpsi|JPsi|Jps|psitwos|psiTwoS|PsiTwoS|[Zz]|ups|Ups)(?P<leptons>mm|mumu|MuMu|ee|EE|ll|LL|tautau)"
    r"|(?P<neutral>KS|Ks|KSz|Kst|Kstz|Kstar|phi|Phi)(?P<hadrons>pipi|PiPi|Kpi|KPi|KK|mumu|mm|MuMu)"
    r"|(?P<tau>tau|Tau)(?P<three>mumumu|mmm|MuMuMu)|(?P<hyperon>L|Lz|Lambda)(?P<nucleon>ppi|pPi|PPi)"
    r"|(?P<charmed>D)(?P<tracks>(?:KK|kk|PiPi|pipi|KPi|Kpi|kpi)(?:Pi|pi){0,2})"
    r"|(?P<boson>[Ww]|Wp)(?P<semileptonic>munu|MuNu|enu|ENu|taunu|TauNu)|(?P<sigma>Sigmap?)(?P<pair>pmumu|pMuMu|PMuMu)"
)
"""Light parents that their products tell without a "To"."""
_SMALL = re.compile(r"(?:lb|lc|bs|bd|bu|bc|ds|dz)(?:to[a-z]{2,}|[a-z]{2,})|d(?:to)?[kp][a-z]+")
"""Names all in small letters, whose parent the tables have with a capital: ``\\lbpkg``."""
_CANNOT = frozenset(
    {"Kstmm", "Kstmumu", "KstMuMu", "Kstzmm", "Kstarmm", "phimm", "Phimm", "phimumu", "Phimumu"}
)
"""As often the products of something else."""


@lru_cache(maxsize=4_096)
def decay_of_macro(text: str) -> str | None:
    r"""The decay, in canonical notation, that an unknown macro's name spells; None for any other text.

    >>> decay_of_macro(r"\BuToKmumu"), decay_of_macro(r"\LbTopKJpsi"), decay_of_macro(r"\Big")
    ('B+ -> K+ mu+ mu-', 'Lambda_b0 -> p K- J/psi(1S)', None)
    >>> decay_of_macro(r"\DzToKpi"), decay_of_macro(r"\BdbToDpi"), decay_of_macro(r"\XibToJpsiXi")
    ('D0 -> K- pi+', 'Bbar0 -> D+ pi-', 'Xi_b- -> J/psi(1S) Xi-')
    """
    macro = _MACRO.fullmatch(text.strip())
    if macro is None or macro[1] in lhcb_macros():
        return None
    return _decay_of(macro[1]) or (_decay_of(macro[1].capitalize()) if _SMALL.fullmatch(macro[1]) else None)


def _decay_of(name: str) -> str | None:
    for parents, ways, turned in _readings(name):
        for way in islice(ways, _MAX_WAYS):
            decays = [d for d in (_decay(parent, way) for parent in parents) if d is not None]
            if len(decays) > 1:
                return None
            if decays:
                return _turned(*decays[0]) if turned else _spelled(*decays[0])
    return None


def _readings(name: str) -> Iterator[tuple[tuple[str, ...], Iterator[list[str]], bool]]:
    """Parents, the ways to read the products, and whether all is to be turned; longest parent first."""
    quark = _QUARK.fullmatch(name)
    if quark:
        first, rest = next(
            pair for pair in zip(quark.groups()[::2], quark.groups()[1::2], strict=True) if pair[0]
        )
        yield ("b",), ([*QUARKS[first], *way] for way in _ways(rest)), False
    bare = None if name in _CANNOT else _BARE.fullmatch(name)
    if bare:
        parent, products = (part for part in bare.groups() if part)
        yield (PARENTS | PARENTS_BEFORE_TO)[parent], _ways(products), False
    for known in sorted(
        {*PARENTS, *PARENTS_BEFORE_TO, *ANTIPARENTS, *ANTIPARENTS_BEFORE_TO}, key=len, reverse=True
    ):
        if not name.startswith(known):
            continue
        end = _TO.match(name, len(known)).end()  # type: ignore[union-attr]
        if end == len(known) and known not in _ALONE:
            continue
        anti = ANTIPARENTS.get(known) or ANTIPARENTS_BEFORE_TO.get(known)
        if anti:
            yield (anti,), ([_other(p) for p in way] for way in _ways(name[end:])), True
        else:
            yield (PARENTS.get(known) or PARENTS_BEFORE_TO[known]), _ways(name[end:]), False


_ALONE = frozenset({*PARENTS, *ANTIPARENTS} - {"B", "b"})
"""Parents that are ones also right before their products: flavoured ones, not lone letters."""


def _ways(text: str) -> Iterator[list[str]]:
    """The products of every division of the text into words, that of the longest words first."""
    if not text:
        yield []
    if text == "X":
        yield ["X"]
    for length in range(min(_LONGEST, len(text)), 0, -1):
        meant = PRODUCTS.get(text[:length])
        if meant:
            for rest in _ways(text[length:]):
                yield [*meant, *rest]


def _other(product_: str) -> str:
    """The antiparticle of a product; a name that leaves its charge open stays."""
    return product_ if product_ in CHARGED or product_ == "X" else conjugate_particle(product_)


def _spelled(parent: str, products: tuple[str, ...]) -> str:
    return f"{parent} -> {' '.join(products)}"


def _turned(parent: str, products: tuple[str, ...]) -> str:
    """The conjugate; a neutral ``D`` of either flavour is its own."""
    others = (p if p in {"D", "X"} else conjugate_particle(p) for p in products)
    return _spelled(conjugate_particle(parent), tuple(others))


def _decay(parent: str, products: list[str]) -> tuple[str, tuple[str, ...]] | None:
    """The decay of a reading, where charges and quantum numbers leave one."""
    if products[-1:] == ["X"] and len(products) > 2:
        found = _decay(parent, products[:-1])
        return None if found is None else (parent, (*found[1], "X"))
    pair = frozenset(products[-2:])
    if len(products) > 3 and any(pair in OWN_DECAYS.get(p, ()) for p in products[:-2]):
        products = products[:-2]
    if len(products) < 2:
        return None
    if parent == "tau-":
        products = ["nu_tau" if p == "nu" else p for p in products]
    choices = _charged(parent, products)
    return (parent, choices) if choices else None


def _charged(parent: str, products: list[str]) -> tuple[str, ...] | None:
    """The assignment of charges that conserves what must be, and is favoured alone; None where none is.

    A ``D`` that cannot be charged is a neutral one of either flavour, and keeps its name.
    """
    if parent == "W":
        return tuple("nu" if p.startswith("nu_") else p for p in products)
    if parent in {"B", "b"}:
        return tuple(products)
    ranks: dict[tuple[str, ...], tuple[int, int]] = {}
    for chosen in product(*(CHARGED.get(p, (p,)) for p in products)):
        if _conserved(parent, chosen):
            spelled = sorted(chosen, key=lambda p: (products.index(_family(p, products)), p))
            ranks[tuple(spelled)] = _favoured(parent, chosen)
    best = min(ranks.values(), default=None)
    found = [chosen for chosen, rank in ranks.items() if rank == best]
    if not found and "D" in products:
        neutral = _charged(parent, ["D0" if p == "D" else p for p in products])
        if neutral is None or parent in STRONG:
            return neutral
        return tuple("D" if p in CHARGED["D0"] else p for p in neutral)
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
    charm, strange = (sum(_number(p, table) for p in chosen) for table in (CHARM, STRANGE))
    before_c, before_s = _number(parent, CHARM), _number(parent, STRANGE)
    beauty = 0 if any(p in BEAUTY for p in chosen) else BEAUTY.get(parent, 0)
    turn = beauty or (before_c > 0 and parent not in STRONG)
    if not turn:
        return abs(charm - before_c), abs(strange - before_s)
    off = abs(charm - before_c - beauty) if beauty else 0
    change = strange - before_s + turn
    return off, (0 if change == 0 else abs(strange - before_s) + 1)


def _number(name: str, table: dict[str, int]) -> int:
    return -table.get(CONJUGATE[name], 0) if name in CONJUGATE else table.get(name, 0)


def _family(name: str, products: list[str]) -> str:
    return next(p for p in products if name == p or name in CHARGED.get(p, ()))
