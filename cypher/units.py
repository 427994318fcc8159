"""Units in which measured values are given: kinds of units, and numbers in any unit of a kind."""

from __future__ import annotations

from typing import Final

SCALES: Final[dict[str, tuple[tuple[str, float], ...]]] = {
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
    "angle": (("degrees", 1.0), ("degree", 1.0), ("deg", 1.0), ("°", 1.0)),
    "share": (("%", 1.0), ("per cent", 1.0), ("percent", 1.0)),
}
"""Units of one kind with their size in a common one; a year is 365.25 days."""


def in_base(number: float, unit: str) -> tuple[str, float]:
    """The kind of a unit, and the number in its common unit; an unknown unit is a kind of its own.

    >>> in_base(1.5, "GeV"), in_base(3.0, "pb")
    (('energy', 1500000000.0), ('pb', 3.0))
    """
    for kind, scale in SCALES.items():
        sizes = dict(scale)
        if unit in sizes:
            return kind, number * sizes[unit]
    return unit, number
