"""Close questions are looked for once, while somebody waits and there is time; no more than are wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from cypher.answers.asker import Asker
from cypher.answers.events import DoneEvent
from cypher.answers.reading import Reading
from cypher.near_questions import MOST
from cypher.service import QuestionService
from schemas.questions import Answer, Outcome, Question, Scope

EXAMPLES = tuple(f"Which papers determine example {n}?" for n in range(8))
BEFORE = "Which papers determine phi_s?"


class Service:
    """Answers all but the question itself, and keeps what it was asked."""

    def __init__(self, *, own: tuple[str, ...] = (), slow: Callable[[], None] = lambda: None) -> None:
        self.asked: list[Question] = []
        self.listed = 0
        self._own, self._slow = own, slow

    def ask(self, question: Question) -> Answer:
        self.asked.append(question)
        if question.text in (*EXAMPLES, BEFORE):
            row = {"columns": ("paper",), "rows": (("a",),), "row_citations": ((),)}
            return Answer.model_validate(
                {"outcome": Outcome.ANSWERED, "question": question.text, "text": "a", **row}
            )
        self._slow()
        return Answer(outcome=Outcome.UNANSWERABLE, question=question.text, text="no", suggestions=self._own)

    def examples(self) -> tuple[str, ...]:
        self.listed += 1
        return EXAMPLES

    def read(self, text: str) -> Reading:
        return Reading(False, f"{text} is not understood")


class Clock:
    """Time that passes when it is told to."""

    now = 100.0

    def monotonic(self) -> float:
        return self.now

    def perf_counter(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr("cypher.answers.asker.time", made)
    return made


LOST = Question(text="zork", scope=Scope.VETTED, timeout=10.0)


def test_no_more_are_tried_than_are_wanted(clock: Clock) -> None:
    service = Service(own=("Who?",))
    answer = Asker(service).ask(LOST)
    assert answer.suggestions == ("Who?", *EXAMPLES[: MOST - 1])
    assert [q.text for q in service.asked] == ["zork", *EXAMPLES[: MOST - 1]]


def test_nothing_is_tried_once_the_asker_has_gone(clock: Clock) -> None:
    service = Service()
    *_, done = Asker(service).events(LOST, gone=lambda: bool(service.asked))
    assert isinstance(done, DoneEvent)
    assert (done.answer.suggestions, [q.text for q in service.asked]) == ((), ["zork"])
    assert service.listed == 0


def test_who_goes_on_the_way_ends_the_trying(clock: Clock) -> None:
    service = Service()
    *_, done = Asker(service).events(LOST, gone=lambda: len(service.asked) == 3)
    assert isinstance(done, DoneEvent)
    assert [q.text for q in service.asked] == ["zork", *EXAMPLES[:2]]


def test_the_deadline_of_the_answer_holds_for_them(clock: Clock) -> None:
    allowed: list[float] = []

    @contextmanager
    def within(seconds: float) -> Iterator[None]:
        allowed.append(seconds)
        yield

    def slow() -> None:
        clock.now += 4.0

    late = LOST.model_copy(update={"deadline": 4.0})
    service = Service(slow=slow)
    assert Asker(service, within=within).ask(late).suggestions == ()
    assert [q.text for q in service.asked] == ["zork"]
    assert allowed == [10.0]
    service, in_time = Service(slow=slow), LOST.model_copy(update={"deadline": 5.0})
    assert Asker(service, within=within).ask(in_time).suggestions == EXAMPLES[:MOST]
    assert set(allowed[2:]) == {1.0}
    assert {q.timeout for q in service.asked[1:]} == {1.0}


def test_they_take_what_reading_left_of_the_time_limit_and_a_little_at_least(clock: Clock) -> None:
    for passed, left in ((4.0, 6.0), (9.5, 2.0), (30.0, 2.0)):

        def slow(seconds: float = passed) -> None:
            clock.now += seconds

        service = Service(slow=slow)
        assert Asker(service).ask(LOST).suggestions == EXAMPLES[:MOST]
        assert {q.timeout for q in service.asked[1:]} == {left}


@pytest.mark.parametrize("text", ["zork", "", "Which papers of the last three years determine zork?"])
def test_the_service_looks_for_them_once(
    dry_service: QuestionService, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    looked: list[str] = []

    def near(question: Question, *_: object) -> tuple[str, ...]:
        looked.append(question.text)
        return ()

    monkeypatch.setattr(dry_service, "_near", near)
    assert dry_service.ask(Question(text=text)).outcome is Outcome.UNANSWERABLE
    assert looked == [text]
