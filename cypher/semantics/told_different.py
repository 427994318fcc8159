"""Two things of a kind that must differ: "heads of a depot who trained someone at a different depot"."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Final

from cypher.semantics.ir import Edge, Filter, Operator, PropertyRef, Query
from cypher.semantics.mentions import Linked
from schemas.store_schema import StoreSchema

_OTHER: Final = frozenset({"different", "another", "other"})
_ONE: Final = frozenset({"a", "some"})


def told_different(linked: Linked, query: Query, schema: StoreSchema) -> Query:
    """The reading with the condition that they are two, where it has two of the kind that is called other.

    What is asked for is not told apart so: its name may be a kind that many have. And two that one thing is
    tied to in one way differ anyway: relationships of a ``MATCH`` are never the same.
    """
    for label in sorted(_called_other(linked)):
        pair = _pair(query, label)
        known = schema.label(label)
        if pair is not None and known is not None and known.name_property:
            one, other = (PropertyRef(i, known.name_property) for i in pair)
            query = replace(query, filters=(*query.filters, Filter(other, Operator.NE, other=one)))
    return query


def lacks_another(linked: Linked, query: Query) -> bool:
    """Whether "a different depot" is any depot in a reading, as there is but the one."""
    words = [w.lower for w in linked.words]
    singular = {
        label
        for at, label in _nouns(linked)
        if words[at - 1] == "different" and words[at - 2 : at - 1] and words[at - 2] in _ONE
    }
    return any(sum(n.label == label for n in query.nodes) == 1 for label in singular)


def _called_other(linked: Linked) -> set[str]:
    words = [w.lower for w in linked.words]
    before = ((at, label) for at, label in _nouns(linked) if words[at - 1] in _OTHER)
    return {label for at, label in before if words[at - 1] == "another" or words[max(0, at - 2)] in _ONE}


def _nouns(linked: Linked) -> list[tuple[int, str]]:
    """Where nouns for labels start, behind another word."""
    return [(m.start, t.name) for m in linked.mentions for t in m.terms if t.kind == "label" and m.start]


def _pair(query: Query, label: str) -> tuple[int, int] | None:
    """The two things of a kind of which nothing says yet that they differ."""
    nodes = [i for i, n in enumerate(query.nodes) if n.label == label and i not in query.inner]
    if len(nodes) != 2 or query.answer in nodes:
        return None
    compared = any(f.other is not None and {f.ref.owner, f.other.owner} == set(nodes) for f in query.filters)
    alike = any(_same_way(a, b, nodes) for a, b in combinations(query.edges, 2))
    tied = any({e.start, e.end} == set(nodes) for e in query.edges)
    return None if compared or alike or tied else (nodes[0], nodes[1])


def _same_way(one: Edge, other: Edge, nodes: list[int]) -> bool:
    """Whether two relationships lead in one way from one thing to the two."""
    starts = one.types == other.types and one.start == other.start and {one.end, other.end} == set(nodes)
    ends = one.types == other.types and one.end == other.end and {one.start, other.start} == set(nodes)
    return starts or ends
