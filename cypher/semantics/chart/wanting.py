"""Properties that a phrase asks for, and how many of a noun it tells of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Quantity, Wanted
from cypher.semantics.chart.lexemes import QUOTED, Lexeme
from cypher.semantics.chart.phrases import comparison, most_of
from cypher.semantics.chart.stated import past_head
from cypher.semantics.chart.wordlists import FREE, HARD, LOCATING, PREPOSITIONS, TRAILING, words_of
from cypher.semantics.ir import Operator
from cypher.semantics.irregular import IRREGULAR
from cypher.semantics.schema_paths import Path, Step
from cypher.semantics.score import Features
from cypher.semantics.text import identifier_words

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_PLACES: Final = frozenset(
    {"country", "city", "town", "village", "region", "county", "state", "province", "continent", "island"}
)
"""Words of properties that say where something is."""
PLACED: Final = 0.5
"""What a type of lying somewhere counts for such a property."""
SLACK: Final = 0.3
"""What more unknown words may cost before a property than its word counts, as in "opening hours"."""
HARMLESS: Final = frozenset(
    word
    for line in (
        "exact current present actual full overall usual respective real particular specific complete",
        "corresponding own precise correct recorded registered listed assigned given stated official",
        "different distinct various known individual entire proper true approximate rough",
    )
    for word in line.split()
)
"""Words before a property that do not say which of several is meant."""
_GIVING: Final = words_of(
    "held owned possessed had used worn borne given paid awarded earned received charged granted lent",
    "allotted allocated assigned attributed ascribed belonging associated connected related linked tied",
    "attached recorded registered listed stored noted logged reported stated set measured obtained taken",
    "spoken made known needed required raised provided carried supplied shown served left",
)
"""Participles that say no more than that somebody or something has a property."""
_NONE: Final = frozenset({"no", "zero"})
_BEHIND: Final = frozenset({"?", ".", "!", ",", "", "by", "in", "on", "at", "during", "from"})
"""What may follow "the most" where it says how often."""


def past(p: Parser, at: int) -> int:
    while p.word(at) in FREE:
        at += 1
    return at


def quantities(p: Parser, at: int) -> Iterator[tuple[int, Quantity]]:
    """ "No", "three", "more than three", "the most", with where they end."""
    at = past(p, at)
    compared = comparison(p.lower, at)
    if compared and not compared.hint:
        for number in p.lattice.of(compared.end, "number"):
            if number.number is not None and number.number == int(number.number):
                yield number.end, Quantity("number", compared.operator, int(number.number))
    for number in p.lattice.of(at, "number"):
        if number.number is not None and 0 <= number.number <= 1000 and number.number == int(number.number):
            more = p.lower[number.end : number.end + 2] == ("or", "more")
            operator = Operator.GE if more else Operator.EQ
            yield number.end + 2 * more, Quantity("number", operator, int(number.number))
    if p.word(at) in _NONE:
        yield at + 1, Quantity("none")
    if p.word(at) in ("multiple", "several"):
        yield at + 1, Quantity("number", Operator.GT, 1)
    if found := most_of(p.lower, at):
        yield found[0], Quantity("most", descending=found[1])


def joining(p: Parser, at: int) -> Iterator[int]:
    """Where the owner of a property may start: behind "of", "for", "held by", "belonging to"."""
    over = p.word(at) == "over" and p.word(at + 1) in ("all", "the", "these", "those")
    if over or p.word(at) in ("of", "for", "from", "in", "among", "across"):
        yield at + 1
    if p.word(at) in ("are", "were", "is") and p.word(at + 1) in ("there", "in"):
        yield from joining(p, at + 1 + (p.word(at + 1) == "there"))
    if p.word(at + 1) in ("by", "to", "with", "for", "from") and _joins(p, at):
        yield at + 2
    if p.word(at) in ("to", "by", "on") and is_participle(p.word(at - 1)):
        yield at + 1  # "hours awarded to" of "hours_awarded"
    if p.word(at) in ("found", "seen", "occurring") and p.word(at + 1) in ("among", "in", "with", "for"):
        yield at + 2


def _joins(p: Parser, at: int) -> bool:
    """Whether a participle ties a property to what has it: "paid to", unlike "refused by"."""
    known = p.word(at) in _GIVING or bool(p.lattice.of(at, "relation", "verbal"))
    return known and is_participle(p.word(at))


def is_participle(word: str) -> bool:
    """Whether a word may be a participle by its form."""
    return word.endswith(("ed", "ing", "eld")) or word in IRREGULAR


def property_list(p: Parser, at: int) -> Iterator[tuple[tuple[Lexeme, ...], int, float]]:
    """ "names, ages and phone numbers": property words, where they end, their scores."""
    for start, skipped in p.starts(at):
        stack: list[tuple[tuple[Lexeme, ...], int, float]] = [
            (
                (replace(x, passed=skipped > 0 and p.word(start - 1) not in HARMLESS),),
                end,
                x.score - skipped - lost,
            )
            for x in p.lattice.of(start, "property")
            for end, lost in _ends(p, x)
            if x.score + SLACK >= skipped + lost or any(p.lattice.at(i) for i in range(at, start))
        ]
        while stack:
            names, end, score = stack.pop()
            yield names, end, score
            after = end
            while p.word(after) in (",", "and") or (after > end and p.word(after) in FREE):
                after += 1
            if after > end and len(names) < 5:
                stack += [
                    ((*names, x), _past_unit(p, x), score + x.score) for x in p.lattice.of(after, "property")
                ]


def property_words(names: Sequence[Lexeme], score: float) -> Features:
    """What words of properties count, and whether one before them was passed over that may narrow them."""
    over: Features = (("c_passed", 1.0),) if any(x.passed for x in names) else ()
    return (("c_property", score), *over)


def measured_property(p: Parser, at: int) -> Iterator[tuple[tuple[Lexeme, ...], int, float]]:
    """Property words, or one behind the kind that has it: "film price"."""
    yield from property_list(p, at)
    for label in p.lattice.of(at, "label"):
        for x in p.lattice.of(label.end, "property"):
            if label.name in x.owners and x.name:
                yield (replace(x, owners=(label.name,)),), x.end, x.score + label.score


def _ends(p: Parser, lexeme: Lexeme) -> Iterator[tuple[int, float]]:
    """Where a property's words end: "route", or "route of administration" where nothing is known of that."""
    end = _past_unit(p, lexeme)
    yield end, 0.0
    word = p.word(end + 1)
    behind = p.word(end + 2)
    unknown = word.isalpha() and word not in FREE | HARD | PREPOSITIONS and not p.lattice.at(end + 1)
    if p.word(end) == "of" and unknown and (behind in PREPOSITIONS | {"and"} or not behind.isalnum()):
        yield end + 2, 0.3


def _past_unit(p: Parser, lexeme: Lexeme) -> int:
    """Behind "lifespan in years", where the property's name holds the unit."""
    if (head := past_head(p, lexeme.end)) > lexeme.end:
        return head
    unit = p.word(lexeme.end + 1)
    return (
        lexeme.end + 2 if p.word(lexeme.end) == "in" and unit in identifier_words(lexeme.name) else lexeme.end
    )


def relation_wanted(p: Parser, label: str, lexeme: Lexeme) -> Wanted | None:
    """The property of a relationship of such things that a word names, where it is no other's."""
    steps = [s for owner in lexeme.owners for s in relation_steps(p, owner, label)]
    if not steps or not lexeme.name:
        return None
    step = (p.ways.variants(label, steps[0]) if len(lexeme.owners) > 1 else None) or steps[0]
    others = tuple(s for s in steps if s.type not in step.types)
    return Wanted((), step.type, lexeme.name, step, others)


def relation_steps(p: Parser, kind: str, label: str) -> list[Step]:
    """Relationships of a type as walked from things of a label; none where ``kind`` is no type."""
    if p.vocabulary.schema.relation(kind) is None or p.vocabulary.schema.label(kind):
        return []
    return [way.path[0] for way in p.ways.of(kind) if way.own and way.start == label]


UNSAID: Final = 0.3
"""What speaks against a kind that no word of the question names, of several that have a property."""


def wants(p: Parser, label: str, names: tuple[Lexeme, ...]) -> tuple[tuple[Wanted, ...], float]:
    """Properties of ``label``, or of what is nearest to it, that words name, with the cost; all or none."""
    out: list[Wanted] = []
    whole = 0.0
    for lexeme in names:
        own = p.vocabulary.schema.label(label)
        name = lexeme.name or (own.name_property if own else "")
        if label in lexeme.owners and name:
            out.append(Wanted((), label, name))
            continue
        if told := relation_wanted(p, label, lexeme):
            whole += 0.2
            out.append(told)
            continue
        paths = [
            (
                cost + UNSAID * (owner not in p.lattice.said) - _placing(lexeme.name, path),
                len(path),
                owner,
                path,
            )
            for owner in lexeme.owners
            if p.vocabulary.schema.label(owner) and lexeme.name
            for path, cost in p.ways.bridges(label, owner)
        ]
        if not paths:
            return (), 0.0
        cost, _, owner, path = min(paths, key=lambda x: (x[0], x[1], x[2]))
        whole += cost + 0.2
        out.append(Wanted(path, owner, lexeme.name))
    return tuple(dict.fromkeys(out)), whole


def _placing(name: str, path: Path) -> float:
    """What speaks for a way to where something is, of a property that says where: the country of a hut."""
    said = {part for step in path for part in identifier_words(step.type)}
    return PLACED if said & LOCATING and _PLACES & set(identifier_words(name)) else 0.0


def past_relation(p: Parser, end: int, kind: str) -> Iterator[int]:
    """Behind "(ratings) in the reviews", "(roles) in their ACTED_IN relationship"."""
    end += p.word(end) in TRAILING
    if p.word(end) not in ("in", "of", "from", "across", "by", "for"):
        return
    at = end + 1
    while p.word(at) in FREE | {"their", "its", "all"}:
        at += 1
    at += p.word(at) in ("'", '"', QUOTED)
    ends = [x.end for x in p.lattice.of(at, "relation") if x.name == kind]
    if p.word(at) == kind.lower() and not ends:
        ends = [at + 1]
    for end in ends:
        stop = end + (p.word(end) in ("'", '"'))
        yield stop + (p.word(stop) in ("relationship", "relationships", "relation", "relations"))


def often(p: Parser, at: int) -> Iterator[tuple[int, Quantity]]:
    """ "More than three times", "more than once", "several times", "the most often"."""
    for end, quantity in quantities(p, at):
        if p.word(end) in ("time", "times", "often", "frequently"):
            yield end + 1, quantity
        elif quantity.kind == "most" and p.word(end) in _BEHIND and p.word(end - 1) in ("most", "least"):
            yield end, quantity
    place = past(p, at)
    compared = comparison(p.lower, place)
    after = compared.end if compared and not compared.hint else place
    if p.word(after) in ("once", "twice"):
        operator = compared.operator if compared and not compared.hint else Operator.EQ
        yield after + 1, Quantity("number", operator, 1 + (p.word(after) == "twice"))


def owners(p: Parser, lexeme: Lexeme) -> Iterator[tuple[str, str]]:
    """Labels, and types of relationships, with the property that a word names."""
    for owner in lexeme.owners:
        label = p.vocabulary.schema.label(owner)
        name = lexeme.name or (label.name_property if label else "")
        if name:
            yield owner, name
