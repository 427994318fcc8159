"""Nothing but what is named: "who drives only Line 1", "each other"; what else there is, is denied."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from cypher.semantics.excepting import hanging_on, returns_more
from cypher.semantics.ir import Clause, ClauseKind, Edge, Filter, Operator, Part, PropertyRef, Query
from cypher.semantics.mentions import Linked, Mention
from cypher.semantics.spoken_numbers import number_of
from cypher.semantics.stored import type_of
from cypher.semantics.text import identifier_words
from schemas.store_schema import PropertyType, StoreSchema

_FAR: Final = 4
"""Words at most between "only" and the name that it restricts: its verb, a preposition, an article."""
_SHOWING: Final = frozenset({"show", "list", "return", "give", "display", "tell", "find", "me", "name"})
_ONE_SIDED: Final = frozenset(
    {
        *(
            "follows",
            "follow",
            "followed",
            "likes",
            "like",
            "liked",
            "loves",
            "love",
            "loved",
            "trusts",
            "trust",
        ),
        *("hates", "admires", "cites", "cited", "calls", "called", "emails", "emailed", "messaged", "rates"),
        *("rated", "blocks", "blocked", "owes", "lent", "mentions", "mentioned", "recommends", "recommended"),
        *("endorses", "endorsed", "invites", "invited", "visits", "visited", "helps", "helped", "trust"),
    }
)
"""What one does to another who need not do it; who knows somebody may be kept once for the two."""
_RECIPROCAL: Final = (("each", "other"), ("one", "another"))


@dataclass(frozen=True, slots=True)
class Only:
    """A question without its "only", and the name before which that stood."""

    text: str
    names: frozenset[str]

    def around(self, query: Query) -> Query | None:
        """The reading of :attr:`text` where nothing else stands in the place of the name."""
        told = [f for f in query.filters if f.operator is Operator.EQ and f.value in self.names]
        if len(told) != 1 or told[0].ref.on_edge or query.clauses or query.having or query.order:
            return None
        return _nothing_else(query, told[0])


def only(linked: Linked) -> Only | None:
    """What a question says only of one that it names; ``None`` where it says so of nothing named."""
    for at in onlys(linked):
        found = next((m for m in linked.mentions if m.start > at and m.values), None)
        between = [m for m in linked.mentions if found and at < m.start < found.start and not _is_property(m)]
        if found is None or between or found.start - at > _FAR:
            continue
        word = linked.words[at]
        text = linked.text[: word.start].rstrip() + linked.text[word.end :]
        return Only(text, frozenset(v.text for v, _ in found.values))
    return None


def _is_property(mention: Mention) -> bool:
    """Whether it says what the name behind it is: "only the language French"."""
    return bool(mention.terms) and all(t.kind == "property" for t in mention.terms)


def onlys(linked: Linked) -> list[int]:
    """Places of the word "only" where it restricts something: not "the only", "only two", "show only"."""
    lower = [w.lower for w in linked.words]
    named = {i for m in linked.mentions for i in range(m.start, m.end)}
    return [
        at
        for at, word in enumerate(lower)
        if word == "only"
        and at not in named
        and lower[at - 1 : at] not in (["the"], ["not"], ["an"])
        and not (at and lower[at - 1] in _SHOWING)
        and number_of(" ".join(lower[at + 1 : at + 2])) is None
    ]


def _nothing_else(query: Query, told: Filter) -> Query | None:
    """The reading without those of which it is true of another, too."""
    if told.ref.owner == query.answer:
        other = replace(told, operator=Operator.NE)
        return _denied(query, Part(filters=(other,))) if told.ref.many else query
    gone = hanging_on(told.ref.owner, query)
    edges = [i for i, e in enumerate(query.edges) if {e.start, e.end} & gone]
    apart = [f for f in query.filters if f is not told and (f.ref.owner in gone or f.ref.on_edge)]
    plain = not any(query.edges[i].negated or query.edges[i].optional for i in edges)
    if apart or not plain or query.inner & gone:
        return None
    first = len(query.nodes)
    place = {query.answer: query.answer, **{n: first + k for k, n in enumerate(sorted(gone))}}
    ends = ((query.edges[i], place[query.edges[i].start], place[query.edges[i].end]) for i in edges)
    copies = tuple(replace(e, start=start, end=end) for e, start, end in ends)
    ref = replace(told.ref, owner=place[told.ref.owner])
    part = Part(copies, (Filter(ref, Operator.NE, told.value),), nodes=tuple(place[n] for n in sorted(gone)))
    nodes = (*query.nodes, *(query.nodes[n] for n in sorted(gone)))
    return _denied(replace(query, nodes=nodes, inner=query.inner | {*place.values()} - {query.answer}), part)


def _denied(query: Query, part: Part) -> Query:
    return replace(query, clauses=(*query.clauses, Clause(ClauseKind.ABSENT, (part,))))


def without_flagged(linked: Linked, query: Query, schema: StoreSchema) -> Query:
    """ "Dishes that contain no allergen" have no ingredient that is one, not one that is none."""
    lower = [w.lower for w in linked.words]
    flags = {
        t.name
        for m in linked.mentions
        if lower[m.start - 1 : m.start] in (["no"], ["without"])
        for t in m.terms
        if t.kind == "property"
    }
    told = [f for f in query.filters if _is_flag_off(f, query, schema) and f.ref.name in flags]
    plain = not (query.clauses or query.having or query.order or returns_more(query))
    if len(told) != 1 or len(query.filters) > 1 or not plain:
        return query
    gone = hanging_on(told[0].ref.owner, query)
    plain = not any(e.negated or e.optional for e in query.edges)
    if not plain or any({e.start, e.end} - gone - {query.answer} for e in query.edges):
        return query
    part = Part(query.edges, (replace(told[0], value=True),), nodes=tuple(sorted(gone)))
    return replace(_denied(query, part), edges=(), filters=(), inner=query.inner | gone)


def _is_flag_off(condition: Filter, query: Query, schema: StoreSchema) -> bool:
    ref = condition.ref
    off = condition.operator is Operator.EQ and condition.value is False and not ref.on_edge
    return off and ref.owner != query.answer and type_of(query, ref, schema) is PropertyType.BOOLEAN


def reciprocal(linked: Linked, query: Query) -> Query:
    """With the way back of a relationship of two that are listed, where they do it to each other."""
    lower = [w.lower for w in linked.words]
    said = any(pair in _RECIPROCAL for pair in pairwise(lower))
    listed = {query.answer, *(r.owner for r in query.project if not r.on_edge)}
    listed |= {r.owner for r in (query.measured, query.group, *query.keys) if isinstance(r, PropertyRef)}
    back = tuple(
        Edge(e.end, e.start, e.types)
        for e in query.edges
        if not (e.both or e.negated or e.optional)
        and all(_ONE_SIDED & set(identifier_words(kind)) for kind in e.types)
        and {e.start, e.end} <= listed
        and e.start != e.end
        and query.nodes[e.start].label == query.nodes[e.end].label
    )
    known = {(e.start, e.end, e.types) for e in query.edges}
    more = tuple(e for e in back if (e.start, e.end, e.types) not in known)
    return replace(query, edges=(*query.edges, *more)) if said and more else query
