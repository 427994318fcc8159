"""A rule of rephrasing: an expression and what is said in its place."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

Rule = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]


def rule(expression: str, said: str | Callable[[re.Match[str]], str]) -> Rule:
    """A rule that does not tell capitals from small letters."""
    return re.compile(expression, re.IGNORECASE), said


TELLING: Final = r"(?:give|tell|show|list)"
"""Commands before what is wanted for each of something."""
MANY: Final = r"(?:people|persons|men|women|children|\w+s)"
"""A noun for several things."""
