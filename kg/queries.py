"""All fixed Cypher of the platform.

Labels and relationship types come from the graph schema and from :class:`Label` and :class:`Link`
only, and every one of them passes through :func:`quoted`. Values are always parameters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import LiteralString

from schemas.errors import SchemaError
from schemas.graph_schema import GraphSchema

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,62}")


class Label(StrEnum):
    """Labels of the nodes that every workspace has."""

    ENTITY = "Entity"
    RECORD = "Record"
    DOCUMENT = "Document"
    SECTION = "Section"
    CHUNK = "Chunk"
    COMMUNITY = "Community"
    REDIRECT = "Redirect"
    WORKSPACE = "Workspace"


BOOKKEEPING = frozenset({Label.REDIRECT, Label.WORKSPACE})
"""Nodes that say nothing of the documents: no query reaches them."""


class Link(StrEnum):
    """Types of the relationships that every workspace has, besides the schema's own."""

    REFERS_TO = "REFERS_TO"
    FROM = "FROM"
    MENTIONED_IN = "MENTIONED_IN"
    HAS_SECTION = "HAS_SECTION"
    HAS_CHUNK = "HAS_CHUNK"
    HAS_DOCUMENT = "HAS_DOCUMENT"
    IN_COMMUNITY = "IN_COMMUNITY"
    PART_OF = "PART_OF"


def quoted(identifier: str) -> LiteralString:
    """A label, type, property or index name in backticks; anything but a plain word is refused.

    >>> quoted("Paper")
    '`Paper`'
    """
    if not _IDENTIFIER.fullmatch(identifier):
        raise SchemaError(
            f"expected a name of letters, digits and underscores, at most 63; found {identifier!r}"
        )
    return f"`{identifier}`"


def _labels(labels: Sequence[str]) -> LiteralString:
    return ":".join(quoted(label) for label in labels)


FULLTEXT_ENTITY = "cg_fulltext_entity"
FULLTEXT_CHUNK = "cg_fulltext_chunk"
VECTOR_PREFIX = "cg_vector_"


def vector_index(label: str) -> str:
    """Name of the vector index on a label."""
    return VECTOR_PREFIX + label.lower()


# --- schema of the database -------------------------------------------------------------------


def unique_node(label: str, prop: str = "id") -> LiteralString:
    """Uniqueness of a node property."""
    name = quoted(f"cg_unique_{label.lower()}_{prop}")
    return (
        f"CREATE CONSTRAINT {name} IF NOT EXISTS FOR (n:{quoted(label)}) REQUIRE n.{quoted(prop)} IS UNIQUE"
    )


def unique_relationship(rel_type: str) -> LiteralString:
    """Uniqueness of a relationship type's ``id``; brings the index that finds a statement by id."""
    name = quoted(f"cg_rel_{rel_type.lower()}"[:63])
    return f"CREATE CONSTRAINT {name} IF NOT EXISTS FOR ()-[r:{quoted(rel_type)}]-() REQUIRE r.id IS UNIQUE"


def range_index(label: str, prop: str) -> LiteralString:
    """A range index on a node property."""
    name = quoted(f"cg_range_{label.lower()}_{prop}")
    return f"CREATE INDEX {name} IF NOT EXISTS FOR (n:{quoted(label)}) ON (n.{quoted(prop)})"


def fulltext_index(name: str, label: str, props: Sequence[str]) -> LiteralString:
    """A full-text index over string (and string list) properties, standard analyser with folding."""
    columns = ", ".join(f"n.{quoted(p)}" for p in props)
    return (
        f"CREATE FULLTEXT INDEX {quoted(name)} IF NOT EXISTS FOR (n:{quoted(label)}) ON EACH [{columns}] "
        "OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-folding'}}"
    )


def vector_index_on(label: str, dimension: int) -> LiteralString:
    """A cosine vector index on ``embedding``."""
    return (
        f"CREATE VECTOR INDEX {quoted(vector_index(label))} IF NOT EXISTS FOR (n:{quoted(label)}) "
        f"ON n.embedding OPTIONS {{indexConfig: {{`vector.dimensions`: {dimension:d}, "
        "`vector.similarity_function`: 'cosine'}}"
    )


def drop_index(name: str) -> LiteralString:
    """Removes an index of ours."""
    return f"DROP INDEX {quoted(name)} IF EXISTS"


SHOW_VECTOR_INDEXES: LiteralString = (
    "SHOW VECTOR INDEXES YIELD name, options WHERE name STARTS WITH $prefix "
    "RETURN name, options.indexConfig['vector.dimensions'] AS dimension"
)
AWAIT_INDEXES: LiteralString = "CALL db.awaitIndexes($seconds)"

# --- the marker -------------------------------------------------------------------------------

MARKER: LiteralString = "MATCH (w:Workspace) RETURN properties(w) AS marker ORDER BY w.id"
CLAIM: LiteralString = "MERGE (w:Workspace {singleton: true}) ON CREATE SET w.id = $id RETURN w.id AS id"
ANY_FOREIGN: LiteralString = (
    "MATCH (n:Entity|Record|Document|Section|Chunk|Community|Redirect) RETURN labels(n) AS labels LIMIT 1"
)
UPDATE_MARKER: LiteralString = "MATCH (w:Workspace {singleton: true}) SET w += $values"
COMMIT_MARKER: LiteralString = (
    "MATCH (w:Workspace {singleton: true}) SET w += $values, w.loaded_at = toString(datetime())"
)
WIPE_LABELS = (
    Label.RECORD,
    Label.CHUNK,
    Label.SECTION,
    Label.COMMUNITY,
    Label.REDIRECT,
    Label.ENTITY,
    Label.DOCUMENT,
    Label.WORKSPACE,
)
"""The marker goes last: a wipe that is broken off still belongs to its workspace."""


def wipe(label: str) -> LiteralString:
    """Removes one batch of a label's nodes with their relationships; returns how many."""
    return (
        f"MATCH (n:{quoted(label)}) WITH n LIMIT $batch WITH collect(n) AS batch "
        "CALL (batch) { UNWIND batch AS n DETACH DELETE n } RETURN size(batch) AS deleted"
    )


def wipe_statements(rel_type: str) -> LiteralString:
    """Removes one batch of a type's relationships between entities; returns how many."""
    return (
        f"MATCH {_pattern(rel_type, Label.ENTITY, Label.ENTITY)} WITH r LIMIT $batch DELETE r "
        "RETURN count(r) AS deleted"
    )


# --- rows in and out --------------------------------------------------------------------------


def read_nodes(labels: Sequence[str]) -> LiteralString:
    """All nodes with these labels; the embedding is reported as present or not, never sent."""
    return f"MATCH (n:{_labels(labels)}) RETURN n{{.*, embedding: n.embedding IS NOT NULL}} AS properties"


def create_nodes(labels: Sequence[str]) -> LiteralString:
    """Creates a batch of nodes from maps of properties."""
    return f"UNWIND $rows AS row CREATE (n:{_labels(labels)}) SET n = row"


def update_nodes(label: str) -> LiteralString:
    """Changes properties by id; a null removes."""
    return f"UNWIND $rows AS row MATCH (n:{quoted(label)} {{id: row.id}}) SET n += row.set"


def delete_nodes(label: str) -> LiteralString:
    """Removes nodes by id with their relationships."""
    return f"UNWIND $rows AS id MATCH (n:{quoted(label)} {{id: id}}) DETACH DELETE n"


def set_vectors(label: str) -> LiteralString:
    """Stores vectors as 32-bit floats."""
    return (
        f"UNWIND $rows AS row MATCH (n:{quoted(label)} {{id: row[0]}}) "
        "CALL db.create.setNodeVectorProperty(n, 'embedding', row[1])"
    )


def drop_vectors(label: str) -> LiteralString:
    """Removes one batch of embeddings; returns how many."""
    return (
        f"MATCH (n:{quoted(label)}) WHERE n.embedding IS NOT NULL WITH n LIMIT $batch "
        "REMOVE n.embedding RETURN count(*) AS removed"
    )


def _pattern(rel_type: str, start: str, end: str) -> LiteralString:
    return f"(a:{quoted(start)})-[r:{quoted(rel_type)}]->(b:{quoted(end)})"


def read_relationships(rel_type: str, start: str, end: str) -> LiteralString:
    """All relationships of a type between two labels, with the ids of both ends."""
    return (
        f"MATCH {_pattern(rel_type, start, end)} "
        "RETURN a.id AS start, b.id AS end, properties(r) AS properties, elementId(r) AS element"
    )


def create_relationships(rel_type: str, start: str, end: str) -> LiteralString:
    """Creates a batch; a row is [start id, end id, properties]."""
    return (
        f"UNWIND $rows AS row MATCH (a:{quoted(start)} {{id: row[0]}}) "
        f"MATCH (b:{quoted(end)} {{id: row[1]}}) "
        f"CREATE (a)-[r:{quoted(rel_type)}]->(b) SET r = row[2] RETURN count(r) AS created"
    )


DELETE_RELATIONSHIPS: LiteralString = (
    "UNWIND $rows AS element MATCH ()-[r]->() WHERE elementId(r) = element DELETE r"
)
CHUNKS_WITHOUT_VECTOR: LiteralString = (
    "MATCH (c:Chunk) WHERE c.embedding IS NULL AND c.text <> '' RETURN c.id AS id, c.text AS text ORDER BY id"
)

# --- reading for people -----------------------------------------------------------------------


def statements_by_id(types: Sequence[str]) -> LiteralString:
    """Statements of these relationship types by id, with their ends and document, in one round trip.

    One row without an id has the workspace's marker instead; so a reader that knew the types from before sees
    whether they are still those. A statement and its ends have one of ``$statuses``, unless that is null.
    """
    marker = (
        "OPTIONAL MATCH (w:Workspace) WITH w ORDER BY w.id LIMIT 1 "
        "RETURN properties(w) AS marker, null AS id, null AS type, null AS properties, "
        "null AS start_id, null AS start_name, null AS start_labels, "
        "null AS end_id, null AS end_name, null AS end_labels, null AS document"
    )
    if not types:
        return marker
    branches = " UNION ALL ".join(f"MATCH (a)-[r:{quoted(t)} {{id: id}}]->(b) RETURN a, r, b" for t in types)
    return (
        f"{marker} UNION ALL UNWIND $ids AS id CALL (id) {{ {branches} }} "
        "WITH a, r, b WHERE $statuses IS NULL OR all(x IN [a, r, b] WHERE x.status IN $statuses) "
        "OPTIONAL MATCH (d:Document {id: r.document}) "
        "RETURN null AS marker, r.id AS id, type(r) AS type, properties(r) AS properties, "
        "a.id AS start_id, a.name AS start_name, labels(a) AS start_labels, "
        "b.id AS end_id, b.name AS end_name, labels(b) AS end_labels, "
        "d{.title, .arxiv, .inspire, .doi, .attribution} AS document"
    )


LOOKUP: LiteralString = (
    "MATCH (e:Entity) RETURN e.id AS id, labels(e) AS labels, e.name AS name, "
    "e.name_key AS name_key, e.aliases AS aliases"
)
"""What the value index holds in memory of every entity."""


def similar_entities(labels: Sequence[str], embedded: Sequence[str]) -> LiteralString:
    """Nearest entities: one full-text search over ``labels`` and one vector search per ``embedded`` label."""
    label_test = "|".join(quoted(label) for label in labels)
    branches = [
        "CALL db.index.fulltext.queryNodes($fulltext, $words, {limit: $wide}) YIELD node "
        f"WHERE node:{label_test} RETURN node, null AS cosine LIMIT $narrow"
    ]
    branches += [
        f"CALL db.index.vector.queryNodes('{vector_index(label)}', $narrow, $vector) YIELD node, score "
        "RETURN node, 2 * score - 1 AS cosine"
        for label in embedded
    ]
    return (
        f"CALL () {{ {' UNION ALL '.join(branches)} }} "
        "RETURN node.id AS id, labels(node) AS labels, node.name AS name, node.aliases AS aliases, "
        "max(cosine) AS cosine"
    )


def counts(schema: GraphSchema) -> LiteralString:
    """Entities per type and statements per relation, from the count store."""
    parts = [
        f"MATCH (n:{quoted(e.label)}) RETURN 'entity' AS kind, '{e.name}' AS name, count(n) AS count"
        for e in schema.entities
    ]
    parts += [
        f"MATCH (:Entity)-[r:{quoted(r.neo4j_type)}]->() "
        f"RETURN 'relation' AS kind, '{r.name}' AS name, count(r) AS count"
        for r in schema.relations
    ]
    return " UNION ALL ".join(parts)


RESOLVE_ENTITY: LiteralString = (
    "OPTIONAL MATCH (r:Redirect {id: $id}) WITH coalesce(r.target, $id) AS target "
    "MATCH (e:Entity {id: target}) RETURN e{.*, embedding: null} AS properties, labels(e) AS labels"
)
ENTITY_RECORDS: LiteralString = (
    "MATCH (e:Entity {id: $id})<-[:REFERS_TO]-(r:Record) "
    "RETURN r{.id, .document, .name, .origin, .quote} AS record ORDER BY r.document, r.id"
)


def entity_statements(types: Sequence[str]) -> LiteralString:
    """The first statements at one entity by type and document, with the total."""
    one_of = "|".join(quoted(t) for t in types)
    return (
        f"MATCH (e:Entity {{id: $id}})-[r:{one_of}]-(:Entity) WITH DISTINCT r "
        "WITH r ORDER BY type(r), r.document, r.id "
        "WITH collect(r) AS found UNWIND found[0..$limit] AS r "
        "RETURN size(found) AS total, type(r) AS type, properties(r) AS properties, "
        "startNode(r).id AS start_id, startNode(r).name AS start_name, "
        "endNode(r).id AS end_id, endNode(r).name AS end_name"
    )


DOCUMENT_KEYS: LiteralString = "MATCH (d:Document) RETURN d.id AS id ORDER BY id"
DOCUMENT: LiteralString = (
    "MATCH (d:Document {id: $id}) RETURN properties(d) AS properties, "
    "COUNT { (d)<-[:FROM]-(:Record) } AS records"
)
DOCUMENT_CITED: LiteralString = (
    "MATCH (d:Document) WHERE d.inspire = $name OR d.arxiv = $name OR toLower(d.doi) = toLower($name) "
    "RETURN d.id AS id ORDER BY id LIMIT 1"
)
"""By what an answer cites a document as; DOIs of either case are one."""
DOCUMENT_SECTIONS: LiteralString = (
    "MATCH (d:Document {id: $id})-[:HAS_SECTION]->{1,32}(s:Section) "
    "RETURN s{.order, .level, .title, .start, .end, .summary} AS section, "
    "COUNT { (s)-[:HAS_CHUNK]->(:Chunk) } AS chunks ORDER BY s.order"
)


def document_statements(types: Sequence[str]) -> LiteralString:
    """How many statements of each type rest on one document."""
    one_of = "|".join(quoted(t) for t in types)
    return (
        "MATCH (d:Document {id: $id})<-[:FROM]-(s:Record)-[:REFERS_TO]->(e:Entity) "
        f"MATCH (e)-[r:{one_of}]->(:Entity) WHERE r.document = $id AND r.subject_record = s.id "
        "RETURN type(r) AS type, count(r) AS count ORDER BY type"
    )
