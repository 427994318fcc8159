"""Two things of which there can be but one, or of which one asks nothing, are one, and only then."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cypher.semantics.ir import (
    CountFilter,
    Edge,
    Filter,
    Head,
    Node,
    Operator,
    Order,
    PropertyRef,
    Query,
)
from cypher.semantics.reader import SemanticReader
from cypher.semantics.unified import unified
from cypher.semantics.values import StoredValue, ValueTable
from schemas.store_schema import PropertyType, StoreLabel, StoreProperty, StoreSchema, StoreTriple
from tests.cypher.small_schemas import invented_graph

NAME = StoreProperty(name="name", type=PropertyType.STRING)
SCHEMA = StoreSchema(
    labels=tuple(
        StoreLabel(name=x, properties=(NAME,), name_property="name") for x in ("Fire", "Spot", "Ward")
    ),
    triples=(
        StoreTriple(start="Fire", type="BROKE_OUT_AT", end="Spot", most_from_start=1, most_to_end=9),
        StoreTriple(start="Spot", type="LIES_IN", end="Ward", most_from_start=1, most_to_end=9),
        StoreTriple(start="Fire", type="NEAR", end="Spot", most_from_start=4, most_to_end=1),
        StoreTriple(start="Fire", type="SEEN_FROM", end="Spot"),
        StoreTriple(start="Fire", type="LIT", end="Fire", most_from_start=1, most_to_end=1),
    ),
)
STORED = [StoredValue("Spot", "name", "Mill"), StoredValue("Ward", "name", "North")]
READER = SemanticReader(SCHEMA, ValueTable(STORED))
PLAIN = READER.link("Which fires broke out at Mill?")
AT, IN = ("BROKE_OUT_AT",), ("LIES_IN",)
AT_TWO = Query(
    (Node("Ward"), Node("Spot"), Node("Fire"), Node("Spot")),
    (Edge(1, 0, IN), Edge(2, 1, AT), Edge(2, 3, AT)),
    (Filter(PropertyRef(3, "name"), Operator.EQ, "Mill"),),
)


def test_a_fire_that_broke_out_at_two_spots_has_one() -> None:
    found = unified(PLAIN, AT_TWO, SCHEMA)
    assert found.nodes == (Node("Ward"), Node("Spot"), Node("Fire"))
    assert found.edges == (Edge(1, 0, IN), Edge(2, 1, AT))
    assert found.filters == (Filter(PropertyRef(1, "name"), Operator.EQ, "Mill"),)


def test_what_follows_from_that_is_one_too() -> None:
    """The wards of the two spots are one as soon as the spots are."""
    query = Query(
        (Node("Fire"), Node("Spot"), Node("Spot"), Node("Ward"), Node("Ward")),
        (Edge(0, 1, AT), Edge(0, 2, AT), Edge(1, 3, IN), Edge(2, 4, IN)),
        (Filter(PropertyRef(4, "name"), Operator.EQ, "North"),),
        order=Order(ref=PropertyRef(4, "name")),
    )
    found = unified(PLAIN, query, SCHEMA)
    assert found.edges == (Edge(0, 1, AT), Edge(1, 2, IN))
    assert found.order == Order(ref=PropertyRef(2, "name"))
    assert found.filters[0].ref == PropertyRef(2, "name")


@pytest.mark.parametrize(
    "question",
    [
        "Which other spots lie in wards with fires?",
        "Which fires broke out at the same spot?",
        "Which fires share a spot?",
        "Which spots had both fires?",
    ],
)
def test_words_for_two_things_keep_them_two(question: str) -> None:
    assert unified(READER.link(question), AT_TWO, SCHEMA) == AT_TWO


BOTH = tuple(Filter(PropertyRef(n, "name"), Operator.CONTAINS, "a") for n in (1, 2))


def _pair(first: Edge, second: Edge, *labels: str, **more: object) -> Query:
    return Query(tuple(map(Node, labels)), (first, second), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "query",
    [
        _pair(Edge(0, 1, ("NEAR",)), Edge(0, 2, ("NEAR",)), "Fire", "Spot", "Spot", filters=BOTH),
        _pair(Edge(0, 1, ("SEEN_FROM",)), Edge(0, 2, ("SEEN_FROM",)), "Fire", "Spot", "Spot", filters=BOTH),
        _pair(Edge(1, 0, AT), Edge(2, 0, AT), "Spot", "Fire", "Fire", filters=BOTH),
        _pair(Edge(0, 1, ("LIT",)), Edge(0, 2, ("LIT",)), "Fire", "Fire", "Fire"),
        _pair(Edge(0, 1, AT, negated=True), Edge(0, 2, AT), "Fire", "Spot", "Spot"),
        _pair(Edge(0, 1, AT), Edge(0, 2, AT), "Fire", "Spot", "Spot", again=frozenset({1})),
        _pair(
            *(Edge(0, 1, AT), Edge(0, 2, AT), "Fire", "Spot", "Spot"),
            having=CountFilter(2, Operator.EQ, 1),
        ),
        _pair(
            *(Edge(0, 1, AT), Edge(0, 2, AT), "Fire", "Spot", "Spot"),
            filters=(
                Filter(PropertyRef(1, "name"), Operator.EQ, "Mill"),
                Filter(PropertyRef(2, "name"), Operator.EQ, "Quay"),
            ),
        ),
        _pair(
            *(Edge(0, 1, AT), Edge(0, 2, AT), "Fire", "Spot", "Spot"),
            filters=(Filter(PropertyRef(2, "name"), Operator.EQ, "Mill"),),
            answer=1,
        ),
    ],
    ids=["many", "unknown", "to-many", "one-kind", "negated", "again", "counted", "two-names", "asked-for"],
)
def test_what_may_be_two_stays_two(query: Query) -> None:
    assert unified(PLAIN, query, SCHEMA) == query


def test_two_fires_near_one_spot_are_one_where_a_spot_has_but_one_near() -> None:
    query = _pair(Edge(0, 2, ("NEAR",)), Edge(1, 2, ("NEAR",)), "Fire", "Fire", "Spot", head=Head.COUNT)
    found = unified(PLAIN, query, SCHEMA)
    assert found.nodes == (Node("Fire"), Node("Spot"))
    assert found.edges == (Edge(0, 1, ("NEAR",)),)


def test_a_reader_finds_the_wards_of_the_one_spot() -> None:
    schema, stored = invented_graph("""
        Fire 50: code
        Spot 90: address
        Ward 9: name
        Warden 30: name
        (Fire)-[BROKE_OUT_AT 50]->(Spot), (Spot)-[LIES_IN 90]->(Ward), (Fire)-[HANDLED_BY 50]->(Warden)

        Spot.address: 5 Mill Lane | 7 Quay Road
        Warden.name: Ann Lee | Bo Ray
    """)
    each_once = [t.model_copy(update={"most_from_start": 1}) for t in schema.triples]
    counted = StoreSchema.model_validate({**schema.model_dump(), "triples": each_once})
    for said, known, spots in (
        ("at 5 Mill Lane", schema, 2),
        ("at 5 Mill Lane", counted, 1),
        ("at certain spots", schema, 1),
        ("at certain spots", counted, 1),
    ):
        reader = SemanticReader(known, ValueTable(stored))
        read = reader.read(f"Ann Lee has handled fires {said}. Show the wards these are in.").query
        assert read is not None
        assert sorted(n.label for n in read.nodes) == ["Fire", *["Spot"] * spots, "Ward", "Warden"]


@pytest.mark.parametrize("question", ["Which fires broke out in Mill?", "Which fires with another?"])
def test_a_spot_of_which_nothing_is_said_is_the_other_unless_others_are_meant(question: str) -> None:
    seen = ("SEEN_FROM",)
    query = Query(
        (Node("Spot"), Node("Fire"), Node("Spot"), Node("Fire")),
        (Edge(1, 0, seen), Edge(1, 2, seen), Edge(3, 2, seen)),
        (Filter(PropertyRef(2, "name"), Operator.EQ, "Mill"),),
    )
    found = unified(READER.link(question), query, SCHEMA)
    if "another" in question:
        assert found == query
    else:
        assert found.edges == (Edge(1, 0, seen), Edge(1, 2, seen))
        assert found.filters == query.filters


TWO = range(2)
"""There are two fires, two spots and two wards, called by their numbers."""
Graph = tuple[tuple[int, ...], tuple[int, ...]]
"""Of each fire its spot, of each spot its ward."""
GRAPHS: list[Graph] = [(spots, wards) for spots in product(TWO, TWO) for wards in product(TWO, TWO)]


@st.composite
def readings(draw: st.DrawFn) -> Query:
    """Trees of fires, spots and wards around a fire."""
    labels, edges = ["Fire"], list[Edge]()
    for _ in range(draw(st.integers(2, 5))):
        at, new = draw(st.integers(0, len(labels) - 1)), len(labels)
        ways = {"Fire": ["Spot"], "Spot": ["Fire", "Ward"], "Ward": ["Spot"]}[labels[at]]
        label = draw(st.sampled_from(ways))
        kind = IN if "Ward" in (label, labels[at]) else AT
        down = (label, labels[at]) in (("Ward", "Spot"), ("Spot", "Fire"))
        labels.append(label)
        edges.append(Edge(at, new, kind) if down else Edge(new, at, kind))
    named = draw(st.lists(st.integers(1, len(labels) - 1), min_size=1, max_size=2, unique=True))
    filters = tuple(Filter(PropertyRef(n, "name"), Operator.EQ, str(draw(st.integers(0, 1)))) for n in named)
    return Query(tuple(map(Node, labels)), tuple(edges), filters)


def _answers(query: Query, graph: Graph) -> set[int]:
    """The fires that it finds, whatever relationships are taken twice."""
    found = set[int]()
    for bound in product(TWO, repeat=len(query.nodes)):
        met = all(graph[e.types == IN][bound[e.start]] == bound[e.end] for e in query.edges)
        if met and all(str(bound[f.ref.owner]) == f.value for f in query.filters):
            found.add(bound[query.answer])
    return found


@given(readings())
def test_nothing_else_is_found(query: Query) -> None:
    one = unified(PLAIN, query, SCHEMA)
    for graph in GRAPHS:
        assert _answers(one, graph) == _answers(query, graph)


PAIRS = st.frozensets(st.tuples(st.sampled_from(TWO), st.sampled_from(TWO)))
UNKNOWN = SCHEMA.model_copy(
    update={"triples": tuple(t.model_copy(update={"most_from_start": 0}) for t in SCHEMA.triples)}
)


@given(readings(), PAIRS, PAIRS)
def test_nothing_else_is_found_where_a_fire_has_many_spots(
    query: Query, at: frozenset[tuple[int, int]], within: frozenset[tuple[int, int]]
) -> None:
    def found(asked: Query) -> set[int]:
        return {
            bound[asked.answer]
            for bound in product(TWO, repeat=len(asked.nodes))
            if all((bound[e.start], bound[e.end]) in (within if e.types == IN else at) for e in asked.edges)
            and all(str(bound[f.ref.owner]) == f.value for f in asked.filters)
        }

    assert found(unified(PLAIN, query, UNKNOWN)) == found(query)
