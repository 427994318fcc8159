"""Texts of queries whose plan the server has shown to be a plain read."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import Final

MOST: Final = 512
LIFETIME: Final = 300.0
"""Seconds after which the plan of a text is looked at again: indexes may have changed."""


class SeenPlans:
    """Usable from several threads; a text is the whole printed query, its values are parameters.

    >>> seen = SeenPlans()
    >>> seen.add("RETURN 1 AS a"); seen.seen("RETURN 1 AS a"), seen.seen("RETURN 2 AS a")
    (True, False)
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._until: OrderedDict[str, float] = OrderedDict()

    def seen(self, text: str) -> bool:
        """Whether the plan of this very text was found to be a read not long ago."""
        with self._lock:
            return self._until.get(text, 0.0) > time.monotonic()

    def add(self, text: str) -> None:
        """Remember a text; the oldest is forgotten where there are too many."""
        with self._lock:
            self._until[text] = time.monotonic() + LIFETIME
            self._until.move_to_end(text)
            while len(self._until) > MOST:
                self._until.popitem(last=False)
