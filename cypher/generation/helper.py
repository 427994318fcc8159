"""When a chat model's queries count: the parser abstained or was not sure, and enough samples agree."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from cypher.failing import FAILS
from cypher.generation.from_rows import SHAPE as BY_MODEL
from cypher.generation.from_rows import answer_of
from cypher.generation.grounding import ground
from cypher.generation.ports import Cites, Gate, Hints, HintSource, Limits, Run
from cypher.generation.prompting import Material
from cypher.generation.sampling import Sample, Sampler
from cypher.generation.settings import LlmQuerySettings
from cypher.generation.terms import Subject
from cypher.generation.votes import agrees, result_hash, shown
from schemas.ports import Chat, Embedder, ExampleBank
from schemas.prompts import one_line
from schemas.questions import Answer, ModelUse, Outcome, Question, Subgraph, Value
from schemas.waiting import never

log = logging.getLogger(__name__)
_WRITTEN = "A query of the language model, which says of it: "
_LEAST_SECONDS = 0.05
"""Of any read, also where the time is all but over."""
_BY_MODEL = 0.7
"""Most confidence in an answer whose query a model wrote: below that of a reading of the service's own."""


@dataclass(frozen=True, slots=True)
class Services:
    """What the helper works with."""

    chat: Chat
    gate: Gate
    run: Run
    source: HintSource
    cites: Cites
    bank: ExampleBank
    embedder: Embedder | None = None


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question with the parser's answer and what is known of it."""

    question: Question
    answer: Answer
    hints: Hints


class LlmHelper:
    """The ``Helper`` over a chat model.

    Its answer counts where the parser abstained or its margin is small: it has two readings, or one that
    leads the next by less than ``settings.margin`` or, without a next, is less sure than ``settings.sure``.
    At least ``settings.agree`` samples must share a result that tells something, each with a query that the
    gate passed and that honours every word of the question. A result of nothing but 0, false, empty and
    missing values tells nothing: a query about a name that nothing has finds the same.
    In every other case, a failing, slow or hostile model among them, the parser's answer stands and
    ``model_use.note`` says why.
    """

    def __init__(
        self, services: Services, subject: Subject, settings: LlmQuerySettings | None = None
    ) -> None:
        self._s, self._subject, self._settings = services, subject, settings or LlmQuerySettings()

    def help(self, question: Question, answer: Answer, *, gone: Callable[[], bool] = never) -> Answer:
        """The parser's answer or a better one, within the question's deadline; once ``gone`` no more."""
        if not self.may_help(answer) or gone():
            return answer
        ends = None if question.deadline is None else time.monotonic() + question.deadline
        try:
            hints = self._s.source.hints(_in_time(question, ends))
            if answer.outcome is Outcome.ANSWERED:
                others = tuple(d for d in hints.partial if d.explanation != answer.explanation)
                hints = Hints(hints.names, hints.labels, (answer,), others)
            material = self._material(question, hints)
        except FAILS as e:
            log.warning("no help for a question: %s", e)
            note = "The language model was not asked, because its prompt could not be made."
            return answer.model_copy(update={"model_use": ModelUse(model=self._s.chat.model, note=note)})
        sampler = self._sampler(question, hints, ends)
        found: list[Sample] = []
        note = ""
        try:
            for sample in sampler.samples(material, gone=gone):
                found.append(sample)
                if any(len(g) >= self._settings.agree for g in groups(found)):
                    break
        except FAILS as e:
            log.warning("the model's queries could not be run: %s", e)
            note = "The language model's queries could not be run."
        asked = _Asked(_in_time(question, ends), answer, hints)
        return self._decided(asked, found, sampler=sampler, note=note)

    def may_help(self, answer: Answer) -> bool:
        """Whether the parser abstained or was not sure; what was refused or failed is no model's business."""
        if answer.outcome in {Outcome.UNANSWERABLE, Outcome.AMBIGUOUS}:
            return len((answer.resolved or answer.question).split()) > 1
        return answer.outcome is Outcome.ANSWERED and self._unsure(answer)

    def _unsure(self, answer: Answer) -> bool:
        """Whether the next best reading was near; where there was none, whether the confidence is low."""
        if answer.margin is not None:
            return answer.margin < self._settings.margin
        return answer.confidence < self._settings.sure

    def _material(self, question: Question, hints: Hints) -> Material:
        examples = self._s.bank.nearest(question.text, limit=self._settings.shots)
        return Material(question.text, self._subject.schema, hints, examples)

    def _sampler(self, question: Question, hints: Hints, ends: float | None) -> Sampler:
        left = self._settings.seconds if ends is None else ends - time.monotonic()
        allowed = max(_LEAST_SECONDS, min(self._settings.seconds, left))
        settings = self._settings.model_copy(update={"seconds": allowed})
        until = time.monotonic() + allowed
        rows, seconds = question.limit, question.timeout
        return Sampler(
            self._s.chat,
            settings,
            check=lambda w: self._s.gate.check(
                w.query,
                w.parameters or {},
                scope=question.scope,
                limits=Limits(rows, max(_LEAST_SECONDS, min(seconds, until - time.monotonic()))),
            ),
            ground=lambda w: ground(
                question.text,
                w,
                terms=self._subject.terms,
                hints=hints,
                embedder=self._s.embedder,
                rows=question.limit,
            ),
            run=self._s.run,
        )

    def _decided(self, asked: _Asked, found: list[Sample], *, sampler: Sampler, note: str) -> Answer:
        answer = asked.answer
        best = max(groups(found), key=lambda g: (len(g), -g[0].number), default=[])
        tally = sampler.tally
        use = ModelUse(
            model=self._s.chat.model,
            calls=tally.calls,
            repairs=tally.repairs,
            samples=self._settings.samples,
            agreeing=len(best),
            prompt_tokens=tally.prompt_tokens,
            completion_tokens=tally.completion_tokens,
        )
        if note or len(best) < self._settings.agree:
            use = use.model_copy(update={"note": note or self._why(found, len(best))})
            return answer.model_copy(update={"model_use": use})
        use = use.model_copy(update={"decided": True})
        rows = shown(_result(best[0]))[1]
        draft = next((d for d in asked.hints.drafts if agrees(rows, d.rows)), None)
        if draft is not None:
            sure = max(draft.confidence, self._settings.sure)
            said = f"{len(best)} of {use.samples} queries of the language model agree with this reading."
            return draft.model_copy(
                update={"model_use": use, "confidence": sure, "assumptions": (*draft.assumptions, said)}
            )
        return self._answer(asked, best, use)

    def _why(self, found: list[Sample], agreeing: int) -> str:
        declined = sum(s.declined for s in found)
        if declined >= self._settings.agree:
            return "The language model does not see how the graph could answer this either."
        reasons = list(dict.fromkeys(s.reason for s in found if s.reason))
        said = f" ({one_line(reasons[0], 300)})" if reasons else ""
        late = self._settings.samples - len(found)
        waited = f"; {late} did not come in time" if late else ""
        return (
            f"The language model was asked, but {agreeing} of its {self._settings.samples} queries share "
            f"a result and {self._settings.agree} must{waited}{said}."
        )

    def _answer(self, asked: _Asked, best: list[Sample], use: ModelUse) -> Answer:
        """An answer from the query of the first sample that agrees."""
        first = min(best, key=lambda s: s.number)
        assert first.query is not None
        assert first.written is not None
        result = _result(first)
        found = self._s.cites.cited(asked.question, first.written, result, shown(result)[1])
        assumed = first.grounded.assumed if first.grounded else ()
        said = (f"'{one_line(r.words, 60)}' was read as {r.term} by the language model." for r in assumed)
        answer = answer_of(asked.answer.question, first.query, result, found)
        return answer.model_copy(
            update={
                "explanation": _WRITTEN + one_line(first.written.explanation, 400),
                "shape": BY_MODEL,
                "assumptions": (*said, *answer.assumptions),
                "confidence": _BY_MODEL * len(best) / use.samples,
                "model_use": use,
            }
        )


def _in_time(question: Question, ends: float | None) -> Question:
    """The question with the time for its reads cut to what is left of its deadline."""
    if ends is None:
        return question
    left = max(_LEAST_SECONDS, ends - time.monotonic())
    return question.model_copy(update={"timeout": min(question.timeout, left)})


def groups(found: list[Sample]) -> list[list[Sample]]:
    """Samples that share a result that tells something, by the order of their first."""
    by_result: dict[str, list[Sample]] = {}
    for sample in found:
        rows = shown(sample.result)[1] if sample.result is not None else ()
        if any(_tells(c) for row in rows for c in row):
            by_result.setdefault(result_hash(rows), []).append(sample)
    return list(by_result.values())


def _tells(cell: Value) -> bool:
    """Whether a cell holds more than a count of nothing, false, an empty text or a list of these."""
    return any(map(_tells, cell)) if isinstance(cell, tuple) else bool(cell)


def _result(sample: Sample) -> Subgraph:
    assert sample.result is not None
    return sample.result
