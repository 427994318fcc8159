"""Relations said by nouns, in two parts or of some of what one has, on an invented graph of beekeepers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics import ranking
from cypher.semantics.ir import Edge, Filter, Node, Operator, PropertyRef, Query
from cypher.semantics.lexicon import RelationWords, Verbalisation
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Keeper 40: name, surname
    Hive 40: tag
    Meadow 40: name, latitude float
    Valley 40: name
    Warden 40: name, surname
    Swarm 40 unnamed: swarm_date
    Theft 40 unnamed: theft_date
    (Keeper)-[TRUSTS 20]->(Keeper), (Keeper)-[GUILD_TIE 20: bond]->(Keeper)
    (Keeper)-[KNOWS_HIVE 20]->(Keeper), (Keeper)-[HAS_HIVE 20]->(Hive), (Keeper)-[TENDS 20]->(Meadow)
    (Swarm)-[LEFT_FROM 20]->(Hive), (Theft)-[HAPPENED_AT 20]->(Meadow), (Theft)-[EXAMINED_BY 20]->(Warden)
    (Meadow)-[IN_VALLEY 20]->(Valley)

    Keeper.name: Runa
    Keeper.surname: Vik
    GUILD_TIE.bond: SPONSOR
    Hive.tag: H-77
    Meadow.name: Long Acre
    Valley.name: Orrdal
    Warden.name: Sten
    Warden.surname: Moe
    Swarm.swarm_date: 03/09/2021
    Theft.theft_date: 04/10/2020
""")
WORDS = Verbalisation(
    relations={
        "TRUSTS": RelationWords(forward=("trusts", "confidant"), inverse=("trusted by",)),
        "GUILD_TIE": RelationWords(
            forward=("trusts through the guild", "guild", "guild fellow", "calls kin"),
            inverse=("guild circle",),
        ),
        "HAPPENED_AT": RelationWords(inverse=("scene of",)),
        "EXAMINED_BY": RelationWords(inverse=("examining",)),
        "LEFT_FROM": RelationWords(forward=("went out of",)),
    },
)
READER = SemanticReader(SCHEMA, ValueTable(STORED), WORDS)


@pytest.mark.parametrize(
    "question",
    [
        "Which keepers have a guild tie with Runa?",
        "List the keepers who share a guild bond with Runa.",
        "Which keepers are in a guild relationship with Runa?",
        "Keepers having guild links to Runa",
        "Which keepers trust Runa through the guild?",
    ],
)
def test_a_relation_said_as_a_noun_is_one_whatever_the_verb(
    question: str, shown: Callable[[str], str]
) -> None:
    assert shown(question) == (
        "MATCH (n0:Keeper)-[:GUILD_TIE]->(n1:Keeper) WHERE n1.name = 'Runa' RETURN DISTINCT n0.name AS name"
    )


def test_the_middle_of_a_phrase_in_the_passive(shown: Callable[[str], str]) -> None:
    assert shown("Which keepers are trusted by Runa through the guild?") == (
        "MATCH (n1:Keeper)-[:GUILD_TIE]->(n0:Keeper) WHERE n1.name = 'Runa' RETURN DISTINCT n0.name AS name"
    )


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which keepers' confidants include Runa?",
            "(n0:Keeper)-[:TRUSTS]->(n1:Keeper) WHERE n1.name = 'Runa' RETURN DISTINCT n0.name AS name",
        ),
        (
            "Name the keepers whose confidants include a keeper who tends Long Acre.",
            "(n0:Keeper)-[:TRUSTS]->(n1:Keeper), (n1)-[:TENDS]->(n2:Meadow) WHERE n2.name = 'Long Acre' "
            "RETURN DISTINCT n0.name AS name",
        ),
        (
            "Name the keepers whose confidants do not include Runa.",
            "(n0:Keeper) WHERE NOT EXISTS { MATCH (n0)-[:TRUSTS]->(n1:Keeper) WHERE n1.name = 'Runa' } "
            "RETURN DISTINCT n0.name AS name",
        ),
        (
            "Name the keepers whose hives include hive H-77.",
            "(n0:Keeper)-[:HAS_HIVE]->(n1:Hive) WHERE n1.tag = 'H-77' RETURN DISTINCT n0.name AS name",
        ),
        (
            "Which keepers are in the guild circle of Runa?",
            "(n1:Keeper)-[:GUILD_TIE]->(n0:Keeper) WHERE n1.name = 'Runa' RETURN DISTINCT n0.name AS name",
        ),
        (
            "Which keepers have Runa among their confidants?",
            "(n0:Keeper)-[:TRUSTS]->(n1:Keeper) WHERE n1.name = 'Runa' RETURN DISTINCT n0.name AS name",
        ),
    ],
)
def test_some_of_what_one_has(question: str, cypher: str, shown: Callable[[str], str]) -> None:
    assert shown(question) == f"MATCH {cypher}"


@pytest.mark.parametrize(
    ("question", "forward"),
    [
        ("Which keepers are in the know about the hive of Runa?", True),
        ("Which keepers know about Runa's hive?", True),
        ("Name the keepers to whom the hive of Runa is known.", True),
        ("Name the keepers whose hive Runa knows.", False),
        ("Name the keepers whose hive's tag Runa knows.", False),
        ("Name the keepers whose tag Runa knows.", False),
        ("Name the keepers whose hive tag is known to Runa.", False),
    ],
)
def test_who_knows_what_another_has(question: str, forward: bool, shown: Callable[[str], str]) -> None:
    ends = "(n0:Keeper)-[:KNOWS_HIVE]->(n1:Keeper)" if forward else "(n1:Keeper)-[:KNOWS_HIVE]->(n0:Keeper)"
    assert shown(question) == f"MATCH {ends} WHERE n1.name = 'Runa' RETURN DISTINCT n0.name AS name"


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which valley has the most scenes of thefts?",
            "(n1:Meadow)-[:IN_VALLEY]->(n0:Valley), (n2:Theft)-[:HAPPENED_AT]->(n1) WITH n0, "
            "count(DISTINCT n1) AS counted",
        ),
        (
            "What is the northernmost scene of a theft?",
            "(n1:Theft)-[:HAPPENED_AT]->(n0:Meadow) WITH max(n0.latitude) AS best",
        ),
        (
            "List the thefts whose examining warden is Sten.",
            "(n0:Theft)-[:EXAMINED_BY]->(n1:Warden) WHERE n1.name = 'Sten' RETURN DISTINCT n0 AS node",
        ),
        (
            "List the recorded thefts in Orrdal.",
            "(n0:Theft)-[:HAPPENED_AT]->(n1:Meadow), (n1)-[:IN_VALLEY]->(n2:Valley) WHERE n2.name = 'Orrdal'",
        ),
    ],
)
def test_nouns_that_stand_for_a_thing_and_a_relation(
    question: str, cypher: str, shown: Callable[[str], str]
) -> None:
    assert shown(question).removeprefix("MATCH ").startswith(cypher)


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "List the sponsors of Runa.",
            "(n1:Keeper)-[r0:GUILD_TIE]->(n0:Keeper) WHERE n1.name = 'Runa' AND r0.bond = 'SPONSOR' "
            "RETURN DISTINCT n0.name AS name",
        ),
        (
            "Which keepers have a sponsor?",
            "(n0:Keeper)-[r0:GUILD_TIE]->(n1:Keeper) WHERE r0.bond = 'SPONSOR' "
            "RETURN DISTINCT n0.name AS name",
        ),
        (
            "Which keepers have Runa as a sponsor?",
            "(n0:Keeper)-[r0:GUILD_TIE]->(n1:Keeper) WHERE n1.name = 'Runa' AND r0.bond = 'SPONSOR' "
            "RETURN DISTINCT n0.name AS name",
        ),
        (
            "Name the keepers whose sponsors tend Long Acre.",
            "(n0:Keeper)-[r0:GUILD_TIE]->(n1:Keeper), (n1)-[:TENDS]->(n2:Meadow) WHERE n2.name = 'Long Acre' "
            "AND r0.bond = 'SPONSOR' RETURN DISTINCT n0.name AS name",
        ),
    ],
)
def test_a_value_of_a_relationship_is_a_noun_for_who_is_tied_so(
    question: str, cypher: str, shown: Callable[[str], str]
) -> None:
    assert shown(question) == f"MATCH {cypher}"


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "List the meadows in the valley where a theft without a warden involved happened.",
            "(n0:Meadow)-[:IN_VALLEY]->(n1:Valley), (n2:Meadow)-[:IN_VALLEY]->(n1), "
            "(n3:Theft)-[:HAPPENED_AT]->(n2) WHERE NOT EXISTS",
        ),
        (
            "Which meadows are tended by a keeper and where a theft happened?",
            "(n1:Keeper)-[:TENDS]->(n0:Meadow), (n2:Theft)-[:HAPPENED_AT]->(n0) RETURN",
        ),
    ],
)
def test_clauses_of_places(question: str, cypher: str, shown: Callable[[str], str]) -> None:
    assert shown(question).removeprefix("MATCH ").startswith(cypher)


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which keepers call Runa kin?",
            "(n0:Keeper)-[:GUILD_TIE]->(n1:Keeper) WHERE n1.name = 'Runa' RETURN DISTINCT n0.name AS name",
        ),
        (
            "Which keepers belong to Runa's guild circle?",
            "(n1:Keeper)-[:GUILD_TIE]->(n0:Keeper) WHERE n1.name = 'Runa' RETURN DISTINCT n0.name AS name",
        ),
        (
            "List the keepers Runa's hive is known to.",
            "(n0:Keeper)-[:KNOWS_HIVE]->(n1:Keeper) WHERE n1.name = 'Runa' RETURN DISTINCT n0.name AS name",
        ),
        (
            "Which keepers have knowledge of Runa's hive?",
            "(n0:Keeper)-[:KNOWS_HIVE]->(n1:Keeper) WHERE n1.name = 'Runa' RETURN DISTINCT n0.name AS name",
        ),
        (
            "List the thefts examined by someone with the surname Moe.",
            "(n0:Theft)-[:EXAMINED_BY]->(n1:Warden) WHERE n1.surname = 'Moe' RETURN DISTINCT n0 AS node",
        ),
    ],
)
def test_ties_in_other_words(question: str, cypher: str, shown: Callable[[str], str]) -> None:
    assert shown(question).removeprefix("MATCH ").startswith(cypher)


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which keepers trust the keeper tending Long Acre?",
            "(n0:Keeper)-[:TRUSTS]->(n1:Keeper), (n1)-[:TENDS]->(n2:Meadow) WHERE n2.name = 'Long Acre'",
        ),
        (
            "Which keepers are trusted by one of Runa's confidants?",
            "(n1:Keeper)-[:TRUSTS]->(n0:Keeper), (n2:Keeper)-[:TRUSTS]->(n1) WHERE n2.name = 'Runa'",
        ),
        (
            "Who did Runa trust?",
            "(n1:Keeper)-[:TRUSTS]->(n0:Keeper) WHERE n1.name = 'Runa' RETURN DISTINCT n0.name AS name",
        ),
        (
            "Which keepers come from the guild circle of Runa?",
            "(n1:Keeper)-[:GUILD_TIE]->(n0:Keeper) WHERE n1.name = 'Runa' RETURN DISTINCT n0.name AS name",
        ),
    ],
)
def test_what_is_nearest_and_who_is_asked_for(
    question: str, cypher: str, shown: Callable[[str], str]
) -> None:
    assert shown(question).removeprefix("MATCH ").startswith(cypher)


@pytest.mark.parametrize(
    ("question", "query"),
    [
        (
            "Which keepers know Runa's hive?",
            Query(
                (Node("Keeper"), Node("Keeper")),
                (Edge(0, 1, ("KNOWS_HIVE",)),),
                (Filter(PropertyRef(1, "name"), Operator.EQ, "Runa"),),
            ),
        ),
        ("List all valleys.", Query((Node("Valley"),))),
        (
            "Which keepers have hives?",
            Query((Node("Keeper"), Node("Hive")), (Edge(0, 1, ("HAS_HIVE",)),)),
        ),
    ],
)
def test_a_label_and_the_types_that_hold_its_words_are_said_by_one(question: str, query: Query) -> None:
    found = dict(ranking.whole(READER.read(question).linked, query, SCHEMA))
    assert not found.keys() & {"r_label", "r_relation"}


@pytest.mark.parametrize(
    "question",
    [
        "Which thefts happened on 4 October 2020?",
        "Which thefts took place on 4 October 2020?",
        "List the thefts that happened on 4 October 2020.",
    ],
)
def test_that_something_happened_on_a_day_says_no_more_than_its_day(
    question: str, shown: Callable[[str], str]
) -> None:
    assert "HAPPENED_AT" not in shown(question)
    assert "theft_date" in shown(question)
