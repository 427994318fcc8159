"""Two values of one property: each of them of a list, and none of what can have but one."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import Final

from cypher.semantics.ir import Filter, Operator, Query
from cypher.semantics.mentions import Linked, Mention

_ARTICLES: Final = frozenset({"a", "an"})
_BOTH: Final = re.compile(r"\bboth an? .+? and an? ")


def each_of_values(linked: Linked, query: Query) -> Query:
    """The reading in which a list holds each value that is said: "who speak Dutch and Danish" speak both."""
    filters: list[Filter] = []
    for told in query.filters:
        if told.ref.many and _values(told) and _joins(linked, told):
            filters += [replace(told, operator=Operator.EQ, value=value) for value in _values(told)]
        else:
            filters.append(told)
    return replace(query, filters=tuple(filters)) if len(filters) > len(query.filters) else query


def wants_both(linked: Linked, query: Query) -> bool:
    """Whether both of two are wanted and the reading takes either: "both open and closed"."""
    either = (f for f in query.filters if f.operator is Operator.IN)
    of_one = any(_says_both(linked) or _joins(linked, told, both=True) for told in either)
    return of_one or _says_both_of_them(linked)


def _says_both(linked: Linked) -> bool:
    """ "(Owners with) both a dog and a cat": one of each, not either."""
    words = [w.lower for w in linked.words]
    return bool(_BOTH.search(" ".join(words)))


def _says_both_of_them(linked: Linked) -> bool:
    """ "(Films that) both critics (reviewed)": each of the two that there are."""
    words = [w.lower for w in linked.words]
    nouns = {m.start for m in linked.mentions if not m.values and any(t.kind == "label" for t in m.terms)}
    at = words.index("both") if "both" in words else len(words)
    return at + 1 in nouns and words[at + 1].endswith("s") and "and" not in words[at + 2 :]


def _values(told: Filter) -> tuple[str, ...]:
    """The texts of which a condition takes any."""
    values = told.value if isinstance(told.value, tuple) and told.operator is Operator.IN else ()
    return tuple(v for v in values if isinstance(v, str))


def _joins(linked: Linked, told: Filter, *, both: bool = False) -> bool:
    """Whether the question has an "and" between two of the values, and a "both" in front of them."""
    said = [m for m in linked.mentions if any(v.text in _values(told) for v, _ in m.values)]
    return any(_has_and(linked, a, b) and (not both or _has_both(linked, a, b)) for a, b in pairwise(said))


def _has_and(linked: Linked, first: Mention, second: Mention) -> bool:
    return "and" in {w.lower for w in linked.words[first.end : second.start]}


def _has_both(linked: Linked, first: Mention, second: Mention) -> bool:
    """Whether a "both" is in front of them, or each has its article: "in a musical and a farce"."""
    words = [w.lower for w in linked.words]
    one_each = words[first.start - 1] in _ARTICLES and words[second.start - 1] in _ARTICLES
    return one_each or "both" in words[max(0, first.start - 4) : first.start]
