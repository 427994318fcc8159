"""Why two records are one entity, or are not: rules first, then the score, bar by bar.

The explanation is computed anew from the same columns that the resolution used, so it cannot drift from
what was decided; what a judge said at the time stands in the log's event.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise

import numpy as np

from canonicalize.exact import identities_differ, row_pairs
from canonicalize.features import Features, Unit
from canonicalize.one_type import Deciding, Prepared, prepare, type_features, with_fitting_threshold
from canonicalize.pair_rules import GenericNames, name_veto
from canonicalize.similarity import PAIR_FEATURES, pair_table
from schemas.canonicalization_rules import Canonicalization
from schemas.errors import UsageError
from schemas.graph_schema import EntityType, GraphSchema
from schemas.graphs import RecordColumns
from schemas.ids import EntityId, RecordId
from schemas.review import Constraints, Contribution, Feature, PairExplanation, PathStep

MOST_UNITS = 80
"""Units of one entity up to which a path between two of its records is looked for."""


@dataclass(frozen=True)
class Explainer:
    """Explains pairs of one type's records; ``entities`` says where each record is now."""

    records: RecordColumns
    schema: GraphSchema
    constraints: Constraints
    entities: Mapping[RecordId, EntityId]

    def explain(self, left: RecordId, right: RecordId, *, judge: str = "") -> PairExplanation:
        """Why ``left`` and ``right`` are one entity or not; ``UsageError`` for an unknown or equal pair.

        ``judge`` is the judge, other than the threshold, that the latest merge of the two names; it decides
        what scores and rules do not.
        """
        for record in (left, right):
            if record not in self._row:
                raise UsageError(f"record {record} is no {self.kind.name} of this corpus")
        if left == right:
            raise UsageError(f"expected two records, found {left} twice")
        rows = self._row[left], self._row[right]
        owners = self.entities[left], self.entities[right]
        same = owners[0] == owners[1]
        units = self._unit_of[rows[0]], self._unit_of[rows[1]]
        bars, values = self._score(*units)
        score = sum(b.points for b in bars) if bars else None
        verdict = self._verdict(rows, units, same=same, score=score)
        if judge and same and units[0] != units[1] and verdict == "path":
            verdict = "judge"
        path = self._path(*rows) if verdict == "path" else ()
        names = self.table.names[rows[0]], self.table.names[rows[1]]
        made = PairExplanation(
            left=left,
            right=right,
            type=self.kind.name,
            names=names,
            documents=(self.table.documents[rows[0]], self.table.documents[rows[1]]),
            entities=owners,
            same=same,
            verdict=verdict,
            judge=judge if verdict == "judge" else "",
            score=None if score is None else round(score, 4),
            threshold=self._rules.threshold if bars else None,
            waterfall=bars,
            features=values,
            path=path,
        )
        return made.model_copy(update={"words": in_words(made, detail=self._detail(verdict, units))})

    def _detail(self, verdict: str, units: tuple[int, int]) -> str:
        """What a rule saw: how many of two units have a description, or where one document names both."""
        a, b = self._units[units[0]], self._units[units[1]]
        if verdict == "generic":
            told = sum(any(self.table.descriptions[r].strip() for r in u.records) for u in (a, b))
            return ("neither has one", "only one has one", "they do not")[told]
        if verdict != "same_document":
            return ""
        document = min(a.documents & b.documents)
        first, second = (
            next(self.table.ids[r] for r in u.records if self.table.documents[r] == document) for u in (a, b)
        )
        return f"{document}, as records {first} and {second}"

    @cached_property
    def _prepared(self) -> Prepared:
        return prepare(self.records, self.schema, self.constraints)

    @property
    def table(self) -> RecordColumns:
        """The records in order of id."""
        return self._prepared.table

    @property
    def kind(self) -> EntityType:
        """The entity type of the records."""
        return self._prepared.kind

    @cached_property
    def _rules(self) -> Canonicalization:
        """With the threshold that a full resolution of these records has."""
        rules = self.kind.canonicalization
        if not rules.similarity or rules.least_threshold is None:
            return rules
        fitting = with_fitting_threshold(self._prepared, self._features, self.constraints, Deciding())
        return fitting.kind.canonicalization

    @cached_property
    def _row(self) -> dict[str, int]:
        return {record: row for row, record in enumerate(self.table.ids)}

    @property
    def _units(self) -> Sequence[Unit]:
        return self._prepared.units

    @cached_property
    def _unit_of(self) -> dict[int, int]:
        return {row: at for at, unit in enumerate(self._units) for row in unit.records}

    @cached_property
    def _features(self) -> Features:
        return type_features(self._prepared)

    def _score(self, a: int, b: int) -> tuple[tuple[Contribution, ...], tuple[Feature, ...]]:
        """The bars of the weighted score and all columns; nothing for one unit or a type without scores."""
        if a == b or not self._rules.similarity:
            return (), ()
        row = pair_table(self._units, self._features, np.array([[a, b]]))[0]
        values = dict(zip(PAIR_FEATURES, row.tolist(), strict=True))
        listed = tuple(Feature(name=name, value=round(value, 4)) for name, value in values.items())
        return self._bars(values), listed

    def _bars(self, values: Mapping[str, float]) -> tuple[Contribution, ...]:
        weight = self._rules.name_weight if self._features.vectors is not None else 1.0
        name = "shared_alias" if values["shared_alias"] else "name_tfidf"
        parts = [(name, weight), *([("meaning_cosine", 1 - weight)] if weight < 1 else [])]
        return tuple(
            Contribution(
                feature=feature,
                value=round(values[feature], 4),
                weight=share,
                points=round(values[feature] * share, 4),
            )
            for feature, share in parts
        )

    def _verdict(
        self, rows: tuple[int, int], units: tuple[int, int], *, same: bool, score: float | None
    ) -> str:
        together, apart = self._link(rows, must=True), self._link(rows, must=False)
        if same and together:
            return together
        if same and units[0] == units[1]:
            return self._exact(rows)
        enough = score is not None and score >= self._rules.threshold
        if same:
            return "similarity" if enough else "path"
        return apart or self._forbidden(units) or ("left_apart" if enough else "below_threshold")

    def _link(self, rows: tuple[int, int], *, must: bool) -> str:
        """The reviewers' decision on two rows, or on the units that they are part of."""
        links = self.constraints.must_link if must else self.constraints.cannot_link
        wanted = {self._unit_of[rows[0]], self._unit_of[rows[1]]}
        for a, b, seq in row_pairs(links, self._row):
            if {a, b} == set(rows) or (not must and {self._unit_of[a], self._unit_of[b]} == wanted):
                return f"{'must' if must else 'cannot'}_link:{seq}"
        return ""

    def _exact(self, rows: tuple[int, int]) -> str:
        if set(self.table.keys[rows[0]]) & set(self.table.keys[rows[1]]):
            return "same_key"
        forms = {self._prepared.names.form(self.table.names[r], self.table.documents[r]) for r in rows}
        return "same_name" if len(forms) == 1 else "path"

    def _forbidden(self, units: tuple[int, int]) -> str:
        """The rule that keeps two units apart, in the order in which the resolution asks."""
        a, b = self._units[units[0]], self._units[units[1]]
        if identities_differ(a.identity, b.identity):
            return "identity"
        if not a.documents.isdisjoint(b.documents):
            return "same_document"
        if GenericNames(self.table, self._prepared.names, self._units).keep_apart(a, b):
            return "generic"
        found = (name_veto(x, y, self._prepared.names) for x in a.names for y in b.names)
        rule = next((r for r in found if r), None)
        return f"veto:{rule}" if rule else ""

    def _path(self, left: int, right: int) -> tuple[PathStep, ...]:
        """The way between two rows of one entity whose weakest step is the strongest possible."""
        owner = self.entities[self.table.ids[left]]
        rows = [r for r, record in enumerate(self.table.ids) if self.entities[record] == owner]
        if len(rows) > MOST_UNITS:
            return ()
        steps = {(a, b): self._step(a, b) for a, b in combinations(rows, 2)}
        way = widest_path(rows, {pair: step.score for pair, step in steps.items()}, left, right)
        return tuple(steps[a, b] if (a, b) in steps else _turned(steps[b, a]) for a, b in pairwise(way))

    def _step(self, a: int, b: int) -> PathStep:
        ids, names = self.table.ids, self.table.names
        units = self._unit_of[a], self._unit_of[b]
        why = self._link((a, b), must=True) or (self._exact((a, b)) if units[0] == units[1] else "")
        score = 1.0 if why and why != "path" else sum(bar.points for bar in self._score(*units)[0])
        return PathStep(
            left=ids[a],
            right=ids[b],
            left_name=names[a],
            right_name=names[b],
            why=why if why and why != "path" else "similarity",
            score=round(score, 4),
        )


def _turned(step: PathStep) -> PathStep:
    return step.model_copy(
        update={
            "left": step.right,
            "right": step.left,
            "left_name": step.right_name,
            "right_name": step.left_name,
        }
    )


def widest_path(
    nodes: Sequence[int], scores: Mapping[tuple[int, int], float], start: int, end: int
) -> list[int]:
    """The path from ``start`` to ``end`` whose lowest score is highest; of equals the shortest.

    >>> widest_path([1, 2, 3], {(1, 2): 0.9, (2, 3): 0.8, (1, 3): 0.1}, 1, 3)
    [1, 2, 3]
    """
    near: dict[int, list[tuple[int, float]]] = {n: [] for n in nodes}
    for (a, b), score in scores.items():
        near[a].append((b, score))
        near[b].append((a, score))
    heap: list[tuple[float, int, int, tuple[int, ...]]] = [(-2.0, 0, start, (start,))]
    done: set[int] = set()
    while heap:
        width, steps, node, way = heapq.heappop(heap)
        if node == end:
            return list(way)
        if node in done:
            continue
        done.add(node)
        for other, score in near[node]:
            if other not in done:
                heapq.heappush(heap, (max(width, -score), steps + 1, other, (*way, other)))
    return []


_SAID = {
    "same_key": "they carry the same identifier",
    "identity": "their identifiers differ",
    "same_name": "their names have the same normal form",
    "generic": "a name that could mean anything joins nothing, whatever its score, unless the descriptions"
    " agree, and {detail}",
    "same_document": "one document names both ({detail}), and similarity never joins two records of one"
    " document",
}


def in_words(found: PairExplanation, *, detail: str = "") -> str:
    """The explanation as sentences; ``detail`` is what the rule saw."""
    left, right = (f"“{name}”" for name in found.names)
    head = f"{left} and {right} are {'one entity' if found.same else 'two entities'}: "
    kind, _, rest = found.verdict.partition(":")
    if kind in ("must_link", "cannot_link"):
        said = f"a reviewer said so (event {rest})"
    elif kind == "veto":
        said = f"the veto “{rest}” tells the names apart"
    elif kind in _SAID:
        said = _SAID[kind].format(detail=detail)
    elif kind == "similarity":
        said = f"their similarity {found.score:.2f} reaches the threshold {found.threshold:.2f}"
    elif kind == "below_threshold" and found.score is not None:
        said = f"their similarity {found.score:.2f} is below the threshold {found.threshold:.2f}"
    elif kind == "left_apart":
        said = (
            f"their similarity {found.score:.2f} reaches the threshold {found.threshold:.2f}, but the "
            "average over their whole clusters does not, or the judge kept them apart"
        )
    elif kind == "judge":
        below = (
            ""
            if found.score is None
            else (f", though their similarity {found.score:.2f} is below the threshold {found.threshold:.2f}")
        )
        said = f"a judge ({found.judge}) joined them{below}"
    elif kind == "path":
        said = "each is close to other records of the entity, " + (
            "by the steps below" if found.path else "though not to each other"
        )
    else:
        said = "this type merges only by identifiers and equal names"
    return f"{head}{said}."
