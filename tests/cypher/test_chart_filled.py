"""Plain questions on a schema without words of its own: what identifiers alone say, on invented guilds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Guild 60: name, nbrMembers integer, isClosed boolean, isChartered boolean, motto
    Smith 80: name, week1StrainRate float, week23StrainRate float, renown float, ring integer, forge integer
    Town 20: name
    Letter 30: title, tone float
    (Guild)-[HAS_PATRON 40]->(Guild), (Guild)-[HAS_RIVAL 40]->(Guild), (Guild)-[HAS_LENDER 30]->(Guild)
    (Guild)-[HAS_WARDEN 60]->(Smith)
    (Guild)-[IN_TOWN 60]->(Town), (Letter)-[NAMES 50]->(Guild)
    (Smith)-[TRADES 40: load integer]->(Smith), (Smith)-[TRADES1 40: load integer, week integer]->(Smith)
    (Smith)-[TRADES23 40: load integer, week integer]->(Smith)

    Guild.name: Copper Lantern | Old Anvil
    Guild.motto: Small but proud
    Smith.name: Hild | Osric
    Town.name: Wexcombe
    Letter.title: On dues
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which guilds have more than 10,000 members?",
            "(n0:Guild) WHERE n0.nbrMembers > 10000 RETURN DISTINCT n0.name AS name",
        ),
    ],
)
def test_numbers_with_commas_are_one(shown: Callable[[str], str], question: str, cypher: str) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which guilds have patrons?",
            "(n0:Guild)-[:HAS_PATRON]->(n1:Guild) RETURN DISTINCT n0.name AS name",
        ),
        (
            "Which guilds are patrons to Old Anvil?",
            "(n1:Guild)-[:HAS_PATRON]->(n0:Guild) WHERE n1.name = 'Old Anvil' RETURN DISTINCT n0.name"
            " AS name",
        ),
        (
            "Which letters name guilds that are rivals to Old Anvil?",
            "(n0:Letter)-[:NAMES]->(n1:Guild), (n2:Guild)-[:HAS_RIVAL]->(n1) WHERE n2.name = 'Old "
            "Anvil' RETURN DISTINCT n0.title AS title",
        ),
    ],
)
def test_what_things_have_by_a_relations_noun(
    shown: Callable[[str], str], question: str, cypher: str
) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher
