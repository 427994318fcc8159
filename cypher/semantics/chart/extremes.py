"""Superlatives of a property: "the latest date", "the most pages", "the most tickets sold" in all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.amounts import is_amount
from cypher.semantics.chart.days import made
from cypher.semantics.chart.forms import Extreme, Features, Predicate, Wanted
from cypher.semantics.chart.naming import named_so
from cypher.semantics.chart.phrases import most_of, superlative
from cypher.semantics.chart.stated import past_head
from cypher.semantics.chart.wanting import owners
from cypher.semantics.cues import FLIPPED
from cypher.semantics.numbered import names_amount
from cypher.semantics.text import identifier_words

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser


_PLACES: Final = frozenset({"order", "index", "position", "sequence", "seq", "rank", "id"})
"""Last words of properties that say which of several something is, not how many."""


def extreme(p: Parser, at: int) -> Iterator[Predicate]:
    """ "The latest date", "the most pages", "the highest number of pages"."""
    found, many = superlative(p.lower, at), most_of(p.lower, at)
    if found and named_so(p, at, found.end):
        return
    place, descending = (found.end, found.descending) if found else (at + 1, p.word(at) == "most")
    if found is None and p.word(at) not in ("most", "fewest", "least"):
        return
    many_of = many[0] if found and many and many[0] > found.end else 0
    for lexeme in p.lattice.of(place, "property"):
        for owner, name in owners(p, lexeme) if lexeme.end > many_of else ():
            info = p.vocabulary.words.properties.get((owner, name))
            placed = _PLACES & set(identifier_words(name)[-1:]) and not names_amount(name)
            if found is None and placed:
                continue  # "the most stops" are no largest place of a stop
            if info and (info.numeric or info.dated):
                features: Features = (("c_property", lexeme.score), ("c_cue", 1.0))
                end = past_head(p, lexeme.end)
                added = bool(many_of or found is None) and is_amount(p, Wanted((), owner, name))
                since = info.dated or bool(FLIPPED & set(identifier_words(name)))
                flip = found is not None and found.hint == "age" and since  # the youngest queen was born last
                yield made(end, owner, (Extreme(name, descending != flip, added=added),), features)
