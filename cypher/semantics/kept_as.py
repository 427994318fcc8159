"""How the values of a property are kept: as days of a type of their own, or of a text."""

from __future__ import annotations

from cypher.semantics.ir import PropertyRef
from cypher.semantics.lexicon import PropertyInfo
from schemas.store_schema import PropertyType


def described(info: PropertyInfo | None, place: int, name: str, *, edge: bool = False) -> PropertyRef:
    """A property of the node, or the edge, at a place, with how its values are kept where that is known."""
    if info is None:
        return PropertyRef(place, name, edge)
    kept = (info.numeric_text, info.many, info.day_text, info.iso_text, info.clock)
    return PropertyRef(place, name, edge, *kept)


def is_kept_as_day(info: PropertyInfo) -> bool:
    """Whether values are days, not times of day or names of such."""
    return info.day_text or info.iso_text or info.type in (PropertyType.DATE, PropertyType.DATETIME)
