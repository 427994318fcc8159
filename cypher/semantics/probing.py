"""Looking into the graph which of several near readings of a question has rows."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final, Protocol, TypeAlias

from cypher.semantics.compose import Candidate
from cypher.semantics.decide import CLOSE
from cypher.semantics.ir import Head, Query
from cypher.semantics.patterns import holds, in_order
from cypher.semantics.presupposed import best_among_answers
from cypher.semantics.reader import SemanticReader
from cypher.semantics.reading import Reading
from cypher.semantics.write import Written

PROBE_MARGIN: Final = 0.5
"""Readings whose scores differ by more are not near."""
SETTLED: Final = 0.75
"""Confidence from which only near readings are tried; below it the scores tell little, and all are."""
PROBE_SECONDS: Final = 0.08
"""For all probes of one question together."""
MOST_PROBES: Final = 16
AT_ONCE: Final = 2
"""Probes under way: the server plans each query anew, which takes longer than to run it."""


class RowProbe(Protocol):
    """Says whether a query has any row; ``None`` when it could not tell within ``timeout`` seconds.

    It is asked by several threads at once.
    """

    def has_rows(self, written: Written, *, timeout: float) -> bool | None: ...


Held: TypeAlias = Callable[[Query, float], bool | None]
"""Says whether a pattern matches anything from what is held in memory, within seconds, or does not know."""


def matching(query: Query) -> Query:
    """A reading that lists one of what ``query`` matches: a count has a row even where nothing matches.

    Equal for readings that match the same and return something else.
    """
    listed = Query(
        query.nodes,
        query.edges,
        query.filters,
        answer=query.answer,
        having=query.having if query.head in (Head.LIST, Head.COUNT) else None,
        limit=1,
        clauses=query.clauses,
        inner=query.inner,
        again=query.again,
        project=query.project if query.pooled else (),
        pooled=query.pooled,
    )
    return in_order(listed)


def with_probes(
    reading: Reading,
    reader: SemanticReader,
    probe: RowProbe,
    *,
    held: Held | None = None,
    seconds: float = PROBE_SECONDS,
    clock: Callable[[], float] = time.monotonic,
) -> Reading:
    """The reading with its first candidate that matches anything in front, when the margin is small.

    Execution-guided decoding (arXiv:1807.03100). At most ``MOST_PROBES`` queries and ``seconds``; where they
    decide nothing the order stays, else those found to match nothing come last, so that nobody is asked
    about them. A candidate far from the best is a guess: it halves the confidence. What is ``held`` is asked
    first, so that the server has to be asked of less.
    """
    if len(reading.candidates) < 2 and not any(best_among_answers(c.query) for c in reading.candidates):
        return reading
    with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="kg-probe") as pool:
        looked = _Looked(reader, probe, clock() + seconds, clock, pool, held)
        found = looked.first(reading)
    looked.finish()
    if found is None:
        return reading
    near = reading.candidates[0].score - found.score <= PROBE_MARGIN
    empty = [looked.is_empty(c) for c in reading.candidates]
    told = list(zip(reading.candidates, empty, strict=True))
    rest = [c for c, nothing in told if c is not found and not nothing]
    last = [c for c, nothing in told if nothing]
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
    pool: ThreadPoolExecutor
    held: Held | None = None
    asked: dict[Query, Future[bool | None]] = field(default_factory=dict)
    known: dict[Query, bool | None] = field(default_factory=dict)
    in_memory: dict[Query, bool | None] = field(default_factory=dict)
    patterns: dict[int, Query] = field(default_factory=dict)
    """What candidates match, by their identity."""

    def first(self, reading: Reading) -> Candidate | None:
        """The first near candidate that matches anything; its rivals have been looked at too."""
        best, found = reading.candidates[0].score, None
        margin = PROBE_MARGIN if reading.confidence >= SETTLED else float("inf")
        for place, candidate in enumerate(reading.candidates):
            limit = margin if found is None else min(margin, best - found.score + CLOSE)
            near = (c for c in reading.candidates[place + 1 :] if best - c.score <= limit)
            asked = self._pattern(candidate)
            if best - candidate.score > limit or not self._look(asked, map(self._pattern, near)):
                break
            matches = self.known[asked]
            if matches is None and found is None:
                return None  # nobody knows whether it would have come first
            if found is None:
                found = candidate if matches else self._presupposed(candidate)
        return found

    def _presupposed(self, candidate: Candidate) -> Candidate | None:
        """The reading with its superlative among what fits, which the question takes for granted."""
        query = best_among_answers(candidate.query)
        if query is None:
            return None
        asked = matching(query)
        if not self._look(asked, ()) or not self.known[asked]:
            return None
        return replace(candidate, query=query)

    def _pattern(self, candidate: Candidate) -> Query:
        """What it matches."""
        if id(candidate) not in self.patterns:
            self.patterns[id(candidate)] = matching(candidate.query)
        return self.patterns[id(candidate)]

    def _look(self, asked: Query, near: Iterable[Query]) -> bool:
        """Whether there was time to look, or no need; the next near patterns are looked at meanwhile."""
        if asked not in self.known and (told := self._told(asked)) is not None:
            self.known[asked] = told
        if asked not in self.known:
            open_ones = (x for x in near if x != asked and x not in self.known and self._told(x) is None)
            ahead = [asked, *islice(open_ones, AT_ONCE - 1)]
            if not all(self._ask(query) for query in ahead) and asked not in self.asked:
                return False
            self.known[asked] = self.asked[asked].result()
        return True

    def _told(self, asked: Query) -> bool | None:
        """Whether a pattern matches anything, where that is known without a look of the server."""
        if (implied := self._implied(asked)) is not None or self.held is None:
            return implied
        if asked not in self.in_memory:
            left = self.ends - self.clock()
            self.in_memory[asked] = self.held(asked, left) if left > 0 else None
        return self.in_memory[asked]

    def _implied(self, asked: Query) -> bool | None:
        """Whether a pattern matches anything by what is known of its parts and of what it is part of."""
        if any(matches is False and holds(asked, part) for part, matches in self.known.items()):
            return False
        return True if any(matches and holds(whole, asked) for whole, matches in self.known.items()) else None

    def _ask(self, query: Query) -> bool:
        """Whether the graph is asked, or was before."""
        if query not in self.asked:
            left = self.ends - self.clock()
            if left <= 0 or len(self.asked) == MOST_PROBES:
                return False
            run, written = copy_context().run, self.reader.write(query)
            self.asked[query] = self.pool.submit(run, self._has_rows, written, left)
        return True

    def _has_rows(self, written: Written, left: float) -> bool | None:
        return self.probe.has_rows(written, timeout=left)

    def finish(self) -> None:
        """Takes in what was looked at ahead; raises what went wrong there."""
        for query, future in self.asked.items():
            self.known[query] = future.result()

    def is_empty(self, candidate: Candidate) -> bool:
        """Whether it was found to match nothing, or holds what matches nothing."""
        asked = self._pattern(candidate)
        return (self.known[asked] if asked in self.known else self._implied(asked)) is False
