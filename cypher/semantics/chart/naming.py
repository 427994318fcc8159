"""What a noun's form and a value's words tell: one or many, a name or a kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import CUT, AnyOf, Features, Has, Limit, Linked, Noun, Quantity, Thing, Told
from cypher.semantics.chart.lexemes import QUOTED, Lexeme
from cypher.semantics.chart.opposites import opposed_nouns
from cypher.semantics.chart.wordlists import FREE, PREPOSITIONS, WHO
from cypher.semantics.ir import Operator
from cypher.semantics.irregular import IRREGULAR
from cypher.semantics.roles import is_role
from cypher.semantics.score import total
from schemas.store_schema import PropertyType

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser


FAR_CLAUSE: Final = 2.25
"""What speaks against a clause telling of what stands before a kind of which nothing else is said."""
FAR_PLACE: Final = 0.75
"""The same where "where" and "whose" open the clause, which tell of what lies further off as well."""
BETWEEN: Final = 0.25
"""What speaks against telling of what stands before something that is told by something else in turn."""
OF_KIND: Final = 0.6
"""What the name of a kind counts as a noun for its things."""
PLAIN: Final = 0.4
"""What speaks against a flag's word for the things that have it."""
MEANT: Final = 0.8
"""Least score of a property's word that stands in front of a noun."""
_ARTICLES: Final = frozenset({"a", "an", "the", "any", "some", "every"})
_THE: Final = frozenset({"the"})
_NEW: Final = frozenset({"another", "other", "different", "second", "further"})
_OPENING: Final = frozenset({"(", ",", "by"})
_CLOSING: Final = frozenset({")", ",", ".", "?", "!", ""})
_AS: Final = frozenset({"by", "as"})
_THAT_IS: Final = (("that", "is"), ("i", "mean"))


def number_of(noun: str) -> str:
    """Whether a noun's form stands for one or for many.

    >>> number_of("people"), number_of("city")
    ('many', 'one')
    """
    plural = noun.endswith("s") and not noun.endswith("ss")
    return "many" if plural or noun in ("people", "men", "women", "children") else "one"


def named_either(p: Parser, noun: Noun) -> Iterator[tuple[int, AnyOf, Features]]:
    """ "(Called) Ann or Ben": either name, with where it ends."""
    own = noun.thing.limits[0] if noun.named and len(noun.thing.limits) == 1 else None
    if p.word(noun.end) != "or" or not isinstance(own, Has):
        return
    for other in p.cores(noun.end + 1):
        again = other.thing.limits[0] if other.named and len(other.thing.limits) == 1 else None
        alike = isinstance(again, Has) and again.name == own.name
        if again is not None and alike and other.thing.label == noun.thing.label:
            yield other.end, AnyOf(((own,), (again,))), (*noun.features, *other.features, ("c_list", 1.0))


def has_value(lexeme: Lexeme) -> Has:
    """The condition that a value says."""
    texts = tuple(dict.fromkeys(v.text for v in lexeme.values))
    if lexeme.values[0].item:
        return Has(lexeme.name, Operator.CONTAINS, texts[0])
    if len(texts) == 1:
        return Has(lexeme.name, Operator.EQ, texts[0])
    return Has(lexeme.name, Operator.IN, texts)


def of_the_kind(p: Parser, noun: Noun, value: Lexeme) -> Iterator[Noun]:
    """ "Cats", "(ginger) cats": things that a relation joins to their kind, told by the kind's name."""
    if value.values[0].of_relation:
        yield from _in_the_role(p, noun, value)
        return
    if not p.lattice.words[noun.end].text.islower():
        return
    kind = Thing(value.owners[0], (has_value(value),))
    more: Features = (("c_value", value.score), ("c_label", OF_KIND))
    for start, path in p.ways.of_kind(kind.label):
        if noun.thing.label in ("", start):
            thing = Thing(start, (*noun.thing.limits, Linked(path, kind)))
            features = (*noun.features, *more)
            score = noun.score + total(more)
            yield replace(noun, end=value.end, thing=thing, score=score, features=features, bare=False)


def _in_the_role(p: Parser, noun: Noun, value: Lexeme) -> Iterator[Noun]:
    """ "Leaders (of the run)": those who have a role in something, called by it, several of them."""
    said = p.word(value.end - 1)
    if not is_role(value.name) or noun.thing.label or not said.endswith("s") or said.endswith("ss"):
        return
    more: Features = (("c_value", value.score), ("c_label", OF_KIND))
    for way in p.ways.of(value.owners[0]):
        if way.own and way.forward:
            thing = Thing(way.start, (Told(way.path[0], has_value(value)),))
            features, score = (*noun.features, *more), noun.score + total(more)
            yield replace(noun, end=value.end, thing=thing, score=score, features=features, bare=False)


def is_name(p: Parser, lexeme: Lexeme) -> bool:
    """Whether a value names one thing."""
    label = p.vocabulary.schema.label(lexeme.owners[0])
    own = label is not None and label.name_property == lexeme.name
    return own or p.vocabulary.values.is_name(lexeme.values[0])


def is_plural(p: Parser, noun: Noun) -> bool:
    """Whether a noun is a value in the plural: "the most Kestrels"."""
    values = (x.value for x in noun.thing.limits if isinstance(x, Has))
    return any(isinstance(v, str) and p.word(noun.end - 1) == f"{v.lower()}s" for v in values)


def labels_between(p: Parser, at: int, end: int) -> Iterator[Lexeme]:
    """Words for things that start at a word or behind it and stop before word ``end``."""
    return (x for start in range(at, end) for x in p.lattice.of(start, "label") if x.end == end)


def is_bare_kind(p: Parser, end: int, *, definite: bool = False) -> bool:
    """Whether a kind alone stands before a place: "(calls made from) phones which", "the phone that"."""
    if p.word(end - 1) in ("those", "one", "another") and not definite:
        return True
    if number_of(p.word(end - 1)) == "many" and not definite:
        return any(x.end == end for x in p.lattice.of(end - 1, "label"))
    starts = [at for at in (end - 1, end - 2) if any(x.end == end for x in p.lattice.of(at, "label"))]
    return any(p.word(at - 1) in (_THE if definite else _ARTICLES) for at in starts)


def brings_in(p: Parser, end: int) -> bool:
    """Whether a kind alone that is new stands before a place: "another call", "a different one"."""
    if p.word(end - 1) == "another" or (p.word(end - 2), p.word(end - 1)) == ("another", "one"):
        return True
    starts = (at for at in (end - 1, end - 2) if any(x.end == end for x in p.lattice.of(at, "label")))
    return any(p.word(at - 1) in _NEW for at in starts)


def further_behind(p: Parser, noun: Noun) -> Features:
    """What speaks against telling one thing more of what is not right before it, where a bare kind is.

    So where more stands between: of "people who know a sailor on a ship built in Hull" the ship was built.
    """
    end = noun.end
    at = end + (p.word(end) in PREPOSITIONS)
    clause = p.word(at) in WHO | {"where", "whose"}
    told = p.word(end) in WHO and any(_is_told_person(p, x) for x in noun.last)
    between = (("c_second", BETWEEN),) if told or any(_is_deep(x) for x in noun.last) else ()
    participle = p.word(end).endswith(("ed", "ing")) or p.word(end) in IRREGULAR
    many = participle and number_of(p.word(end - 1)) == "many"
    far = is_bare_kind(p, end, definite=not (clause or many))
    further = FAR_CLAUSE if many or p.word(at) in WHO else FAR_PLACE
    return (("c_second", 1.0), ("c_second", further), *between) if far else (("c_second", 1.0), *between)


def _is_told_person(p: Parser, limit: Limit) -> bool:
    """Whether the thing is tied to somebody of whom more is said: "who" may go on with either."""
    return isinstance(limit, Linked) and bool(limit.thing.limits) and p.is_person(limit.thing.label)


def _is_deep(limit: Limit) -> bool:
    """Whether something is tied to what is tied to something else in turn."""
    inner = limit.thing.limits if isinstance(limit, Linked) else ()
    return any(isinstance(x, (Linked, Told)) for x in inner)


def is_of_one(p: Parser, at: int, noun: Noun) -> bool:
    """Whether a noun opens with a kind in the singular without an article: "(which type of) crime"."""
    kinds = (x for x in p.lattice.of(at, "label") if x.name == noun.thing.label)
    return noun.quantity is None and any(number_of(p.word(x.end - 1)) == "one" for x in kinds)


def is_limit(quantity: Quantity) -> bool:
    """Whether so many are wanted: "the names of three people"."""
    return quantity.kind in CUT or (quantity.kind == "number" and quantity.operator is Operator.EQ)


def is_count(p: Parser, at: int, value: Lexeme) -> bool:
    """Whether a value is rather a number or a day: "3", not the address "3 High Street"."""
    found = p.lattice.of(at, "number")
    longer = bool(found) and value.end > max(x.end for x in found)
    return bool(found) and p.word(at) != QUOTED and not (longer and not p.lattice.of(at, "day"))


def told_by_property(p: Parser, noun: Noun) -> Iterator[Noun]:
    """ "Ward, surname that is", "Kelly (last name)", "Ann by first name": what the value is of."""
    opening = p.word(noun.end)
    if opening not in _OPENING or noun.bare or noun.wanted:
        return
    at = noun.end + 1
    while p.word(at) in FREE | _AS:
        at += 1
    marked = bool(_AS & set(p.lower[noun.end + 1 : at]))
    for lexeme in p.lattice.of(at, "property"):
        told = any(isinstance(x, Has) and x.name == lexeme.name for x in noun.thing.limits)
        end = lexeme.end + 2 * (p.lower[lexeme.end : lexeme.end + 2] in _THAT_IS)
        closed = opening == "by" or (
            p.word(end) in _CLOSING and (opening == "(" or marked or end > lexeme.end)
        )
        if told and closed and noun.thing.label in lexeme.owners:
            more: Features = (("c_property", 0.5 * lexeme.score), ("c_said", 1.0))
            yield replace(
                noun, end=end + (opening != "by" and p.word(end) in ",)"), score=noun.score + total(more),
                features=noun.features + more,
            )  # fmt: skip


def flags(p: Parser, at: int) -> Iterator[tuple[Lexeme, str]]:
    """Words for what is true of some things ("retired"), with the labels that have it."""
    for lexeme in p.lattice.of(at, "property"):
        for owner in lexeme.owners if lexeme.name and lexeme.score >= 0.8 else ():
            info = p.vocabulary.words.properties.get((owner, lexeme.name))
            if info is not None and info.type is PropertyType.BOOLEAN:
                yield lexeme, owner


def flagged(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """ "Retired teachers", "(two) members": things of which something is true, or is not."""
    yield from opposed_nouns(p, at, begin)
    for lexeme, owner in flags(p, at):
        for noun in p.cores(lexeme.end):
            if noun.thing.label == owner and noun.quantity is None and not noun.named:
                more: Features = (*begin, ("c_property", lexeme.score))
                thing = noun.thing.plus(Has(lexeme.name, Operator.EQ, True))
                features = more + noun.features
                yield replace(noun, thing=thing, score=noun.score + total(more), features=features)
        plural = p.word(lexeme.end - 1).endswith("s") and p.vocabulary.schema.label(owner)
        if plural and not p.word(lexeme.end - 1).endswith("ss"):
            more = (*begin, ("c_property", lexeme.score), ("c_plain", PLAIN))
            holds = Thing(owner, (Has(lexeme.name, Operator.EQ, True),))
            yield Noun(lexeme.end, holds, total(more), more, bare=True, number="many")


def numbered(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """ "Zone 4 stops", "grade 2 teachers": things with a number of theirs in front."""
    for lexeme in p.lattice.of(at, "property"):
        for number in p.lattice.of(lexeme.end, "number") if lexeme.name and lexeme.score >= MEANT else ():
            for noun in p.cores(number.end):
                info = p.vocabulary.words.properties.get((noun.thing.label, lexeme.name))
                plain = noun.quantity is None and not noun.named and not noun.wanted
                if info is not None and info.numeric and plain and number.number is not None:
                    more: Features = (*begin, ("c_property", lexeme.score), ("c_cue", 1.0))
                    value = int(number.number) if number.number.is_integer() else number.number
                    thing = noun.thing.plus(Has(lexeme.name, Operator.EQ, value))
                    score = noun.score + total(more)
                    yield replace(noun, thing=thing, score=score, features=more + noun.features)


def named_so(p: Parser, at: int, end: int) -> bool:
    """Whether a superlative is part of a property's name: "the last outcome", said "latest" too."""
    return any(x.end > end and x.score > 1 for x in p.lattice.of(at, "property"))


def splits_name(p: Parser, at: int) -> bool:
    """Whether a place lies inside a name: "(those) Ann | Lee knows"."""
    first, second = (p.lattice.words[i].text if 0 <= i < p.size else "" for i in (at - 1, at))
    if not (first[:1].isupper() and second[:1].isupper()) or p.possessive(at):
        return False
    before = {x.owners[0] for x in p.lattice.of(at - 1, "value") if x.end == at}
    return any(x.owners[0] in before for x in p.lattice.of(at, "value"))


def naming_cue(p: Parser, at: int, noun: Noun) -> Features:
    """How far "called" or "named" gives a name; less where such things call: "(which) phones called 555"."""
    for lexeme in p.lattice.of(at, "relation") if p.word(at) == "called" else ():
        for way in p.ways.of(lexeme.name):
            if noun.thing.label in (way.start, way.end):
                return (("c_cue", 0.1),)
    return (("c_cue", 1.5), *by_name(p, noun))


def by_name(p: Parser, noun: Noun) -> Features:
    """A name is rather the first one, where a value is kept as first name and as surname."""
    label = p.vocabulary.schema.label(noun.thing.label)
    own = label is not None and any(
        isinstance(x, Has) and x.name == label.name_property for x in noun.thing.limits
    )
    return (("c_said", 1.0),) if own else ()
