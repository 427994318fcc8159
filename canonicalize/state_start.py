"""What a full resolution leaves behind for the next document, made from its prepared records."""

from __future__ import annotations

import numpy as np

from canonicalize.features import Features
from canonicalize.normal_forms import normal_forms
from canonicalize.one_type import Prepared
from canonicalize.state import GrowingRows, TypeState, UnitRows
from schemas.graph_schema import GraphSchema
from schemas.ids import EntityId, RecordId


def state_of_type(
    prepared: Prepared,
    features: Features | None,
    entity_of: dict[RecordId, EntityId],
    rank: dict[EntityId, int],
    schema: GraphSchema,
) -> TypeState:
    """The state of one type after a full resolution: ``entity_of`` says where each record went.

    ``rank`` orders the entities as the full resolution named them; no features: no unit is compared.
    """
    from scipy import sparse

    table = prepared.table
    homes = [entity_of[table.ids[unit.records[0]]] for unit in prepared.units]
    unit_of = [-1] * len(table)
    for index, unit in enumerate(prepared.units):
        for row in unit.records:
            unit_of[row] = index
    latest = sparse.csr_matrix((0, 0 if features is None else features.names.shape[1]), dtype=np.float32)
    return TypeState(
        kind=prepared.kind,
        normal=normal_forms(schema, prepared.kind),
        acronyms=dict(prepared.names.acronyms),
        ids=list(table.ids),
        documents=list(table.documents),
        names=list(table.names),
        descriptions=list(table.descriptions),
        aliases=list(table.aliases),
        keys=list(table.keys),
        attributes={name: list(column) for name, column in table.attributes.items()},
        vectors=None if table.vectors is None else GrowingRows(table.vectors.copy(), len(table)),
        unit_of=unit_of,
        unit_rows=[unit.records for unit in prepared.units],
        entity_of=list(homes),
        vocabulary=None if features is None else features.vocabulary,
        name_rows=None if features is None else UnitRows(features.names, latest),
        unit_vectors=None
        if features is None or features.vectors is None
        else GrowingRows(features.vectors, len(features.vectors)),
        unit_forms=[],
        rank={entity: rank[entity] for entity in dict.fromkeys(homes)},
    )
