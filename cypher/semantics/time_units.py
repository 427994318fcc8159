"""Units of time, said and kept."""

from __future__ import annotations

from typing import Final

from cypher.semantics.lexicon import Words
from cypher.semantics.text import identifier_words, stem

_SECONDS: Final = {
    "second": 1, "sec": 1, "minute": 60, "min": 60, "hour": 3600, "day": 86_400, "week": 604_800,
}  # fmt: skip
"""Units by the number of seconds in them."""


def unit_of(word: str) -> str:
    """The unit that a word says, in the singular, or nothing.

    >>> unit_of("minutes"), unit_of("metres")
    ('minute', '')
    """
    one = word.removesuffix("s")
    return one if one in _SECONDS else ""


def own_unit(words: Words, owner: str, name: str) -> str:
    """The unit that a property is kept in, where a word for it is one."""
    for unit in _SECONDS:
        for term in words.lexicon.phrases.get((stem(f"{unit}s"),), ()):
            if term.kind == "property" and term.name == name and owner in term.owners:
                return unit
    return next((found for x in identifier_words(name) if (found := unit_of(x))), "")


def converted(number: float, said: str, own: str) -> float:
    """A length told in one unit, in another; as it is where one of them is not known.

    >>> converted(1.5, "minute", "second"), converted(120, "second", "minute"), converted(3, "minute", "")
    (90, 2, 3)
    """
    value = number * _SECONDS[said] / _SECONDS[own] if said and own else number
    return int(value) if value == int(value) else value
