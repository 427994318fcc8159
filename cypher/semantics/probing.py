"""Looking into the graph which of several near readings of a question has rows."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from cypher.semantics.compose import Candidate
from cypher.semantics.decide import CLOSE
from cypher.semantics.ir import Head, Query
from cypher.semantics.reader import Reading, SemanticReader
from cypher.semantics.write import Written

PROBE_MARGIN: Final = 0.5
"""Readings whose scores differ by more are not near."""
SETTLED: Final = 0.75
"""Confidence from which only near readings are tried; below it the scores tell little, and all are."""
PROBE_SECONDS: Final = 0.08
"""For all probes of one question together."""
MOST_PROBES: Final = 16


class RowProbe(Protocol):
    """Says whether a query has any row; ``None`` when it could not tell within ``timeout`` seconds."""

    def has_rows(self, written: Written, *, timeout: float) -> bool | None: ...


def matching(query: Query) -> Query:
    """A reading that lists one of what ``query`` matches: a count has a row even where nothing matches."""
    return Query(
        query.nodes,
        query.edges,
        query.filters,
        answer=query.answer,
        having=query.having if query.head in (Head.LIST, Head.COUNT) else None,
        limit=1,
        clauses=query.clauses,
        inner=query.inner,
        project=query.project if query.pooled else (),
        pooled=query.pooled,
    )


def with_probes(
    reading: Reading,
    reader: SemanticReader,
    probe: RowProbe,
    *,
    seconds: float = PROBE_SECONDS,
    clock: Callable[[], float] = time.monotonic,
) -> Reading:
    """The reading with its first candidate that matches anything in front, when the margin is small.

    Execution-guided decoding (arXiv:1807.03100). At most ``MOST_PROBES`` queries and ``seconds``; where they
    decide nothing the order stays, else those found to match nothing come last, so that nobody is asked
    about them. A candidate far from the best is a guess: it halves the confidence.
    """
    if len(reading.candidates) < 2:
        return reading
    looked = _Looked(reader, probe, clock() + seconds, clock)
    found = looked.first(reading)
    if found is None:
        return reading
    near = reading.candidates[0].score - found.score <= PROBE_MARGIN
    rest = [c for c in reading.candidates if c is not found and not looked.is_empty(c)]
    last = [c for c in reading.candidates if looked.is_empty(c)]
    confidence = reading.confidence * (1.0 if near else 0.5)
    written = reader.write(found.query)
    return replace(reading, candidates=(found, *rest, *last), written=written, confidence=confidence)


@dataclass(slots=True)
class _Looked:
    """What the probes of one question have found."""

    reader: SemanticReader
    probe: RowProbe
    ends: float
    clock: Callable[[], float]
    known: dict[Query, bool | None] = field(default_factory=dict)

    def first(self, reading: Reading) -> Candidate | None:
        """The first near candidate that matches anything; its rivals have been looked at too."""
        best, found = reading.candidates[0].score, None
        margin = PROBE_MARGIN if reading.confidence >= SETTLED else float("inf")
        for candidate in reading.candidates:
            limit = margin if found is None else min(margin, best - found.score + CLOSE)
            if best - candidate.score > limit or not self._look(matching(candidate.query)):
                break
            matches = self.known[matching(candidate.query)]
            if matches is None and found is None:
                return None  # nobody knows whether it would have come first
            if found is None and matches:
                found = candidate
        return found

    def _look(self, asked: Query) -> bool:
        """Whether there was time to look."""
        if asked not in self.known:
            left = self.ends - self.clock()
            if left <= 0 or len(self.known) == MOST_PROBES:
                return False
            self.known[asked] = self.probe.has_rows(self.reader.write(asked), timeout=left)
        return True

    def is_empty(self, candidate: Candidate) -> bool:
        """Whether it was found to match nothing."""
        return self.known.get(matching(candidate.query)) is False
