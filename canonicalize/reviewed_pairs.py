"""Reviewers' decisions on pairs of records, as labelled columns."""

from __future__ import annotations

from collections import Counter
from functools import partial

import numpy as np

from canonicalize.exact import run_exact
from canonicalize.features import build_features
from canonicalize.pair_data import LabelledTable, joined
from canonicalize.similarity import pair_table
from schemas.graph_schema import EntityType
from schemas.graphs import RecordColumns
from schemas.language.names import normalise_name
from schemas.language.vetoes import vetoed
from schemas.review import Constraints

WEIGHT = 5.0
"""Of one decision, beside 1 for a labelled pair that is shipped; its pairs share it."""


def reviewed_columns(table: RecordColumns, kind: EntityType, links: Constraints) -> LabelledTable:
    """The columns of the pairs that reviewers linked or kept apart, undone merges among the latter.

    Names that are equal in their normal form are one unit whatever the model says, so they are left out.
    """
    if not kind.canonicalization.similarity or not len(table):
        return joined([])
    normalise = partial(normalise_name, case_sensitive=kind.case_sensitive)
    vetoes = kind.canonicalization.symbol_vetoes
    stage = run_exact(
        table,
        [normalise(n) for n in table.names],
        lambda a, b: vetoed(a, b, vetoes),
        constraints=Constraints(),
    )
    units = stage.units()
    row_of: dict[str, int] = {record: row for row, record in enumerate(table.ids)}
    unit_of = {row: at for at, unit in enumerate(units) for row in unit.records}
    decided = [
        (*sorted((unit_of[row_of[a]], unit_of[row_of[b]])), same, seq)
        for found, same in ((links.must_link, True), (links.cannot_link, False))
        for a, b, seq in found
        if a in row_of and b in row_of
    ]
    rows = sorted({d for d in decided if d[0] != d[1]})
    if not rows:
        return joined([])
    features = build_features(
        units,
        normalise,
        descriptions=sorted(set(table.descriptions)),
        vectors=table.vectors,
        attributes=table.attributes,
    )
    shares = Counter(seq for *_, seq in rows)
    pairs = np.array([r[:2] for r in rows], dtype=np.int64)
    return LabelledTable(
        columns=pair_table(units, features, pairs),
        same=np.array([same for _, _, same, _ in rows]),
        concepts=tuple((table.ids[units[a].records[0]], table.ids[units[b].records[0]]) for a, b, *_ in rows),
        weight=np.array([WEIGHT / shares[seq] for *_, seq in rows]),
        proposed=np.ones(len(rows), dtype=bool),
    )
