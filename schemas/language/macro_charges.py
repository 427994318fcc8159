r"""Macros that spell a particle and its charge in words: ``\KstarZero``, ``\PiPlus``, ``\Muonm``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

_WORDS: Final = {
    "+": ("p", "plus", "Plus"),
    "-": ("m", "minus", "Minus"),
    "0": ("z", "zero", "Zero"),
    r"\pm": ("pm",),
    r"\mp": ("mp",),
}
_CAPITALS: Final = {"+": "P", "-": "M", "0": "Z"}
"""Behind a star only: ``\\DM`` and ``\\BM`` are often something else."""
_EACH: Final = ("+", "-", "0", r"\pm", r"\mp")
_CHARGED: Final = ("+", "-", r"\pm", r"\mp")
_ONE_SIGN: Final = ("+", "-", r"\pm")
_STEMS: Final = (
    ("K Kaon kaon", "K", "", _EACH),
    ("pi Pi pion Pion", r"\pi", "", _EACH),
    ("mu Mu muon Muon", r"\mu", "", _CHARGED),
    ("tau Tau tauon", r"\tau", "", _CHARGED),
    ("e el electron", "e", "", _CHARGED),
    ("rho Rho", r"\rho", "", _EACH),
    ("D", "D", "", _EACH),
    ("Ds", "D_{s}", "", _CHARGED),
    ("Dst Dstar DStar DSt", "D^{*", "}", _EACH),
    ("Dsst Dsstar DsStar DsSt", "D_{s}^{*", "}", _CHARGED),
    ("Kst Kstar KStar KSt", "K^{*", "}", _EACH),
    ("B", "B", "", _EACH),
    ("Bu", "B", "", _ONE_SIGN),
    ("Bd", "B", "", ("0",)),
    ("Bs", "B_{s}", "", ("0",)),
    ("Bc", "B_{c}", "", _ONE_SIGN),
    ("Lambda", r"\Lambda", "", ("0",)),
    ("Lb Lambdab LambdaB", r"\Lambda_{b}", "", ("0",)),
    ("Lc Lambdac LambdaC", r"\Lambda_{c}", "", _ONE_SIGN),
    ("Xi", r"\Xi", "", ("-", "0", r"\pm")),
    ("Xib XiB", r"\Xi_{b}", "", ("-", "0")),
    ("Xic XiC", r"\Xi_{c}", "", ("+", "0")),
    ("Sigma", r"\Sigma", "", ("+", "-", "0", r"\pm")),
    ("Sigmab SigmaB", r"\Sigma_{b}", "", _ONE_SIGN),
    ("Omegab OmegaB", r"\Omega_{b}", "", ("-",)),
    ("Omegac OmegaC", r"\Omega_{c}", "", ("0",)),
    ("W", "W", "", _CHARGED),
)
"""Words, the plain LaTeX before and behind the charge, and the charges that there are."""
_OTHERS: Final = frozenset(
    [
        "mum",
        "Lcpm",
        "elpm",
        "elmp",
        "Bdz",
        "Bdzb",
        "Bdzbar",
        "Bup",
        "Bum",
        "Rhop",
        "Rhom",
        "Rhoz",
    ]
)
"""Names that often mean something else."""


def spelled_charges() -> dict[str, str]:
    r"""Macro name without backslash -> plain LaTeX.

    >>> spelled = spelled_charges()
    >>> spelled["KstarZero"], spelled["PiPlus"], spelled["BsZerobar"], "DM" in spelled
    ('K^{*0}', '\\pi^{+}', '\\overline{B}_{s}^{0}', False)
    """
    return {name: plain for name, plain in _all() if len(name) > 2 and name not in _OTHERS}


def _all() -> Iterator[tuple[str, str]]:
    for words, before, behind, charges in _STEMS:
        for word in words.split():
            for charge in charges:
                for name in _names(word, charge):
                    yield name, _plain(before, charge, behind)
                    if charge == "0" and not before.startswith("\\"):
                        bar = _plain(rf"\overline{{{before[0]}}}{before[1:]}", charge, behind)
                        yield from ((name + b, bar) for b in ("b", "bar"))


def _names(word: str, charge: str) -> Iterator[str]:
    yield from (word + said for said in _WORDS[charge])
    if "st" in word.lower() and charge in _CAPITALS:
        yield word + _CAPITALS[charge]


def _plain(before: str, charge: str, behind: str) -> str:
    return f"{before}{charge}{behind}" if behind else f"{before}^{{{charge}}}"
