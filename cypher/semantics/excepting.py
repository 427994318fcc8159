"""Things that have one but not another, or neither: each is read by itself, what must not be is denied."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from cypher.semantics.ir import (
    MARKED,
    Clause,
    ClauseKind,
    Edge,
    Filter,
    Head,
    Operator,
    Part,
    PropertyRef,
    Query,
)
from cypher.semantics.mentions import Linked, Mention

_BUT: Final = re.compile(r",?\s+but (?:not|no|never|without)\s+", re.IGNORECASE)
_NEITHER: Final = re.compile(r"\bneither\s+", re.IGNORECASE)
_NOR: Final = re.compile(r"\s*,?\s+nor\s+", re.IGNORECASE)
_FURTHER: Final = re.compile(r"\b(?:but|and|yet|while|though|although)\b", re.IGNORECASE)
_JOINT: Final = re.compile(r"\s*(?:,|,?\s*\b(?:or|and)\b)\s*(?:(?:a|an|the|in|for|by|at) )?", re.IGNORECASE)
_ARTICLE: Final = re.compile(r"^(?:(?:a|an|the|any|for|in|at|on|by|to|with|from|of) )+", re.IGNORECASE)
_END: Final = re.compile(r"[\s?.!]*$")
BESIDE: Final = re.compile(r"\b(?:or|and|vs|versus|only|but|neither|every|all)\b", re.IGNORECASE)
"""Words without one of which no condition stands beside a question."""


@dataclass(frozen=True, slots=True)
class Excepting:
    """A question of what things have, and those of what they have not; without the first, all of them."""

    has: str
    has_not: tuple[str, ...]

    def around(self, wanted: Query | None, unwanted: Sequence[Query]) -> Query | None:
        """The reading of :attr:`has` without what fits any of :attr:`has_not`; ``None`` where they differ."""
        out = wanted if self.has else _in_common(unwanted[0], unwanted[1])
        for other in unwanted:
            out = _without(out, other) if out is not None else None
        return out


def excepting(linked: Linked) -> Excepting | None:
    """ "(Who drank) tea but not milk", "neither tea nor milk": as one question and those that are denied.

    >>> from cypher.semantics.text import words
    >>> text = "Who drank neither tea nor milk?"
    >>> excepting(Linked(text, words(text), (), (), (), ())).has_not
    ('Who drank tea?', 'Who drank milk?')
    """
    text = _END.sub("", linked.text)
    if found := _NEITHER.search(text):
        items = _NOR.split(text[found.end() :])
        if _FURTHER.search(items[-1]):
            return None  # "neither tea nor milk but are here": what follows is not denied
        head = text[: found.start()]
        return Excepting("", tuple(f"{head}{x}?" for x in items)) if len(items) > 1 else None
    found = _BUT.search(text)
    if found is None:
        return None
    head, tail = text[: found.start()], text[found.end() :]
    other = _mention_at(linked, found.end(), len(text))
    start = _like(linked, other, found.start()) if other is not None else None
    if other is None or start is None:
        return None
    said = text[linked.words[other.start].start :]
    kept = _ARTICLE.sub("", tail)
    return Excepting(f"{head}?", (f"{head[:start]}{said}?",)) if kept == said else None


def _mention_at(linked: Linked, start: int, end: int) -> Mention | None:
    """The one thing named between two places of the text."""
    inside = [m for m in linked.mentions if start <= linked.words[m.start].start < end]
    return inside[0] if len(inside) == 1 and linked.words[inside[0].end - 1].end == end else None


def _like(linked: Linked, other: Mention, before: int) -> int | None:
    """Where the things of the same sort begin that end the first half: "tea or juice (but not milk)"."""
    named = [m for m in linked.mentions if linked.words[m.end - 1].end <= before]
    if not named or linked.words[named[-1].end - 1].end != before or not _sorts(named[-1]) & _sorts(other):
        return None
    start = linked.words[named[-1].start].start
    for mention in reversed(named[:-1]):
        between = linked.text[linked.words[mention.end - 1].end : start]
        if not _JOINT.fullmatch(between) or not _sorts(mention) & _sorts(other):
            break
        start = linked.words[mention.start].start
    return start


def _sorts(mention: Mention) -> set[object]:
    sorts: set[object] = {(v.owner, v.property) for v, _ in mention.values}
    sorts |= {t.kind for t in mention.terms if not mention.values}
    if mention.number is not None or mention.day is not None:
        sorts.add("number")
    return sorts


def _in_common(one: Query, other: Query) -> Query | None:
    """What two readings ask for beside the one thing in which they differ; ``None`` where there are more."""
    if one.clauses or one.order or one.having or one.again or one.inner or returns_more(one):
        return None
    if not (one.filters or other.filters):  # they differ in what is had: captains, coaches
        alone = len(one.edges) == 1 == len(other.edges)
        return _bare(one) if alone else None
    apart = [f for f, g in zip(one.filters, other.filters, strict=False) if f != g]
    equal = replace(other, filters=one.filters) == one and len(apart) == 1
    refs = [*(f.ref for f in one.filters), *(f.other for f in one.filters if f.other)]
    if not equal or any(r.on_edge for r in refs):
        return None
    gone = hanging_on(apart[0].ref.owner, one)
    kept = [i for i in range(len(one.nodes)) if i not in gone]
    place = {i: k for k, i in enumerate(kept)}
    return replace(
        one,
        nodes=tuple(one.nodes[i] for i in kept),
        answer=place[one.answer],
        project=tuple(replace(r, owner=place.get(r.owner, 0)) for r in one.project),
        edges=tuple(_moved(e, place, 0) for e in one.edges if not {e.start, e.end} & gone),
        filters=tuple(_told(f, place, {}) for f in one.filters if f not in apart and f.ref.owner not in gone),
    )


def returns_more(query: Query) -> bool:
    """Whether more is returned than the thing asked for, of nodes that would be gone without the rest."""
    others = {r.owner for r in query.project if not r.on_edge} - {query.answer}
    told = query.measured or query.measures or query.group or query.keys
    return bool(told or others) or any(r.on_edge for r in query.project)


def hanging_on(owner: int, query: Query) -> frozenset[int]:
    """The nodes through which one is tied to what is asked for, with all that hangs on them."""
    if owner == query.answer:
        return frozenset()
    gone = {owner}
    while True:
        ends = [{e.start, e.end} for e in query.edges]
        more = set().union(*(e for e in ends if e & gone)) - gone - {query.answer}
        if not more:
            return frozenset(gone)
        gone |= more


def _bare(query: Query) -> Query:
    project = tuple(replace(r, owner=0) for r in query.project)
    return replace(query, edges=(), nodes=(query.nodes[query.answer],), answer=0, project=project)


def _without(query: Query, other: Query) -> Query | None:
    """The reading without what fits ``other``, whose nodes but the one asked for are its own."""
    same = query.nodes[query.answer] == other.nodes[other.answer]
    plain = not (other.clauses or other.order or other.having or other.inner or other.again)
    if not same or not plain or other.head not in (Head.LIST, Head.COUNT) or other.head is not query.head:
        return None
    if any(e.negated or e.optional for e in other.edges):
        return None
    first = len(query.nodes)
    own = [i for i in range(len(other.nodes)) if i != other.answer]
    place = {other.answer: query.answer, **{i: first + k for k, i in enumerate(own)}}
    told = {r.owner for f in other.filters for r in (f.ref, f.other) if r is not None and r.on_edge}
    marks = {i: MARKED + 100 * len(query.clauses) + i for i in told}
    edges = tuple(_moved(e, place, marks.get(i, 0)) for i, e in enumerate(other.edges))
    filters = tuple(x for f in other.filters if (x := _told(f, place, marks)) not in query.filters)
    if not (edges or filters):
        return None
    if not edges and len(filters) == 1 and (unlike := _unlike(filters[0])) is not None:
        return replace(query, filters=(*query.filters, unlike))
    part = Part(edges=edges, filters=filters, nodes=tuple(place[i] for i in own))
    return replace(
        query,
        nodes=(*query.nodes, *(other.nodes[i] for i in own)),
        clauses=(*query.clauses, Clause(ClauseKind.ABSENT, (part,))),
        inner=query.inner | {place[i] for i in own},
    )


def _unlike(condition: Filter) -> Filter | None:
    """The denial of a plain condition on one value, of which it can be told what is not known."""
    plain = condition.operator is Operator.EQ and condition.other is None and not condition.ref.many
    return replace(condition, operator=Operator.NE) if plain else None


def _moved(edge: Edge, place: dict[int, int], mark: int) -> Edge:
    return replace(edge, start=place[edge.start], end=place[edge.end], mark=mark)


def _told(condition: Filter, place: dict[int, int], marks: dict[int, int]) -> Filter:
    def moved(ref: PropertyRef) -> PropertyRef:
        return replace(ref, owner=marks[ref.owner] if ref.on_edge else place[ref.owner])

    other = moved(condition.other) if condition.other is not None else None
    return replace(condition, ref=moved(condition.ref), other=other)
