"""How many people live somewhere, where a property of the place tells it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Asked, Wanted
from cypher.semantics.chart.wholes import whole
from cypher.semantics.ir import Head
from cypher.semantics.text import identifier_words

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_PEOPLE: Final = frozenset({"people", "persons", "inhabitants", "residents"})
_LIVING: Final = frozenset({"live", "lives", "reside", "living", "dwell"})
_KEPT: Final = frozenset({"population", "inhabitants"})


def how_many_live(p: Parser, at: int) -> Iterator[Asked]:
    """ "(How many) people live in Hull": the population of Hull, where it has one."""
    at += p.word(at) in _PEOPLE
    at += p.word(at) == "are"
    if (
        p.word(at - 1) not in _PEOPLE | {"are"}
        or p.word(at) not in _LIVING
        or p.word(at + 1) not in ("in", "at")
    ):
        return
    for noun in p.nouns(at + 2):
        label = p.vocabulary.schema.label(noun.thing.label)
        kept = [x.name for x in label.properties if _KEPT & set(identifier_words(x.name))] if label else []
        for name in kept if not (noun.wanted or noun.quantity or noun.also or noun.either) else ():
            told = replace(noun, wanted=(Wanted((), noun.thing.label, name),))
            yield from whole(p, told, Head.LIST, ("c_main", 1.0), ("c_cue", 3.0), ("c_property", 1.0))
