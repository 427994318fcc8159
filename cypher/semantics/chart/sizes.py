"""Things ranked by how long a text or a list of theirs is: "the longest title"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Extreme, Features, Has, Predicate
from cypher.semantics.chart.phrases import most_of, superlative
from cypher.semantics.chart.stated import past_head
from cypher.semantics.chart.wanting import owners, quantities
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser
    from cypher.semantics.lexicon import PropertyInfo

SIZED: Final = frozenset({"largest", "biggest", "smallest"})
"""Superlatives that say of things how big they are, where no property follows."""
_DIFFERENT: Final = frozenset({"different", "distinct"})
_LONG: Final = frozenset({"longest", "shortest", "lengthiest", "briefest"})


def is_sized(info: PropertyInfo | None, word: str) -> bool:
    """Whether "longest" says of a property how much text it is."""
    plain = info is not None and not (info.numeric or info.dated or info.numeric_text)
    return word in _LONG and plain


def by_size(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(With) the longest title", "the shortest motto"."""
    found = superlative(p.lower, at)
    for lexeme in p.lattice.of(found.end, "property") if found else ():
        for owner, name in owners(p, lexeme):
            info = p.vocabulary.words.properties.get((owner, name))
            if found and is_sized(info, p.word(at)):
                features: Features = (("c_property", lexeme.score), ("c_cue", 1.0))
                limit = Extreme(name, found.descending, sized=True)
                end = past_head(p, lexeme.end)
                yield Predicate(end, owner, (limit,), total(features), features)
    yield from _by_entries(p, at)
    yield from _so_many(p, at)


def _so_many(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(With) more than 3 languages", where a thing holds a list of them."""
    for end, quantity in quantities(p, at):
        if quantity.kind != "number":
            continue
        for lexeme in p.lattice.of(end + (p.word(end) in _DIFFERENT), "property"):
            for owner, name in owners(p, lexeme):
                info = p.vocabulary.words.properties.get((owner, name))
                if info is not None and info.many:
                    features: Features = (("c_property", lexeme.score), ("c_cue", 1.5))
                    limit = Has(name, quantity.operator, quantity.number, sized=True)
                    yield Predicate(lexeme.end, owner, (limit,), total(features), features)


def _by_entries(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(With) the most languages", where a thing holds a list of them."""
    found = most_of(p.lower, at)
    place = found[0] + (p.word(found[0]) in _DIFFERENT) if found else at
    for lexeme in p.lattice.of(place, "property") if found else ():
        for owner, name in owners(p, lexeme):
            info = p.vocabulary.words.properties.get((owner, name))
            if found and info is not None and info.many:
                features: Features = (("c_property", lexeme.score), ("c_cue", 1.5))
                limit = Extreme(name, found[1], sized=True)
                yield Predicate(past_head(p, lexeme.end), owner, (limit,), total(features), features)
