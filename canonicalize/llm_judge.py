"""A judge that asks a chat model, in batches and several at a time.

The model may split a candidate, name and describe a group, and say that it is unsure; it can add nothing. A
reply that cannot be used is repaired once. Candidates without a usable answer stay as they were before and
are left to reviewers, with the reason.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final

from pydantic import Field

from canonicalize.judge import Candidate, Note, Unsure, Verdict
from canonicalize.llm_prompt import batches, judge_request, load_prompt
from canonicalize.llm_reply import Read, read_reply
from schemas.errors import BudgetError, ChatError
from schemas.model import Frozen
from schemas.ports import Chat, ChatMessage, ChatReply, ChatRequest

_log = logging.getLogger(__name__)
_MOST_PROBLEMS: Final = 5


class LlmJudgeSettings(Frozen):
    """How much is asked at a time."""

    batch_tokens: int = Field(1_500, ge=100)
    """About what the clusters of one request may take; a larger cluster is asked about alone."""
    max_tokens: int = Field(4_096, ge=256)
    """Most tokens of a reply."""


class LlmJudge:
    """Judges by a chat model; ``types`` says what each type of entity is.

    ``ChatError`` is raised when no request at all is answered; ``TransientServiceError`` passes through:
    nothing is decided then, and replies that were kept are not asked for again.
    """

    def __init__(
        self,
        chat: Chat,
        settings: LlmJudgeSettings | None = None,
        *,
        types: Mapping[str, str] | None = None,
        concurrency: int = 1,
        price: Callable[[ChatReply], float] = lambda _: 0.0,
    ) -> None:
        self._chat, self._settings = chat, settings or LlmJudgeSettings()
        self._types, self._concurrency = dict(types or {}), concurrency
        self._price = price
        self._lock = threading.Lock()
        self.calls = 0
        """Requests, cached ones included."""
        self.tokens = 0
        """Of the requests that were paid."""
        self.cost = 0.0
        """Of these, in the currency of ``price``."""
        self.failed = 0
        """Candidates without a usable answer."""
        self.not_asked = 0
        """Candidates that the budget left out."""

    @property
    def name(self) -> str:
        """``llm/1:MODEL``."""
        return f"llm/1:{self._chat.model}"

    def decide(self, candidates: Sequence[Candidate]) -> tuple[Verdict, ...]:
        """One verdict per candidate, in their order, whatever order the replies come in."""
        found: list[Verdict | None] = [None] * len(candidates)
        errors: list[ChatError] = []
        parts = [part for numbers in _by_type(candidates) for part in self._batches(candidates, numbers)]
        for part, answers in zip(parts, self._all(candidates, parts), strict=True):
            if isinstance(answers, ChatError):
                errors.append(answers)
                self.failed += len(part)
                answers = [_left(candidates[n], f"not answered: {answers}") for n in part]  # noqa: PLW2901
            for number, verdict in zip(part, answers, strict=True):
                found[number] = verdict
        if errors and len(errors) == len(parts):
            raise errors[0]
        return tuple(v for v in found if v is not None)

    def _batches(self, candidates: Sequence[Candidate], numbers: Sequence[int]) -> Iterator[list[int]]:
        own = [candidates[n] for n in numbers]
        for part in batches(own, most_tokens=self._settings.batch_tokens):
            yield [numbers[n] for n in part]

    def _all(
        self, candidates: Sequence[Candidate], parts: Iterable[Sequence[int]]
    ) -> Iterator[list[Verdict] | ChatError]:
        """The answers to each batch, in order; after an error nothing further is asked."""
        pool = ThreadPoolExecutor(self._concurrency)
        try:
            waiting: list[Future[list[Verdict] | ChatError]] = [
                pool.submit(self._batch, [candidates[n] for n in part]) for part in parts
            ]
            for future in waiting:
                yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)

    def _batch(self, candidates: Sequence[Candidate]) -> list[Verdict] | ChatError:
        try:
            return self._ask(candidates)
        except BudgetError as e:
            with self._lock:
                self.not_asked += len(candidates)
            return [_left(c, str(e)) for c in candidates]
        except ChatError as e:
            return e

    def _ask(self, candidates: Sequence[Candidate]) -> list[Verdict]:
        kind = candidates[0].type
        request = judge_request(
            candidates, type_text=self._types.get(kind, kind), max_tokens=self._settings.max_tokens
        )
        reply = self._complete(request)
        if reply.finish_reason == "length":
            return self._halves(candidates)
        read = read_reply(reply.text, candidates)
        if read.problems:
            try:
                self._repair(request, reply, read, candidates=candidates)
            except (BudgetError, ChatError) as e:
                _log.info("%s: no repair of a reply that cannot be used: %s", self.name, e)
        with self._lock:
            self.failed += len(read.problems)
        return [
            read.verdicts[at] if at in read.verdicts else _left(c, f"no usable answer: {read.problems[at]}")
            for at, c in enumerate(candidates)
        ]

    def _halves(self, candidates: Sequence[Candidate]) -> list[Verdict]:
        """A reply that was cut is asked for in halves; one candidate that does not fit is left."""
        if len(candidates) == 1:
            with self._lock:
                self.failed += 1
            return [_left(candidates[0], f"the reply was cut at {self._settings.max_tokens} tokens")]
        middle = len(candidates) // 2
        return self._ask(candidates[:middle]) + self._ask(candidates[middle:])

    def _repair(
        self, request: ChatRequest, reply: ChatReply, read: Read, *, candidates: Sequence[Candidate]
    ) -> None:
        """Ask once more; what was usable in the first reply stands."""
        prompt = load_prompt("repair")
        told = "; ".join(list(dict.fromkeys(read.problems.values()))[:_MOST_PROBLEMS])
        said = ChatMessage(role="assistant", content=reply.text)
        again = self._complete(
            request.model_copy(
                update={
                    "messages": (*request.messages, said, *prompt.messages(problem=told)),
                    "purpose": prompt.id,
                }
            )
        )
        if again.finish_reason == "length":
            return
        second = read_reply(again.text, candidates)
        for at in list(read.problems):
            if at in second.verdicts:
                read.verdicts[at] = second.verdicts[at]
                del read.problems[at]
            else:
                read.problems[at] = second.problems[at]

    def _complete(self, request: ChatRequest) -> ChatReply:
        reply = self._chat.complete(request)
        with self._lock:
            self.calls += 1
            if not reply.cached:
                self.tokens += reply.prompt_tokens + reply.completion_tokens
                self.cost += self._price(reply)
        return reply


def _by_type(candidates: Sequence[Candidate]) -> list[list[int]]:
    numbers: dict[str, list[int]] = {}
    for number, candidate in enumerate(candidates):
        numbers.setdefault(candidate.type, []).append(number)
    return list(numbers.values())


def _left(candidate: Candidate, reason: str) -> Verdict:
    """The candidate as it was before this resolution, for a reviewer."""
    before: dict[str, list[int]] = {}
    for number, member in enumerate(candidate.members):
        if member.entity:
            before.setdefault(member.entity, []).append(number)
    groups = tuple(tuple(group) for group in before.values() if len(group) > 1)
    return Verdict(
        groups=groups,
        notes=tuple(Note(reason=f"as before; {reason}") for _ in groups),
        unsure=(Unsure(members=tuple(range(len(candidate.members))), reason=reason),),
    )
