"""The base of every type that crosses a package."""

from __future__ import annotations

from typing import TypeAlias

from pydantic import BaseModel, ConfigDict

AttributeValue: TypeAlias = str | bool | int | float | tuple[str, ...]
"""What an attribute of a record, statement or entity may hold. Absent values are left out."""


class Frozen(BaseModel):
    """An immutable value that refuses unknown fields.

    >>> class Point(Frozen):
    ...     x: int
    >>> Point(x=1).model_dump()
    {'x': 1}
    """

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)
