"""A chat model's help with questions to another store."""

from __future__ import annotations

from cypher.generation.citing import NoCitations
from cypher.generation.guard_gate import GuardGate
from cypher.generation.helper import LlmHelper, Services
from cypher.generation.terms import Subject
from kg.ask_store import Store, StoreQuestions
from kg.asker import Models
from kg.question_log import QuestionLog
from kg.reviewed import ReviewedExamples
from schemas.ports import Example


def make_store_helper(models: Models, questions: StoreQuestions, store: Store, log: QuestionLog) -> LlmHelper:
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
    return LlmHelper(services, subject, models.workspace.settings.answers.llm)
