"""A property that keeps the name of another label, places without a name, and what words belong to.

A warehouse of boxes (invented values): a shelf keeps its bin label, and is tied to it as well.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.lexicon import RelationWords, Verbalisation
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Box 90: number, kind
    Location 40: address, binlabel
    BinLabel 40: code
    Hall 10: name
    Packer 20: name, surname
    Incident 50: number, sort, date
    (Box)-[KEPT_AT 90]->(Location), (Location)-[HAS_BINLABEL 40]->(BinLabel)
    (BinLabel)-[BINLABEL_IN_HALL 40]->(Hall), (Location)-[LOCATION_IN_HALL 40]->(Hall)
    (Box)-[PACKED_BY 90]->(Packer), (Incident)-[HAPPENED_AT 50]->(Location)

    Box.kind: fragile | frozen
    Incident.sort: fire | flood
    Incident.date: 4/11/2021 | 17/02/2022
    Location.address: 3 Long Aisle
    Location.binlabel: QX7 4RD
    BinLabel.code: QX7 4RD
    Hall.name: Eastern
    Packer.name: Ilse
    Packer.surname: Arvola
""")
WORDS = Verbalisation(
    labels={"Box": ("case",)}, relations={"PACKED_BY": RelationWords(inverse=("on the case of",))}
)
READER = SemanticReader(SCHEMA, ValueTable(STORED), WORDS)


def written(question: str, **given: str) -> str:
    """The query for a question whose values are known by label."""
    reading = READER.read(question, given={label: [text] for label, text in given.items()})
    assert reading.written is not None
    return reading.written.text.replace("`", "")


@pytest.mark.parametrize("words", ["bin label", "binlabel"])
def test_a_property_with_the_name_of_a_label_is_called_as_it(words: str) -> None:
    query = written(f"Which boxes are kept at a location whose {words} is QX7 4RD?", Location="QX7 4RD")
    assert "n1.binlabel = $p0" in query
    assert "HAS_BINLABEL" not in query


def test_the_label_is_meant_where_its_value_is_given() -> None:
    query = written("Which boxes are kept at a location with the bin label QX7 4RD?", BinLabel="QX7 4RD")
    assert "HAS_BINLABEL" in query
    assert ".code = $p0" in query


def test_a_noun_told_as_a_property_is_not_missed_as_a_thing() -> None:
    query = written(
        "Which locations with the bin label QX7 4RD are in a hall with frozen boxes?", Location="QX7 4RD"
    )
    assert "HAS_BINLABEL" not in query


@pytest.mark.parametrize("word", ["somewhere", "someplace"])
def test_somewhere_is_a_place(word: str) -> None:
    query = written(
        f"Which boxes are in a hall that has {word} with the bin label QX7 4RD?", Location="QX7 4RD"
    )
    assert "n3.binlabel = $p0" in query
    assert query.count(":Location") == 2


@pytest.mark.parametrize(
    "question",
    [
        "Show all boxes packed by packers who also have a frozen case.",
        "List the boxes packed by packers who have a frozen case.",
    ],
)
def test_who_does_it_is_no_ranking(question: str, shown: Callable[[str], str]) -> None:
    query = shown(question)
    assert "ORDER BY" not in query
    assert "'frozen'" in query


def test_days_are_those_of_what_happened(shown: Callable[[str], str]) -> None:
    query = shown("On which dates did incidents of the sort fire happen at a location in the Eastern hall?")
    assert query.count(":Incident") == 1
    assert "n0.sort = 'fire'" in query
    assert "RETURN DISTINCT n0.date" in query


def test_things_are_not_counted_by_themselves() -> None:
    schema, stored = invented_graph("""
        Person 90: name, surname
        Phone 90: phone_no
        (Person)-[KNOWS 90]->(Person), (Person)-[KNOWS_PHONE 90]->(Person), (Person)-[HAS_PHONE 90]->(Phone)

        Person.name: Ilse
    """)
    reader = SemanticReader(schema, ValueTable(stored))
    written = reader.read("How many phones belong to people known by someone Ilse knows by phone?").written
    assert written is not None
    assert written.text.endswith("RETURN count(DISTINCT n0) AS `count`")
