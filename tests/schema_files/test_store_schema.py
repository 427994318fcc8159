"""What a query may name."""

from __future__ import annotations

from schemas.store_schema import StoreLabel, StoreProperty, StoreSchema


def test_labels_stand_alone_unless_sets_are_given() -> None:
    schema = StoreSchema(labels=(StoreLabel(name="Film"), StoreLabel(name="Person")))
    assert schema.node_sets == (frozenset({"Film"}), frozenset({"Person"}))
    together = StoreSchema(labels=schema.labels, label_sets=(("Entity", "Film"), ("Entity", "Person")))
    assert frozenset({"Entity", "Film"}) in together.node_sets


def test_look_up_and_fingerprint() -> None:
    film = StoreLabel(name="Film", properties=(StoreProperty(name="title"),))
    schema = StoreSchema(labels=(film,))
    assert schema.label("Film") is schema.labels[0]
    assert schema.label("film") is None
    assert schema.relation("ACTED_IN") is None
    assert schema.fingerprint == StoreSchema(labels=(film,)).fingerprint
    assert schema.fingerprint != StoreSchema(labels=(StoreLabel(name="Film"),)).fingerprint
