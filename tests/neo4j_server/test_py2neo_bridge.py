"""Conversion to py2neo and back."""

from __future__ import annotations

import sys
import types
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.adapters.py2neo_bridge import from_py2neo, to_py2neo
from schemas.errors import DataError, UsageError
from schemas.graphs import Origin, Status
from schemas.questions import GraphEdge, GraphNode, Subgraph

TYPES = st.sampled_from(["Paper", "Particle", "SystematicUncertainty"])


@st.composite
def subgraphs(draw: st.DrawFn) -> Subgraph:
    """Subgraphs sorted by id, as the bridge returns them."""
    status = st.sampled_from(Status)
    ids = sorted(draw(st.sets(st.text("abcdef0123456789", min_size=1, max_size=6), min_size=1, max_size=6)))
    nodes = [
        GraphNode(id=i, type=draw(TYPES), name=draw(st.text(min_size=1, max_size=9)), status=draw(status))
        for i in ids
    ]
    ends = st.sampled_from(ids)
    edges = [
        GraphEdge(
            id=f"s{number}",
            type=draw(st.sampled_from(["affects", "measures"])),
            start=draw(ends),
            end=draw(ends),
            document="1234.5678",
            status=draw(status),
            origin=draw(st.sampled_from(Origin)),
        )
        for number in range(draw(st.integers(0, 5)))
    ]
    return Subgraph(columns=(), rows=(), nodes=tuple(nodes), edges=tuple(edges))


@given(subgraphs())
def test_there_and_back(subgraph: Subgraph) -> None:
    pytest.importorskip("py2neo")
    assert from_py2neo(to_py2neo(subgraph)) == subgraph


def test_a_node_read_from_the_database_has_its_type_as_label() -> None:
    py2neo = pytest.importorskip("py2neo")
    node = py2neo.Node("Entity", "Paper", id="1", name="a")
    assert from_py2neo(py2neo.Subgraph([node])).nodes == (GraphNode(id="1", type="Paper", name="a"),)


class Stand:
    """What the bridge asks of a py2neo node or relationship."""

    def __init__(self, *labels: str, **properties: str) -> None:
        self.labels, self.properties = labels, properties

    def get(self, name: str, default: str | None = None) -> str | None:
        return self.properties.get(name, default)


@pytest.mark.parametrize(
    ("node", "message"),
    [
        (Stand("Entity", "Paper", id="1"), "'name'"),
        (Stand("Entity", "Paper", name="a"), "'id'"),
        (Stand("Entity", id="1", name="a"), "one label besides Entity"),
        (Stand("A", "B", id="1", name="a"), "one label besides Entity"),
    ],
)
def test_what_is_no_entity_is_refused(node: Stand, message: str) -> None:
    with pytest.raises(DataError, match=message):
        from_py2neo(types.SimpleNamespace(nodes=[node], relationships=[]))


def test_an_edge_without_its_node_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def anything(*_: Any, **__: Any) -> object:
        return object()

    fake: Any = types.ModuleType("py2neo")
    fake.Node = fake.Relationship = fake.Subgraph = anything
    monkeypatch.setitem(sys.modules, "py2neo", fake)
    edge = GraphEdge(id="s", type="affects", start="1", end="2", document="d")
    with pytest.raises(DataError, match="ends at 2"):
        to_py2neo(
            Subgraph(columns=(), rows=(), nodes=(GraphNode(id="1", type="T", name="n"),), edges=(edge,))
        )


def test_without_py2neo_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "py2neo", None)
    with pytest.raises(UsageError, match=r"corpusgraph\[py2neo\]"):
        to_py2neo(Subgraph(columns=(), rows=()))
