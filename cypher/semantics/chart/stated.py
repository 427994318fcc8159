"""Values said in front of their property: "a green colour", "'Ann Lee' as the author", "oak in its cover"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import AnyOf, Features, Has, Limit, Noun, Predicate, Thing
from cypher.semantics.chart.naming import has_value, is_name
from cypher.semantics.chart.wordlists import FREE
from cypher.semantics.ir import Operator
from cypher.semantics.score import total
from cypher.word_lists import TEXTS
from schemas.store_schema import PropertyType

if TYPE_CHECKING:
    from cypher.semantics.chart.lexemes import Lexeme
    from cypher.semantics.chart.parser import Parser

_HEADS: Final = frozenset(
    [
        "value",
        "values",
        "type",
        "types",
        "size",
        "percentage",
        "percent",
        "count",
        "number",
        "level",
        "amount",
        "cost",
        "costs",
        "charge",
        "charges",
        "fee",
        "fees",
        "description",
        "descriptions",
    ]
)
"""Nouns behind a property's own name that add nothing to it."""
_BY: Final = (("according", "to"), ("going", "by"), ("judging", "by"), ("as", "per"), ("going", "on"))
"""What stands between a value and the property that tells it."""
_EDGES: Final = {
    **{f"at the {w} of": Operator.STARTS for w in ("start", "beginning", "front", "head")},
    **{f"at the {w} of": Operator.ENDS for w in ("end", "close", "tail")},
}
_STANDING: Final = frozenset({"mentioned", "contained", "included", "written", "appearing", "somewhere"})
_THEIR: Final = frozenset({"their", "its", "his", "her", "the"})


def past_head(p: Parser, at: int) -> int:
    """Behind "(crew) size", where the word is nothing that the schema knows."""
    return at + 1 if p.word(at) in _HEADS and not p.lattice.at(at) else at


def past_unit(p: Parser, at: int, owner: str, name: str) -> int:
    """Behind "(lasted more than 20) seconds", where the unit is a word for the property."""
    ends = (x.end for x in p.lattice.of(at, "property") if x.name == name and owner in x.owners)
    return max(ends, default=at)


def stored(p: Parser, at: int, owner: str, name: str) -> bool:
    """Whether a word is a value of a property, "unknown" among others."""
    return any(x.name == name and x.owners[0] == owner for x in p.lattice.of(at, "value"))


def value_first(p: Parser, at: int) -> Iterator[Predicate]:
    """A value with its property behind it, joined by nothing or "as" or "in"."""
    features: Features
    for values, end, score in _valued(p, at):
        if p.word(end) == "level" and len(values) == 1:
            features = (("c_value", score), ("c_cue", 1.0))
            yield Predicate(end + 1, values[0].owners[0], (has_value(values[0]),), total(features), features)
        place = end + (p.word(end) in ("as", "for"))
        place = next((end + 2 for x in _BY if p.lower[end : end + 2] == x), place)
        while place > end and p.word(place) in FREE | _THEIR:
            place += 1
        for prop in p.lattice.of(place, "property"):
            owner = values[0].owners[0]
            if prop.name == values[0].name and owner in prop.owners:
                features = (("c_value", score), ("c_property", prop.score), ("c_said", 1.0))
                found = tuple(has_value(x) for x in values)
                limit: Limit = found[0] if len(found) == 1 else AnyOf(tuple((x,) for x in found))
                yield Predicate(prop.end, owner, (limit,), total(features), features)
    yield from _inside(p, at)


def _valued(p: Parser, at: int) -> Iterator[tuple[tuple[Lexeme, ...], int, float]]:
    """A value, or two of one property with "or" between, with where they end."""
    for value in p.lattice.of(at, "value"):
        yield (value,), value.end, value.score
        for other in p.lattice.of(value.end + 1, "value") if p.word(value.end) == "or" else ():
            if (other.owners, other.name) == (value.owners, value.name):
                yield (value, other), other.end, value.score + other.score


def _inside(p: Parser, at: int) -> Iterator[Predicate]:
    """ "'oak' in their cover", "the word 'oak' mentioned in the remark": a part of a text."""
    at += p.word(at) in TEXTS
    texts = [(x.end, x.text) for x in p.lattice.of(at, "text")]
    texts += [(x.end, x.values[0].text) for x in p.lattice.of(at, "value")]
    if not texts and p.word(at).isalpha() and p.word(at) not in _STANDING and not p.lattice.at(at):
        texts = [(at + 1, p.lattice.words[at].text)]
    for stop, text in dict.fromkeys(texts):
        end = stop + (p.word(stop) in _STANDING)
        at_the = p.lower[end : end + 4] if p.word(end) == "at" else ()
        edge = _EDGES.get(" ".join(at_the))
        if not edge and p.word(end) != "in":
            continue
        end += 3 if edge else 0
        if p.word(end + 1) not in _THEIR and not edge:
            continue
        for owner, prop in _told_in(p, end + 1 + (p.word(end + 1) in _THEIR)):
            info = p.vocabulary.words.properties.get((owner, prop.name))
            if info and info.type is PropertyType.STRING and not (info.numeric or info.dated):
                quoted = 0.6 if end > stop else 0.0
                features: Features = (("c_cue", 2.0 + quoted), ("c_property", prop.score))
                limits = (Has(prop.name, edge or Operator.CONTAINS, text),)
                yield Predicate(prop.end, owner, limits, total(features), features)


def _told_in(p: Parser, at: int) -> Iterator[tuple[str, Lexeme]]:
    """A property with its owner, which may be a relation named before it: "the review summary"."""
    for prop in p.lattice.of(at, "property"):
        yield from ((owner, prop) for owner in prop.owners)
    for relation in p.lattice.of(at, "relation"):
        for prop in p.lattice.of(relation.end, "property"):
            if relation.name in prop.owners:
                yield relation.name, prop


def timed(p: Parser, at: int) -> Iterator[Predicate]:
    """ "At 06:48": a time of day, which says when something happens."""
    for value in p.lattice.of(at + 1, "value") if p.word(at) == "at" else ():
        info = p.vocabulary.words.properties.get((value.owners[0], value.name))
        if info is not None and info.dated and p.word(at + 1)[:1].isdigit():
            features: Features = (("c_value", value.score), ("c_cue", 1.0))
            yield Predicate(value.end, value.owners[0], (has_value(value),), total(features), features)


def said_day(p: Parser, verb: int, at: int) -> Iterator[Predicate]:
    """ "(Called on) 3 May": a value of the property that the verb says, as ``call_date``."""
    for said in p.lattice.of(verb, "verbal") if at > verb + 1 else ():
        for value in p.lattice.of(at, "value"):
            if value.name == said.name and value.owners[0] in said.owners:
                features: Features = (("c_property", said.score), ("c_value", value.score), ("c_said", 1.0))
                yield Predicate(value.end, value.owners[0], (has_value(value),), total(features), features)


def having_value(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """ "(The) number OX1": what has a value, by the property that it is said with."""
    for prop in p.lattice.of(at, "property"):
        for value in p.lattice.of(prop.end, "value") if prop.name else ():
            owner = value.owners[0]
            known = value.name == prop.name and owner in prop.owners
            if known and p.vocabulary.schema.label(owner):
                more: Features = (("c_property", prop.score), ("c_value", value.score), ("c_said", 1.0))
                features = (*begin, *more)
                thing = Thing(owner, (has_value(value),))
                yield Noun(value.end, thing, total(features), features, named=is_name(p, value))
