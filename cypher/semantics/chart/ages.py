"""Whether a number may be a year or an age."""

from __future__ import annotations

from typing import Final

from cypher.semantics.cues import FLIPPED
from cypher.semantics.inflected import is_verb_form
from cypher.semantics.lexicon import PropertyInfo
from cypher.semantics.lives import is_of_life
from cypher.semantics.text import identifier_words

OLDEST: Final = 1_000
"""Age in years that nothing is asked for beyond."""


def is_later(info: PropertyInfo) -> bool:
    """Whether a day or year is none of birth or death: that somebody joined, "latest" asks for."""
    return info.dated and not is_of_life(info.name)


def is_deed(info: PropertyInfo | None) -> bool:
    """Whether a day is that of something done, as ``deliveredOn`` is, not of the thing itself."""
    return info is not None and any(is_verb_form(w) for w in identifier_words(info.name))


def is_year(value: object) -> bool:
    """Whether a number is rather a year: from 1000 to 2100."""
    return isinstance(value, (int, float)) and 1000 <= value <= 2100


def is_age(info: PropertyInfo, value: object) -> bool:
    """Whether a value can be an age, or the year that ages are counted from."""
    from_year = any(w in FLIPPED for w in identifier_words(info.name))
    return not isinstance(value, (int, float)) or (is_year(value) if from_year else value <= OLDEST)
