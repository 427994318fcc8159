"""Days of relationships, behind the verb that names them: "(was trained by Ann) in 2021"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.ages import is_deed
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
_FIRST: Final = frozenset({"since", "from", "start", "started", "begin", "began", "beginning"})
_LAST: Final = frozenset({"until", "till", "to", "end", "ended", "ending"})
ENDING: Final = frozenset({"", "?", ".", "and", "or", "but", ",", "who", "that"})
"""Words behind a verb that stands alone."""
ENDS: Final = {"since": _FIRST, "from": _FIRST, "until": _LAST, "till": _LAST}
"""Words of properties that say when a relationship began or ended, by the word before "when"."""


def told_when(p: Parser, first: Predicate, path: Path) -> Iterator[Predicate]:
    """ "(Was trained by Ann) in 2021": a day behind a clause, which is that of the relationship."""
    for day in p.limits(first.end) if len(path) == 1 else ():
        if told := on_tie(p, path, day):
            features = (*first.features, *day.features)
            limits = (*first.limits, *told)
            yield replace(first, end=day.end, limits=limits, features=features, score=total(features))


def says_when(p: Parser, at: int, day: Predicate) -> bool:
    """Whether a day behind the verb at a word is its own: of relationships or of a property so called."""
    tied = any(days_of(p, x.name) for x in p.lattice.of(at, "relation"))
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
    dated = days_of(p, path[0].type)[:1] if len(path) == 1 and not day.label else []
    return tuple(_laid(x, path[0], dated[0]) for x in day.limits) if dated and is_day(day.limits) else ()


def _laid(limit: Limit, step: Step, info: PropertyInfo) -> Limit:
    if isinstance(limit, AnyOf):
        return AnyOf(tuple(tuple(_laid(x, step, info) for x in some) for some in limit.options))
    assert isinstance(limit, LooseNumber)
    return Told(step, Has(info.name, limit.operator, limit.value))


def days_of(p: Parser, kind: str, end: str = "") -> list[PropertyInfo]:
    """Dated properties of relationships of a type, those that say when they began or ended as asked first."""
    relation = p.vocabulary.schema.relation(kind)
    table = p.vocabulary.words.properties
    found = [table[kind, x.name] for x in relation.properties] if relation else []
    wanted, other = ENDS.get(end, _FIRST), _LAST if ENDS.get(end) is not _LAST else _FIRST
    dated = [x for x in found if x.dated and not other & set(identifier_words(x.name))]
    return sorted(dated, key=lambda x: not wanted & set(identifier_words(x.name)))
