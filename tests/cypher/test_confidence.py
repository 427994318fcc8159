"""What the confidence rests on: figures of readings and answers, over an invented graph of a ferry line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cypher.semantics.asking import open_columns
from cypher.semantics.doubts import NO_MARGIN, doubts_of, lead, margin, open_returns, probability
from cypher.semantics.reader import SemanticReader
from cypher.semantics.reading import Reading
from cypher.semantics.unheard import unheard
from cypher.semantics.values import ValueTable
from cypher.semantics.weighing import answer_doubts, weighed
from cypher.semantics.write import Written
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Ferry: name, length integer, seats integer, launch_date date
    Harbour: name, depth integer
    Captain: name, born integer
    (Ferry)-[CALLS_AT 20]->(Harbour), (Captain)-[STEERS 9]->(Ferry)

    Ferry.name: Skarven
    Harbour.name: Ekholm
    Captain.name: Liv Dahl
    Harbour.name: Liv Dahl
""")
VALUES = ValueTable(STORED)
READER = SemanticReader(SCHEMA, VALUES)


def _doubts(question: str) -> dict[str, float]:
    return dict(READER.read(question).doubts)


def _returns(question: str) -> dict[str, float]:
    query = READER.read(question).query
    assert query is not None
    return dict(open_returns(query))


@dataclass
class _Table:
    """Answers every query alike, but ``repeated`` where none are merged, with ``more`` past a limit."""

    found: Sequence[Sequence[object]] | None
    repeated: int = 1
    limit: int | None = None
    more: Sequence[Sequence[object]] = ()
    asked: int = 0

    def rows(self, written: Written, *, most: int, timeout: float) -> Sequence[Sequence[object]] | None:
        assert timeout > 0 < most
        self.asked += 1
        if self.found is None:
            return None
        if self.limit is not None and self.limit + 1 in written.parameters.values():
            return [*self.found, *self.more]
        return list(self.found) * (1 if "DISTINCT" in written.text else self.repeated)


def _weighed(question: str, table: _Table) -> Reading:
    return weighed(READER.read(question), READER, table, clock=lambda: 0.0)


def test_words_left_over_lower_the_confidence() -> None:
    plain = READER.read("Which ferries call at Ekholm?")
    odd = READER.read("Which purple ferries call at Ekholm on stilts?")
    assert plain.confidence > odd.confidence
    assert plain.confidence == pytest.approx(READER.read("which ferries call at ekholm").confidence)


def test_a_name_of_two_kinds_of_things_is_a_doubt() -> None:
    assert "several" not in _doubts("Which ferries call at Ekholm?")
    assert _doubts("Which ferries does Liv Dahl steer?")["several"] == 1.0


def test_the_margin_is_to_the_next_reading_that_differs() -> None:
    candidates = READER.read("Which ferries call at Ekholm?").candidates
    best = candidates[0]
    same = replace(best, score=best.score - 0.01)
    assert margin((best, same)) == margin((best,))
    assert margin(candidates) >= 0.0
    assert lead((best, same)) is None
    assert min(lead(candidates) or 0.0, NO_MARGIN) == margin(candidates)
    overtaken = replace(best, score=candidates[-1].score - 1.0)
    assert lead((overtaken, *candidates[1:])) == 0.0


@pytest.mark.parametrize(
    ("question", "figure"),
    [
        ("Which ferries are longer than 40?", "unseen_own"),
        ("Who steers the ferries with more than 100 seats?", "unseen_other"),
        ("Which captains steer a ferry that calls at Ekholm?", "between"),
        ("List three ferries", "cut"),
        ("What are the three ferries with the most seats?", "ranked"),
        ("How many ferries call at Ekholm?", "head_count"),
        ("Who steers the longest ferry?", "best_alone"),
    ],
)
def test_what_a_question_leaves_open(question: str, figure: str) -> None:
    assert _returns(question)[figure] >= 1.0
    assert figure not in _returns("What is the depth of Ekholm?")


@pytest.mark.parametrize(
    ("question", "figure"),
    [
        ("List all ferries that call at Ekholm", "asks_all"),
        ("List three ferries that call at Ekholm", "asks_some"),
        ("Which ferries call at Ekholm?", "asks_which"),
        ("What are the names of the ferries that call at Ekholm?", "asks_names"),
        ("Name three ferries that call at Ekholm", "asks_names"),
        ("Find all ferries that call at Ekholm", "asks_things"),
        ("List all ferries with more than 100 seats", "asks_things"),
    ],
)
def test_how_a_list_is_asked_for(question: str, figure: str) -> None:
    reading = READER.read(question)
    assert reading.query is not None
    found = {name for name, x in open_columns(reading.linked, reading.query).items() if x}
    assert found == {figure}


@pytest.mark.parametrize(
    ("question", "figure"),
    [
        ("Which harbours have the most ferries?", "best_of_many"),
        ("Which ferries have a launch date after 2000?", "after_year"),
    ],
)
def test_what_two_readers_end_elsewhere(question: str, figure: str) -> None:
    reading = READER.read(question)
    assert reading.query is not None
    assert open_columns(reading.linked, reading.query)[figure] == 1.0


@pytest.mark.parametrize(
    "question", ["Which harbour has the most ferries?", "Which ferries have a launch date before 2000?"]
)
def test_what_two_readers_end_alike(question: str) -> None:
    reading = READER.read(question)
    assert reading.query is not None
    found = open_columns(reading.linked, reading.query)
    assert not found["best_of_many"]
    assert not found["after_year"]


@pytest.mark.parametrize(
    "question",
    ["Who steers Skarven?", "How many ferries call at Ekholm?", "What is the length of Skarven?"],
)
def test_what_tells_its_columns_is_no_open_list(question: str) -> None:
    reading = READER.read(question)
    assert reading.query is not None
    assert not any(open_columns(reading.linked, reading.query).values())


def test_no_condition_adds_a_column_where_names_are_asked_for() -> None:
    query = READER.read("List the names of ferries longer than 40").query
    assert query is not None
    assert dict(open_returns(query))["unseen_own"] == 1.0
    assert "unseen_own" not in dict(open_returns(query, names_asked=True))


def test_rows_that_are_merged_or_tied_or_missing_are_seen() -> None:
    question = "What are the two ferries with the most seats?"
    rows = [("Skarven", 90), ("Tärnan", 80)]
    assert "merged" not in dict(_weighed(question, _Table(rows)).doubts)
    assert dict(_weighed(question, _Table(rows, repeated=2)).doubts)["merged"] == 1.0
    tied = dict(_weighed(question, _Table(rows, limit=2, more=[("Alkan", 80)])).doubts)
    assert tied["tied"] == 1.0
    clear = dict(_weighed(question, _Table(rows, limit=2, more=[("Alkan", 70)])).doubts)
    assert "tied" not in clear
    assert dict(_weighed(question, _Table([])).doubts)["empty"] == 1.0
    assert dict(_weighed(question, _Table([("Skarven", None)])).doubts)["unknown_cells"] == 1.0


def test_without_an_answer_in_time_nothing_is_claimed_of_its_rows() -> None:
    late = dict(_weighed("Which ferries call at Ekholm?", _Table(None)).doubts)
    assert late["unseen"] == 1.0
    assert "empty" not in late


def test_no_look_after_the_time_is_up() -> None:
    clock = iter([0.0, *[1.0] * 9])
    table = _Table([("Skarven",)])
    reading = READER.read("Which ferries call at Ekholm?")
    assert "unseen" in dict(weighed(reading, READER, table, clock=lambda: next(clock)).doubts)
    assert table.asked == 0


def test_rivals_with_the_same_rows_are_told_from_others() -> None:
    reading = READER.read("Which ferries call at Ekholm?")
    other = READER.read("Which ferries call at Liv Dahl?").candidates[0]
    both = replace(
        reading, candidates=(reading.candidates[0], replace(other, score=reading.candidates[0].score))
    )
    rows: list[tuple[object, ...]] = [("Skarven",)]
    same = dict(answer_doubts(both, lambda _query, _every: rows))
    assert same["rival_same"] > 0
    best = reading.candidates[0].query
    differ = dict(answer_doubts(both, lambda query, _every: rows if query == best else [("Alkan",)]))
    assert differ["rival_other"] > 0
    assert "rival_same" not in differ


def test_nothing_is_weighed_where_nothing_was_read() -> None:
    empty = READER.read("???")
    assert weighed(empty, READER, _Table([]), clock=lambda: 0.0) is empty
    assert empty.confidence == 0.0


@given(
    st.dictionaries(st.sampled_from("abc"), st.floats(-50, 50)),
    st.lists(st.tuples(st.sampled_from("abcd"), st.floats(-50, 50)), max_size=6),
)
def test_a_probability_is_one(slopes: dict[str, float], doubts: list[tuple[str, float]]) -> None:
    found = probability(tuple(doubts), slopes)
    assert 0.0 <= found <= 1.0
    assert math.isfinite(found)
    assert probability((*doubts, ("unheard", 3.0)), slopes) == found


def test_figures_are_the_same_for_the_same_question() -> None:
    question = "Which captains steer a ferry that calls at Ekholm?"
    reading = READER.read(question)
    assert reading.doubts == READER.read(question).doubts
    charted = dict(reading.doubts).get("charted") == 1.0
    assert doubts_of(reading.linked, reading.candidates, charted=charted, alike=False)


def _unheard(question: str, asked: str) -> dict[str, float]:
    """What ``question`` says that the reading of ``asked`` does not do."""
    query = READER.read(asked).query
    assert query is not None
    return {name: x for name, x in unheard(READER.read(question).linked, query).items() if x}


@pytest.mark.parametrize(
    ("question", "figure"),
    [
        ("Which ferries with the most seats call at Ekholm?", "unheard_rank"),
        ("What is the average length of ferries that call at Ekholm?", "unheard_mean"),
        ("How many ferries call at Ekholm?", "unheard_count"),
        ("Which ferries do not call at Ekholm?", "unheard_not"),
        ("Which ferries longer than forty call at Ekholm?", "unheard_compare"),
        ("Which 12 ferries call at Ekholm?", "unheard_number"),
    ],
)
def test_words_that_nothing_answers_are_unheard(question: str, figure: str) -> None:
    assert figure in _unheard(question, "Which ferries call at Ekholm?")


@pytest.mark.parametrize(
    "question",
    [
        "Which ferries call at Ekholm?",
        "How many ferries call at Ekholm?",
        "Which ferries do not call at Ekholm?",
        "Which ferries are longer than 40?",
        "Which ferries have more than 12345678 seats?",
        "What are the two ferries with the most seats?",
        "What is the average length of the ferries that call at Ekholm?",
    ],
)
def test_words_that_the_reading_answers_are_heard(question: str) -> None:
    assert _unheard(question, question) == {}
