"""Values that would fill the server's memory are refused before a query runs."""

from __future__ import annotations

import pytest

from cypher.guard import report_on
from schemas.store_schema import PropertyType, StoreLabel, StoreProperty, StoreSchema

PAPER = StoreLabel(name="Paper", properties=(StoreProperty(name="title", type=PropertyType.STRING),))
SCHEMA = StoreSchema(labels=(PAPER,))


@pytest.mark.parametrize(
    "text",
    [
        "RETURN reduce(s = 'a', x IN range(1, 40) | s + s) AS s",
        "RETURN reduce(s = 'a', x IN range(1, 40) | replace(s, 'a', 'aa')) AS s",
        "RETURN reduce(s = [1], x IN range(1, 40) | s + s) AS s",
        "WITH [x IN range(1, 100000000) | x] AS l RETURN size(l) AS n",
        "RETURN size([x IN range(-50000000, 50000000) | x]) AS n",
        "RETURN size([x IN range(1, 1000 * 100000) | x]) AS n",
        "WITH 100000000 AS most RETURN size([x IN range(1, most) | x]) AS n",
        "MATCH (p:Paper) RETURN size([x IN range(size(p.title), 100000000) | x]) AS n",
        "RETURN size([x IN range(1, 10000) | [y IN range(1, 10000) | y]]) AS n",
        "RETURN any(x IN range(1, 100000) WHERE any(y IN range(1, 100000) WHERE x = y)) AS b",
        "WITH 'aaaaaaaaaa' AS s " + "WITH s + s AS s " * 30 + "RETURN s",
        "RETURN replace(replace('aaaa', 'a', '" + "a" * 2000 + "'), 'a', '" + "a" * 2000 + "') AS s",
        "RETURN reduce(s = 'a', x IN range(1, $n) | s + s) AS s",
    ],
)
def test_what_would_fill_the_memory_is_refused(text: str) -> None:
    report = report_on(text, SCHEMA, parameters={"n": 40} if "$n" in text else None)
    assert report.query is None
    assert [f.code for f in report.findings] == ["COST"]


@pytest.mark.parametrize(
    "text",
    [
        "RETURN reduce(t = 0, x IN range(1, 10000) | t + x) AS t",
        "RETURN reduce(t = 1, x IN range(1, 40) | t + t) AS t",
        "RETURN reduce(s = '', x IN range(1, 100) | s + toString(x)) AS s",
        "RETURN [x IN range(1, 1000) | x * x] AS squares",
        "RETURN [x IN range(-5, 10 - 1) | x * x] AS squares",
        "RETURN size(range(0, 100000000, 1000000)) AS n",
        "MATCH (p:Paper) WITH collect(p.title) AS t RETURN [i IN range(0, size(t) - 1) | t[i]] AS l",
        "MATCH (p:Paper) RETURN replace(p.title, 'a', 'b') + ' ' + p.title AS t",
        "MATCH (p:Paper) WITH p.title + p.title AS t WITH t + t AS t RETURN t",
    ],
)
def test_what_is_small_may_run(text: str) -> None:
    report = report_on(text, SCHEMA)
    assert report.query is not None, report.findings


def test_nested_loops_are_bounded_without_being_run() -> None:
    text = "RETURN " + "reduce(a = 0, x IN range(1, 1000000000) | " * 12 + "0" + ")" * 12 + " AS n"
    report = report_on(text, SCHEMA)
    assert [f.code for f in report.findings] == ["COST"]
