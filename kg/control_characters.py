"""Characters that steer a terminal, or turn the direction of what follows, and tell a reader nothing."""

from __future__ import annotations

import re
from typing import Final

_STEERING: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Control characters but for tab and line feed, marks of direction, and halves of pairs."""


def plain(text: str, most: int | None = None) -> str:
    """A text without them, of at most so many characters.

    >>> plain("wrong\\x1b[2J, \\x07see\\x00\\n\\tthe table")
    'wrong[2J, see\\n\\tthe table'
    """
    return _STEERING.sub("", text)[:most]


def escaped(json_text: str) -> str:
    """JSON that means the same, with such characters as ``\\\\uXXXX``.

    >>> escaped('"\\x9b2J"')
    '"\\\\u009b2J"'
    """
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", json_text)
