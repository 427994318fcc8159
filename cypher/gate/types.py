"""Types of values, as the server's planner knows them before a query runs.

A type is a word, and what is known of a value is a set of them; ``None`` means that it can be anything, as a
property or a parameter without a value can. Lists know what they hold one level deep: ``LIST<INTEGER>``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from schemas.questions import Parameter

Types: TypeAlias = frozenset[str] | None
"""What a value can be; ``None``: anything."""
LIST: Final = "LIST"
INSTANT: Final = "INSTANT"
"""Dates, times and their combinations: arithmetic treats them alike."""
_NUMBERS: Final = frozenset({"INTEGER", "FLOAT"})
_ALL: Final = (
    *("INTEGER", "FLOAT", "STRING", "BOOLEAN", LIST, "MAP", "NODE", "RELATIONSHIP", "PATH", INSTANT),
    *("DURATION", "POINT"),
)


def one(*names: str) -> frozenset[str]:
    """A set of types."""
    return frozenset(names)


def base(name: str) -> str:
    """The type without what it holds.

    >>> base("LIST<STRING>")
    'LIST'
    """
    return name.partition("<")[0]


def list_of(item: Types) -> frozenset[str]:
    """A list of values; one of mixed or unknown values is a plain list.

    >>> list_of(one("STRING"))
    frozenset({'LIST<STRING>'})
    """
    if item is None or len(item) != 1:
        return one(LIST)
    return one(f"LIST<{base(next(iter(item)))}>")


def item_of(types: Types) -> Types:
    """What the members of a list can be."""
    if types is None or any(base(t) != LIST or t == LIST for t in types):
        return None
    return frozenset(t[len(LIST) + 1 : -1] for t in types)


def union(several: Iterable[Types]) -> Types:
    """What one of several values can be."""
    found: frozenset[str] = frozenset()
    for types in several:
        if types is None:
            return None
        found |= types
    return found or None


def fits(types: Types, wanted: Types) -> bool:
    """Whether a value can stand where ``wanted`` is; whole numbers pass as numbers, nodes as maps."""
    if types is None or wanted is None:
        return True
    for name in types:
        plain = base(name)
        if plain in wanted or (plain == "INTEGER" and "FLOAT" in wanted):
            return True
        if plain in {"NODE", "RELATIONSHIP"} and "MAP" in wanted:
            return True
    return False


def of_value(value: Parameter) -> Types:
    """The type of a literal or of a parameter's value."""
    if isinstance(value, bool):
        return one("BOOLEAN")
    if isinstance(value, tuple):
        return one(LIST)
    return {int: one("INTEGER"), float: one("FLOAT"), str: one("STRING")}.get(type(value))


def combined(operator: str, left: Types, right: Types) -> frozenset[str]:
    """What ``left operator right`` can be; the empty set where the server has no such operation."""
    pairs = ((a, b) for a in left or _ALL for b in right or _ALL)
    return frozenset(made for a, b in pairs if (made := _result(operator, a, b)))


def _result(operator: str, a: str, b: str) -> str:
    left, right = base(a), base(b)
    numbers = left in _NUMBERS and right in _NUMBERS
    if operator == "||":
        return {("STRING", "STRING"): "STRING", (LIST, LIST): LIST}.get((left, right), "")
    if operator == "+" and LIST in {left, right}:
        return LIST
    if operator == "+" and "STRING" in {left, right} and {left, right} <= {"STRING", *_NUMBERS}:
        return "STRING"
    if numbers:
        return "FLOAT" if operator == "^" or "FLOAT" in {left, right} else "INTEGER"
    return _of_time(operator, left, right)


def _of_time(operator: str, left: str, right: str) -> str:
    known = {
        ("+", INSTANT, "DURATION"): INSTANT,
        ("+", "DURATION", INSTANT): INSTANT,
        ("+", "DURATION", "DURATION"): "DURATION",
        ("-", INSTANT, "DURATION"): INSTANT,
        ("-", "DURATION", "DURATION"): "DURATION",
    }
    if operator in {"*", "/"} and left == "DURATION" and right in _NUMBERS:
        return "DURATION"
    if operator == "*" and right == "DURATION" and left in _NUMBERS:
        return "DURATION"
    return known.get((operator, left, right), "")


def in_words(types: Iterable[str]) -> str:
    """Types for a message.

    >>> in_words({"STRING", "LIST<NODE>"})
    'a list or a text'
    """
    words = {
        "STRING": "a text",
        "INTEGER": "a whole number",
        "FLOAT": "a number",
        "NUMBER": "a mix of whole and other numbers (begin with 0.0)",
        "BOOLEAN": "a condition",
        "INSTANT": "a date or time",
        "LIST": "a list",
        "RELATIONSHIP": "a relationship",
    }
    found = {words.get(base(t), f"a {base(t).lower()}") for t in types}
    if "a number" in found:
        found.discard("a whole number")
    return " or ".join(sorted(found))
