"""Ends a read on the server while the driver waits for its first row.

A driver's thread is blocked until the server answers, so another session ends the transaction, which it knows
by its metadata. (Neo4j 5 manual: "SHOW TRANSACTIONS" and "TERMINATE TRANSACTIONS".)
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, LiteralString
from uuid import uuid4

from kg.adapters.neo4j_waiting import Calls, NoAnswerError, waited
from kg.stopping import Stopped

log = logging.getLogger(__name__)

POLL_SECONDS: Final = 0.1
TERMINATE_SECONDS: Final = 2.0
"""For the server to end a transaction."""
TAG: Final = "corpusgraph"
TERMINATE: Final[LiteralString] = (
    "SHOW TRANSACTIONS YIELD transactionId AS id, metaData WHERE metaData.corpusgraph = $tag "
    "TERMINATE TRANSACTIONS id YIELD message RETURN message"
)


@dataclass(slots=True)
class Cancel:
    """One read that can be ended from outside; ``terminate`` ends the transactions with a tag."""

    terminate: Callable[[str], None]
    calls: Calls = field(default_factory=Calls)
    """Where the call that terminates is counted while it runs."""
    tag: str = field(default_factory=lambda: uuid4().hex)
    ended: bool = False
    """Whether somebody asked for the end."""

    @property
    def metadata(self) -> dict[str, str]:
        """What marks the transaction on the server."""
        return {TAG: self.tag}

    def now(self) -> None:
        """End the transaction on the server; nothing to end is no error, nor a server that is silent."""
        self.ended = True
        try:
            waited(lambda: self.terminate(self.tag), TERMINATE_SECONDS, name="kg-terminate", calls=self.calls)
        except NoAnswerError:
            log.warning("a query that nobody waits for could not be ended: Neo4j does not answer")

    @contextmanager
    def watched(self, stopped: Stopped | None) -> Iterator[None]:
        """Asks ``stopped`` from a thread of its own for as long as the block lasts."""
        if stopped is None:
            yield
            return
        done = threading.Event()
        watcher = threading.Thread(target=self._watch, args=(stopped, done), name="kg-cancel", daemon=True)
        watcher.start()
        try:
            yield
        finally:
            done.set()
            watcher.join()

    def _watch(self, stopped: Stopped, done: threading.Event) -> None:
        while not done.wait(POLL_SECONDS):
            if stopped():
                self.now()
