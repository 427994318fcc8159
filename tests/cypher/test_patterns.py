"""Patterns of readings: one order for what is the same, and what follows from a part for the whole."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cypher.semantics.ir import (
    Clause,
    ClauseKind,
    CountFilter,
    Edge,
    Filter,
    Node,
    Operator,
    PropertyRef,
    Query,
)
from cypher.semantics.patterns import MOST_NODES, holds, in_order
from cypher.semantics.probing import matching

SHIP, PORT = Node("Ship"), Node("Port")
AT, NEAR = ("AT",), ("NEAR",)


def _named(node: int, name: str = "a") -> Filter:
    return Filter(PropertyRef(node, "name"), Operator.EQ, name)


DOCKED = Query((SHIP, PORT), (Edge(0, 1, AT),), (_named(1),))


@st.composite
def patterns(draw: st.DrawFn) -> Query:
    """Trees of ships and ports, ports near each other, some with a name; now and then with one tie more."""
    nodes, edges = [draw(st.sampled_from([SHIP, PORT]))], list[Edge]()
    for new in range(1, draw(st.integers(1, 5))):
        at = draw(st.integers(0, new - 1))
        nodes.append(draw(st.sampled_from([SHIP, PORT])) if nodes[at] == PORT else PORT)
        edges.append(_tie(nodes, at, new))
    ports = [i for i, n in enumerate(nodes) if n == PORT]
    if len(ports) > 1 and draw(st.booleans()):
        edges.append(Edge(ports[0], ports[-1], NEAR))
    named = draw(st.lists(st.integers(0, len(nodes) - 1), max_size=2))
    filters = tuple(_named(n, draw(st.sampled_from("ab"))) for n in named)
    return Query(
        tuple(nodes), tuple(dict.fromkeys(edges)), filters, answer=draw(st.integers(0, len(nodes) - 1))
    )


def _tie(nodes: list[Node], at: int, new: int) -> Edge:
    if nodes[at] == nodes[new]:
        return Edge(at, new, NEAR)
    return Edge(at, new, AT) if nodes[at] == SHIP else Edge(new, at, AT)


def _shuffled(query: Query, order: list[int]) -> Query:
    """The same with its nodes in another order."""
    place = {old: new for new, old in enumerate(order)}
    return replace(
        query,
        nodes=tuple(query.nodes[i] for i in order),
        edges=tuple(replace(e, start=place[e.start], end=place[e.end]) for e in reversed(query.edges)),
        filters=tuple(
            replace(f, ref=replace(f.ref, owner=place[f.ref.owner])) for f in reversed(query.filters)
        ),
        answer=place[query.answer],
    )


@given(patterns(), st.data())
def test_the_order_of_nodes_and_the_answer_make_no_difference(query: Query, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(query.nodes))))
    assert in_order(_shuffled(query, order)) == in_order(query)


@given(patterns())
def test_an_order_is_of_the_same_pattern(query: Query) -> None:
    ordered = in_order(query)
    assert in_order(ordered) == ordered
    assert holds(ordered, query)
    assert holds(query, ordered)


WORLD = range(2)
"""There are two ships, 0 called a and 1 called b, and so are the two ports."""
TIES = st.frozensets(
    st.tuples(st.sampled_from(["AT", "NEAR"]), st.sampled_from(WORLD), st.sampled_from(WORLD))
)


def _matches(query: Query, ties: frozenset[tuple[str, int, int]]) -> bool:
    """Whether it matches anything, each relationship taken once."""
    for bound in product(WORLD, repeat=len(query.nodes)):
        taken = [(e.types[0], bound[e.start], bound[e.end]) for e in query.edges]
        named = all("ab"[bound[f.ref.owner]] == f.value for f in query.filters)
        if named and set(taken) <= ties and len(set(taken)) == len(taken):
            return True
    return False


@given(patterns(), patterns(), TIES)
def test_what_holds_a_part_matches_only_where_that_does(
    whole: Query, part: Query, ties: frozenset[tuple[str, int, int]]
) -> None:
    if holds(whole, part):
        assert _matches(part, ties) or not _matches(whole, ties)
    assert _matches(in_order(whole), ties) == _matches(whole, ties)


def test_a_longer_way_holds_a_shorter_one_but_not_another() -> None:
    further = replace(DOCKED, nodes=(*DOCKED.nodes, PORT), edges=(*DOCKED.edges, Edge(1, 2, NEAR)))
    assert holds(further, DOCKED)
    assert not holds(DOCKED, further)
    assert not holds(further, replace(DOCKED, filters=(_named(1, "b"),)))
    assert not holds(further, replace(DOCKED, edges=(Edge(0, 1, NEAR),)))
    assert not holds(further, Query((PORT, PORT), (Edge(1, 0, AT),)))


@pytest.mark.parametrize(
    "query",
    [
        replace(DOCKED, edges=(Edge(0, 1, AT, negated=True),)),
        replace(DOCKED, edges=(Edge(0, 1, AT, optional=True),)),
        replace(DOCKED, having=CountFilter(1, Operator.GE, 2)),
        replace(DOCKED, clauses=(Clause(ClauseKind.ABSENT, ()),)),
        replace(DOCKED, filters=(Filter(PropertyRef(0, "since", on_edge=True), Operator.EQ, 3),)),
        replace(DOCKED, nodes=(*DOCKED.nodes, *[SHIP] * MOST_NODES)),
    ],
    ids=["negated", "optional", "counted", "clause", "tie", "large"],
)
def test_what_is_not_plain_stays_as_it_is_and_nothing_follows(query: Query) -> None:
    back = replace(query, answer=1)
    assert in_order(back) == back
    assert not holds(query, query)


def test_readings_that_return_something_else_are_looked_at_once() -> None:
    ports = replace(DOCKED, answer=1, project=(PropertyRef(1, "name"),))
    assert matching(ports) == matching(DOCKED)
    counted = CountFilter(1, Operator.GE, 2)
    assert matching(replace(ports, having=counted)) != matching(replace(DOCKED, having=counted))
