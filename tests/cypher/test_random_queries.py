"""Random queries: what is printed reads back as the same tree, and a write put in anywhere is refused."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.random_cypher import RandomQueries, small_schema
from cypher.guard import report_on
from cypher.syntax.nodes import Query
from cypher.syntax.parse import parse
from cypher.syntax.write import write
from schemas.errors import QueryRefusedError

WRITES = (
    "CREATE (:A)",
    "MERGE (w:A)",
    "SET a.x = 1",
    "DELETE a",
    "DETACH DELETE a",
    "REMOVE a.x",
    "FOREACH (i IN [1] | CREATE (:A))",
    "LOAD CSV FROM 'file:///x' AS line",
    "CALL apoc.load.json('http://127.0.0.1/')",
    "DROP INDEX i",
    "; MATCH (n) DELETE n",
)


def readable(source: RandomQueries) -> Query:
    """The first query of a source that is Cypher: ``-[:!A*1..2]-`` is none."""
    while True:
        try:
            return parse(source.query())
        except QueryRefusedError as e:
            if "a path with *" not in str(e):
                raise


@given(st.integers(min_value=0, max_value=10**9))
def test_what_is_printed_reads_back_as_the_same_tree(seed: int) -> None:
    tree = readable(RandomQueries(seed))
    text = write(tree)
    assert parse(text) == tree
    assert write(parse(text)) == text


@pytest.mark.parametrize("write_clause", WRITES)
def test_a_write_put_in_anywhere_is_refused(write_clause: str) -> None:
    rng, source = random.Random(write_clause), RandomQueries(23)
    for _ in range(40):
        words = source.query().split(" ")
        at = rng.randint(0, len(words))
        text = " ".join([*words[:at], write_clause, *words[at:]])
        try:
            report = report_on(text, small_schema())
        except QueryRefusedError:
            continue
        assert report.query is None, text
