"""Words that tell two similar names apart: contrasting terms, species, experiments, number words.

The axes were collected from the names that published resolvers confuse at their default settings
(string similarity 0.8 and above) and from the vocabulary of measurement papers.
"""

from __future__ import annotations


def _axes(*axes: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(axis.split()) for axis in axes)


EXCLUSIVE = _axes(
    "statistical systematic",
    "absolute relative",
    "signal background",
    "upper lower",
    "up down",
    "left right",
    "forward backward",
    "internal external",
    "direct indirect",
    "prompt nonprompt secondary",
    "inclusive exclusive differential total",
    "hard soft",
    "before after",
    "real imaginary",
    "sine cosine",
    "minimum maximum",
    "online offline",
    "numerator denominator",
    "barrel endcap",
    "positive negative",
    "vertical horizontal",
    "longitudinal transverse parallel perpendicular",
    "even odd",
    "hadronic leptonic semileptonic muonic radiative",
    "charged neutral",
    "scalar vector tensor axial",
    "bottom charm strange top beauty",
    "first second third",
    "same opposite",
    "binned unbinned",
    "hardware software",
    "low high",
    "inner outer",
    "single double triple",
    "coherent incoherent",
    "resonant nonresonant",
    "elastic inelastic",
    "local global",
    "linear quadratic exponential gaussian polynomial",
    "minus plus",
    "early late",
    "ev kev mev gev tev",
    "ns ps",
    "pb nb mb",
    "mm cm um nm",
    "percent permille",
)
"""Two names that use different words of one axis (or one of them more words) are different concepts."""

TOPICS = _axes(
    "tracking trigger tagging vertexing stripping",
    "reconstruction trigger identification stripping",
    "tracking identification",
    "mass width lifetime",
    "time angle",
    "production detection",
    "asymmetry polarisation resolution yield efficiency",
    "simulation data",
    "calibration resolution acceptance bias model",
    "energy momentum",
    "vertex muon calorimeter",
    "profile bootstrap",
    "external normalisation",
)
"""Two names that use words of one axis and share none of them are different concepts."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


STRICT = _words(
    "relative absolute effective differential difference sum product inverse ratio double anti non nonprompt"
    " without no not direct indirect longitudinal transverse upper lower semileptonic squared"
    " extrapolation interpolation"
)
"""Words that change the meaning even when the other name has no counterpart."""

SPECIES: dict[str, str] = {
    form: species
    for species, forms in {
        "muon": "muon muonic dimuon",
        "electron": "electron dielectron",
        "tau": "tauon",
        "kaon": "kaon",
        "pion": "pion dipion",
        "proton": "proton",
        "antiproton": "antiproton",
        "neutron": "neutron",
        "photon": "photon diphoton",
        "neutrino": "neutrino",
        "lepton": "lepton dilepton",
        "hadron": "hadron",
        "meson": "meson",
        "baryon": "baryon",
        "jet": "jet dijet",
        "higgs": "higgs",
        "lhc": "lhc",
        "lhcb": "lhcb",
        "atlas": "atlas",
        "cms": "cms",
        "alice": "alice",
        "belle": "belle",
        "babar": "babar",
        "cdf": "cdf",
        "tevatron": "tevatron",
        "cleo": "cleo",
        "bes": "besiii bes",
        "lead": "lead",
        "xenon": "xenon",
        "oxygen": "oxygen",
    }.items()
    for form in forms.split()
}
"""Word (singular, lower case) -> the particle, detector or collider it names."""

NUMBER_WORDS: dict[str, str] = {
    word: str(value)
    for value, words in enumerate(
        (
            "zero",
            "one i single",
            "two ii",
            "three iii triple",
            "four iv",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
        )
    )
    for word in words.split()
}

ZERO_CHARGE = _words(
    "B_s Lambda Lambda_b Omega_c K_S K_L J/psi psi phi eta eta' gamma Upsilon chi_c0 chi_c1 chi_c2 Z H"
)
"""Symbols that are neutral where no charge is written."""

DEFAULT_STATE: dict[str, str] = {
    "K*": "892",
    "D*": "2010",
    "rho": "770",
    "phi": "1020",
    "omega": "782",
    "eta'": "958",
    "Upsilon": "1S",
}
"""Symbol -> the state that it means where none is written."""
