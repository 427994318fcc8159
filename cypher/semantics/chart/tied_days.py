"""Days of relationships, behind the verb that names them: "(was trained by Ann) in 2021"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.ages import is_deed
from cypher.semantics.chart.dated_ties import days_of
from cypher.semantics.chart.forms import (
    AnyOf,
    Features,
    Has,
    Limit,
    LooseNumber,
    Predicate,
    Told,
)
from cypher.semantics.chart.lexemes import Lexeme
from cypher.semantics.chart.limits import is_day
from cypher.semantics.chart.wordlists import PREPOSITIONS
from cypher.semantics.inflected import is_verb_form
from cypher.semantics.ir import Operator
from cypher.semantics.lexicon import PropertyInfo
from cypher.semantics.schema_paths import Path, Step
from cypher.semantics.score import total
from cypher.semantics.text import identifier_words
from schemas.store_schema import PropertyType

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

SAID: Final = 0.9
"""Least score of a verb for the property whose name it is."""
_WHEN: Final = frozenset({"date", "day", "year", "time"})
ENDING: Final = frozenset({"", "?", ".", "and", "or", "but", ",", "who", "that"})
"""Words behind a verb that stands alone."""


def told_when(p: Parser, first: Predicate, path: Path) -> Iterator[Predicate]:
    """ "(Was trained by Ann) in 2021": a day behind a clause, which is that of the relationship."""
    for day in p.limits(first.end) if len(path) == 1 else ():
        if told := on_tie(p, path, day):
            features = (*first.features, *day.features)
            limits = (*first.limits, *told)
            yield replace(first, end=day.end, limits=limits, features=features, score=total(features))


def also_when(first: Predicate, other: Predicate, word: str) -> tuple[Limit, ...]:
    """The limits of a clause with a day, and of a further day of the same relationship: "or after 2020"."""
    last = first.limits[-1] if first.limits else None
    if not isinstance(last, Told) or other.label or not is_day(other.limits):
        return ()
    info = last.has.name
    more = tuple(_on(x, last.step, info) for x in other.limits)
    if word == "or":
        return (AnyOf((first.limits, (*first.limits[:-1], *more))),)
    return (*first.limits, *more)


def says_when(p: Parser, at: int, day: Predicate) -> bool:
    """Whether a day behind the verb at a word is its own: of relationships or of a property so called."""
    tied = any(days_of(p.vocabulary, x.name) for x in p.lattice.of(at, "relation"))
    return is_day(day.limits) and (tied or bool(_said_by(p, at)) or _is_flag(p, at))


def _is_flag(p: Parser, at: int) -> bool:
    """Whether a verb is a property that says yes or no, of which nobody knows since when."""
    owned = [(owner, x.name) for x in p.lattice.of(at, "property") for owner in x.owners]
    found = [p.vocabulary.words.properties.get(key) for key in owned]
    flags = [x for x in found if x is not None and x.type is PropertyType.BOOLEAN]
    done = all(is_deed(p.settler.property_for(owner, "date")) for owner, _ in owned)
    return is_verb_form(p.word(at)) and bool(flags) and len(flags) == len(found) and done


def said_when(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(Who) died (before 2005)": a dated property that the verb is the name of."""
    for lexeme, info in _said_by(p, at):
        said: Features = (("c_property", max(lexeme.score, SAID)), ("c_said", 1.0))
        if p.word(at + 1) in ENDING:
            yield Predicate(at + 1, info.owner, (Has(info.name, Operator.KNOWN),), total(said), said)
        for day in p.limits(at + 1):
            if not day.label and is_day(day.limits):
                features = (*said, *day.features)
                limits = tuple(_of_property(x, info) for x in day.limits)
                yield Predicate(day.end, info.owner, limits, total(features), features)


def _said_by(p: Parser, at: int) -> list[tuple[Lexeme, PropertyInfo]]:
    """Dated properties of things whose whole name a verb is."""
    found = (
        (x, p.vocabulary.words.properties.get((owner, x.name)))
        for x in p.lattice.of(at, "property")
        for owner in x.owners
        if is_verb_form(p.word(at)) and _is_all(p.word(at), x.name) and p.vocabulary.schema.label(owner)
    )
    return [(x, info) for x, info in found if info is not None and (info.dated or _is_made_in(info))]


def _is_made_in(info: PropertyInfo) -> bool:
    """Whether a number is rather a year by its name: ``made_in``."""
    return info.type is PropertyType.INTEGER and identifier_words(info.name)[1:] == ("in",)


def _is_all(verb: str, name: str) -> bool:
    """Whether a verb says all that a property's name does: "made" of ``made_in``, "hired" of ``hiredOn``."""
    words = identifier_words(name)
    return words[:1] == (verb,) and all(w in PREPOSITIONS or w in _WHEN for w in words[1:])


def _of_property(limit: Limit, info: PropertyInfo) -> Limit:
    if isinstance(limit, AnyOf):
        return AnyOf(tuple(tuple(_of_property(x, info) for x in some) for some in limit.options))
    assert isinstance(limit, LooseNumber)
    return Has(info.name, limit.operator, limit.value)


def on_tie(p: Parser, path: Path, day: Predicate) -> tuple[Limit, ...]:
    """The limits of a day as those of a relationship that says when it was; none where it does not."""
    dated = days_of(p.vocabulary, path[0].type)[:1] if len(path) == 1 and not day.label else []
    return tuple(_on(x, path[0], dated[0].name) for x in day.limits) if dated and is_day(day.limits) else ()


def _on(limit: Limit, step: Step, name: str) -> Limit:
    if isinstance(limit, AnyOf):
        return AnyOf(tuple(tuple(_on(x, step, name) for x in some) for some in limit.options))
    assert isinstance(limit, LooseNumber)
    return Told(step, Has(name, limit.operator, limit.value))
