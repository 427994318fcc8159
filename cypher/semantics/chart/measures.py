"""Rankings by a measure, and values by how often they occur: "the highest average price", "most common"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.firsts import is_cut
from cypher.semantics.chart.forms import Asked, Features, Noun, Predicate, Ranked, Thing, Wanted
from cypher.semantics.chart.lexemes import Lexeme
from cypher.semantics.chart.phrases import most_common, superlative
from cypher.semantics.chart.wanting import joining, past, property_list, wants
from cypher.semantics.chart.wholes import whole
from cypher.semantics.chart.wordlists import COMMANDS, FREE
from cypher.semantics.ir import Head, Measure
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

MEASURES: Final = {
    "average": Measure.AVG,
    "mean": Measure.AVG,
    "total": Measure.SUM,
    "combined": Measure.SUM,
    "overall": Measure.AVG,
}
_VARIED: Final = frozenset({"distinct", "diverse", "different", "unique", "varied", "various"})


def by_measure(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(with) the highest average price", "(with) the most diverse parts"."""
    found = superlative(p.lower, at)
    if found and not found.hint and (measure := MEASURES.get(p.word(found.end))):
        yield from _over(p, found.end + 1, measure, found.descending)
    if p.word(at) in ("most", "fewest", "least"):
        varied = p.word(at + 1) in _VARIED
        yield from _over(p, at + 1 + varied, Measure.COUNT, p.word(at) == "most", distinct=varied)


def _over(
    p: Parser, at: int, measure: Measure, descending: bool, *, distinct: bool = False
) -> Iterator[Predicate]:
    for names, end, score in property_list(p, at):
        if len(names) > 1:
            continue
        for label in p.vocabulary.schema.labels:
            wanted, cost = wants(p, label.name, names)
            if not wanted or not _measurable(p, wanted[0], measure, distinct=distinct):
                continue
            features: Features = (("c_property", score), ("c_bridge", cost), ("c_cue", 2.0))
            ranked = Ranked(wanted[0], measure, descending, distinct)
            for stop in _past_owner(p, end, wanted[0]):
                yield Predicate(stop, label.name, (ranked,), total(features), features)


def _measurable(p: Parser, wanted: Wanted, measure: Measure, *, distinct: bool) -> bool:
    """Whether one thing has several values of this, and such that can be measured so."""
    info = p.vocabulary.words.properties.get((wanted.label, wanted.name))
    if info is None or (wanted.step is None and not wanted.path):
        return False
    return info.many or distinct if measure is Measure.COUNT else info.numeric and not info.many


def _past_owner(p: Parser, end: int, wanted: Wanted) -> Iterator[int]:
    """Behind "(price) of their songs", where the property is that of songs."""
    yield end
    if p.word(end) in ("of", "across", "for", "in"):
        at = end + 1
        while p.word(at) in FREE | {"their", "its", "all"}:
            at += 1
        for lexeme in p.lattice.of(at, "label"):
            if lexeme.name in (wanted.label, wanted.path[-1].to if wanted.path else ""):
                yield lexeme.end


def commonest(p: Parser, start: int) -> Iterator[Asked]:
    """ "The 3 most common mottos of songs": values of a property with how often they occur."""
    at = start
    while p.word(at) in COMMANDS | FREE:
        at += 1
    at += p.word(at) in ("top", "first")
    number = next((x for x in p.lattice.of(at, "number") if x.number == int(x.number or 0)), None)
    found = most_common(p.lower, number.end if number else at)
    if found is None:
        return
    for names, end, score in property_list(p, past(p, found[0])):
        if len(names) > 1:
            continue
        many = p.word(end - 1).endswith("s")
        limit = int(number.number or 1) if number else None if many else 1
        for noun, more in _owners(p, names, end):
            wanted, cost = wants(p, noun.thing.label, names)
            if len(wanted) != 1 or noun.wanted or is_cut(noun) or noun.quantity:
                continue
            features = (("c_property", score), ("c_bridge", cost), ("c_cue", 2.0), *more)
            for asked in whole(p, noun, Head.COUNT, *features):
                yield replace(
                    asked, head=Head.GROUP, measure=Measure.COUNT, group=wanted[0], limit=limit,
                    descending=found[1],
                )  # fmt: skip


def _owners(p: Parser, names: tuple[Lexeme, ...], end: int) -> Iterator[tuple[Noun, Features]]:
    places = [*joining(p, end), *((end + 2,) if p.word(end + 1) in ("in", "among", "of") else ())]
    for place in places:
        yield from ((noun, ()) for noun in p.nouns(place))
    labels: list[str] = []
    for owner in names[0].owners:
        if p.vocabulary.schema.label(owner):
            labels.append(owner)
        elif p.vocabulary.schema.relation(owner):
            labels += [way.start for way in p.ways.of(owner) if way.own and way.forward]
    for label in dict.fromkeys(labels):
        yield Noun(end, Thing(label), 0.0), (("c_owner", 0.3 * len(labels)),)
