"""The text that small invented graphs are written in: what it states, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cypher.semantics.values import StoredValue
from schemas.store_schema import (
    PropertyType,
    StoreLabel,
    StoreProperty,
    StoreRelation,
    StoreSchema,
    StoreTriple,
)
from tests.cypher.small_schemas import invented_graph

SHIPS = """
    Ship 12: name, length float, flags string list
    Voyage 5 unnamed: status, start date
    Storm
    (Ship)-[MADE 30: rank integer, remark]->(Voyage), (Ship)-[MET 7]->(Ship)
    (Storm)-[MET]->(Ship)
"""
WORD = st.from_regex(r"[A-Za-z_]\w{0,5}", fullmatch=True)
TYPE = st.sampled_from(PropertyType)
PROPERTIES = st.lists(
    st.builds(StoreProperty, name=WORD, type=TYPE, many=st.booleans()), max_size=3, unique_by=lambda p: p.name
).map(tuple)
COUNT = st.integers(0, 10**6)


@st.composite
def schemas(draw: st.DrawFn) -> StoreSchema:
    labels = []
    for name in draw(st.lists(WORD, min_size=1, max_size=4, unique=True)):
        properties = draw(PROPERTIES)
        named = properties[0].name if draw(st.booleans()) and properties else ""
        labels.append(StoreLabel(name=name, properties=properties, name_property=named, count=draw(COUNT)))
    types = draw(st.lists(WORD, max_size=4, unique=True))
    end = st.sampled_from([label.name for label in labels])
    relations = tuple(StoreRelation(type=t, properties=draw(PROPERTIES)) for t in types)
    triples = tuple(StoreTriple(start=draw(end), type=t, end=draw(end), count=draw(COUNT)) for t in types)
    return StoreSchema(labels=tuple(labels), relations=relations, triples=triples)


def _listed(properties: tuple[StoreProperty, ...]) -> str:
    said = (f"{p.name} {p.type}{' list' if p.many else ''}" for p in properties)
    return f": {', '.join(said)}" if properties else ""


def _text(store: StoreSchema) -> str:
    lines = [
        f"{x.name} {x.count}{'' if x.name_property else ' unnamed'}{_listed(x.properties)}"
        for x in store.labels
    ]
    for relation, triple in zip(store.relations, store.triples, strict=True):
        within = f"{triple.type} {triple.count}{_listed(relation.properties)}"
        lines.append(f"({triple.start})-[{within}]->({triple.end})")
    return "\n".join(lines)


@given(store=schemas())
def test_a_schema_is_read_back_from_its_text(store: StoreSchema) -> None:
    assert invented_graph(_text(store)) == (store, ())


def test_a_schema_has_all_that_its_text_states() -> None:
    text, real, day = PropertyType.STRING, PropertyType.FLOAT, PropertyType.DATE
    ship = (
        StoreProperty(name="name", type=text),
        StoreProperty(name="length", type=real),
        StoreProperty(name="flags", type=text, many=True),
    )
    voyage = (StoreProperty(name="status", type=text), StoreProperty(name="start", type=day))
    made = (StoreProperty(name="rank", type=PropertyType.INTEGER), StoreProperty(name="remark", type=text))
    schema, stored = invented_graph(SHIPS)
    assert stored == ()
    assert schema == StoreSchema(
        labels=(
            StoreLabel(name="Ship", properties=ship, name_property="name", count=12),
            StoreLabel(name="Voyage", properties=voyage, count=5),
            StoreLabel(name="Storm"),
        ),
        relations=(StoreRelation(type="MADE", properties=made), StoreRelation(type="MET")),
        triples=(
            StoreTriple(start="Ship", type="MADE", end="Voyage", count=30),
            StoreTriple(start="Ship", type="MET", end="Ship", count=7),
            StoreTriple(start="Storm", type="MET", end="Ship"),
        ),
    )


def test_values_are_in_the_order_of_the_text() -> None:
    values = """
        Ship.name: Blue Heron | No. {8..10}: new
        Ship.flags: red, white
        MADE.remark: Late; but safe | At 06:40
        Ship.name: Tender {00..1}
    """
    assert invented_graph(SHIPS + values)[1] == (
        StoredValue("Ship", "name", "Blue Heron"),
        StoredValue("Ship", "name", "No. 8: new"),
        StoredValue("Ship", "name", "No. 9: new"),
        StoredValue("Ship", "name", "No. 10: new"),
        StoredValue("Ship", "flags", "red, white", many=True),
        StoredValue("MADE", "remark", "Late; but safe", of_relation=True),
        StoredValue("MADE", "remark", "At 06:40", of_relation=True),
        StoredValue("Ship", "name", "Tender 00"),
        StoredValue("Ship", "name", "Tender 01"),
    )


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("Ship twelve: name", "cannot be read: Ship twelve: name"),
        ("Ship:name", "cannot be read: Ship:name"),
        ("Ship: name whole", "no property: 'name whole'"),
        ("Ship: name string lists", "no property: 'name string lists'"),
        ("Ship: name,, length", "no property: ''"),
        ("Ship: name, length, name", "stated twice: name"),
        ("Ship\nShip", "stated twice: Ship"),
        ("Ship\n(Ship)-[MET]-(Ship)", r"cannot be read: \(Ship\)-\[MET\]-\(Ship\)"),
        ("Ship\n(Ship)-[MET]->(Ship), (Ship)-[MET]->(Ship)", r"stated twice: \(Ship\)-\[MET\]->\(Ship\)"),
        ("Ship\n(Ship)-[MET]->(Shop)", "no such label: Shop"),
        ("A\nB\n(A)-[MET: at]->(B)\n(B)-[MET: at]->(A)", "stated twice: properties of MET"),
    ],
)
def test_a_fault_in_a_schema_is_named(text: str, error: str) -> None:
    with pytest.raises(ValueError, match=f"^{error}$"):
        invented_graph(text)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("Ship name: Heron", "cannot be read: Ship name: Heron"),
        ("Ship.name:", "cannot be read: Ship.name:"),
        ("Shop.name: Heron", "no such property: Shop.name"),
        ("Ship.rank: 3", "no such property: Ship.rank"),
        ("MET.rank: 3", "no such property: MET.rank"),
        ("Ship.name: Heron | | Tern", "no value: ''"),
        ("Ship.name: No. {9..1}", r"no value: 'No\. \{9\.\.1\}'"),
        ("Ship.name: No. {1-9}", r"no value: 'No\. \{1-9\}'"),
        ("Ship.name: {1..2} of {3..4}", r"no value: '\{1\.\.2\} of \{3\.\.4\}'"),
    ],
)
def test_a_fault_in_values_is_named(text: str, error: str) -> None:
    with pytest.raises(ValueError, match=f"^{error}$"):
        invented_graph(SHIPS + text)
