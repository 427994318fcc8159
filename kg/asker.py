"""Puts together what answers a question: parser, what reviewers said, the chat model where it may help."""

from __future__ import annotations

from typing import Protocol

from cypher.answers.asker import Asker, Within
from cypher.answers.corrected import CorrectedQuestions
from cypher.answers.prose import ProseWriter
from cypher.generation.citing import Citing
from cypher.generation.guard_gate import GuardGate
from cypher.generation.helper import LlmHelper, Services
from cypher.generation.terms import Subject
from cypher.service import QuestionService
from kg.platform_parts import Local
from kg.reviewed import ReviewedAnswers, ReviewedExamples
from schemas.ports import ExampleBank, StatementSource, ValueIndex
from schemas.store_schema import StoreSchema


class Opened(Local, Protocol):
    """What a platform opens, as far as questions need it."""

    @property
    def questions(self) -> QuestionService: ...

    @property
    def runner(self) -> StatementSource: ...

    @property
    def values(self) -> ValueIndex: ...

    def store_schema(self) -> StoreSchema:
        """What a query of the loaded graph may name."""
        ...


def make_asker(platform: Opened, *, within: Within) -> Asker:
    """The asker of a workspace; ``within`` bounds its reads of the graph."""
    settings = platform.workspace.settings
    reviewed = ReviewedAnswers(platform.question_log)
    gate = GuardGate(platform.store_schema)
    corrected = CorrectedQuestions(
        gate,
        platform.questions.run_of_others,
        platform.runner,
        values=platform.values,
        schema=platform.workspace.schema,
        corrections=reviewed.corrections,
    )
    return Asker(
        platform.questions,
        helper=make_helper(platform, platform.questions)
        if settings.chat and settings.answers.queries
        else None,
        writer=ProseWriter(platform.chat) if settings.chat and settings.answers.prose else None,
        within=within,
        correct=corrected.answer,
        weigh=reviewed.weighed,
    )


def make_helper(
    platform: Opened, questions: QuestionService, *, bank: ExampleBank | None = None
) -> LlmHelper:
    """The chat model's queries, behind the gate; they are run by ``questions``.

    ``bank`` are the examples that it is shown; without one those that reviewers marked right.
    """
    gate = GuardGate(platform.store_schema)
    services = Services(
        chat=platform.chat,
        gate=gate,
        run=questions.run_of_others,
        source=questions,
        cites=Citing(gate, questions.run_of_others, platform.runner),
        bank=ReviewedExamples(platform.question_log, platform.embedder) if bank is None else bank,
        embedder=platform.embedder,
    )
    settings = platform.workspace.settings.answers.llm
    return LlmHelper(services, Subject.of(platform.workspace.schema), settings)
