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
            "(n0:Letter)-[:NAMES]->(n1:Guild), (n2:Guild)-[:HAS_RIVAL]-(n1) WHERE n2.name = 'Old "
            "Anvil' RETURN DISTINCT n0.title AS title",
        ),
    ],
)
def test_what_things_have_by_a_relations_noun(
    shown: Callable[[str], str], question: str, cypher: str
) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "What is the motto of the guild with the lowest number of members?",
            "(n0:Guild) WITH min(n0.nbrMembers) AS best MATCH (n0:Guild) WHERE n0.nbrMembers = best "
            "RETURN DISTINCT n0.motto AS motto",
        ),
        (
            "List the top 5 guilds by number of members.",
            "(n0:Guild) WITH DISTINCT n0, n0.nbrMembers AS sorted WHERE sorted IS NOT NULL RETURN "
            "n0.name AS name, n0.nbrMembers AS nbrMembers ORDER BY sorted DESC LIMIT 5",
        ),
        (
            "Which guild has the highest number of members?",
            "(n0:Guild) WITH max(n0.nbrMembers) AS best MATCH (n0:Guild) WHERE n0.nbrMembers = best "
            "RETURN DISTINCT n0.name AS name, n0.nbrMembers AS nbrMembers",
        ),
    ],
)
def test_numbers_of_something_kept_as_a_property(
    shown: Callable[[str], str], question: str, cypher: str
) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Find all smiths with a renown of 0 and limit the results to five.",
            "(n0:Smith) WHERE n0.renown = 0 RETURN DISTINCT n0 AS smith LIMIT 5",
        ),
        (
            "Which smiths are in ring 7? List the top 3.",
            "(n0:Smith) WHERE n0.ring = 7 RETURN DISTINCT n0.name AS name LIMIT 3",
        ),
        (
            "Which guilds are closed? Limit to 4.",
            "(n0:Guild) WHERE n0.isClosed = True RETURN DISTINCT n0.name AS name LIMIT 4",
        ),
    ],
)
def test_how_many_rows_said_at_the_end(shown: Callable[[str], str], question: str, cypher: str) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which towns are mentioned in the database?",
            "(n0:Town) RETURN DISTINCT n0.name AS name",
        ),
        (
            "List the first 5 smiths recorded in the whole dataset.",
            "(n0:Smith) RETURN DISTINCT n0.name AS name LIMIT 5",
        ),
    ],
)
def test_asides_about_the_store(shown: Callable[[str], str], question: str, cypher: str) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Who has the highest renown among all smiths?",
            "(n0:Smith) WITH max(n0.renown) AS best MATCH (n0:Smith) WHERE n0.renown = best RETURN "
            "DISTINCT n0.name AS name, n0.renown AS renown",
        ),
    ],
)
def test_the_best_of_all(shown: Callable[[str], str], question: str, cypher: str) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Name 3 guilds that are listed as closed.",
            "(n0:Guild) WHERE n0.isClosed = True RETURN DISTINCT n0.name AS name LIMIT 3",
        ),
    ],
)
def test_flags_listed_so(shown: Callable[[str], str], question: str, cypher: str) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which towns have guilds containing the motto 'proud'?",
            "(n1:Guild)-[:IN_TOWN]->(n0:Town) WHERE n1.motto CONTAINS 'proud' RETURN DISTINCT n0.name"
            " AS name",
        ),
    ],
)
def test_texts_within_a_property_behind_its_verb(
    shown: Callable[[str], str], question: str, cypher: str
) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which smiths have a renown >= 0.5?",
            "(n0:Smith) WHERE n0.renown >= 0.5 RETURN DISTINCT n0.name AS name",
        ),
        (
            "Which letters have a tone (<0.2)?",
            "(n0:Letter) WHERE n0.tone < 0.2 RETURN DISTINCT n0.title AS title",
        ),
    ],
)
def test_signs_of_comparison(shown: Callable[[str], str], question: str, cypher: str) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which smiths are wardens of more than one guild?",
            "(n1:Guild)-[:HAS_WARDEN]->(n0:Smith) WITH n0, count(DISTINCT n1) AS counted WHERE "
            "counted > 1 RETURN DISTINCT n0.name AS name, counted AS count",
        ),
    ],
)
def test_what_so_many_have(shown: Callable[[str], str], question: str, cypher: str) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which guilds lend to Old Anvil?",
            "(n1:Guild)-[:HAS_LENDER]->(n0:Guild) WHERE n1.name = 'Old Anvil' RETURN DISTINCT n0.name"
            " AS name",
        ),
        (
            "Which guilds does Old Anvil lend to?",
            "(n0:Guild)-[:HAS_LENDER]->(n1:Guild) WHERE n1.name = 'Old Anvil' RETURN DISTINCT n0.name"
            " AS name",
        ),
    ],
)
def test_verbs_of_who_is_had(shown: Callable[[str], str], question: str, cypher: str) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Who trades in week 23?",
            "(n0:Smith)-[:TRADES23]->(n1:Smith) RETURN DISTINCT n0.name AS name",
        ),
        (
            "Which smiths trade with Hild in week 1?",
            "(n0:Smith)-[:TRADES1]->(n1:Smith) WHERE n1.name = 'Hild' RETURN DISTINCT n0.name AS name",
        ),
        (
            "Who trades in 'week 23' with a load over 90?",
            "(n0:Smith)-[r0:TRADES23]->(n1:Smith) WHERE r0.load > 90 RETURN DISTINCT n0.name AS name",
        ),
    ],
)
def test_numbers_in_names_of_types(shown: Callable[[str], str], question: str, cypher: str) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which smiths have a strain rate in week 23 above 3?",
            "(n0:Smith) WHERE n0.week23StrainRate > 3 RETURN DISTINCT n0.name AS name",
        ),
        (
            "Which smiths have a week 1 strain rate below 2?",
            "(n0:Smith) WHERE n0.week1StrainRate < 2 RETURN DISTINCT n0.name AS name",
        ),
    ],
)
def test_numbers_in_names_of_properties(shown: Callable[[str], str], question: str, cypher: str) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which smiths have a renown below 5 but above 1?",
            "(n0:Smith) WHERE n0.renown < 5 AND n0.renown > 1 RETURN DISTINCT n0.name AS name",
        ),
        (
            "Which smiths have a renown over 3 and trade with Hild?",
            "(n0:Smith)-[:TRADES]->(n1:Smith) WHERE n0.renown > 3 AND n1.name = 'Hild' RETURN "
            "DISTINCT n0.name AS name",
        ),
    ],
)
def test_two_bounds_of_one_property(shown: Callable[[str], str], question: str, cypher: str) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which smiths have a renown and a ring both over 3?",
            "(n0:Smith) WHERE n0.renown > 3 AND n0.ring > 3 RETURN DISTINCT n0.name AS name",
        ),
        (
            "List smiths with a renown and forge between 1 and 2.",
            "(n0:Smith) WHERE n0.renown >= 1 AND n0.renown <= 2 AND n0.forge >= 1 AND n0.forge <= 2 "
            "RETURN DISTINCT n0 AS smith",
        ),
    ],
)
def test_one_bound_of_two_properties(shown: Callable[[str], str], question: str, cypher: str) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which smiths are in forge ring 4 with a renown below 3?",
            "(n0:Smith) WHERE n0.forge = 4 AND n0.renown < 3 RETURN DISTINCT n0.name AS name",
        ),
    ],
)
def test_numbers_of_what_stands_before(shown: Callable[[str], str], question: str, cypher: str) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which smiths have a TRADES23 load above 5?",
            "(n0:Smith)-[r0:TRADES23]->(n1:Smith) WHERE r0.load > 5 RETURN DISTINCT n0.name AS name",
        ),
        (
            "Who are the top 3 smiths by TRADES1 load?",
            "(n0:Smith)-[r0:TRADES1]->(n1:Smith) WITH n0, sum(r0.load) AS counted RETURN DISTINCT "
            "n0.name AS name, counted AS sum_load ORDER BY counted DESC LIMIT 3",
        ),
        (
            "Which smiths have a TRADES1 week of 4 and a load over 50?",
            "(n0:Smith)-[r0:TRADES1]->(n1:Smith) WHERE r0.week = 4 AND r0.load > 50 RETURN DISTINCT "
            "n0.name AS name",
        ),
    ],
)
def test_properties_behind_the_name_of_their_type(
    shown: Callable[[str], str], question: str, cypher: str
) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "List the smiths with the highest sum of TRADES1 loads.",
            "(n0:Smith)-[r0:TRADES1]->(n1:Smith) WITH n0, sum(r0.load) AS counted RETURN DISTINCT "
            "n0.name AS name, counted AS sum_load ORDER BY counted DESC LIMIT 1",
        ),
    ],
)
def test_the_highest_sum_of_something(shown: Callable[[str], str], question: str, cypher: str) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "List all wardens.",
            "(n1:Guild)-[:HAS_WARDEN]->(n0:Smith) RETURN DISTINCT n0.name AS name",
        ),
        (
            "Which patrons are closed?",
            "(n1:Guild)-[:HAS_PATRON]->(n0:Guild) WHERE n0.isClosed = True RETURN DISTINCT n0.name AS name",
        ),
        (
            "List the lenders that are closed.",
            "(n1:Guild)-[:HAS_LENDER]->(n0:Guild) WHERE n0.isClosed = True RETURN DISTINCT n0.name AS name",
        ),
        (
            "Which wardens work at guilds in Wexcombe?",
            "(n1:Guild)-[:HAS_WARDEN]->(n0:Smith), (n1)-[:IN_TOWN]->(n2:Town) WHERE n2.name = "
            "'Wexcombe' RETURN DISTINCT n0.name AS name",
        ),
    ],
)
def test_those_whom_a_relation_of_having_names(
    shown: Callable[[str], str], question: str, cypher: str
) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Who trades with both Hild and Osric?",
            "(n0:Smith)-[:TRADES]->(n1:Smith), (n0)-[:TRADES]->(n2:Smith) WHERE n1.name = 'Hild' AND "
            "n2.name = 'Osric' RETURN DISTINCT n0.name AS name",
        ),
    ],
)
def test_two_whom_one_verb_ties(shown: Callable[[str], str], question: str, cypher: str) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "List the towns where Old Anvil has lenders.",
            "(n1:Guild)-[:IN_TOWN]->(n0:Town), (n2:Guild)-[:HAS_LENDER]->(n1) WHERE n2.name = 'Old "
            "Anvil' RETURN DISTINCT n0.name AS name",
        ),
    ],
)
def test_towns_where_one_has_something(shown: Callable[[str], str], question: str, cypher: str) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher
