"""Units of measurement: how they are written, their canonical form, and conversion between them."""

from __future__ import annotations

import re

_PREFIXES = {
    "a": 1e-18,
    "f": 1e-15,
    "p": 1e-12,
    "n": 1e-9,
    "u": 1e-6,
    "m": 1e-3,
    "": 1.0,
    "k": 1e3,
    "M": 1e6,
    "G": 1e9,
    "T": 1e12,
}
_BASES = {
    "eV": ("energy", "m k M G T"),
    "s": ("time", "a f p n u m"),
    "b": ("area", "a f p n u m"),
    "Hz": ("frequency", "m k M G"),
    "m": ("length", "f n u m k"),
    "rad": ("angle", "u m"),
    "g": ("mass", "n u m k"),
    "V": ("voltage", "u m k M"),
    "A": ("current", "n u m"),
    "M": ("concentration", "p n u m"),
    "L": ("volume", "n u m"),
    "W": ("power", "n u m k M"),
}
_SPECIAL = {
    "cm": ("length", 1e-2),
    "h": ("time", 3600.0),
    "min": ("time", 60.0),
    "deg": ("angle", 0.017453292519943295),
    "rad": ("angle", 1.0),
    "eV": ("energy", 1.0),
    "s": ("time", 1.0),
    "m": ("length", 1.0),
    "Hz": ("frequency", 1.0),
    "g": ("mass", 1.0),
    "L": ("volume", 1.0),
    "%": ("fraction", 0.01),
    "pc": ("distance", 1.0),
    "kpc": ("distance", 1e3),
    "Mpc": ("distance", 1e6),
}
_KNOWN: dict[str, tuple[str, float]] = {
    prefix + base: (dimension, _PREFIXES[prefix])
    for base, (dimension, prefixes) in _BASES.items()
    for prefix in prefixes.split()
} | _SPECIAL
_SPELLED = {"degrees": "deg", "degree": "deg", "°": "deg", "hours": "h", "seconds": "s", "minutes": "min"}
_MICRO = {"µ": "u", "μ": "u", "\\mu": "u"}
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")

_SYMBOL = "|".join(
    sorted(
        (re.escape(name).replace("u", "(?:u|µ|μ)", 1) if name.startswith("u") else re.escape(name))
        for name in [*_KNOWN, *_SPELLED]
        if name != "%"
    )[::-1]
)
_POWER = r"(?:\^?\s?\{?\s?[-\u2212\u2013]?\s?\d\s?\}?|[⁻]?[¹²³⁴])"
UNIT = (
    rf"(?:{_SYMBOL})(?:\^?\s?\{{?\s?[-\u2212\u2013]\s?\d\s?\}}?|\^\s?\{{?\d\}}?|⁻?[¹²³⁴])?"
    rf"(?:\s?/\s?(?:c|kg|g|mL|L|m|cm|s|day)(?:{_POWER})?)?(?![A-Za-z])"
)
"""Regular expression of one unit, longest symbol first, without groups."""


def canonical_unit(unit: str) -> str:
    """One spelling per unit; an unknown unit comes back without spaces and braces.

    >>> canonical_unit("MeV/c²"), canonical_unit("fb^{-1}"), canonical_unit("μs"), canonical_unit("ps−1")
    ('MeV/c^2', 'fb^-1', 'us', 'ps^-1')
    """
    cleaned = re.sub(r"(?<=[A-Za-z])(⁻?[¹²³⁴])", lambda m: "^" + m.group().translate(_RAISED), unit)
    cleaned = re.sub(r"[\s{}]", "", cleaned).replace("\u2212", "-").replace("\u2013", "-")
    for micro, ascii_form in _MICRO.items():
        cleaned = cleaned.replace(micro, ascii_form)
    cleaned = re.sub(r"(?<=[A-Za-z])(-?\d)", r"^\1", cleaned)
    return _SPELLED.get(cleaned, cleaned)


def conversion(source: str, target: str) -> float | None:
    """What to multiply a value in ``source`` with to have it in ``target``; None when they do not compare.

    >>> conversion("fs", "ps"), conversion("GeV/c^2", "MeV/c^2"), conversion("ps", "mm")
    (0.001, 1000.0, None)
    """
    first, second = unit_scale(source), unit_scale(target)
    if first is None or second is None or first[0] != second[0]:
        return None
    return float(f"{first[1] / second[1]:.15g}")


def unit_scale(unit: str) -> tuple[str, float] | None:
    """The dimension that a unit measures and its size in the base unit of that dimension; None if unknown.

    >>> unit_scale("ps^{-1}") == unit_scale("ps−1"), unit_scale("GeV")[1] / unit_scale("MeV")[1]
    (True, 1000.0)
    """
    head, _, below = canonical_unit(unit).partition("/")
    symbol, _, power = head.partition("^")
    if symbol not in _KNOWN:
        return None
    dimension, factor = _KNOWN[symbol]
    exponent = int(power) if re.fullmatch(r"-?\d", power) else 1
    return f"{dimension}^{exponent}/{below}", factor**exponent
