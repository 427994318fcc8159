"""Figures over a simpler question: its counts on average, its rows by decade, its second best."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from cypher.semantics.calendar_parts import in_a_month, of_any_year
from cypher.semantics.ir import (
    Clause,
    ClauseKind,
    Head,
    Measure,
    Operator,
    Order,
    Part,
    Period,
    PropertyRef,
    Query,
    is_day_text,
)
from cypher.semantics.stand_ins import AVERAGE
from cypher.semantics.told_apart import apart, figured, untold
from schemas.store_schema import PropertyType

_EACH: Final = r"(?:per|for (?:each|every)|(?:in|of|by|at|on) (?:each|every))"
_MEASURES: Final = {
    "average": Measure.AVG,
    "mean": Measure.AVG,
    "maximum": Measure.MAX,
    "minimum": Measure.MIN,
}
_MEASURE: Final = r"(?P<measure>average|mean|maximum|minimum)"
_ASKING: Final = (
    r"(?:what(?:'s| is| was)|(?:please )?(?:find|give(?: me)?|show(?: me)?|calculate|compute|tell me"
    r"|determine|return|report|get))"
)
_ONE: Final = r"(?P<what>[\w -]+?) (?:that )?(?:an?|each|every) (?P<of>[\w -]+?)"
_DONE: Final = r"(?:\w+ed|written|won|made|had|held|taken|given|won|sold|bought)(?: (?:in|by|at|on|to|for))?"
_NUMBER: Final = rf"^(?:{_ASKING} )?(?:the )?{_MEASURE} (?:number|count)s? of (?:different |distinct )?"
_END: Final = r"\s*[?.]*$"
_DOING: Final = r"(?P<do>do|does|did|has|have|is|are) (?:an?|each|every) "
_OVER: Final = (
    (
        re.compile(rf"{_NUMBER}(?P<what>.+?) (?P<each>{_EACH} .+?){_END}", re.IGNORECASE),
        "how many {what} {each}?",
    ),
    (
        re.compile(rf"{_NUMBER}{_ONE} (?:has|have|had|contains?){_END}", re.IGNORECASE),
        "how many {what} does each {of} have?",
    ),
    (
        re.compile(rf"{_NUMBER}{_ONE} (?:(?:has|have|had|is|was) )?(?P<verb>{_DONE}){_END}", re.IGNORECASE),
        "how many {what} has each {of} {verb}?",
    ),
    (
        re.compile(
            rf"^on average,? how many (?P<what>[\w -]+?) {_DOING}(?P<rest>.+?){_END}",
            re.IGNORECASE,
        ),
        "how many {what} {do} each {rest}?",
    ),
    (
        re.compile(
            rf"^how many (?P<what>[\w -]+?) {_DOING}(?P<rest>.+?) on average{_END}",
            re.IGNORECASE,
        ),
        "how many {what} {do} each {rest}?",
    ),
    (
        re.compile(
            rf"^(?:on average,? )?how many (?P<what>.+?) (?P<each>{_EACH} .+?)(?:,? on average)?{_END}",
            re.IGNORECASE,
        ),
        "how many {what} {each}?",
    ),
)
_ON_AVERAGE: Final = re.compile(r"\bon average\b", re.IGNORECASE)
_COUNT: Final = r"(?:the |that |this |their |its )?(?:number|count|total|frequency)(?: of [\w -]+?)?"
_WAY: Final = r"(?:(?:in )?(?:descending|ascending|decreasing|increasing)(?: order)?)"
_SORTED: Final = (
    re.compile(
        rf",?(?: and)?,? (?:sorted|ordered|ranked|arranged|sort|order|rank)(?: (?:them|it|these|those"
        rf"|the results?"
        rf"|the list))? by {_COUNT}(?:,? {_WAY}|,? from (?:most|highest|largest) to (?:least|lowest"
        rf"|smallest|fewest))?"
        rf"{_END}",
        re.IGNORECASE,
    ),
    re.compile(rf",?(?: sorted| ordered| ranked)? {_WAY}(?: (?:of|by) {_COUNT})?{_END}", re.IGNORECASE),
    re.compile(
        r",?(?: with)?(?: the)? (?:most|highest|largest|biggest|greatest|fewest|lowest|smallest)"
        rf"(?: numbers?| counts?| ones?| totals?)?(?: come| coming| listed)? first{_END}",
        re.IGNORECASE,
    ),
    re.compile(
        r",? with the [\w -]+? (?:having|with) the (?:most|fewest|least) [\w -]+? at the top"
        rf"(?: of the list)?{_END}",
        re.IGNORECASE,
    ),
)
_UPWARDS: Final = re.compile(
    r"\b(?:ascending|increasing|(?:fewest|lowest|smallest)\b.* first|(?:fewest|least)\b.* at the top)\b",
    re.IGNORECASE,
)
_PERIOD: Final = re.compile(
    r"\b(per|by|each|every|which|what|a) ((?:calendar )?(year|month|decade)s?)\b(?! of \d)(?! of birth)",
    re.IGNORECASE,
)
_PLACES: Final = {
    **{word: n for n, word in enumerate(("second", "third", "fourth", "fifth"), 2)},
    **{word: n for n, word in enumerate(("2nd", "3rd", "4th", "5th"), 2)},
}
_PLACE: Final = re.compile(
    rf"\bthe ({'|'.join(_PLACES)})[- ](?=(?:most|least|fewest|highest|lowest|largest|smallest|biggest|oldest"
    r"|youngest|longest|shortest|latest|earliest|newest|cheapest|dearest|tallest|heaviest|lightest|best|worst"
    r"|greatest|fastest|slowest|deepest)\b)",
    re.IGNORECASE,
)


_BEST: Final = r"(?:the|which|who) (?=.*\b(?:most|least|[a-z]+est)\b)"
_FRONT: Final = (
    rf"(?P<front>(?:(?:{_ASKING}|which|who|list|name|identify)\b ?)?.*?\b{_BEST}(?:(?! each ).)+?)"
)
_BEST_OF_EACH: Final = (
    re.compile(
        rf"^{_FRONT} (?:in|of|for|from|within|at|by|per) (?:each|every) (?P<of>[a-z]+){_END}", re.IGNORECASE
    ),
    re.compile(
        rf"^(?:in|of|for|from|within|at) (?:each|every) (?P<of>[a-z]+),? {_FRONT}{_END}", re.IGNORECASE
    ),
)
_COUNTED: Final = re.compile(r"\b(?:how many|number|count|average|mean|total|sum|times)\b", re.IGNORECASE)


_COMPARED: Final = {Operator.GT, Operator.GE, Operator.LT, Operator.LE}
_AVERAGE: Final = re.compile(
    r"\b(?P<than>than|above|below|over|under|exceeds?|exceeding) (?:the |an? )?(?:overall |general )?"
    r"(?:average|mean)(?: (?!of\b|in\b|for\b|per\b)[a-z]+){0,3}"
    r"(?: (?:of|among|across|over|for) (?:all|the)(?: (?:the|other))? [a-z]+)?"
    rf"{_END}",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A simpler question, and what is made of its reading; nothing where that does not fit."""

    text: str
    around: Callable[[Query, Types], Query | None]


Types = Callable[[Query, PropertyRef], PropertyType | None]
"""The type of a property in a reading."""


def unwrapped(question: str) -> Wrapped | None:
    """The question without its figure, its period or its place.

    >>> unwrapped("What is the average number of films per director?").text
    'how many films per director?'
    >>> unwrapped("How many films were made in each decade?").text
    'How many films were made in each year?'
    >>> unwrapped("Which film has the second highest budget?").text
    'Which film has the highest budget?'
    >>> unwrapped("Which film has the highest budget?") is None
    True
    """
    return (
        _apart(question)
        or _figures(question)
        or _best_of_each(question)
        or _average(question)
        or _sorted(question)
        or _over(question)
        or _placed(question)
        or _dated(question)
        or _monthly(question)
    )


def _apart(question: str) -> Wrapped | None:
    """ "How many films has each of Ann and Bob made"."""
    together = untold(question)
    return Wrapped(together, apart) if together is not None else None


def _figures(question: str) -> Wrapped | None:
    """ "Rank the ports by the average length of their ships"."""
    found = figured(question)
    if found is None:
        return None
    text, descending = found
    return Wrapped(text, _as_it_is if descending is None else partial(_in_order, descending))


def _as_it_is(query: Query, _types: Types) -> Query | None:
    return query if query.head is Head.GROUP or query.keys else None


def _best_of_each(question: str) -> Wrapped | None:
    """ "The cheapest dish of each course": the cheapest with its course, found for each of these."""
    found = next((x for expression in _BEST_OF_EACH if (x := expression.search(question))), None)
    if found is None or _COUNTED.search(question):
        return None
    return Wrapped(f"{found['front'].rstrip(' ,')}, with its {found['of']}?", _within_each)


def _within_each(query: Query, _types: Types) -> Query | None:
    order = query.order
    beside = {r.owner for r in query.project if not r.on_edge} - {query.answer}
    fits = order is not None and order.extreme and query.limit is None and query.place == 1
    if not fits or order is None or len(beside) != 1:
        return None
    return replace(query, order=replace(order, within=beside.pop()))


def _average(question: str) -> Wrapped | None:
    """ "Dearer than the average": read with a number in its place."""
    found = _AVERAGE.search(question)
    if found is None:
        return None
    return Wrapped(f"{question[: found.start()]}{found['than']} {AVERAGE}?", _than_average)


def _than_average(query: Query, _types: Types) -> Query | None:
    plain = not (query.edges or query.clauses or query.order or query.having or query.limit)
    if not plain or len(query.filters) != 1 or query.head not in (Head.LIST, Head.COUNT):
        return None
    (told,) = query.filters
    fits = told.operator in _COMPARED and told.value == AVERAGE and told.other is None
    if not fits or told.ref.on_edge or told.ref.owner != query.answer:
        return None
    copy = len(query.nodes)
    average = Clause(
        ClauseKind.BEST,
        (Part(nodes=(copy,)),),
        operator=told.operator,
        node=query.answer,
        ref=told.ref,
        measure=Measure.AVG,
        copy=copy,
    )
    nodes = (*query.nodes, query.nodes[query.answer])
    return replace(query, nodes=nodes, filters=(), clauses=(average,), inner=query.inner | {copy})


def _sorted(question: str) -> Wrapped | None:
    """ "Ships per port, sorted by number", "... in descending order", "... most first"."""
    found = next((x for expression in _SORTED if (x := expression.search(question))), None)
    if found is None:
        return None
    descending = _UPWARDS.search(found[0]) is None
    return Wrapped(question[: found.start()] + "?", partial(_in_order, descending))


def _in_order(descending: bool, query: Query, _types: Types) -> Query | None:
    if query.order is not None or query.limit is not None or query.over is not None:
        return None
    if len(query.measures) == 1 and query.keys:
        return replace(query, order=Order(figure=0, descending=descending))
    counted = query.head is Head.GROUP and not query.measures and query.measure in (None, Measure.COUNT)
    return replace(query, order=Order(descending=descending)) if counted else None


def _over(question: str) -> Wrapped | None:
    """ "The average number of films per director": a measure over the counts of a breakdown."""
    for expression, said in _OVER:
        found = expression.search(question)
        if found is None:
            continue
        told = found.groupdict()
        if "measure" not in told and not _ON_AVERAGE.search(question):
            continue
        measure = _MEASURES[(told.get("measure") or "average").lower()]
        return Wrapped(said.format(**told), partial(_measured_over, measure))
    return None


def _measured_over(measure: Measure, query: Query, _types: Types) -> Query | None:
    counts = [m.measure for m in query.measures] if query.measures else [query.measure or Measure.COUNT]
    plain = query.order is None and query.limit is None and query.having is None
    told_apart = query.head is Head.GROUP or bool(query.keys)
    if not (plain and told_apart and counts == [Measure.COUNT]) or (query.group and query.group.many):
        return None
    return replace(query, over=measure)


def _placed(question: str) -> Wrapped | None:
    """ "The second highest price"."""
    found = _PLACE.search(question)
    if found is None:
        return None
    place = _PLACES[found[1].lower()]
    plain = question[: found.start()] + "the " + question[found.end() :]
    return Wrapped(plain, partial(_at_place, place))


def _at_place(place: int, query: Query, _types: Types) -> Query | None:
    order = query.order
    if order is None or query.limit not in (None, 1) or query.over is not None:
        return None
    return replace(query, place=place) if order.extreme or query.limit == 1 else None


def _dated(question: str) -> Wrapped | None:
    """ "In each decade", "per month", "which year": days and years by the period in which they lie."""
    found = _PERIOD.search(question)
    if found is None:
        return None
    period = Period(found[3].lower())
    plural = "s" if found[2].lower().endswith("s") else ""
    plain = f"{question[: found.start(2)]}year{plural}{question[found.end(2) :]}"
    return Wrapped(plain, partial(_in_periods, period))


def _monthly(question: str) -> Wrapped | None:
    """ "Who was born in December"."""
    found = in_a_month(question)
    return Wrapped(found[0], lambda query, _: of_any_year(found[1], query)) if found is not None else None


def _in_periods(period: Period, query: Query, types: Types) -> Query | None:
    def told(ref: PropertyRef) -> PropertyRef:
        if not ref.name:
            return ref
        kind = types(query, ref)
        day = is_day_text(ref) or kind in (PropertyType.DATE, PropertyType.DATETIME)
        year = kind is PropertyType.INTEGER
        fits = day or (year and period is Period.DECADE)
        return replace(ref, period=period) if fits else ref

    keys = tuple(told(k) for k in query.keys)
    group = told(query.group) if query.group is not None else None
    if keys == query.keys and group == query.group:
        return None
    return replace(query, keys=keys, group=group)
