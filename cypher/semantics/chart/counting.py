"""Questions of how many, whether, and of measures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.amounts import amount
from cypher.semantics.chart.asides import existing
from cypher.semantics.chart.auxiliaries import auxiliary, is_participle
from cypher.semantics.chart.eithers import which_of
from cypher.semantics.chart.forms import AnyOf, Asked, Noun, Predicate
from cypher.semantics.chart.naming import further_behind, number_of
from cypher.semantics.chart.verb_sides import both_roles
from cypher.semantics.chart.verbs import turned, verbs, with_objects
from cypher.semantics.chart.wanting import property_list, property_words, wants
from cypher.semantics.chart.wholes import asked_gaps, whole
from cypher.semantics.chart.wordlists import COMMANDS, FREE, NAMING, UNITS
from cypher.semantics.ir import Head, Measure
from cypher.semantics.lexicon import ANYBODY
from cypher.semantics.text import identifier_words
from cypher.semantics.units import unit_of

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

MEASURES: Final = {
    "average": Measure.AVG, "mean": Measure.AVG, "total": Measure.SUM, "sum": Measure.SUM,
    "maximum": Measure.MAX, "highest": Measure.MAX, "largest": Measure.MAX, "latest": Measure.MAX,
    "longest": Measure.MAX, "minimum": Measure.MIN, "lowest": Measure.MIN, "smallest": Measure.MIN,
    **dict.fromkeys(("combined", "overall", "cumulative", "aggregate", "summed", "joint"), Measure.SUM),
    "earliest": Measure.MIN, "shortest": Measure.MIN, "greatest": Measure.MAX,
}  # fmt: skip


_AGES: Final = {
    **dict.fromkeys(("oldest", "first"), Measure.MIN),
    **dict.fromkeys(("newest", "last", "most"), Measure.MAX),
}
"""Words that measure days and years as they do things: "the oldest year", "the most recent day"."""
_OPEN: Final = ("there", "any", "a", "an", "the", "some")
"""Words behind the auxiliary of a question whether something is so, with those for anybody."""
_LONG: Final = frozenset({"longest", "shortest"})
_NUMBERS: Final = frozenset({"no", "nr", "num", "number", "id", "code"})
_TIMES: Final = ("how", "many", "times")
_COUNTED: Final = (
    *(("how", "many"), ("number", "of"), ("count", "of")),
    *(("total", "number", "of"), ("total", "count", "of")),
)
_AMOUNTS: Final = frozenset({"total", "sum", "amount", "quantity", "tally"})
"""Words that "of" with many things behind makes their number."""
NOT_COUNTED: Final = 4.0
"""How much speaks against "the number of the phone" being a count: one thing is not many."""
ILL_NUMBERED: Final = 2.0
"""The same of "how many phone": rather "phone calls", but some words have one form."""
UNGRAMMATICAL: Final = 1.0
"""The same of "the number of person"; of one phone it is "the number of the phone"."""


def counts(p: Parser, start: int, front: str = "") -> Iterator[Asked]:
    """Counts of things or of a property's values; ``front`` is a preposition before "how many"."""
    for asked in _counts(p, start, front):
        yield amount(p, asked)


def _counts(p: Parser, start: int, front: str) -> Iterator[Asked]:
    yield from _times(p, start)
    at = _count_phrase(p, start)
    if at is None or (p.word(at) == "times" and auxiliary(p, at + 1).any):
        return  # "how many times did Ann call" asks for calls
    for noun in p.nouns(at):
        if noun.quantity is not None or (noun.wanted and p.word(at) in UNITS):
            continue
        cue = (("c_cue", 2.0), ("c_number", _apart(p, noun, start, at)))
        aux = auxiliary(p, noun.end)
        stop = aux.end if aux.any and p.word(aux.end) in ("?", "") else noun.end
        yield from whole(p, replace(noun, end=stop), Head.COUNT, *cue)
        main = ("c_main", 1.0)
        verbless = "how" not in p.lower[start:at] and not aux.any  # "count the crimes ..."
        if verbless or is_participle(p, noun.end):
            main = ("c_second", 2.0) if noun.modified else ("c_reduced", 0.0)
        for predicate in (*p.predicates(noun.end), *asked_gaps(p, noun.end, front)):
            for longer in p.attach(noun, predicate, main):
                yield from whole(p, longer, Head.COUNT, *cue)
                for longest in further(p, longer):
                    yield from whole(p, longest, Head.COUNT, *cue)
    yield from _of_topic(p, at)
    yield from _properties(p, at)


def _times(p: Parser, start: int) -> Iterator[Asked]:
    """ "How many times did crime strike at the port": how many of what happened there."""
    if p.lower[start : start + len(_TIMES)] != _TIMES:
        return
    aux = auxiliary(p, start + len(_TIMES))
    for noun in p.nouns(aux.end) if aux.any else ():
        if noun.thing.limits or p.settler.property_for(noun.thing.label, "date") is None:
            continue
        for predicate in p.predicates(noun.end):
            for longer in p.attach(noun, predicate, ("c_main", 1.0)):
                yield from whole(p, longer, Head.COUNT, ("c_cue", 2.0))


def further(p: Parser, noun: Noun) -> Iterator[Noun]:
    """The noun with more said behind its sentence's verb phrase: "(was made at noon) from this radio"."""
    for more in p.modifiers(noun.end) if p.word(noun.end) not in NAMING else ():
        yield from p.attach(noun, more, *further_behind(p, noun))


def _of_topic(p: Parser, at: int) -> Iterator[Asked]:
    """ "(Of the ships, how many) are ferries"."""
    if p.topic is not None and auxiliary(p, at).any:
        for predicate in p.predicates(at):
            for longer in p.attach(Noun(at, p.topic, 0.3), predicate, ("c_main", 1.0)):
                yield from whole(p, longer, Head.COUNT, ("c_cue", 2.0))


def _properties(p: Parser, at: int) -> Iterator[Asked]:
    """ "(How many) different kinds do the ships have"."""
    for names, end, score in property_list(p, at):
        aux = auxiliary(p, end)
        for noun in p.nouns(aux.end) if aux.any else ():
            wanted, cost = wants(p, noun.thing.label, names)
            if wanted and not noun.wanted and noun.quantity is None:
                stop = noun.end + (p.word(noun.end) in ("have", "has"))
                done = replace(noun, wanted=wanted, end=stop)
                yield from whole(
                    p,
                    done,
                    Head.COUNT,
                    *property_words(names, score),
                    ("c_bridge", cost),
                    ("c_cue", 1.0),
                )


def _apart(p: Parser, noun: Noun, start: int, at: int) -> float:
    """How much the form of what stands behind "how many" or "number of" speaks against a count of it."""
    numbered = "number" in p.lower[start:at]
    one = number_of(p.word(at)) == "one"
    named = bool(noun.wanted) and p.word(at - 1) == "the" and one
    if noun.named and one and not any(name == "c_label" for name, _ in noun.features):
        return ILL_NUMBERED
    if not numbered and unit_of(p.word(at)) and noun.wanted and _measured(p, noun):
        return NOT_COUNTED
    owned = bool(noun.wanted) and any(name == "c_owner" for name, _ in noun.features)
    if numbered and owned and number_of(p.word(noun.end - 1)) == "one":
        return NOT_COUNTED  # "the number of Ann's phone"
    kinds = {x.name for x in p.lattice.of(at, "label") if x.end > at + 1 and x.score >= 1}
    if (noun.number == "one" and (numbered or not noun.wanted)) or named:
        if p.word(at - 1) == "of" and noun.thing.label in {x.name for x in p.lattice.of(at, "label")}:
            return UNGRAMMATICAL
        return NOT_COUNTED if numbered else ILL_NUMBERED
    return ILL_NUMBERED if one and kinds and noun.thing.label not in kinds else 0.0


def _measured(p: Parser, noun: Noun) -> bool:
    """Whether a number is asked for, so that units of it are no things to count."""
    infos = (p.vocabulary.words.properties.get((w.label, w.name)) for w in noun.wanted)
    return all(info is not None and info.numeric for info in infos)


def _count_phrase(p: Parser, start: int) -> int | None:
    """Where the noun of "how many", "count the", "what is the number of" starts."""
    at = start
    while p.word(at) in COMMANDS or p.word(at) in FREE:
        at += 1
    if (first := _past(p, at, _COUNTED)) is not None:
        return first
    if (first := _past(p, at, (("count",),))) is not None:  # of "count the number of ships" all is one phrase
        again = _past(p, first, _COUNTED)
        return first if again is None else again
    if p.word(at) in _AMOUNTS and p.word(at + 1) == "of":
        first = at + 2 + (p.word(at + 2) in FREE)
        named = [x for i in range(3) for x in p.lattice.of(first + i, "label")]
        many = any(number_of(p.word(x.end - 1)) == "many" for x in named)
        if many and not p.lattice.of(at, "property") and not _added_up(p, first):
            return first
    kinds = p.lattice.of(at + 1, "label") if p.word(at) == "total" else ()
    return at + 1 if any(x.score >= 1 and number_of(p.word(x.end - 1)) == "many" for x in kinds) else None


def _added_up(p: Parser, at: int) -> bool:
    """Whether numbers stand here: of "the total of the lengths of ships" a sum is asked."""
    infos = (
        p.vocabulary.words.properties.get((owner, x.name))
        for x in p.lattice.of(at, "property")
        for owner in x.owners
    )
    return any(info is not None and info.numeric for info in infos)


def _past(p: Parser, at: int, phrases: Sequence[tuple[str, ...]]) -> int | None:
    """Where the words after one of the phrases start."""
    for phrase in phrases:
        if p.lower[at : at + len(phrase)] == phrase:
            at += len(phrase)
            while p.word(at) in FREE or p.word(at) == "of":
                at += 1
            return at
    return None


def whether(p: Parser, start: int) -> Iterator[Asked]:
    aux = auxiliary(p, start)
    if not aux.any or aux.negated or p.word(start) in FREE or p.word(start) == "get":
        return
    part = p.word(aux.end) == "of" and p.word(aux.end - 1) in ("any", "all", "some", "both")
    for noun in p.nouns(aux.end + part):
        if noun.wanted or (noun.quantity and noun.quantity.kind != "number"):
            continue
        open_thing = noun.named or p.word(start + 1) in (*ANYBODY, *_OPEN)
        cost = ("c_whether", 0.0 if open_thing else 1.0)
        for one in (replace(noun, quantity=None), *existing(p, replace(noun, quantity=None))):
            yield from whole(p, one, Head.EXISTS, cost, ("c_cue", 1.0))
        for which, said in which_of(p, noun) if aux.being else ():
            yield from whole(p, which, Head.LIST, *said)
        reduced = any(name == "c_reduced" for name, _ in noun.features)
        there = noun.modified > 0 and "there" in p.lower[start : aux.end]
        for predicate in main_predicates(p, noun.end, being=aux.being):
            second = 2.0 if reduced and not predicate.finite else float(there)
            astray = (("c_second", second),) if second else ()
            for longer in p.attach(replace(noun, quantity=None), predicate, ("c_main", 1.0), cost, *astray):
                yield from whole(p, longer, Head.EXISTS, ("c_cue", 1.0))
                for longest in further(p, longer):
                    yield from whole(p, longest, Head.EXISTS, ("c_cue", 1.0))


def main_predicates(p: Parser, at: int, *, being: bool) -> Iterator[Predicate]:
    """What may be said of a subject by the verb of a sentence, or by what follows its "is"."""
    suffered = [said for verb in verbs(p, at) if both_roles(said := turned(p, at, verb))] if being else []
    passive = any(verb.done for verb in suffered)  # "was Ann called": not by her
    for verb in suffered if passive else ():
        yield from with_objects(p, verb, ())
    yield from p.predicates(at) if not passive else ()
    yield from p.limits(at)
    if being:
        for more in p.modifiers(at):
            if not (passive and any(name == "c_reduced" for name, _ in more.features)):
                yield more
        for noun in p.nouns(at):
            if noun.thing.limits and noun.quantity is None and not noun.wanted:
                groups = tuple(t.limits for t in (noun.thing, *noun.either))
                limits = (AnyOf(groups),) if noun.either else noun.thing.limits
                yield Predicate(noun.end, noun.thing.label, limits, noun.score, noun.features)


def aggregates(p: Parser, start: int) -> Iterator[Asked]:
    at = start
    while p.word(at) in COMMANDS or p.word(at) in FREE:
        at += 1
    measure = MEASURES.get(p.word(at)) or _AGES.get(p.word(at))
    if measure is None or (p.word(at) == "most" and p.word(at + 1) != "recent"):
        return
    after = at + 1 + (p.word(at) == "most")
    while p.word(after) in FREE or p.word(after) in ("of", "value"):
        after += 1
    after += 2 * (p.lower[after : after + 2] == ("number", "of"))
    for noun in p.nouns(after):
        if len(noun.wanted) != 1 or noun.quantity is not None:
            continue
        wanted = noun.wanted[0]
        info = p.vocabulary.words.properties.get((wanted.label, wanted.name))
        if info is None or not (info.numeric or (info.dated and measure in (Measure.MAX, Measure.MIN))):
            continue
        if p.word(at) in _AGES and not info.dated:
            continue
        if p.word(at) in _LONG and identifier_words(info.name)[-1] in _NUMBERS:
            continue  # "the longest line" is no line number
        for asked in whole(p, noun, Head.AGGREGATE, ("c_cue", 1.0), ("c_main", 1.0)):
            yield replace(asked, measure=measure)
