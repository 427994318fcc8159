"""Our ``Subgraph`` as py2neo objects and back, for notebooks that already speak py2neo.

py2neo is unmaintained and an optional extra; this module only converts in memory. It opens no connection
and never writes: ``Graph.create`` or ``Graph.merge`` on what it returns would bypass the workspace, which is
the truth. Only nodes and statements are converted; the rows of a result have no counterpart in py2neo.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from schemas.errors import DataError, UsageError
from schemas.graphs import Origin, Status
from schemas.questions import GraphEdge, GraphNode, Subgraph


def to_py2neo(subgraph: Subgraph) -> Any:
    """A ``py2neo.Subgraph`` with one node per entity and one relationship per statement.

    Nodes get the labels ``Entity`` and their type, relationships their statement's type in upper case as it
    is in the database; all other fields become properties.

    Raises:
        UsageError: py2neo is not installed.
        DataError: an edge ends at a node that the subgraph does not hold.
    """
    py2neo = _py2neo()
    nodes = {
        node.id: py2neo.Node(
            "Entity", node.type, id=node.id, type=node.type, name=node.name, status=node.status.value
        )
        for node in subgraph.nodes
    }
    return py2neo.Subgraph(nodes.values(), [_relationship(py2neo, nodes, edge) for edge in subgraph.edges])


def from_py2neo(subgraph: Any) -> Subgraph:
    """Our ``Subgraph`` from a py2neo one, sorted by id, without rows.

    The type of a node is its property ``type`` or else its one label besides ``Entity``, so that a result of
    ``to_subgraph()`` on this project's database converts too.

    Raises:
        DataError: a node or relationship lacks what ours need.
    """
    nodes = sorted((_node(node) for node in subgraph.nodes), key=lambda node: node.id)
    edges = sorted((_edge(relationship) for relationship in subgraph.relationships), key=lambda edge: edge.id)
    return Subgraph(columns=(), rows=(), nodes=tuple(nodes), edges=tuple(edges))


def _relationship(py2neo: ModuleType, nodes: dict[str, Any], edge: GraphEdge) -> Any:
    missing = [end for end in (edge.start, edge.end) if end not in nodes]
    if missing:
        raise DataError(
            f"Statement {edge.id} ends at {missing[0]}, which is not among the {len(nodes)} nodes of the "
            "subgraph. Ask the query for both ends."
        )
    return py2neo.Relationship(
        nodes[edge.start],
        edge.type.upper(),
        nodes[edge.end],
        id=edge.id,
        type=edge.type,
        document=edge.document,
        status=edge.status.value,
        origin=edge.origin.value,
    )


def _node(node: Any) -> GraphNode:
    kind = node.get("type") or _only_type(node)
    return GraphNode(
        id=_required(node, "id"),
        type=kind,
        name=_required(node, "name"),
        status=Status(node.get("status", Status.DRAFT.value)),
    )


def _only_type(node: Any) -> str:
    labels = set(node.labels) - {"Entity"}
    if len(labels) != 1:
        raise DataError(
            f"A node needs the property 'type' or one label besides Entity; found labels {sorted(labels)}."
        )
    return str(labels.pop())


def _edge(relationship: Any) -> GraphEdge:
    return GraphEdge(
        id=_required(relationship, "id"),
        type=relationship.get("type") or type(relationship).__name__,
        start=_required(relationship.start_node, "id"),
        end=_required(relationship.end_node, "id"),
        document=_required(relationship, "document"),
        status=Status(relationship.get("status", Status.DRAFT.value)),
        origin=Origin(relationship.get("origin", Origin.TEXT.value)),
    )


def _required(entity: Any, name: str) -> str:
    value = entity.get(name)
    if not isinstance(value, str) or not value:
        raise DataError(
            f"{entity!r} needs the text property {name!r}; found {value!r}. Only entities convert."
        )
    return value


def _py2neo() -> ModuleType:
    try:
        import py2neo
    except ImportError as error:
        raise UsageError(
            "This needs py2neo, which is not installed. Install it: pip install 'corpusgraph[py2neo]'."
        ) from error
    module: ModuleType = py2neo
    return module
