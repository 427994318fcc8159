"""Hyphens between words that a schema knows apart: "a social-network friend"."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Final

from cypher.semantics.text import Word, words

_HYPHENED: Final = re.compile(r"(?<![\w-])[a-z]+-[a-z]+(?![\w-])")
_SUPERLATIVES: Final = frozenset({"highest", "lowest", "largest", "smallest", "longest", "shortest"})
_BOTH: Final = 2
MOST_BEHIND: Final = 2
"""Words behind a hyphened one that a known phrase may take in."""


def without_hyphens(text: str, kinds: Callable[[Sequence[Word]], Collection[str]]) -> str:
    """The text with a space for each hyphen that parts the words of a known phrase, outside quotes.

    ``kinds`` tells of what kinds the terms are that words stand for. A property in front of a thing stays
    one word, which is then passed over: no "latest model-year car" is asked for its model year.

    >>> without_hyphens("the highest-priced part", lambda _: ())
    'the highest priced part'
    >>> without_hyphens("her social-network friends", lambda w: {"relation"} if len(w) == 3 else ())
    'her social network friends'
    """

    def parted(found: re.Match[str]) -> str:
        if text[: found.start()].count('"') % 2 or kinds(words(found[0])):
            return found[0]
        apart = found[0].replace("-", " ")
        if apart.split()[0] in _SUPERLATIVES:
            return apart
        behind = words(text[found.end() :])[:MOST_BEHIND]
        span = (*words(apart), *behind)
        longer = any(kinds(span[:size]) for size in range(_BOTH + 1, len(span) + 1))
        attribute = "label" in kinds(behind[:1])
        return apart if longer or (kinds(span[:_BOTH]) and not attribute) else found[0]

    return _HYPHENED.sub(parted, text)
