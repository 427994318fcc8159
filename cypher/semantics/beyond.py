"""Questions that no single reading answers: two in one text, and times counted back from today."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from cypher.semantics.ir import ClauseKind, Head, Operator, Query
from cypher.semantics.mentions import Linked

_ASKED: Final = frozenset({"which", "who", "what", "where", "when"})
_AUXILIARIES: Final = frozenset(
    {
        *("is", "are", "was", "were", "be", "has", "have", "had", "do", "does", "did", "can", "could"),
        *("will", "would", "also", "of", "ones", "one"),
    }
)
_AND_ASKED: Final = re.compile(
    r",? and (?:(?:also )?(?:when|where|who|what|which)"
    r"|how (?:many|much|long|old|big|large|tall|far|often))\b"
    r"(?= (?:is|are|was|were|do|does|did|has|have|had|it|they|he|she)\b| [a-z]+s\b)",
    re.IGNORECASE,
)
_FIRST_ASKED: Final = re.compile(r"^\W*(?:which|who|what|where|when|how|in which|in what)\b", re.IGNORECASE)
_OUTSIDE: Final = frozenset({"outside", "beyond", "not"})
_BACK: Final = re.compile(
    r"\b(?:last|past|previous|recent) (?:(?:couple of|\d+|[a-z]+) )?(?:years|months|weeks|days|decades)\b"
    r"|\b(?:\d+|[a-z]+) (?:years?|months?|weeks?|days?|decades?) ago\b"
    r"|\b(?:this|next|current|coming|(?<!the )last|(?<!the )past|(?<!the )previous) "
    r"(?:calendar )?(?:year|month|week|decade|quarter)\b(?!'s|-)"
    r"|\b(?:in|over|during|within|for|since) the (?:last|past|current|coming|next) "
    r"(?:year|month|week|decade)\b(?! (?:in which|that|when|with|of))"
    r"|\b(?:yesterday|tomorrow)\b",
    re.IGNORECASE,
)


_OCCASION: Final = re.compile(r"\bfor the (?:first|last) time\b", re.IGNORECASE)
"""A first or last of all times, which no reading looks for."""


def asks_twice(linked: Linked) -> bool:
    """Whether the same is asked of two things: "who mentors Ann and who mentors Ben" is of no one of both.

    >>> from cypher.semantics.text import words
    >>> def asked(text): return asks_twice(Linked(text, words(text), (), (), (), ()))
    >>> asked("Who mentors Ann and who mentors Ben?"), asked("Who mentors Ann and who is a pilot?")
    (True, False)
    """
    words = [w.lower for w in linked.words]
    first = words[0] if words and words[0] in _ASKED else ""
    again = [at for at, word in enumerate(words) if at > 1 and word == first and words[at - 1] == "and"]
    verbs = {word for at in again for word in words[at + 1 : at + 2]} - _AUXILIARIES
    return bool(verbs & set(words[: max(again, default=0)]))


def with_its_name(linked: Linked, query: Query) -> Query:
    """The reading that tells which is the largest, too, where it told of it what it is ranked by alone."""
    by = query.order.ref if query.order is not None and query.order.extreme else None
    alone = by is not None and query.project == (by,) and not by.on_edge and by.owner == query.answer
    if not alone or query.head is not Head.LIST or not _asks_two(linked):
        return query
    return replace(query, project=(), show_order=True)


def leaves_half(linked: Linked, query: Query) -> bool:
    """Whether two things are asked of something and the reading returns one: "and when was it built"."""
    if not _asks_two(linked):
        return False
    if query.head not in (Head.LIST, Head.GROUP) or query.keys:
        return query.head in (Head.COUNT, Head.AGGREGATE) and not query.measures
    ranked = query.order is not None and query.show_order
    shown = {(r.owner, r.name, r.on_edge) for r in query.project}
    by = query.order.ref if query.order is not None and query.order.ref is not None else None
    more = ranked and (by is None or (by.owner, by.name, by.on_edge) not in shown)
    return query.head is Head.LIST and max(len(shown), 1) + more < 2


def _asks_two(linked: Linked) -> bool:
    return bool(_AND_ASKED.search(linked.text) and _FIRST_ASKED.match(linked.text))


def is_outside(linked: Linked, query: Query) -> bool:
    """Whether what is asked for lies outside of a day or a year and the reading has it inside.

    So "delivered outside April", "held not in 2024".
    """
    told = (m.start for m in linked.mentions if m.day is not None or m.number is not None)
    before = ({w.lower for w in linked.words[max(0, at - 3) : at]} for at in told)
    denied = any(c.kind is ClauseKind.ABSENT for c in query.clauses)
    denied |= any(f.operator is Operator.NE for f in query.filters)
    return not denied and any(_OUTSIDE & words for words in before)


def counts_back(text: str) -> bool:
    """Whether a time is told by how long ago it was, or as the first or last of its kind.

    >>> counts_back("Which ships sank in the last ten years?"), counts_back("Who was last in 1990?")
    (True, False)
    >>> counts_back("Which lines opened last year?"), counts_back("What is the last year with a fire?")
    (True, False)
    """
    return bool(time_counted_back(text) or _OCCASION.search(text))


def time_counted_back(text: str) -> str:
    """The words that count a time back from when they are said; empty where there are none.

    >>> time_counted_back("Which ships sank in the last ten years?")
    'last ten years'
    """
    found = _BACK.search(text)
    return found[0] if found else ""
