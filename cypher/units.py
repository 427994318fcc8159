"""Units in which measured values are given: kinds of units, and numbers in any unit of a kind."""

from __future__ import annotations

import re
from math import pi
from typing import Final, TypeAlias

from schemas.questions import Value

_UNBRACKETED: Final = re.compile(
    r"^(?P<body>[^()eE]*\d[^()eE]*(?:\+-|±|[+-])[^()eE]*\d)\s*E(?P<power>[-+]?\d+)$"
)
_BRACES: Final = re.compile(r"\^\{([^{}]*)\}")
SHARE: Final = "share"
"""Kind of per cent; a number without a unit is 100 of them."""
_PREFIXES: Final = (("", 1.0), ("f", 1e15), ("p", 1e12), ("n", 1e9), ("u", 1e6), ("m", 1e3))
Units: TypeAlias = tuple[tuple[str, float], ...]
"""Units of one kind, each with its size."""
SCALES: Final[dict[str, Units]] = {
    "energy": (("meV", 1e-3), ("eV", 1.0), ("keV", 1e3), ("MeV", 1e6), ("GeV", 1e9), ("TeV", 1e12)),
    "time": (
        ("as", 1e-18),
        ("fs", 1e-15),
        ("ps", 1e-12),
        ("ns", 1e-9),
        ("us", 1e-6),
        ("ms", 1e-3),
        ("s", 1.0),
        ("yr", 31_557_600.0),
        ("years", 31_557_600.0),
    ),
    "rate": (
        *((f"{s}s{power}", n) for s, n in _PREFIXES for power in ("^-1", "**-1", "^{-1}")),
        ("hbar s**-1", 1.0),
        ("hbar s^-1", 1.0),
    ),
    "angle": (
        *((word, 1.0) for word in ("degrees", "degree", "deg", "°")),
        *((word, 180 / pi) for word in ("rad", "radians")),
        ("mrad", 0.18 / pi),
    ),
    "energy squared": (
        *((f"eV{power}", 1.0) for power in ("**2", "^2")),
        *((f"GeV{power}", 1e18) for power in ("**2", "^2")),
        *((f"MeV{power}", 1e12) for power in ("**2", "^2")),
    ),
    SHARE: (("%", 1.0), ("per cent", 1.0), ("percent", 1.0)),
}
"""Units of one kind with their size in a common one; a year is 365.25 days.

A difference of masses is listed as a frequency, times hbar."""


def in_base(number: float, unit: str) -> tuple[str, float]:
    """The kind of a unit, and the number in its common unit; an unknown unit is a kind of its own.

    >>> in_base(1.5, "GeV"), in_base(3.0, "pb")
    (('energy', 1500000000.0), ('pb', 3.0))
    >>> in_base(17.75, "ps^-1")
    ('rate', 17750000000000.0)
    """
    for kind, scale in SCALES.items():
        sizes = dict(scale)
        if unit in sizes:
            return kind, number * sizes[unit]
    return unit, number


def units_of(kind: str) -> Units:
    """The units of a kind with their sizes in a common one; an unknown unit is a kind of its own.

    >>> units_of("pb"), dict(units_of("energy"))["GeV"]
    ((('pb', 1.0),), 1000000000.0)
    """
    return SCALES.get(kind, ((kind, 1.0),))


def bracketed(text: str) -> str:
    """A printed value whose power of ten stands behind its error, with brackets around what it belongs to.

    >>> bracketed("1.465+-0.009E-12"), bracketed("1.5E-3"), bracketed("(2.1 +-0.2) E-3")
    ('(1.465+-0.009) E-12', '1.5E-3', '(2.1 +-0.2) E-3')
    """
    found = _UNBRACKETED.match(text.strip())
    return f"({found['body'].strip()}) E{found['power']}" if found else text


def plain_unit(unit: Value) -> str:
    """A unit without braces: "ps^-1"."""
    return _BRACES.sub(r"^\1", str(unit or ""))
