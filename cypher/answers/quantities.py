"""What each number of a row is: a value, one of its errors, a year; and what a sentence says that it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Final

from schemas.questions import Value

NUMBER: Final = re.compile(r"(?<![\w.])[-+]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?(?![\w])", re.IGNORECASE)
_POWER: Final = re.compile(r"\s*(?:×|x|\*|·)\s*10\s*(?:\^|\*\*)?\s*\{?\(?([-+]?\d+)\)?\}?")
VALUE, ERROR, STATISTICAL, SYSTEMATIC, TOTAL, YEAR, TEXT = (
    "value",
    "error",
    "statistical error",
    "systematic error",
    "total error",
    "year",
    "text",
)
LIMIT: Final = "limit"
_ERRORS: Final = frozenset({ERROR, STATISTICAL, SYSTEMATIC, TOTAL})
_SIDES: Final = {"stat": STATISTICAL, "syst": SYSTEMATIC, "total": TOTAL}
_ERROR_WORD: Final = re.compile(r"error|uncertaint|_plus$|_minus$| plus$| minus$", re.IGNORECASE)
_SAID: Final = (
    r"(?P<sides>(?:\b(?:stat(?:istical)?|syst(?:ematic)?|total|overall)\b[\s,]*(?:and\s+)?)*)"
    r"\b(?P<noun>errors?|uncertaint(?:y|ies)|precision|values?|years?|{})\b"
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number of a row."""

    number: float
    role: str


@dataclass(frozen=True, slots=True)
class Measured:
    """The numbers of one row, and each value with its errors in the order in which they are printed."""

    quantities: tuple[Quantity, ...]
    chains: tuple[tuple[float, ...], ...]
    limit: bool = False
    """Whether the value is a limit."""

    @property
    def numbers(self) -> frozenset[float]:
        """All numbers."""
        return frozenset(q.number for q in self.quantities)

    @property
    def values(self) -> frozenset[float]:
        """The numbers that are values."""
        return frozenset(q.number for q in self.quantities if q.role == VALUE)

    def without_value(self) -> Measured:
        """The other numbers."""
        return Measured(tuple(q for q in self.quantities if q.role != VALUE), (), self.limit)


def normal(text: str) -> str:
    """Numbers and signs in one spelling: "3.2 × 10^-9" is "3.2e-9", "±" is " +- ".

    >>> normal("3.2 × 10^-9 ± 1")
    '3.2e-9 +- 1'
    """
    folded = text.replace("−", "-").replace("–", "-").replace("±", "+-")
    folded = _POWER.sub(lambda m: f"e{int(m.group(1))}", folded)
    return " ".join(folded.replace("+-", " +- ").split())


def measured(columns: Sequence[str], row: Sequence[Value]) -> Measured:
    """The numbers of a row by their columns.

    >>> [q.role for q in measured(["value text", "year"], ["1.5 ± 0.2 ± 0.1", 2020]).quantities]
    ['value', 'statistical error', 'systematic error', 'year']
    """
    found: list[Quantity] = []
    chains: list[tuple[float, ...]] = []
    for column, cell in zip(columns, row, strict=True):
        role = _role(column)
        for item in cell if isinstance(cell, tuple) else (cell,):
            if isinstance(item, str):
                printed = list(_printed(item))
                roles = _roles(printed, role)
                found += [Quantity(q, r) for (q, _), r in zip(printed, roles, strict=True)]
                if role == VALUE and printed:
                    chains.append(tuple(abs(q) if i else q for i, (q, _) in enumerate(printed)))
            elif isinstance(item, int | float) and not isinstance(item, bool):
                found.append(Quantity(float(item), role))
    values = [q.number for q in found if q.role == VALUE]
    chains += [(v, q.number) for v in values for q in found if q.role == TOTAL]
    limit = any(c.lower() == LIMIT and v for c, v in zip(columns, row, strict=True))
    return Measured(tuple(found), tuple(chains), limit)


def is_name(column: str) -> bool:
    """Whether a text in a column names something, and is not a number with its errors."""
    return _role(column) not in _ERRORS | {VALUE, YEAR}


def _role(column: str) -> str:
    low = column.lower()
    if _ERROR_WORD.search(low):
        return next((role for side, role in _SIDES.items() if side in low), ERROR)
    words = low.replace("_", " ").split()
    return next((role for role in (YEAR, VALUE) if role in words), low.replace("_", " "))


def _printed(text: str) -> Iterator[tuple[float, bool]]:
    """Numbers of a text, each with whether it is an error."""
    plain = normal(text)
    for match in NUMBER.finditer(plain):
        before = plain[: match.start()].rstrip()
        signed = match.group()[0] in "+-" and bool(before)
        yield number(match.group()), before.endswith("+-") or signed


def _roles(printed: Sequence[tuple[float, bool]], role: str) -> list[str]:
    """Of the numbers of one text: a value, then its errors, the statistical one before the systematic one."""
    if role != VALUE:
        return [role if role in _ERRORS | {YEAR} else TEXT] * len(printed)
    groups, last = [], 0.0
    at = 0
    for value, is_error in printed:
        if is_error:
            at += 0 if last > 0 > value else 1  # "+0.2 -0.1" is one error
            last = value or 0.0
        groups.append(at if is_error else 0)
    errors = (STATISTICAL, SYSTEMATIC) if at == 2 else (ERROR,)
    return [VALUE if g == 0 else errors[g - 1] if g <= len(errors) else ERROR for g in groups]


def number(text: str) -> float:
    """A number as it is written: "5,366.9"."""
    return float(text.replace(",", ""))


def misnamed(text: str, rows: Sequence[Measured]) -> str:
    """The first number of a text in normal spelling that is held, but as something else; else empty.

    A number is what the last noun before it says: "statistical error", "year", a column's name; behind "+-"
    it is the error of the number before; else it is no error.
    """
    if any(r.limit for r in rows) and LIMIT not in text.lower():
        rows = [r.without_value() if r.limit else r for r in rows]
    nouns = _nouns(text, {q.role for r in rows for q in r.quantities} - {TEXT})
    chain: list[float] = []
    for match in NUMBER.finditer(text):
        value = number(match.group())
        before = text[: match.start()].rstrip()
        signed = match.group()[0] in "+-" and before[-1:].isdigit()
        goes_on = bool(chain) and (signed or before.endswith("+-"))
        chain = [*chain, abs(value)] if goes_on else [value]
        if len(chain) > 1:
            if not any(_begins(c, chain) for r in rows for c in r.chains):
                return match.group()
            continue
        held = {q.role for r in rows for q in r.quantities if same(q.number, value)}
        said = _claimed(nouns, match.start(), text)
        if not _is_one(held, said):
            return match.group()
    return ""


def _nouns(text: str, columns: Set[str]) -> list[tuple[int, list[str]]]:
    """Places and roles of the nouns that say what a number is."""
    found = []
    for match in re.finditer(_SAID.format("|".join(map(re.escape, sorted(columns)))), text, re.IGNORECASE):
        noun = match["noun"].lower()
        sides = re.findall(r"stat|syst|total|overall", match["sides"].lower())
        if re.match(r"error|uncertaint|precision", noun):
            found.append((match.start(), [_SIDES.get(s, TOTAL) for s in sides] or [ERROR]))
        else:
            found.append((match.start(), [_role(noun if noun in columns else noun.removesuffix("s"))]))
    return found


def _claimed(nouns: Sequence[tuple[int, list[str]]], at: int, text: str) -> str:
    """The role that the last noun before a place gives; "errors of 1 and 2" gives its roles in turn."""
    before = [n for n in nouns if n[0] < at]
    if not before:
        return ""
    place, roles = before[-1]
    turn = len(NUMBER.findall(text[place:at]))
    if len(roles) > 1:
        return roles[min(turn, len(roles) - 1)]
    return roles[0] if turn == 0 or roles[0] in _ERRORS else ""


def _is_one(held: set[str], said: str) -> bool:
    if not said:
        return bool(held - _ERRORS)
    if said == ERROR:
        return bool(held & _ERRORS)
    if said == TOTAL:
        return bool(held & {TOTAL, ERROR})
    if said == VALUE:
        return bool(held - _ERRORS - {YEAR})
    return said in held


def _begins(chain: Sequence[float], said: Sequence[float]) -> bool:
    return len(said) <= len(chain) and all(same(a, b) for a, b in zip(chain, said, strict=False))


def same(a: float, b: float) -> bool:
    """Whether two numbers are one, but for rounding."""
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b))
