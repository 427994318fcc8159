"""How sure an answer is, once its rows and those of rival readings are seen."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from cypher.semantics.alike import form
from cypher.semantics.asking import open_columns
from cypher.semantics.column_cues import foreseeable
from cypher.semantics.doubts import Doubts, open_returns, probability
from cypher.semantics.ir import Head, Query
from cypher.semantics.reader import SemanticReader
from cypher.semantics.reading import Reading
from cypher.semantics.score import fitted
from cypher.semantics.unheard import unheard
from cypher.semantics.write import Written

WEIGH_SECONDS: Final = 0.1
"""For all looks beside that at the answer itself."""
OWN_SECONDS: Final = 1.0
"""For the answer itself, which is run in any case."""
RIVALS: Final = 2
"""Other readings whose rows are compared with the answer's."""
RIVAL_MARGIN: Final = 1.5
"""Readings further behind the best are no rivals."""
EMPTIES: Final = 0.5
"""How many times as often a right reading finds nothing as a wrong one.

An assumption: people ask now and then for what there is not, one question in 20 say. Of readings that were
sure enough, and wrong, none of 12 found nothing (own questions to two graphs), as those that find something
come first.
"""
SEEN: Final = 200
"""Rows of an answer that are looked at."""

Row = Sequence[object]
_DISTINCT: Final = re.compile(r"(`[^`]*`)|\bDISTINCT ")
"""The keyword; a name in backticks is read over."""


class AnswerProbe(Protocol):
    """The first rows of a query, at most ``most``; ``None`` when they were not there in time."""

    def rows(self, written: Written, *, most: int, timeout: float) -> Sequence[Row] | None: ...


def weighed(
    reading: Reading,
    reader: SemanticReader,
    probe: AnswerProbe,
    *,
    seconds: float = WEIGH_SECONDS,
    clock: Callable[[], float] = time.monotonic,
) -> Reading:
    """The reading with the probability that its rows are exactly those wanted as its confidence.

    That the question was understood is not enough: it may leave open which columns are wanted, how often a
    thing is listed, or which of several equals comes first. So the form of the answer counts, its rows, and
    whether near readings, which are other answers to the same words, return the same.
    """
    if reading.query is None:
        return reading
    looked = _Looked(reader, probe, clock() + OWN_SECONDS, seconds, clock)
    kept = (d for d in reading.doubts if not d[0].startswith("unheard"))
    doubts = (*kept, *answer_doubts(reading, looked.rows))
    return replace(reading, doubts=doubts, confidence=probability(doubts, fitted().exact))


def found_any(reading: Reading) -> bool:
    """Whether a weighed reading has rows, as far as was looked."""
    return dict(reading.doubts).get("empty", 0.0) == 0.0


def sure_of_nothing(reading: Reading, understood: float) -> Reading:
    """A weighed reading without rows, with the probability that it is right all the same as its confidence.

    ``understood`` is the confidence before the rows were seen. All questions that the weights are fitted on
    have an answer, so these take every empty one for wrong. Here :data:`EMPTIES` are, by Bayes' rule.
    """
    odds = EMPTIES * understood / max(1 - understood, 1e-9)
    return replace(reading, confidence=odds / (1 + odds))


Look = Callable[[Query, bool], Sequence[Row] | None]
"""Rows of a reading, or with ``True`` those without dropping repeated ones."""


def answer_doubts(reading: Reading, look: Look) -> Doubts:
    """Figures about the answer of a reading's first candidate, beside those of the reading itself."""
    query = reading.candidates[0].query
    asked = open_columns(reading.linked, query)
    out = dict(open_returns(query, names_asked=bool(asked["asks_names"])))
    out |= asked
    out |= unheard(reading.linked, query)
    out["understood"] = reading.confidence
    out["foreseeable"] = foreseeable(reading.linked.text, query)
    rows = look(query, False)
    if rows is None:
        return (*((name, x) for name, x in out.items() if x), ("unseen", 1.0))
    out |= _of_rows(query, rows)
    every = look(query, True)
    out["merged"] = float(every is not None and _bag(every) != _bag(rows))
    if query.limit is not None and len(rows) == query.limit:
        out["tied"] = _tied(rows, look(replace(query, limit=query.limit + 1), False), query)
    same, other = _rivals(reading, rows, look)
    out["rival_same"], out["rival_other"] = same, other
    return tuple((name, x) for name, x in out.items() if x)


def repeating(text: str) -> str:
    """The query without dropping repeated rows.

    >>> repeating("MATCH (n:`A DISTINCT B`) RETURN count(DISTINCT n)")
    'MATCH (n:`A DISTINCT B`) RETURN count(n)'
    """
    return _DISTINCT.sub(lambda found: found[1] or "", text)


def _of_rows(query: Query, rows: Sequence[Row]) -> dict[str, float]:
    listed = query.head is Head.LIST
    return {
        "empty": float(not rows),
        "zero": float(len(rows) == 1 and all(v in (0, None, False) for v in rows[0])),
        "one_row": float(listed and len(rows) == 1),
        "many_rows": float(len(rows) > 25),
        "unknown_cells": float(any(v is None for row in rows for v in row)),
    }


def _tied(rows: Sequence[Row], more: Sequence[Row] | None, query: Query) -> float:
    """Whether the last row shares its key with the first one left out; without an order, any is as good."""
    if more is None or len(more) <= len(rows):
        return 0.0
    return float(query.order is None or more[-1][-1] == more[-2][-1])


def _rivals(reading: Reading, rows: Sequence[Row], look: Look) -> tuple[float, float]:
    """Shares of the nearest other readings that return the same, and something else."""
    best = reading.candidates[0]
    asked = form(best.query)
    near = [c for c in reading.candidates[1:] if best.score - c.score <= RIVAL_MARGIN]
    rivals = [c for c in near if form(c.query) != asked][:RIVALS]
    found = [r for c in rivals if (r := look(c.query, False)) is not None and r]
    same = sum(_bag(r) == _bag(rows) for r in found)
    return same / RIVALS, (len(found) - same) / RIVALS


def _bag(rows: Sequence[Row]) -> list[str]:
    return sorted(repr(tuple(row)) for row in rows)


@dataclass(slots=True)
class _Looked:
    reader: SemanticReader
    probe: AnswerProbe
    ends: float
    seconds: float
    """From the end of the first look on."""
    clock: Callable[[], float]
    first: bool = True

    def rows(self, query: Query, every: bool) -> Sequence[Row] | None:
        """Rows of a reading, with repeated ones where ``every``; ``None`` where there was no time."""
        written = self.reader.write(query)
        text = repeating(written.text) if every else written.text
        left = self.ends - self.clock()
        if left <= 0:
            return None
        found = self.probe.rows(replace(written, text=text), most=SEEN, timeout=left)
        if self.first:
            self.first, self.ends = False, self.clock() + self.seconds
        return found
