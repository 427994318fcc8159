"""Words of a question that say what to return or how to compare, whatever the graph is about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cypher.semantics.ir import Operator
from cypher.semantics.text import Word


@dataclass(frozen=True, slots=True)
class Cue:
    """Characters ``start`` to ``end`` (half-open) with their meaning; ``argument`` refines it."""

    kind: str
    start: int
    end: int
    argument: str = ""


_ORDERED: Final[tuple[tuple[str, str, str], ...]] = (
    # kind, argument, expression; earlier lines win where matches overlap
    ("top", "", r"\b(?:top|first|any|only)\s+(?P<n>\d+|two|three|four|five|six|seven|eight|nine|ten)\b"),
    ("compare", ">=", r"\b(?:at least|no (?:less|fewer) than|not (?:less|fewer) than|a minimum of)\b"),
    ("compare", "<=", r"\b(?:at most|no more than|not more than|up to|a maximum of|no later than)\b"),
    ("compare", ">=", r"\b(?:greater|more|higher) than or equal to\b"),
    ("compare", "<=", r"\b(?:less|fewer|lower) than or equal to\b"),
    ("compare", ">", r"\b(?:more than|greater than|higher than|larger than|bigger than|over|above|exceed(?:s|ing)?)\b"),  # noqa: E501
    ("compare", "<", r"\b(?:less than|fewer than|lower than|smaller than|under|below)\b"),
    ("compare", ">age", r"\b(?:older than)\b"),
    ("compare", "<age", r"\b(?:younger than)\b"),
    ("compare", ">length", r"\b(?:longer than|taller than)\b"),
    ("compare", "<length", r"\b(?:shorter than)\b"),
    ("compare", ">price", r"\b(?:more expensive than|costlier than|heavier than|faster than)\b"),
    ("compare", "<price", r"\b(?:cheaper than|lighter than|slower than)\b"),
    ("compare", ">date", r"\b(?:later than|newer than|more recent than|(?<!look )(?<!looks )(?<!looked )(?<!looking )(?<!named )after|since)\b"),  # noqa: E501
    ("compare", "<date", r"\b(?:earlier than|before|prior to|until)\b"),
    ("between", "", r"\b(?:between|from)\s+(?P<a>[\d.,]+(?:-\d\d-\d\d)?)\s+(?:and|to|until)\s+(?P<b>[\d.,]+(?:-\d\d-\d\d)?)"),  # noqa: E501
    ("text", "CONTAINS", r"\b(?:contain(?:s|ing)?|includ(?:es|ing)) (?:the )?(?:word|words|text|string|phrase|term|letter|substring)?\s*(?=['\"])"),  # noqa: E501
    ("text", "CONTAINS", r"\bwith (?:the )?(?:word|text|string|phrase|term) (?=['\"])"),
    ("text", "STARTS WITH", r"\b(?:start(?:s|ing)?|begin(?:s|ning)?) with(?: the)?(?: letters?| word)?\b"),
    ("text", "ENDS WITH", r"\bend(?:s|ing)? (?:with|in)(?: the)?(?: letters?| word)?(?=\s*['\"])"),
    ("decade", "", r"\b(?:the )?(?P<decade>(?:1[5-9]|20)\d0)s\b"),
    ("most", "desc", r"\b(?:by|based on|according to|in terms of) (?:the |their )?(?:total |highest )?(?:number|count|amount) of\b"),  # noqa: E501
    ("most", "desc", r"\b(?:(?:the )?most (?:number of|common|frequent(?:ly)?|often|popular)|(?:highest|largest|greatest|maximum|biggest) (?:number|count|amount) of)\b"),  # noqa: E501
    ("most", "asc", r"\b(?:the )?(?:least (?:number of|common|frequent(?:ly)?|often|popular)|(?:lowest|smallest|minimum|fewest) (?:number|count|amount) of|fewest|least)\b"),  # noqa: E501
    ("count", "", r"\b(?:how many(?: different| distinct| unique)?|(?:total |overall )?number of|total count of|count of|count the|count)\b"),  # noqa: E501
    ("avg", "", r"\b(?:average|mean)\b"),
    ("each", "", r"\b(?:for each|for every|per|by each|each|every|in each|grouped by|group by)\b"),
    ("order", "desc", r"\b(?:sorted|ordered|ranked|rank|order|sort)(?: them)? (?:by|in) (?:descending|decreasing)(?: order (?:of|by))?\b"),  # noqa: E501
    ("order", "asc", r"\b(?:sorted|ordered|ranked|rank|order|sort)(?: them)? (?:by|in)(?: ascending| increasing)?(?: order (?:of|by))?\b"),  # noqa: E501
    ("order", "desc", r"\bin (?:descending|decreasing|reverse)(?: alphabetical| chronological)? order(?: of| by)?\b"),  # noqa: E501
    ("order", "asc", r"\bin (?:alphabetical|ascending|increasing|chronological) order(?: of| by)?\b"),
    ("ranked", "", r"^(?:rank|sort|order)(?= (?:the|all|these)\b)"),
    ("super", "desc:date", r"\b(?:latest|most recent(?:ly)?|newest|youngest-born|last)\b"),
    ("super", "asc:date", r"\b(?:earliest|oldest-dated|first)\b"),
    ("super", "desc:age", r"\b(?:oldest|eldest)\b"),
    ("super", "asc:age", r"\byoungest\b"),
    ("super", "desc:length", r"\b(?:longest|tallest)\b"),
    ("super", "asc:length", r"\bshortest\b"),
    ("super", "desc:price", r"\b(?:most expensive|costliest|priciest)\b"),
    ("super", "asc:price", r"\b(?:cheapest|least expensive)\b"),
    ("super", "desc:mass", r"\bheaviest\b"),
    ("super", "asc:mass", r"\blightest\b"),
    ("super", "desc:speed", r"\bfastest\b"),
    ("super", "asc:speed", r"\bslowest\b"),
    ("super", "desc:latitude", r"\b(?:north(?:ern)?most|most north(?:erly|ern)|(?:furthest|farthest) north)\b"),  # noqa: E501
    ("super", "asc:latitude", r"\b(?:south(?:ern)?most|most south(?:erly|ern)|(?:furthest|farthest) south)\b"),  # noqa: E501
    ("super", "desc:longitude", r"\b(?:east(?:ern)?most|most east(?:erly|ern)|(?:furthest|farthest) east)\b"),
    ("super", "asc:longitude", r"\b(?:west(?:ern)?most|most west(?:erly|ern)|(?:furthest|farthest) west)\b"),
    ("super", "desc", r"\b(?:highest|largest|greatest|biggest|maximum|max|maximal|most)\b"),
    ("super", "asc", r"\b(?:lowest|smallest|minimum|min|minimal)\b"),
    ("sum", "", r"\b(?:sum of|total|combined)\b"),
    ("not", "", r"\b(?:not|never|\w+n't|cannot|without|neither|nor|lack(?:s|ing)?|except|excluding|other than|no)\b"),  # noqa: E501
    ("exists", "", r"^whether\b"),
    ("exists", "", r"^(?:is there|are there|do any|does any|did|do|does|is|are|was|were|has|have|can)\b"),
    ("or", "", r"\b(?:either|or)\b"),
    ("distinct", "", r"\b(?:distinct|different|unique)\b"),
    ("who", "", r"\b(?:who|whom|whose)\b"),
    ("where", "", r"^where\b"),
    ("when", "", r"^when\b"),
)  # fmt: skip
_COMPILED: Final = tuple((k, a, re.compile(e, re.IGNORECASE)) for k, a, e in _ORDERED)

HINTS: Final[dict[str, tuple[str, ...]]] = {
    "age": ("age", "born", "birth", "year", "date", "released", "built", "founded", "established"),
    "date": ("date", "year", "released", "born", "birth", "time", "created", "built", "founded"),
    "length": ("length", "duration", "height", "runtime", "time", "lifespan", "distance"),
    "height": ("height", "elevation", "altitude"),
    "duration": ("duration", "runtime", "lifespan", "lifetime"),
    "price": ("price", "cost", "budget", "credits"),
    "mass": ("mass", "weight"),
    "size": ("size", "area", "population", "capacity", "volume", "extent", "length", "height"),
    "value": ("value", "worth", "price", "cost"),
    "pay": ("salary", "wage", "pay", "income", "earnings"),
    "heat": ("temperature", "temp"),
    "depth": ("depth",),
    "far": ("distance",),
    "width": ("width", "breadth"),
    "speed": ("speed", "velocity"),
    "rating": ("rating", "score", "stars", "grade"),
    "latitude": ("latitude", "lat"),
    "longitude": ("longitude", "lon", "lng"),
}
"""Words of property names that a hint stands for, best first."""
FLIPPED: Final = frozenset({"born", "birth", "year", "date", "released", "built", "founded", "established"})
"""Older means a smaller value of these."""

OPERATORS: Final = {o.value: o for o in Operator}


def find_cues(text: str) -> tuple[Cue, ...]:
    """Cues from left to right; where two overlap the earlier line of the table wins.

    >>> [(c.kind, c.argument) for c in find_cues("How many films were made after 1999?")]
    [('count', ''), ('compare', '>date')]
    """
    taken: list[Cue] = []
    for kind, argument, expression in _COMPILED:
        for m in expression.finditer(text):
            if m.end() > m.start() and all(m.end() <= c.start or m.start() >= c.end for c in taken):
                extra = m.groupdict()
                if kind == "top":
                    argument_here = extra["n"] or ""
                elif kind == "between":
                    argument_here = f"{extra['a']}|{extra['b']}"
                elif kind == "decade":
                    argument_here = f"{extra['decade']}|{int(extra['decade']) + 9}"
                else:
                    argument_here = argument
                taken.append(Cue("between" if kind == "decade" else kind, m.start(), m.end(), argument_here))
    return tuple(sorted(taken, key=lambda c: c.start))


def taken_words(tokens: Sequence[Word], cues: Sequence[Cue]) -> set[int]:
    """Words that cues have taken, by their places, but those that may be something else as well."""
    open_kinds = ("exists", "distinct")
    spans = [
        (c.start, c.end)
        for c in cues
        if c.kind not in open_kinds and not (c.kind == "order" and _is_verb(tokens, c))
    ]
    return {i for i, w in enumerate(tokens) for a, b in spans if a <= w.start < b}


def _is_verb(tokens: Sequence[Word], cue: Cue) -> bool:
    """Whether an order cue may be the verb "to order", which graphs of sales have as a relation."""
    first = next((w for w in tokens if w.end > cue.start), None)
    return first is not None and first.lower.startswith("order")
