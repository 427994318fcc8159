"""Things of one label after each other: "Ann and Ben", "M1, M2 or M3", "a fire and a theft"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from cypher.semantics.chart.forms import Noun, Thing
from cypher.semantics.chart.limits import alternatives, goes_with, listed, one_head, said_instead
from cypher.semantics.chart.naming import brings_in
from cypher.semantics.chart.wordlists import PREPOSITIONS
from cypher.semantics.lexicon import ANYBODY
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser


def lists(p: Parser, noun: Noun) -> Iterator[Noun]:
    """ "Ann and Ben", "M1, M2 or M3": things of one label."""
    word, after = p.word(noun.end), noun.end + 1
    if word == "," and p.word(after) in ("and", "or"):
        word, after = p.word(after), after + 1
    if word == "as" and p.lower[noun.end : noun.end + 3] == ("as", "well", "as"):
        word, after = "and", noun.end + 3
    if word not in ("and", "or", ",") or noun.quantity is not None or noun.wanted:
        return
    if any(x.end > noun.end for place in (noun.end - 1, noun.end - 2) for x in p.lattice.of(place, "label")):
        return  # "a man or woman" is one word for a person
    again = p.word(after) in PREPOSITIONS and p.word(after) in p.lower[: noun.end]
    after += again
    whole = noun.modified or word == "or" or again or p.word(after) in ANYBODY
    for other in p.nouns(after) if whole else p.cores(after):
        new = word == "and" and other.bare and brings_in(p, other.end)
        if not goes_with(noun, other, again=again, new=new):
            continue
        more = listed(noun, other, again=again)
        features, score = (*noun.features, *other.features, *more), noun.score + other.score + total(more)
        if kinds := one_head(noun, other):
            yield replace(other, thing=Thing(noun.thing.label, kinds), score=score, features=features)
            continue
        base = replace(noun, end=other.end, score=score, features=features)
        if word == "," and not _goes_on(p, noun, other):
            continue
        neither = alternatives(noun.last, other.thing.limits)
        if word == "or" and noun.last and len(neither) > 1:
            yield replace(base, thing=said_instead(noun, neither), last=neither)
        elif word in ("or", ",") and not noun.also:
            yield replace(base, either=(*noun.either, other.thing))
        told = noun.either or noun.named or noun.modified or new or _is_another(p, noun, after)
        if word == "and" and not told:
            yield replace(base, either=(other.thing,))
        elif word in ("and", ",") and not noun.either:
            yield replace(base, also=(*noun.also, other.thing))


def _goes_on(p: Parser, noun: Noun, other: Noun) -> bool:
    """Whether a comma stands in a list: between plain names, or where "and" or "or" follows."""
    plain = not (noun.modified or other.modified)
    return plain or bool({"and", "or"} & set(p.lower[other.end :]))


def _is_another(p: Parser, noun: Noun, at: int) -> bool:
    """Whether one thing is followed by another: "a fire and a theft" are two."""
    return p.word(at) == "another" or (noun.number == "one" and p.word(at) in ("a", "an"))
