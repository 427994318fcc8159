"""Limits on requests and tokens per minute, counted over a window that slides.

In any 60 seconds no more requests begin, and no more tokens are promised to them, than allowed. A
request promises the most that it may take and is corrected to what it took when the reply is there.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from kg.adapters.chat_waiting import require_wanted, waited
from schemas.waiting import never

MINUTE = 60.0
"""Seconds of the window."""
LOOK_AGAIN = 0.5
"""Seconds after which a waiting request looks again: replies may have given tokens back."""


@dataclass(slots=True)
class Permit:
    """Leave to send one request, from ``began`` on."""

    began: float
    tokens: int


class RateLimiter:
    """Holds requests back so that the limits are kept; may be used from several threads.

    A limit of 0 is none. Requests go in the order in which they come. One that promises more than
    the whole ``tokens_per_minute`` goes alone in its minute. ``clock`` is monotonic, in seconds.

    >>> limiter = RateLimiter(requests_per_minute=600)
    >>> limiter.settle(limiter.acquire(1_000), 900)
    """

    def __init__(
        self,
        *,
        requests_per_minute: int = 0,
        tokens_per_minute: int = 0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._requests, self._tokens = requests_per_minute, tokens_per_minute
        self._clock, self._sleep = clock, sleep
        self._window: deque[Permit] = deque()
        self._waiting: deque[object] = deque()
        self._turns, self._lock = threading.Condition(), threading.Lock()

    def acquire(self, tokens: int, *, gone: Callable[[], bool] = never) -> Permit:
        """Wait until a request of at most ``tokens`` tokens may begin; raise once ``gone``."""
        with self._turn(gone):
            while True:
                require_wanted(gone)
                permit = self._permit(tokens)
                if isinstance(permit, Permit):
                    return permit
                self._sleep(min(permit, LOOK_AGAIN))

    def settle(self, permit: Permit, tokens: int) -> None:
        """Correct what a request promised to the ``tokens`` that it took."""
        with self._lock:
            permit.tokens = tokens

    @contextmanager
    def _turn(self, gone: Callable[[], bool]) -> Iterator[None]:
        """The block, once all who came before have had theirs or have gone."""
        place = object()
        with self._turns:
            self._waiting.append(place)
        try:
            waited(lambda seconds: self._is_first(place, seconds), gone)
            yield
        finally:
            with self._turns:
                self._waiting.remove(place)
                self._turns.notify_all()

    def _is_first(self, place: object, seconds: float) -> bool:
        with self._turns:
            return self._turns.wait_for(lambda: self._waiting[0] is place, seconds)

    def _permit(self, tokens: int) -> Permit | float:
        """The permit, or the seconds until it may be had if nothing is given back."""
        with self._lock:
            now = self._clock()
            while self._window and now - self._window[0].began >= MINUTE:
                self._window.popleft()
            wait = self._delay(now, tokens)
            if wait > 0:
                return wait
            permit = Permit(now, tokens)
            if self._requests or self._tokens:
                self._window.append(permit)
            return permit

    def _delay(self, now: float, tokens: int) -> float:
        """Seconds until enough of the window is past; 0 when there is room now."""
        count, total = len(self._window), sum(p.tokens for p in self._window)
        if self._fits(count, total, tokens):
            return 0.0
        for permit in self._window:
            count, total = count - 1, total - permit.tokens
            if self._fits(count, total, tokens):
                return max(permit.began + MINUTE - now, 1e-3)
        return 0.0

    def _fits(self, count: int, total: int, tokens: int) -> bool:
        """Whether one more request of ``tokens`` goes with ``count`` others of ``total`` tokens."""
        if self._requests and count >= self._requests:
            return False
        return not self._tokens or count == 0 or total + tokens <= self._tokens
