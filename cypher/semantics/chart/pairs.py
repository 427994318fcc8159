"""Two things in each row: "which sailors own which ships", "ships and the ports they are registered in"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import (
    Asked,
    Each,
    Features,
    Limit,
    Linked,
    Noun,
    Predicate,
    Thing,
    Wanted,
    reverse,
)
from cypher.semantics.chart.limits import unmarked
from cypher.semantics.chart.returns import items, reached_by
from cypher.semantics.chart.wanting import relation_steps
from cypher.semantics.chart.wordlists import PREPOSITIONS
from cypher.semantics.ir import Head
from cypher.semantics.schema_paths import Path
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.lexemes import Lexeme
    from cypher.semantics.chart.parser import Parser

_PRONOUNS: Final = frozenset({"they", "them", "it", "he", "she", "him", "their", "its", "his", "her"})
_OTHER: Final = (("each", "other"), ("one", "another"))
_PAIRS: Final = frozenset({"pairs", "combinations", "couples", "tuples"})


def related(p: Parser, noun: Noun, at: int) -> Iterator[Noun]:
    """The noun with what is told of by a pronoun for it behind "and" or "with", by name or property."""
    if not _PRONOUNS & set(p.lower[at:]) or _is_own(p, noun, at):
        return
    child = p.beside(noun.thing.label)
    for other in child.nouns(at):
        again = Each() in other.thing.limits
        if again or other.quantity or other.also or other.either or not _pronoun_in(p, at, other.end):
            continue
        for limit in other.thing.limits:
            if isinstance(limit, Linked) and limit.thing == Thing(noun.thing.label, (Each(),)):
                rest = tuple(x for x in other.thing.limits if x is not limit)
                yield from _with(p, noun, other, reverse(limit.path, other.thing.label), rest)


def _is_own(p: Parser, noun: Noun, at: int) -> bool:
    """Whether "their" is followed by a property of the things, or of how they are tied."""
    for lexeme in p.lattice.of(at + 1, "property") if p.word(at) in ("their", "its", "his", "her") else ():
        steps = (x for owner in lexeme.owners for x in relation_steps(p, owner, noun.thing.label))
        if lexeme.score >= 1 and (noun.thing.label in lexeme.owners or any(steps)):
            return True
    return False


def _pronoun_in(p: Parser, at: int, end: int) -> bool:
    return bool(_PRONOUNS & set(p.lower[at:end]))


def _with(p: Parser, noun: Noun, other: Noun, path: Path, rest: tuple[Limit, ...]) -> Iterator[Noun]:
    named = p.vocabulary.schema.label(other.thing.label)
    own = noun.wanted or own_name(p, noun.thing.label)
    if named is None or not own:
        return
    told = tuple(replace(w, path=(*path, *w.path)) for w in other.wanted)
    if not told:
        told = (Wanted(path, named.name, named.name_property),) if named.name_property else ()
    thing = noun.thing
    if rest:
        thing = thing.plus(Linked(path, Thing(other.thing.label, unmarked(other.thing).limits)))
        thing = replace(thing, limits=tuple(_without_mark(x) for x in thing.limits))
    more: Features = (*other.features, ("c_cue", 0.5))
    wanted = tuple(dict.fromkeys((*own, *told)))
    if told:
        yield replace(
            noun, end=other.end, thing=thing, wanted=wanted, score=noun.score + total(more),
            features=noun.features + more,
        )  # fmt: skip


def known_ones(p: Parser, noun: Noun, at: int) -> Iterator[Noun]:
    """ "(Sailors who own a ferry along with) the ferry's length": more of what the noun is told by."""
    own = noun.wanted or own_name(p, noun.thing.label)
    reached = [x for x in reached_by(noun.thing) if x[1]]
    the = p.word(at) == "the"
    for item in items(p, at + the, noun.thing.label, reached) if own and reached and the else ():
        if item.wanted.path and any(item.wanted.path == path for _, path in reached):
            more: Features = (*item.features, ("c_cue", 0.5))
            yield replace(
                noun, end=item.end, wanted=tuple(dict.fromkeys((*own, item.wanted))),
                score=noun.score + total(more), features=noun.features + more,
            )  # fmt: skip


def own_name(p: Parser, label: str) -> tuple[Wanted, ...]:
    """The name that things of a label are told by, if they have one."""
    found = p.vocabulary.schema.label(label)
    return (Wanted((), label, found.name_property),) if found and found.name_property else ()


def told_apart(p: Parser, asked: Asked, *, first: bool = True) -> Asked:
    """A list that tells, beside each answer, what it belongs to where that is marked.

    ``first`` says that this comes in front, as in "for each port, the ships".
    """
    path = next(marks(asked.thing), None)
    own = asked.wanted or own_name(p, asked.thing.label)
    if asked.head is not Head.LIST or not path or not own:
        return asked
    label = p.vocabulary.schema.label(path[-1].to)
    if label is None or not label.name_property:
        return asked
    told = (Wanted(path, label.name, label.name_property),)
    wanted = (*told, *own) if first else (*own, *told)
    return replace(asked, wanted=wanted, each=False, each_key="")


def marks(thing: Thing, before: Path = ()) -> Iterator[Path]:
    """Ways to what ``Each`` marks."""
    for limit in thing.limits:
        if isinstance(limit, Linked):
            path = (*before, *limit.path)
            if Each() in limit.thing.limits:
                yield path
            yield from marks(limit.thing, path)


def which_ones(p: Parser, start: int, begin: Features) -> Iterator[Noun]:
    """ "(Which sailors own) which ships": things that are told beside the answer."""
    opening = not start or p.word(start - 1) in ("and", ",", "or", ".")
    if p.word(start) not in ("which", "what") or opening or p.topic is not None:
        return
    for core in p.cores(start + 1):
        if p.word(core.end).isalnum() and p.word(core.end) not in PREPOSITIONS:
            continue
        if core.bare and core.quantity is None and not core.wanted and not core.thing.limits:
            more: Features = (*begin, ("c_cue", 1.0))
            thing = Thing(core.thing.label, (Each(),))
            yield replace(
                core, thing=thing, score=core.score + total(more), features=more + core.features, bare=False
            )


def each_other(p: Parser, at: int, names: Iterable[Lexeme], begin: Features) -> Iterator[Predicate]:
    """ "(Know) each other": tied to another of their label, who is told beside them."""
    end = next((at + 2 for x in _OTHER if p.lower[at : at + 2] == x), 0)
    for lexeme in names if end else ():
        for way in p.ways.of(lexeme.name):
            if way.own and way.start == way.end and way.forward:
                features: Features = (*begin, ("c_relation", lexeme.score), ("c_cue", 1.0))
                other = Linked(way.path, Thing(way.end, (Each(),)))
                yield Predicate(end, way.start, (other,), total(features), features)


def past_pairs(p: Parser, at: int) -> int:
    """Behind "pairs of"."""
    return at + 2 if p.word(at) in _PAIRS and p.word(at + 1) == "of" else at


def _without_mark(limit: Limit) -> Limit:
    return replace(limit, thing=unmarked(limit.thing)) if isinstance(limit, Linked) else limit
