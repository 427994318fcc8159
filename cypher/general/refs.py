"""What phrases of a question refer to, before it is known how they join."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cypher.form import Op
from cypher.general.kinds import Kind
from cypher.general.plan import Number, Test

EVERY: Final = -1
"""Of ``Ref.keep``: all of them are wanted, each with its own number."""


@dataclass(frozen=True, slots=True)
class Most:
    """ "the most", "the fewest": orders the answer by a number of things."""

    descending: bool = True


@dataclass(frozen=True, slots=True)
class Extreme:
    """ "latest", "largest": orders by a number of the thing. ``kind`` is ``None`` for the measured value."""

    kind: Kind | None
    descending: bool = True


@dataclass(frozen=True, slots=True)
class Contrasted:
    """ "larger than the statistical error"."""

    op: Op
    right: Kind


class Mode(StrEnum):
    """How the members of a coordination join."""

    ALL = "and"
    ANY = "or"


@dataclass(frozen=True, slots=True)
class Part:
    """A phrase that says something of a thing: "from LHCb", "not on phi_s", "a J/psi and a phi"."""

    refs: tuple[Ref, ...]
    mode: Mode = Mode.ALL
    negated: bool = False
    preposition: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Phrases that say something of one event: all that a clause says.

    ``active`` is set where the thing itself does what the relation names, unset where it is done to it.
    """

    parts: tuple[Part, ...]
    negated: bool = False
    relation: str = ""
    active: bool | None = None
    ranked: Most | Extreme | None = None
    """Of the event itself: "most often", "first"."""
    number: Number | None = None
    """Of the events: "more than twice"."""


@dataclass(frozen=True, slots=True)
class Ref:
    """A noun phrase."""

    kind: Kind
    tests: tuple[Test, ...] = ()
    groups: tuple[Group, ...] = ()
    number: Number | None = None
    ranked: Most | Extreme | None = None
    keep: int = 0
    """ "the three papers": how many are wanted."""
    contrast: Contrasted | None = None
    each: bool = False
    other: bool = False
    named: str = ""
    """The words of a thing that is named, empty for a noun."""
    plural: bool = False
