"""A limit on the money that one run may spend on a chat model."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Self

from schemas.errors import BudgetError


class Budget:
    """What may be spent, what is spent, and what requests in the air may still take.

    Before a request goes out, the most that it may cost is set aside; with its reply the real cost takes
    that place. A request waits while only the others in the air stand against it, and once it cannot be
    afforded even alone nothing more is: the limit is never passed. ``limit`` None is no limit; amounts
    are in the currency of the price settings. May be used from several threads.

    >>> budget = Budget(1.0)
    >>> with budget.reserve(0.6) as held:
    ...     held.settle(0.25)
    >>> budget.spent, budget.exhausted
    (0.25, False)
    """

    def __init__(self, limit: float | None = None) -> None:
        self.limit = limit
        self._spent = self._held = 0.0
        self._exhausted = False
        self._changed = threading.Condition()

    @property
    def spent(self) -> float:
        """Cost of all replies so far."""
        with self._changed:
            return self._spent

    @property
    def exhausted(self) -> bool:
        """Whether a request had to be refused: from then on all are."""
        with self._changed:
            return self._exhausted

    def reserve(self, worst: float) -> Reservation:
        """Set ``worst`` aside, waiting for requests in the air if need be; ``BudgetError`` when spent."""
        with self._changed:
            while self.limit is not None:
                if self._exhausted or self._spent + worst > self.limit:
                    self._exhausted = True
                    self._changed.notify_all()
                    raise BudgetError(self._told(worst))
                if self._spent + self._held + worst <= self.limit:
                    break
                self._changed.wait()
            self._held += worst
        return Reservation(self, worst)

    def refusal(self) -> BudgetError:
        """The error for work that is left out because the budget is exhausted."""
        return BudgetError(self._told(0.0))

    def release(self, worst: float, cost: float) -> None:
        """Take ``worst`` back and count ``cost`` as spent."""
        with self._changed:
            self._held -= worst
            self._spent += cost
            self._changed.notify_all()

    def _told(self, worst: float) -> str:
        limit = self.limit or 0.0
        need = f", and the next request may take {worst:.4f}" if worst else ""
        return (
            f"not done: of the budget of {limit:.2f}, {self._spent:.4f} is spent{need}; run again with more"
        )


class Reservation:
    """Money set aside for one attempt, given back at the end of the ``with`` block."""

    def __init__(self, budget: Budget, worst: float) -> None:
        self._budget, self._worst, self._cost = budget, worst, 0.0
        self.lost = False
        """Whether a reply may have been billed that never came."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None:
        self._budget.release(self._worst, self._cost)

    def settle(self, cost: float) -> None:
        """The reply is there and cost this much."""
        self._cost = cost

    def lose(self) -> None:
        """No usable reply came, but one may be billed: count the most that it may cost."""
        self.lost = True
        self._cost = self._worst
