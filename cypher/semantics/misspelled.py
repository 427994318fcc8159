"""Words a letter away from a schema's word: misspelled in the question, or in the schema itself."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Final

from rapidfuzz.distance import DamerauLevenshtein

SHORTEST: Final = 7
"""Letters of a stem at least: shorter words are a letter away from too many others."""
EXCHANGED: Final = 6
"""Letters of a stem at least of which two neighbours are exchanged."""


class Misspelled:
    """Stems of a schema's words, for stems that are none of them.

    >>> Misspelled(["substance", "colour"]).stem("substabce")
    'substance'
    >>> Misspelled(["director"]).stem("directed")
    'directed'
    >>> Misspelled(["receiv"]).stem("reciev")
    'receiv'
    >>> Misspelled(["address"]).stem("adress")
    'address'
    """

    def __init__(self, stems: Iterable[str]) -> None:
        self._known = frozenset(stems)
        self._long = sorted(s for s in self._known if len(s) >= EXCHANGED)
        self._found: dict[str, str] = {}

    def stem(self, said: str) -> str:
        """The schema's stem that was meant, or ``said`` itself.

        One letter is wrong, missing, too many or exchanged with the next; the first and the last stay, as
        endings tell words apart. In short words, only a doubled letter may be missing or too many.
        """
        if len(said) < EXCHANGED - 1 or said in self._known:
            return said
        if said not in self._found:
            near = [s for s in self._long if _is_near(said, s)]
            self._found[said] = near[0] if len(near) == 1 else said
        return self._found[said]


def _is_near(said: str, known: str) -> bool:
    if abs(len(said) - len(known)) > 1 or (said[0], said[-1]) != (known[0], known[-1]):
        return False
    short = min(len(said), len(known)) < SHORTEST
    if short and sorted(said) != sorted(known) and _once(said) != _once(known):
        return False
    return DamerauLevenshtein.distance(said, known, score_cutoff=1) <= 1


def _once(stem: str) -> str:
    """The letters of a stem, doubled ones once."""
    return "".join(key for key, _ in groupby(stem))
