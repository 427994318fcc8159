"""A sentence before its phrases are joined: which thing is asked for, and what of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from cypher.general.kinds import Kind
from cypher.general.plan import Comparing, Function
from cypher.general.refs import Part, Ref


class Asks(StrEnum):
    """What is asked of a thing."""

    LIST = "list"
    COUNT = "count"
    EXISTS = "exists"
    GROUP = "group"
    AGGREGATE = "aggregate"
    COMPARE = "compare"


@dataclass(frozen=True, slots=True)
class Asked:
    """A sentence: ``ref`` is what is listed, counted or looked for."""

    asks: Asks
    ref: Ref
    key: Kind | None = None
    """Of a count by groups."""
    function: Function = Function.MEAN
    how: Comparing = Comparing.WHETHER_MORE
    sides: tuple[Part, Part] | None = None
    """What is compared; each is added to ``ref``."""
