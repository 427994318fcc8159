"""Properties compared with those of another thing: "the same surname as Ann", "built in the same year as"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Compared, Features, Predicate
from cypher.semantics.chart.lexemes import Lexeme
from cypher.semantics.chart.wanting import owners, past
from cypher.semantics.ir import Operator
from cypher.semantics.score import total
from schemas.store_schema import PropertyType

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_SHARED: Final = frozenset({"same", "identical"})
_DAYS: Final = frozenset({"year", "day", "date"})


def shared(p: Parser, at: int) -> Iterator[Predicate]:
    """ "The same surname as Ann", "a higher age than Ann", "shares a surname with Ann"."""
    yield from _at_one_time(p, at)
    operator = Operator.EQ
    if p.word(at) in _SHARED:
        place = at + 1
    elif p.word(at) in ("share", "shares", "sharing", "shared"):
        place = past(p, at + 1)
        place = place + 1 if p.word(place) in _SHARED else place
    elif p.word(at) == "different":
        place, operator = at + 1, Operator.NE
    elif p.word(at) in ("higher", "greater", "larger", "later", "more"):
        place, operator = at + 1, Operator.GT
    elif p.word(at) in ("lower", "smaller", "earlier", "less", "fewer"):
        place, operator = at + 1, Operator.LT
    else:
        return
    for lexeme in p.lattice.of(place, "property"):
        if p.word(lexeme.end) not in ("as", "with", "than", "from"):
            continue
        for noun in p.nouns(lexeme.end + 1):
            for owner, name in owners(p, lexeme):
                other = property_of(p, noun.thing.label, name, lexeme)
                if other and noun.quantity is None and not noun.wanted:
                    features = (*noun.features, ("c_property", lexeme.score), ("c_cue", 1.0))
                    limit = Compared(name, operator, noun.thing, other)
                    if noun.thing.label != owner:
                        features = (*features, ("c_owner", 0.8))
                    yield Predicate(noun.end, owner, (limit,), total(features), features)


def property_of(p: Parser, label: str, name: str, lexeme: Lexeme) -> str:
    """The property of a label that a word means, where that has it; else an empty name."""
    found = p.vocabulary.schema.label(label)
    if found is None or label not in lexeme.owners:
        return ""
    return name if any(x.name == name for x in found.properties) else ""


def _at_one_time(p: Parser, at: int) -> Iterator[Predicate]:
    """ "Built in the same year as the Aurora": where the property holds a year, or for days a day."""
    for lexeme in p.lattice.of(at, "property", "verbal"):
        place = past(p, lexeme.end + (p.word(lexeme.end) in ("in", "on")))
        unit = p.word(place + 1)
        said = p.word(place) in _SHARED and p.word(place + 2) == "as" and unit in _DAYS
        for noun in p.nouns(place + 3) if said else ():
            if noun.quantity or noun.wanted:
                continue
            for owner, name in owners(p, lexeme):
                info = p.vocabulary.words.properties.get((owner, name))
                fits = info and (info.type is PropertyType.INTEGER if unit == "year" else info.dated)
                if fits and (other := property_of(p, noun.thing.label, name, lexeme)):
                    features: Features = (*noun.features, ("c_property", lexeme.score), ("c_cue", 2.0))
                    limit = Compared(name, Operator.EQ, noun.thing, other)
                    yield Predicate(noun.end, owner, (limit,), total(features), features)
