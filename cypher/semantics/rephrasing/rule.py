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


def plural(noun: str) -> str:
    """A regular plural.

    >>> plural("city"), plural("film"), plural("films")
    ('cities', 'films', 'films')
    """
    if re.search(r"[^aeiou]y$", noun):
        return f"{noun[:-1]}ies"
    return noun if noun.endswith("s") else f"{noun}s"


def singular(noun: str) -> str:
    """What a regular plural is of.

    >>> singular("cities"), singular("films"), singular("class")
    ('city', 'film', 'class')
    """
    if noun.endswith("ies"):
        return f"{noun[:-3]}y"
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun
