"""What a number without a unit is compared with: numbers as they are listed, with their powers of ten.

"17.77" stands in a listing as (17.77 ...) E12 hbar s**-1 and is held as 1.777e13. A number of the asker's
that has no unit is read on the scale of the listing; where the listing has no one scale, it has no meaning.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from cypher.schema_graph import UNIT, VALUE
from cypher.units import in_base, units_of
from schemas.questions import Subgraph

MOST_READ: Final = 1_001
"""Statements that are looked at to learn how the values are listed."""
_MOST: Final = 0.75
"""Share of the values on one scale from which it is the scale that is meant."""
_POWER: Final = re.compile(r"(?:\s|\))E|10\s*\^\s*\{?")
_EXPONENT: Final = re.compile(r"\s*([-+−]?\d+)")
_NAMED: Final = 4
_PURE: Final = "{} has no unit, so it was compared with pure numbers; values with a unit were left out."


@dataclass(frozen=True, slots=True)
class Scale:
    """A unit with the power of ten that a listing gives beside it; no unit for pure numbers."""

    unit: str
    power: int = 0

    def __str__(self) -> str:
        return f"10^{self.power} {self.unit}" if self.power else self.unit

    @property
    def base(self) -> tuple[str, float]:
        """Kind of unit, and one of this scale in the common unit of the kind."""
        kind, size = in_base(1.0, self.unit)
        return kind, float(f"{size * 10.0**self.power:.14g}")


@dataclass(frozen=True, slots=True)
class Meant:
    """What a number without a unit means; ``problem`` says why it means nothing."""

    units: tuple[tuple[str, float], ...] = ()
    """The number in each unit in which values may be given; empty where they have none."""
    pure: bool = False
    """Whether only values without a unit are compared."""
    note: str = ""
    problem: str = ""
    if_none: str = ""
    """Why it means nothing if no value fits, or where it is denied that one does."""


def scales(found: Subgraph, number: str = VALUE, unit: str = UNIT) -> Counter[Scale]:
    """How many of the numbers in a column of a result are listed on each scale.

    >>> [str(listed_as("hbar s**-1", t)) for t in ("(17.63 +-0.11) E12", "17.8")]
    ['10^12 hbar s**-1', 'hbar s**-1']
    """
    cells = (dict(zip(found.columns, row, strict=True)) for row in found.rows)
    return Counter(
        listed_as(str(c.get(unit) or ""), str(c.get(f"{number}_text") or ""))
        for c in cells
        if c.get(number) is not None
    )


def listed_as(unit: str, text: str) -> Scale:
    """The scale of a printed value; that of a pure number is the number itself."""
    parts = _POWER.split(text)
    exponent = _EXPONENT.match(parts[-1]) if unit and len(parts) > 1 else None
    return Scale(unit, int(exponent[1].replace("−", "-"))) if exponent else Scale(unit)


def in_asked_unit(number: float, unit: str) -> tuple[tuple[str, float], ...]:
    """A number in the unit in which the answer is wanted, in every unit of its kind.

    >>> dict(in_asked_unit(1.2, "rad"))["mrad"]
    1200.0
    """
    return _everywhere(number, Scale(unit))


def meaning(number: float, shown: str, counted: Mapping[Scale, int], *, all_read: bool = True) -> Meant:
    """What a number means beside values of these scales; one written with a power of ten is the whole number.

    >>> two = {Scale("hbar s**-1", 12): 9, Scale("ps^-1"): 1}
    >>> meaning(20.0, "20", two).note
    '20 has no unit, so it was compared with the numbers as they are listed, in 10^12 hbar s**-1.'
    >>> dict(meaning(20.0, "20", two).units)["ps^-1"]
    20.0
    >>> meaning(0.1, "0.1", {Scale("rad"): 3, Scale("rad", -2): 2}).problem[:42]
    '0.1 has no unit, and the values are listed'
    """
    whole = "e" in shown.lower()
    given: Counter[Scale] = Counter()
    for scale, n in counted.items():
        given[Scale(scale.unit) if whole else scale] += n
    pure = given.pop(Scale(""), 0)
    if not given:
        return Meant() if all_read else Meant(pure=True, note=_PURE.format(shown))
    if pure >= sum(given.values()):
        problem = _problem(shown, given, pure, all_read=all_read)
        return Meant(pure=True, note=_PURE.format(shown), if_none=problem)
    if number == 0 and not pure:
        return Meant()
    chosen = _chosen(given) if all_read and not pure else None
    if chosen is None:
        return Meant(problem=_problem(shown, given, pure, all_read=all_read))
    where = f"as they are listed, in {chosen}" if not whole else f"in {chosen}"
    note = f"{shown} has no unit, so it was compared with the numbers {where}."
    if len({s.base for s in given}) > 1:
        note = f"{note[:-1]}, as most of these values are."
    return Meant(units=_everywhere(number, chosen), note=note)


def _chosen(given: Counter[Scale]) -> Scale | None:
    """The scale on which all or most values are, where all can be compared."""
    if len({s.base[0] for s in given}) > 1:
        return None
    sizes: Counter[tuple[str, float]] = Counter()
    for scale, n in given.items():
        sizes[scale.base] += n
    base, most = sizes.most_common(1)[0]
    if most < _MOST * sum(given.values()):
        return None
    return next(s for s, _ in given.most_common() if s.base == base)


def _everywhere(number: float, scale: Scale) -> tuple[tuple[str, float], ...]:
    """The number on a scale in every unit of its kind."""
    kind, size = scale.base
    return tuple((unit, float(f"{number * size / one:.12g}")) for unit, one in units_of(kind))


def _problem(shown: str, given: Counter[Scale], pure: int, *, all_read: bool) -> str:
    named = [str(s) for s, _ in given.most_common(_NAMED)]
    more = " and more" if len(given) > _NAMED else ""
    without = " and without a unit" if pure else ""
    example = next((s.unit for s, _ in given.most_common()), "")
    which = "the values" if all_read else f"the first {given.total() + pure:,} of the values"
    rest = "" if all_read else "; there are more"
    return (
        f"{shown} has no unit, and {which} are listed in {', '.join(named)}{more}{without}{rest}, "
        f"so it is not known what to compare with. Say the unit, as in '{shown} {example}'."
    )
