"""The columns of a breakdown: for each thing a row of its own, whatever it is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Column = tuple[str, str]
"""A name, and the expression of its value."""


def quoted(name: str) -> str:
    """A name in backticks.

    >>> quoted("a`b")
    '`a``b`'
    """
    return "`" + name.replace("`", "``") + "`"


def grouped(columns: Sequence[Column], things: Mapping[int, int]) -> list[str]:
    """Clauses that return the columns; ``things`` are the nodes of those that name a thing, by place.

    Two people of one name are two rows, so the things are told apart before their names are taken.

    >>> grouped([("rank", "n1.`rank`"), ("count", "count(DISTINCT n0)")], {})
    ['RETURN n1.`rank` AS `rank`, count(DISTINCT n0) AS `count`']
    >>> grouped([("name", "n1.`name`"), ("count", "count(DISTINCT n0)")], {0: 1})
    ['WITH n1, count(DISTINCT n0) AS `count`', 'RETURN n1.`name` AS `name`, `count`']
    """
    if not things:
        return ["RETURN " + ", ".join(f"{text} AS {quoted(name)}" for name, text in columns)]
    kept = [f"n{things[i]}" if i in things else f"{t} AS {quoted(n)}" for i, (n, t) in enumerate(columns)]
    told = [f"{t} AS {quoted(n)}" if i in things else quoted(n) for i, (n, t) in enumerate(columns)]
    return ["WITH " + ", ".join(dict.fromkeys(kept)), "RETURN " + ", ".join(told)]
