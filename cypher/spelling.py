"""Other spellings of a phrase that the graph may know: Greek letters, articles, particle notation."""

from __future__ import annotations

import re
from typing import Final

from schemas.language.notation import canonical_particle, find_decays, short_particle

_GREEK: Final = str.maketrans(
    {
        "Δ": "Delta ",
        "Γ": "Gamma ",
        "Λ": "Lambda",
        "Ξ": "Xi",
        "Σ": "Sigma",
        "Ω": "Omega",
        "Υ": "Upsilon",
        "α": "alpha",
        "β": "beta",
        "γ": "gamma",
        "δ": "delta",
        "η": "eta",
        "θ": "theta",
        "κ": "kappa",
        "λ": "lambda",
        "μ": "mu",
        "ν": "nu",
        "π": "pi",
        "ρ": "rho",
        "σ": "sigma",
        "τ": "tau",
        "φ": "phi",
        "ϕ": "phi",
        "χ": "chi",
        "ψ": "psi",
        "ω": "omega",
    }
)
_MARKUP = re.compile(r"[$\\{}]")
_ARTICLE = re.compile(r"\bthe\s+", re.IGNORECASE)
_PARTICLE = re.compile(r"(?<![\w*])[A-Z][A-Za-z0-9_*/]*(?:\(\d{3,5}\))?(?:\+\+|[+\-0])?(?![\w*])")
_SQUARE = re.compile(r"\b(sin|cos|tan)\^?2 ?\(?theta\((\d\d)\)\)?")
_SPLITTING = re.compile(r"\bDelta ?m(?:2?_?\(?(\d\d)\)?(?:\^?2)?|\^?2_?\(?(\d\d)\)?)(?![\d(])")
"""Indices as the listings write them: ``sin^2 theta_13``, ``Delta m^2_21``, ``Deltam2_(21)``."""
_MEAN = re.compile(r"\bmean (\S+) life(?:time)?\b")
_COMMON: Final = {
    "photon": "gamma",
    "neutron": "n",
    "proton": "p",
    "electron": "e-",
    "positron": "e+",
    "charged pion": "pi+-",
    "neutral pion": "pi0",
    "charged kaon": "K+-",
    "antiproton": "pbar",
    "antineutron": "nbar",
    "muon": "mu",
    "gluon": "g",
    "Higgs": "H",
    "Higgs boson": "H",
    "W boson": "W",
    "Z boson": "Z",
}
"""Common names of particles with their symbols in the Particle Data Group's listings."""
_FREE: Final = {"electron": "e", "e-": "e", "muon": "mu", "tau lepton": "tau", "proton": "p", "neutron": "n"}
"""Particles whose properties are listed without a charge."""
_CHARGED = ("+", "-", "+-", "-+")
_ANY_CHARGE: Final = ("+", "-", "0", "++", "--", "+-", "-+")
_EXCITED: Final = re.compile(r"\(\d{3,5}\)$")
_WITH_BASE: Final = re.compile(
    r"^(?P<name>[A-Za-z]+?)(?:bar)?(?P<index>(?:_(?:\d|[a-z]+[1-9]?))?\*?)(?:\(\d{3,5}\))?(?:[+-]{1,2}|0)?$"
)
_STATES: Final = {
    **{
        name: tuple(f"{symbol}{c}" for c in (*_CHARGED, ""))
        for name, symbol in (("electron", "e"), ("muon", "mu"), ("tau lepton", "tau"), ("tauon", "tau"))
    },
    **{f"charged {n}": tuple(f"{s}{c}" for c in _CHARGED) for n, s in (("pion", "pi"), ("kaon", "K"))},
    "pion": tuple(f"pi{c}" for c in (*_CHARGED, "0", "")),
    "kaon": ("K+", "K-", "K0", "Kbar0", "K0S", "K0L", "K+-", "K-+", "K", "Kbar"),
    "b mesons": (
        *("B", "B0", "Bbar0", "B+", "B-", "B+-", "B-+", "Bbar"),
        *("B_s0", "Bbar_s0", "B_c+", "B_c-", "B_c+-", "B_c-+"),
    ),
    "d mesons": ("D", "D0", "Dbar0", "D+", "D-", "D+-", "D-+", "Dbar", "D_s+", "D_s-", "D_s+-", "D_s-+"),
    "neutral pion": ("pi0",),
    "neutral kaon": ("K0", "Kbar0", "K0S", "K0L"),
    "neutrino": tuple(
        f"{nu}{flavour}" for flavour in ("", "_e", "_mu", "_tau", "_lepton") for nu in ("nu", "nubar")
    ),
}
"""Common names that leave the charge open, with every symbol of the listings that they stand for."""
_FAMILIES: Final = {
    **{s: ("", _STATES[n]) for s, n in (("e", "electron"), ("mu", "muon"), ("tau", "tauon"))},
    **{s: ("", _STATES[n]) for s, n in (("mus", "muon"), ("taus", "tauon"))},
    **{s: ("", _STATES[n]) for s, n in (("pi", "pion"), ("K", "kaon"), ("D", "d mesons"), ("B", "b mesons"))},
    "B meson": ("B", _STATES["b mesons"]),
    "D meson": ("D", _STATES["d mesons"]),
    "K meson": ("K", _STATES["kaon"]),
    "pi meson": ("pi", _STATES["pion"]),
}
_OTHERS: Final = {
    "p": ("pbar",),
    "n": ("nbar",),
}
_COMMON_NAME = re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, _COMMON), key=len, reverse=True))})s?\b")
_QUARK = re.compile(r"\b([udscbt])[- ]quark\b")
_UNCHARGED = re.compile(r"\b(D_s|B_c)(?= [a-z]|$)")
"""Particles that are always charged, named without their charge."""
_QUARK_WORD = re.compile(r"\b(top|bottom|beauty|charm|strange|up|down)[- ]quark\b", re.IGNORECASE)
_FREE_FIRST = re.compile(rf"^(?:{'|'.join(map(re.escape, _FREE))})(?= [a-z])")
_OF_FREE = re.compile(rf"(?<=\bof )(?:{'|'.join(map(re.escape, _FREE))})$")
_ONE_CHARGE = re.compile(r"(?<=[\w)*])[+-](?= [a-z]|$)")
_SHORTENED = re.compile(r"\bEDM\b", re.IGNORECASE)
_ANOMALY = re.compile(
    r"^(?:(?:the )?(?P<a>muon|electron|tau|mu|e)(?:'s)? (?:anomalous magnetic moment|anomaly|\(?g ?- ?2\)?)"
    r"|(?:the )?anomalous magnetic moment of (?:the )?(?P<b>muon|electron|tau|mu|e))(?:,? \(?g ?-"
    r" ?2\)?(?: ?/ ?2| over 2)?)?$"
)
"""Of a lepton: ``(g-2)/2``."""
_INDEX = re.compile(r"\b(theta)_?(\d\d)(?!\d)")
_OF = re.compile(r"^(\S+ .+) of (\S+(?: \S+)?)$")
_FOR_DECAY = re.compile(r"\b(?:for|of) (?:(?:decay mode|decay channel|decay|mode|channel) )?(?=\S+ ->)")
_DECAY_NOUN = re.compile(r"(\bof .*->.*?) (?:decay|mode|channel|decay mode|decay channel)$")
_NOUN = re.compile(r"(?<=[\w+*)-]) (?:meson|baryon|particle|boson)\b(?= )")


def spellings(phrase: str) -> tuple[str, ...]:
    """Spellings to look up besides the phrase itself, most faithful first; none where nothing changes.

    >>> spellings("ΔΓ_s"), spellings("mass of the Lambda_b0")
    (('Delta Gamma_s',), ('mass of Lambda_b0',))
    >>> spellings("mean B_s0 lifetime")[-1], spellings("B_s0 meson mass")[-1]
    ('B_s0 mean life', 'B_s0 mass')
    >>> spellings("BR(Bs → μ+μ-)")[-1]
    'BR(B_s0 -> mu+ mu-)'
    >>> spellings("branching ratio for the B_s0 -> mu+ mu- decay")[1]
    'branching ratio of B_s0 -> mu+ mu-'
    >>> spellings("mass of the electron")[-1]
    'mass of e'
    """
    plain = _SHORTENED.sub("electric dipole moment", _MARKUP.sub("", phrase)).translate(_GREEK)
    plain = " ".join(_ARTICLE.sub("", plain).replace(" _", "_").replace("^", "").split())
    decays = _with_decays(phrase)
    canonical = decays if decays != phrase else _PARTICLE.sub(_canonical, plain)
    canonical = _NOUN.sub("", _MEAN.sub(r"\1 mean life", canonical))
    common = _COMMON_NAME.sub(lambda m: common_symbol(m[0]), canonical)
    quark = _QUARK.sub(r"\1-quark", _QUARK_WORD.sub(lambda m: f"{m[1][0].lower()}-quark", common))
    plainly = _COMMON_NAME.sub(lambda m: common_symbol(m[0]), plain)
    free = _FREE_FIRST.sub(lambda m: _FREE[m[0]], plain)
    of_free = _OF_FREE.sub(lambda m: _FREE[m[0]], plain)
    anomaly = _ANOMALY.match(plain.lower())
    both = "" if "->" in canonical or " " not in canonical else _ONE_CHARGE.sub("+-", canonical)
    of_decay = _DECAY_NOUN.sub(r"\1", _FOR_DECAY.sub("of ", _ARTICLE.sub("", decays)))
    charged = tuple(_UNCHARGED.sub(rf"\1{c}", canonical) for c in ("+-", "+"))
    indexed = _INDEX.sub(r"\1(\2)", plain)
    indexed = _SQUARE.sub(r"\1^2(theta(\2))", _SPLITTING.sub(r"Deltam(\1\2)^2", indexed))
    owned = _OF.sub(_turned, quark) if "->" not in canonical else ""
    found = (
        plain,
        _ARTICLE.sub("", decays),
        of_decay,
        canonical,
        common,
        quark,
        owned,
        indexed,
        both,
        plainly,
        free,
        of_free,
        *((_anomaly(anomaly["a"] or anomaly["b"]),) if anomaly else ()),
        *charged,
    )
    return tuple(dict.fromkeys(s for s in found if s and s != phrase))


def _anomaly(lepton: str) -> str:
    """What the listings call the anomalous magnetic moment of a lepton."""
    symbol = {"muon": "mu", "electron": "e"}.get(lepton, lepton)
    return f"mu_{symbol}/(ehbar/2m_{symbol})-1"


def common_symbol(name: str) -> str:
    """The symbol of a particle's common name; the name itself where it is none.

    >>> common_symbol("photons"), common_symbol("Higgs boson"), common_symbol("paper")
    ('gamma', 'H', 'paper')
    """
    return _COMMON.get(name) or _COMMON.get(name.removesuffix("s"), name)


def charge_states(name: str) -> tuple[str, ...]:
    """Symbols of all that a common name without a charge stands for; none where it is no such name.

    >>> charge_states("muons"), charge_states("neutral pion"), charge_states("proton")
    (('mu+', 'mu-', 'mu+-', 'mu-+', 'mu'), ('pi0',), ())
    >>> charge_states("D mesons")[:3], charge_states("D meson")
    (('D', 'D0', 'Dbar0'), ())
    """
    known = name.lower()
    return _STATES.get(known) or _STATES.get(known.removesuffix("s"), ())


def family_of(name: str) -> tuple[str, tuple[str, ...]]:
    """What a symbol stands for that is one of the listings' and a common name, too: "a tau", "a D meson".

    The symbol comes first, empty where it is the name itself, and then all of them; none for another name.

    >>> family_of("tau"), family_of("D meson")[0], family_of("D0")
    (('', ('tau+', 'tau-', 'tau+-', 'tau-+', 'tau')), 'D', ('', ()))
    """
    return _FAMILIES.get(name, ("", ()))


def others_than(symbol: str) -> tuple[str, ...]:
    """Symbols of what a symbol might stand for, too: other charges, antiparticles.

    >>> others_than("p"), others_than("K+")
    (('pbar',), ())
    """
    return tuple(s for s in _OTHERS.get(symbol, ()) if s != symbol)


def written_ways(particle: str) -> tuple[str, ...]:
    """Other names of a particle: with the mass or state that writers leave out, and without.

    An excited state named without a charge may have any: "a K*".

    >>> written_ways("omega")[0], written_ways("eta'(958)")[0], written_ways("eta"), written_ways("X0")
    ('omega(782)', "eta'", (), ())
    >>> [w for w in written_ways("K*") if w.endswith("0")]
    ['K*(892)0', 'K*0']
    """
    full = canonical_particle(particle) or particle
    if len(full) == 1:
        return ()
    named = (n for one in (full, *charges_of(full)) for n in (one, short_particle(one)))
    return tuple(dict.fromkeys(n for n in named if n != particle))


def charges_of(particle: str) -> tuple[str, ...]:
    """Names of all charges of an excited state that is named without one; none for any other name.

    >>> charges_of("P_c_cbar(4312)")[:2], charges_of("D_s1(2536)+"), charges_of("phi")
    (('P_c_cbar(4312)+', 'P_c_cbar(4312)-'), (), ())
    """
    return any_charge(particle) if _EXCITED.search(particle) else ()


def base_of(particle: str) -> str:
    """A name without its mass, its charge and the bar of an antiparticle; only of names with a star or index.

    Empty where that is no other name, or is one particle's: "K*" is the K*(892).

    >>> base_of("D*(2010)+"), base_of("Dbar*(2007)0"), base_of("Sigma_c(2455)++"), base_of("f_0(980)")
    ('D*', 'D*', 'Sigma_c', 'f_0')
    >>> base_of("K*(1410)+"), base_of("eta(1405)"), base_of("D0"), base_of("D*"), base_of("nu_mu")
    ('', '', '', '', '')
    """
    found = _WITH_BASE.match(particle)
    base = f"{found['name']}{found['index']}" if found else ""
    if found is None or not found["index"] or base == particle:
        return ""
    return "" if "(" in (canonical_particle(base) or base) else base


def any_charge(particle: str) -> tuple[str, ...]:
    """A name with each charge that may stand behind it.

    >>> any_charge("W")[:2], "W+-" in any_charge("W")
    (('W+', 'W-'), True)
    """
    return tuple(f"{particle}{c}" for c in _ANY_CHARGE)


def _turned(found: re.Match[str]) -> str:
    """ "electric dipole moment of electron" as the listings have it: with the particle in front."""
    particle = _FREE.get(found[2]) or canonical_particle(found[2])
    return f"{particle} {found[1]}" if particle else found[0]


def _with_decays(text: str) -> str:
    out, last = "", 0
    for start, end, decay in find_decays(text):
        out += text[last:start] + decay.name
        last = end
    return out + text[last:]


def _canonical(found: re.Match[str]) -> str:
    return canonical_particle(found[0]) or found[0]
