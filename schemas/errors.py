"""The one exception tree.

::

    CorpusGraphError
    ├── UsageError               what the user asked for cannot be done as asked
    │   ├── SettingsError        kg.toml or the environment is wrong
    │   ├── WorkspaceError       the workspace is missing, damaged or of another version
    │   │   └── LedgerBusyError     another process holds the ledger
    │   ├── SchemaError          a graph schema is wrong (file, line, what was expected)
    │   ├── ReadError            a source document cannot be read (file, line)
    │   └── GraphFileError       a DocumentGraph file is wrong (file, line)
    ├── DataError                stored data contradict themselves
    │   ├── EvidenceError        a quote is not in the text at its span
    │   ├── LogCorruptError      the event log's hash chain is broken
    │   └── EmbeddingMismatchError  vectors of two models would mix
    ├── ServiceError             another program failed us
    │   ├── TransientServiceError   worth another try (the only retried type)
    │   ├── StoreUnavailableError   Neo4j cannot be reached
    │   ├── StoreAuthError          Neo4j refused the user or password
    │   ├── StoreConflictError      this Neo4j holds another workspace
    │   ├── ServerStartError        the managed Neo4j did not start
    │   ├── ModelUnavailableError   a model or its files are missing
    │   ├── ChatError               the chat endpoint failed or replied nonsense
    │   └── FetchError              a paper or its metadata cannot be had from its server
    ├── QueryError               a query could not give a result
    │   ├── QueryRefusedError    the gate refused it, with the reason
    │   ├── QueryTimeoutError    it ran out of time
    │   └── QueryFailedError     the server refused or broke off
    ├── BudgetError              a spending or size limit would be passed
    └── FaultError               a fault of the program itself, where others have to go on

Every message says what was expected, what was found and what to do. Data about the failure are
attributes, so that the command line and the API can show them without reading the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from schemas.findings import Finding


class CorpusGraphError(Exception):
    """Base of every error this project raises on purpose."""


class UsageError(CorpusGraphError):
    """What the user asked for cannot be done as asked."""


class SettingsError(UsageError):
    """kg.toml or an environment variable is wrong."""


class WorkspaceError(UsageError):
    """The workspace is missing, damaged or of another version."""


class LedgerBusyError(WorkspaceError):
    """Another process holds the ledger; what was to be kept in it can be sent again."""


class _LocatedError(UsageError):
    """An error in a file; ``str()`` starts with ``file:line:`` where they are known."""

    def __init__(self, message: str, *, file: str = "", line: int | None = None) -> None:
        self.message, self.file, self.line = message, file, line
        where = f"{file}:{line}: " if file and line else f"{file}: " if file else ""
        super().__init__(where + message)


class SchemaError(_LocatedError):
    """A graph schema is wrong; ``file`` and ``line`` (from 1) say where."""


class ReadError(_LocatedError):
    """A source document cannot be read; ``file`` and ``line`` (from 1) say where."""


class GraphFileError(_LocatedError):
    """A DocumentGraph file is wrong; ``file`` and ``line`` (from 1) say where."""


class DataError(CorpusGraphError):
    """Stored data contradict themselves."""


class EvidenceError(DataError):
    """A quote is not in the text at its span."""


class LogCorruptError(DataError):
    """The event log's hash chain is broken at ``seq``."""

    def __init__(self, message: str, *, seq: int) -> None:
        self.seq = seq
        super().__init__(message)


class EmbeddingMismatchError(DataError):
    """Vectors of two embedding models would mix."""


class ServiceError(CorpusGraphError):
    """Another program failed us."""


class TransientServiceError(ServiceError):
    """Worth another try: the only type that is retried. ``retry_after`` is in seconds, if told."""

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        self.retry_after = retry_after
        super().__init__(message)


class StoreUnavailableError(ServiceError):
    """Neo4j cannot be reached."""


class StoreAuthError(ServiceError):
    """Neo4j refused the user or the password."""


class StoreConflictError(ServiceError):
    """This Neo4j database holds another workspace."""


class ServerStartError(ServiceError):
    """The managed Neo4j did not start; ``log_tail`` holds its last lines."""

    def __init__(self, message: str, *, log_tail: str = "") -> None:
        self.log_tail = log_tail
        super().__init__(message + (f"\nLast lines of its log:\n{log_tail}" if log_tail else ""))


class ModelUnavailableError(ServiceError):
    """A model or its files are missing."""


class ChatError(ServiceError):
    """The chat endpoint failed for good, or its reply is of no use."""


class FetchError(ServiceError):
    """A paper or its metadata cannot be had from its server; ``status`` is the HTTP status, 0 without one."""

    def __init__(self, message: str, *, status: int = 0) -> None:
        self.status = status
        super().__init__(message)


class QueryError(CorpusGraphError):
    """A query could not give a result; an empty result is never reported this way."""

    def __init__(self, message: str, *, query: str = "") -> None:
        self.query = query
        super().__init__(message)


class QueryRefusedError(QueryError):
    """The gate refused the query; ``findings`` says what is wrong where, if there is more to say."""

    def __init__(self, message: str, *, query: str = "", findings: tuple[Finding, ...] = ()) -> None:
        self.findings = findings
        super().__init__(message, query=query)


class QueryTimeoutError(QueryError):
    """The query ran out of time."""


class QueryFailedError(QueryError):
    """The server refused the query or broke it off; ``code`` is its status code, empty without one.

    Its message may hold stored values that the query read: it is for those who may read the graph.
    """

    def __init__(self, message: str, *, query: str = "", code: str = "") -> None:
        self.code = code
        super().__init__(message, query=query)


class BudgetError(CorpusGraphError):
    """A spending or size limit would be passed."""


class FaultError(CorpusGraphError):
    """A fault of the program itself, which is its cause; what goes on after it tells it in one line."""
