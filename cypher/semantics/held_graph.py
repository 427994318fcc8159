"""A graph's nodes and relationships in memory, its properties at the server: what matches anything."""

from __future__ import annotations

import time
from collections.abc import Iterable
from threading import Lock
from typing import Final, cast

import numpy as np

from cypher.semantics.held_ties import HeldTies
from cypher.semantics.ir import Filter, Query
from cypher.semantics.reader import SemanticReader
from cypher.semantics.weighing import AnswerProbe
from schemas.store_ties import Places, StoreTies

MOST_KEPT: Final = 100
"""Conditions whose nodes are kept; in a graph of a million nodes those of one take four megabytes at most."""


class HeldGraph:
    """Tells whether readings match anything. Safe to share between threads.

    Which nodes meet a condition is asked of the server once: the readings of a question, and those of
    questions about the same things, share their conditions, while each has a pattern of its own. What is held
    is as old as its ``ties``: a graph that has changed since is told of as it was, so this may choose between
    readings and nothing else.
    """

    def __init__(self, ties: StoreTies, reader: SemanticReader) -> None:
        self._ties, self._reader = HeldTies(ties), reader
        self._places = {element: place for place, element in enumerate(ties.elements)}
        self._kept: dict[tuple[str, tuple[Filter, ...]], Places] = {}
        self._lock = Lock()

    def matches(self, query: Query, probe: AnswerProbe, *, timeout: float) -> bool | None:
        """Whether a reading matches anything; ``None`` where that could not be told within the time."""
        ends = time.monotonic() + timeout

        def fitting(label: str, conditions: tuple[Filter, ...]) -> Places | None:
            return self._fitting(label, conditions, probe, ends - time.monotonic())

        return self._ties.matches(query, self._reader.way, fitting)

    def _fitting(
        self, label: str, conditions: tuple[Filter, ...], probe: AnswerProbe, left: float
    ) -> Places | None:
        key = label, conditions
        if (known := self._kept.get(key)) is not None:
            return known
        written = self._reader.elements(label, conditions)
        rows = probe.rows(written, most=1, timeout=left) if left > 0 else None
        if not rows:
            return None
        elements = cast(Iterable[str], rows[0][0])
        found = np.array([self._places[e] for e in elements if e in self._places], dtype=np.int32)
        with self._lock:
            while len(self._kept) >= MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = found
        return found
