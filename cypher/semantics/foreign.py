"""Properties that keep the id of another thing, as tables do that were loaded into a graph."""

from __future__ import annotations

from typing import Final

from cypher.semantics.text import identifier_words
from schemas.store_schema import StoreProperty, StoreSchema

_KEYS: Final = frozenset({"id", "key", "fk", "ref"})
"""Last words of properties that keep what other things are found by."""


def is_foreign(prop: StoreProperty, owner: str, schema: StoreSchema) -> bool:
    """Whether a property keeps the id of another thing: "category" is not its ``categoryID``.

    >>> from schemas.store_schema import StoreLabel
    >>> schema = StoreSchema(labels=(StoreLabel(name="Product"), StoreLabel(name="Category")))
    >>> [is_foreign(StoreProperty(name=n), "Product", schema) for n in ("categoryID", "category")]
    [True, False]
    """
    *kind, last = identifier_words(prop.name)
    others = ("".join(identifier_words(x.name)) for x in schema.labels if x.name != owner)
    return last in _KEYS and bool(kind) and "".join(kind) in others
