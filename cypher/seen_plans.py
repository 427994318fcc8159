"""Runs queries whose plan the server has shown to be a plain read, now or not long ago."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import Final

from cypher.guard import check_plan
from cypher.stages import stage
from schemas.ports import QueryRunner
from schemas.questions import CheckedQuery, Subgraph

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


class ExplainedRuns:
    """Runs checked queries on one store, none of whose plan the server was not asked for.

    Both ways raise ``QueryRefusedError`` for a plan that is no plain read, and what the runner raises.
    """

    def __init__(self, runner: QueryRunner) -> None:
        self._runner, self._plans = runner, SeenPlans()

    def trusted(self, query: CheckedQuery) -> Subgraph:
        """Run a query of the service's own: a plan that was seen for its very text is not asked for again."""
        if not self._plans.seen(query.text):
            self._explain(query)
            self._plans.add(query.text)
        return self._run(query)

    def anew(self, query: CheckedQuery) -> Subgraph:
        """Run a query that somebody else wrote: its plan is looked at each time, and trusts no other."""
        self._explain(query)
        return self._run(query)

    def _explain(self, query: CheckedQuery) -> None:
        with stage("explain"):
            check_plan(self._runner.explain(query))

    def _run(self, query: CheckedQuery) -> Subgraph:
        with stage("run"):
            return self._runner.run(query)
