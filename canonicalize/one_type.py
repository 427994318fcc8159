"""The stages of one entity type, over its table of records."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from canonicalize.candidates import Candidates, find_candidates
from canonicalize.cluster import Cluster, cluster
from canonicalize.exact import ExactStage, run_exact
from canonicalize.features import Features, KeptRows, Unit, Vocabulary, build_features, write_out
from canonicalize.judge import Judge, ThresholdJudge
from canonicalize.linkage import Linkage, Refused
from canonicalize.lowered_threshold import evidence_of, lowered
from canonicalize.normal_forms import NormalForms, normal_forms
from canonicalize.pair_rules import GenericNames, name_veto, pair_rule
from canonicalize.rounds import Apart, Judged, Judging, Merge, RoundPolicy
from canonicalize.short_forms import Elsewhere, nowhere, with_short_forms
from canonicalize.tables import by_id
from schemas.graph_schema import EntityType, GraphSchema
from schemas.graphs import RecordColumns
from schemas.ids import EntityId, RecordId
from schemas.review import Blocked, Constraints, Feature, MergeProposal

EXACT = "exact/1"
"""Judge of the merges that need no similarity."""
APART = "judge"
"""Rule of pairs that a judge kept apart in an earlier round; not among the blocked merges."""
MAX_BLOCKED = 10_000
"""Most blocked merges listed per entity type, best score first; ``Resolution.blocked_total`` has them all."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One type: its table in order of record id, its units, and groups of unit numbers."""

    table: RecordColumns
    stage: ExactStage
    units: Sequence[Unit]
    groups: Sequence[tuple[int, ...]]
    judged: Judged
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
        merge: Merge | None = self.judged.merges.get(group)
        if merge is None:
            return MergeProposal(
                records=self.records(group), type=self.table.type, score=1.0, features=exact, judge=EXACT
            )
        return MergeProposal(
            records=self.records(group),
            type=self.table.type,
            score=merge.cluster.score,
            features=(*merge.features(), *exact),
            judge=merge.judge,
            reason=merge.note.reason,
            round=merge.round,
            name=merge.note.name,
            description=merge.note.description,
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
    near: Candidates | None = None
    """Candidates of the units at or above the type's threshold, where they are known."""
    elsewhere: Elsewhere = nowhere
    """Names of the type that are not in the table, by word."""

    @property
    def searched(self) -> bool:
        """Whether similarity can merge anything."""
        return self.kind.canonicalization.similarity and not all(unit.keyed for unit in self.units)


def prepare(
    table: RecordColumns,
    schema: GraphSchema,
    constraints: Constraints,
    acronyms: Mapping[str, str] | None = None,
    *,
    settled: Sequence[tuple[int, ...]] = (),
) -> Prepared:
    """Exact merges of a checked table; ``acronyms`` are known from other records and go before its own.

    ``settled`` are rows of a table in order of record id that are units as they are.
    """
    table = by_id(table)
    kind = schema.entity(table.type)
    names = normal_forms(schema, kind, table, acronyms)
    done = {row for rows in settled for row in rows}
    spelled = [
        "" if row in done else names.form(name, document)
        for row, (name, document) in enumerate(zip(table.names, table.documents, strict=True))
    ]
    stage = run_exact(
        table,
        spelled,
        lambda a, b: name_veto(a, b, names),
        constraints=constraints,
        is_generic=names.is_generic,
        settled=settled,
    )
    return Prepared(table, kind, stage, names.written_out(stage.units(), table), names)


def type_features(prepared: Prepared, known: Vocabulary | KeptRows | None = None) -> Features:
    """Features of all units of a type, names weighted by a ``known`` vocabulary or by their own."""
    table = prepared.table
    features = build_features(
        prepared.units,
        prepared.names.form,
        descriptions=sorted(set(table.descriptions)),
        vectors=table.vectors,
        attributes=table.attributes,
        known=known,
    )
    if not prepared.kind.canonicalization.short_forms:
        return features
    acronyms = features.vocabulary.acronyms
    written = [[write_out(name, acronyms) for name in unit.names] for unit in prepared.units]
    return with_short_forms(
        features, prepared.elsewhere, written=written if prepared.names.case_tells else None
    )


@dataclass(frozen=True, slots=True)
class Deciding:
    """Who decides on clusters, in how many rounds, and the entities before this resolution."""

    judge: Judge = field(default_factory=ThresholdJudge)
    policy: RoundPolicy = field(default_factory=RoundPolicy)
    entity_of: Mapping[RecordId, EntityId] = field(default_factory=dict)


def with_fitting_threshold(
    prepared: Prepared, features: Features | None, constraints: Constraints, deciding: Deciding
) -> Prepared:
    """All records of a type, with the threshold that their documents allow where it alone decides.

    For a full resolution: what goes on from it keeps the threshold.
    """
    rules = prepared.kind.canonicalization
    alone = isinstance(deciding.judge, ThresholdJudge) and not deciding.policy.margin
    if rules.least_threshold is None or features is None or not alone:
        return prepared
    least = min(rules.least_threshold, rules.threshold)
    near = _candidates(prepared, features, prepared.units, floor=least)
    forbids = pair_rule(
        prepared.table,
        prepared.units,
        prepared.names,
        constraints=constraints,
        refused=prepared.stage.blocked,
        same_document=False,
    )
    evidence = evidence_of(prepared.units, near, forbids)
    threshold = rules.threshold if evidence is None else lowered(evidence, rules.threshold, least)
    return replace(
        prepared,
        kind=at_threshold(prepared.kind, threshold),
        near=near.part(np.flatnonzero(near.score >= threshold)),
    )


def at_threshold(kind: EntityType, threshold: float) -> EntityType:
    """The type with another threshold."""
    if threshold == kind.canonicalization.threshold:
        return kind
    rules = kind.canonicalization.model_copy(update={"threshold": threshold})
    return kind.model_copy(update={"canonicalization": rules})


def _candidates(prepared: Prepared, features: Features, units: Sequence[Unit], *, floor: float) -> Candidates:
    return find_candidates(
        units,
        features,
        name_weight=prepared.kind.canonicalization.name_weight,
        floor=floor,
        queries=GenericNames(prepared.table, prepared.names).can_merge(units),
    )


Together = Callable[[int, int], bool]
"""Whether nothing forbids two units in one entity, as is known from before."""


def link_units(
    prepared: Prepared,
    features: Features | None,
    *,
    constraints: Constraints,
    deciding: Deciding,
    together: Together | None = None,
) -> Outcome:
    """Merges by similarity, where there are ``features``, and the judge's verdicts on them."""
    linking = _Linking(prepared, constraints, deciding, list(prepared.stage.blocked), together)
    judged = Judged()
    if features is not None:
        judging = Judging(prepared.table, deciding.judge, deciding.policy, deciding.entity_of)
        judged = judging.run(prepared.units, partial(linking.propose, features))
    groups = _groups(len(prepared.units), judged.merges)
    return Outcome(prepared.table, prepared.stage, prepared.units, groups, judged, linking.blocked)


@dataclass(frozen=True, slots=True)
class _Linking:
    """Clusters of the units of one type, round by round."""

    prepared: Prepared
    constraints: Constraints
    deciding: Deciding
    blocked: list[Blocked]
    """Grows with every round."""
    together: Together | None

    def propose(
        self, first: Features, now: Sequence[Unit], apart: Apart | None
    ) -> tuple[Features, Sequence[Cluster]]:
        """The features of the units of this round, and their clusters."""
        prepared, rules = self.prepared, self.prepared.kind.canonicalization
        table, features = prepared.table, first
        if now is not prepared.units:
            now = prepared.names.written_out(now, table)
            features = type_features(replace(prepared, units=now), first.vocabulary)
        threshold = max(0.0, rules.threshold - self.deciding.policy.margin)
        candidates = prepared.near if now is prepared.units else None
        if candidates is None:
            candidates = _candidates(prepared, features, now, floor=threshold)
        largest = None if isinstance(self.deciding.judge, ThresholdJudge) else rules.max_cluster
        linkage = Linkage(features, rules.name_weight, threshold, largest)
        forbids = pair_rule(
            table, now, prepared.names, constraints=self.constraints, refused=prepared.stage.blocked
        )
        rule = forbids if apart is None else lambda a, b: APART if apart(a, b) else forbids(a, b)
        together = self.together
        if now is prepared.units and together is not None and apart is None:
            rule = lambda a, b: None if together(a, b) else forbids(a, b)  # noqa: E731
        found = cluster(candidates, linkage, rule)
        known = {(b.left, b.right) for b in self.blocked}
        fresh = (_blocked(table, now, refused) for refused in found.refused if refused.rule != APART)
        self.blocked.extend(b for b in fresh if (b.left, b.right) not in known)
        return features, found.clusters


def _groups(count: int, merges: Mapping[tuple[int, ...], Merge]) -> list[tuple[int, ...]]:
    merged = {unit for group in merges for unit in group}
    return sorted([*merges, *((unit,) for unit in range(count) if unit not in merged)])


def _blocked(table: RecordColumns, units: Sequence[Unit], refused: Refused) -> Blocked:
    left, right = (table.ids[units[unit].records[0]] for unit in (refused.left, refused.right))
    return Blocked(left=left, right=right, score=refused.score, rule=refused.rule)
