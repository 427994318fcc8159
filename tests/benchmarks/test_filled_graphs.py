"""The made-up content of demo databases that are not at hand."""

from __future__ import annotations

from itertools import pairwise

from benchmarks.filled_graphs import THINGS, Filler, wanted

SCHEMA = {
    "node_props": {
        "Ship": [
            {"property": "name", "type": "STRING", "values": ["Ada"], "distinct_count": 900},
            {"property": "flag", "type": "STRING", "values": ["Malta", "Panama"], "distinct_count": 2},
            {"property": "length", "type": "INTEGER", "min": "20", "max": "400"},
            {"property": "launched", "type": "DATE", "min": "1980-01-01", "max": "2020-01-01"},
        ],
        "Port": [{"property": "name", "type": "STRING", "values": ["Oslo"], "distinct_count": 90}],
    },
    "rel_props": {"CALLS_AT": [{"property": "fee", "type": "FLOAT", "min": "1", "max": "9"}]},
    "relationships": [{"start": "Ship", "type": "CALLS_AT", "end": "Port"}],
}
QUERIES = (
    "MATCH (s:Ship {name: 'Bounty'})-[c:CALLS_AT]->(p:Port) WHERE c.fee > 7.5 RETURN p.name",
    "MATCH (s:Ship) WHERE s.flag CONTAINS 'ma' AND s.length >= 350 AND s.flag IS NOT NULL RETURN s",
)


def test_values_that_queries_ask_for_are_found() -> None:
    asked = wanted(QUERIES)
    assert asked.values["Ship", "name"] == ["Bounty"]
    assert asked.values["CALLS_AT", "fee"] == ["7.5"]
    assert asked.values["Ship", "flag"] == ["On ma and more"]
    assert asked.values["Ship", "length"] == ["350"]
    assert asked.absent == {("Ship", "flag")}


def test_nodes_hold_them_and_are_of_the_schemas_types() -> None:
    ships = Filler("fleet", SCHEMA, wanted(QUERIES)).nodes("Ship")
    assert len(ships) >= THINGS
    names = [s["name"] for s in ships]
    assert names[:2] == ["Bounty", "Ada"]
    assert len(set(names)) == len(names)
    assert {s["flag"] for s in ships if "flag" in s} == {"On ma and more", "Malta", "Panama"}
    assert all(isinstance(s["length"], int) for s in ships)
    assert any(s["length"] >= 350 for s in ships if isinstance(s["length"], int))
    assert 0 < sum("flag" not in s for s in ships) < len(ships)
    assert all("launched" in s for s in ships)


def test_relationships_are_of_unequal_number_and_not_repeated() -> None:
    filler = Filler("fleet", SCHEMA, wanted(QUERIES))
    edges = list(filler.edges(SCHEMA["relationships"][0], {"Ship": 80, "Port": 80}))  # type: ignore[index,arg-type]
    pairs = [(e["a"], e["b"]) for e in edges]
    assert len(set(pairs)) == len(pairs) > 80
    calls = sorted((sum(b == port for _, b in pairs) for port in range(80)), reverse=True)
    assert all(more >= less for more, less in pairwise(calls))
    assert calls[0] > 2 * calls[20] > 0


def test_the_same_name_gives_the_same_graph() -> None:
    one, two = (Filler("fleet", SCHEMA, wanted(QUERIES)).nodes("Ship") for _ in range(2))
    assert one == two
    assert one != Filler("other", SCHEMA, wanted(QUERIES)).nodes("Ship")
