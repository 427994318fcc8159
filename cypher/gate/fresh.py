"""Names for the variables that the gate adds to a query: none that the query has already."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from cypher.syntax import nodes as n
from cypher.syntax.walk import walk

_FIELDS = ("variable", "accumulator", "alias", "name")
"""Fields that hold a name, of whatever kind: a name too many is only left unused."""


@dataclass(slots=True)
class Fresh:
    """Gives names that no variable, column or import of one query has."""

    prefix: str
    used: set[str] = field(default_factory=set)
    _count: int = 0

    def look_at(self, query: n.Query) -> None:
        """Keeps the names of a query from being given."""
        self.used.update(x for node in walk(query) for x in _names(node))

    def name(self) -> str:
        """The next name.

        >>> Fresh("__v", {"__v1"}).name()
        '__v2'
        """
        while True:
            self._count += 1
            if (made := f"{self.prefix}{self._count}") not in self.used:
                return made


def _names(node: n.Node) -> Iterator[str]:
    for kind in _FIELDS:
        found = getattr(node, kind, None)
        if isinstance(found, str):
            yield found
    if isinstance(node, n.CallSubquery):
        yield from node.imports or ()
