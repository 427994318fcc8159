"""Verbs that share an object behind the last of them: "made or received calls", "sent from or to a radio"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cypher.semantics.chart.auxiliaries import auxiliary
from cypher.semantics.chart.forms import AnyOf, Features, Limit, Noun, Predicate
from cypher.semantics.chart.gaps import fronted_verbs
from cypher.semantics.chart.verb_sides import Verb
from cypher.semantics.chart.verbs import tied, ties, verbs
from cypher.semantics.chart.wordlists import PREPOSITIONS
from cypher.semantics.schema_paths import Path
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

Tie = tuple[str, Path, Features]


def sharing(p: Parser, at: int, begin: Features) -> Iterator[Predicate]:
    """Two verbs with "or" or "and" between, and what both are done to."""
    for first in verbs(p, at):
        word = p.word(first.end)
        aux = auxiliary(p, first.end + 1)
        if word not in ("or", "and") or aux.negated:
            continue
        for second in _same_verb(p, at, first):
            yield from _both(p, first, second, begin, word)
        for second in verbs(p, aux.end):
            for before in _as_second(p, at, first, second):
                yield from _both(p, before, second, begin, word)


def _same_verb(p: Parser, at: int, first: Verb) -> Iterator[Verb]:
    """ "(made to) or from": the same verb with another preposition."""
    word, end = p.word(first.end + 1), first.end - 1
    if word in PREPOSITIONS and p.word(end) in PREPOSITIONS:
        plain = tuple(x for x in p.lattice.of(at, "relation") if x.end == end)
        joined = tuple(p.lattice.joined(at, end, word))
        yield Verb(first.end + 2, (*joined, *plain), word, passive=word == "by")


def _as_second(p: Parser, at: int, first: Verb, second: Verb) -> Iterator[Verb]:
    """The first verb with its own preposition, else with the one that stands behind the second."""
    if first.word or not second.word:
        yield first
        return
    yield from (x for x in fronted_verbs(p, at, second.word) if x.end == first.end)


def _both(p: Parser, first: Verb, second: Verb, begin: Features, word: str) -> Iterator[Predicate]:
    for noun in p.objects(second.end):
        if noun.wanted or noun.quantity is not None or noun.also or noun.either:
            continue
        mine, others = (_cheapest(ties(p, v, noun.thing.label)) for v in (first, second))
        for label, path, cost in mine:
            for other, further, more in others:
                if label == other and path != further:
                    features = (*begin, *noun.features, *cost, *more, ("c_and", 1.0))
                    limits = _limits(path, further, noun, word)
                    yield Predicate(noun.end, label, limits, total(features), features)


def _limits(path: Path, further: Path, noun: Noun, word: str) -> tuple[Limit, ...]:
    one, other = tied(path, noun), tied(further, noun)
    return (AnyOf((one, other)),) if word == "or" else (*one, *other)


def _cheapest(found: Sequence[Tie]) -> list[Tie]:
    """The likeliest tie of each label."""
    out: dict[str, Tie] = {}
    for tie in found:
        out.setdefault(tie[0], tie)
    return list(out.values())
