"""Rounds of clustering and judging: merged groups are the units of the next round.

After arXiv 2509.06855, appendix D.2.2, rounds go on until fewer than a tenth of the units merge. What a
judge kept apart is never proposed again, so no question is asked twice, and each round has fewer units.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from canonicalize.cluster import Cluster
from canonicalize.features import Features, Unit
from canonicalize.judge import (
    Candidate,
    Columns,
    CountingJudge,
    Judge,
    Member,
    Note,
    SizeJudge,
    Verdict,
    verdicts,
    verdicts_by_size,
)
from canonicalize.similarity import pair_table
from schemas.graphs import RecordColumns
from schemas.ids import EntityId, RecordId
from schemas.review import Feature, MergeProposal, Round

STOP_SHARE = 0.1
"""Share of the units that must merge in a round for another one to follow (arXiv 2509.06855)."""
Apart = Callable[[int, int], bool]
"""Whether a judge kept two units apart in an earlier round."""
Propose = Callable[[Sequence[Unit], Apart | None], tuple[Features | None, Sequence[Cluster]]]
"""The features of units and the clusters of them, with no pair in a cluster that is forbidden or apart."""


@dataclass(frozen=True, slots=True)
class RoundPolicy:
    """How many rounds: until fewer than ``stop_share`` of the units merge, ``most`` at most.

    ``margin`` is how far below a type's threshold clusters are proposed, for a judge that can refuse.
    """

    most: int = 1
    stop_share: float = STOP_SHARE
    margin: float = 0.0

    def goes_on(self, done: Round) -> bool:
        """Whether another round follows ``done``."""
        return done.number < self.most and 0 < done.merged >= self.stop_share * done.units


@dataclass(frozen=True, slots=True)
class Merge:
    """Units that a judge accepted as one entity, and why."""

    cluster: Cluster
    judge: str
    round: int
    note: Note

    def features(self) -> tuple[Feature, ...]:
        """The averages of the cluster, and the judge's probability where there is one."""
        return (*cluster_features(self.cluster), *_probability(self.note.probability))


@dataclass(slots=True)
class Judged:
    """What all rounds made of the units of one type; units are numbered as they were at first."""

    merges: dict[tuple[int, ...], Merge] = field(default_factory=dict)
    """Groups of two or more units, sorted."""
    unsure: list[MergeProposal] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)


@dataclass(slots=True)
class _State:
    """The units of the current round: ``parts`` says which first units each one holds."""

    units: Sequence[Unit]
    parts: Sequence[tuple[int, ...]] = ()
    """Empty in the first round, where each unit holds itself."""
    apart: dict[int, set[int]] = field(default_factory=dict)
    """First unit -> the first units that a judge kept apart from it."""

    def held(self, unit: int) -> tuple[int, ...]:
        """The first units that a unit of this round holds."""
        return self.parts[unit] if self.parts else (unit,)

    def kept_apart(self) -> Apart | None:
        """The rule over the units of this round; None while nothing is kept apart."""
        if not self.apart:
            return None
        held = [self.held(unit) for unit in range(len(self.units))]
        against = [frozenset().union(*(self.apart.get(p, ()) for p in parts)) for parts in held]
        return lambda a, b: not against[a].isdisjoint(held[b])


@dataclass(frozen=True, slots=True)
class Judging:
    """A judge at work on the units of one table, in order of record id."""

    table: RecordColumns
    judge: Judge
    policy: RoundPolicy = RoundPolicy()
    entity_of: Mapping[RecordId, EntityId] = field(default_factory=dict)
    """Entities before this resolution."""

    def run(self, units: Sequence[Unit], propose: Propose) -> Judged:
        """Cluster and judge until the policy ends it; depends on the set of units alone."""
        state, judged = _State(units), Judged()
        while True:
            groups = self._round(state, propose, judged)
            if not self.policy.goes_on(judged.rounds[-1]):
                return judged
            self._join(state, groups)

    def _round(self, state: _State, propose: Propose, judged: Judged) -> list[tuple[int, ...]]:
        """The groups of two or more units that the judge accepted."""
        number, before = len(judged.rounds) + 1, self._asked()
        features, clusters = propose(state.units, state.kept_apart())
        decided = self._decided(state, features, clusters)
        groups: list[tuple[int, ...]] = []
        for found, verdict in zip(clusters, decided, strict=True):
            groups += self._take(state, found, verdict, judged=judged, number=number)
        calls, tokens, cost = (now - then for now, then in zip(self._asked(), before, strict=True))
        judged.rounds.append(
            Round(
                type=self.table.type,
                number=number,
                units=len(state.units),
                candidates=len(clusters),
                merged=sum(len(group) - 1 for group in groups),
                unsure=sum(len(v.unsure) for v in decided),
                judge=self.judge.name,
                calls=int(calls),
                tokens=int(tokens),
                cost=max(0.0, cost),
            )
        )
        return groups

    def _decided(
        self, state: _State, features: Features | None, clusters: Sequence[Cluster]
    ) -> tuple[Verdict, ...]:
        """A verdict on each cluster; no candidate is made for a judge that looks at none."""
        if isinstance(self.judge, SizeJudge):
            return verdicts_by_size(self.judge, [len(found.members) for found in clusters])
        candidates = [self._candidate(state, found) for found in clusters]
        return verdicts(self.judge, candidates, lambda: _columns(state.units, features, clusters))

    def _asked(self) -> tuple[float, float, float]:
        judge = self.judge
        return (judge.calls, judge.tokens, judge.cost) if isinstance(judge, CountingJudge) else (0, 0, 0)

    def _candidate(self, state: _State, found: Cluster) -> Candidate:
        return Candidate(
            type=self.table.type,
            members=tuple(self._member(state.units[unit]) for unit in found.members),
            score=found.score,
            features=cluster_features(found),
        )

    def _member(self, unit: Unit) -> Member:
        descriptions = [self.table.descriptions[row] for row in unit.records]
        first = self.table.ids[unit.records[0]]
        return Member(
            record=first,
            records=len(unit.records),
            names=unit.names,
            description=min(descriptions, key=lambda d: (-len(d), d)),
            aliases=unit.aliases,
            entity=self.entity_of.get(first, ""),
        )

    def _take(
        self, state: _State, found: Cluster, verdict: Verdict, *, judged: Judged, number: int
    ) -> Iterator[tuple[int, ...]]:
        """The groups of two or more units; the parts of the candidate are kept apart from here on."""
        owner = {m: at for at, group in enumerate(verdict.groups) for m in group}
        for item in verdict.unsure:
            records = {r for m in item.members for r in self._records(state.units[found.members[m]])}
            judged.unsure.append(
                MergeProposal(
                    records=tuple(sorted(records)),
                    type=self.table.type,
                    score=found.score,
                    features=(*cluster_features(found), *_probability(item.probability)),
                    judge=self.judge.name,
                    reason=item.reason,
                    round=number,
                )
            )
        whole = len(verdict.groups) == 1 and len(owner) == len(found.members)
        for a, b in () if whole else combinations(range(len(found.members)), 2):
            if owner.get(a, -1 - a) != owner.get(b, -1 - b):
                _separate(state, found.members[a], found.members[b])
        for at, group in enumerate(verdict.groups):
            if len(group) > 1:
                members = tuple(sorted(found.members[m] for m in group))
                parts = tuple(sorted(p for m in members for p in state.held(m)))
                for member in members:
                    judged.merges.pop(state.held(member), None)
                judged.merges[parts] = Merge(found, self.judge.name, number, verdict.note(at))
                yield members

    def _records(self, unit: Unit) -> list[RecordId]:
        return [self.table.ids[row] for row in unit.records]

    def _join(self, state: _State, groups: Sequence[tuple[int, ...]]) -> None:
        merged = {unit for group in groups for unit in group}
        kept = [*groups, *((unit,) for unit in range(len(state.units)) if unit not in merged)]
        made = [
            (self._united([state.units[u] for u in g]), tuple(sorted(p for u in g for p in state.held(u))))
            for g in kept
        ]
        made.sort(key=lambda item: item[0].records)
        state.units, state.parts = [unit for unit, _ in made], [parts for _, parts in made]

    def _united(self, units: Sequence[Unit]) -> Unit:
        if len(units) == 1:
            return units[0]
        rows = sorted(row for unit in units for row in unit.records)
        counts = Counter(self.table.names[row] for row in rows)
        keys = sorted({name for unit in units for name in unit.identity})
        return Unit(
            records=tuple(rows),
            names=tuple(sorted(counts, key=lambda n: (-counts[n], len(n), n))),
            aliases=tuple(sorted({alias for unit in units for alias in unit.aliases})),
            documents=frozenset().union(*(unit.documents for unit in units)),
            identity={
                k: frozenset().union(*(unit.identity.get(k, frozenset()) for unit in units)) for k in keys
            },
        )


def cluster_features(found: Cluster) -> tuple[Feature, ...]:
    """The averages over all pairs of a cluster, and the threshold at which it was found."""
    return (
        Feature(name="name_tfidf", value=round(found.name, 6)),
        Feature(name="meaning_cosine", value=round(found.cosine, 6)),
        Feature(name="threshold", value=round(found.threshold, 6)),
    )


def _probability(value: float | None) -> tuple[Feature, ...]:
    return () if value is None else (Feature(name="judge_probability", value=round(value, 6)),)


def _separate(state: _State, a: int, b: int) -> None:
    for one, other in ((a, b), (b, a)):
        for part in state.held(one):
            state.apart.setdefault(part, set()).update(state.held(other))


def _columns(units: Sequence[Unit], features: Features | None, clusters: Sequence[Cluster]) -> list[Columns]:
    """The pair table of each cluster's members, all computed at once."""
    if features is None or not clusters:
        return []
    pairs = [np.array(list(combinations(c.members, 2)), dtype=np.int64).reshape(-1, 2) for c in clusters]
    table = pair_table(units, features, np.concatenate(pairs))
    ends = np.cumsum([len(p) for p in pairs])
    return [table[end - len(p) : end] for end, p in zip(ends.tolist(), pairs, strict=True)]
