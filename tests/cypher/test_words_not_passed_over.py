"""Words that narrow what is asked are not passed over, nor guessed: they are read, or it is refused."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cypher.semantics.explain import explain
from cypher.semantics.reader import SemanticReader
from cypher.semantics.softened import of_any_kind
from cypher.semantics.values import ValueTable
from kg.settings import read_environment
from kg.thesaurus_files import ensure_thesaurus, open_thesaurus
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Locomotive 14: number, maker, built_in integer, seats integer
    Fitter 8: name, hired_on date, fee float
    Shed 5: name, opened_on date
    Painting 30: title, insuranceValue integer, finished_in integer
    (Fitter)-[INSPECTED 40: inspected_on date, result]->(Locomotive)
    (Fitter)-[STATIONED_AT 8]->(Shed), (Painting)-[HANGS_IN 30]->(Shed)

    Locomotive.number: D27-01 | D27-03
    Locomotive.maker: Velmar | Brookhurst
    Fitter.name: Greta Moss | Omar Feld
    Shed.name: Dunmoor | Marrowby
    Painting.title: Red Quarry | Night Kiln
    INSPECTED.result: passed | failed
""")


@pytest.fixture(scope="module")
def reader() -> Iterator[SemanticReader]:
    ensure_thesaurus(read_environment().cache, note=print)
    with open_thesaurus(read_environment().cache) as thesaurus:
        yield SemanticReader(SCHEMA, ValueTable(STORED), thesaurus=thesaurus)


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("What is the monthly fee of Greta Moss?", ("monthly",)),
        ("What is the purple maker of D27-01?", ("purple",)),
        ("List the technical makers of locomotives.", ("technical",)),
        ("What is the exact fee of Greta Moss?", ()),
        ("What is the official maker of D27-01?", ()),
        ("What is the fee of Greta Moss?", ()),
    ],
)
def test_a_word_before_a_property_is_read_or_told(question: str, left: tuple[str, ...]) -> None:
    assert SemanticReader(SCHEMA, ValueTable(STORED)).read(question).linked.unexplained == left


@pytest.mark.parametrize(
    ("question", "figure"),
    [("When was D27-01 last inspected?", "Max"), ("When was D27-01 first inspected?", "Min")],
)
def test_the_last_day_of_a_deed_is_no_year_of_building(
    reader: SemanticReader, question: str, figure: str
) -> None:
    query = reader.read(question).query
    assert query is not None
    assert explain(query).startswith(f"{figure} of the INSPECTED's inspected on, where ")


@pytest.mark.parametrize(
    ("question", "taken", "said"),
    [
        (
            "How much is Red Quarry insured for?",
            ("insured", "insuranceValue"),
            "the painting's insurance value",
        ),
        (
            "Which locomotives have failed their inspection?",
            ("inspection", "INSPECTED"),
            "the INSPECTED's result is 'failed'",
        ),
    ],
)
def test_nouns_and_verbs_of_one_root_are_taken_for_each_other(
    reader: SemanticReader, question: str, taken: tuple[str, str], said: str
) -> None:
    reading = reader.read(question)
    assert taken in [(t.word, t.term.name) for t in reading.taken]
    assert reading.linked.unexplained == ()
    assert reading.query is not None
    assert said in explain(reading.query)


def test_a_noun_for_a_deed_takes_no_day_of_another(reader: SemanticReader) -> None:
    reading = reader.read("Which locomotives have had an inspection in 2024?")
    assert reading.linked.unexplained == ("inspection",)


def test_nouns_that_are_kept_apart_from_verbs_are_no_forms_of_them() -> None:
    schema, stored = invented_graph("""
        Wine 9: name
        Maker 4: name
        (Maker)-[CRAFTED 20]->(Wine)

        Wine.name: Fuoco Lento
        Maker.name: Ivano Zagari
    """)
    reading = SemanticReader(schema, ValueTable(stored)).read("How many wines did Ivano Zagari craft?")
    assert reading.linked.unexplained == ()
    assert reading.query is not None
    assert explain(reading.query).startswith("Number of wine, where maker CRAFTED wine")


def test_nouns_for_several_are_things(reader: SemanticReader) -> None:
    assert reader.read("inspections of Dunmoor").linked.unexplained == ("inspections",)


def test_a_kind_that_was_named_is_none_of_any_kind(reader: SemanticReader) -> None:
    vague = reader.read("Which works hang in the Dunmoor?")
    assert "works" in of_any_kind(vague.taken)
    assert of_any_kind(reader.read("Which paintings hang in the Dunmoor?").taken) == ""
