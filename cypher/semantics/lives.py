"""Births, deaths and ages: properties that hold their days, and questions that speak of them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from cypher.semantics.text import identifier_words

_ENDS: Final = frozenset({"birth", "born", "birthday", "birthdate", "death", "died", "dob", "deceased"})
_DAYS: Final = frozenset({"date", "year", "day", "on", "time"})
_AGES: Final = _ENDS | frozenset(
    word
    for line in (
        "births birthdays birthdates deaths die dies dead age ages aged old older oldest eldest elder",
        "young younger youngest",
    )
    for word in line.split()
)
_LIVES: Final = _AGES | frozenset(
    ("live", "lives", "lived", "alive", "lifespan", "lifetime", "passed", "centenarian", "generation")
)


def is_of_life(name: str) -> bool:
    """Whether a property is of somebody's birth or death.

    >>> is_of_life("birthYear"), is_of_life("hired_on")
    (True, False)
    """
    return bool(_ENDS & set(identifier_words(name)))


def holds_day_of_life(name: str) -> bool:
    """Whether a property says when somebody was born or died.

    >>> is_of_life("place_of_birth"), holds_day_of_life("place_of_birth"), holds_day_of_life("born")
    (True, False, True)
    """
    words = set(identifier_words(name))
    return bool(words & _ENDS) and (bool(words & _DAYS) or len(words) == 1)


def asks_age(words: Collection[str]) -> bool:
    """Whether a question, in small letters, asks for a birth, a death or an age."""
    return not _AGES.isdisjoint(words)


def speaks_of_lives(words: Collection[str]) -> bool:
    """Whether a question speaks of lives at all, if only of where somebody lived."""
    return not _LIVES.isdisjoint(words)
