"""What relationships held in memory tell of a pattern is what a look through all of them tells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cypher.semantics import held_ties
from cypher.semantics.held_ties import HeldTies
from cypher.semantics.ir import (
    Clause,
    ClauseKind,
    CountFilter,
    Edge,
    Filter,
    Node,
    Operator,
    Part,
    PropertyRef,
    Query,
)
from cypher.semantics.way import Way
from schemas.store_ties import Places, StoreTies

SHIPS, PORTS = (0, 1), (2, 3, 4)
NAMES = "ababa"
WAYS = (Way(), Way(undirected=True), Way(apart=True), Way(undirected=True, apart=True))


def _places(*places: int) -> Places:
    return np.array(places, dtype=np.int32)


@dataclass(frozen=True)
class World:
    """Relationships as (type, start, end); two of them may be alike."""

    ties: Sequence[tuple[str, int, int]]

    def columns(self) -> StoreTies:
        kinds = {
            kind: tuple(_places(*(tie[i] for tie in self.ties if tie[0] == kind)) for i in (1, 2))
            for kind in ("AT", "NEAR")
        }
        relations = {kind: (starts, ends) for kind, (starts, ends) in kinds.items()}
        return StoreTies(tuple(NAMES), {"Ship": _places(*SHIPS), "Port": _places(*PORTS)}, relations)

    def matches(self, query: Query, way: Way) -> bool:
        """Tries all relationships for all of the pattern's."""
        alone = frozenset() if way.apart else query.again
        for taken in product(range(len(self.ties)), repeat=len(query.edges)):
            once = [number for i, number in enumerate(taken) if i not in alone]
            if len(set(once)) < len(once):
                continue
            for turned in (
                product((False, True), repeat=len(taken)) if way.undirected else [(False,) * len(taken)]
            ):
                if self._binds(query, taken, turned):
                    return True
        return False

    def _binds(self, query: Query, taken: Sequence[int], turned: Sequence[bool]) -> bool:
        bound = dict[int, int]()
        for edge, number, turn in zip(query.edges, taken, turned, strict=True):
            kind, *ends = self.ties[number]
            if kind not in edge.types:
                return False
            for node, place in zip((edge.start, edge.end), reversed(ends) if turn else ends, strict=True):
                if bound.setdefault(node, place) != place:
                    return False
        return all(
            any(self._stands_for(query, i, place) for place in ([bound[i]] if i in bound else SHIPS + PORTS))
            for i in range(len(query.nodes))
        )

    def _stands_for(self, query: Query, node: int, place: int) -> bool:
        kind = SHIPS if query.nodes[node].label == "Ship" else PORTS
        return place in kind and all(NAMES[place] == f.value for f in query.filters if f.ref.owner == node)


def _fitting(label: str, conditions: tuple[Filter, ...]) -> Places:
    kind = SHIPS if label == "Ship" else PORTS
    return _places(*(p for p in kind if all(NAMES[p] == f.value for f in conditions)))


def _named(node: int, name: str) -> Filter:
    return Filter(PropertyRef(node, "name"), Operator.EQ, name)


@st.composite
def queries(draw: st.DrawFn) -> Query:
    """Up to four nodes and three relationships in any shape, some with names or in a match of their own."""
    nodes = tuple(draw(st.lists(st.sampled_from([Node("Ship"), Node("Port")]), min_size=1, max_size=4)))
    place = st.integers(0, len(nodes) - 1)
    types = st.sampled_from([("AT",), ("NEAR",), ("AT", "NEAR")])
    edges = tuple(draw(st.lists(st.builds(Edge, place, place, types), max_size=3)))
    filters = tuple(draw(st.lists(st.builds(_named, place, st.sampled_from("abc")), max_size=2)))
    again = draw(st.frozensets(st.integers(0, len(edges) - 1))) if edges else frozenset[int]()
    return Query(nodes, edges, filters, again=again)


ANYWHERE = st.integers(0, len(NAMES) - 1)
WORLDS = st.builds(
    World, st.lists(st.tuples(st.sampled_from(["AT", "NEAR"]), ANYWHERE, ANYWHERE), max_size=6)
)


@given(queries(), WORLDS, st.sampled_from(WAYS))
def test_a_pattern_matches_where_a_look_at_everything_finds_a_match(
    query: Query, world: World, way: Way
) -> None:
    assert HeldTies(world.columns()).matches(query, way, _fitting) is world.matches(query, way)


@given(queries(), WORLDS)
def test_where_conditions_are_not_known_it_is_told_only_that_nothing_matches(
    query: Query, world: World
) -> None:
    told = HeldTies(world.columns()).matches(query, Way(), _unknown)
    assert told is not False or not world.matches(replace(query, filters=()), Way())
    assert told is not True or not query.filters


def _unknown(label: str, conditions: tuple[Filter, ...]) -> None:
    assert label in ("Ship", "Port")
    assert all(f.ref.owner == 0 for f in conditions)


FLEET = World([("AT", 0, 2), ("AT", 1, 2), ("NEAR", 2, 3)])
DOCKED = Query((Node("Ship"), Node("Port")), (Edge(0, 1, ("AT",)),))
NEARBY = replace(DOCKED, nodes=(*DOCKED.nodes, Node("Port")), edges=(*DOCKED.edges, Edge(1, 2, ("NEAR",))))


@pytest.mark.parametrize(
    "query",
    [
        replace(DOCKED, having=CountFilter(1, Operator.GT, 5)),
        replace(DOCKED, pooled=True),
        replace(DOCKED, clauses=(Clause(ClauseKind.ABSENT, (Part(),)),)),
        replace(NEARBY, edges=(DOCKED.edges[0], replace(NEARBY.edges[1], negated=True))),
        replace(NEARBY, edges=(DOCKED.edges[0], replace(NEARBY.edges[1], optional=True))),
        replace(NEARBY, inner=frozenset({2})),
        replace(DOCKED, filters=(replace(_named(0, "a"), other=PropertyRef(1, "name")),)),
        replace(DOCKED, filters=(Filter(PropertyRef(0, "since", on_edge=True), Operator.EQ, "a"),)),
    ],
)
def test_of_what_asks_for_more_only_that_nothing_matches_is_told(query: Query) -> None:
    ways = [HeldTies(world.columns()).matches(query, Way(), _fitting) for world in (FLEET, World([]))]
    assert ways == [None, False]


def test_a_search_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held_ties, "MOST_STEPS", 1)
    held = HeldTies(FLEET.columns())
    assert [held.matches(q, Way(), _fitting) for q in (DOCKED, NEARBY)] == [True, None]


def test_what_the_graph_has_not_matches_nothing() -> None:
    held = HeldTies(FLEET.columns())
    assert held.matches(Query((Node("Crane"),)), Way(), _fitting) is False
    assert held.matches(replace(DOCKED, edges=(Edge(0, 1, ("OWNS",)),)), Way(), _fitting) is False
