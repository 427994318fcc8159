"""Deeds that only a relationship keeps: "how many reviews has Ann written" of a type ``REVIEWED``."""

from __future__ import annotations

import re
from typing import Final

from cypher.semantics.mentions import Linked

_LIGHT: Final = (
    r"(?:given|give|gave|written|write|wrote|made|make|left|leave|posted|post|submitted|submit|received|receive"
    r"|gotten|got|get|done|do)"
)
_COUNTED: Final = re.compile(
    rf"^how many (?P<deeds>[\w-]+) (?:(?:has|have|did|does|do) (?P<one>.+?) (?:ever )?{_LIGHT}"
    rf"|(?:are|were|have been) (?:(?:{_LIGHT} )?by) (?P<other>.+?))\s*[?.]*$",
    re.IGNORECASE,
)
_PLACE: Final = 2
"""Where the noun stands: behind "how many"."""


def counted_deeds(linked: Linked) -> str | None:
    """The question for how many somebody has, where the noun names only relationships; else ``None``.

    Who gives, writes or makes a review reviews: the verb says no more than the noun.
    """
    found = _COUNTED.match(linked.text)
    if found is None or not any(m.start == _PLACE == m.end - 1 for m in linked.relations):
        return None
    if any(m.start <= _PLACE < m.end and m.terms and m not in linked.relations for m in linked.mentions):
        return None
    return f"how many {found['deeds']} does {found['one'] or found['other']} have?"
