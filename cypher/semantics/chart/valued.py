"""Values of a property as what is spoken of: "which makes have more than 30 cars", "occur twice"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Asked, Counted, Features, Loose, Most, Noun, Predicate, Thing
from cypher.semantics.chart.quantities import loosely
from cypher.semantics.chart.settle import OFTEN
from cypher.semantics.chart.wanting import often
from cypher.semantics.chart.wordlists import words_of
from cypher.semantics.ir import Head, Operator
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_OCCURRING: Final = words_of(
    "appear appears appeared exist exists existed feature features featured figure figures figured happen",
    "happens happened occur occurs occurred recur recurs recurred repeat repeated",
)
_HELD: Final = words_of("borne carried found held seen shared used worn")
_HOLDERS: Final = frozenset({"by", "among", "in", "on", "for", "with"})


def is_valued(noun: Noun) -> bool:
    """Whether one property of the things named is asked for."""
    return len(noun.wanted) == 1 and not (noun.wanted[0].path or noun.wanted[0].step)


def in_main_clause(noun: Noun) -> Noun:
    """A noun of which a sentence's own verb tells how many belong to each of its values."""
    counted = any(isinstance(x, (Counted, Most)) for x in noun.last)
    return replace(noun, by_value=True) if counted and is_valued(noun) else noun


def most_by_value(noun: Noun) -> Noun:
    """A noun of many of which the most is told for each value: "on which day raids hit most ports"."""
    told = noun.last and isinstance(noun.last[-1], Most)
    return replace(noun, by_value=True) if told and is_valued(noun) else noun


def pooled(noun: Noun, asked: Asked) -> Asked:
    """The question with what is counted told for each value, where values are asked for."""
    counted = [x for x in asked.thing.limits if isinstance(x, (Counted, Most))]
    if not noun.by_value or asked.head is not Head.LIST or len(counted) != 1:
        return asked
    only = counted[0]
    rising = not isinstance(only, Counted) or only.operator in (Operator.GT, Operator.GE, Operator.EQ)
    return replace(asked, pooled=True) if rising or not only.path else asked


def occurring(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(Makes that) occur more than three times", "(surnames) shared by two people"."""
    if p.word(at) in _OCCURRING:
        for end, quantity in often(p, at + 1):
            features: Features = (("c_cue", 2.0), ("c_relation", 1.0))
            limits = (Loose(Thing(""), OFTEN, quantity),)
            yield Predicate(end, "", limits, total(features), features)
    if p.word(at) in _HELD and p.word(at + 1) in _HOLDERS:
        for noun in p.objects(at + 2):
            if noun.quantity is not None and not (noun.wanted or noun.also or noun.either):
                said: Features = (*noun.features, ("c_relation", 0.6))
                yield Predicate(noun.end, noun.thing.label, loosely(noun, OFTEN), total(said), said)
