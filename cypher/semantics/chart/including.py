"""Some of what one has: "whose friends include Ann", "in the family of Ann", "among Ben's friends"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.auxiliaries import lying
from cypher.semantics.chart.forms import Denied, Features, Has, Noun, Predicate
from cypher.semantics.chart.verbs import tied
from cypher.semantics.chart.wordlists import FREE
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_INCLUDE: Final = frozenset({"include", "includes", "included", "number", "count"})
_BODIES: Final = frozenset({"family", "circle", "network", "household", "team", "crew", "gang", "group"})
"""Nouns in the singular for all of those that somebody is tied to."""
_MEMBERS: Final = (("a", "member", "of"), ("members", "of"), ("part", "of"))
_BELONG: Final = tuple(
    (form, word)
    for forms, word in ((("come", "comes", "came"), "from"), (("belong", "belongs", "belonged"), "to"))
    for form in (*forms, f"{forms[0].removesuffix('e')}ing")
)
_PART: Final = (("one", "of"), ("any", "of"), ("some", "of"), ("one", "among"))


def including(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(Whose) friends include Ann", "(whose) phones do not include L-204"."""
    for owned in p.owned(at):
        for end, negated in _verb(p, owned.end):
            for noun in p.objects(end):
                for bridge, cost in p.ways.bridges(owned.thing.label, noun.thing.label):
                    more: Features = (("c_bridge", cost), ("c_have", 1.0))
                    features = (*owned.features, *noun.features, *more)
                    limits = tied((*owned.path, *bridge), noun)
                    limits = (Denied(limits),) if negated else limits
                    if not noun.wanted:
                        yield Predicate(noun.end, owned.owner, limits, total(features), features, finite=True)
    for core in p.cores(at):
        if not core.bare or core.quantity or core.wanted:
            continue
        for end, negated in _verb(p, core.end):
            for noun in p.objects(end):
                if noun.thing.label == core.thing.label and not noun.wanted:
                    found = lying(noun, "has", (("c_have", 1.0), *core.features))
                    limits = (Denied(found.limits),) if negated else found.limits
                    yield Predicate(noun.end, "", limits, found.score, found.features, finite=True)


def _verb(p: Parser, at: int) -> Iterator[tuple[int, bool]]:
    """Where a verb of including ends, and whether it is denied."""
    denied = p.word(at) in ("do", "does", "did", "don't", "doesn't", "didn't")
    after = at + denied + (p.word(at + denied) == "not") if denied else at
    if p.word(after) in _INCLUDE:
        yield after + 1, denied


def one_of(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """ "One of Ann's friends", "any of the ships of Norrline"."""
    if p.lower[at : at + 2] in _PART:
        for noun in p.nouns(at + 2):
            plain = not (noun.wanted or noun.quantity or noun.also or noun.either or noun.named)
            if plain and noun.thing.limits:
                features = (*begin, *noun.features)
                yield replace(noun, score=total(features), features=features, number="one", bare=False)


def belonging(p: Parser, at: int, *, being: bool = False) -> Iterator[Predicate]:
    """ "In the family of Ann", "among Ben's friends", "belong to the family of Ann": is one of those."""
    forms = (*_BELONG, *(_MEMBERS if being else ()))
    start = next((at + len(x) for x in forms if p.lower[at : at + len(x)] == x), at)
    body = member = start > at
    if start == at:
        if p.word(at) not in ("in", "among", "within", "from", "of"):
            return
        start, body = at + 1, p.word(at) == "among"
    if not (body or _BODIES & set(p.lower[start:])):
        return
    while p.word(start) in FREE:
        start += 1
    heads = {owned.end for owned in p.owned(start)}
    for noun in p.objects(start):
        told = noun.thing.limits and not all(isinstance(x, Has) for x in noun.thing.limits)
        if noun.wanted or noun.named or noun.quantity or noun.also or noun.either or not told:
            continue
        ends = {p.word(end - 1) for end in heads} | {p.word(noun.end - 1)}
        if body or ends & _BODIES:
            features: Features = (*noun.features, ("c_copula", 1.0), ("c_relation", float(member)))
            yield Predicate(noun.end, noun.thing.label, noun.thing.limits, total(features), features)
