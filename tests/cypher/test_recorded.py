"""What is "unknown" lacks a value, unless the property that is named has "unknown" as one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.decide import Verdict, decide
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Well 20: name, depth_m float, owner
    Pump 30: name, status
    (Pump)-[SERVES 30]->(Well)

    Well.name: North
    Well.owner: Ann Lee
    Pump.name: P1
    Pump.status: ok | unknown
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.mark.parametrize(
    ("question", "where"),
    [
        ("Which wells are there whose depth is unknown?", "n0.depth_m IS NULL"),
        ("Which wells are there whose owner is unknown?", "n0.owner IS NULL"),
        ("Which pumps are there whose status is unknown?", "n0.status = 'unknown'"),
    ],
)
def test_unknown_is_a_value_of_the_property_that_has_it(
    question: str, where: str, shown: Callable[[str], str]
) -> None:
    assert f"WHERE {where}" in shown(question)
    assert decide(READER.read(question), SCHEMA).verdict is Verdict.ANSWER
