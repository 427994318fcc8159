"""When something was done, or done first: by the relationship's own day, not one of a thing beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from cypher.semantics.day_of_deed import is_said
from cypher.semantics.inflected import is_verb_form
from cypher.semantics.ir import Edge, Filter, Head, PropertyRef, Query, is_day_text
from cypher.semantics.lexicon import DATED_WORDS, PropertyInfo
from cypher.semantics.mentions import Linked
from cypher.semantics.numbered import names_amount
from cypher.semantics.numbers import tells_end
from cypher.semantics.text import identifier_words

WHEN: Final = re.compile(
    r"^\W*(?:since when|when|(?:in |on |from )?(?:what|which) (?:year|day|date))\b", re.IGNORECASE
)
_PLACED: Final = frozenset({"first", "last", "earliest", "latest", "recently"})
"""Adverbs that rank what was done by its day."""
_ARTICLES: Final = frozenset({"the", "a", "an", "very"})
_DAYS: Final = frozenset({"year", "date", "day", "on", "in", "at"})

_BEGINNINGS: Final = tuple(
    frozenset(line.split())
    for line in (
        "made built manufactured constructed produced created assembled painted written composed finished",
        "born birth",
        "founded established opened formed created launched started set built incorporated begun began",
        "hired joined employed recruited started began begun entered enrolled become became member",
        "acquired bought purchased obtained received got gotten",
    )
)
"""Words for how a thing began, or came to somebody; those of a line say the same."""
_ORIGIN: Final = frozenset(
    w
    for line in (
        "made built manufactured constructed born birth founded established opened hired joined acquired",
        "bought purchased member",
    )
    for w in line.split()
)
_NO_DEEDS: Final = frozenset({"been", "being", "was", "were", "is", "are", "had", "has", "did", "during"})
_YEAR: Final = re.compile(r"1[5-9]\d\d|20\d\d")
_IN_TIME: Final = frozenset({"in", "during", "since"})
_BEHIND_DEEDS: Final = frozenset({"in", "during", "on", "since", "before", "after"})

Infos = Mapping[tuple[str, str], PropertyInfo]


def by_own_days(linked: Linked, query: Query, infos: Infos) -> Query:
    """The reading with the day of the relationship that is said, where it tells or ranks by another's.

    "When do tours stop in Hull" asks for the day of ``STOPS_AT``, not for that on which a tour began. A day
    that the question names stays.
    """
    own = _own_day(linked, query, infos)
    if own is None:
        return _by_day_between(linked, query, infos)
    filters = (replace(f, ref=own) if _is_origin(f, linked) else f for f in query.filters)
    query = replace(query, filters=tuple(filters))
    asked = query.project[0] if len(query.project) == 1 and query.head is Head.LIST else None
    if asked is not None and WHEN.search(linked.text) and _is_anothers(asked, linked, query, infos):
        query = replace(query, project=(own,))
    order = query.order
    if order is None or order.ref is None or order.measure is not None or order.ref.on_edge:
        return query
    label = query.nodes[order.ref.owner].label
    if _ranks_deeds(linked, label) and _is_anothers(order.ref, linked, query, infos):
        return replace(query, order=replace(order, ref=own))
    return query


def _by_day_between(linked: Linked, query: Query, infos: Infos) -> Query:
    """The reading ranked by the day of the one thing between: the operation's, not that of a hiring."""
    order = query.order
    if order is None or order.ref is None or not ranks_by_anothers_day(linked, query):
        return query
    named = {f.ref.owner for f in query.filters if not f.ref.on_edge} | {order.ref.owner}
    between = {i for e in query.edges if _is_plain(e) for i in (e.start, e.end)} - named - query.inner
    found = [
        (i, info)
        for i in sorted(between)
        for (label, name), info in infos.items()
        if label == query.nodes[i].label and info.dated and not info.many and not tells_end(name)
    ]
    if len(found) != 1:
        return query
    i, info = found[0]
    day = PropertyRef(
        i, info.name, numeric_text=info.numeric_text, day_text=info.day_text, iso_text=info.iso_text,
        clock=info.clock,
    )  # fmt: skip
    return replace(query, order=replace(order, ref=day))


def ranks_by_anothers_day(linked: Linked, query: Query) -> bool:
    """Whether "most recently" behind a verb was read of a day that has nothing to do with the verb."""
    order = query.order
    if order is None or not order.extreme or order.ref is None or order.ref.on_edge:
        return False
    words = [w.lower for w in linked.words]
    last = [
        i for i, w in enumerate(words) if i and w in _PLACED and not any(map(str.isalnum, words[i + 1 :]))
    ]
    adverb = "recently" in words or any(words[i - 1] not in _ARTICLES for i in last)
    return adverb and order.ref.owner == query.answer and not is_said(order.ref, linked)


def tells_anothers_day(linked: Linked, query: Query) -> bool:
    """Whether a day of what was done is told, or compared, as that on which a thing was built or the like."""
    if any(
        _is_origin(f, linked) or _begins_otherwise(f, linked) or _is_no_day(f, linked) for f in query.filters
    ):
        return True
    if ranks_by_anothers_day(linked, query):
        return True
    if len(query.project) != 1 or query.head is not Head.LIST or not WHEN.search(linked.text):
        return False
    ref = query.project[0]
    first, *rest = identifier_words(ref.name) or [""]
    of_deed = bool(rest) and set(rest) <= _DAYS and is_verb_form(first)
    return of_deed and not ref.on_edge and bool(_said_edges(linked, query)) and not is_said(ref, linked)


def _is_origin(condition: Filter, linked: Linked) -> bool:
    """Whether a day behind a verb ("treated objects in 2023") was taken for that of a thing's beginning."""
    ref = condition.ref
    if ref.on_edge or condition.other is not None or not _ORIGIN & set(identifier_words(ref.name)):
        return False
    deeds = [m.end for m in linked.relations if any(t.kind == "relation" and not t.agent for t in m.terms)]
    days = [m.start for m in linked.mentions if m.day is not None or m.number is not None]
    behind = [
        at for at in days if linked.words[at - 1].lower in _BEHIND_DEEDS and min(deeds, default=at) < at
    ]
    return bool(behind) and len(behind) == len(days) and not is_said(ref, linked)


def _begins_otherwise(condition: Filter, linked: Linked) -> bool:
    """Whether a day behind another verb ("published in 2023") was taken for that of a thing's beginning."""
    ref = condition.ref
    begun = _ORIGIN & set(identifier_words(ref.name))
    if ref.on_edge or condition.other is not None or not begun or is_said(ref, linked):
        return False
    same = {word for line in _BEGINNINGS if line & begun for word in line}
    days = [m.start for m in linked.mentions if m.day is not None or m.number is not None]
    verbs = [at - 2 for at in days if at > 1 and linked.words[at - 1].lower in _BEHIND_DEEDS]
    meant = {
        i for m in linked.mentions if any(t.name == ref.name for t in m.terms) for i in range(m.start, m.end)
    }
    said = (linked.words[at].lower for at in verbs if at not in meant)
    return any(is_verb_form(word) and word not in same | _NO_DEEDS for word in said)


def _is_no_day(condition: Filter, linked: Linked) -> bool:
    """Whether a year ("in 2019") was taken for an amount, or for a text that nothing has."""
    ref, value = condition.ref, condition.value
    if not isinstance(value, (str, int)) or DATED_WORDS & set(identifier_words(ref.name)) or is_day_text(ref):
        return False
    years = {
        m.text
        for m in linked.mentions
        if m.start and _YEAR.fullmatch(m.text) and linked.words[m.start - 1].lower in _IN_TIME
        if not any(v.property == ref.name for v, _ in m.values)
    }
    return str(value) in years and (isinstance(value, str) or names_amount(ref.name))


def _own_day(linked: Linked, query: Query, infos: Infos) -> PropertyRef | None:
    """The day of the one relationship that a verb says and that has one, which is not that of its end."""
    found = []
    for i in _said_edges(linked, query):
        names = [n for kind, n in infos if kind == query.edges[i].types[0]]
        days = [
            x
            for n in names
            if (x := infos[query.edges[i].types[0], n]).dated and not x.many and not tells_end(n)
        ]
        found += [(i, days[0])] if days else []
    if len(found) != 1:
        return None
    i, info = found[0]
    return PropertyRef(
        i,
        info.name,
        True,
        info.numeric_text,
        day_text=info.day_text,
        iso_text=info.iso_text,
        clock=info.clock,
    )


def _said_edges(linked: Linked, query: Query) -> list[int]:
    terms = {t.name for m in linked.relations for t in m.terms if t.kind == "relation" and not t.agent}
    return [i for i, e in enumerate(query.edges) if set(e.types) & terms and _is_plain(e)]


def _is_plain(edge: Edge) -> bool:
    return len(edge.types) == 1 and not (edge.negated or edge.optional)


def _is_anothers(ref: PropertyRef, linked: Linked, query: Query, infos: Infos) -> bool:
    info = None if ref.on_edge else infos.get((query.nodes[ref.owner].label, ref.name))
    return info is not None and info.dated and not is_said(ref, linked)


def _ranks_deeds(linked: Linked, label: str) -> bool:
    """Whether "first", "last" or the like is not said of a thing: "the first tour" goes by its own day."""
    nouns = {m.start for m in linked.mentions if any(t.name == label and t.kind == "label" for t in m.terms)}
    return any(w.lower in _PLACED and i + 1 not in nouns for i, w in enumerate(linked.words))
