"""Numbers that a question compares with: "above 174 GeV", "between 1 and 2 ps", "at 90% confidence level"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cypher.form import Op
from cypher.schema_graph import LEVEL, VALUE
from cypher.units import SCALES

_NUMBER = r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?"
_UNITS = "|".join(sorted((re.escape(u) for s in SCALES.values() for u, _ in s), key=len, reverse=True))
_MEASURE = rf"({_NUMBER})(?:\s?({_UNITS})(?![\w^/]))?"
_WORDS: tuple[tuple[Op, str], ...] = (
    (Op.ABOVE, r"(?:above|over|exceeding|beyond|(?:larger|greater|higher|bigger|more|longer|heavier) than)"),
    (Op.BELOW, r"(?:below|under|(?:smaller|lower|less|shorter|lighter) than)"),
    (Op.AT_LEAST, r"(?:at least|no less than|not below)"),
    (Op.AT_MOST, r"(?:at most|up to|no more than|not above)"),
)
_ONE = tuple((op, re.compile(rf"{words}\s+{_MEASURE}", re.IGNORECASE)) for op, words in _WORDS)
_BETWEEN = re.compile(rf"between\s+{_MEASURE}\s+and\s+{_MEASURE}", re.IGNORECASE)
_PER_CENT = r"(?:\s?%|\s+per\s?cent)"
_LEVEL = re.compile(
    rf"(?:({_NUMBER}){_PER_CENT}\s+(?:CL\b|C\.L\.|confidence(?:\s+level)?\b)"
    rf"|(?:CL|C\.L\.|confidence\s+level)(?:\s+(?:of|is|=))?\s+({_NUMBER}){_PER_CENT}?)",
    re.IGNORECASE,
)
_YEAR = re.compile(r"^(?:19|20)\d\d$")


@dataclass(frozen=True, slots=True)
class Bound:
    """A comparison of an attribute of the measured values with a number; ``unit`` empty for none."""

    attribute: str
    op: Op
    number: float
    unit: str = ""

    @property
    def shown(self) -> str:
        """The number as it was written."""
        return f"{self.number:g}{f' {self.unit}' if self.unit else ''}"

    @property
    def scaled(self) -> tuple[tuple[str, float], ...]:
        """The number in every unit of its kind; a share without a unit is a part of one.

        >>> dict(Bound("value", Op.ABOVE, 1.5, "ps").scaled)["fs"]
        1500.0
        >>> dict(Bound("value", Op.ABOVE, 10, "%").scaled)[""]
        0.1
        """
        kind = next((s for s in SCALES.values() if self.unit in dict(s)), ((self.unit, 1.0),))
        size = dict(kind)[self.unit]
        kind = (*kind, ("", 100.0)) if kind == SCALES["share"] else kind
        return tuple((unit, float(f"{self.number * size / other:.12g}")) for unit, other in kind)


@dataclass(frozen=True, slots=True)
class BoundWord:
    """All comparisons of one phrase; each must hold."""

    bounds: tuple[Bound, ...]


def find_bound(text: str, start: int) -> tuple[int, BoundWord] | None:
    """The comparison that begins at a character, with its end; None for none.

    A bare year is no measure, and a number right before a noun ("more than 3 papers") counts things.
    "between" includes both ends, as with years.

    >>> end, word = find_bound("values between 1.4 and 1.5 ps", 7)
    >>> end, [(b.op.value, b.shown) for b in word.bounds]
    (29, [('is at least', '1.4 ps'), ('is at most', '1.5 ps')])
    >>> find_bound("more than 3 papers", 0) is None
    True
    """
    level = _LEVEL.match(text, start)
    if level:
        return level.end(), BoundWord((Bound(LEVEL, Op.IS, float(level[1] or level[2])),))
    between = _BETWEEN.match(text, start)
    if between and _closes(text, between, between[4]) and not (_is_year(between[1]) and not between[4]):
        unit = _unit(between[4] or between[2])
        low, high = (
            Bound(VALUE, Op.AT_LEAST, float(between[1]), _unit(between[2]) or unit),
            Bound(VALUE, Op.AT_MOST, float(between[3]), unit),
        )
        return between.end(), BoundWord((low, high))
    for op, pattern in _ONE:
        found = pattern.match(text, start)
        if found and _closes(text, found, found[2]) and not (_is_year(found[1]) and not found[2]):
            return found.end(), BoundWord((Bound(VALUE, op, float(found[1]), _unit(found[2])),))
    return None


def _unit(found: str | None) -> str:
    """A unit in the spelling of the table, whose case tells MeV from meV."""
    return found or ""


def _is_year(number: str) -> bool:
    return bool(_YEAR.match(number))


def _closes(text: str, found: re.Match[str], unit: str | None) -> bool:
    """Whether nothing is counted: a unit follows, or the end of the clause."""
    return bool(unit) or not re.match(r"\s*[\w(\[^/*]", text[found.end() :])
