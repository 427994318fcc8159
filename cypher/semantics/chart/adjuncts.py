"""Participles beside a clause, said of its subject: "(who), not living in M1, ...", "without ..."."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Denied, Features, Predicate
from cypher.semantics.chart.naming import brings_in
from cypher.semantics.chart.wordlists import ENDS, PREPOSITIONS
from cypher.semantics.irregular import IRREGULAR
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_SERVING: Final = frozenset({"from", "with", "by", "on", "via", "over", "through"})
_THEIR: Final = frozenset({"their", "his", "her", "its"})
_ONES: Final = frozenset({"one", "ones"})
_OPENING: Final = PREPOSITIONS | {"not", "never", "without"}


def asides(p: Parser, at: int) -> Iterator[Predicate]:
    """Participles and prepositions from a comma on, up to another comma, which is passed as well.

    Behind what is new up to the end: "another crime, dated 3 May", "another call, one of type SMS".
    """
    if p.word(at) != ",":
        return
    one = p.word(at + 1) in _ONES and p.word(at + 2) in _OPENING
    new = one or brings_in(p, at)
    if one or _opens(p, at + 1):
        for found in (*_of_their_own(p, at + 1), *p.modifiers(at + 1 + one)):
            if p.word(found.end) == "," or (new and p.word(found.end) in ENDS):
                yield replace(found, end=found.end + (p.word(found.end) == ","))


def _of_their_own(p: Parser, at: int) -> Iterator[Predicate]:
    """ "From their own phone": what who does something has is meant without being said."""
    if p.word(at) in _SERVING and p.word(at + 1) in _THEIR and p.word(at + 2) == "own":
        for thing in p.lattice.of(at + 3, "label"):
            features: Features = (("c_cue", 1.0),)
            yield Predicate(thing.end, "", (), total(features), features)


def _opens(p: Parser, at: int) -> bool:
    word = p.word(at)
    return word in _OPENING or word in IRREGULAR or word.endswith(("ed", "ing"))


def behind_aside(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(who), being party to a raid, also know Ann": a verb phrase with what stands before it."""
    for aside in asides(p, at):
        for verb in p.predicates(aside.end):
            if not (aside.label and verb.label and aside.label != verb.label):
                features: Features = (*aside.features, *verb.features, ("c_and", 1.0))
                yield replace(
                    verb,
                    label=verb.label or aside.label,
                    limits=(*aside.limits, *verb.limits),
                    score=total(features),
                    features=features,
                )


def without_doing(p: Parser, at: int) -> Iterator[Predicate]:
    """ "Without knowing Ann", "without having been to Lund"."""
    if p.word(at) == "without" and p.word(at + 1).endswith("ing"):
        for done in p.predicates(at + 1):
            yield replace(done, limits=(Denied(done.limits),), finite=False)
