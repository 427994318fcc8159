"""What the driver says is told as what it is: a store that cannot serve now, or a query that cannot run."""

from __future__ import annotations

import pytest
from neo4j import exceptions as errors

from kg.adapters.neo4j_connection import translated
from schemas.errors import (
    CorpusGraphError,
    QueryFailedError,
    QueryTimeoutError,
    StoreUnavailableError,
)

MEMORY = "Neo.TransientError.General.MemoryPoolOutOfMemoryError"
LOCKED = "Neo.TransientError.Transaction.LockAcquisitionTimeout"


def told(error: Exception) -> CorpusGraphError:
    """What is made of an error of the driver."""
    with pytest.raises(CorpusGraphError) as found, translated("bolt://db"):
        raise error
    return found.value


@pytest.mark.parametrize(
    "code",
    [
        "Neo.TransientError.Database.DatabaseUnavailable",
        "Neo.TransientError.General.DatabaseUnavailable",
        "Neo.TransientError.Transaction.MaximumTransactionLimitReached",
        "Neo.TransientError.Cluster.ReplicationFailure",
        "Neo.DatabaseError.Database.DatabaseUnavailable",
        "Neo.ClientError.Security.AuthorizationExpired",
    ],
)
def test_a_server_that_cannot_serve_now_is_no_fault_of_the_query(code: str) -> None:
    found = told(errors.Neo4jError._basic_hydrate(neo4j_code=code, message="not now"))
    assert isinstance(found, StoreUnavailableError)
    assert all(word in str(found) for word in ("bolt://db", "not now", code, "again"))


@pytest.mark.parametrize("code", [None, ""])
def test_what_the_server_gave_no_code_is_none_of_the_query(code: str | None) -> None:
    error = errors.ClientError("failed to obtain a connection from the pool within 10 s")
    error._neo4j_code = code  # type: ignore[assignment]
    assert isinstance(told(error), StoreUnavailableError)
    assert isinstance(told(errors.ConnectionAcquisitionTimeoutError("all taken")), StoreUnavailableError)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("Neo.ClientError.Statement.ArithmeticError", QueryFailedError),
        ("Neo.ClientError.Transaction.Terminated", QueryFailedError),
        ("Neo.TransientError.Transaction.Terminated", QueryFailedError),
        ("Neo.DatabaseError.Statement.ExecutionFailed", QueryFailedError),
        ("Neo.TransientError.General.StackOverFlowError", QueryFailedError),
        (MEMORY, QueryFailedError),
        (LOCKED, QueryTimeoutError),
        ("Neo.ClientError.Transaction.TransactionTimedOut", QueryTimeoutError),
    ],
)
def test_what_is_of_the_query_stays_so(code: str, kind: type[CorpusGraphError]) -> None:
    found = told(errors.Neo4jError._basic_hydrate(neo4j_code=code, message="why"))
    assert type(found) is kind
    assert not isinstance(found, QueryFailedError) or found.code.rpartition(".")[2] == code.rpartition(".")[2]
