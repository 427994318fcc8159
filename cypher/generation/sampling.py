"""Samples of a chat model: asked at the same time, checked, repaired, run; late ones do not count."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import Final

from cypher.generation.failures import finding_of
from cypher.generation.grounding import Grounded
from cypher.generation.ports import Findings
from cypher.generation.prompting import Material, query_request, repair_request
from cypher.generation.reply import UnusableReplyError, Written, read_reply
from cypher.generation.settings import LlmQuerySettings
from cypher.stages import collecting
from schemas.errors import (
    BudgetError,
    ChatError,
    CorpusGraphError,
    QueryError,
    ServiceError,
    WorkspaceError,
)
from schemas.findings import Finding
from schemas.ports import Chat, ChatReply
from schemas.questions import CheckedQuery, Subgraph
from schemas.waiting import never

log = logging.getLogger(__name__)
_LOOK_SECONDS: Final = 0.2
"""Between two looks whether somebody still waits."""

_BROKEN: Final = (
    ArithmeticError, AttributeError, LookupError, OSError, RuntimeError, TypeError, ValueError,
)  # fmt: skip
"""What a faulty reply or adapter may raise besides our own errors: one sample fails, not the question."""


@dataclass(frozen=True, slots=True)
class Sample:
    """How one sample ended: with a result, the model's "no", or the reason why it does not count."""

    number: int
    written: Written | None = None
    query: CheckedQuery | None = None
    result: Subgraph | None = None
    grounded: Grounded | None = None
    reason: str = ""

    @property
    def declined(self) -> bool:
        """Whether the model says that the graph cannot tell."""
        return self.written is not None and not self.written.answerable


@dataclass(slots=True)
class Tally:
    """What the samples took; told from several threads."""

    calls: int = 0
    repairs: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, reply: ChatReply, *, repair: bool) -> None:
        """Count one reply; a kept one took no tokens."""
        with self._lock:
            self.calls += 1
            self.repairs += repair
            if not reply.cached:
                self.prompt_tokens += reply.prompt_tokens
                self.completion_tokens += reply.completion_tokens


class Sampler:
    """Asks for the samples of one question.

    ``check`` is the gate; ``ground`` says which words of the question a query leaves out; ``run`` runs.
    """

    def __init__(
        self,
        chat: Chat,
        settings: LlmQuerySettings,
        *,
        check: Callable[[Written], CheckedQuery | Findings],
        ground: Callable[[Written], Grounded],
        run: Callable[[CheckedQuery], Subgraph],
    ) -> None:
        self._chat, self._settings = chat, settings
        self._check, self._ground, self._run = check, ground, run
        self._over = threading.Event()
        self.tally = Tally()

    def samples(self, material: Material, *, gone: Callable[[], bool] = never) -> Iterator[Sample]:
        """Samples as they end, for at most ``settings.seconds``; threads that still wait are left behind.

        Once ``gone``, none is waited for and no model is asked any more. Each thread has the context of the
        caller, so that what bounds and stops its reads of the store does so for those of the samples.
        """
        ended: queue.Queue[Sample | CorpusGraphError] = queue.Queue()
        until = time.monotonic() + self._settings.seconds

        def work(number: int) -> None:
            try:
                with collecting():  # times that run side by side add up to no stage of the question
                    ended.put(self._sample(material, number, gone))
            except CorpusGraphError as e:
                ended.put(e)
            except _BROKEN as e:
                log.exception("sample %d broke off", number)
                ended.put(Sample(number, reason=f"it broke off ({type(e).__name__})"))

        for number in range(self._settings.samples):
            run = copy_context().run
            threading.Thread(target=run, args=(work, number), daemon=True).start()
        try:
            for _ in range(self._settings.samples):
                found = self._next(ended, until, gone)
                if found is None:
                    return
                if isinstance(found, CorpusGraphError):
                    raise found
                yield found
        finally:
            self._over.set()

    def _next(
        self, ended: queue.Queue[Sample | CorpusGraphError], until: float, gone: Callable[[], bool]
    ) -> Sample | CorpusGraphError | None:
        """What ends next; None where the time has passed or nobody waits any more."""
        while not gone():
            left = until - time.monotonic()
            try:
                return ended.get(timeout=max(0.0, min(left, _LOOK_SECONDS)))
            except queue.Empty:
                if left <= 0:
                    seconds = self._settings.seconds
                    log.info("%s: replies after %g s are not waited for", self._chat.model, seconds)
                    return None
        return None

    def _sample(self, material: Material, number: int, gone: Callable[[], bool]) -> Sample:
        def over() -> bool:
            return self._over.is_set() or gone()

        request = query_request(material, self._settings, sample=number)
        sample = Sample(number, reason="not asked any more")
        for attempt in range(self._settings.rounds + 1):
            if over():
                return sample
            try:
                reply = self._chat.complete(request, gone=over)
            except (ServiceError, BudgetError, WorkspaceError) as e:
                if over():
                    return sample
                log.warning("sample %d failed: %s", number, e)
                return Sample(number, reason=_told(e))
            self.tally.add(reply, repair=attempt > 0)
            sample, findings = self._judged(number, reply)
            if not findings:
                return sample
            request = repair_request(request, reply, findings)
        return sample

    def _judged(self, number: int, reply: ChatReply) -> tuple[Sample, tuple[Finding, ...]]:
        """The sample of a reply; with findings where the model may try again."""
        if reply.finish_reason == "length":
            cut = f"the reply was cut at {self._settings.max_tokens} tokens; be brief"
            return Sample(number, reason=cut), (Finding(code="SYN2", message=cut),)
        try:
            written = read_reply(reply.text)
        except UnusableReplyError as e:
            return Sample(number, reason=str(e)), (e.finding,)
        if not written.answerable:
            return Sample(number, written), ()
        checked = self._check(written)
        if isinstance(checked, Findings):
            said = "; ".join(f.message for f in checked.items[:2])
            return Sample(number, written, reason=f"the gate refused the query: {said}"), checked.items
        grounded = self._ground(written)
        if not grounded.faithful:
            finding = grounded.finding()
            return Sample(number, written, checked, reason=finding.message), (finding,)
        try:
            result = self._run(checked)
        except QueryError as e:
            log.debug("the query of sample %d could not be run: %s", number, e)
            finding = finding_of(e)
            return Sample(number, written, checked, reason=finding.message), (finding,)
        if grounded.cuts(len(result.rows)):
            finding = grounded.finding()
            return Sample(number, written, checked, reason=finding.message), (finding,)
        return Sample(number, written, checked, result, grounded), ()


def _told(error: ServiceError | BudgetError | WorkspaceError) -> str:
    kind = "gave no usable reply" if isinstance(error, ChatError) else "could not be asked"
    return f"the language model {kind}"
