"""Regular expressions from schema files: whether they compile, and whether their work is bounded."""

from __future__ import annotations

import importlib
import math
import re
from typing import Any

LONGEST_PASSAGE = 2_000
"""No pattern is ever matched on more characters at once."""
MOST_WORK = 1_000_000
"""Largest number of ways in which a pattern may split a passage from one start."""


def pattern_fault(pattern: str) -> str:
    """What is wrong with a regular expression, or an empty string.

    The work of a pattern is the product of the choices its repeats leave (``a{0,3}`` leaves 4, ``.*``
    leaves :data:`LONGEST_PASSAGE`), to the power of the repeats around them: the bound of what a
    backtracking matcher may try from one start.

    >>> pattern_fault(r"(a+)+b")
    'backtracks without bound (2e+03 ** 2000 ways): write bounded repeats such as {0,40}'
    >>> pattern_fault(r"decay[- ]time resolution")
    ''
    """
    try:
        re.compile(pattern)
    except re.error as e:
        return f"is no regular expression ({e})"
    parser: Any = importlib.import_module("re._parser")
    try:
        work = _work(parser.parse(pattern))
    except _UnboundedError as e:
        return f"backtracks without bound ({e} ways): write bounded repeats such as {{0,40}}"
    if work > MOST_WORK:
        return f"may try {work:.0e} ways from one start: write tighter repeats such as {{0,40}}"
    return ""


class _UnboundedError(Exception):
    """The work overflows."""


def _work(parsed: Any) -> float:
    total = 1.0
    for operator, argument in parsed:
        total *= _item_work(str(operator), argument)
    return total


def _item_work(operator: str, argument: Any) -> float:
    if operator in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}:
        return _repeat_work(operator, argument)
    if operator == "BRANCH":
        return sum(_work(branch) for branch in argument[1])
    if operator == "SUBPATTERN":
        return _work(argument[3])
    if operator == "ATOMIC_GROUP":
        return _work(argument)
    if operator in {"ASSERT", "ASSERT_NOT"}:
        return _work(argument[1])
    if operator == "GROUPREF_EXISTS":
        return _work(argument[1]) + (_work(argument[2]) if argument[2] else 1.0)
    return 1.0


def _repeat_work(operator: str, argument: Any) -> float:
    least, most, body = argument
    least, most = int(least), min(int(most), LONGEST_PASSAGE)
    inside = _work(body)
    if operator == "POSSESSIVE_REPEAT":
        return inside
    if inside > 1 and most * math.log10(inside) > math.log10(MOST_WORK):
        raise _UnboundedError(f"{inside:.0e} ** {most}")
    return inside**most * max(most - least + 1, 1)
