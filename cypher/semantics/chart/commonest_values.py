"""Values of a property by how many things have them: "which country has the most customers"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.auxiliaries import auxiliary
from cypher.semantics.chart.forms import Asked, Features, Noun
from cypher.semantics.chart.phrases import most_of
from cypher.semantics.chart.wanting import past, property_list, property_words, wants
from cypher.semantics.chart.wholes import whole
from cypher.semantics.chart.wordlists import COMMANDS, FREE, PREPOSITIONS
from cypher.semantics.ir import Head, Measure

if TYPE_CHECKING:
    from cypher.semantics.chart.lexemes import Lexeme
    from cypher.semantics.chart.parser import Parser

_HAVING: Final = frozenset(
    (
        *("with", "has", "have", "had", "having", "saw", "see", "sees", "got", "get", "gets", "received"),
        *("receive", "receives", "recorded", "record", "records", "account", "accounts", "accounted"),
    )
)
_LYING: Final = frozenset({"come", "came", "comes", "live", "lives", "located", "based", "situated", "found"})


def ranked_values(p: Parser, start: int) -> Iterator[Asked]:
    """ "(Which) country has the most customers", "the top 3 years with the most films released"."""
    at = start + (p.word(start) in PREPOSITIONS)
    while p.word(at) in COMMANDS | FREE:
        at += 1
    at += p.word(at) in ("top", "first")
    number = next((x for x in p.lattice.of(at, "number") if x.number == int(x.number or 0)), None)
    for names, end, score in property_list(p, number.end if number else at):
        if len(names) == 1 and names[0].name:
            for noun, descending in _most(p, end, names[0]):
                wanted, cost = wants(p, noun.thing.label, names)
                more: Features = (*property_words(names, score), ("c_bridge", cost), ("c_cue", 2.5))
                for asked in whole(p, noun, Head.COUNT, *more) if len(wanted) == 1 else ():
                    yield replace(
                        asked, head=Head.GROUP, measure=Measure.COUNT, group=wanted[0],
                        limit=int(number.number or 1) if number else 1, descending=descending,
                    )  # fmt: skip


def _most(p: Parser, end: int, prop: Lexeme) -> Iterator[tuple[Noun, bool]]:
    """Things of which the most are meant, behind "has" or before the verb that says what the value is."""
    having = p.word(end) in _HAVING
    at = past(p, end + 1 if having else auxiliary(p, end).end)
    found = most_of(p.lower, at)
    if found is None or at == end:
        return
    for noun in p.nouns(past(p, found[0])):
        if noun.quantity or noun.wanted or noun.also or noun.either:
            continue
        for stop in _behind(p, noun.end, prop, having=having):
            yield replace(noun, end=stop), found[1]


def _behind(p: Parser, at: int, prop: Lexeme, *, having: bool) -> Iterator[int]:
    if having:
        yield at
        for lexeme in p.lattice.of(at, "property", "verbal"):
            if lexeme.name == prop.name:
                yield lexeme.end
    aux = auxiliary(p, at).end
    ends = [x.end for x in p.lattice.of(aux, "property", "verbal") if x.name == prop.name]
    ends += [aux + 1] if p.word(aux) in _LYING else []
    for end in dict.fromkeys(ends):
        yield end + (p.word(end) in ("in", "from", "at", "on", "to"))
