"""What a chat model took during a step: calls, tokens, cost."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from kg.adapters.cached_chat import ChatCall
from kg.ledger import RunEntry


@dataclass(slots=True)
class ChatTally:
    """Sums over calls; may be told of calls from several threads."""

    calls: int = 0
    """Asked of the model."""
    cached: int = 0
    """Answered from kept replies, at no cost."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    """In the currency of the price settings."""
    run: int = 0
    """The ledger's number of the run that is going on; 0 for none."""
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def add(self, call: ChatCall) -> None:
        """Count one reply; a cached one took no tokens."""
        with self._lock:
            if call.cached:
                self.cached += 1
                return
            self.calls += 1
            self.prompt_tokens += call.prompt_tokens
            self.completion_tokens += call.completion_tokens
            self.cost += call.cost

    def sums(self) -> tuple[int, int, int, int, float]:
        """Calls, cached replies, prompt tokens, completion tokens, cost."""
        with self._lock:
            return self.calls, self.cached, self.prompt_tokens, self.completion_tokens, self.cost


@contextmanager
def counted(run: RunEntry, tally: ChatTally) -> Iterator[None]:
    """Put what ``tally`` gains in the ``with`` block into the run, also when the block fails."""
    before, outer = tally.sums(), tally.run
    tally.run = run.id
    try:
        yield
    finally:
        tally.run = outer
        calls, cached, prompt, completion, cost = (
            now - then for now, then in zip(tally.sums(), before, strict=True)
        )
        run.prompt_tokens += int(prompt)
        run.completion_tokens += int(completion)
        run.cost += cost
        if calls or cached:
            run.counts |= {"chat_calls": int(calls), "chat_cached": int(cached)}
