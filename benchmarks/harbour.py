"""The harbour: the small schema that random queries are drawn over, and the values of their parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from schemas.questions import Parameter
from schemas.store_schema import (
    PropertyType,
    StoreLabel,
    StoreProperty,
    StoreRelation,
    StoreSchema,
    StoreTriple,
)

GIVEN: Final[dict[str, Parameter]] = {
    "number": 3,
    "text": "salt",
    "numbers": (1, 2),
    "texts": ("a", "b"),
    "label": "Port",
    "vector": (0.1, 0.2, 0.3),
    "limit": 5,
}
"""Values of the parameters of all queries."""
VECTOR: Final = (0.1, 0.2, 0.3)
"""What every text of ``similarity()`` is embedded as."""
HIDDEN: Final = "Ledger"
"""Label of nodes that no query may reach."""
SECRET: Final = "toll"
"""Property of every node and relationship that no query may name."""
PUBLIC: Final = frozenset({"Lighthouse", "LIGHTS_UP"})
"""What has no status and is in every scope."""
_PROPERTIES: Final = {
    "name": PropertyType.STRING,
    "berths": PropertyType.INTEGER,
    "tons": PropertyType.FLOAT,
    "open": PropertyType.BOOLEAN,
    "built": PropertyType.DATE,
    "place": PropertyType.POINT,
}
STEPS: Final = (
    ("Port", "SAILS_TO", "Port"),
    ("Ship", "MOORED_AT", "Port"),
    ("Lighthouse", "LIGHTS_UP", "Port"),
    ("Ship", "FOLLOWS_SHIP", "Ship"),
    ("Order", "FOR_SHIP", "Ship"),
)
LABELS: Final = ("Port", "Ship", "Lighthouse", "Order")
_STATUS: Final = StoreProperty(name="status", type=PropertyType.STRING)


def embed(texts: Sequence[str]) -> NDArray[np.float32]:
    """The same vector for each text."""
    return np.array([VECTOR for _ in texts], dtype=np.float32)


def harbour_schema() -> StoreSchema:
    """Four labels, one of them a keyword, five types; every label has all properties.

    All but lighthouses and their light have a status; orders have no vector; ledgers are hidden.
    """
    plain = tuple(StoreProperty(name=k, type=t) for k, t in _PROPERTIES.items())
    many = (
        StoreProperty(name="flags", type=PropertyType.STRING, many=True),
        StoreProperty(name="depths", type=PropertyType.INTEGER, many=True),
    )
    hours = (StoreProperty(name="hours", type=PropertyType.INTEGER), *plain)
    return StoreSchema(
        labels=tuple(
            StoreLabel(
                name=x,
                properties=(*plain, *many, *(() if x in PUBLIC else (_STATUS,))),
                hidden=(SECRET,),
                vector_property="vector" if x != "Order" else "",
                vector_index="ports" if x == "Port" else "",
            )
            for x in LABELS
        ),
        relations=tuple(
            StoreRelation(type=t, properties=hours if t in PUBLIC else (*hours, _STATUS), hidden=(SECRET,))
            for _, t, _ in STEPS
        ),
        triples=tuple(StoreTriple(start=a, type=t, end=b) for a, t, b in STEPS),
        hidden_labels=(HIDDEN,),
        scope_property="status",
    )
