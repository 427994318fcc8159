"""One open connection to one Neo4j database, and the translation of the driver's errors into ours."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from threading import Event
from typing import Any, Final, LiteralString, Protocol, TypeVar, cast
from urllib.parse import urlsplit

import neo4j
from neo4j import exceptions as errors

from kg.adapters.neo4j_cancel import TERMINATE, Cancel
from kg.adapters.neo4j_waiting import GRACE_SECONDS, LEFT_SECONDS, Calls, NoAnswerError, waited
from kg.stopping import Stopped, seconds_left, stopped_here
from schemas.errors import (
    DataError,
    QueryFailedError,
    QueryTimeoutError,
    SettingsError,
    StoreAuthError,
    StoreUnavailableError,
)

log = logging.getLogger(__name__)
T = TypeVar("T")
Row = dict[str, Any]

OLDEST: Final = (5, 26)
"""Oldest supported server: the long-term support line of Neo4j 5."""
_SCHEMES: Final = frozenset(f"{kind}{safe}" for kind in ("bolt", "neo4j") for safe in ("", "+s", "+ssc"))
CONNECT_SECONDS: Final = 5.0
RETRY_SECONDS: Final = 10.0
_SILENCED: Final = ("UNRECOGNIZED", "SCHEMA", "PERFORMANCE", "GENERIC", "HINT")
GIVEN_UP: Final = "the query was given up, because nobody waits for its result"
_MEMORY: Final = re.compile(r"Neo\.TransientError\.General\.\w*OutOfMemory\w*")
"""Codes that the driver would try again; what filled the memory once will fill it again."""
_OVERFLOW: Final = re.compile(rf"{_MEMORY.pattern}|Neo\.TransientError\.General\.StackOverFlowError")
"""Codes of what a query asks too much of, whatever else the server does."""
_TIMEOUT_CODES: Final = (
    "Neo.ClientError.Transaction.TransactionTimedOut",
    "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration",
    "Neo.TransientError.Transaction.LockAcquisitionTimeout",
)


@contextmanager
def translated(uri: str = "") -> Iterator[None]:
    """Turns every error of the driver into one of ours; the original stays as the cause."""
    where = f" at {uri}" if uri else ""
    try:
        yield
    except errors.AuthError as e:
        raise StoreAuthError(
            f"Neo4j{where} refused the user or the password ({e.message}); "
            "check NEO4J_USERNAME and NEO4J_PASSWORD"
        ) from e
    except (errors.ServiceUnavailable, errors.SessionExpired) as e:
        raise StoreUnavailableError(
            f"expected a running Neo4j{where}, and it cannot be reached ({e}); "
            "start it (`kg neo4j start`) or check the address"
        ) from e
    except errors.ConstraintError as e:
        raise DataError(f"Neo4j refused a write that would store one id twice: {e.message}") from e
    except errors.Neo4jError as e:
        if e.code in _TIMEOUT_CODES:
            raise QueryTimeoutError("Neo4j stopped the query at its time limit") from e
        if _cannot_serve(e):
            raise StoreUnavailableError(
                f"expected an answer of Neo4j{where}, and it cannot serve now ({e.code or 'without a code'}: "
                f"{e.message}); ask again, and look into its log if that does not help"
            ) from e
        raise QueryFailedError(
            f"Neo4j could not run the query: {e.code}: {e.message}", code=e.code or ""
        ) from e
    except errors.ConfigurationError as e:
        raise SettingsError(
            f"the address {uri!r} is no Neo4j address ({e}); use bolt://host:port or neo4j://host"
        ) from e
    except errors.DriverError as e:
        raise StoreUnavailableError(f"the connection to Neo4j{where} broke: {e}") from e


def _cannot_serve(error: errors.Neo4jError) -> bool:
    """Whether the server, or the way to it, is why nothing came; another query would fare no better."""
    code = error.code or ""
    if not code or code.endswith(".DatabaseUnavailable"):
        return True
    return isinstance(error, errors.TransientError) and _OVERFLOW.fullmatch(code) is None


class ReadTransaction(Protocol):
    """What reads: the driver's managed transaction, or one whose queries each commit by themselves."""

    def run(self, query: str, parameters: Mapping[str, Any] | None = None, /) -> neo4j.Result:
        """The rows of one query, as they come."""
        ...


@dataclass(frozen=True, slots=True)
class _SelfCommitting:
    """Reads without a transaction around: one round trip for each query, where a managed one takes three."""

    session: neo4j.Session
    metadata: dict[str, Any]
    timeout: float

    def run(self, query: str, parameters: Mapping[str, Any] | None = None, /) -> neo4j.Result:
        marked = neo4j.Query(query, metadata=self.metadata, timeout=self.timeout)
        return self.session.run(marked, dict(parameters or {}))


@dataclass(slots=True)
class Writes:
    """The writes of one connection: what was read before the last of them may be old."""

    last: int = 0
    """Number of the write that ended last, whether it succeeded or not; no two have the same."""
    numbers: Iterator[int] = field(default_factory=lambda: count(1), repr=False)

    def ended(self) -> None:
        """One more write is over."""
        self.last = next(self.numbers)


@dataclass(frozen=True, slots=True)
class Connection:
    """A driver and the database that it is used with. Thread-safe: each call takes its own session."""

    driver: neo4j.Driver
    database: str
    uri: str = ""
    user: str = ""
    """Who reads: with roles on the server others may see other things."""
    calls: Calls = field(default_factory=Calls)
    writes: Writes = field(default_factory=Writes)
    lost: Event = field(default_factory=Event, repr=False)
    """Set once the store could not be reached or let nobody in: it may be at another address by now."""

    def read(
        self, query: LiteralString, parameters: Mapping[str, Any] | None = None, *, timeout: float = 60.0
    ) -> list[Row]:
        """All rows of a reading query, in a READ transaction; ``timeout`` in seconds."""
        return self.read_with(lambda tx: [r.data() for r in tx.run(query, parameters)], timeout=timeout)

    def read_with(
        self,
        work: Callable[[ReadTransaction], T],
        *,
        timeout: float = 60.0,
        stopped: Stopped | None = None,
    ) -> T:
        """Runs ``work`` in a READ transaction; after a transient error again, in one that the driver manages.

        The first try commits each query by itself, which is a third of the round trips. So ``work`` with
        several queries may see a write between them.

        When ``stopped`` (or that of ``kg.stopping``) says that nobody waits any more, and on Ctrl-C, the
        transaction is ended on the server, also before its first row; then ``QueryTimeoutError`` is raised,
        as where the server answers nothing within ``timeout`` or the limit of ``kg.stopping``.
        """
        run = _not_again_without_memory(work)

        def read(metadata: dict[str, Any], seconds: float) -> T:
            with self._translated():
                try:
                    with self._session(neo4j.READ_ACCESS) as session:
                        return run(_SelfCommitting(session, metadata, seconds))
                except (errors.DriverError, errors.Neo4jError) as e:
                    if not e.is_retryable():
                        raise
                    log.debug("a read is tried again: %s", e)
                marked = neo4j.unit_of_work(metadata=metadata, timeout=seconds)
                with self._session(neo4j.READ_ACCESS) as session:
                    return session.execute_read(marked(_managed(run)))

        return self._in_time(read, timeout, stopped)

    def _in_time(
        self, read: Callable[[dict[str, Any], float], T], timeout: float, stopped: Stopped | None = None
    ) -> T:
        """What ``read`` gives with the mark and the seconds of its transactions; see ``read_with``."""
        left = seconds_left()
        if left is not None:
            timeout = min(timeout, left)
        if timeout <= 0:
            raise QueryTimeoutError("the time limit passed before the graph could be read")
        cancel = Cancel(self._terminate, self.calls)
        # without a limit around it, a read may be tried again, each time for as long as it may take
        longest = timeout + (GRACE_SECONDS if left is not None else CONNECT_SECONDS + RETRY_SECONDS)
        try:
            with cancel.watched(stopped or stopped_here()):
                return waited(
                    lambda: read(cancel.metadata, timeout),
                    longest,
                    interrupted=cancel.now,
                    calls=self.calls,
                )
        except NoAnswerError as e:
            raise QueryTimeoutError(f"Neo4j at {self.uri} did not answer within {longest:.3g} s") from e
        except QueryFailedError as e:
            if cancel.ended:
                raise QueryTimeoutError(GIVEN_UP) from e
            raise

    def _terminate(self, tag: str) -> None:
        try:
            with self.driver.session(database=self.database) as session:
                ended = session.run(TERMINATE, tag=tag).data()
            log.debug("%d transactions were ended", len(ended))
        except (errors.Neo4jError, errors.DriverError) as e:
            log.warning("a query that nobody waits for could not be ended, its time limit will: %s", e)

    def state(self, *, timeout: float = 60.0) -> str:
        """What changes with every transaction that writes: the bookmark that the server gives to a read.

        ``QueryTimeoutError`` where it does not come in time, as from ``read_with``.
        """

        def read(metadata: dict[str, Any], seconds: float) -> str:
            marked = neo4j.unit_of_work(metadata=metadata, timeout=seconds)
            with self._translated(), self._session(neo4j.READ_ACCESS) as session:
                session.execute_read(marked(lambda tx: tx.run("RETURN 1").consume()))
                return " ".join(sorted(session.last_bookmarks().raw_values))

        return self._in_time(read, timeout)

    def stream(self, query: LiteralString) -> Iterator[neo4j.Record]:
        """Rows one by one, for reads too large to hold; not retried."""
        with (
            self._translated(),
            self._session(neo4j.READ_ACCESS) as session,
            session.begin_transaction(timeout=600) as tx,
        ):
            yield from tx.run(query)

    def write(
        self, query: LiteralString, parameters: Mapping[str, Any] | None = None
    ) -> tuple[list[Row], neo4j.SummaryCounters]:
        """Rows and counters of a writing query, in a managed transaction."""

        def work(tx: neo4j.ManagedTransaction) -> tuple[list[Row], neo4j.SummaryCounters]:
            result = tx.run(query, dict(parameters or {}))
            rows = [r.data() for r in result]
            return rows, result.consume().counters

        try:
            with self._translated(), self._session(neo4j.WRITE_ACCESS) as session:
                return session.execute_write(neo4j.unit_of_work(timeout=300)(work))
        finally:
            self.writes.ended()

    def change_schema(self, query: LiteralString) -> None:
        """Runs one statement that creates or drops an index or constraint."""
        self.write(query)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            with translated(self.uri):
                yield
        except (StoreUnavailableError, StoreAuthError):
            self.lost.set()
            raise

    def _session(self, access: str) -> neo4j.Session:
        return self.driver.session(database=self.database, default_access_mode=access)


def _managed(work: Callable[[ReadTransaction], T]) -> Callable[[neo4j.ManagedTransaction], T]:
    return lambda tx: work(cast(ReadTransaction, tx))


def _not_again_without_memory(work: Callable[[ReadTransaction], T]) -> Callable[[ReadTransaction], T]:
    def run(tx: ReadTransaction) -> T:
        try:
            return work(tx)
        except errors.TransientError as e:
            if _MEMORY.fullmatch(e.code or "") is None:
                raise
            raise QueryFailedError(
                f"Neo4j stopped the query because it needs too much memory ({e.message}); ask for fewer "
                "rows, shorter paths or smaller lists",
                code=e.code or "",
            ) from e

    return run


@contextmanager
def connect(uri: str, username: str, password: str, *, database: str = "neo4j") -> Iterator[Connection]:
    """Opens a driver, checks server and credentials once, and closes it at the end.

    Raises ``StoreUnavailableError``, ``StoreAuthError``, ``SettingsError`` for a wrong address or
    database, and ``StoreUnavailableError`` for a server older than Neo4j 5.26.
    """
    _require_address(uri)
    with translated(uri):
        driver = neo4j.GraphDatabase.driver(
            uri,
            auth=(username, password),
            connection_timeout=CONNECT_SECONDS,
            connection_acquisition_timeout=2 * CONNECT_SECONDS,
            max_transaction_retry_time=RETRY_SECONDS,
            notifications_disabled_classifications=_SILENCED,
            user_agent="corpusgraph",
        )
    calls = Calls()
    with _closed_at_the_end(driver, calls):
        with translated(uri):
            try:
                agent = waited(lambda: _agent(driver, database), _connect_seconds(), calls=calls)
            except NoAnswerError as e:
                raise StoreUnavailableError(
                    f"Neo4j at {uri} takes connections and answers nothing; look whether it is stopped or "
                    "too busy, and start it anew"
                ) from e
            except errors.ClientError as e:
                if e.code == "Neo.ClientError.Database.DatabaseNotFound":
                    raise SettingsError(
                        f"Neo4j at {uri} has no database {database!r}; create it or change kg.toml"
                    ) from e
                raise
        _require_version(agent, uri)
        log.debug("connected to %s at %s", agent, uri)
        yield Connection(driver, database, uri, username, calls)


def _require_address(uri: str) -> None:
    """The driver takes http, too, for which it lacks a package, and breaks at a wrong host or port."""
    found = f"the address {uri!r} is no Neo4j address"
    try:
        parts = urlsplit(uri)
        known = parts.scheme in _SCHEMES and (parts.port is None or parts.port > 0)
    except ValueError as e:
        raise SettingsError(f"{found} ({e}); use bolt://host:port or neo4j://host") from e
    if parts.scheme in ("http", "https"):
        raise SettingsError(
            f"{found}: expected bolt:// or neo4j://, found {parts.scheme}://, as Neo4j Browser has; use the "
            "Bolt address of that server (`kg neo4j url` prints that of the managed one)"
        )
    if not known:
        raise SettingsError(
            f"{found}: expected bolt:// or neo4j:// with a host, found {parts.scheme or 'no scheme'}; use "
            "bolt://host:port or neo4j://host"
        )


@contextmanager
def _closed_at_the_end(driver: neo4j.Driver, calls: Calls) -> Iterator[None]:
    """Closes the driver after calls that were given up: it may not say goodbye where a thread writes."""
    try:
        yield
    finally:
        left = calls.left(LEFT_SECONDS)
        try:
            driver.close()
        except BufferError as e:
            log.warning("%d calls still ran when the connection was closed: %s", left, e)


def _connect_seconds() -> float:
    left, longest = seconds_left(), 2 * CONNECT_SECONDS + GRACE_SECONDS
    return longest if left is None else max(0.0, min(longest, left))


def _agent(driver: neo4j.Driver, database: str) -> str:
    with driver.session(database=database, default_access_mode=neo4j.READ_ACCESS) as session:
        return session.run("RETURN 1").consume().server.agent


def _require_version(agent: str, uri: str) -> None:
    found = re.fullmatch(r"Neo4j/(\d+)\.(\d+).*", agent)
    if found is None or (int(found[1]), int(found[2])) < OLDEST:
        raise StoreUnavailableError(
            f"expected Neo4j {OLDEST[0]}.{OLDEST[1]} or newer at {uri}, found {agent!r}; "
            "use the managed server (`kg neo4j start`) or upgrade"
        )


def in_batches(rows: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Consecutive slices of at most ``size``.

    >>> [list(b) for b in in_batches([1, 2, 3], 2)]
    [[1, 2], [3]]
    """
    for start in range(0, len(rows), size):
        yield rows[start : start + size]
