"""Which records, from all documents, are one entity.

Exact merges first (reviewers' links, identity keys, equal names), then average-link clustering of what is
left by similarity of names and meaning, then a judge. The outcome is a function of the *set* of records:
it does not depend on the order of documents or of records.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from canonicalize.candidates import find_candidates
from canonicalize.cluster import Cluster, Linkage, Refused, cluster
from canonicalize.exact import ExactStage, identities_differ, row_pairs, run_exact
from canonicalize.features import Unit, build_features
from canonicalize.judge import Candidate, Judge, Member, ThresholdJudge, verdicts
from canonicalize.naming import name_groups
from canonicalize.normal_forms import NormalForms, normal_forms
from schemas.errors import DataError
from schemas.graph_schema import GraphSchema
from schemas.graphs import RecordColumns
from schemas.ids import RecordId
from schemas.review import Blocked, Constraints, Feature, Group, MergeProposal, PriorIds, Resolution

EXACT = "exact/1"
"""Judge of the merges that need no similarity."""
MAX_BLOCKED = 10_000
"""Most blocked merges listed per entity type, best score first; ``Resolution.blocked_total`` has them all."""


def resolve(
    tables: Sequence[RecordColumns],
    schema: GraphSchema,
    *,
    constraints: Constraints | None = None,
    prior: PriorIds | None = None,
    judge: Judge | None = None,
) -> Resolution:
    """Partition the records of each type into entities.

    ``tables`` holds at most one table per entity type of ``schema``. ``constraints`` are the reviewers'
    links: a cannot-link is never broken, a must-link overrides vetoes and the rule that similarity never
    joins two records of one document, but neither identity keys nor a cannot-link. Links that name
    records outside the tables have no effect. ``prior`` keeps entity ids alive; ``judge`` decides on the
    clusters that similarity finds (default: ``ThresholdJudge``).

    Raises ``DataError`` for tables that contradict themselves and ``SchemaError`` for an unknown type.
    """
    _check(tables)
    constraints, judge = constraints or Constraints(), judge or ThresholdJudge()
    outcomes = [
        _resolve_type(_by_id(table), schema, constraints=constraints, judge=judge)
        for table in sorted(tables, key=lambda t: t.type)
    ]
    members = [(o.table.type, o.records(group)) for o in outcomes for group in o.groups]
    ids, redirects = name_groups([records for _, records in members], prior or PriorIds())
    groups = [
        Group(id=entity, type=kind, records=records)
        for entity, (kind, records) in zip(ids, members, strict=True)
    ]
    return Resolution(
        groups=tuple(sorted(groups, key=lambda g: g.id)),
        proposals=tuple(p for o in outcomes for p in o.proposals()),
        blocked=tuple(b for o in outcomes for b in o.best_blocked()),
        redirects=redirects,
        blocked_total={o.table.type: len(o.blocked) for o in outcomes if o.blocked},
    )


@dataclass(frozen=True, slots=True)
class _Merge:
    """Units that the judge accepted as one entity, and why."""

    cluster: Cluster
    judge: str
    reason: str


@dataclass(frozen=True, slots=True)
class _Outcome:
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


def _resolve_type(
    table: RecordColumns, schema: GraphSchema, *, constraints: Constraints, judge: Judge
) -> _Outcome:
    kind = schema.entity(table.type)
    rules = kind.canonicalization
    names = normal_forms(schema, kind, table)
    spelled = [names.form(n, document) for n, document in zip(table.names, table.documents, strict=True)]
    stage = run_exact(table, spelled, names.veto, constraints=constraints)
    units = names.written_out(stage.units(), table)
    blocked, merges = list(stage.blocked), dict[tuple[int, ...], _Merge]()
    if rules.similarity and not all(unit.keyed for unit in units):
        features = build_features(
            units,
            names.form,
            descriptions=sorted(set(table.descriptions)),
            vectors=table.vectors,
            attributes=table.attributes,
        )
        candidates = find_candidates(units, features, name_weight=rules.name_weight, floor=rules.threshold)
        linkage = Linkage(features, rules.name_weight, rules.threshold, rules.max_cluster)
        forbids = _pair_rule(table, units, names, constraints=constraints, refused=stage.blocked)
        clustering = cluster(candidates, linkage, forbids)
        known = {(b.left, b.right) for b in blocked}
        fresh = (_blocked(table, units, refused) for refused in clustering.refused)
        blocked += [b for b in fresh if (b.left, b.right) not in known]
        merges = _judged(table, units, clustering.clusters, judge)
    groups = _groups(len(units), merges)
    return _Outcome(table, stage, units, groups, merges, blocked)


def _pair_rule(
    table: RecordColumns,
    units: Sequence[Unit],
    names: NormalForms,
    *,
    constraints: Constraints,
    refused: Sequence[Blocked],
) -> Callable[[int, int], str | None]:
    """What forbids two units in one entity: a cannot-link, identity, one document, a veto.

    What the exact stage refused (``refused``), similarity does not join either.
    """
    row_of: dict[str, int] = {record: row for row, record in enumerate(table.ids)}
    unit_of = {row: index for index, unit in enumerate(units) for row in unit.records}
    banned: dict[tuple[int, int], str] = {}
    for block in refused:
        a, b = sorted((unit_of[row_of[block.left]], unit_of[row_of[block.right]]))
        banned[a, b] = block.rule
    for left, right, seq in sorted(row_pairs(constraints.cannot_link, row_of), key=lambda p: p[2]):
        a, b = sorted((unit_of[left], unit_of[right]))
        banned[a, b] = f"cannot_link:{seq}"

    def forbids(left: int, right: int) -> str | None:
        a, b = units[left], units[right]
        known = banned.get((min(left, right), max(left, right)))
        if known is not None:
            return known
        if identities_differ(a.identity, b.identity):
            return "identity"
        if not a.documents.isdisjoint(b.documents):
            return "same_document"
        found = (names.veto(x, y) for x in a.names for y in b.names)
        rule = next((rule for rule in found if rule), None)
        return f"veto:{rule}" if rule else None

    return forbids


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


def _by_id(table: RecordColumns) -> RecordColumns:
    """The table with its rows in order of record id."""
    order = sorted(range(len(table)), key=table.ids.__getitem__)
    if order == list(range(len(table))):
        return table
    return RecordColumns(
        type=table.type,
        ids=tuple(table.ids[i] for i in order),
        documents=tuple(table.documents[i] for i in order),
        names=tuple(table.names[i] for i in order),
        descriptions=tuple(table.descriptions[i] for i in order),
        aliases=tuple(table.aliases[i] for i in order),
        keys=tuple(table.keys[i] for i in order),
        vectors=None if table.vectors is None else table.vectors[np.array(order, dtype=np.int64)],
        attributes={name: tuple(column[i] for i in order) for name, column in table.attributes.items()},
    )


def _check(tables: Sequence[RecordColumns]) -> None:
    twice = [kind for kind, count in Counter(t.type for t in tables).items() if count > 1]
    if twice:
        raise DataError(f"expected one table per entity type, found two of {twice[0]}; join them first")
    seen: set[RecordId] = set()
    for table in tables:
        columns = (table.documents, table.names, table.descriptions, table.aliases, table.keys)
        lengths = {len(column) for column in (*columns, *table.attributes.values())}
        if table.vectors is not None:
            lengths.add(len(table.vectors))
        if lengths != {len(table)}:
            raise DataError(
                f"table {table.type}: expected columns of length {len(table)}, found {sorted(lengths)}"
            )
        before = len(seen)
        seen.update(table.ids)
        if len(seen) != before + len(table):
            raise DataError(f"table {table.type}: a record id occurs twice; ids must be unique")
