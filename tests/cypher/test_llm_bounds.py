"""A chat model's queries end with the question: in its time, when its asker goes away, and as marks say."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from cypher.answers.asker import Asker
from cypher.answers.reading import Reading
from cypher.answers.verdicts import ReviewedAnswer, digest, weighed
from cypher.generation.bank import SimilarExamples
from cypher.generation.citing import NoCitations
from cypher.generation.guard_gate import GuardGate
from cypher.generation.helper import LlmHelper, Services
from cypher.generation.ports import Hints
from cypher.generation.settings import LlmQuerySettings
from cypher.generation.terms import Subject
from cypher.own_store import fact_store
from kg.adapters.cached_chat import CachedChat, ReplyFolder
from schemas.errors import (
    EmbeddingMismatchError,
    ModelUnavailableError,
    QueryTimeoutError,
    WorkspaceError,
)
from schemas.graph_schema import GraphSchema
from schemas.ports import Example
from schemas.questions import Answer, CheckedQuery, ModelUse, Outcome, Question, Subgraph
from schemas.waiting import never
from tests.cypher.test_llm_queries import ABSTAINED, Model, Rows, Same, Source, reply

HERE: ContextVar[str] = ContextVar("here", default="nowhere")
ROWS = (("1100005",), ("1100006",))


class Timed(Source):
    """Hints that remember how long they may take."""

    def __init__(self) -> None:
        super().__init__()
        self.allowed: list[float] = []

    def hints(self, question: Question) -> Hints:
        self.allowed.append(question.timeout)
        return super().hints(question)


@pytest.fixture
def made(particle_schema: GraphSchema) -> Callable[..., LlmHelper]:
    def make(
        chat: Any,
        run: Any = None,
        source: Source | None = None,
        *,
        bank: Any = None,
        embedder: Any = None,
        **more: Any,
    ) -> LlmHelper:
        services = Services(
            chat=chat,
            gate=GuardGate(lambda: fact_store(particle_schema)),
            run=run or Rows(),
            source=source or Source(),
            cites=NoCitations(),
            bank=bank or SimilarExamples(()),
            embedder=embedder or Same(),
        )
        settings = LlmQuerySettings(seconds=60).model_copy(update=more)
        return LlmHelper(services, Subject.of(particle_schema), settings)

    return make


def test_samples_run_where_their_question_does(made: Callable[..., LlmHelper]) -> None:
    seen: list[str] = []

    def run(query: CheckedQuery) -> Subgraph:
        seen.append(HERE.get())
        return Subgraph(columns=query.columns, rows=ROWS)

    HERE.set("the question's own context")
    answer = made(Model(lambda _s, _r: reply()), run).help(Question(text=ABSTAINED.question), ABSTAINED)
    assert answer.outcome is Outcome.ANSWERED
    assert set(seen) == {"the question's own context"}


def test_nobody_is_asked_once_the_asker_is_gone(made: Callable[..., LlmHelper]) -> None:
    chat = Model(lambda _s, _r: reply())
    answer = made(chat).help(Question(text=ABSTAINED.question), ABSTAINED, gone=lambda: True)
    assert (answer, chat.asked) == (ABSTAINED, [])


def test_no_repair_is_asked_for_once_the_asker_is_gone(made: Callable[..., LlmHelper]) -> None:
    left = threading.Event()

    def say(_sample: int, _round: int) -> str:
        left.set()
        return reply("MATCH (n0:`Nothing`) RETURN n0")

    chat = Model(say)
    answer = made(chat).help(Question(text=ABSTAINED.question), ABSTAINED, gone=left.is_set)
    assert answer.outcome is Outcome.UNANSWERABLE
    assert len(chat.asked) <= 5


def test_samples_that_wait_for_a_place_are_not_sent_after_the_question(
    made: Callable[..., LlmHelper], tmp_path: Path
) -> None:
    asked, go_on = threading.Event(), threading.Event()

    def say(_sample: int, _round: int) -> str:
        asked.set()
        assert go_on.wait(60)
        return reply()

    before = set(threading.enumerate())
    chat = Model(say)
    helper = made(CachedChat(chat, ReplyFolder(tmp_path), concurrency=1))
    answer = helper.help(Question(text=ABSTAINED.question), ABSTAINED, gone=asked.is_set)
    assert answer.outcome is Outcome.UNANSWERABLE
    go_on.set()
    for left in set(threading.enumerate()) - before:
        left.join(60)
    assert len(chat.asked) == 1


def test_what_breaks_off_is_one_failed_sample(made: Callable[..., LlmHelper]) -> None:
    def say(sample: int, _round: int) -> Any:
        return UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates") if sample < 2 else reply()

    answer = made(Model(say)).help(Question(text=ABSTAINED.question), ABSTAINED)
    assert answer.outcome is Outcome.ANSWERED
    all_of_them = made(Model(lambda _s, _r: ValueError("secret text"))).help(
        Question(text=ABSTAINED.question), ABSTAINED
    )
    assert all_of_them.outcome is Outcome.UNANSWERABLE
    assert all_of_them.model_use is not None
    assert "it broke off (ValueError)" in all_of_them.model_use.note
    assert "secret text" not in all_of_them.model_use.note


def found(rows: Any) -> Callable[[CheckedQuery], Subgraph]:
    """A store that gives these rows to every query."""
    columns = tuple(f"c{n}" for n in range(len(rows[0])))
    return lambda _: Subgraph(columns=columns, rows=rows)


NOTHING = (((0,),), ((False,),), ((None, 0.0),), (("",), ("",)), (((),),), (((0, ""),),))


@pytest.mark.parametrize("rows", NOTHING)
def test_a_count_of_nothing_is_no_answer(made: Callable[..., LlmHelper], rows: Any) -> None:
    helper = made(Model(lambda _s, _r: reply()), found(rows))
    answer = helper.help(Question(text=ABSTAINED.question), ABSTAINED)
    assert (answer.outcome, answer.text) == (Outcome.UNANSWERABLE, ABSTAINED.text)
    assert answer.model_use is not None
    assert "0 of its 5 queries share a result" in answer.model_use.note


@pytest.mark.parametrize("rows", [((0, "phi_s"),), ((0,), (2,)), (((0, 1),),), ((True,),)])
def test_a_result_that_tells_something_is_one(made: Callable[..., LlmHelper], rows: Any) -> None:
    helper = made(Model(lambda _s, _r: reply()), found(rows))
    answer = helper.help(Question(text=ABSTAINED.question), ABSTAINED)
    assert (answer.outcome, answer.rows) == (Outcome.ANSWERED, rows)


class Breaks(Source):
    """Hints, examples and vectors that cannot be had."""

    model_id, dimension = "broken", 2

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def hints(self, question: Question) -> Hints:  # noqa: ARG002
        raise self.error

    def nearest(self, question: str, *, limit: int = 5) -> tuple[Example, ...]:  # noqa: ARG002
        raise self.error

    def encode(self, texts: Any) -> Any:  # noqa: ARG002
        raise self.error


BROKEN = (
    ModelUnavailableError("the embedder is gone"),
    WorkspaceError("vectors.db cannot be used: database is locked"),
    EmbeddingMismatchError("vectors of two models"),
    QueryTimeoutError("late"),
)


@pytest.mark.parametrize("error", BROKEN)
@pytest.mark.parametrize("broken", ["source", "bank"])
def test_a_prompt_that_cannot_be_made_leaves_the_answer(
    made: Callable[..., LlmHelper], error: Exception, broken: str
) -> None:
    chat = Model(lambda _s, _r: reply())
    own = answered("MATCH (p:Paper) RETURN p.name", confidence=0.7)
    answer = made(chat, **{broken: Breaks(error)}).help(Question(text=own.question), own)
    assert (answer.outcome, answer.rows, chat.asked) == (Outcome.ANSWERED, ROWS, [])
    assert answer.model_use is not None
    assert not answer.model_use.decided
    assert "its prompt could not be made" in answer.model_use.note


@pytest.mark.parametrize("error", BROKEN)
def test_vectors_that_fail_leave_the_answer(made: Callable[..., LlmHelper], error: Exception) -> None:
    helper = made(Model(lambda _s, _r: reply()), embedder=Breaks(error))
    answer = helper.help(Question(text=ABSTAINED.question), ABSTAINED)
    assert (answer.outcome, answer.text) == (Outcome.UNANSWERABLE, ABSTAINED.text)
    assert answer.model_use is not None
    assert "queries could not be run" in answer.model_use.note


def test_a_cache_of_replies_that_fails_is_a_failed_sample(made: Callable[..., LlmHelper]) -> None:
    locked = WorkspaceError("ledger.db cannot be used as cache of chat replies: database is locked")
    own = answered("MATCH (p:Paper) RETURN p.name", confidence=0.7)
    answer = made(Model(lambda _s, _r: locked)).help(Question(text=own.question), own)
    assert (answer.outcome, answer.rows) == (Outcome.ANSWERED, ROWS)
    assert answer.model_use is not None
    assert "the language model could not be asked" in answer.model_use.note
    most = Model(lambda s, _r: locked if s < 2 else reply())
    assert made(most).help(Question(text=ABSTAINED.question), ABSTAINED).outcome is Outcome.ANSWERED


def test_hints_have_the_time_that_is_left(made: Callable[..., LlmHelper]) -> None:
    source = Timed()
    helper = made(Model(lambda _s, _r: reply()), source=source)
    helper.help(Question(text=ABSTAINED.question, timeout=10.0, deadline=0.5), ABSTAINED)
    helper.help(Question(text=ABSTAINED.question, timeout=10.0), ABSTAINED)
    assert source.allowed[0] <= 0.5
    assert source.allowed[1] == 10.0


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"samples": 1, "agree": 1}, "greater than or equal to 3"),
        ({"samples": 5, "agree": 2}, "greater than or equal to 3"),
        ({"samples": 2, "agree": 2}, "greater than or equal to 3"),
        ({"agree": 6}, r"at most samples \(5\), found 6"),
        ({"samples": 6}, r"at least 4 of 6 samples \(60 %\), found 3; set answers.llm.agree to 4"),
        ({"samples": 15, "agree": 8}, "at least 9 of 15"),
        ({"rounds": 3}, "less than or equal to 2"),
    ],
)
def test_few_that_agree_are_no_vote_and_rounds_end(given: dict[str, int], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        LlmQuerySettings(**given)


@pytest.mark.parametrize(("samples", "agree"), [(3, 3), (4, 3), (5, 3), (5, 5), (6, 4), (10, 6), (15, 9)])
def test_a_majority_of_three_or_more_is_one(samples: int, agree: int) -> None:
    assert LlmQuerySettings(samples=samples, agree=agree, rounds=0).agree == agree


@pytest.mark.parametrize(
    ("margin", "confidence", "helped"),
    [
        (None, 0.75, True),
        (None, 0.95, False),
        (0.49, 0.95, True),
        (0.5, 0.95, False),
        (1.4, 0.2, False),
        (0.0, 0.2, True),
    ],
)
def test_the_lead_over_the_next_reading_says_whether_an_answer_is_open(
    made: Callable[..., LlmHelper], margin: float | None, confidence: float, helped: bool
) -> None:
    own = answered("MATCH (p:Paper) RETURN p.name", confidence=confidence)
    own = own.model_copy(update={"margin": margin})
    assert made(Model(lambda _s, _r: reply())).may_help(own) is helped


class Fixed:
    """A service that has one answer."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    def ask(self, question: Question) -> Answer:  # noqa: ARG002
        return self.answer

    def read(self, text: str) -> Reading:
        return Reading(False, text)

    def examples(self) -> tuple[str, ...]:
        return ()


class Gives:
    """A helper that has one answer."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    def help(self, question: Question, answer: Answer, *, gone: Callable[[], bool] = never) -> Answer:  # noqa: ARG002
        return self.answer


def answered(cypher: str, **more: Any) -> Answer:
    return Answer(
        outcome=Outcome.ANSWERED,
        question="Which papers determine phi_s?",
        text="2.",
        columns=("paper",),
        rows=ROWS,
        cypher=cypher,
        **more,
    )


DECIDED = ModelUse(model="scripted", decided=True)


def test_rows_that_were_marked_wrong_are_not_given_by_another_query() -> None:
    own = answered("MATCH (p:Paper) RETURN p.name", confidence=0.9, shape="relation")
    wrong = ReviewedAnswer(
        number=7,
        question=own.question,
        query=own.cypher,
        parameters={},
        right=False,
        digest=digest(own.rows),
        note="counts drafts",
    )
    others = answered("MATCH (x:Paper) RETURN x.name", shape="model", model_use=DECIDED)
    asker = Asker(Fixed(own), helper=Gives(others), weigh=lambda a: weighed(a, [wrong]))
    answer = asker.ask(Question(text=own.question))
    assert (answer.outcome, answer.rows) == (Outcome.UNANSWERABLE, ())
    assert '(question 7): "counts drafts"' in answer.text
    changed = others.model_copy(update={"rows": (*ROWS, ("1100007",))})
    asker = Asker(Fixed(own), helper=Gives(changed), weigh=lambda a: weighed(a, [wrong]))
    assert asker.ask(Question(text=own.question)).outcome is Outcome.ANSWERED


def test_a_model_that_agrees_does_not_lower_the_confidence() -> None:
    own = answered("MATCH (p:Paper) RETURN p.name", confidence=0.9, shape="relation")
    marks = [
        ReviewedAnswer(
            number=n,
            question=f"Which papers determine R_{n}?",
            query=own.cypher,
            parameters={"name": f"R_{n}"},
            right=n > 1,
            shape="relation",
        )
        for n in range(1, 3)
    ]
    once = weighed(own, marks)
    agreed = once.model_copy(update={"confidence": max(once.confidence, 0.8), "model_use": DECIDED})
    asker = Asker(Fixed(own), helper=Gives(agreed), weigh=lambda a: weighed(a, marks))
    answer = asker.ask(Question(text=own.question))
    assert answer.confidence == agreed.confidence
    assert len(answer.assumptions) == len(set(answer.assumptions)) == len(once.assumptions)
