"""Which records, from all documents, are one entity.

Exact merges first (reviewers' links, identity keys, equal names), then average-link clustering of what is
left by similarity of names and meaning, then a judge. The outcome is a function of the *set* of records:
it does not depend on the order of documents or of records.
"""

from __future__ import annotations

from collections.abc import Sequence

from canonicalize.judge import Judge, ThresholdJudge
from canonicalize.naming import name_groups
from canonicalize.one_type import (
    Deciding,
    Outcome,
    link_units,
    prepare,
    type_features,
    with_fitting_threshold,
)
from canonicalize.rounds import RoundPolicy
from canonicalize.tables import check_tables
from schemas.graph_schema import GraphSchema
from schemas.graphs import RecordColumns
from schemas.ids import RecordId
from schemas.review import Constraints, Group, MergeProposal, PriorIds, Resolution


def resolve(
    tables: Sequence[RecordColumns],
    schema: GraphSchema,
    *,
    constraints: Constraints | None = None,
    prior: PriorIds | None = None,
    judge: Judge | None = None,
    rounds: RoundPolicy | None = None,
) -> Resolution:
    """Partition the records of each type into entities.

    ``tables`` holds at most one table per entity type of ``schema``. ``constraints`` are the reviewers'
    links: a cannot-link is never broken, a must-link overrides vetoes and the rule that similarity never
    joins two records of one document, but neither identity keys nor a cannot-link. Links that name
    records outside the tables have no effect. ``prior`` keeps entity ids alive; ``judge`` decides on the
    clusters that similarity finds (default: ``ThresholdJudge``), in ``rounds`` (default: one).

    Raises ``DataError`` for tables that contradict themselves and ``SchemaError`` for an unknown type.
    """
    check_tables(tables)
    constraints, prior = constraints or Constraints(), prior or PriorIds()
    deciding = Deciding(judge or ThresholdJudge(), rounds or RoundPolicy(), prior.entity_of)
    outcomes = [
        _resolve_type(table, schema, constraints=constraints, deciding=deciding)
        for table in sorted(tables, key=lambda t: t.type)
    ]
    return as_resolution(outcomes, prior)


def as_resolution(outcomes: Sequence[Outcome], prior: PriorIds) -> Resolution:
    """The outcomes of all types as one resolution with entity ids."""
    members = [(o.table.type, o.records(group)) for o in outcomes for group in o.groups]
    ids, redirects = name_groups([records for _, records in members], prior)
    groups = [
        Group(id=entity, type=kind, records=records)
        for entity, (kind, records) in zip(ids, members, strict=True)
    ]
    return Resolution(
        groups=tuple(sorted(groups, key=lambda g: g.id)),
        proposals=tuple(p for o in outcomes for p in o.proposals()),
        blocked=tuple(b for o in outcomes for b in o.best_blocked()),
        unsure=tuple(sorted((p for o in outcomes for p in o.judged.unsure), key=certainty)),
        rounds=tuple(r for o in outcomes for r in o.judged.rounds),
        redirects=redirects,
        blocked_total={o.table.type: len(o.blocked) for o in outcomes if o.blocked},
    )


def certainty(proposal: MergeProposal) -> tuple[float, tuple[RecordId, ...]]:
    """How far from even a judge's probability is: the most uncertain proposals come first."""
    value = next((f.value for f in proposal.features if f.name == "judge_probability"), 0.5)
    return abs(value - 0.5), proposal.records


def _resolve_type(
    table: RecordColumns, schema: GraphSchema, *, constraints: Constraints, deciding: Deciding
) -> Outcome:
    prepared = prepare(table, schema, constraints)
    features = type_features(prepared) if prepared.searched else None
    prepared = with_fitting_threshold(prepared, features, constraints, deciding)
    return link_units(prepared, features, constraints=constraints, deciding=deciding)
