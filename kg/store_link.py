"""Connects to the store: one attempt at a time, which all who need it share; what was lost is closed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

from kg.adapters.neo4j_waiting import Ended
from kg.stopping import seconds_left
from schemas.errors import StoreUnavailableError

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class _Held(Generic[T]):
    value: T
    stack: ExitStack
    holders: int = 0


class StoreLink(Generic[T]):
    """Keeps what ``connect`` gives until it is ``lost``; then the next one who needs it has it made anew.

    An attempt runs in a thread of its own for as long as ``connect`` lets it. Whoever needs its result waits
    for that, but no longer than the limit of ``kg.stopping``, and no one waits for another's lock. What was
    lost is closed as soon as nobody holds it and it is no longer ``used``, at the latest by ``close``.
    """

    def __init__(
        self,
        connect: Callable[[], AbstractContextManager[T]],
        *,
        lost: Callable[[T], bool],
        used: Callable[[T], bool],
    ) -> None:
        self._connect, self._lost, self._used = connect, lost, used
        self._lock = threading.Lock()
        """Held for moments only, never while something is connected or closed."""
        self._kept: _Held[T] | None = None
        self._left: list[_Held[T]] = []
        self._attempt: Ended[_Held[T]] | None = None
        self._closed = False

    def get(self) -> T:
        """What is connected, or the error of the attempt; ``StoreUnavailableError`` where time is over."""
        return self._now().value

    @contextmanager
    def held(self) -> Iterator[T]:
        """The same for a block with several reads, between which it is not closed, lost or not."""
        held = self._taken()
        try:
            yield held.value
        finally:
            with self._lock:
                held.holders -= 1
                is_left = held in self._left
            if is_left:  # to close it may take a while, which nobody waits for
                threading.Thread(target=self._close_unused, name="kg-connect", daemon=True).start()

    def _taken(self) -> _Held[T]:
        while True:
            found = self._now()
            with self._lock:
                if self._closed or found is self._kept or found in self._left:
                    found.holders += 1
                    return found

    def _now(self) -> _Held[T]:
        with self._lock:
            kept = self._kept
            if kept is not None and not self._lost(kept.value):
                return kept
            if kept is not None:
                self._left.append(kept)
                self._kept = None
            if self._attempt is None:
                attempt: Ended[_Held[T]] = Ended()
                threading.Thread(target=self._make, args=(attempt,), name="kg-connect", daemon=True).start()
                self._attempt = attempt
            attempt = self._attempt
        left = seconds_left()
        if not attempt.event.wait(None if left is None else max(0.0, left)):
            raise StoreUnavailableError(
                f"expected a connection to Neo4j within {max(0.0, left or 0.0):.3g} s, found none yet; "
                "ask again with more time, or look whether Neo4j is stopped or too busy"
            )
        return attempt.result()

    def close(self) -> None:
        """Close all that was connected; what an attempt still brings is closed by itself."""
        with self._lock:
            self._closed = True
            held = [*self._left, self._kept] if self._kept is not None else [*self._left]
            self._kept, self._left = None, []
        _close(held)

    def _make(self, attempt: Ended[_Held[T]]) -> None:
        made: _Held[T] | None = None
        with attempt:
            try:
                stack = ExitStack()
                made = _Held(stack.enter_context(self._connect()), stack)
                attempt.values.append(made)
            finally:
                with self._lock:
                    self._attempt = None
                    closed = self._closed
                    self._kept = None if closed else made
        if closed and made is not None:
            _close([made])
        self._close_unused()

    def _close_unused(self) -> None:
        with self._lock:
            unused = [h for h in self._left if not (h.holders or self._used(h.value))]
            self._left = [held for held in self._left if held not in unused]
        _close(unused)


def _close(held: list[_Held[T]]) -> None:
    with ExitStack() as all_of_them:
        for one in held:
            all_of_them.push(one.stack)
