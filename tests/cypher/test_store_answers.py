"""What a store's answer says beside its rows, over an invented graph whose runner replies with fixed rows."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest
from rich.console import Console

from cypher.answers.follow_up import resolve
from cypher.examples import Example, Known
from cypher.store_service import StoreQuestionService
from kg.show import print_answer
from schemas.errors import QueryFailedError, QueryTimeoutError
from schemas.questions import Answer, CheckedQuery, Outcome, PlanSummary, Question, Subgraph, Value
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Ferry: name, length integer, seats integer
    Harbour: name, depth integer
    (Ferry)-[CALLS_AT 20]->(Harbour)

    Ferry.name: Skarven
    Harbour.name: Ekholm
""")


@dataclass
class Fixed:
    """A runner that finds the same rows for every query, up to its cap."""

    rows: tuple[tuple[Value, ...], ...]

    def explain(self, query: CheckedQuery) -> PlanSummary:  # noqa: ARG002
        return PlanSummary(query_type="r", operators=("ProduceResults",))

    def run(self, query: CheckedQuery) -> Subgraph:
        most = query.row_cap - 1
        return Subgraph(columns=query.columns, rows=self.rows[:most], truncated=len(self.rows) > most)


@dataclass
class Slow(Fixed):
    """A runner whose every query takes a second of a clock that stands still otherwise."""

    now: float = 0.0
    limits: list[tuple[float, float]] = field(default_factory=list)
    """The time at the start of each query, and its seconds."""

    def monotonic(self) -> float:
        return self.now

    def run(self, query: CheckedQuery) -> Subgraph:
        self.limits.append((self.now, query.timeout))
        self.now += min(1.0, query.timeout)
        if query.timeout < 1.0:
            raise QueryTimeoutError("late")
        return super().run(query)


def answered(text: str, *rows: tuple[Value, ...], limit: int = 25) -> Answer:
    found = StoreQuestionService(SCHEMA, STORED, Fixed(rows)).ask(Question(text=text, limit=limit))
    assert found.outcome is Outcome.ANSWERED, found.text
    return found


def printed(answer: Answer) -> str:
    out = io.StringIO()
    print_answer(answer, Console(file=out, width=100, color_system=None))
    return out.getvalue()


@pytest.mark.parametrize(
    ("held", "limit", "said"),
    [
        (48, 25, "F0; F1; F2; F3; F4; F5; and at least 20 more."),
        (25, 25, "F0; F1; F2; F3; F4; F5; and 19 more."),
        (3, 2, "F0; F1; and at least 1 more."),
        (3, 25, "F0; F1; F2."),
    ],
)
def test_rows_that_were_not_read_are_not_counted(held: int, limit: int, said: str) -> None:
    found = answered("Which ferries are there?", *((f"F{i}",) for i in range(held)), limit=limit)
    assert found.text == said
    assert found.truncated == (held > limit)
    assert (f"Only the first {limit} rows; there are more (--limit" in printed(found)) == (held > limit)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ((77.44444444444444,), "77.4444."),
        ((26.250000000000004,), "26.25."),
        ((1234567.891,), "1234567.89."),
        ((0.000012345678,), "1.23457e-05."),
        ((12.0,), "12."),
        ((1e300,), "1e+300."),
        ((True,), "Yes."),
        ((False,), "No."),
        ((None,), "The graph does not say."),
        ((0,), "0."),
        (("Skarven", None, True, 0.1 + 0.2), "Skarven, not known, yes, 0.3."),
    ],
)
def test_values_are_said_as_people_say_them(row: tuple[Value, ...], said: str) -> None:
    found = answered("Which ferries are there?", row)
    assert found.text == said
    assert found.rows == (row,)


def test_an_unsure_answer_is_said_to_be_one_behind_what_it_takes_for_granted() -> None:
    plain = answered("Which ferries are there?", ("Skarven",))
    doubtful = plain.model_copy(update={"confidence": 0.11, "assumptions": ("'boats' was read as Ferry.",)})
    lines = printed(doubtful).splitlines()
    assert lines[:2] == ["'boats' was read as Ferry.", "Unsure (0.11): Skarven."]
    sure = doubtful.model_copy(update={"confidence": 0.5})
    assert printed(sure).splitlines()[1] == "Skarven."
    refused = Answer(outcome=Outcome.REFUSED, question="?", text="No.", confidence=0.11)
    assert printed(refused).splitlines() == ["No."]


def test_what_was_said_aloud_is_not_repeated() -> None:
    found = answered("Which ferries are there?", ("Skarven",))
    found = found.model_copy(update={"confidence": 0.11, "assumptions": ("One.", "Two.")})
    out = io.StringIO()
    print_answer(found, Console(file=out, width=100, color_system=None), spoken=True, told=("One.",))
    assert out.getvalue().splitlines()[:2] == ["Two.", "Unsure (0.11)."]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "Which haunted ferries call at Ekholm?",
            "Without it this would be: Ferry, where ferry CALLS_AT harbour",
        ),
        ("Who owns zorgs?", "an answer that leaves it out would mislead."),
    ],
)
def test_where_there_is_no_answer_the_nearest_reading_is_told(text: str, said: str) -> None:
    answer = StoreQuestionService(SCHEMA, STORED, Fixed((("x",),))).ask(Question(text=text))
    assert answer.outcome is Outcome.UNANSWERABLE
    assert said in answer.text
    assert ("Ekholm" in text) == ("Ekholm" in answer.text)


@pytest.mark.parametrize(
    ("text", "todo"),
    [
        (
            "MATCH (f:Ferry) RETURN f.name",
            "ask in English, for example by naming a thing or a kind of things",
        ),
        ("Delete all ferries", "only reads; changes are made in the database itself."),
    ],
)
def test_what_is_refused_is_told_in_words_that_fit_any_graph(text: str, todo: str) -> None:
    service = StoreQuestionService(SCHEMA, STORED, Fixed((("x",),)))
    answer = service.ask(Question(text=text))
    assert answer.outcome is Outcome.REFUSED
    assert todo in answer.text
    assert not any(word in answer.text for word in ("observable", "graph files", "kg "))
    follow_up = resolve("and in Hull?", "", service)
    assert "for example with the name of what you mean" in follow_up.reason


@pytest.mark.parametrize(
    ("text", "ranked"),
    [("Which haunted ferries call at Ekholm?", "'haunted'"), ("Who owns zorgs?", "'owns'"), ("Zorgs?", "")],
)
def test_a_word_of_examples_that_still_explains_nothing_is_told(text: str, ranked: str) -> None:
    query = "MATCH (f:Ferry)-[:CALLS_AT]->(:Harbour) RETURN f.name"
    shown = (Example(question="Which HAUNTED ferry owns Ekholm?", cypher=query),)
    service = StoreQuestionService(SCHEMA, STORED, Fixed((("x",),)), known=Known(examples=shown))
    answer = service.ask(Question(text=text))
    assert answer.outcome is Outcome.UNANSWERABLE
    assert (f"say what {ranked} names in your words" in answer.text) == bool(ranked), answer.text


@pytest.mark.parametrize("seconds", [0.5, 1.0, 1.5, 2.5, 3.0, 4.5, 60.0])
@pytest.mark.parametrize("text", ["Which ferry has the most seats?", "Which ferries call at Ekholm?"])
def test_all_queries_of_a_question_share_its_time(
    text: str, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Slow((("Skarven", 3), ("Ran", 2)))
    monkeypatch.setattr("cypher.store_service.time", SimpleNamespace(monotonic=slow.monotonic))
    service = StoreQuestionService(SCHEMA, STORED, slow)
    found = service.ask(Question(text=text, timeout=seconds))
    assert slow.limits
    assert all(begun + limit <= seconds for begun, limit in slow.limits), slow.limits
    assert slow.now <= seconds
    had_time = max(limit for _, limit in slow.limits) >= 1.0  # no look beside the answer has as long
    assert found.outcome is (Outcome.ANSWERED if had_time else Outcome.TIMEOUT), slow.limits
    assert had_time or seconds < 2.5
    assert seconds > 1.0 or not had_time


@dataclass
class FailsBeside(Fixed):
    """A runner that fails every query of less than a second, as the looks beside an answer are."""

    def run(self, query: CheckedQuery) -> Subgraph:
        if query.timeout < 1.0:
            raise QueryFailedError("the server broke", code="Neo.DatabaseError.General.UnknownError")
        return super().run(query)


def test_a_look_that_fails_is_logged_and_leaves_the_answer(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "cypher.store_service")
    service = StoreQuestionService(SCHEMA, STORED, FailsBeside((("Skarven", 3), ("Ran", 2))))
    assert service.ask(Question(text="Which ferry has the most seats?")).outcome is Outcome.ANSWERED
    assert "a look tells nothing (QueryFailedError): the server broke" in caplog.text


def test_an_answer_tells_how_far_its_reading_leads() -> None:
    near = answered("Which ferries call at Ekholm?", ("Skarven",))
    assert near.margin is not None
    assert near.margin > 0.0
    assert answered("How many ferries are there?", (3,)).margin is None
