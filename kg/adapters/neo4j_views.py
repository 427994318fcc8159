"""One entity and one document as the API shows them."""

from __future__ import annotations

from typing import Any, Final

from kg import queries
from kg.adapters.neo4j_connection import Connection
from kg.migrations import ENTITY_PROPERTIES
from kg.projection import statement_attributes
from schemas.graph_schema import GraphSchema
from schemas.graphs import Origin, Status
from schemas.views import DocumentView, EntityView, RecordView, SectionView, StatementView

STATEMENT_LIMIT: Final = 200
"""Statements shown of one entity; ``statements_total`` counts all."""


class Neo4jViews:
    """Entities and documents of a loaded workspace."""

    def __init__(self, connection: Connection, schema: GraphSchema) -> None:
        self._connection, self._schema = connection, schema
        self._type_of = {e.label: e.name for e in schema.entities}
        self._relations = [r.neo4j_type for r in schema.relations]

    def entity(self, entity_id: str, *, limit: int = STATEMENT_LIMIT) -> EntityView | None:
        """The entity with its records and up to ``limit`` statements; a merged id leads to the survivor."""
        rows = self._connection.read(queries.RESOLVE_ENTITY, {"id": entity_id})
        if not rows:
            return None
        row, labels = rows[0]["properties"], rows[0]["labels"]
        found = self._connection.read(queries.ENTITY_RECORDS, {"id": row["id"]})
        total, statements = self._statements(row["id"], limit)
        return EntityView(
            id=row["id"],
            type=next((self._type_of[x] for x in labels if x in self._type_of), ""),
            name=row["name"],
            description=row["description"],
            aliases=tuple(row["aliases"]),
            attributes={k: v for k, v in row.items() if k not in ENTITY_PROPERTIES},
            status=Status(row["status"]),
            records=tuple(_record(r["record"]) for r in found),
            statements=statements,
            statements_total=total,
            redirected_from=entity_id if entity_id != row["id"] else "",
        )

    def _statements(self, entity_id: str, limit: int) -> tuple[int, tuple[StatementView, ...]]:
        if not self._relations:
            return 0, ()
        query = queries.entity_statements(self._relations)
        rows = self._connection.read(query, {"id": entity_id, "limit": limit})
        return (rows[0]["total"] if rows else 0), tuple(_statement(r) for r in rows)

    def document(self, key: str) -> DocumentView | None:
        """The document with its sections in order, its citation line and what was found in it."""
        rows = self._connection.read(queries.DOCUMENT, {"id": key})
        if not rows:
            return None
        sections = self._connection.read(queries.DOCUMENT_SECTIONS, {"id": key})
        counted = (
            self._connection.read(queries.document_statements(self._relations), {"id": key})
            if self._relations
            else []
        )
        return DocumentView(
            **rows[0]["properties"],
            sections=tuple(_section(s) for s in sections),
            records=rows[0]["records"],
            statements={r["type"].lower(): r["count"] for r in counted},
        )

    def cited(self, name: str) -> DocumentView | None:
        """The document that answers cite by this INSPIRE number, arXiv id or DOI."""
        rows = self._connection.read(queries.DOCUMENT_CITED, {"name": name}) if name else []
        return self.document(rows[0]["id"]) if rows else None


def _record(row: dict[str, Any]) -> RecordView:
    return RecordView(
        id=row["id"],
        document=row["document"],
        name=row["name"],
        origin=Origin(row["origin"]),
        quote=row["quote"] or "",
    )


def _section(row: dict[str, Any]) -> SectionView:
    return SectionView(
        **(row["section"] | {"summary": row["section"]["summary"] or ""}), chunks=row["chunks"]
    )


def _statement(row: dict[str, Any]) -> StatementView:
    properties = row["properties"]
    return StatementView(
        id=properties["id"],
        type=row["type"].lower(),
        subject=row["start_id"],
        subject_name=row["start_name"],
        object=row["end_id"],
        object_name=row["end_name"],
        document=properties["document"],
        attributes=statement_attributes(properties),
        quote=properties.get("quote", ""),
        origin=Origin(properties["origin"]),
        status=Status(properties["status"]),
    )
