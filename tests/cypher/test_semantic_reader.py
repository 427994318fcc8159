"""Questions over an invented graph of a library: what they are read as, and when nothing is claimed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cypher.guard import check_text
from cypher.semantics.decide import Verdict, decide, nearest_terms
from cypher.semantics.explain import explain
from cypher.semantics.ir import Edge, Head, Measure, Node, PropertyRef, Query
from cypher.semantics.lexicon import RelationWords, Verbalisation
from cypher.semantics.probing import AT_ONCE, matching, with_probes
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from cypher.semantics.write import Written
from schemas.errors import QueryFailedError
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Person: name, born integer
    Book: title, genre, pages integer, year integer
    Publisher: name
    City: name, population integer
    (Person)-[WROTE 50]->(Book), (Person)-[TRANSLATED 9]->(Book), (Book)-[PUBLISHED_BY 40]->(Publisher)
    (Person)-[LIVES_IN 30]->(City), (Person)-[KNOWS 30]->(Person)

    Person.name: Ada Moss | Ben Roe
    Book.title: The Long Field
    Book.genre: poetry | travel
    Publisher.name: Heron Press
    City.name: Lund
""")
VALUES = ValueTable(STORED)
SPOKEN = Verbalisation(
    relations={"KNOWS": RelationWords(forward=("acquainted with",), inverse=("known by",))}
)
READER = SemanticReader(SCHEMA, VALUES, SPOKEN)


READINGS = {
    "Which books did Ada Moss write?": (
        "MATCH (n1:Person)-[:WROTE]->(n0:Book) WHERE n1.name = 'Ada Moss' RETURN DISTINCT n0.title AS title"
    ),
    "Who translated The Long Field?": (
        "MATCH (n0:Person)-[:TRANSLATED]->(n1:Book) WHERE n1.title = 'The Long Field' "
        "RETURN DISTINCT n0.name AS name"
    ),
    "How many poetry books were published by Heron Press?": (
        "MATCH (n0:Book)-[:PUBLISHED_BY]->(n1:Publisher) WHERE n0.genre = 'poetry' "
        "AND n1.name = 'Heron Press' RETURN count(DISTINCT n0) AS count"
    ),
    "Which people who live in Lund wrote books with more than 300 pages?": (
        "MATCH (n0:Person)-[:LIVES_IN]->(n1:City), (n0)-[:WROTE]->(n2:Book) WHERE n1.name = 'Lund' "
        "AND n2.pages > 300 RETURN DISTINCT n0.name AS name"
    ),
    "Which person wrote the most books?": (
        "MATCH (n0:Person)-[:WROTE]->(n1:Book) WITH n0, count(DISTINCT n1) AS counted "
        "RETURN DISTINCT n0.name AS name, counted AS count ORDER BY counted DESC LIMIT 1"
    ),
    "Which people have not written any book?": (
        "MATCH (n0:Person) WHERE NOT EXISTS { MATCH (n0)-[:WROTE]->(n1:Book) } "
        "RETURN DISTINCT n0.name AS name"
    ),
    "What is the average number of pages of the books written by Ada Moss?": (
        "MATCH (n1:Person)-[:WROTE]->(n0:Book) WHERE n1.name = 'Ada Moss' "
        "WITH DISTINCT n0 RETURN avg(n0.pages) AS avg_pages"
    ),
    "Who knows Ben Roe?": (
        "MATCH (n0:Person)-[:KNOWS]->(n1:Person) WHERE n1.name = 'Ben Roe' RETURN DISTINCT n0.name AS name"
    ),
    "Which people are known by Ben Roe?": (
        "MATCH (n1:Person)-[:KNOWS]->(n0:Person) WHERE n1.name = 'Ben Roe' RETURN DISTINCT n0.name AS name"
    ),
    "How many books are there for each genre?": (
        "MATCH (n0:Book) RETURN n0.genre AS genre, count(DISTINCT n0) AS count"
    ),
    "What is the population of the city where Ada Moss lives?": (
        "MATCH (n1:Person)-[:LIVES_IN]->(n0:City) WHERE n1.name = 'Ada Moss' "
        "RETURN DISTINCT n0.population AS population"
    ),
    "Which people wrote more than 3 books?": (
        "MATCH (n0:Person)-[:WROTE]->(n1:Book) WITH n0, count(DISTINCT n1) AS counted WHERE counted > 3 "
        "RETURN DISTINCT n0.name AS name, counted AS count"
    ),
    "Which cities have no people who wrote a poetry book?": (
        "MATCH (n0:City) WHERE NOT EXISTS { MATCH (n1:Person)-[:LIVES_IN]->(n0), (n1)-[:WROTE]->(n2:Book) "
        "WHERE n2.genre = 'poetry' } RETURN DISTINCT n0.name AS name"
    ),
    "Which people that Ada Moss knows live in Lund?": (
        "MATCH (n1:Person)-[:KNOWS]->(n0:Person), (n0)-[:LIVES_IN]->(n2:City) WHERE n1.name = 'Ada Moss' "
        "AND n2.name = 'Lund' RETURN DISTINCT n0.name AS name"
    ),
    "What is the most common genre of books?": (
        "MATCH (n0:Book) WHERE n0.genre IS NOT NULL RETURN n0.genre AS genre, count(DISTINCT n0) AS count "
        "ORDER BY count DESC LIMIT 1"
    ),
    "Which books have no year?": ("MATCH (n0:Book) WHERE n0.year IS NULL RETURN DISTINCT n0.title AS title"),
    "Who wrote more than thirty books?": (
        "MATCH (n0:Person)-[:WROTE]->(n1:Book) WITH n0, count(DISTINCT n1) AS counted WHERE counted > 30 "
        "RETURN DISTINCT n0.name AS name, counted AS count"
    ),
    "Who translated books about travels?": (
        "MATCH (n0:Person)-[:TRANSLATED]->(n1:Book) WHERE n1.genre = 'travel' RETURN DISTINCT n0.name AS name"
    ),
    "Which publishers published books by people who know Ben Roe?": (
        "MATCH (n1:Book)-[:PUBLISHED_BY]->(n0:Publisher), (n2:Person)-[:WROTE]->(n1), "
        "(n2)-[:KNOWS]->(n3:Person) WHERE n3.name = 'Ben Roe' RETURN DISTINCT n0.name AS name"
    ),
}


@pytest.mark.parametrize("question", READINGS)
def test_reading(question: str, shown: Callable[[str], str]) -> None:
    assert shown(question) == READINGS[question]


def test_values_are_parameters_only() -> None:
    written = READER.read("Which books did Ada Moss write?").written
    assert written is not None
    assert "Ada" not in written.text
    assert set(written.parameters.values()) == {"Ada Moss"}
    assert written.columns == ("title",)


def test_explanation_comes_from_the_form() -> None:
    query = READER.read("Which books did Ada Moss write?").query
    assert query is not None
    assert explain(query) == "Book, where person WROTE book, the person's name is 'Ada Moss'."


def test_unknown_words_make_it_abstain() -> None:
    decision = decide(READER.read("Which turbines did the glaciers of Neptune devour?"), SCHEMA)
    assert decision.verdict is Verdict.ABSTAIN
    assert "turbines" in decision.unexplained


def test_a_clear_question_is_answered() -> None:
    decision = decide(READER.read("Who translated The Long Field?"), SCHEMA)
    assert decision.verdict is Verdict.ANSWER
    assert len(decision.explanations) == 1


def test_nearest_terms_are_of_the_schema() -> None:
    assert nearest_terms(("publishr",), SCHEMA)[0] in ("Publisher", "PUBLISHED_BY")


class _OnlyThis:
    """Has rows for one text only."""

    def __init__(self, text: str) -> None:
        self.text, self.asked = text, 0

    def has_rows(self, written: Written, *, timeout: float) -> bool | None:
        assert timeout > 0
        self.asked += 1
        return written.text == self.text


def test_probes_prefer_a_reading_with_rows() -> None:
    reading = READER.read("Which books are by Ada Moss?")
    assert len(reading.candidates) > 1
    second = reading.candidates[1].query
    probe = _OnlyThis(READER.write(matching(second)).text)
    chosen = with_probes(replace(reading, confidence=0.6), READER, probe, clock=lambda: 0.0)
    assert chosen.query == second
    assert chosen.written == READER.write(second)
    assert 2 <= probe.asked <= 2 + AT_ONCE


def test_a_far_reading_is_a_guess() -> None:
    first, second = READER.read("Which books are by Ada Moss?").candidates[:2]
    far = replace(second, score=first.score - 1.0)
    reading = replace(READER.read("Which books are by Ada Moss?"), candidates=(first, far), confidence=0.9)
    probe = _OnlyThis(READER.write(matching(second.query)).text)
    assert with_probes(reading, READER, probe, clock=lambda: 0.0) is reading
    unsure = with_probes(replace(reading, confidence=0.7), READER, probe, clock=lambda: 0.0)
    assert unsure.query == second.query
    assert unsure.confidence == 0.35
    assert decide(unsure, SCHEMA).verdict is Verdict.ABSTAIN


def test_what_holds_an_empty_reading_is_not_looked_at() -> None:
    reading = replace(READER.read("Which books did Ada Moss write?"), confidence=0.6)
    first = reading.candidates[0]
    extra = Node("Publisher"), Edge(first.query.answer, len(first.query.nodes), ("PUBLISHED_BY",))
    longer = replace(first.query, nodes=(*first.query.nodes, extra[0]), edges=(*first.query.edges, extra[1]))
    turned = replace(longer, answer=len(longer.nodes) - 1)
    another = READER.read("Who lives in Lund?").candidates[0].query
    queries = [first.query, longer, turned, another]
    told = tuple(replace(first, query=q, score=first.score - i / 10) for i, q in enumerate(queries))
    probe = _OnlyThis(READER.write(matching(another)).text)
    chosen = with_probes(replace(reading, candidates=told), READER, probe, clock=lambda: 0.0)
    assert [c.query for c in chosen.candidates] == [another, first.query, longer, turned]
    assert probe.asked <= 3  # the first, one ahead of what is known of it, and the one that matches


def test_a_count_of_nothing_has_no_rows() -> None:
    counted = READER.read("How many books are by Ada Moss?").candidates[0].query
    assert counted.head is Head.COUNT
    text = READER.write(matching(counted)).text
    assert "count" not in text
    assert "LIMIT" in text


def test_probes_stop_when_the_time_is_up() -> None:
    reading = READER.read("Which books are by Ada Moss?")
    clock = iter([0.0, 1.0])
    probe = _OnlyThis("")
    assert with_probes(reading, READER, probe, clock=lambda: next(clock)) is reading
    assert probe.asked == 0


class _TooLate(_OnlyThis):
    """Cannot tell of any other text."""

    def has_rows(self, written: Written, *, timeout: float) -> bool | None:
        return super().has_rows(written, timeout=timeout) or None


def test_a_reading_of_which_nothing_is_known_keeps_its_place() -> None:
    reading = replace(READER.read("Which books are by Ada Moss?"), confidence=0.6)
    probe = _TooLate(READER.write(matching(reading.candidates[1].query)).text)
    assert with_probes(reading, READER, probe, clock=lambda: 0.0) is reading
    assert 1 <= probe.asked <= AT_ONCE


class _Meeting(_OnlyThis):
    """Answers once as many are asking as may at once."""

    def __init__(self) -> None:
        super().__init__("")
        self.together = threading.Barrier(AT_ONCE)

    def has_rows(self, written: Written, *, timeout: float) -> bool | None:
        self.together.wait(timeout=10)
        return super().has_rows(written, timeout=timeout)


def test_the_next_reading_is_looked_at_meanwhile() -> None:
    reading = READER.read("Which books are by Ada Moss?")
    reading = replace(reading, confidence=0.6, candidates=reading.candidates[:AT_ONCE])
    assert len({matching(c.query) for c in reading.candidates}) == AT_ONCE
    assert with_probes(reading, READER, _Meeting(), clock=lambda: 0.0) is reading


class _Broken(_OnlyThis):
    """A graph that goes away behind the first answer."""

    def has_rows(self, written: Written, *, timeout: float) -> bool | None:
        if super().has_rows(written, timeout=timeout):
            return True
        raise QueryFailedError("the graph went away")


def test_what_goes_wrong_ahead_is_told() -> None:
    reading = replace(READER.read("Which books are by Ada Moss?"), confidence=0.6)
    probe = _Broken(READER.write(matching(reading.candidates[0].query)).text)
    with pytest.raises(QueryFailedError, match="went away"):
        with_probes(reading, READER, probe, clock=lambda: 0.0)


@given(st.text(max_size=60))
def test_any_text_is_read_or_left(text: str) -> None:
    reading = READER.read(text)
    assert 0.0 <= reading.confidence <= 1.0
    assert reading == READER.read(text)
    assert (reading.written is None) == (not reading.candidates)


def test_ranking_is_legal_without_its_number() -> None:
    query = READER.read("Which person wrote the most books?").query
    assert query is not None
    bare = READER.write(query, bare=True).text
    assert "DISTINCT n0" not in bare.split("RETURN")[1]
    assert bare.endswith("ORDER BY counted DESC\nLIMIT $p0")


def test_confidence_falls_with_unexplained_words() -> None:
    plain = READER.read("Which books did Ada Moss write?").confidence
    odd = READER.read("Which quixotic zany books did Ada Moss write?").confidence
    assert 0.0 < odd < plain < 1.0


def test_what_is_counted_for_itself_has_no_property() -> None:
    """The things at either end of what is read, or the relationship between them."""
    nodes, edges = (Node("Person"), Node("Book")), (Edge(0, 1, ("WROTE",)),)
    for counted, text in ((PropertyRef(1, ""), "n1"), (PropertyRef(0, "", on_edge=True), "r0")):
        query = Query(nodes, edges, head=Head.COUNT, measure=Measure.COUNT, measured=counted)
        written = READER.write(query)
        assert written.text.endswith(f"RETURN count(DISTINCT {text}) AS `count`")
        check_text(written.text, SCHEMA, parameters=written.parameters)
