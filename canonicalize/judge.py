"""Who decides whether a cluster of similar names is one entity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, Self

from pydantic import model_validator

from schemas.errors import DataError
from schemas.ids import RecordId
from schemas.model import Frozen
from schemas.review import Feature


class Member(Frozen):
    """One part of a candidate: records that are one entity already."""

    record: RecordId
    """The smallest record id: stands for all."""
    records: int
    """How many records it has."""
    names: tuple[str, ...]
    """Most frequent first."""
    description: str = ""
    """The longest description."""


class Candidate(Frozen):
    """Two or more members that similarity found to be one entity."""

    type: str
    members: tuple[Member, ...]
    score: float
    """Average similarity over all pairs, in [-1, 1]."""
    features: tuple[Feature, ...] = ()


class Verdict(Frozen):
    """Which members of a candidate are one entity: disjoint groups of member numbers.

    A member in no group stays alone. A verdict may split a candidate, never add to it.
    """

    groups: tuple[tuple[int, ...], ...]
    reason: str = ""

    @model_validator(mode="after")
    def _disjoint(self) -> Self:
        members = [m for group in self.groups for m in group]
        if len(set(members)) != len(members):
            raise ValueError("the groups of a verdict must not share members")
        return self


class Judge(Protocol):
    """Decides on candidates, all of one round at once so that it can work in batches."""

    @property
    def name(self) -> str:
        """Name and version, for example ``threshold/1``; stored with every merge."""
        ...

    def decide(self, candidates: Sequence[Candidate]) -> Sequence[Verdict]:
        """One verdict per candidate, in their order. May raise ``ChatError`` or ``TransientServiceError``."""
        ...


class ThresholdJudge:
    """Accepts every candidate: the similarity threshold and the vetoes have decided already."""

    name = "threshold/1"

    def decide(self, candidates: Sequence[Candidate]) -> tuple[Verdict, ...]:
        """All members of each candidate are one entity.

        >>> pair = tuple(Member(record=RecordId(r), records=1, names=(r,)) for r in "ab")
        >>> ThresholdJudge().decide([Candidate(type="method", members=pair, score=0.9)])[0].groups
        ((0, 1),)
        """
        return tuple(Verdict(groups=(tuple(range(len(c.members))),)) for c in candidates)


def verdicts(judge: Judge, candidates: Sequence[Candidate]) -> tuple[Verdict, ...]:
    """The judge's verdicts, or ``DataError`` when they do not fit the candidates."""
    if not candidates:
        return ()
    decided = tuple(judge.decide(candidates))
    if len(decided) != len(candidates):
        raise DataError(
            f"judge {judge.name}: expected {len(candidates)} verdicts, found {len(decided)}; fix the judge"
        )
    for candidate, verdict in zip(candidates, decided, strict=True):
        known = range(len(candidate.members))
        strange = [m for group in verdict.groups for m in group if m not in known]
        if strange:
            raise DataError(
                f"judge {judge.name}: a verdict names member {strange[0]} of a candidate with"
                f" {len(candidate.members)} members; fix the judge"
            )
    return decided
