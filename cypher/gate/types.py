"""Types of values, as the server's planner knows them before a query runs.

A type is a word, and what is known of a value is a set of them; ``None`` means that it can be anything, as a
property or a parameter without a value can. Lists know what they hold one level deep: ``LIST<INTEGER>``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
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

ANY: Final = "ANY"
"""A member of a list of mixed values: of any type that is no part of the graph, for the server."""
PARTS: Final = frozenset({"NODE", "RELATIONSHIP", "PATH"})
"""What patterns bind."""
SCALARS: Final = frozenset({"INTEGER", "FLOAT", "STRING", "BOOLEAN", INSTANT, "DURATION", "POINT"})
"""What the list of a property can hold."""
STORED: Final = SCALARS | {LIST}
"""What the property of a node or relationship can be: no node, map or path."""


def one(*names: str) -> frozenset[str]:
    """A set of types."""
    return frozenset(names)


def base(name: str) -> str:
    """The type without what it holds.

    >>> base("LIST<STRING>")
    'LIST'
    """
    return name.partition("<")[0]


def is_value(types: Types) -> bool:
    """Whether something is known to be no part of the graph: a value, a list or a map.

    >>> is_value(one("INSTANT", "LIST<NODE>")), is_value(one("MAP", "NODE")), is_value(None)
    (True, False, False)
    """
    return types is not None and all(base(t) in STORED or t == "MAP" for t in types)


def list_of(item: Types) -> frozenset[str]:
    """A list whose members are alike, though each of them can be of several types.

    >>> sorted(list_of(one("STRING", "INTEGER")))
    ['LIST<INTEGER>', 'LIST<STRING>']
    """
    return frozenset(f"LIST<{base(t)}>" for t in item) if item else one(LIST)


def listed(items: Sequence[Types]) -> frozenset[str]:
    """A list with these members; one of mixed values is a plain list, unless all are parts of the graph.

    >>> listed([one("STRING")]), listed([one("STRING"), one("INTEGER")])
    (frozenset({'LIST<STRING>'}), frozenset({'LIST'}))
    """
    found = union(items)
    mixed = len(items) > 1 and found is not None and len(found) > 1 and not found <= PARTS
    return one(LIST) if mixed else list_of(found)


def item_of(types: Types) -> Types:
    """What the members of a list can be."""
    if types is None or any(base(t) != LIST or t == LIST for t in types):
        return None
    return frozenset(t[len(LIST) + 1 : -1] for t in types)


def member_of(types: Types) -> Types:
    """What the members of a value can be that is taken for a list.

    >>> sorted(member_of(one("LIST<NODE>", "LIST<PATH>")) or ())
    ['NODE', 'PATH']
    """
    return SCALARS if types == STORED else item_of(types)


def unwound(types: Types) -> Types:
    """What UNWIND makes of a value: the members of a list, or the value itself.

    >>> unwound(one("STRING")), unwound(one("LIST<STRING>"))
    (frozenset({'STRING'}), frozenset({'STRING'}))
    """
    if types is None or not any(base(t) == LIST for t in types):
        return types
    return member_of(types)


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
        if plain == ANY and not wanted <= PARTS:
            return True
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
        return one("LIST<STRING>" if value and all(isinstance(v, str) for v in value) else LIST)
    return {int: one("INTEGER"), float: one("FLOAT"), str: one("STRING")}.get(type(value))


def combined(operator: str, left: Types, right: Types) -> frozenset[str]:
    """What ``left operator right`` can be; the empty set where the server has no such operation."""
    pairs = ((a, b) for a in _each(left) for b in _each(right))
    return frozenset(made for a, b in pairs if (made := _result(operator, a, b)))


def _each(types: Types) -> Iterable[str]:
    return _ALL if types is None or ANY in types else types


def _result(operator: str, a: str, b: str) -> str:
    left, right = base(a), base(b)
    numbers = left in _NUMBERS and right in _NUMBERS
    if operator == "||":
        return _joined(a, b) if left == right == LIST else "STRING" if left == right == "STRING" else ""
    if operator == "+" and LIST in {left, right}:
        return _joined(a, b)
    if operator == "+" and "STRING" in {left, right} and {left, right} <= {"STRING", *_NUMBERS}:
        return "STRING"
    if numbers:
        return "FLOAT" if operator == "^" or "FLOAT" in {left, right} else "INTEGER"
    return _of_time(operator, left, right)


def _joined(a: str, b: str) -> str:
    """A list and a list, or a member at either end."""
    if a == b or LIST not in {base(a), base(b)}:
        return a
    held = {x[len(LIST) + 1 : -1] if x.startswith(f"{LIST}<") else x for x in (a, b)}
    if len(held) == 1:
        return f"{LIST}<{held.pop()}>"
    return LIST if held <= {LIST, *PARTS} else f"{LIST}<{ANY}>"


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


def in_words(types: Collection[str]) -> str:
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
        "ANY": "a value of any type",
        "RELATIONSHIP": "a relationship",
    }
    if set(types) >= STORED:
        return "the value of a property"
    found = {words.get(base(t), f"a {base(t).lower()}") for t in types}
    if "a number" in found:
        found.discard("a whole number")
    return " or ".join(sorted(found))
