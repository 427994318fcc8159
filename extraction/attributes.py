"""Checks of single attribute values against their declaration and against the quotes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from difflib import get_close_matches

from schemas.graph_schema import AttributeType
from schemas.graphs import Attributes, Evidence
from schemas.language.expressions import expression
from schemas.language.patterns import LONGEST_PASSAGE
from schemas.language.quantities import number_occurs, numbers_of
from schemas.model import AttributeValue

LONGEST_STRING = 10_000


def attribute_fault(
    declared: AttributeType | None, name: str, value: AttributeValue, known: Sequence[AttributeType]
) -> str:
    """What is wrong with a value, or an empty string: unknown attribute, type, enumeration, pattern.

    >>> attribute_fault(AttributeType(name="year", type="integer"), "year", "2017", ())
    "year: expected integer, found '2017'"
    """
    if declared is None:
        names = [a.name for a in known]
        near = get_close_matches(name, names, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        return f"expected one of the attributes {', '.join(names) or '(none)'}, found {name[:80]!r}{hint}"
    if not _is_of(declared.type, value):
        return f"{name}: expected {declared.type}, found {str(value)[:80]!r}"
    for text in (value,) if isinstance(value, str) else value if isinstance(value, tuple) else ():
        if len(text) > LONGEST_STRING:
            return f"{name}: expected at most {LONGEST_STRING} characters, found {len(text)}"
        if declared.enum and text not in declared.enum:
            return f"{name}: expected one of {', '.join(declared.enum)}, found {text[:80]!r}"
        if declared.pattern and not _matches(declared.pattern, text):
            return f"{name}: expected text like {declared.pattern!r}, found {text[:80]!r}"
    return ""


_INTEGERS = 2**63
"""Beyond them are the integers that the store cannot hold."""


def _is_of(kind: str, value: AttributeValue) -> bool:
    if kind == "string":
        return isinstance(value, str)
    if kind == "strings":
        return isinstance(value, tuple)
    if kind == "boolean":
        return isinstance(value, bool)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    if isinstance(value, int):
        return abs(value) < _INTEGERS
    return kind != "integer" and math.isfinite(value)


def _matches(pattern: str, text: str) -> bool:
    return len(text) <= LONGEST_PASSAGE and expression(pattern).fullmatch(text)


def number_fault(
    declared: AttributeType, value: AttributeValue, attributes: Attributes, evidence: Sequence[Evidence]
) -> str:
    """Which number of a value no quote prints, or an empty string; derived attributes are free.

    Numbers are compared by value after unit and power of ten
    (:func:`~schemas.language.quantities.number_occurs`). The numbers inside a string attribute whose
    name ends in ``_text`` count as well.
    """
    if declared.derived:
        return ""
    unit = attributes.get("unit")
    unit = unit if isinstance(unit, str) else declared.unit
    numbers: tuple[float, ...] = ()
    if declared.type in {"integer", "number"} and isinstance(value, int | float):
        numbers = (float(value),)
    elif declared.name.endswith("_text") and isinstance(value, str):
        numbers = numbers_of(value)
    for number in numbers:
        if not any(number_occurs(number, e.quote, unit=unit) for e in evidence):
            return f"{declared.name}: {number:g} stands in no quote"
    return ""
