"""One question from its words to its answer: follow-up, parser, chat model where it may help, prose."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from cypher.answers.corrected import Given
from cypher.answers.events import AnswerEvent, DoneEvent, QueryEvent, RowsEvent, SentenceEvent
from cypher.answers.follow_up import Resolved, is_follow_up, resolve
from cypher.answers.prose import Prose, ProseWriter
from cypher.answers.reading import Reader
from cypher.failing import FAILS, not_read
from cypher.near_questions import MOST, with_near
from cypher.stages import collecting, stage, times
from cypher.suggest import most_alike
from schemas.errors import QueryTimeoutError
from schemas.questions import Answer, ModelUse, Outcome, Question, Scope
from schemas.waiting import never

log = logging.getLogger(__name__)
_LATE = "The language model's sentences did not come in the time that was allowed."
_OF_GIVEN = 0.75
"""Share of a question's time that a reviewer's query may take, so that the parser has the rest without it."""
MOST_TRIED = 5
"""Questions that are tried where close ones are missing."""
_AT_LEAST = 2.0
"""Seconds for close questions where reading took all of the time limit, as the first of a server may."""
_TOO_LITTLE = 0.05
_LESS = "Its sentences leave out rows, so the answer is in the service's own words."


class Questions(Reader, Protocol):
    """The question service, as far as it is needed here."""

    def ask(self, question: Question) -> Answer:
        """The answer to one full question, without any model."""
        ...

    def examples(self) -> tuple[str, ...]:
        """Questions that can be answered."""
        ...


class Helper(Protocol):
    """May answer where the parser could not, or was not sure."""

    def help(self, question: Question, answer: Answer, *, gone: Callable[[], bool] = never) -> Answer:
        """The parser's answer, or a better one with ``model_use``; a failing model is no error.

        Once ``gone``, nobody waits and no model is asked any more.
        """
        ...


Weigh: TypeAlias = Callable[[Answer], Answer]
"""An answer as what reviewers said of earlier ones leaves it."""


Correct: TypeAlias = Callable[[Question], Given]
"""The answer by the query that a reviewer gave for a question, if there is one that runs."""


def _unreviewed(answer: Answer) -> Answer:
    return answer


def _uncorrected(_question: Question) -> Given:
    return Given()


Within: TypeAlias = Callable[[float], AbstractContextManager[None]]
"""A block in which the graph may be read for so many seconds together."""


def _unbounded(_seconds: float) -> AbstractContextManager[None]:
    return nullcontext()


@dataclass(frozen=True, slots=True)
class _Time:
    """What close questions may take: what reading the question left of its time limit, and a little more.

    Never beyond the deadline of the whole answer, and nothing once the asker has gone.
    """

    question: Question
    began: float
    spent: float
    """Seconds from there until the question was read."""
    gone: Callable[[], bool]
    since: float
    """When looking for them began."""

    def seconds(self) -> float:
        """Seconds that are left; none or fewer where the time is over."""
        limit = self.question.timeout
        left = max(limit - self.spent, min(_AT_LEAST, limit / 2)) - (time.monotonic() - self.since)
        deadline = self.question.deadline
        return left if deadline is None else min(left, self.began + deadline - time.monotonic())

    def over(self) -> bool:
        return self.gone() or self.seconds() < _TOO_LITTLE


class Asker:
    """Answers questions and their follow-ups; without helper and writer, without any model.

    ``within`` bounds all reads of the graph for one question: those without a model by its time limit, those
    of a model's queries by what is left of its deadline, where it has one.
    ``correct`` is asked before the parser; ``weigh`` sees the answer before a model may help, and a model's.
    """

    def __init__(
        self,
        service: Questions,
        *,
        helper: Helper | None = None,
        writer: ProseWriter | None = None,
        within: Within = _unbounded,
        correct: Correct = _uncorrected,
        weigh: Weigh = _unreviewed,
    ) -> None:
        self._service, self._helper, self._writer = service, helper, writer
        self._within, self._correct, self._weigh = within, correct, weigh

    def ask(self, question: Question, *, before: str = "") -> Answer:
        """The whole answer; ``before`` is the full question before this one in its conversation."""
        for event in self.events(question, before=before):
            if isinstance(event, DoneEvent):
                return event.answer
        raise AssertionError("the events of a question end with its answer")

    def events(
        self, question: Question, *, before: str = "", gone: Callable[[], bool] = never
    ) -> Iterator[AnswerEvent]:
        """Events as they become known; once ``gone``, no model is asked any more."""
        began = time.monotonic()
        with collecting() as spent:
            answer = self._answer(question, before, gone, began)
        stages = times(spent)
        yield QueryEvent(
            outcome=answer.outcome,
            resolved=answer.resolved,
            cypher=answer.cypher,
            parameters=answer.parameters,
            explanation=answer.explanation,
            assumptions=answer.assumptions,
            repairs=answer.repairs,
        )
        yield RowsEvent(
            text=answer.text,
            columns=answer.columns,
            rows=answer.rows,
            citations=answer.citations,
            truncated=answer.truncated,
        )
        prose, written = Prose(), time.perf_counter()
        over = _over(question, began)
        if self._writer is not None and question.use_llm and not (gone() or over()):
            for sentence in self._writer.sentences(answer, prose, gone=lambda: gone() or over()):
                yield SentenceEvent(text=sentence)
            if over() and not gone():
                prose.note = _LATE
            answer = _with_prose(answer, prose, self._writer.model)
            stages = (*stages, *times({"prose": (time.perf_counter() - written) * 1000}))
        yield DoneEvent(
            answer=answer.model_copy(update={"stages": stages, "seconds": time.monotonic() - began})
        )

    def _answer(self, question: Question, before: str, gone: Callable[[], bool], began: float) -> Answer:
        try:
            return self._whole(question, before, gone, began)
        except QueryTimeoutError:
            late = f"The graph did not answer within {question.timeout:g} s."
            return Answer(outcome=Outcome.TIMEOUT, question=question.text, text=late)
        except FAILS as e:
            log.warning("the question could not be read: %s", e)
            return Answer(outcome=Outcome.FAILED, question=question.text, text=not_read(e))

    def _whole(self, question: Question, before: str, gone: Callable[[], bool], began: float) -> Answer:
        """The answer, with a model's where that helps, else with close questions.

        Raises what a question may fail on.
        """
        full, answer = self._read(question, before)
        spent = time.monotonic() - began
        answer = self._helped(question, full, answer, gone, began)
        left = _Time(question, began, spent, gone, time.monotonic())
        return with_near(answer, lambda: self._near(question, before, answer, left))

    def _near(self, question: Question, before: str, answer: Answer, left: _Time) -> Iterator[str]:
        """The question before and examples that are answered: tried in a scope, or against marks.

        Each is looked for when it is wanted, and none without time or once the asker has gone.
        """
        known = question.scope is Scope.ALL and not answer.cypher
        try:
            if before and self._is_given(question, before, left):
                yield before
            if left.over():
                return
            with self._within(left.seconds()):
                examples = most_alike(answer.resolved or question.text, self._service.examples())
            for text in examples[: MOST + 1 if known else MOST_TRIED]:
                if known or self._is_given(question, text, left):
                    yield text
        except FAILS as e:
            log.info("no close questions: %s", e)

    def _is_given(self, question: Question, text: str, left: _Time) -> bool:
        """Whether a question is answered in the time that is left, and no reviewer's marks hold that back."""
        if left.over():
            return False
        seconds = left.seconds()
        update = {"text": text, "use_llm": False, "timeout": seconds}
        with self._within(seconds):
            tried = self._service.ask(question.model_copy(update=update))
        return self._weigh(tried).outcome is Outcome.ANSWERED

    def _helped(
        self,
        question: Question,
        full: Question | None,
        answer: Answer,
        gone: Callable[[], bool],
        began: float,
    ) -> Answer:
        if full is None:
            return answer
        changed = full is not question
        left = None if question.deadline is None else question.deadline - (time.monotonic() - began)
        if self._helper is not None and question.use_llm and not gone() and (left is None or left > 0):
            with stage("model"), nullcontext() if left is None else self._within(left):
                helped = self._helper.help(full.model_copy(update={"deadline": left}), answer, gone=gone)
            confirmed = answer.outcome is Outcome.ANSWERED and _same_query(helped, answer)
            decided = helped.model_use is not None and helped.model_use.decided
            answer = self._weigh(helped) if decided and not confirmed else helped
        if not changed:
            return answer
        return answer.model_copy(update={"question": question.text, "resolved": full.text})

    def _read(self, question: Question, before: str) -> tuple[Question | None, Answer]:
        """The full question, None where there is none, and its answer without a model."""
        with self._within(question.timeout):
            with stage("follow_up"):
                found = self._resolved(question, before)
            if isinstance(found, Answer):
                return None, found
            changed = found.text != question.text
            full = question.model_copy(update={"text": found.text}) if changed else question
            given = self._correct(full.model_copy(update={"timeout": _OF_GIVEN * full.timeout}))
            answer = self._weigh(given.answer or self._service.ask(full))
            return full, answer.model_copy(update={"assumptions": (*given.notes, *answer.assumptions)})

    def _resolved(self, question: Question, before: str) -> Resolved | Answer:
        """The full question; an answer that says why there is none."""
        if not question.text.strip() or not (before or is_follow_up(question.text)):
            return Resolved(question.text)
        found = resolve(question.text, before, self._service)
        if not (found.options or found.reason):
            return found
        ask_back = "This follow-up can be read in more than one way. Which is meant?"
        return Answer(
            outcome=Outcome.AMBIGUOUS if found.options else Outcome.UNANSWERABLE,
            question=question.text,
            text=ask_back if found.options else found.reason,
            suggestions=found.options,
        )


def _same_query(one: Answer, other: Answer) -> bool:
    return (one.cypher, one.parameters) == (other.cypher, other.parameters)


def _over(question: Question, began: float) -> Callable[[], bool]:
    """Whether the time for the whole answer has passed."""
    until = None if question.deadline is None else began + question.deadline
    return lambda: until is not None and time.monotonic() >= until


def _with_prose(answer: Answer, prose: Prose, model: str) -> Answer:
    """The answer in the model's kept sentences; the template stands where they tell less than it does."""
    used = prose.kept or prose.dropped or prose.note
    if not used:
        return answer
    before = answer.model_use or ModelUse(model=model)
    text = prose.text(answer)
    less = _LESS if prose.kept and not text else ""
    use = before.model_copy(
        update={
            "calls": before.calls + 1,
            "prompt_tokens": before.prompt_tokens + prose.prompt_tokens,
            "completion_tokens": before.completion_tokens + prose.completion_tokens,
            "note": " ".join(n for n in (before.note, prose.note, less) if n),
        }
    )
    update: dict[str, object] = {"dropped_sentences": prose.dropped, "model_use": use}
    if text:
        update |= {"text": text, "prose": True}
    return answer.model_copy(update=update)
