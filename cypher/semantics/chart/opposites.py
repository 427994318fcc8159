"""What is not so, said by a word of its own: "dead" where ``is_alive`` is kept, "non-toxic"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Features, Has, Noun, Predicate
from cypher.semantics.ir import Operator
from cypher.semantics.score import total
from cypher.semantics.text import stem
from schemas.store_schema import PropertyType

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_OPPOSITES: Final = {
    **dict.fromkeys(("dead", "died", "deceased"), ("alive", "living")),
    **dict.fromkeys(("closed", "shut"), ("open",)),
    **dict.fromkeys(("inactive", "retired"), ("active",)),
    "private": ("public",),
    "outstanding": ("paid", "settled"),
    "empty": ("full", "occupied"),
    "wild": ("tame", "cultivated"),
    "manual": ("automatic", "automated", "robotic"),
    "temporary": ("permanent",),
    "optional": ("compulsory", "mandatory", "required"),
    "indoor": ("outdoor",),
    "outdoor": ("indoor",),
    "male": ("female",),
    "female": ("male",),
    "late": ("punctual",),
    "broken": ("working", "functional"),
}
"""Words with those of flags that are then false."""
_DENYING: Final = ("un", "non-", "in", "im", "not-", "dis")
_SHORTEST: Final = 4
FLAGGED: Final = 0.9
"""Least weight of a flag's word."""


def opposed(p: Parser, at: int) -> Iterator[Predicate]:
    """Conditions that a flag is false."""
    for owner, name, features in _flags(p, at):
        told: Features = (*features, ("c_cue", 0.5))
        yield Predicate(at + 1, owner, (Has(name, Operator.EQ, False),), total(told), told)


def opposed_nouns(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """ "Dead (trees)": things of which something is not true."""
    for owner, name, features in _flags(p, at):
        for noun in p.cores(at + 1):
            if noun.thing.label == owner and noun.quantity is None and not noun.named:
                more: Features = (*begin, *features)
                thing = noun.thing.plus(Has(name, Operator.EQ, False))
                score = noun.score + total(more)
                yield replace(noun, thing=thing, score=score, features=more + noun.features)


def _flags(p: Parser, at: int) -> Iterator[tuple[str, str, Features]]:
    word = p.word(at)
    if p.lattice.of(at, "value", "property"):
        return
    cut = (word.removeprefix(x) for x in _DENYING if word.startswith(x))
    phrases, table = p.vocabulary.words.lexicon.phrases, p.vocabulary.words.properties
    for other in (*_OPPOSITES.get(word, ()), *(x for x in cut if len(x) >= _SHORTEST)):
        for term in phrases.get((stem(other),), ()):
            for owner in term.owners if term.kind == "property" and term.weight >= FLAGGED else ():
                info = table.get((owner, term.name))
                if info is not None and info.type is PropertyType.BOOLEAN:
                    yield owner, term.name, (("c_property", term.weight),)
