r"""Meanings of the LHCb template's macros (``lhcb-symbols-def``) for sources that came without that file.

A document's own definitions, and every command that the reader knows, come first. The names of particles are
those of ``schemas/language/lhcb_macros.tsv``; here are the template's words, units and quantities.
"""

from __future__ import annotations

from functools import cache

from extraction.readers.latex_macros import Macro, placeless
from extraction.readers.latex_symbols import words
from extraction.readers.latex_tokens import CONTROL, PRIMITIVE, Token, tokenise
from extraction.readers.latex_units import COMMANDS as UNIT_COMMANDS
from schemas.language.notation_fold import lhcb_macros

_WORDS = {
    "lhcb": "LHCb", "atlas": "ATLAS", "cms": "CMS", "alice": "ALICE", "babar": "BaBar", "belle": "Belle",
    "cern": "CERN", "lhc": "LHC", "cdf": "CDF", "dzero": "D0", "velo": "VELO", "rich": "RICH",
    "pythia": "Pythia", "evtgen": "EvtGen", "photos": "Photos", "geant": "Geant4", "gauss": "Gauss",
    "roofit": "RooFit", "hlt": "HLT", "sPlot": "sPlot", "sFit": "sFit", "CP": "CP",
    "CPT": "CPT", "stat": "(stat)", "syst": "(syst)", "lumi": "(lumi)", "eg": "e.g.", "ie": "i.e.",
    "etal": "et al.",
}  # fmt: skip
_UNITS = {
    "tev": "TeV", "gev": "GeV", "mev": "MeV", "kev": "keV", "gevc": "GeV/c", "mevc": "MeV/c",
    "gevcc": "GeV/c^2", "mevcc": "MeV/c^2", "gevgevcccc": "GeV^2/c^4", "invfb": "fb^{-1}", "invpb": "pb^{-1}",
    "invnb": "nb^{-1}", "nb": "nb", "mub": r"\mu b", "mbarn": "mb", "fs": "fs", "ps": "ps", "ns": "ns",
    "invps": "ps^{-1}", "invns": "ns^{-1}", "mm": "mm", "cm": "cm", "mhz": "MHz", "khz": "kHz",
}  # fmt: skip
_QUANTITIES = {
    "pt": r"p_{\mathrm{T}}", "ptot": "p", "et": r"E_{\mathrm{T}}", "sqs": r"\sqrt{s}", "qsq": "q^2",
    "BF": r"\mathcal{B}", "BR": r"\mathcal{B}", "lum": r"\mathcal{L}", "chisq": r"\chi^2",
    "chisqndf": r"\chi^2/\mathrm{ndf}", "chisqip": r"\chi^2_{\mathrm{IP}}",
    "chisqvs": r"\chi^2_{\mathrm{VS}}",
    "chisqvtx": r"\chi^2_{\mathrm{vtx}}", "chisqfd": r"\chi^2_{\mathrm{FD}}", "dm": r"\Delta m",
    "dms": r"\Delta m_s", "dmd": r"\Delta m_d", "DG": r"\Delta\Gamma", "DGs": r"\Delta\Gamma_s",
    "DGd": r"\Delta\Gamma_d", "Gs": r"\Gamma_s", "Gd": r"\Gamma_d", "phis": r"\phi_s", "betas": r"\beta_s",
    "AFB": r"A_{\mathrm{FB}}", "FL": r"F_{\mathrm{L}}", "deriv": r"\mathrm{d}", "order": r"\mathcal{O}",
    "ACP": r"\mathcal{A}^{CP}", "Vub": "V_{ub}", "Vcb": "V_{cb}", "Vus": "V_{us}", "Vcs": "V_{cs}",
    "Vud": "V_{ud}", "Vcd": "V_{cd}", "Vtb": "V_{tb}", "Vts": "V_{ts}", "Vtd": "V_{td}",
}  # fmt: skip
_LETTERS = frozenset("BDWZg")
"""Names of one letter that are no accents of LaTeX."""
_GREEK = words(
    "alpha beta gamma delta eta lambda mu nu xi pi rho sigma tau phi chi psi omega"
    " Gamma Delta Lambda Xi Sigma Upsilon Phi Psi Omega"
)
_UPRIGHT = {
    **{f"P{name}": rf"\{name}" for name in sorted(_GREEK)},
    **{f"P{letter}": letter for letter in "ABDFGHJKLPSTUVWXYZbcdehknpqstuxyz"},
}
"""The template's symbols in the font that a document chooses."""
_AMBIGUOUS = frozenset({"mum"})
"""Left out: the template's micrometre, in some papers a muon."""


@cache
def template_macros() -> dict[str, Macro]:
    r"""The template's macros by name.

    >>> template_macros()["decay"].arity, "Lb" in template_macros(), "H" in template_macros()
    (2, True, False)
    """
    formulas = {**_UPRIGHT, **lhcb_macros(), **_QUANTITIES}
    made = {
        name: _macro(rf"\ensuremath{{{plain}}}\xspace")
        for name, plain in formulas.items()
        if (len(name) > 1 or name in _LETTERS) and name not in _AMBIGUOUS and name not in UNIT_COMMANDS
    }
    made |= {name: _macro(rf"{word}\xspace") for name, word in _WORDS.items()}
    made |= {
        name: _macro(rf"\ensuremath{{\,\text{{{_text(unit)}}}}}\xspace") for name, unit in _UNITS.items()
    }
    return made | {
        "decay": Macro(_macro(r"\ensuremath{#1\to #2}\xspace").body, 2),
        "offsetoverline": Macro(_macro(r"\overline{#2}").body, 2, ((), None)),
    }


def _text(unit: str) -> str:
    return unit if "^" not in unit and "\\" not in unit else rf"\ensuremath{{\mathrm{{{unit}}}}}"


def _macro(source: str) -> Macro:
    tokens = placeless(tokenise(source, file=0, name="template"))
    return Macro(tuple(Token(PRIMITIVE, t.text, 0) if t.kind == CONTROL else t for t in tokens))
