"""The closed set of names that may stand in a query, and the one function that quotes them."""

from __future__ import annotations

from dataclasses import dataclass

from schemas.errors import QueryRefusedError
from schemas.graph_schema import GraphSchema

ENTITY = "Entity"
STATEMENTS, REPLACED = "statement_ids", "replaced"
"""Technical columns: statement ids behind a row, and how many of them a later paper replaced."""
FIXED_PROPERTIES = frozenset({"id", "name", "status", "document", "origin"})
FIXED_COLUMNS = frozenset(
    {
        STATEMENTS,
        REPLACED,
        "count",
        "stated_by",
        "found",
        "first",
        "second",
        "values_given",
        "having",
        "there",
    }
    | {"total_error", "statistical_error", "systematic_error"}
)


@dataclass(frozen=True, slots=True)
class Identifiers:
    """Labels, relationship types, properties and column names of one schema."""

    labels: frozenset[str]
    types: frozenset[str]
    properties: frozenset[str]
    columns: frozenset[str]

    @property
    def all(self) -> frozenset[str]:
        """Every name."""
        return self.labels | self.types | self.properties | self.columns

    @classmethod
    def of(cls, schema: GraphSchema) -> Identifiers:
        """The names that a schema declares, and no other."""
        attributes = {a.name for e in schema.entities for a in e.attributes}
        attributes |= {a.name for r in schema.relations for a in r.attributes}
        types = {e.name for e in schema.entities}
        return cls(
            labels=frozenset({ENTITY, *(e.label for e in schema.entities)}),
            types=frozenset(r.neo4j_type for r in schema.relations),
            properties=frozenset(attributes | FIXED_PROPERTIES),
            columns=frozenset(attributes | types | FIXED_COLUMNS | {f"other_{t}" for t in types}),
        )


def quote(name: str, allowed: frozenset[str]) -> str:
    """A name in back-ticks, or ``QueryRefusedError`` when the schema does not know it.

    >>> quote("Paper", frozenset({"Paper"}))
    '`Paper`'
    """
    if name not in allowed or "`" in name:
        raise QueryRefusedError(
            f"a query may only use names of the schema, which has no {name!r}; "
            "this is a defect of the query builder"
        )
    return f"`{name}`"
