"""Several verbs with one object: "wrote and directed the same film", "sung and made by the same person"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.auxiliaries import auxiliary
from cypher.semantics.chart.forms import Features, Noun, Predicate, Together
from cypher.semantics.chart.verb_sides import Verb
from cypher.semantics.chart.verbs import verbs
from cypher.semantics.chart.wordlists import FREE
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.lexemes import Lexeme
    from cypher.semantics.chart.parser import Parser

_SAME: Final = frozenset({"same", "identical"})
_BETWEEN: Final = frozenset({"and", ",", "also", "both", "well", "as", "either"})
MOST_VERBS: Final = 4


def together(p: Parser, at: int) -> Iterator[Predicate]:
    """Verb phrases that share "the same" object."""
    for chain, end in _chains(p, at, ()):
        place = end
        while p.word(place) in FREE:
            place += 1
        if len(chain) < 2 or p.word(place) not in _SAME:
            continue
        for noun in p.nouns(place + 1):
            if noun.quantity is None and not noun.wanted and not noun.also and not noun.either:
                yield from _joined(p, chain, noun)


def _chains(p: Parser, at: int, before: tuple[Verb, ...]) -> Iterator[tuple[tuple[Verb, ...], int]]:
    if len(before) == MOST_VERBS:
        return
    while p.word(at) in _BETWEEN or auxiliary(p, at).end > at:
        at = max(at + 1, auxiliary(p, at).end) if p.word(at) not in _SAME else at
    for verb in verbs(p, at):
        chain = (*before, verb)
        yield chain, verb.end
        if p.word(verb.end) in ("and", ",", "as"):
            yield from _chains(p, verb.end, chain)


def _joined(p: Parser, chain: Sequence[Verb], noun: Noun) -> Iterator[Predicate]:
    choices: dict[str, list[tuple[Lexeme, str, bool]]] = {}
    starts = {way.start for x in chain[0].lexemes for way in p.ways.of(x.name) if way.own}
    for label in starts:
        choices[label] = []
        for verb in chain:
            found = [
                (x, way.path[0].type, way.path[0].forward)
                for x in verb.lexemes
                for way in p.ways.of(x.name)
                if way.own and (way.start, way.end) == (label, noun.thing.label)
            ]
            if not found:
                break
            choices[label].append(max(found, key=lambda f: f[0].score))
    for label, chosen in choices.items():
        if len(chosen) < len(chain) or len({(kind, way) for _, kind, way in chosen}) < len(chain):
            continue
        features: Features = (*noun.features, ("c_cue", 1.5), ("c_and", float(len(chain) - 1)))
        features += tuple(("c_relation", x.score) for x, _, _ in chosen)
        limit = Together(tuple((kind, way) for _, kind, way in chosen), noun.thing)
        yield Predicate(noun.end, label, (limit,), total(features), features)
