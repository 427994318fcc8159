"""Numbers of the PDG's value rows: errors that the tables leave unparsed, limits, superseded measurements."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from extraction.readers.pdg_tables import Value

_NUMBER = r"(?:\d+\.?\d*|\.\d+)"
_ERROR = re.compile(
    rf"\s*(?:\+\s?-\s*(?P<both>{_NUMBER})|\+\s*(?P<plus>{_NUMBER})\s*-\s*(?P<minus>{_NUMBER})"
    rf"|-\s*(?P<minus2>{_NUMBER})\s*\+\s*(?P<plus2>{_NUMBER}))"
)
_CENTRAL = re.compile(rf"\s*(?P<value>[+-]?\s?{_NUMBER})")
_POWER = re.compile(r"\s*E\s?([+-]?\d+)\s*$")
_REPLACED = re.compile(
    r"\brepl\.{0,2}\s*by\s+(?:the\s+)?(?P<paper>[A-Z][A-Za-z'’ .,-]*?\s\d{4}[A-Z]{0,3})\b", re.IGNORECASE
)
LIMITS = {"U": "upper", "L": "lower", "R": "range", "X": "excluded range"}
"""pdgdoc's meaning of limit_type."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A printed value: ``errors`` are (plus, minus), all scaled by the power of ten; ``texts`` as printed."""

    value: float
    errors: tuple[tuple[float, float], ...]
    texts: tuple[str, ...] = ()


def parse_value(text: str) -> Printed | None:
    """The numbers of a printed value with its errors; None for limits, ranges and words.

    >>> parse_value("(22.04 +- 0.28 +- 2.09 +- 1.51) E-2").errors[0]
    (0.0028, 0.0028)
    >>> parse_value("354 +-75 +140-181").errors
    ((75.0, 75.0), (140.0, 181.0))
    """
    body, power = text.strip(), 0
    found = _POWER.search(body)
    if found:
        body, power = body[: found.start()], int(found[1])
    body = body.strip()
    if body.startswith("(") and body.endswith(")"):
        body = body[1:-1]
    central = _CENTRAL.match(body)
    if central is None:
        return None
    at, errors, texts = central.end(), [], []
    while error := _ERROR.match(body, at):
        plus = error["both"] or error["plus"] or error["plus2"]
        minus = error["both"] or error["minus"] or error["minus2"]
        errors.append((_scaled(plus, power), _scaled(minus, power)))
        texts.append((f"±{plus}" if error["both"] else f"+{plus}-{minus}") + (f" E{power}" if power else ""))
        at = error.end()
    if body[at:].strip():
        return None
    return Printed(_scaled(central["value"].replace(" ", ""), power), tuple(errors), tuple(texts))


def _scaled(number: str, power: int) -> float:
    return float(f"{number}e{power}")


@dataclass(frozen=True, slots=True)
class Numbers:
    """Value and errors of one row; None where the listing does not say."""

    value: float | None
    stat: tuple[float, float] | None
    syst: tuple[float, float] | None
    total: tuple[float, float] | None


def _pair(plus: float | None, minus: float | None) -> tuple[float, float] | None:
    return None if plus is None or minus is None else (plus, minus)


def _quadrature(errors: tuple[tuple[float, float], ...]) -> tuple[float, float]:
    return math.hypot(*(e[0] for e in errors)), math.hypot(*(e[1] for e in errors))


def numbers(row: Value) -> Numbers:
    """Value and errors as the tables give them; parsed from the text where they give none.

    The first printed error is statistical; with three or more, all further ones are added in
    quadrature to the systematic error.
    """
    value = row.value
    stat = _pair(row.stat_plus, row.stat_minus)
    syst = _pair(row.syst_plus, row.syst_minus)
    total = _pair(row.total_plus, row.total_minus)
    if row.limit or total is not None or stat is not None:
        return Numbers(value, stat, syst, total)
    printed = parse_value(row.value_text)
    if printed is None or not printed.errors:
        return Numbers(value, None, None, None)
    value = printed.value if value is None else value
    if len(printed.errors) == 1:
        return Numbers(value, None, None, printed.errors[0])
    return Numbers(value, printed.errors[0], _quadrature(printed.errors[1:]), _quadrature(printed.errors))


def superseded_by(comment: str) -> str:
    """The paper that replaced a measurement, as the PDG names it; empty when none did.

    >>> superseded_by("p p at 7 TeV, Repl. by AAIJ 2022T")
    'AAIJ 2022T'
    """
    found = _REPLACED.search(comment)
    return " ".join(found["paper"].split()) if found else ""


def readable(text: str) -> str:
    """A printed value with signs that stand alone: ``+-`` becomes ``±``.

    >>> readable("(1.14 +- 0.26 + - 0.18) E-2")
    '(1.14 ±0.26 ±0.18) E-2'
    """
    return re.sub(r"\+\s?-\s*(?=[\d.])", "±", text)
