"""Questions as a further writer asked them: in-situ question words, "by hive", "furthest north", others."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import StoredValue, ValueTable
from tests.cypher.test_chart_days_and_times import READER as TRIPS
from tests.cypher.test_chart_ties import READER, SCHEMA, STORED, WORDS

__all__ = ["READER", "SCHEMA"]
_RUNA = "n1.name = 'Runa' AND n1.surname = 'Vik'"
_TRUSTED = f"MATCH (n1:Keeper)-[:TRUSTS]->(n0:Keeper) WHERE {_RUNA}"


@pytest.mark.parametrize(
    ("question", "same"),
    [
        (
            "Do we have a meadow Runa Vik tends?",
            "Is there any meadow Runa Vik tends?",
        ),
        (
            "How many keepers with each surname have tended Long Acre?",
            "How many keepers have tended Long Acre per surname?",
        ),
        (
            "How many meadows has each surname of keeper tended?",
            "How many meadows have keepers tended per surname?",
        ),
        (
            "Keepers with which surname have tended the most meadows?",
            "Which surname of keepers have tended the most meadows?",
        ),
        (
            "Keepers of which surname tended the most meadows?",
            "Which surname of keepers tended the most meadows?",
        ),
        (
            "Does anyone whom Runa Vik trusts tend a meadow?",
            "Is there anybody whom Runa Vik trusts who tends a meadow?",
        ),
    ],
)
def test_the_same_question_in_another_order(question: str, same: str, shown: Callable[[str], str]) -> None:
    assert shown(question) == shown(same)


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("Which meadow in Orrdal lies furthest north?", "max(n0.latitude)"),
        ("Of the meadows in Orrdal, which lies furthest south?", "min(n0.latitude)"),
        ("Which meadow in Orrdal is situated furthest north?", "max(n0.latitude)"),
    ],
)
def test_where_something_lies_is_ranked_as_what_it_is(
    question: str, best: str, shown: Callable[[str], str]
) -> None:
    where = "MATCH (n0:Meadow)-[:IN_VALLEY]->(n1:Valley) WHERE n1.name = 'Orrdal'"
    assert shown(question).startswith(f"{where} WITH {best} AS best")


def test_a_clause_does_not_start_inside_a_name(shown: Callable[[str], str]) -> None:
    assert shown("Who among those Runa Vik trusts tends Long Acre?") == (
        "MATCH (n1:Keeper)-[:TRUSTS]->(n0:Keeper), (n0)-[:TENDS]->(n2:Meadow) "
        f"WHERE {_RUNA} AND n2.name = 'Long Acre' RETURN DISTINCT n0.name AS name"
    )


def test_who_does_something_is_not_what_things_are_ranked_by(shown: Callable[[str], str]) -> None:
    assert shown("Who do the keepers trusted by the owner of hive H-77 trust?") == (
        "MATCH (n1:Keeper)-[:TRUSTS]->(n0:Keeper), (n2:Keeper)-[:TRUSTS]->(n1), (n2)-[:HAS_HIVE]->(n3:Hive) "
        "WHERE n3.tag = 'H-77' RETURN DISTINCT n0.name AS name"
    )


@pytest.mark.parametrize("question", ["Who does Runa Vik know by hive?", "Who is known by hive by Runa Vik?"])
def test_knowing_by_a_thing_is_the_relation_that_names_both(
    question: str, shown: Callable[[str], str]
) -> None:
    assert shown(question) == f"{_TRUSTED} RETURN DISTINCT n0.name AS name".replace("TRUSTS", "KNOWS_HIVE")


def test_words_that_a_hyphen_joins_are_a_phrase_all_the_same(shown: Callable[[str], str]) -> None:
    plain = shown("What are the surnames of Runa Vik's guild fellows?")
    assert shown("What are the surnames of Runa Vik's guild-fellows?") == plain
    assert ":GUILD_TIE" in plain


def test_what_one_has_to_do_and_where_it_lies(shown: Callable[[str], str]) -> None:
    assert shown("Which meadows are there where Sten Moe has had a theft to examine?") == (
        "MATCH (n1:Theft)-[:HAPPENED_AT]->(n0:Meadow), (n1)-[:EXAMINED_BY]->(n2:Warden) "
        "WHERE n2.name = 'Sten' AND n2.surname = 'Moe' RETURN DISTINCT n0.name AS name"
    )


def test_both_may_stand_before_the_preposition(shown: Callable[[str], str]) -> None:
    assert shown("Who is trusted both by Runa Vik and by a keeper who tends Long Acre?") == (
        "MATCH (n1:Keeper)-[:TRUSTS]->(n0:Keeper), (n2:Keeper)-[:TRUSTS]->(n0), (n2)-[:TENDS]->(n3:Meadow) "
        f"WHERE {_RUNA} AND n3.name = 'Long Acre' RETURN DISTINCT n0.name AS name"
    )


@pytest.mark.parametrize(
    ("question", "tie"),
    [
        ("Who trusts the fewest other keepers?", "(n0:Keeper)-[:TRUSTS]->(n1:Keeper)"),
        ("Who is trusted by the fewest others?", "(n1:Keeper)-[:TRUSTS]->(n0:Keeper)"),
    ],
)
def test_others_are_people(question: str, tie: str, shown: Callable[[str], str]) -> None:
    assert shown(question).startswith(f"MATCH {tie} WITH n0, count(DISTINCT n1) AS counted RETURN")


def test_a_relation_said_twice_may_lead_to_two(shown: Callable[[str], str]) -> None:
    assert shown("Of those who trust Runa Vik, who trusts the most keepers?").startswith(
        "MATCH (n0:Keeper)-[:TRUSTS]->(n1:Keeper), (n0)-[:TRUSTS]->(n2:Keeper) WHERE"
    )


@pytest.mark.parametrize(
    ("question", "pattern"),
    [
        (
            "Which keepers tend meadows with the most thefts?",
            "(n0:Keeper)-[:TENDS]->(n1:Meadow), (n2:Theft)-[:HAPPENED_AT]->(n1) "
            "WITH n0, count(DISTINCT n2) AS counted",
        ),
        (
            "At which meadow did keepers trusted by Runa have the most hives?",
            "(n1:Keeper)-[:TENDS]->(n0:Meadow), (n2:Keeper)-[:TRUSTS]->(n1), (n1)-[:HAS_HIVE]->(n3:Hive) "
            "WHERE n2.name = 'Runa' WITH n0, count(DISTINCT n3) AS counted",
        ),
        (
            "In which valley did keepers trusted by Runa tend the most meadows?",
            "(n1:Meadow)-[:IN_VALLEY]->(n0:Valley), (n2:Keeper)-[:TENDS]->(n1), "
            "(n3:Keeper)-[:TRUSTS]->(n2) WHERE n3.name = 'Runa' WITH n0, count(DISTINCT n1) AS counted",
        ),
    ],
)
def test_the_most_of_what_many_have_is_counted_for_what_is_asked(
    question: str, pattern: str, shown: Callable[[str], str]
) -> None:
    assert shown(question).startswith(f"MATCH {pattern} RETURN DISTINCT n0.name AS name, counted AS count")


def test_the_most_of_a_certain_one_is_its_own(shown: Callable[[str], str]) -> None:
    assert "max(tally)" in shown("Which valley contains the meadow with the most thefts?")


@pytest.mark.parametrize(
    ("question", "same"),
    [
        ("In Orrdal, who tends the most meadows?", "Who tends the most meadows in Orrdal?"),
        (
            "In Orrdal, keepers with which surname tend the most meadows?",
            "Which surname of keepers tend the most meadows in Orrdal?",
        ),
    ],
)
def test_a_place_in_front_may_stand_at_the_end(question: str, same: str, shown: Callable[[str], str]) -> None:
    assert shown(question) == shown(same)


def test_a_name_at_the_end_of_a_phrase_owns_what_follows(shown: Callable[[str], str]) -> None:
    assert shown("Which keepers at Runa's meadow tend Long Acre?") == (
        "MATCH (n0:Keeper)-[:TENDS]->(n1:Meadow), (n2:Keeper)-[:TENDS]->(n1), (n0)-[:TENDS]->(n3:Meadow) "
        "WHERE n2.name = 'Runa' AND n3.name = 'Long Acre' RETURN DISTINCT n0.name AS name"
    )


@pytest.mark.parametrize(
    "question",
    [
        "Which meadows are there at which a theft happened on 04/10/2020?",
        "At which meadows was a theft dated 04/10/2020?",
        "At which meadow did a theft of 04/10/2020 happen?",
    ],
)
def test_a_clause_with_nothing_missing_tells_of_its_place(question: str, shown: Callable[[str], str]) -> None:
    assert shown(question) == (
        "MATCH (n1:Theft)-[:HAPPENED_AT]->(n0:Meadow) WHERE n1.theft_date = '04/10/2020' "
        "RETURN DISTINCT n0.name AS name"
    )


def test_what_one_is_recorded_as_one_is(shown: Callable[[str], str]) -> None:
    question = "Which keepers {} a sponsor of Runa have tended Long Acre?"
    assert shown(question.format("recorded as")) == shown(question.format("who are"))


def test_a_clause_behind_the_verb_belongs_to_its_subject(shown: Callable[[str], str]) -> None:
    assert shown("Does a keeper work who trusts Runa?") == (
        "MATCH (n0:Keeper)-[:TRUSTS]->(n1:Keeper) WHERE n1.name = 'Runa' RETURN count(*) > 0 AS answer"
    )


@pytest.mark.parametrize(
    ("question", "least", "most"),
    [
        ("Which trips of between 10 and 40 minutes were there?", 10, 40),
        ("Which trips lasted 10 to 40 minutes?", 10, 40),
        ("Which trips lasted between 10 and 40 minutes, both included?", 10, 40),
        ("Which trips lasted from 10 minutes to an hour?", 10, 60),
    ],
)
def test_a_length_of_time_may_have_two_ends(question: str, least: int, most: int) -> None:
    written = TRIPS.read(question).written
    assert written is not None
    assert "n0.`duration` >= $p0 AND n0.`duration` <= $p1\nRETURN" in written.text
    assert dict(written.parameters) == {"p0": least, "p1": most}


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("Which was the latest trip of 2017-08-04?", "max(n0.`start_time`) AS best"),
        ("Which was the earliest trip of 2017-08-04?", "min(n0.`start_time`) AS best"),
        ("Which was the latest trip after 2017-08-04?", "max(n0.`start_date`) AS best"),
        ("Which was the latest trip?", "max(n0.`start_date`) AS best"),
    ],
)
def test_the_last_of_one_day_is_so_by_its_time(question: str, best: str) -> None:
    written = TRIPS.read(question).written
    assert written is not None
    assert best in written.text


def test_other_things_are_not_those_of_the_kind_other() -> None:
    values = ValueTable([*STORED, StoredValue("Meadow", "name", "Other meadow")])
    reader = SemanticReader(SCHEMA, values, WORDS)
    others = reader.read("Which other meadows are tended by Runa?").written
    kind = reader.read('Which "Other meadow" is tended by Runa?').written
    assert others is not None
    assert kind is not None
    assert set(others.parameters.values()) == {"Runa"}
    assert set(kind.parameters.values()) == {"Runa", "Other meadow"}
