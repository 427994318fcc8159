"""Which nodes of a database are tied to which, as columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int32]
"""Nodes by their place in ``StoreTies.elements``."""


@dataclass(frozen=True, slots=True)
class StoreTies:
    """The nodes and relationships of a database without their properties (bulk path).

    A node is told by its place in ``elements``. What a query may not name is left out.
    """

    elements: tuple[str, ...]
    """Element ids of the nodes, each once."""
    labels: Mapping[str, Places]
    """Label -> the places of its nodes, ascending, shape (n_nodes_of_label,)."""
    relations: Mapping[str, tuple[Places, Places]]
    """Type -> where each of its relationships starts and where it ends, both of shape (n_relationships,)."""

    def __len__(self) -> int:
        return len(self.elements)
