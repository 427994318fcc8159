"""Pronouns for those who are asked about: "who lives with somebody they know", "who knows who knows them"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Asked, Denied, Each, Limit, Linked, Thing, marked, reverse
from cypher.semantics.chart.wordlists import PREPOSITIONS, WHO
from cypher.word_lists import ASKERS

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_PRONOUNS: Final = frozenset({"they", "them", "he", "she", "him", "her"})
FIRST_WORDS: Final = 4
"""Words of a question among which its subject stands."""


def of_themselves(p: Parser, start: int, read: Callable[[Parser, int], Iterator[Asked]]) -> Iterator[Asked]:
    """Readings in which a pronoun stands for what is asked about.

    ``read`` gives the readings of a parser from a word on, where pronouns stand for marked things of a label.
    """
    words = p.lower[start + 2 : p.size - 1]
    said = bool(_PRONOUNS & set(p.lower[start + 2 :])) or _said_again(p, start)
    if p.topic is not None or not said or "." in words:
        return
    if any(word == "and" and after in ASKERS for word, after in pairwise(words)):
        return  # "..., and who owns them" asks once more
    named = (x.name for at in range(start, start + FIRST_WORDS) for x in p.lattice.of(at, "label"))
    for label in list(dict.fromkeys((*named, *p.people()[:1])))[:2]:
        for asked in read(p.beside(label), start):
            thing = asked.thing
            told = marked(thing) and Each() not in thing.limits and not asked.each
            if thing.label == label and told and not any(_is_trivial(x, label) for x in thing.limits):
                yield replace(asked, thing=Thing(label, (Each(), *thing.limits)))


def _said_again(p: Parser, start: int) -> bool:
    """Whether "the crime" stands again for what is asked about: "where a party to the crime lives"."""
    first = {x.name for at in range(start, start + FIRST_WORDS) for x in p.lattice.of(at, "label")}
    return any(
        p.word(at - 1) == "the" and x.name in first and _is_bare(p, x.end)
        for at in range(start + FIRST_WORDS, p.size)
        for x in p.lattice.of(at, "label")
    )


def _is_bare(p: Parser, end: int) -> bool:
    """Whether nothing behind a noun says which one is meant."""
    word = p.word(end)
    told = word in PREPOSITIONS | WHO | {"whose", "where"} or word.endswith(("ing", "ed"))
    return not told and not p.possessive(end) and not p.lattice.of(end, "value", "text", "number")


def _is_trivial(limit: Limit, label: str) -> bool:
    """Whether a limit ties a thing to itself at once, or by the very way that leads away from it."""
    if isinstance(limit, Denied):
        return any(_is_trivial(x, label) for x in limit.limits)
    if not isinstance(limit, Linked):
        return False
    back = reverse(limit.path, label)
    inner = (x for x in limit.thing.limits if isinstance(x, Linked) and Each() in x.thing.limits)
    return Each() in limit.thing.limits or any(x.path == back for x in inner)
