"""The symbols by which physicists know some quantities of the PDG tables, and spellings by kind.

The tables describe these quantities in words or in a notation of their own ("CP Violation phase
beta(s)"), and no rule leads from there to the usual symbol. Each row of ``WELL_KNOWN`` was looked up in
the edition 2026 of the tables; the names are those of the Review's articles on mixing, on CP violation
and on the CKM matrix (F. Takahashi et al., Int. J. Mod. Phys. A 41, 2630011 (2026)).
"""

from __future__ import annotations

import re
from typing import Final

from schemas.language.notation import canonical_particle, decay_aliases, parse_decay, short_particle

WELL_KNOWN: Final[dict[str, tuple[str, ...]]] = {
    "S086D": (
        "Delta m_s",
        "Deltam_s",
        "dm_s",
        "oscillation frequency of B_s0",
        "B_s0 oscillation frequency",
        "B_s0 mixing frequency",
        "B_s0 mass difference",
        "B_s0-Bbar_s0 oscillation frequency",
        "B_s0 Bbar_s0 oscillation frequency",
        "B_s0-Bbar_s0 mixing frequency",
    ),
    "S042D": (
        "Delta m_d",
        "Deltam_d",
        "dm_d",
        "oscillation frequency of B0",
        "B0 oscillation frequency",
        "B0 mixing frequency",
        "B0-Bbar0 oscillation frequency",
        "B0 Bbar0 oscillation frequency",
        "B0-Bbar0 mixing frequency",
    ),
    "S086DGS": (
        "Delta Gamma_s",
        "DeltaGamma_s",
        "Delta Gamma(B_s0)",
        "width difference of B_s0",
        "B_s0 width difference",
        "decay width difference of B_s0",
    ),
    "S086GS": ("Gamma_s", "decay width of B_s0", "B_s0 decay width", "B_s0 width"),
    "S086DRA": ("Delta Gamma_s/Gamma_s", "DeltaGamma_s/Gamma_s", "relative width difference of B_s0"),
    "S042DGS": ("Delta Gamma_d/Gamma_d", "DeltaGamma_d/Gamma_d", "relative width difference of B0"),
    "S086PHS": (
        "CP violation phase beta_s = -phi_s/2 (b -> c cbar s)",
        "phi_s",
        "beta_s",
        "CP-violating phase phi_s",
        "CP violating phase phi_s",
        "CP violation phase phi_s",
        "mixing phase of B_s0",
        "B_s0 mixing phase",
    ),
    "S086PBS": (
        "CP violation phase beta_s = -phi_s/2 (b -> s sbar s)",
        "phi_s(s sbar s)",
        "phi_s in penguin decays",
    ),
    "S086PJS": (
        "CP violation phase beta_s = -phi_s/2 (B_s0 -> J/psi(1S) phi(1020))",
        "phi_s(J/psi phi)",
        "phi_s in J/psi phi",
        "phi_s in B_s0 -> J/psi phi",
        "phi_s in B_s0 -> J/psi(1S) phi(1020)",
    ),
    "S041GGM": ("CKM angle gamma", "gamma", "angle gamma", "weak phase gamma", "phi_3", "CKM gamma"),
    "S042BET": (
        "sin 2beta",
        "sin(2beta)",
        "sin(2 beta)",
        "sin 2 beta",
        "sin2beta",
        "sin 2phi_1",
        "sin(2phi_1)",
        "sine of the CKM angle 2beta",
    ),
    "S032AG": ("A_Gamma (D0)", "A_Gamma", "A(Gamma)", "AGamma"),
    "S032DCP": (
        "Delta A_CP (D0 -> K+ K-, pi+ pi-)",
        "Delta A_CP",
        "DeltaA_CP",
        "DeltaACP",
        "difference of CP asymmetries in D0 -> K+ K- and D0 -> pi+ pi-",
    ),
    "S044SEF": (
        "sin^2 theta_eff (Z0)",
        "sin^2 theta_W",
        "sin2 theta_W",
        "effective weak mixing angle",
        "weak mixing angle",
        "effective leptonic weak mixing angle",
    ),
    "Q007TP": ("top quark mass (direct measurements)", "top quark mass", "top mass", "mass of the top quark"),
    "S126M": ("Higgs boson mass", "H mass", "Higgs mass", "mass of the Higgs boson", "m_H"),
    "S043M": ("W mass", "W boson mass", "mass of the W boson", "m_W", "mass of W", "m(W)", "W+ mass"),
    "S044M": ("Z mass", "Z boson mass", "mass of the Z boson", "m_Z", "mass of Z", "m(Z)", "Z0 mass"),
}
"""pdgid to its name in the graph and the other spellings.

``S086PHS`` lists beta_s, which is -phi_s/2 in the standard model's convention: its name says so, and
phi_s is only an alias."""

_SYMBOLS_ONLY: Final[dict[str, tuple[str, ...]]] = {
    "S041PBP": ("R_K", "R(K)", "R_K+", "R_K in 1.0 < q2 < 6.0", "R_K at central q2", "R_K (central q2)"),
    "S041A66": ("R_K at low q2", "R_K (low q2)", "low-q2 R_K"),
    "S041D64": ("R_K at high q2", "R_K (high q2)", "high-q2 R_K"),
    "S042A04": ("R_K*", "R_K*0", "R(K*)", "R(K*0)", "R_K*(892)0", "R_K* at central q2", "R_K* (central q2)"),
    "S042A05": ("R_K* at low q2", "R_K*0 at low q2", "R_K* (low q2)"),
    "S041A55": ("R_K*+", "R(K*+)"),
    "S042A34": ("R_K0", "R_K0S", "R_K_S0", "R(K0S)"),
    "S041D63": ("1/R_Kpipi", "R_Kpipi^-1"),
    "S042B95": ("R(D*)", "R_D*", "R(D*-)"),
    "S042B94": ("R(D)", "R_D", "R(D-)", "R(D+)"),
    "S091R29": ("R(J/psi)", "R_J/psi"),
}
"""Ratios of lepton universality: the tables' own text, with its range of q2, stays the name."""

_SAID: Final[dict[str, tuple[str, ...]]] = {
    "S000M": ("photon mass", "mass of the photon"),
    "S004MM": ("muon g-2", "muon anomalous magnetic moment", "anomalous magnetic moment of the muon", "a_mu",
               "muon magnetic anomaly", "muon g-2 anomaly", "(g-2)_mu"),
    "S004T": ("muon lifetime", "lifetime of the muon", "muon mean life"),
    "S016CR": ("proton charge radius", "charge radius of the proton", "proton radius"),
    "S016T": ("proton lifetime", "lifetime of the proton"),
    "S066MNS": ("sum of neutrino masses", "total neutrino mass"),
    "S067DEL": ("delta_CP", "delta(CP)", "delta CP", "deltaCP", "CP phase delta", "CP-violating phase delta",
                "CP violating phase delta", "Dirac CP phase", "leptonic CP phase"),
    "S067DM1": ("Delta m^2_32", "Delta m_32^2", "dm32^2", "atmospheric mass splitting"),
    "S067DM3": ("Delta m^2_21", "Delta m_21^2", "dm21^2", "solar mass splitting"),
    "S067P12": ("theta_12", "theta12", "solar mixing angle"),
    "S067P13": ("theta_13", "theta13", "reactor mixing angle"),
    "S067P23": ("theta_23", "theta23", "atmospheric mixing angle"),
    "S076H0N": ("neutrinoless double beta decay half-life", "half-life of neutrinoless double beta decay"),
    "S126W": ("Higgs width", "Higgs boson width", "width of the Higgs boson", "Higgs boson total width",
              "total width of the Higgs boson", "Gamma_H"),
    "Q007W": ("top quark width", "top width", "width of the top quark", "top quark decay width"),
}  # fmt: skip
"""Quantities that people call otherwise than the tables do, which stay their names."""

_SIMPLE = re.compile(r"^(?P<what>.+?)(?: decay)? (?P<kind>mass|mean life|width|full width)(?: tau)?$")
_SPELLINGS: Final = {
    "mass": ("{} mass", "mass of {}", "m({})", "m_{}", "{} meson mass", "{} baryon mass"),
    "mean life": (
        "{} lifetime",
        "{} mean life",
        "{} mean lifetime",
        "tau({})",
        "tau_{}",
        "lifetime of {}",
        "mean life of {}",
        "mean lifetime of {}",
    ),
}
_WIDTH: Final = ("{} width", "width of {}", "Gamma({})", "natural width of {}", "decay width of {}",
                 "{} total width", "total width of {}", "{} full width", "full width of {}")  # fmt: skip
_DECAY_HEADS: Final = {
    "BR": ("BR({})", "B({})", "BF({})", "branching fraction of {}", "branching ratio of {}"),
    "A(CP)": ("A(CP)({})", "A_CP({})", "ACP({})", "CP asymmetry of {}", "CP asymmetry in {}", "A_CP in {}"),
}
_LEPTONS = re.compile(r"\b(mu|e|tau)[+-] \1[+-](?!\S)")


def symbol(pdgid: str) -> str | None:
    """The name that a well-known quantity has in the graph."""
    known = WELL_KNOWN.get(pdgid)
    return known[0] if known else None


def spellings(pdgid: str, name: str, kind: str) -> tuple[str, ...]:
    """What people type for a quantity, besides its name.

    >>> spellings("S040T", "Lambda_b0 mean life", "lifetime")[3:6]
    ('tau(Lambda_b0)', 'tau_Lambda_b0', 'lifetime of Lambda_b0')
    >>> spellings("S126W", "H decay width", "width")[7], spellings("S016M", "p mass", "mass")[1]
    ('width of H', 'mass of p')
    >>> spellings("S067P13", "sin^2(theta(13))", "physical constant")
    ('theta_13', 'theta13', 'reactor mixing angle')
    >>> "A_CP(B0 -> K+ pi-)" in spellings("S042AA3", "A(CP)(B0 -> K+ pi-)", "asymmetry")
    True
    """
    own = (*WELL_KNOWN.get(pdgid, ())[1:], *_SYMBOLS_ONLY.get(pdgid, ()), *_SAID.get(pdgid, ()))
    return (*own, *_of_particle(name), *_of_decay(name), *_bare(name, kind))


def _of_particle(name: str) -> tuple[str, ...]:
    found = _SIMPLE.match(name)
    if found is None:
        return ()
    what = found["what"]
    names = dict.fromkeys((what, short_particle(what), *_unsigned(what)))
    forms = _SPELLINGS.get(found["kind"], _WIDTH)
    return tuple(form.format(n) for n in names for form in forms)


def _unsigned(particle: str) -> tuple[str, ...]:
    """``B_s0`` and ``Lambda_b0`` are unique without their charge."""
    bare = particle.removesuffix("0")
    return (bare,) if re.fullmatch(r"B_s|Lambda_b", bare) and canonical_particle(particle) else ()


def _of_decay(name: str) -> tuple[str, ...]:
    inside = re.fullmatch(r"(BR|A\(CP\))\((.+ -> .+)\)", name)
    decay = parse_decay(inside[2]) if inside else None
    if inside is None or decay is None:
        return ()
    texts = dict.fromkeys((decay.name, decay_aliases(decay)[0] if decay_aliases(decay) else decay.name))
    pairs = {t: _LEPTONS.sub(r"\1 \1", t) for t in texts}
    return tuple(
        head.format(t) for head in _DECAY_HEADS[inside[1]] for t in dict.fromkeys((*texts, *pairs.values()))
    )


def _bare(name: str, kind: str) -> tuple[str, ...]:
    """An asymmetry that names no decay is known by its particle."""
    return ("CP asymmetry",) if kind == "asymmetry" and name == "A(CP)" else ()
