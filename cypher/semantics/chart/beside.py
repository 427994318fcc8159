"""What is returned beside the things asked for: "and who wrote them", "and their suppliers"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.auxiliaries import auxiliary
from cypher.semantics.chart.forms import Features, Has, Limit, Linked, Noun, Thing, Together, Wanted
from cypher.semantics.chart.verbs import verbs
from cypher.semantics.chart.wordlists import FREE
from cypher.semantics.ir import Operator
from cypher.semantics.schema_paths import Path, Step
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_THEM: Final = frozenset({"them", "it", "each", "these", "those"})
_THEY: Final = frozenset({"they", "he", "she", "it"})
_ASKING: Final = frozenset({"what", "which", "the", "are", "were", "is", "was"})


def others(p: Parser, noun: Noun, at: int) -> Iterator[Noun]:
    """Things beside the noun's, by name, said at a word behind "and" and the like."""
    if p.word(at) == "who":
        aux = auxiliary(p, at + 1)
        for verb in verbs(p, aux.end):
            if p.word(verb.end) in _THEM:
                yield from _by_verb(p, noun, verb.end + 1, [x.name for x in verb.lexemes], who=True)
        if p.word(at + 1) in ("is", "are", "was", "were") and p.word(at + 2) in ("the", "their", "its"):
            yield from owned_others(p, noun, at + 3)
    place = at
    while p.word(place) in _ASKING | FREE:
        place += 1
    for label in p.lattice.of(place, "label"):
        they = auxiliary(p, label.end).end
        for verb in verbs(p, auxiliary(p, they + 1).end) if p.word(they) in _THEY else ():
            names = [x.name for x in verb.lexemes]
            yield from _by_verb(p, noun, verb.end, names, who=False, label=label.name)


def _by_verb(
    p: Parser, noun: Noun, end: int, kinds: list[str], *, who: bool, label: str = ""
) -> Iterator[Noun]:
    for kind in dict.fromkeys(kinds):
        for way in p.ways.of(kind):
            fits = p.is_person(way.end) and way.end != noun.thing.label if who else way.end == label
            if way.own and way.start == noun.thing.label and fits:
                yield from beside(p, noun, end, _known_path(noun.thing, way.path))


def _known_path(thing: Thing, path: Path) -> Path:
    """The path as far as the thing is limited by it already, so that the same node is returned."""
    return next((x.path for x in thing.limits if isinstance(x, Linked) and x.path == path), path)


def owned_others(p: Parser, noun: Noun, at: int) -> Iterator[Noun]:
    """ "Their suppliers", "their authors": behind the possessive."""
    named = any(x.score >= 1 for x in p.lattice.of(at, "property"))
    for owned in p.owned(at) if not named else ():
        if owned.owner == noun.thing.label:
            yield from beside(p, noun, owned.end, owned.path)
    for lexeme in p.lattice.of(at, "label"):
        for path, cost in p.ways.bridges(noun.thing.label, lexeme.name)[:1]:
            if path:
                yield from beside(p, noun, lexeme.end, path, ("c_bridge", cost))


def beside(p: Parser, noun: Noun, end: int, path: Path, *extra: tuple[str, float]) -> Iterator[Noun]:
    """The noun with the name of what a path leads to beside its own."""
    other = p.vocabulary.schema.label(path[-1].to)
    label = p.vocabulary.schema.label(noun.thing.label)
    if other is None or label is None or not other.name_property or not label.name_property:
        return
    own = noun.wanted or (Wanted((), label.name, label.name_property),)
    more: Features = (("c_relation", 1.0), ("c_cue", 0.5), *extra)
    wanted = tuple(dict.fromkeys((*own, Wanted(path, other.name, other.name_property))))
    yield replace(noun, end=end, wanted=wanted, score=noun.score + total(more), features=noun.features + more)


def with_names(p: Parser, thing: Thing, wanted: tuple[Wanted, ...]) -> tuple[Wanted, ...]:
    """A property of a relationship goes with what it is not yet clear of; shared objects with who shares.

    "The roles of actors in Dune" are told with the actors, "the roles of Ann" with the films.
    """
    label = p.vocabulary.schema.label(thing.label)
    if label is None or not label.name_property:
        return wanted
    own = Wanted((), label.name, label.name_property)
    shared = [x for x in thing.limits if isinstance(x, Together)]
    other = p.vocabulary.schema.label(shared[0].thing.label) if shared and not wanted else None
    if other and other.name_property and not _is_known(shared[0].thing.limits, other.name_property):
        return (own, Wanted(shared[0].path, other.name, other.name_property))
    steps = [w.step for w in wanted if w.step is not None]
    if not steps:
        return wanted
    names = [] if _is_known(thing.limits, own.name) else [own]
    for limit in thing.limits:
        if isinstance(limit, Linked) and limit.path == (steps[0],):
            end = p.vocabulary.schema.label(limit.thing.label)
            if not names and end and end.name_property and not _is_told(thing.limits, steps[0]):
                names.append(Wanted(limit.path, end.name, end.name_property))
    told = not names and _is_told(thing.limits, steps[0])
    return tuple(dict.fromkeys((*(names or ([] if told else [own])), *wanted)))


def _is_told(limits: tuple[Limit, ...], step: Step) -> bool:
    """Whether the other end of a relationship is told by a value of its own, an identifier perhaps."""
    ends = [x for x in limits if isinstance(x, Linked) and x.path == (step,)]
    values = [x for end in ends for x in end.thing.limits if isinstance(x, Has)]
    return any(x.operator is Operator.EQ for x in values)


def _is_known(limits: tuple[Limit, ...], name: str) -> bool:
    return any(isinstance(x, Has) and x.name == name and x.operator is Operator.EQ for x in limits)
