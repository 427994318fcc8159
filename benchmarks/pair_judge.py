"""A judge that splits candidates by a logistic model of pairs, fitted on labelled mentions.

Features are the columns of ``canonicalize.similarity`` and what the documents of two members tell. Members
of a candidate are clustered by average linkage on the model's probabilities.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from canonicalize.features import Unit, build_features
from canonicalize.judge import Candidate, Member, Verdict
from canonicalize.similarity import pair_table
from schemas.language.names import normalise_name
from schemas.ports import Embedder

PENALTY = 0.05
"""Inverse strength of the L2 penalty on standardised features; fixed beforehand."""
_SHORT = 6


@dataclass(frozen=True, slots=True)
class Setting:
    """What the judge knows of the mentions beside their names; mentions by id."""

    name: Mapping[str, str]
    type: Mapping[str, str]
    document: Mapping[str, str]
    aliases: Mapping[str, tuple[str, ...]]
    embedder: Embedder
    kinds: tuple[str, ...]
    """Types with a weight of their own for every feature."""

    def documents_of(self) -> dict[tuple[str, str], frozenset[str]]:
        """The documents in which a type's name occurs, by type and normal form."""
        found: dict[tuple[str, str], set[str]] = defaultdict(set)
        for m, name in self.name.items():
            if m in self.document:
                found[self.type[m], _normal(name)].add(self.document[m])
        return {key: frozenset(documents) for key, documents in found.items()}

    def aliases_of(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """The aliases of a type's name, by type and normal form."""
        found: dict[tuple[str, str], set[str]] = defaultdict(set)
        for m, aliases in self.aliases.items():
            found[self.type[m], _normal(self.name[m])].update(aliases)
        return {key: tuple(sorted(aliases)) for key, aliases in found.items()}


@dataclass(slots=True)
class Collector:
    """Takes down every candidate and merges nothing."""

    name: str = "collector/1"
    candidates: list[Candidate] = field(default_factory=list)

    def decide(self, candidates: Sequence[Candidate]) -> tuple[Verdict, ...]:
        self.candidates.extend(candidates)
        return tuple(Verdict(groups=()) for _ in candidates)


@dataclass(frozen=True, slots=True)
class PairModelJudge:
    """Splits candidates at a probability of ``cut``."""

    model: Any
    setting: Setting
    cut: float
    name: str = "pair-model/1"

    def decide(self, candidates: Sequence[Candidate]) -> tuple[Verdict, ...]:
        tables = pair_features(candidates, self.setting)
        sizes = [len(table) for table in tables]
        chances = self.model.predict_proba(np.vstack(tables))[:, 1]
        parts = np.split(chances, np.cumsum(sizes)[:-1])
        return tuple(
            Verdict(groups=_groups(len(c.members), part, self.cut))
            for c, part in zip(candidates, parts, strict=True)
        )


def fit(tables: Sequence[NDArray[np.float64]], labels: Sequence[NDArray[np.bool_]]) -> Any:
    """The model of all pairs of the candidates, standardised and penalised."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = make_pipeline(StandardScaler(), LogisticRegression(C=PENALTY, max_iter=3_000))
    return model.fit(np.vstack(tables), np.concatenate(labels))


def pair_labels(candidates: Sequence[Candidate], gold: Mapping[str, str]) -> list[NDArray[np.bool_]]:
    """Per candidate, whether the members of each pair are one concept."""
    return [
        np.array([gold[a.record] == gold[b.record] for a, b in combinations(c.members, 2)])
        for c in candidates
    ]


def pair_features(candidates: Sequence[Candidate], setting: Setting) -> list[NDArray[np.float64]]:
    """Per candidate one row for each pair of members, in the order of ``combinations``."""
    tables: list[NDArray[np.float64]] = [np.empty((0, 0))] * len(candidates)
    documents, aliases = setting.documents_of(), setting.aliases_of()
    for kind in sorted({c.type for c in candidates}):
        chosen = [at for at, c in enumerate(candidates) if c.type == kind]
        units = [_unit(m, kind, documents, aliases) for at in chosen for m in candidates[at].members]
        sizes = [len(candidates[at].members) for at in chosen]
        rows = _rows(units, sizes, kind, setting=setting)
        for at, part in zip(
            chosen, np.split(rows, np.cumsum([n * (n - 1) // 2 for n in sizes])[:-1]), strict=True
        ):
            tables[at] = part
    return tables


def _rows(units: Sequence[Unit], sizes: Sequence[int], kind: str, *, setting: Setting) -> NDArray[np.float64]:
    numbered = [Unit((at,), unit.names, unit.aliases, unit.documents) for at, unit in enumerate(units)]
    vectors = setting.embedder.encode([unit.names[0] for unit in numbered])
    features = build_features(numbered, _normal, vectors=vectors)
    starts = np.cumsum([0, *sizes[:-1]]).tolist()
    pairs = np.array(
        [
            pair
            for start, size in zip(starts, sizes, strict=True)
            for pair in combinations(range(start, start + size), 2)
        ],
        dtype=np.int64,
    ).reshape(-1, 2)
    told = np.array([_told(numbered[a], numbered[b]) for a, b in pairs.tolist()], dtype=np.float64)
    base = np.hstack([pair_table(numbered, features, pairs), told])
    near = told[:, :1]
    of_kind = [base * (kind == other) for other in setting.kinds]
    flags = np.tile(np.array([float(kind == other) for other in setting.kinds]), (len(base), 1))
    return np.hstack([base, flags, base * near, *of_kind])


def _told(a: Unit, b: Unit) -> tuple[float, ...]:
    """Whether two units share a document and how many of theirs, and whether one may abbreviate the other."""
    both, either = len(a.documents & b.documents), len(a.documents | b.documents)
    short, long = sorted((a.names[0], b.names[0]), key=lambda n: (len(n), n))
    letters = [c for c in short.lower() if c.isalnum()]
    rest = iter(long.lower())
    initials = letters[:1] == [long[:1].lower()] and all(c in rest for c in letters)
    return (
        float(both > 0),
        both / either if either else 0.0,
        float(len(short) <= _SHORT),
        float(a.names[0][:1].lower() == b.names[0][:1].lower()),
        float(initials),
    )


def _unit(
    member: Member,
    kind: str,
    documents: Mapping[tuple[str, str], frozenset[str]],
    aliases: Mapping[tuple[str, str], tuple[str, ...]],
) -> Unit:
    forms = sorted({_normal(name) for name in member.names})
    held = frozenset(d for form in forms for d in documents.get((kind, form), ()))
    others = tuple(sorted({a for form in forms for a in aliases.get((kind, form), ())}))
    return Unit((0,), member.names, others, held)


def _groups(size: int, chances: NDArray[np.float64], cut: float) -> tuple[tuple[int, ...], ...]:
    """Average linkage on probabilities of all pairs, cut where the average falls below ``cut``."""
    from scipy.cluster.hierarchy import fcluster, linkage

    labels = fcluster(linkage(1.0 - chances, "average"), 1.0 - cut, "distance")
    members: dict[int, list[int]] = defaultdict(list)
    for at in range(size):
        members[int(labels[at])].append(at)
    return tuple(tuple(group) for group in members.values() if len(group) > 1)


def _normal(name: str) -> str:
    return normalise_name(name, case_sensitive=False)
