"""Names that a graph schema declares more than once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

Fault = tuple[tuple[str | int, ...], str]
"""Where in the schema, and what is wrong there."""


class Declaring(Protocol):
    """What declares entity and relation types, each with a name and attributes, entities with a label."""

    @property
    def entities(self) -> Sequence[Any]: ...
    @property
    def relations(self) -> Sequence[Any]: ...


def declared_twice(schema: Declaring) -> Iterator[Fault]:
    """A fault for each name or label that a schema gives to two types, or a type to two attributes."""
    for field, key in (("entities", "name"), ("relations", "name"), ("entities", "label")):
        seen: set[str] = set()
        for index, item in enumerate(getattr(schema, field)):
            value = getattr(item, key)
            if value in seen:
                yield (field, index, key), f"{key} {value!r} is declared twice in {field}"
            seen.add(value)
    for field in ("entities", "relations"):
        for index, item in enumerate(getattr(schema, field)):
            names = [a.name for a in item.attributes]
            for at, name in enumerate(names):
                if name in names[:at]:
                    yield (
                        (field, index, "attributes", at, "name"),
                        f"attribute {name!r} of {item.name} is declared twice",
                    )
