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


def best_keys(columns: Sequence[Column], order: str) -> list[str]:
    """Clauses that return only the key of rows that are sorted by the last column, a count.

    >>> best_keys([("rank", "n1.`rank`"), ("count", "count(DISTINCT n0)")], " DESC LIMIT $p0")[0]
    'WITH n1.`rank` AS grouped, count(DISTINCT n0) AS counted ORDER BY counted DESC LIMIT $p0'
    """
    (name, key), counted = columns[0], columns[-1][1]
    best = f"WITH {key} AS grouped, {counted} AS counted ORDER BY counted{order}"
    return [best, f"RETURN grouped AS {quoted(name)}"]


def over_counts(keys: Sequence[str], counted: str, measure: str) -> list[str]:
    """Clauses that return one measure over the counts for each of some keys.

    >>> over_counts(["n1"], "count(DISTINCT n0)", "avg")[0]
    'WITH n1 AS key0, count(DISTINCT n0) AS counted'
    """
    told = ", ".join(f"{key} AS key{i}" for i, key in enumerate(keys))
    return [
        f"WITH {told}, {counted} AS counted",
        f"RETURN {measure}(counted) AS {quoted(measure + '_count')}",
    ]
