"""Relations said as nouns: "has a family relationship with Ann", "is connected to Ann by a trade link"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.auxiliaries import HAVING, lying
from cypher.semantics.chart.forms import Features, Noun, Predicate
from cypher.semantics.chart.lexemes import QUOTED
from cypher.semantics.chart.verb_sides import Verb
from cypher.semantics.chart.verbs import tied, ties, with_objects
from cypher.semantics.chart.wordlists import FREE, TIES, VAGUE
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

TIED: Final = 1.5
"""Score of a verb that names no relation, above that of one that names another at a distance."""
BEARING: Final = frozenset(
    form
    for verb in ("bear", "share", "maintain", "enjoy", "hold", "keep", "form", "claim", "reach", "attain")
    for form in (verb, f"{verb}s", f"{verb.removesuffix('e')}ing", f"{verb.removesuffix('e')}ed")
) | {"bore", "held", "kept", "bearing", "borne", "carry", "carries", "carried", "carrying"}
"""Verbs that say no more than "have" of a relation that is said as a noun."""
_BY: Final = frozenset({"through", "via", "by"})
_INVOLVING: Final = frozenset({"involve", "involves", "involved", "involving"})
INVOLVED: Final = 0.8
"""Score of involving something in whichever way is nearest, below that of a relation of such a name."""
_PARTS: Final = (("involved", "in"), ("implicated", "in"))
_MUCH: Final = ("something", "anything", "much", "nothing")
_DOINGS: Final = frozenset(
    (*thing, *joined)
    for thing, tails in (
        *(((*lead, "to", "do"), ("with",)) for lead in ((), *((w,) for w in _MUCH))),
        *((("a", noun), ("in",)) for noun in ("role", "part", "hand", "share")),
        *(((*lead, noun), ("to", "with")) for lead, noun in (
            (("a",), "link"), (("a",), "connection"), ((), "links"), ((), "connections"), ((), "dealings"))),
    )
    for joined in ((tail,) for tail in tails)
)  # fmt: skip
"""What is had with things that one is tied to in whichever way: "(had) something to do with"."""
_THEM: Final = frozenset({"them", "it", "him", "her"})
_APPEARING: Final = frozenset({"found", "used", "seen", "featured", "listed", "represented", "appearing"})
"""Participles before "in" that say no more than "in" does."""


def related(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(has) a family relationship with Ann"."""
    verb = _named(p, at)
    if verb is not None and p.word(verb.end) in ("with", "to", "of"):
        word = p.word(verb.end)
        yield from with_objects(p, Verb(verb.end + 1, verb.lexemes, word), (("c_cue", 1.0),))


def vague(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(is) associated with Ann": tied in whichever way is nearest, or by a relation that is told behind."""
    for noun in p.objects(at + 1) if p.word(at) in _INVOLVING else ():
        if not noun.wanted:
            yield lying(noun, "with", (("c_relation", INVOLVED),))
    tied_to = p.word(at) in VAGUE and p.word(at + 1) in ("with", "to")
    appearing = p.word(at) in _APPEARING and p.word(at + 1) in ("in", "on")
    if not tied_to and not appearing and p.lower[at : at + 2] not in _PARTS:
        return
    for noun in p.objects(at + 2):
        if not noun.wanted:
            yield lying(noun, "with", (("c_relation", TIED),))
            yield from _told(p, noun)


def partaking(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(Had) something to do with a robbery", "(with) a hand in it": tied in whichever way is nearest."""
    for size in (4, 3, 2):
        if p.lower[at : at + size] in _DOINGS:
            for noun in p.objects(at + size):
                if not noun.wanted:
                    yield lying(noun, "with", (("c_relation", TIED),))
            return


def pointing_back(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(who have a phone) associated with them": says once more whose it is."""
    before = set(p.lower[:at])
    them = p.word(at) in VAGUE and p.word(at + 1) in ("with", "to") and p.word(at + 2) in _THEM
    if them and HAVING & before and not {".", ";", "?"} & before:
        said: Features = (("c_relation", TIED),)
        yield Predicate(at + 3, "", (), total(said), said)


def _told(p: Parser, noun: Noun) -> Iterator[Predicate]:
    verb = (_named(p, noun.end + 1) or _by_kind(p, noun.end + 1)) if p.word(noun.end) in _BY else None
    if verb is None:
        return
    for label, path, cost in ties(p, verb, noun.thing.label):
        features = (*noun.features, *cost, ("c_cue", 1.0))
        yield Predicate(verb.end, label, tied(path, noun), total(features), features)


def _by_kind(p: Parser, at: int) -> Verb | None:
    """The relation that is named by a noun of its own: "(linked to Ann) by family"."""
    own = tuple(x for x in p.lattice.of(at, "relation") if not x.phrase and p.word(at) not in FREE)
    end = max((x.end for x in own), default=at)
    nouns = tuple(x for x in own if x.end == end and not p.word(end - 1).endswith(("ed", "ing")))
    return Verb(end, nouns) if nouns else None


def _named(p: Parser, at: int) -> Verb | None:
    """The relation that is named before "relationship", as a verb that ends behind it."""
    while p.word(at) in FREE or p.word(at) == QUOTED:
        at += 1
    found = [x for x in p.lattice.of(at, "relation") if p.word(x.end) in TIES]
    whole = [x for x in p.lattice.of(at, "relation") if p.word(x.end - 1) in TIES]
    end = max((x.end for x in (*found, *whole)), default=at)
    end += p.word(end) in TIES
    chosen = tuple(x for x in (*found, *whole) if x.end in (end, end - 1))
    return Verb(end, chosen) if chosen else None
