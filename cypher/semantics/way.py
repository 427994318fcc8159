"""What question sets write in different ways, where the meaning of a question leaves it open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Way:
    """How a reading is written; without arguments it is our own way.

    >>> Way().arrow, Way(undirected=True).arrow
    ('->', '-')
    """

    whole_nodes: bool = False
    """Returns the answer node itself where its name would be."""
    bare: bool = False
    """Leaves out the sort key that is otherwise shown beside a ranked answer."""
    one: bool = False
    """Returns one of several that share the largest or smallest value; all are returned otherwise."""
    undirected: bool = False
    """Matches relationships in both directions: a relation of two things of one label holds for both."""
    stored: bool = False
    """Sorts by what is stored, as a bare ``ORDER BY`` does: numbers and days in a text as text, and what has
    no value as larger than all others. Otherwise numbers and days count, and what has none is left out."""
    elements: bool = False
    """Returns the ids of all answer nodes as one list where their names would be."""
    apart: bool = False
    """Takes no relationship twice: a crime "in the area where Ann lives" is not one at her own address."""

    @property
    def arrow(self) -> str:
        """The end of a relationship pattern."""
        return "-" if self.undirected else "->"


SHOWN: Final = frozenset({"name", "title", "id"})
"""What a node that is returned as such is shown by; a name kept elsewhere is returned itself."""
OURS: Final = Way()
"""The way of the service."""
