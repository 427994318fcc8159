"""The unit in which an answer is wanted ("in GeV"), and the rows of an answer in that unit."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from math import isclose, log10
from typing import Final

from cypher.schema_graph import UNIT, VALUE
from cypher.table import Table
from cypher.units import SCALES, SHARE, in_base, plain_unit
from schemas.questions import Value

_UNITS: Final = "|".join(sorted((re.escape(u) for s in SCALES.values() for u, _ in s), key=len, reverse=True))
_ASKED: Final = re.compile(
    rf"^(?P<rest>.+?\S),? (?:in|expressed in|in units of) (?P<unit>{_UNITS})"
    r"(?:/c(?:\^?2|\*\*2)?)?\s*(?P<end>[?.!]*)$"
)
_WORDS: Final = {
    "seconds": "s",
    "picoseconds": "ps",
    "femtoseconds": "fs",
    "nanoseconds": "ns",
    "microseconds": "us",
    "electronvolts": "eV",
    "gigaelectronvolts": "GeV",
    "megaelectronvolts": "MeV",
}
_WORDED: Final = re.compile(rf"(?<=[ (])in ({'|'.join(_WORDS)})\b", re.IGNORECASE)
_INSIDE: Final = re.compile(rf"^(.+?),( in (?:{_UNITS})),( .+?)(?=[?.!]*$)")
_BRACKETED: Final = re.compile(rf"^(.+?) \((in (?:{_UNITS}))\)(.*?)([?.!]*)$")
_OF_VALUE: Final = re.compile(
    r"value|difference|(?:stat|syst|total) (?:plus|minus)|(?:total|statistical|systematic) error"
)
_TEXT: Final = " text"
_POWER: Final = re.compile(r"^\(?(?P<body>[^()eE]*\d[^()eE]*?)\)?\s*E\s?(?P<power>[-+]?\d+)$")
_NUMBER: Final = re.compile(r"(?<![A-Za-z\d.^{*])(?<![\^{*][-+])\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def split_unit(text: str) -> tuple[str, str]:
    """The question without the unit that it asks for at its end, and the unit; empty where there is none.

    >>> split_unit("What is the B_s0 mass in GeV/c^2?"), split_unit("Which papers appeared in 2012?")
    (('What is the B_s0 mass?', 'GeV'), ('Which papers appeared in 2012?', ''))
    """
    text = _WORDED.sub(lambda found: f"in {_WORDS[found[1].lower()]}", text)
    text = _BRACKETED.sub(r"\1\3 \2\4", _INSIDE.sub(r"\1\3\2", text))
    found = _ASKED.match(text)
    return (found["rest"] + found["end"], found["unit"]) if found else (text, "")


def factor(given: str, wanted: str) -> float | None:
    """By what a number in one unit is multiplied for another; None where the units are of different kinds.

    >>> factor("MeV", "GeV"), factor("MeV", "ps"), factor("", "%")
    (0.001, None, 100.0)
    """
    (kind, size), (other, unit) = in_base(1.0, given), in_base(1.0, wanted)
    if not given and other == SHARE:
        return 100.0 / unit
    return float(f"{size / unit:.15g}") if kind == other and given else None


def in_unit(shown: Table, wanted: str) -> tuple[Table, tuple[str, ...]]:
    """The rows in the unit that is wanted, and the units of rows that stay as they are."""
    shown = _with_units(shown) if in_base(1.0, wanted)[0] == SHARE else shown
    units = [i for i, c in enumerate(shown.columns) if c == UNIT or c.endswith(f" {UNIT}")]
    rows, left = [], dict[str, None]()
    for row in shown.rows:
        cells = list(row)
        for at in units:
            given = str(row[at] or "")
            by = factor(given, wanted)
            if by is None:
                left |= {given or "no unit": None} if _holds(shown.columns[at], shown.columns, row) else {}
                continue
            for i, column in enumerate(shown.columns):
                if i != at and _is_in(column, shown.columns[at]):
                    cells[i] = _scaled(cells[i], by, given)
            cells[at] = wanted
        rows.append(tuple(cells))
    return replace(shown, rows=tuple(rows)), tuple(left)


def _with_units(shown: Table) -> Table:
    """The rows with an empty unit beside the values, where they have none: shares of a whole have no unit."""
    if any(c == UNIT or c.endswith(f" {UNIT}") for c in shown.columns):
        return shown
    at = [i for i, c in enumerate(shown.columns) if (c.removesuffix(_TEXT).split() or [""])[-1] == VALUE]
    if not at:
        return shown
    name = f"{shown.columns[at[0]].removesuffix(_TEXT)} {UNIT}".removeprefix(f"{VALUE} ")
    rows = tuple((*row, None) for row in shown.rows)
    return replace(shown, columns=(*shown.columns, name), rows=rows)


def gives(shown: Table, unit: str) -> bool:
    """Whether any row is in the unit."""
    units = [i for i, c in enumerate(shown.columns) if c == UNIT or c.endswith(f" {UNIT}")]
    return any(row[i] == unit for row in shown.rows for i in units)


def not_in_unit(unit: str, given: tuple[str, ...]) -> str:
    """Why values are not in a unit."""
    if not given:
        return f"What is asked for has no unit, so it cannot be given in {unit}."
    return f"Values in {' or '.join(given)} cannot be given in {unit}."


def _is_in(column: str, unit: str) -> bool:
    """Whether a column's numbers are in the unit that another column gives."""
    bare = column.removesuffix(_TEXT)
    own = unit.removesuffix(UNIT).strip()
    return bare == own if own else bool(_OF_VALUE.fullmatch(bare))


def _holds(unit: str, columns: tuple[str, ...], row: tuple[Value, ...]) -> bool:
    return any(row[i] is not None for i, c in enumerate(columns) if c != unit and _is_in(c, unit))


def _scaled(cell: Value, by: float, given: str) -> Value:
    if isinstance(cell, bool) or cell is None:
        return cell
    if isinstance(cell, int | float):
        return float(f"{cell * by:.12g}")
    return _printed(cell, by, given) if isinstance(cell, str) else cell


def _printed(text: str, by: float, given: str) -> str:
    """A printed value with as many digits as before, and one more where the factor is no power of ten.

    >>> _printed("5366.98 +-0.07 +-0.13", 0.001, "MeV"), _printed("(17.7 +-0.1) E12", 1e-12, "s**-1")
    ('5.36698 +-0.00007 +-0.00013', '17.7 +-0.1')
    >>> _printed("44 +43-38", 0.0174532925, "degrees")
    '0.768 +0.75-0.663'
    >>> _printed("84 +-9", 17.4532925, "degrees")
    '1470 +-160'
    >>> _printed("1.465+-0.009E-12", 1e12, "s"), _printed("17.79 +-0.04 ps^{-1}", 1e12, "ps^-1")
    ('1.465+-0.009', '17790000000000 +-40000000000')
    >>> _printed("< 43 E-8", 100, ""), _printed("4.3E-3", 100, "")
    ('< 0.000043', '0.43')
    """
    body = plain_unit(text).strip().removesuffix(plain_unit(given)).strip()
    found = _POWER.match(body)
    body, power = (found["body"], int(found["power"])) if found else (body, 0)
    shift = round(log10(by))
    exact = isclose(by, 10.0**shift, rel_tol=1e-9)

    def scaled(number: re.Match[str]) -> str:
        said = Decimal(number[0])
        if exact:
            return format(said.scaleb(power + shift), "f")
        rounded = f"{float(said.scaleb(power)) * by:.{len(said.as_tuple().digits) + 1}g}"
        return format(Decimal(rounded), "f")

    return _NUMBER.sub(scaled, body)
