"""Words of English that several readers need: each list once, and the readers' own ones made from it."""

from __future__ import annotations

from typing import Final

_ONES: Final = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
NUMBERS: Final = {
    **{word: number for number, word in enumerate(_ONES, 1)},
    **{word: 10 * number for number, word in enumerate(_TENS, 2)},
}
"""Whole numbers of one word, from one to ninety."""


def numbers_up_to(most: int, least: int = 1) -> dict[str, int]:
    """The numbers of one word that a reader takes.

    >>> numbers_up_to(3)
    {'one': 1, 'two': 2, 'three': 3}
    """
    return {word: number for word, number in NUMBERS.items() if least <= number <= most}


ASKERS: Final = frozenset({"who", "whom", "whose", "which", "what", "where", "when", "how"})
"""Words with which a question begins, and behind which its subject or verb comes."""
AUXILIARIES: Final = frozenset({"is", "are", "was", "were", "do", "does", "did", "have", "has", "had", "can"})
"""Verbs with which a question of yes or no begins."""
REQUESTS: Final = frozenset({"list", "show", "name", "give"})
"""Verbs with which somebody asks for a list."""
POINTERS: Final = frozenset(
    {"this", "these", "it", "they", "them", "their", "he", "she", "our", "my", "your"}
)
"""Words for what was said before, or for who asks."""
BEFORE_ONE: Final = frozenset({"of", "by", "at", "from", "in", "for"})
"""Prepositions between a thing and the one that it belongs to."""
BEFORE_SEVERAL: Final = frozenset(
    {"with", "into", "to", "containing", "contain", "contains", "including", "include", "includes"}
    | {"involving", "involve", "involves"}
)
"""Words between a thing and the several that it has."""
TEXTS: Final = frozenset({"word", "words", "phrase", "text", "string", "term"})
"""Nouns for a piece of text that a name or title holds."""
LARGEST: Final = "largest|biggest|highest|greatest"
"""Superlatives of any size, as alternatives."""
LATEST: Final = "latest|most recent|newest|last|most recently"
EARLIEST: Final = "first|earliest|oldest|for the first time"
