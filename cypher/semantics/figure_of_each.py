"""A figure for each of something, in one plain phrase: "total credits per member", "average dose by day".

It is read from the schema alone, where each word has one meaning, for questions that no parser was sure of:
figures of relationships above all, of which the things at both ends, and what these are tied to, have some.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cypher.semantics.figures_meant import over_all
from cypher.semantics.ir import (
    Edge,
    Filter,
    Head,
    Measure,
    Measured,
    Node,
    Operator,
    Period,
    PropertyRef,
    Query,
)
from cypher.semantics.text import identifier_words, stem
from cypher.semantics.unit_words import SHORT
from schemas.store_schema import PropertyType, StoreProperty, StoreSchema, StoreTriple

_MEASURES: Final = {
    "average": Measure.AVG, "mean": Measure.AVG, "avg": Measure.AVG, "total": Measure.SUM,
    "sum of": Measure.SUM, "combined": Measure.SUM, "maximum": Measure.MAX, "max": Measure.MAX,
    "highest": Measure.MAX, "largest": Measure.MAX, "minimum": Measure.MIN, "min": Measure.MIN,
    "lowest": Measure.MIN,
    "smallest": Measure.MIN,
}  # fmt: skip
_ASKED: Final = re.compile(
    r"^(?:what (?:is|are|was|were) |show(?: me)? |list |give(?: me)? |compute |calculate )?(?:the )?"
    rf"(?P<how>{'|'.join(_MEASURES)}) (?:the )?(?:number of |amount of )?(?P<rest>[\w ]+?)"
    r"(?: in (?P<year>(?:19|20)\d\d))?[\s?.!]*$",
    re.IGNORECASE,
)
_EACH: Final = re.compile(
    r" (?:per|by|(?:of|for|in|at|on|to) (?:each|every)(?: of the)?|for all|across(?: the)?) ", re.IGNORECASE
)
_NUMERIC: Final = frozenset({PropertyType.INTEGER, PropertyType.FLOAT})
_DATED: Final = frozenset({PropertyType.DATE, PropertyType.DATETIME})


@dataclass(frozen=True, slots=True)
class _Place:
    """A property and where it is: of a label, or of a relationship with its ends."""

    name: str
    label: str = ""
    triple: StoreTriple | None = None


def figure_of_each(question: str, schema: StoreSchema) -> Query | None:
    """The reading, or ``None`` where the question is none of these or a word of it has several meanings.

    >>> from schemas.store_schema import StoreLabel, StoreRelation
    >>> credits = StoreProperty(name="credits", type=PropertyType.INTEGER)
    >>> took = StoreRelation(type="TOOK", properties=(credits,))
    >>> schema = StoreSchema(
    ...     labels=(StoreLabel(name="Member"), StoreLabel(name="Shift")), relations=(took,),
    ...     triples=(StoreTriple(start="Member", type="TOOK", end="Shift"),))
    >>> found = figure_of_each("total credits per member", schema)
    >>> found and (found.measures[0].measure.value, found.measures[0].ref.name, found.keys[0].owner)
    ('sum', 'credits', 0)
    >>> figure_of_each("total credits per river", schema) is None
    True
    """
    asked = _ASKED.match(question.strip())
    if asked is None:
        return None
    made = [
        query
        for cut in _EACH.finditer(asked["rest"])
        for place in _places(asked["rest"][: cut.start()], schema)
        for query in _queries(place, _MEASURES[asked["how"].lower()], asked["rest"][cut.end() :], schema)
    ]
    if len(made) > 1:
        made = [query for query in made if _adds_up(query, schema)]
    if len(made) != 1:
        return None
    found = over_all(made[0])
    return in_year(found, int(asked["year"]), schema) if asked["year"] else found


def _adds_up(query: Query, schema: StoreSchema) -> bool:
    """Whether each thing is tied to at most one of those that the figure is wanted for, as counted."""
    *_, tie = query.edges or (None,)
    if tie is None or len(query.nodes) < 3:
        return True
    triple = schema.triple(query.nodes[tie.start].label, tie.types[0], query.nodes[tie.end].label)
    last = len(query.nodes) - 1
    most = 0 if triple is None else triple.most_from_start if tie.end == last else triple.most_to_end
    return most == 1


def _places(said: str, schema: StoreSchema) -> list[_Place]:
    """The numbers that words may mean: by the whole name, else by its first words where there is one such."""
    found = [(_fit(p, said), place) for p, place in _numbers(schema)]
    best = max((fit for fit, _ in found), default=0)
    return [place for fit, place in found if fit == best] if best else []


def _numbers(schema: StoreSchema) -> Iterator[tuple[StoreProperty, _Place]]:
    for label in schema.labels:
        yield from ((p, _Place(p.name, label.name)) for p in label.properties if _is_number(p))
    for relation in schema.relations:
        for triple in (t for t in schema.triples if t.type == relation.type):
            yield from ((p, _Place(p.name, triple=triple)) for p in relation.properties if _is_number(p))


def _is_number(prop: StoreProperty) -> bool:
    return prop.type in _NUMERIC and not prop.many


def _fit(prop: StoreProperty, said: str) -> int:
    """How well words name a property: 3 with its whole name, 2 but for its unit, 1 with its first word."""
    name, words = identifier_words(prop.name), said.lower().split()
    if not name or not words:
        return 0
    short = name[:-1] if len(name) > 1 and name[-1] in SHORT else name
    if _same(words, name):
        return 3
    return 2 if _same(words, short) else int(len(words) == 1 and _same(words, name[:1]))


def _same(said: Sequence[str], name: Sequence[str]) -> bool:
    return [stem(w) for w in said] == [stem(w) for w in name]


def _queries(place: _Place, measure: Measure, key: str, schema: StoreSchema) -> Iterator[Query]:
    """Readings with the figure for each of what a word names: ends, what they have, what they are tied to."""
    if place.triple is not None:
        nodes: tuple[Node, ...] = (Node(place.triple.start), Node(place.triple.end))
        edges: tuple[Edge, ...] = (Edge(0, 1, (place.triple.type,)),)
        own = schema.relation(place.triple.type)
        on_edge = (
            [p.name for p in own.properties if _same(key.split(), identifier_words(p.name))] if own else []
        )
    else:
        nodes, edges, on_edge = (Node(place.label),), (), []
    figure = (Measured(measure, PropertyRef(0, place.name, on_edge=place.triple is not None)),)
    keys = [PropertyRef(0, name, on_edge=True) for name in on_edge]
    keys += [ref for i, node in enumerate(nodes) for ref in _keys(i, node.label, key, schema)]
    for ref in keys:
        yield Query(nodes, edges, head=Head.GROUP, measures=figure, keys=(ref,))
    if not keys:
        yield from _tied(nodes, edges, figure, key, schema)


def _tied(
    nodes: tuple[Node, ...],
    edges: tuple[Edge, ...],
    figure: tuple[Measured, ...],
    key: str,
    schema: StoreSchema,
) -> Iterator[Query]:
    """Readings with the figure for each of what one of the nodes is tied to directly."""
    last = len(nodes)
    for i, node in enumerate(nodes):
        for triple in schema.triples:
            if any(triple.type in e.types for e in edges) or triple.start == triple.end:
                continue
            for near, far, forward in ((triple.start, triple.end, True), (triple.end, triple.start, False)):
                if near == node.label:
                    ends = (i, last) if forward else (last, i)
                    tie = Edge(*ends, (triple.type,))
                    for ref in _keys(last, far, key, schema):
                        more = (*nodes, Node(far)), (*edges, tie)
                        yield Query(*more, head=Head.GROUP, measures=figure, keys=(ref,))


def _keys(owner: int, label: str, key: str, schema: StoreSchema) -> Iterator[PropertyRef]:
    """What a word names of a node: the thing itself, or one of its properties."""
    found = schema.label(label)
    if _same(key.split(), identifier_words(label)):
        yield PropertyRef(owner, "")
    for p in found.properties if found else ():
        if _same(key.split(), identifier_words(p.name)) and not p.many:
            yield PropertyRef(owner, p.name)


def in_year(query: Query, year: int, schema: StoreSchema) -> Query | None:
    """The reading of one year, where one day tells when: of what has the figure."""
    ref = query.measures[0].ref
    owned = schema.relation(query.edges[0].types[0]) if ref.on_edge else schema.label(query.nodes[0].label)
    days = [p for p in owned.properties if p.type in _DATED and not p.many] if owned else []
    if len(days) != 1:
        return None
    day = PropertyRef(0, days[0].name, on_edge=ref.on_edge, period=Period.YEAR)
    known = Filter(day, Operator.EQ, year)
    return replace(query, filters=(known,))
