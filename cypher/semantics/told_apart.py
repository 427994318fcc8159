"""Counts of several that are named, each with its own: "how many films has each of Ann and Bob made?"."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from cypher.semantics.ir import Head, Operator, Query

_NAME: Final = r"(?-i:[\dA-Z'\"‘“])(?:[^,?;]|,(?= (?:Inc|Ltd|Jr|Sr)\b))*?"
_LIST: Final = rf"(?P<list>{_NAME}(?:, {_NAME})*,? and {_NAME})"
_NUMBER: Final = r"(?:the )?(?:numbers?|counts?) of"
_PLACE: Final = r"(?P<place>in|from|of|by|at|on|for|to|with)"
_RULES: Final = (
    (
        rf"^compare {_LIST},? (?:by|on|in terms of|with regard to) {_NUMBER} (?P<what>[\w -]+?) "
        r"(?:that )?(?:each|they|each of them|both) (?P<do>has|have|had|did|does|do)(?: each)?(?P<rest>"
        r"| .+?)",
        "how many {what} {do} {list}{rest}?",
    ),
    (
        rf"^(?P<front>.*\bhow many .+?) (?P<do>do|does|did|has|have|had|are|were) {_LIST}"
        rf" each(?P<rest>\b.*?)",
        "{front} {do} {list}{rest}?",
    ),
    (rf"^(?P<front>.*\b)each of {_LIST}(?P<rest>|,? .+?)", "{front}{list}{rest}?"),
    (
        rf"^(?:compare|contrast) {_NUMBER} (?P<what>[\w -]+?) {_PLACE} (?P<one>{_NAME}) "
        rf"(?:with|to|and|against|versus) (?:{_NUMBER} |the numbers? |that |those )(?:[\w-]+ )*?"
        rf"(?P=place) (?P<other>{_NAME})",
        "how many {what} {place} {one} or {other}?",
    ),
)
_PATTERNS: Final = tuple((re.compile(rf"{p}\s*[?.]*$", re.IGNORECASE), said) for p, said in _RULES)
_LAST: Final = re.compile(r",? and (?=(?:(?! and ).)*$)")
_COUNTS: Final = re.compile(r"\bhow many\b|\bnumbers? of\b|\bcounts?\b|\bcompare\b", re.IGNORECASE)


def untold(question: str) -> str | None:
    """The question of all of them together, or ``None`` where no counts of several are asked for.

    >>> untold("How many films has each of Ann and Bob made?")
    'How many films has Ann or Bob made?'
    >>> untold("Compare Ann, Bob and Cid by the number of films each has made.")
    'how many films has Ann, Bob or Cid made?'
    >>> untold("Which films have both Ann and Bob?") is None
    True
    """
    if not _COUNTS.search(question):
        return None
    for pattern, said in _PATTERNS:
        found = pattern.search(question)
        if found is not None:
            told = found.groupdict(default="")
            if "list" in told:
                told["list"] = _LAST.sub(" or ", told["list"], count=1)
            return said.format(**told)
    return None


def apart(query: Query, _types: object) -> Query | None:
    """The count for each of the values that one condition allows; ``None`` where that is not what it is."""
    if query.head is Head.GROUP:
        return query
    several = [f.ref for f in query.filters if f.operator is Operator.IN and isinstance(f.value, tuple)]
    plain = query.order is None and query.limit is None and query.having is None and query.over is None
    if query.head is not Head.COUNT or query.measured is not None or not plain or len(several) != 1:
        return None
    return replace(query, head=Head.GROUP, group=several[0])


_FIGURES: Final = re.compile(
    r"^(?P<verb>rank|sort|order|list|show|give|display|compare|provide|find|what are)(?: me| us)? (?:all )?"
    r"(?:the |each |every )?(?P<of>[a-z]+) (?:by|with|together with|along with|and) (?:the |their |its )?"
    r"(?P<measure>average|mean|total|maximum|minimum) (?P<what>[\w -]+?) of "
    r"(?:(?:all )?(?:their|its|the)) (?P<things>[a-z]+)(?P<rest>,? .*?)?\s*[?.]*$",
    re.IGNORECASE,
)
_TAIL: Final = re.compile(
    r",?(?: and)?(?: (?:include|show|give|with) (?:the|that|this) (?:average|mean|total|figure|value)"
    r"|,? (?:from|in|sorted|ordered|starting)(?: \w+)*){0,2}",
    re.IGNORECASE,
)
_UP: Final = re.compile(r"\bascending|increasing|from (?:lowest|smallest|least|cheapest)", re.IGNORECASE)
_SORTS: Final = re.compile(r"\bdescending|decreasing|from \w+ to\b|ascending|increasing", re.IGNORECASE)


def figured(question: str) -> tuple[str, bool | None] | None:
    """A breakdown that is asked for as its groups with a figure of each; whether sorted, the largest first.

    >>> figured("Rank the ports by the average length of their ships.")
    ('what is the average length of ships per port?', True)
    >>> figured("List the ports with the average length of their ships.")
    ('what is the average length of ships per port?', None)
    """
    found = _FIGURES.search(question)
    rest = found["rest"] or "" if found is not None else ""
    if found is None or not _TAIL.fullmatch(rest):
        return None
    text = f"what is the {found['measure']} {found['what']} of {found['things']} per {one_of(found['of'])}?"
    ranks = found["verb"].lower() in {"rank", "sort", "order"} or _SORTS.search(rest)
    return text, (_UP.search(rest) is None if ranks else None)


def one_of(plural: str) -> str:
    """The singular of a regular plural.

    >>> one_of("categories"), one_of("ports"), one_of("boxes")
    ('category', 'port', 'box')
    """
    for end, said in (("ies", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"), ("s", "")):
        if plural.endswith(end) and not plural.endswith("ss"):
            return plural.removesuffix(end) + said
    return plural
