"""Conditions on properties: equal to a value, compared with a number or a thing, largest, missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.averages import by_figure
from cypher.semantics.chart.bests import ranked_in_time, told_best
from cypher.semantics.chart.bounds import second_bound, shared_bound
from cypher.semantics.chart.days import dated, decade, literals, made, months
from cypher.semantics.chart.differing import differing
from cypher.semantics.chart.extremes import extreme
from cypher.semantics.chart.forms import (
    AnyOf,
    Compared,
    Denied,
    Features,
    Has,
    Limit,
    LooseNumber,
    Predicate,
    Versus,
)
from cypher.semantics.chart.lexemes import Lexeme
from cypher.semantics.chart.named_before import PERSONAL
from cypher.semantics.chart.naming import flags, has_value, named_either, naming_cue
from cypher.semantics.chart.opposites import opposed
from cypher.semantics.chart.phrases import Comparison, comparison, open_ended
from cypher.semantics.chart.rates import by_measure
from cypher.semantics.chart.relations import on_relation
from cypher.semantics.chart.same import shared
from cypher.semantics.chart.sizes import by_size
from cypher.semantics.chart.spans import in_unit, lasting, of_unit
from cypher.semantics.chart.stated import past_head, past_unit, stored, value_first
from cypher.semantics.chart.texts import containing, tested, text_first
from cypher.semantics.chart.unended import unended
from cypher.semantics.chart.unstored import unstored, unstored_name
from cypher.semantics.chart.wanting import owners
from cypher.semantics.chart.wordlists import FREE, MEASURING, NAMING, NEGATIONS, SPANS, UNITS
from cypher.semantics.day_times import is_time
from cypher.semantics.ir import Literal, Operator
from cypher.semantics.text import identifier_words
from cypher.semantics.units import is_of_time, measure_of
from schemas.store_schema import PropertyType

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_LINKS: Final = frozenset(
    {"is", "are", "was", "were", "of", ":", "=", "equals", "being", "as", "in", "on", "at", "reads", "read"}
)
_PASSED: Final = _LINKS | FREE | NEGATIONS | {"set", "listed", "that", "which", "either", "neither"}
_ALREADY: Final = frozenset({"yet", "already"})
_DONE: Final = _ALREADY | {"", "?", ".", "and", "but", ","}
"""What follows a verb of which only that it happened is told: "(repairs that were) closed"."""
_NOT: Final = NEGATIONS | {"neither"}
_MISSING: Final = frozenset({"no", "without", "unknown", "missing"})
_BOOKED: Final = (
    *("known", "listed", "entered", "recorded", "registered", "booked", "filed", "logged", "classed"),
    *("classified", "categorised", "categorized", "reported", "marked"),
)
_KNOWN_AS: Final = frozenset((verb, "as") for verb in _BOOKED)
"""Participles that give the noun in front of them its name, with "as"."""
_TEXTS: Final = frozenset({"text", "wording", "spelling"})
_OWN: Final = frozenset({"their", "its", "his", "her", "the"})
_CLOCK: Final = frozenset({"seconds", "minutes", "hours"})
_ARTICLES: Final = frozenset({"a", "an", "any"})
_WITH: Final = frozenset({"with", "having", "has", "have", "had"})


def find(p: Parser, at: int) -> Iterable[Predicate]:
    """Conditions that start at a word."""
    for found in _found(p, at):
        if found.label and p.vocabulary.schema.label(found.label) is None:
            yield from on_relation(p, found)
        else:
            yield found


def _found(p: Parser, at: int) -> Iterator[Predicate]:
    at += 2 * (p.lower[at : at + 2] == ("either", "of"))
    while p.word(at) in FREE:
        at += 1
    yield from _named(p, at)
    yield from _measuring(p, at)
    yield from lasting(p, at)
    yield from _number_first(p, at)
    yield from extreme(p, at)
    yield from by_size(p, at)
    yield from shared(p, at)
    yield from dated(p, at)
    yield from _missing(p, at)
    yield from unended(p, at)
    yield from opposed(p, at)
    yield from by_measure(p, at)
    yield from by_figure(p, at)
    yield from ranked_in_time(p, at)
    for lexeme, owner in flags(p, at + 2 * (p.lower[at : at + 2] in _KNOWN_AS)):
        holds = Has(lexeme.name, Operator.EQ, True)
        end = lexeme.end + (p.word(lexeme.end) in ("status", "flag", "state"))
        stated = p.lower[end : end + 2] if end > lexeme.end else ()
        if len(stated) == 2 and stated[1] in ("true", "false"):
            holds, end = Has(lexeme.name, Operator.EQ, stated[1] == "true"), end + 2
        yield made(end, owner, (holds,), (("c_property", lexeme.score), ("c_cue", 0.5)))
    yield from value_first(p, at)
    yield from containing(p, at)
    yield from text_first(p, at)
    for lexeme in p.lattice.of(at, "property", "verbal"):
        begin: Features = (("c_property", lexeme.score),)
        yield from _after_property(p, lexeme, begin)


def _after_property(p: Parser, lexeme: Lexeme, begin: Features) -> Iterator[Predicate]:
    at = past_head(p, lexeme.end)
    at += lexeme.kind == "verbal" and p.word(at) == "by"
    at += p.word(at) == "for" and p.word(lexeme.end - 1) in MEASURING
    negated = False
    while differs := differing(p, at, lexeme.end):
        at, negated = differs, True
    while p.word(at) in _PASSED and not (p.word(at) == "at" and comparison(p.lower, at)):
        negated = negated or p.word(at) in _NOT
        at += 1
        while differs := differing(p, at, lexeme.end):
            at, negated = differs, True
    at += 2 * (p.lower[at : at + 2] == ("one", "of") and at > lexeme.end)
    yield from shared_bound(p, lexeme, begin, _ordered)
    yield from _beside(p, lexeme, begin)
    for owner, name in owners(p, lexeme):
        for found in _values(p, at, owner, name, begin):
            yield _denied(found) if negated else found
        yield from _fully_named(p, at, owner, name, begin) if not negated else ()
        yield from _ordered(p, at, owner, name, begin, negated)
        yield from tested(p, lexeme.end, owner, name, begin)
        in_year = lexeme.kind == "verbal" and p.word(at - 1) == "in" and p.word(at)[:1].isdigit()
        for found in unstored(p, at, owner, name, begin) if not in_year else ():
            yield _denied(found) if negated else found
        if at > lexeme.end and p.word(at) in ("unknown", "missing") and not stored(p, at, owner, name):
            yield made(at + 1, owner, (Has(name, Operator.UNKNOWN),), begin)
        alone = lexeme.kind == "verbal" and not p.lattice.of(lexeme.end - 1, "relation")
        if alone and p.word(at) in _DONE and _is_dated(p, owner, name):
            yield made(at + (p.word(at) in _ALREADY), owner, (Has(name, Operator.KNOWN),), begin)
        if p.word(at) == "known":
            yield made(at + 1, owner, (Has(name, Operator.KNOWN),), begin)


def _beside(p: Parser, lexeme: Lexeme, begin: Features) -> Iterator[Predicate]:
    """ "(In the) guild ring 7", where rings are told too: the second word says what numbers the first has."""
    for other in p.lattice.of(lexeme.end, "property") if lexeme.kind == "property" else ():
        at = other.end + (p.word(other.end) in ("number", "id"))
        at += p.word(at) == "of"
        for owner, name in owners(p, lexeme):
            if owner in other.owners and other.name != name and p.lattice.of(at, "number"):
                more: Features = (*begin, ("c_property", other.score), ("c_cue", 0.5))
                yield from _ordered(p, at, owner, name, more)


def _is_dated(p: Parser, owner: str, name: str) -> bool:
    info = p.vocabulary.words.properties.get((owner, name))
    return info is not None and info.dated


def _denied(found: Predicate) -> Predicate:
    return Predicate(found.end, found.label, (Denied(found.limits),), found.score, found.features)


def _values(p: Parser, at: int, owner: str, name: str, begin: Features) -> Iterator[Predicate]:
    """The value, or several with "or" between."""
    stack: list[tuple[tuple[Has, ...], int, Features]] = [((), at, begin)]
    while stack:
        known, place, features = stack.pop()
        for lexeme in p.lattice.of(place, "value"):
            if lexeme.owners[0] != owner or lexeme.name != name:
                continue
            one = has_value(lexeme)
            all_of = (*known, one)
            more: Features = (*features, ("c_value", lexeme.score), ("c_said", 1.0))
            limit: Limit = one if len(all_of) == 1 else AnyOf(tuple((x,) for x in all_of))
            end = past_unit(p, lexeme.end, owner, name) if p.word(place).isdigit() else lexeme.end
            yield made(end, owner, (limit,), more)
            after = end
            while p.word(after) in (",", "or", "and", "either", "nor"):
                after += 1
            if after > end and len(all_of) < 5:
                stack.append((all_of, after, more))


def _fully_named(p: Parser, at: int, owner: str, name: str, begin: Features) -> Iterator[Predicate]:
    """ "(The name) Ann Lee", where first name and surname are kept apart."""
    label = p.vocabulary.schema.label(owner)
    for noun in p.cores(at) if label and label.name_property == name else ():
        told = tuple(x for x in noun.thing.limits if isinstance(x, Has))
        whole = len(told) == len(noun.thing.limits) > 1 and told[0].name == name
        if whole and noun.named and noun.thing.label == owner and not noun.wanted:
            yield made(noun.end, owner, told, (*begin, *noun.features, ("c_said", 1.0)))


def _ordered(
    p: Parser, at: int, owner: str, name: str, begin: Features, negated: bool = False
) -> Iterator[Predicate]:
    info = p.vocabulary.words.properties.get((owner, name))
    if info is None or not (info.numeric or info.dated):
        return
    yield from _spanned(p, at, owner, name, begin)
    yield from told_best(p, at, owner, name, begin) if p.lower[at - 1] in _PASSED and not negated else ()
    compared = comparison(p.lower, at)
    operator, place = (compared.operator, compared.end) if compared else (Operator.EQ, at)
    for value, stop in (*literals(p, place), *in_unit(p, place, owner, name)):
        if is_time(value) is not (info.time_text and isinstance(value, str)):
            continue
        end = past_unit(p, stop, owner, name)
        found = made(end, owner, (Has(name, operator, value),), (*begin, ("c_cue", 1.0)))
        yield _denied(found) if negated else found
        yield from second_bound(p, found, name) if compared and not negated else ()
        if compared is None and (either := open_ended(p.lower, end)):
            yield made(either[0], owner, (Has(name, either[1], value),), (*begin, ("c_cue", 1.5)))
    if compared and not p.lattice.of(_past(p, place), "number", "day", "time"):
        yield from _versus(p, place, owner, name, operator, begin)
        for noun in p.nouns(place):
            other = any(w.name != name for w in noun.wanted)
            if noun.thing.label == owner and noun.quantity is None and not other:
                features = (*begin, *noun.features, ("c_cue", 1.0))
                yield made(noun.end, owner, (Compared(name, operator, noun.thing, name),), features)


def _spanned(p: Parser, at: int, owner: str, name: str, begin: Features) -> Iterator[Predicate]:
    """ "In the 1960s", "in August 2017", "between 60 and 80"."""
    if years := decade(p, at):
        span = (Has(name, Operator.GE, years[0]), Has(name, Operator.LE, years[1]))
        yield made(years[2], owner, span, (*begin, ("c_cue", 1.5)))
    for first, last, end in months(p, at):
        within = (Has(name, Operator.GE, first), Has(name, Operator.LE, last))
        yield made(end, owner, within, (*begin, ("c_cue", 2.0)))
    if p.word(at) in ("between", "from"):
        for low, middle in literals(p, at + 1):
            if p.word(middle) in ("and", "to", "until"):
                for high, end in literals(p, middle + 1):
                    least, most, stop = of_unit(p, end, owner, name, (low, high))
                    limits = (Has(name, Operator.GE, least), Has(name, Operator.LE, most))
                    yield made(stop, owner, limits, (*begin, ("c_cue", 1.5)))


def _named(p: Parser, at: int) -> Iterator[Predicate]:
    """ "Named Ann", "aged 30": a value of the name, or a number behind a participle."""
    if p.word(at) in ("by", "of", "under"):
        for lexeme in p.lattice.of(_past(p, at + 1), "property"):
            if p.word(lexeme.end) == "of":
                yield from _after_property(p, lexeme, (("c_property", lexeme.score),))
    known = p.lower[at : at + 2] in _KNOWN_AS or _is_text(p, at)
    place = at + 2 if known else at + 1 if p.word(at) in NAMING else _past_name_of(p, at)
    if place > at:
        yield from unstored_name(p, place) if not p.lattice.of(at, "property", "verbal") else ()
        for noun in p.cores(place) if p.word(place) not in PERSONAL else ():
            told = noun.named or (known and all(isinstance(x, Has) for x in noun.thing.limits))
            if told and noun.thing.limits and noun.quantity is None and not noun.wanted:
                cue: Features = (("c_cue", 1.5),) if known else naming_cue(p, at, noun)
                features: Features = (*noun.features, *cue)
                yield made(noun.end, noun.thing.label, noun.thing.limits, features)
                for end, either, more in named_either(p, noun):
                    yield made(end, noun.thing.label, (either,), (*more, *cue))


def _is_text(p: Parser, at: int) -> bool:
    """Whether words say only that a value follows: "(the code) whose text is", where nothing has a text."""
    plain = p.word(at) in _TEXTS and not p.lattice.of(at, "property")
    return plain and p.word(at + 1) in ("is", "was", "reads", "runs")


def _versus(
    p: Parser, at: int, owner: str, name: str, operator: Operator, begin: Features
) -> Iterator[Predicate]:
    """ "(A length greater than) its width", "(costs higher than) the returns"."""
    words = p.vocabulary.words.properties
    info = words[owner, name]
    for lexeme in p.lattice.of(at + (p.word(at) in _OWN), "property"):
        for holder, other in owners(p, lexeme):
            beside = words.get((holder, other))
            alike = beside and (beside.numeric, beside.dated) == (info.numeric, info.dated)
            if alike and holder == owner and other != name:
                features: Features = (*begin, ("c_property", lexeme.score), ("c_cue", 1.5))
                yield made(lexeme.end, owner, (Versus(name, operator, other),), features)


def _past_name_of(p: Parser, at: int) -> int:
    """Behind "by the name of", "with the first name"."""
    if p.word(at) not in ("by", "with", "of"):
        return at
    place = _past(p, at + 1)
    place += p.word(place) in ("first", "given", "last", "family", "full")
    return place + 2 if p.lower[place : place + 2] == ("name", "of") else at


def _measuring(p: Parser, at: int) -> Iterator[Predicate]:
    """ "Weighs more than 20 kilograms", "lasted 30 days", where no word names the property."""
    hint = MEASURING.get(p.word(at), "")
    compared = comparison(p.lower, at + 1 + (p.word(at + 1) == "for"))
    operator, place = (compared.operator, compared.end) if compared else (Operator.EQ, at + 1)
    for value, end in literals(p, place) if hint else ():
        if isinstance(value, (int, float)):
            unit = measure_of(p.word(end))
            unit = "" if unit and is_of_time(unit) else unit
            stop = end + (bool(unit) or p.word(end) in UNITS)
            yield made(stop, "", (LooseNumber(operator, value, hint, unit=unit),), (("c_cue", 2.0),))
    if hint and compared and not p.lattice.of(_past(p, place), "number", "day", "time"):
        yield from _than_another(p, place, operator, hint)


def _number_first(p: Parser, at: int) -> Iterator[Predicate]:
    """ "300 pages", "more than 300 pages", "older than 30", "older than Ann"."""
    compared = comparison(p.lower, at)
    operator, place = (compared.operator, compared.end) if compared else (Operator.EQ, at)
    for value, end in literals(p, place):
        for lexeme in p.lattice.of(_past(p, end), "property"):
            for owner, name in owners(p, lexeme):
                info = p.vocabulary.words.properties.get((owner, name))
                if info and (info.numeric or info.dated):
                    features: Features = (("c_property", lexeme.score), ("c_cue", 1.0))
                    yield made(lexeme.end, owner, (Has(name, operator, value),), features)
        if compared and (compared.hint or isinstance(value, str)):
            hint = compared.hint or "date"
            stop = end
            if p.word(end) in ("years", "year") and p.word(end + 1) in ("old", "of"):
                stop = end + 2
            yield made(stop, "", (LooseNumber(operator, value, hint),), (("c_cue", 1.5),))
        if compared and not compared.hint and p.word(end) in SPANS:
            yield made(end + 1, "", (LooseNumber(operator, value, "duration"),), (("c_cue", 1.2),))
        if compared and not compared.hint and isinstance(value, (int, float)) and p.word(end) not in _CLOCK:
            yield made(end, "", (LooseNumber(operator, value, "age"),), (("c_cue", 0.8),))
        yield from _aged(p, end, compared, value)
    if compared and compared.hint and not p.lattice.of(_past(p, place), "number", "day", "time"):
        yield from _than_another(p, place, operator, compared.hint)


def _than_another(p: Parser, at: int, operator: Operator, hint: str) -> Iterator[Predicate]:
    """ "(Older than) Ann", "(weighs more than) the Kestrel"."""
    for noun in p.nouns(at):
        if noun.quantity is None and not noun.wanted:
            limit = LooseNumber(operator, None, hint, noun.thing)
            yield made(noun.end, noun.thing.label, (limit,), (*noun.features, ("c_cue", 1.0)))


def _aged(p: Parser, end: int, compared: Comparison | None, value: Literal) -> Iterator[Predicate]:
    """ "30 years old", "30 or over", "30 years or more": an age told by its number alone."""
    if compared or isinstance(value, str):
        return
    years = end + (p.word(end) in ("years", "year"))
    if beyond := open_ended(p.lower, years):
        yield made(beyond[0], "", (LooseNumber(beyond[1], value, "age"),), (("c_cue", 1.0),))
    if years > end and p.word(years) == "old":
        yield made(years + 1, "", (LooseNumber(Operator.EQ, value, "age"),), (("c_cue", 1.5),))


def _past(p: Parser, at: int) -> int:
    while p.word(at) in FREE or p.word(at) == "of":
        at += 1
    return at


def known(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(with) a motto": that there is one."""
    if p.word(at) not in _ARTICLES and p.word(at - 1) not in _ARTICLES:
        return
    for lexeme in p.lattice.of(at + (p.word(at) in _ARTICLES), "property"):
        for owner, name in owners(p, lexeme):
            if p.vocabulary.schema.label(owner):
                features: Features = (("c_property", lexeme.score),)
                yield made(lexeme.end, owner, (Has(name, Operator.KNOWN),), features)


def _zero(p: Parser, at: int, *, said: bool) -> Iterator[Predicate]:
    """ "Zero pages", "no pages in stock": a count that is nought."""
    for lexeme in p.lattice.of(_past(p, at), "property"):
        for owner, name in owners(p, lexeme):
            info = p.vocabulary.words.properties.get((owner, name))
            if info and info.numeric and not info.dated and (said or identifier_words(name)[0].endswith("s")):
                features: Features = (("c_property", lexeme.score), ("c_cue", 1.5))
                yield made(lexeme.end, owner, (Has(name, Operator.EQ, 0),), features)


def _missing(p: Parser, at: int) -> Iterator[Predicate]:
    """ "No e-mail address", "without an age"; "a known age"."""
    word = p.word(at)
    if word in ("zero", "no"):
        yield from _zero(p, at + 1, said=word == "zero")
    if word not in _MISSING and word != "known":
        return
    operator = Operator.KNOWN if word == "known" else Operator.UNKNOWN
    for lexeme in p.lattice.of(_past(p, at + 1), "property"):
        for owner, name in owners(p, lexeme):
            features: Features = (("c_property", lexeme.score), ("c_cue", 1.0))
            info = p.vocabulary.words.properties.get((owner, name))
            if info and info.type is PropertyType.BOOLEAN and word in ("no", "without"):
                yield made(lexeme.end, owner, (Has(name, Operator.EQ, False),), features)
            elif not stored(p, at, owner, name):
                yield made(lexeme.end, owner, (Has(name, operator),), features)
