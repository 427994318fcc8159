"""The stages of one entity type, over its table of records."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from canonicalize.candidates import find_candidates
from canonicalize.cluster import Cluster, cluster
from canonicalize.exact import ExactStage, run_exact
from canonicalize.features import Features, Unit, Vocabulary, build_features
from canonicalize.judge import Candidate, Judge, Member, verdicts
from canonicalize.linkage import Linkage, Refused
from canonicalize.normal_forms import NormalForms, normal_forms
from canonicalize.pair_rules import name_veto, pair_rule
from canonicalize.tables import by_id
from schemas.graph_schema import EntityType, GraphSchema
from schemas.graphs import RecordColumns
from schemas.ids import RecordId
from schemas.review import Blocked, Constraints, Feature, MergeProposal

EXACT = "exact/1"
"""Judge of the merges that need no similarity."""
MAX_BLOCKED = 10_000
"""Most blocked merges listed per entity type, best score first; ``Resolution.blocked_total`` has them all."""


@dataclass(frozen=True, slots=True)
class _Merge:
    """Units that the judge accepted as one entity, and why."""

    cluster: Cluster
    judge: str
    reason: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """One type: its table in order of record id, its units, and groups of unit numbers."""

    table: RecordColumns
    stage: ExactStage
    units: Sequence[Unit]
    groups: Sequence[tuple[int, ...]]
    merges: Mapping[tuple[int, ...], _Merge]
    blocked: Sequence[Blocked]

    def records(self, group: tuple[int, ...]) -> tuple[RecordId, ...]:
        """Sorted record ids of a group."""
        return tuple(self.table.ids[row] for row in sorted(r for u in group for r in self.units[u].records))

    def proposals(self) -> list[MergeProposal]:
        """One per group of two or more records."""
        return [self._proposal(g) for g in self.groups if len(g) > 1 or len(self.units[g[0]].records) > 1]

    def _proposal(self, group: tuple[int, ...]) -> MergeProposal:
        joined: Counter[str] = Counter()
        for unit in group:
            joined.update(self.stage.joined.get(self.units[unit].records[0], {}))
        exact = tuple(Feature(name=name, value=count) for name, count in sorted(joined.items()))
        merge = self.merges.get(group)
        if merge is None:
            return MergeProposal(
                records=self.records(group), type=self.table.type, score=1.0, features=exact, judge=EXACT
            )
        return MergeProposal(
            records=self.records(group),
            type=self.table.type,
            score=merge.cluster.score,
            features=(*_features(merge.cluster), *exact),
            judge=merge.judge,
            reason=merge.reason,
        )

    def best_blocked(self) -> list[Blocked]:
        """The blocked merges with the best scores."""
        return heapq.nsmallest(MAX_BLOCKED, self.blocked, key=lambda b: (-b.score, b.left, b.right, b.rule))


@dataclass(frozen=True, slots=True)
class Prepared:
    """One type's table in order of record id, its units, and how its names are normalised."""

    table: RecordColumns
    kind: EntityType
    stage: ExactStage
    units: Sequence[Unit]
    names: NormalForms

    @property
    def searched(self) -> bool:
        """Whether similarity can merge anything."""
        return self.kind.canonicalization.similarity and not all(unit.keyed for unit in self.units)


def prepare(table: RecordColumns, schema: GraphSchema, constraints: Constraints) -> Prepared:
    """Exact merges of a checked table."""
    table = by_id(table)
    kind = schema.entity(table.type)
    names = normal_forms(schema, kind, table)
    spelled = [names.form(n, document) for n, document in zip(table.names, table.documents, strict=True)]
    stage = run_exact(table, spelled, lambda a, b: name_veto(a, b, names), constraints=constraints)
    return Prepared(table, kind, stage, names.written_out(stage.units(), table), names)


def type_features(prepared: Prepared, known: Vocabulary | None = None) -> Features:
    """Features of all units of a type, names weighted by a ``known`` vocabulary or by their own."""
    table = prepared.table
    return build_features(
        prepared.units,
        prepared.names.form,
        descriptions=sorted(set(table.descriptions)),
        vectors=table.vectors,
        attributes=table.attributes,
        known=known,
    )


def link_units(
    prepared: Prepared, features: Features | None, *, constraints: Constraints, judge: Judge
) -> Outcome:
    """Merges by similarity, where there are ``features``, and the judge's verdict on them."""
    table, units, stage = prepared.table, prepared.units, prepared.stage
    blocked, merges = list(stage.blocked), dict[tuple[int, ...], _Merge]()
    if features is not None:
        rules = prepared.kind.canonicalization
        candidates = find_candidates(units, features, name_weight=rules.name_weight, floor=rules.threshold)
        linkage = Linkage(features, rules.name_weight, rules.threshold, rules.max_cluster)
        forbids = pair_rule(table, units, prepared.names, constraints=constraints, refused=stage.blocked)
        clustering = cluster(candidates, linkage, forbids)
        known = {(b.left, b.right) for b in blocked}
        fresh = (_blocked(table, units, refused) for refused in clustering.refused)
        blocked += [b for b in fresh if (b.left, b.right) not in known]
        merges = _judged(table, units, clustering.clusters, judge)
    return Outcome(table, stage, units, _groups(len(units), merges), merges, blocked)


def _judged(
    table: RecordColumns, units: Sequence[Unit], clusters: Sequence[Cluster], judge: Judge
) -> dict[tuple[int, ...], _Merge]:
    candidates = [
        Candidate(
            type=table.type,
            members=tuple(_member(table, units[unit]) for unit in found.members),
            score=found.score,
            features=_features(found),
        )
        for found in clusters
    ]
    merges: dict[tuple[int, ...], _Merge] = {}
    for found, verdict in zip(clusters, verdicts(judge, candidates), strict=True):
        for group in verdict.groups:
            if len(group) > 1:
                merges[tuple(sorted(found.members[m] for m in group))] = _Merge(
                    found, judge.name, verdict.reason
                )
    return merges


def _member(table: RecordColumns, unit: Unit) -> Member:
    descriptions = [table.descriptions[row] for row in unit.records]
    return Member(
        record=table.ids[unit.records[0]],
        records=len(unit.records),
        names=unit.names,
        description=min(descriptions, key=lambda d: (-len(d), d)),
    )


def _groups(count: int, merges: Mapping[tuple[int, ...], _Merge]) -> list[tuple[int, ...]]:
    merged = {unit for group in merges for unit in group}
    return sorted([*merges, *((unit,) for unit in range(count) if unit not in merged)])


def _features(found: Cluster) -> tuple[Feature, ...]:
    return (
        Feature(name="name_tfidf", value=round(found.name, 6)),
        Feature(name="meaning_cosine", value=round(found.cosine, 6)),
        Feature(name="threshold", value=round(found.threshold, 6)),
    )


def _blocked(table: RecordColumns, units: Sequence[Unit], refused: Refused) -> Blocked:
    left, right = (table.ids[units[unit].records[0]] for unit in (refused.left, refused.right))
    return Blocked(left=left, right=right, score=refused.score, rule=refused.rule)
