"""Words that change what is asked and no shape can honour: the service says so, and does not ignore them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from cypher.bounds import BoundWord
from cypher.joints import AND
from cypher.link import Linked, Span
from cypher.schema_graph import AVERAGE, LIMIT, VALUE
from cypher.schema_words import AttributeWord, StatementWord, TypeWord, ValueWord
from cypher.word_lists import POINTERS
from cypher.words import Cue

_REASONS = {
    Cue.NOT: (
        "'{}' asks to leave something out, which is understood only of the members of a list, right before "
        "one of them ('without a K+', 'but not a K+'). Ask for what is there instead."
    ),
    Cue.RELATIVE_DATE: (
        "'{}' depends on a date that the service does not know. Give the year, for example 'in 2022'."
    ),
    Cue.ALL: (
        "'{}' asks for something that holds of all of them, which the service cannot check. "
        "Name one of them, or ask which ones are connected."
    ),
    Cue.BOTH: "'{}' is understood only before two names joined by 'and'.",
}


_PRINTED = frozenset({VALUE, "value_text"})
_SIZES = {Cue.SIZE, Cue.DOMINANT, Cue.STRINGENT, Cue.MOST}
_HOW = frozenset({"how", "why", "who", "whom", "where"})
_POINTERS = POINTERS | {"that", "those", "its"}


def word(span: Span) -> str:
    """Why a word that no name explains cannot be honoured; empty for a word that is merely unknown."""
    first = span.text.lower().split()[0]
    if first in _HOW:
        return f"Questions with '{first}' are not supported: the graph says what, which, when and how many."
    if first in _POINTERS:
        return (
            f"'{span.text}' points at something outside this question; every question stands alone. Name it."
        )
    return ""


def hint(linked: Linked) -> str:
    """What a superlative without measure leaves open."""
    for span in linked.spans:
        if len(span.options) == 1 and span.options[0] in _SIZES:
            return (
                f"'{span.text}' does not say by what measure. Ask for 'the most' of something that is "
                "connected, for the most precise or latest value, or for the strongest limit."
            )
    return ""


def _compared(linked: Linked) -> str:
    """ "a total uncertainty below 0.5 GeV": the number is not one of the measured value."""
    for span, following in pairwise(linked.spans):
        bounds = [b for o in following.options if isinstance(o, BoundWord) for b in o.bounds]
        others = [o for o in span.options if isinstance(o, AttributeWord) and o.attribute not in _PRINTED]
        if others and any(b.attribute == VALUE for b in bounds) and span.end == following.start:
            return f"'{span.text}' cannot be compared with a number by the kinds of questions that are known."
    return ""


def _apart(linked: Linked) -> str:
    """ "limits and values": no statement is both, and those of one thing are not told apart like this."""
    for span, following in pairwise(linked.spans):
        pair = (span, following)
        if following.joint == AND and any(map(_is_limit, pair)) and any(map(_is_value, pair)):
            return (
                f"'{span.text} and {following.text}' asks for two kinds of statements at once. Ask what has "
                "'both a limit and a value', or for the values alone, among which the limits are listed."
            )
    return ""


def _is_limit(span: Span) -> bool:
    return any(isinstance(o, AttributeWord | ValueWord) and o.attribute == LIMIT for o in span.options)


def _is_value(span: Span) -> bool:
    named = (isinstance(o, AttributeWord) and o.attribute in _PRINTED for o in span.options)
    return any(named) or any(isinstance(o, StatementWord) for o in span.options)


def average_count(linked: Linked) -> str:
    """ "how many papers per year on average": the average that a listing gives is another one."""
    counts = any(o is Cue.COUNT for s in linked.spans for o in s.options)
    for span in linked.spans:
        average = any(isinstance(o, AttributeWord) and o.attribute == AVERAGE for o in span.options)
        if average and counts and (span.before == "on" or _before_count(span, linked)):
            return (
                f"'{span.text}': how many things there are on average is not computed here. "
                "Ask for the numbers themselves, as in 'How many papers per year?'."
            )
    return ""


def _before_count(span: Span, linked: Linked) -> bool:
    """ "average number of" """
    return any(s.start == span.end and Cue.COUNT in s.options for s in linked.spans)


def relative_date(said: str) -> str:
    """Why words that count from now cannot be honoured."""
    return _REASONS[Cue.RELATIVE_DATE].format(said)


def reason(linked: Linked) -> str:
    """Why the question cannot be answered because of such a word; empty where there is none."""
    known = _compared(linked) or _apart(linked) or average_count(linked)
    if known:
        return known
    for span in linked.spans:
        for cue, text in _REASONS.items():
            if span.options == (cue,):
                return text.format(span.text)
    return ""


def without_plain_all(linked: Linked, *, yes_no: bool) -> Linked:
    """ "all" before the things that are asked for says nothing: "list all papers", "all values of X"."""
    first = next((i for i, s in enumerate(linked.spans) if s.options != (Cue.COUNT,)), 0)
    spans = linked.spans
    harmless = (
        not yes_no
        and first + 1 < len(spans)
        and spans[first].options == (Cue.ALL,)
        and _is_noun(spans[first + 1 :])
    )
    return replace(linked, spans=(*spans[:first], *spans[first + 1 :])) if harmless else linked


def _is_noun(spans: Sequence[Span]) -> bool:
    return any(isinstance(o, TypeWord | StatementWord | AttributeWord) for s in spans[:2] for o in s.options)
