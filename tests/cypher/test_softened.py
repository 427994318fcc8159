"""Words that a schema does not know, by a thesaurus: taken for near ones, told, or left unknown."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from cypher.semantics.decide import Verdict, decide
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from kg.settings import read_environment
from kg.thesaurus_files import ensure_thesaurus, open_thesaurus
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Gallery 9: name, floor integer, area float
    Sculpture 40: title, made_in integer, condition
    Curator 8: name, hired_on, salary integer
    Exhibition 9: title, opens date
    (Exhibition)-[FEATURES 20]->(Sculpture)
    (Sculpture)-[DISPLAYED_IN 40]->(Gallery), (Curator)-[DIRECTS 9]->(Gallery)

    Gallery.name: Ivory Court | Tin Hall
    Sculpture.title: Silent Owl | Grey Horse
    Sculpture.condition: poor | good
    Curator.name: Ida Brook | Otto Lind
    Curator.hired_on: 2001-04-01 | 2012-09-01
""")


@pytest.fixture(scope="module")
def reader() -> Iterator[SemanticReader]:
    ensure_thesaurus(read_environment().cache, note=print)
    with open_thesaurus(read_environment().cache) as thesaurus:
        yield SemanticReader(SCHEMA, ValueTable(STORED), thesaurus=thesaurus)


@pytest.fixture
def read(reader: SemanticReader) -> Callable[[str], tuple[str, dict[str, str]]]:
    def told(question: str) -> tuple[str, dict[str, str]]:
        reading = reader.read(question)
        assert reading.written is not None
        assert decide(reading, SCHEMA).verdict is Verdict.ANSWER
        text = " ".join(reading.written.text.split()).replace("`", "")
        return text, {t.word: t.term.name for t in reading.taken}

    return told


@pytest.mark.parametrize(
    ("question", "expected", "taken"),
    [
        ("How many rooms are there?", "MATCH (n0:Gallery) RETURN count(", {"rooms": "Gallery"}),
        (
            "Who leads the Ivory Court?",
            "(n0:Curator)-[:DIRECTS]->(n1:Gallery) WHERE n1.name = $p0 RETURN DISTINCT n0.name",
            {},
        ),
        (
            "Which statues are exhibited in the Tin Hall?",
            "(n0:Sculpture)-[:DISPLAYED_IN]->(n1:Gallery) WHERE n1.name = $p0",
            {"statues": "Sculpture"},
        ),
        (
            "Which items are displayed in the Tin Hall?",
            "(n0:Sculpture)-[:DISPLAYED_IN]->(n1:Gallery) WHERE n1.name = $p0",
            {"items": "Sculpture"},
        ),
        (
            "Which shows opened after 1 May 2020?",
            "(n0:Exhibition) WHERE n0.opens > date($p0)",
            {"shows": "Exhibition"},
        ),
        (
            "Which sculptures are in poor shape?",
            "(n0:Sculpture) WHERE n0.condition = $p0",
            {"shape": "condition"},
        ),
    ],
)
def test_near_words_are_taken_and_told(
    question: str, expected: str, taken: dict[str, str], read: Callable[[str], tuple[str, dict[str, str]]]
) -> None:
    text, told = read(question)
    assert expected in text
    assert told == taken


def test_a_kind_that_is_named_is_not_what_a_vague_word_was_read_as(
    read: Callable[[str], tuple[str, dict[str, str]]],
) -> None:
    text, told = read("Which galleries display a piece in poor condition?")
    assert "(n0:Gallery)" in text
    assert "Gallery" not in told.values()
    assert told.get("piece") == "Sculpture"


def test_something_is_no_verb(read: Callable[[str], tuple[str, dict[str, str]]]) -> None:
    text, told = read("Which galleries display something in poor condition?")
    assert "(n0:Gallery)" in text
    assert "condition" in text
    assert told.get("something") == "Sculpture"


def test_known_words_need_no_thesaurus(read: Callable[[str], tuple[str, dict[str, str]]]) -> None:
    assert read("Which galleries does Ida Brook direct?")[1] == {}


@pytest.mark.parametrize(
    "question",
    [
        "Which plumbers are there?",
        "How much does the Silent Owl weigh?",
        "Which sculptures did we repaint?",
        "Which Belgian sculptures are displayed in the Tin Hall?",
    ],
)
def test_what_has_no_place_in_the_schema_stays_unknown(question: str, reader: SemanticReader) -> None:
    decision = decide(reader.read(question), SCHEMA)
    assert decision.verdict is not Verdict.ANSWER or decision.unexplained


def test_without_a_thesaurus_the_word_is_named() -> None:
    reading = SemanticReader(SCHEMA, ValueTable(STORED)).read("How many rooms are there?")
    assert reading.linked.unexplained == ("rooms",)
    assert reading.taken == ()


RAILWAY, ON_RAILS = invented_graph("""
    Part 11: name, category, weight float
    Fault 15: code, system
    Worker 9: name, role
    Service 20: headcode, departureTime
    (Fault)-[REQUIRED_PART 20]->(Part), (Worker)-[MENDED 20]->(Fault), (Service)-[USES 3]->(Part)

    Part.category: engine | brake
    Part.name: Piston Ring | Shoe
    Fault.system: engine | doors
    Worker.role: fitter | physician
    Worker.name: Ann Lee | Ben Roy
    Service.departureTime: 08:15 | 17:40
    Service.headcode: 1A01 | 2B02
""")


@pytest.fixture(scope="module")
def on_rails() -> Iterator[SemanticReader]:
    with open_thesaurus(read_environment().cache) as thesaurus:
        yield SemanticReader(RAILWAY, ValueTable(ON_RAILS), thesaurus=thesaurus)


@pytest.mark.parametrize("question", ["How many locomotives are there?", "Which locomotives are there?"])
def test_what_is_asked_for_is_no_thing_with_a_value_like_it(on_rails: SemanticReader, question: str) -> None:
    reading = on_rails.read(question)
    assert "locomotives" in reading.linked.unexplained


def test_whose_role_is_like_the_word_is_asked_for(on_rails: SemanticReader) -> None:
    reading = on_rails.read("How many doctors are there?")
    assert reading.written is not None
    assert reading.written.parameters == {"p0": "physician"}
    assert {t.word: t.term.name for t in reading.taken} == {"doctors": "physician"}


def test_a_time_of_day_is_no_length(on_rails: SemanticReader) -> None:
    reading = on_rails.read("Which service is the longest?")
    assert decide(reading, RAILWAY).verdict is not Verdict.ANSWER
    assert reading.written is None or "departureTime" not in reading.written.text
