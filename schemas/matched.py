"""What a query matched in the store, and how one that compares nodes with a text can begin with an index."""

from __future__ import annotations

from pydantic import Field

from schemas.model import Frozen


class VectorSearch(Frozen):
    """How a query that compares nodes with a text can begin with a vector index."""

    index: str
    vector: tuple[float, ...]
    neighbours: int = Field(ge=1)
    """Nodes of the first search."""
    least: float | None = None
    """Score of the index, in [0, 1], below which nothing counts; ``None``: the nearest are asked for."""
    rows: int = Field(0, ge=0)
    """Rows that the query asks for, where that is known."""
    always: bool = False
    """Whether the query asks for the index, however few nodes there are."""


class Matched(Frozen):
    """A node or relationship that a query matched."""

    element: str
    """The store's own id, which holds until it is loaded again."""
    id: str = ""
    """The id that stays; empty where it has none."""


class Provenance(Frozen):
    """What the patterns of a query matched: all rows together, each thing once."""

    nodes: tuple[Matched, ...] = ()
    edges: tuple[Matched, ...] = ()
    rows: int = 0
    """Matches that were read."""
    truncated: bool = False
