"""The first question prepares the others, and waits no longer than they where the server is frozen."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from kg.stopping import seconds_left
from kg.store_services import PREPARE_SECONDS, StoreServices
from schemas.errors import QueryTimeoutError


class Frozen:
    """A connection that waits as long as it may, and is told only how long that is."""

    def __init__(self) -> None:
        self.allowed: list[float] = []

    def read(self, query: str) -> list[Any]:
        left = seconds_left()
        assert query
        assert left is not None
        self.allowed.append(left)
        raise QueryTimeoutError("no answer")


def services(connection: object, *, prepared: bool) -> StoreServices:
    return cast(
        StoreServices, SimpleNamespace(questions=SimpleNamespace(prepared=prepared), connection=connection)
    )


def test_a_frozen_server_is_given_the_seconds_of_the_question() -> None:
    connection = Frozen()
    with pytest.raises(QueryTimeoutError), StoreServices.within(services(connection, prepared=False), 2.0):
        pytest.fail("nothing can be read")
    assert len(connection.allowed) == 1
    assert connection.allowed[0] <= 2.0


def test_one_that_answers_may_prepare_for_longer() -> None:
    answering = SimpleNamespace(read=lambda _: [])
    with StoreServices.within(services(answering, prepared=False), 2.0):
        assert (seconds_left() or 0.0) > PREPARE_SECONDS
    with StoreServices.within(services(answering, prepared=True), 2.0):
        assert (seconds_left() or 9.0) <= 2.0
