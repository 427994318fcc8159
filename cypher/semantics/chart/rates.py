"""Rankings by a measure: "the highest average price", "the most diverse parts"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from cypher.semantics.chart.forms import Features, Predicate, Ranked, Wanted
from cypher.semantics.chart.phrases import superlative
from cypher.semantics.chart.stated import past_head
from cypher.semantics.chart.wanting import measured_property, past_relation, property_words, wants
from cypher.semantics.chart.wordlists import FREE, TRAILING
from cypher.semantics.ir import Measure
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

MEASURES: Final = {
    "average": Measure.AVG,
    "mean": Measure.AVG,
    "total": Measure.SUM,
    "sum": Measure.SUM,
    "combined": Measure.SUM,
    "overall": Measure.AVG,
}
_VARIED: Final = frozenset({"distinct", "diverse", "different", "unique", "varied", "various"})


def by_measure(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(with) the highest average price", "(with) the most diverse parts"."""
    found = superlative(p.lower, at)
    if found and not found.hint and (measure := MEASURES.get(p.word(found.end))):
        place = found.end + 1 + (p.word(found.end + 1) == "of")
        yield from over(p, place, measure, descending=found.descending)
    if p.word(at) in ("most", "fewest", "least"):
        varied = p.word(at + 1) in _VARIED
        yield from over(p, at + 1 + varied, Measure.COUNT, descending=p.word(at) == "most", distinct=varied)


def over(
    p: Parser, at: int, measure: Measure, *, descending: bool, distinct: bool = False
) -> Iterator[Predicate]:
    """What is measured for each thing, said at a word, as a limit on things of every label that has it."""
    for found in measured(p, at, measure, distinct=distinct):
        limits = (Ranked(found.wanted, measure, descending, distinct),)
        yield Predicate(found.end, found.label, limits, total(found.features), found.features)


class MeasuredOf(NamedTuple):
    """A property of what things of a label are tied to, with where its words end."""

    label: str
    wanted: Wanted
    end: int
    features: Features


def measured(p: Parser, at: int, measure: Measure, *, distinct: bool = False) -> Iterator[MeasuredOf]:
    """Properties said at a word of which one thing has several, as the measure can be taken of."""
    for names, end, score in measured_property(p, at):
        if len(names) > 1:
            continue
        for label in p.vocabulary.schema.labels:
            wanted, cost = wants(p, label.name, names)
            if not wanted or not _measurable(p, wanted[0], measure, distinct=distinct):
                continue
            features: Features = (*property_words(names, score), ("c_bridge", cost), ("c_cue", 2.0))
            for stop in _past_owner(p, past_head(p, end), wanted[0]):
                yield MeasuredOf(label.name, wanted[0], stop, features)


def _measurable(p: Parser, wanted: Wanted, measure: Measure, *, distinct: bool) -> bool:
    """Whether one thing has several values of this, and such that can be measured so."""
    info = p.vocabulary.words.properties.get((wanted.label, wanted.name))
    if info is None or (wanted.step is None and not wanted.path):
        return False
    return info.many or distinct if measure is Measure.COUNT else info.numeric and not info.many


def _past_owner(p: Parser, end: int, wanted: Wanted) -> Iterator[int]:
    """Behind "(price) of their songs", where the property is that of songs."""
    yield end
    if p.word(end) in TRAILING:
        yield end + 1
    if p.word(end) in ("of", "across", "for", "in", "per"):
        at = end + 1
        while p.word(at) in FREE | {"their", "its", "all"}:
            at += 1
        if wanted.step is not None:
            yield from past_relation(p, end, wanted.step.type)
        for lexeme in p.lattice.of(at, "label"):
            if lexeme.name in (wanted.label, wanted.path[-1].to if wanted.path else ""):
                yield lexeme.end
