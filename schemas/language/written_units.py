"""Units as markup writes them: ``ps$^{-1}$``, ``\\mathrm{ps}^{-1}``, ``{\\per\\pico\\second}``, ``/ps``."""

from __future__ import annotations

import re

from schemas.language.units import UNIT, canonical_unit

_GAP = r"[\s~&]{0,6}(?:\\[,;:! ]\s{0,2}){0,3}"
_LEAD = rf"{_GAP}(?:\$\s{{0,2}}{_GAP})?"
_POWER = r"\s?\^\s?\{?\s?[-\u2212\u2013]?\s?\d\s?\}?"
_OVER_C = r"\s?/\s?\$?\s?c\s?\$?(?:\s?\^\s?\{?\s?2\s?\}?)?"
_FORMS = (
    re.compile(rf"{_LEAD}\\?(?P<percent>%)"),
    re.compile(
        rf"{_LEAD}(?:\$\s?)?\{{?\\(?:mathrm|textrm|text|rm|mbox|hbox|unit|si)\s?\{{?\s?{_GAP}(?P<unit>{UNIT})\s?\}}"
        rf"(?P<power>(?:\s?\$)?{_POWER}|{_OVER_C})?"
    ),
    re.compile(rf"{_LEAD}(?P<unit>{UNIT})(?P<power>\s?\$\s?{_POWER}\s?\$|/\s?\$\s?c(?:{_POWER})?\s?\$)?"),
    re.compile(rf"{_LEAD}(?P<per>/)\s?(?P<unit>[afpn][sb])(?![A-Za-z^\d])"),
    re.compile(rf"{_GAP}\{{(?P<unit>{UNIT})\}}"),
    re.compile(r"\s?\{(?P<macros>(?:\\[a-zA-Z]{1,14}\s?){1,8})\}"),
)
_PREFIX = {"atto": "a", "femto": "f", "pico": "p", "nano": "n", "micro": "u", "milli": "m"} | {
    "centi": "c",
    "kilo": "k",
    "mega": "M",
    "giga": "G",
    "tera": "T",
}
_BASE = {"second": "s", "electronvolt": "eV", "metre": "m", "meter": "m", "barn": "b", "hertz": "Hz"} | {
    "radian": "rad",
    "gram": "g",
    "percent": "%",
    "volt": "V",
}
_SHORT = {"TeV", "GeV", "MeV", "keV", "eV", "ps", "fs", "ns", "us", "ms", "cm", "mm", "km"}


def read_unit(text: str, at: int) -> tuple[str, int]:
    """The canonical unit at a place of a text and where it ends; an empty string and ``at`` for none.

    >>> read_unit("1.2$ ps$^{-1}$", 3), read_unit(r"{\\per\\pico\\second}", 0)[0]
    (('ps^-1', 14), 'ps^-1')
    """
    for form in _FORMS:
        found = form.match(text, at)
        if found is None:
            continue
        groups = found.groupdict()
        if groups.get("percent"):
            return "%", found.end()
        if groups.get("macros"):
            unit = _of_macros(groups["macros"])
        else:
            unit = canonical_unit((groups["unit"] + (groups.get("power") or "")).replace("$", ""))
            unit = f"{unit}^-1" if groups.get("per") else unit
        if unit:
            return unit, found.end()
    return "", at


def _of_macros(macros: str) -> str:
    r"""``\per\pico\second`` as ``ps^-1``; empty for macros that are not known, or more than a quotient."""
    made, per, prefix = "", False, ""
    for name in re.findall(r"[a-zA-Z]+", macros):
        if name == "per":
            per = True
        elif name in _PREFIX:
            prefix = _PREFIX[name]
        elif name in _BASE or name in _SHORT:
            symbol = prefix + _BASE.get(name, name)
            made += (f"/{symbol}" if per else symbol) if made else f"{symbol}^-1" if per else symbol
            per, prefix = False, ""
        elif name == "clight" and per and made:
            made, per = made + "/c", False
        elif name == "squared" and made:
            made += "^2"
        else:
            return ""
    return canonical_unit(made)
