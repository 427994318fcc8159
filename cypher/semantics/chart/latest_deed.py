"""What was done last: "(the ship) that called at Hull most recently" is told by the day of what it did."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from cypher.semantics.chart.bests import adverb
from cypher.semantics.chart.dated_ties import tie_ranks
from cypher.semantics.chart.forms import Extreme, Features, Limit, Linked, Noun, Ranked, Wanted
from cypher.semantics.ir import Measure
from cypher.semantics.kept_as import is_kept_as_day
from cypher.semantics.schema_paths import Path
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser


def done_last(p: Parser, noun: Noun, *, main: bool = False) -> Iterator[Noun]:
    """The noun, ranked by the day of that which its last clause ties it to.

    Nothing where the clause leads to no kind with a day. Where the noun's own things have one, it is theirs
    that counts, but only behind the ``main`` clause: in other clauses the day is rather that of the whole.
    """
    own = _day_of(p, noun.thing.label)
    tied = tie_ranks(p.vocabulary, noun.last, descending=True) is not None
    if noun.quantity or noun.also or noun.either or (own and not main and not tied):
        return
    for size, descending in adverb(p, noun.end):
        if p.word(noun.end + size).isalnum():
            continue
        for limit in _ranks(p, noun, own, descending=descending):
            more: Features = (("c_cue", 2.5),)
            yield replace(
                noun, end=noun.end + size, thing=noun.thing.plus(limit), score=noun.score + total(more),
                features=noun.features + more, last=(limit,),
            )  # fmt: skip


def _ranks(p: Parser, noun: Noun, own: str | None, *, descending: bool) -> Iterator[Limit]:
    tied = tie_ranks(p.vocabulary, noun.last, descending=descending)
    if own or tied:
        yield tied or Extreme(own or "", descending)
        return
    for path, label in (found for limit in noun.last for found in _steps(limit)):
        if name := _day_of(p, label):
            measure = Measure.MAX if descending else Measure.MIN
            yield Ranked(Wanted(path, label, name), measure, descending)


def _steps(limit: Limit, before: Path = ()) -> Iterator[tuple[Path, str]]:
    """Kinds on the way of a relation and of those behind it, the nearest first."""
    if isinstance(limit, Linked):
        for size, step in enumerate(limit.path, 1):
            yield (*before, *limit.path[:size]), step.to
        for further in limit.thing.limits:
            yield from _steps(further, (*before, *limit.path))


def _day_of(p: Parser, label: str) -> str | None:
    """The property that holds the day of such a thing; a year is none."""
    table = p.vocabulary.words.properties
    days = (x.name for (owner, _), x in table.items() if owner == label and is_kept_as_day(x))
    return next(days, None)
