"""Values by how often a clause holds: "which kind of raid is most common", "on which day were most raids"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.auxiliaries import auxiliary
from cypher.semantics.chart.forms import Asked, Features, Linked, Most, Noun, Thing
from cypher.semantics.chart.lexemes import Lexeme
from cypher.semantics.chart.phrases import most_common, most_of
from cypher.semantics.chart.wanting import measured_property, past, property_words, wants
from cypher.semantics.chart.wholes import asked_gaps, whole
from cypher.semantics.chart.wordlists import COMMANDS, FREE, PREPOSITIONS, TRAILING, words_of
from cypher.semantics.ir import Head, Measure

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_ASKING: Final = frozenset({"which", "what"})
_HAPPENING: Final = words_of(
    "happen happens happened happening occur occurs occurred occurring made placed held committed",
)
_ENDS: Final = frozenset({"?", ".", "!", ";", ",", ""})

Counted = tuple[Noun, bool, Features]
"""What is counted for each value, whether many are wanted, and what speaks for or against it."""


def values_by_clause(p: Parser, start: int) -> Iterator[Asked]:
    """Values of a property, asked for by how many things of a clause have them."""
    at = start + (p.word(start) in PREPOSITIONS)
    if p.word(at) not in _ASKING or not {"most", "least", "fewest", "highest", "lowest"} & set(p.lower):
        return
    while p.word(at) in COMMANDS | FREE:
        at += 1
    number = next((x for x in p.lattice.of(at, "number") if x.number == int(x.number or 0)), None)
    for name, end, score in _properties(p, number.end if number else at):
        for noun, descending, more in (*_there(p, end), *_with_most(p, end, name), *_often(p, end, name)):
            wanted, cost = wants(p, noun.thing.label, (name,))
            said: Features = (
                *property_words((name,), score),
                ("c_bridge", cost),
                ("c_cue", 2.0),
                *more,
            )
            for asked in whole(p, noun, Head.COUNT, *said) if len(wanted) == 1 else ():
                yield replace(
                    asked, head=Head.GROUP, measure=Measure.COUNT, group=wanted[0],
                    limit=int(number.number or 1) if number else 1, descending=descending,
                )  # fmt: skip


def _properties(p: Parser, at: int) -> Iterator[tuple[Lexeme, int, float]]:
    """ "Kind", "mishap kind", "kind of mishap"."""
    for names, end, score in measured_property(p, at):
        if len(names) > 1 or not names[0].name:
            continue
        yield names[0], end, score
        for label in p.lattice.of(past(p, end + 1), "label") if p.word(end) == "of" else ():
            if label.name in names[0].owners:
                yield replace(names[0], owners=(label.name,)), label.end, score + label.score


def _there(p: Parser, end: int) -> Iterator[Counted]:
    """ "(On which day) were there the most calls", "did the fewest calls take place"."""
    aux = auxiliary(p, end)
    there = p.word(aux.end) == "there"
    place = past(p, aux.end + there)
    found = most_of(p.lower, place) if (aux.any and not aux.having) or there else None
    for noun in p.nouns(past(p, found[0])) if found else ():
        if found is None or noun.quantity or noun.wanted or noun.also or noun.either:
            continue
        if there or p.word(noun.end) in _ENDS:
            yield noun, found[1], (("c_main", 1.0),)
        elif stop := _past_happening(p, noun.end):
            done = replace(noun, end=stop)
            yield done, found[1], (("c_main", 1.0), ("c_relation", 1.0))
            for modifier in p.modifiers(stop):
                for longer in p.attach(done, modifier, ("c_second", 1.0)):
                    yield longer, found[1], (("c_main", 1.0), ("c_relation", 1.0))


def _past_happening(p: Parser, at: int) -> int:
    """Behind a verb that says only that something was: "took place", "were made"."""
    if p.word(at) in ("take", "took", "taken") and p.word(at + 1) == "place":
        return at + 2
    return at + 1 if p.word(at) in _HAPPENING | TRAILING else 0


def _with_most(p: Parser, end: int, name: Lexeme) -> Iterator[Counted]:
    """ "(On which day) did Ann make the most calls": what has the property is counted."""
    aux = auxiliary(p, end)
    for subject in p.nouns(aux.end) if aux.any else ():
        if subject.wanted or subject.quantity or subject.also or subject.either:
            continue
        for predicate in p.predicates(subject.end):
            for told in p.attach(subject, predicate, ("c_main", 1.0)):
                for most in told.last:
                    if not isinstance(most, Most) or most.passing or most.thing.label not in name.owners:
                        continue
                    rest = Thing(subject.thing.label, subject.thing.limits)
                    back = Linked(p.ways.back(most.path, subject.thing.label), rest)
                    yield replace(told, thing=most.thing.plus(back), last=()), most.descending, ()


def _often(p: Parser, end: int, name: Lexeme) -> Iterator[Counted]:
    """ "(Which kind of mishap) do bosuns handle most", "was recorded most often"."""
    aux = auxiliary(p, end)
    before = _past_most(p, aux.end) if aux.any else None
    clauses = [(x, _past_most(p, x.end)) for x in p.predicates(end)]
    clauses += [(x, (x.end, before[1])) for x in p.predicates(before[0])] if before else []
    gaps = [(x, _past_most(p, x.end)) for x in asked_gaps(p, end)]
    for owner in dict.fromkeys(name.owners):
        held = p.vocabulary.schema.label(owner)
        if held is None or held.name_property == name.name:
            continue  # a thing has its own name once, however often the clause holds of it
        noun = Noun(end, Thing(owner), 0.0)
        dated = p.settler.property_for(owner, "", day=True) is not None
        found = [(replace(noun, end=stop), often) for stop, often in _happening(p, end)]
        for clause, often in (*gaps, *(clauses if dated else ())):
            if often is not None and clause.label in ("", owner):
                told = p.attach(noun, clause, ("c_main", 1.0))
                found += [(replace(x, end=often[0]), often[1]) for x in told]
        for one, descending in found:
            behind = [x for m in p.modifiers(one.end) for x in p.attach(one, m, ("c_second", 1.0))]
            yield from ((x, descending, (("c_cue", 0.5),)) for x in (one, *behind))


def _happening(p: Parser, end: int) -> Iterator[tuple[int, bool]]:
    """Behind "was recorded most often", "occurs least often": with the words that say how often."""
    at = auxiliary(p, end).end
    stop = _past_happening(p, at)
    if often := _past_most(p, stop) if stop else None:
        yield often
    before = _past_most(p, at)
    if before and (stop := _past_happening(p, before[0])):
        yield stop, before[1]


def _past_most(p: Parser, at: int) -> tuple[int, bool] | None:
    """Behind "most often", "the least frequently", and "most" where nothing is counted by it."""
    at = past(p, at + (p.topic is not None and p.word(at) == "there"))
    if found := most_common(p.lower, at):
        return found
    alone = p.word(at + 1) in _ENDS | PREPOSITIONS and p.word(at + 1) != "of"
    return (at + 1, p.word(at) == "most") if p.word(at) in ("most", "least") and alone else None
