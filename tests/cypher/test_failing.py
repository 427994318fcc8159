"""What fails while a question is answered is told, and never raised or taken for an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from cypher.answers.asker import Asker
from cypher.answers.corrected import Given
from cypher.service import QuestionService
from cypher.store_service import StoreQuestionService
from schemas.errors import CorpusGraphError, EmbeddingMismatchError, LedgerBusyError, WorkspaceError
from schemas.questions import Answer, ModelUse, Outcome, Question
from schemas.store_schema import StoreLabel, StoreSchema
from tests.cypher.conftest import RecordingRunner

ERRORS = (
    WorkspaceError("embeddings.db cannot be used"),
    EmbeddingMismatchError("vectors of 8 dimensions"),
    LedgerBusyError("ledger.db is locked"),
)
ASKED = Question(text="Which papers determine phi_s?", timeout=5.0, deadline=20.0)
failing = pytest.mark.parametrize("error", ERRORS, ids=lambda e: type(e).__name__)


def _raising(error: CorpusGraphError) -> Callable[..., Answer]:
    def fail(*_: object, **__: object) -> Answer:
        raise error

    return fail


def _failed(answer: Answer, error: CorpusGraphError) -> None:
    assert answer.outcome is Outcome.FAILED
    assert answer.text == f"What is needed for an answer could not be read, so this is none: {error}"
    assert answer.rows == ()


@failing
def test_the_names_of_the_graph_cannot_be_looked_up(
    dry_service: QuestionService, monkeypatch: pytest.MonkeyPatch, error: CorpusGraphError
) -> None:
    dry_service.prepare()
    monkeypatch.setattr(dry_service._values, "exact", _raising(error))
    _failed(dry_service.ask(ASKED), error)
    _failed(Asker(dry_service).ask(ASKED), error)


@failing
def test_the_names_of_a_store_cannot_be_looked_up(
    monkeypatch: pytest.MonkeyPatch, error: CorpusGraphError
) -> None:
    schema = StoreSchema(labels=(StoreLabel(name="Ferry"),))
    store = StoreQuestionService(schema, (), RecordingRunner())
    monkeypatch.setattr(store, "run", _raising(error))
    _failed(store.ask(Question(text="How many ferries are there?")), error)


@failing
@pytest.mark.parametrize("what", ["correct", "weigh"])
def test_what_reviewers_said_cannot_be_read(
    dry_service: QuestionService, error: CorpusGraphError, what: str
) -> None:
    _failed(Asker(dry_service, **{what: _raising(error)}).ask(ASKED), error)  # type: ignore[arg-type]


class Deciding:
    """A helper whose answer rests on a model's query, and that asks how it is bounded."""

    def __init__(self, bounds: list[float]) -> None:
        self._bounds, self.within = bounds, ()

    def help(self, question: Question, answer: Answer, *, gone: Callable[[], bool]) -> Answer:  # noqa: ARG002
        self.within = tuple(self._bounds)
        return answer.model_copy(update={"cypher": "x", "model_use": ModelUse(model="m", decided=True)})


@failing
def test_what_reviewers_said_of_a_model_s_answer_cannot_be_read(
    dry_service: QuestionService, error: CorpusGraphError
) -> None:
    def weigh(answer: Answer) -> Answer:
        if answer.model_use is not None:
            raise error
        return answer

    _failed(Asker(dry_service, helper=Deciding([]), weigh=weigh).ask(ASKED), error)


@pytest.mark.parametrize("deadline", [20.0, None])
def test_a_model_s_reads_end_with_the_deadline(dry_service: QuestionService, deadline: float | None) -> None:
    bounds: list[float] = []

    @contextmanager
    def within(seconds: float) -> Iterator[None]:
        bounds.append(seconds)
        yield
        bounds.pop()

    helper = Deciding(bounds)
    asker = Asker(dry_service, helper=helper, within=within, correct=lambda _: Given())
    asker.ask(ASKED.model_copy(update={"deadline": deadline}))
    if deadline is None:
        assert helper.within == ()
    else:
        (seconds,) = helper.within
        assert 10.0 < seconds <= 20.0
