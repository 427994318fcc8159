"""A chat model's help with questions to another store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cypher.generation.citing import NoCitations
from cypher.generation.guard_gate import GuardGate
from cypher.generation.helper import LlmHelper, Services
from cypher.generation.terms import Subject
from kg.ask_store import Store, StoreQuestions
from kg.platform_parts import Models
from kg.question_log import QuestionLog
from kg.reviewed import ReviewedExamples
from schemas.ports import Example
from schemas.questions import Answer, Question
from schemas.waiting import never


@dataclass(frozen=True, slots=True)
class StoreHelper:
    """A ``Helper`` whose answers tell what of the store is missing or was not read, as others do."""

    inner: LlmHelper
    questions: StoreQuestions

    def help(self, question: Question, answer: Answer, *, gone: Callable[[], bool] = never) -> Answer:
        """The parser's answer or a better one."""
        helped = self.inner.help(question, answer, gone=gone)
        decided = helped.model_use is not None and helped.model_use.decided
        return self.questions.noted(helped) if decided else helped


def make_store_helper(
    models: Models, questions: StoreQuestions, store: Store, log: QuestionLog
) -> StoreHelper:
    """The chat model's queries to another store; its facts have no sources, so nothing is cited."""
    known = store.known
    pairs = [Example(question=e.question, query=e.cypher, parameters={}) for e in known.examples]
    services = Services(
        chat=models.chat,
        gate=GuardGate(lambda: store.schema),
        run=questions.run,
        source=questions,
        cites=NoCitations(),
        bank=ReviewedExamples(log, models.embedder, given=pairs),
        embedder=models.embedder,
    )
    subject = Subject.of_store(store.schema, known.words)
    return StoreHelper(LlmHelper(services, subject, models.workspace.settings.answers.llm), questions)
