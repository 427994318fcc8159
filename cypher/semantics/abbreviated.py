"""Abbreviations that a graph keeps and people spell out: "principal investigator" for PI."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from cypher.semantics.text import Word

SPELLED: Final = 0.85
"""What a value counts that is spelled out."""
_SHORT: Final = re.compile(r"[A-Z]{2,4}|[A-Z][a-z]{1,3}-[A-Z]")
"""Capitals, one for each word; or a prefix and a capital."""
_JOINING: Final = frozenset({"of", "the", "and", "for", "in", "to"})
_LEAST: Final = 2


def initials(span: Sequence[Word]) -> Iterator[str]:
    """Keys of values that words may spell out, that of two words first.

    >>> from cypher.semantics.text import words
    >>> list(initials(words("principal investigator"))), list(initials(words("co-investigators")))
    (['principal i', 'pi'], ['co i', 'ci'])
    """
    parts = [x for w in span for x in w.lower.split("-") if x not in _JOINING]
    if len(parts) < _LEAST or not all(x.isalpha() and len(x) >= _LEAST for x in parts):
        return
    if len(parts) == _LEAST:
        yield f"{parts[0]} {parts[1][0]}"
    yield "".join(x[0] for x in parts)


def is_abbreviation(text: str) -> bool:
    """Whether a stored text looks like one.

    >>> is_abbreviation("PI"), is_abbreviation("Co-I"), is_abbreviation("Ada")
    (True, True, False)
    """
    return _SHORT.fullmatch(text) is not None
