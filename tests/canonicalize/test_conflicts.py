"""Conflicts between documents: two charges are one, two values of an observable are not."""

from __future__ import annotations

from canonicalize.conflicts import find_conflicts
from canonicalize.merge import canonical_graph
from schemas.canonicalization_rules import Canonicalization
from schemas.graph_schema import AttributeType, EntityType, GraphSchema, RelationType
from schemas.graphs import CanonicalGraph, DocumentGraph, Record, Statement
from schemas.ids import DocumentKey, EntityId, RecordId, statement_id
from schemas.model import AttributeValue
from schemas.review import FactConflict, Group, Resolution

STATE = EntityType(
    name="state",
    label="State",
    attributes=(
        AttributeType(name="charge", type="integer"),
        AttributeType(name="mass", type="number"),
        AttributeType(name="remark"),
        AttributeType(name="rank", type="integer", derived=True),
    ),
    canonicalization=Canonicalization(vetoes=("charge",)),
)
PAPER = EntityType(name="paper", label="Paper")
MEASURES = RelationType(
    name="measures",
    subjects=("paper",),
    objects=("state",),
    attributes=(AttributeType(name="value", type="number"), AttributeType(name="spin", functional=True)),
)
SCHEMA = GraphSchema(name="toy", version="1", entities=(PAPER, STATE), relations=(MEASURES,))


def graph_of(*documents: tuple[str, dict[str, AttributeValue]], name: str = "X") -> CanonicalGraph:
    """One paper that measures one state per document; the states are one entity, the papers another."""
    graphs = []
    for at, (written, attributes) in enumerate(documents):
        key = DocumentKey(f"d{at}")
        own = {k: v for k, v in attributes.items() if k not in ("value", "spin")}
        paper = Record(id=RecordId(f"p{at}"), document=key, type="paper", name="P")
        state = Record(
            id=RecordId(f"s{at}"), document=key, type="state", name=written or name, attributes=own
        )
        fact = Statement(
            id=statement_id(key, paper.id, "measures", state.id),
            document=key,
            subject=paper.id,
            type="measures",
            object=state.id,
            attributes={k: v for k, v in attributes.items() if k in ("value", "spin")},
        )
        graphs.append(
            DocumentGraph(
                document=key,
                version="v",
                schema_name="toy",
                schema_version="1",
                run_id="r",
                records=(paper, state),
                statements=(fact,),
            )
        )
    groups = tuple(
        Group(
            id=EntityId(f"{letter}0"),
            type=kind,
            records=tuple(RecordId(f"{letter}{at}") for at in range(len(documents))),
        )
        for letter, kind in (("p", "paper"), ("s", "state"))
    )
    return canonical_graph(graphs, Resolution(groups=groups), SCHEMA)


def about(found: tuple[FactConflict, ...]) -> list[tuple[str, str]]:
    return [(c.kind, c.about) for c in found]


def test_two_charges_are_a_conflict_with_what_each_document_says() -> None:
    found = find_conflicts(graph_of(("", {"charge": 1}), ("", {"charge": -1}), ("", {"charge": 1})), SCHEMA)
    assert about(found) == [("attribute", "charge")]
    assert [(c.document, c.value) for c in found[0].claims] == [("d1", "-1"), ("d0", "1"), ("d2", "1")]


def test_two_values_and_other_remarks_are_normal() -> None:
    graph = graph_of(
        ("", {"value": 1.0, "remark": "a", "rank": 1, "mass": 5.27963}),
        ("", {"value": 2.0, "remark": "b", "rank": 2, "mass": 5.2796300000001}),
    )
    assert find_conflicts(graph, SCHEMA) == ()


def test_a_relation_attribute_conflicts_only_where_the_schema_says_so() -> None:
    found = find_conflicts(graph_of(("", {"spin": "1/2"}), ("", {"spin": "3/2"})), SCHEMA)
    assert about(found) == [("relation", "spin")]
    assert (found[0].entity, found[0].object, found[0].object_name) == ("p0", "s0", "X")


def test_names_that_a_veto_tells_apart_are_listed_though_they_were_joined() -> None:
    found = find_conflicts(graph_of(("D+ meson", {}), ("D- meson", {}), ("D+ meson", {})), SCHEMA)
    assert about(found) == [("name", "charge")]
    assert [c.value for c in found[0].claims] == ["D+ meson", "D+ meson", "D- meson"]


def test_one_document_does_not_conflict_with_itself() -> None:
    key = DocumentKey("d")
    records = tuple(
        Record(id=RecordId(r), document=key, type="state", name="X", attributes={"charge": c})
        for r, c in (("a", 1), ("b", 2))
    )
    graph = DocumentGraph(
        document=key, version="v", schema_name="toy", schema_version="1", run_id="r", records=records
    )
    group = Group(id=EntityId("a"), type="state", records=(RecordId("a"), RecordId("b")))
    assert find_conflicts(canonical_graph([graph], Resolution(groups=(group,)), SCHEMA), SCHEMA) == ()


DECAYING = EntityType(
    name="state",
    label="State",
    attributes=(
        AttributeType(name="lifetime", type="number", functional=True),
        AttributeType(name="lifetime_unit", functional=True),
        AttributeType(name="mass", type="number", functional=True),
        AttributeType(name="unit", functional=True),
    ),
)
MEASURED = GraphSchema(name="measured", version="1", entities=(PAPER, DECAYING), relations=(MEASURES,))


def lasting(value: float, unit: str) -> tuple[str, dict[str, AttributeValue]]:
    return "", {"lifetime": value, "lifetime_unit": unit}


def test_one_value_in_two_units_is_no_conflict() -> None:
    assert find_conflicts(graph_of(lasting(1.5, "ps"), lasting(1500, "fs")), MEASURED) == ()
    assert find_conflicts(graph_of(lasting(1.5e-12, "s"), lasting(0.0015, "ns")), MEASURED) == ()
    assert find_conflicts(graph_of(lasting(2.0, "ps^{-1}"), lasting(2.0, "ps^-1")), MEASURED) == ()
    weighed: tuple[dict[str, AttributeValue], ...] = (
        {"mass": 1.2, "unit": "GeV/c^2"},
        {"mass": 1200, "unit": "MeV/c²"},
    )
    assert find_conflicts(graph_of(*(("", told) for told in weighed)), MEASURED) == ()


def test_one_number_in_two_units_is_a_conflict_told_with_its_units() -> None:
    found = find_conflicts(graph_of(lasting(1.5, "ps"), lasting(1.5, "fs")), MEASURED)
    assert about(found) == [("attribute", "lifetime")]
    assert [c.value for c in found[0].claims] == ["1.5 ps", "1.5 fs"]


def test_units_of_two_dimensions_are_a_conflict() -> None:
    found = find_conflicts(graph_of(lasting(1.5, "ps"), lasting(1.5, "MeV")), MEASURED)
    assert about(found) == [("attribute", "lifetime"), ("attribute", "lifetime_unit")]


def test_a_number_without_its_unit_is_compared_as_it_stands() -> None:
    bare: tuple[str, dict[str, AttributeValue]] = ("", {"lifetime": 1.5})
    assert find_conflicts(graph_of(lasting(1.5, "ps"), bare), MEASURED) == ()
    assert about(find_conflicts(graph_of(lasting(2.5, "ps"), bare), MEASURED)) == [("attribute", "lifetime")]
