"""Nouns tied by words that say nothing to the schema, where a question has no other reading."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.auxiliaries import lying
from cypher.semantics.chart.forms import Predicate
from cypher.semantics.chart.wordlists import AUXILIARIES, FREE, HARD, PREPOSITIONS, WHO

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_LONGEST: Final = 6
"""Words between two nouns at most."""
_LIGHT: Final = 0.2
"""Cost of a word that says little by itself: a preposition, "who", "is"."""
_BREAKS: Final = HARD | {
    "and",
    "or",
    "but",
    "whose",
    "where",
    "as",
    "also",
    "well",
    "rather",
    "instead",
    "too",
}


def somehow(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(People) who are thick as thieves with Ann": tied to what comes next in whichever way is nearest."""
    lost, word, told = 0.0, "", False
    for place in range(at, min(at + _LONGEST, p.size)):
        here = p.word(place)
        if not here.isalpha() or here in _BREAKS or p.lattice.of(place, "value", "number", "day", "text"):
            return
        light = here in PREPOSITIONS | FREE | WHO | AUXILIARIES
        lost += _LIGHT if light else p.lost(place)
        told = told or not light
        word = here if here in PREPOSITIONS else word
        for noun in p.objects(place + 1) if told else ():
            if not noun.wanted:
                yield lying(noun, word, (("c_skip", lost),))
