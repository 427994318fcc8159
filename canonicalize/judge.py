"""Who decides whether a cluster of similar names is one entity."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from schemas.errors import DataError
from schemas.ids import RecordId
from schemas.model import Frozen
from schemas.review import Feature

Columns = NDArray[np.float64]
"""(n_pairs, n_features): ``similarity.PAIR_FEATURES`` of each pair of a candidate's members, in the order of
``itertools.combinations``."""


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
    aliases: tuple[str, ...] = ()
    """Other names that its records give."""
    entity: str = ""
    """The entity that it was before this resolution; empty for one that is new."""


class Candidate(Frozen):
    """Two or more members that similarity found to be one entity."""

    type: str
    members: tuple[Member, ...]
    score: float
    """Average similarity over all pairs, in [-1, 1]."""
    features: tuple[Feature, ...] = ()


class Note(Frozen):
    """What a judge says of a group, beside that it is one."""

    reason: str = ""
    probability: float | None = Field(None, ge=0, le=1)
    """That the group is one entity; None where the judge gives none."""
    name: str = ""
    """Shown in place of the records' names; empty to keep the most frequent one."""
    description: str = ""


class Unsure(Frozen):
    """Members that may be one entity or not: left as they are, for a reviewer."""

    members: tuple[int, ...] = Field(min_length=2)
    reason: str = ""
    probability: float | None = Field(None, ge=0, le=1)


class Verdict(Frozen):
    """Which members of a candidate are one entity: disjoint groups of member numbers.

    A member in no group stays alone. A verdict may split a candidate, never add to it. ``unsure`` joins
    groups and single members, each as a whole, that a reviewer should look at.
    """

    groups: tuple[tuple[int, ...], ...]
    reason: str = ""
    """For groups without a note."""
    notes: tuple[Note, ...] = ()
    """One per group, in their order, or none at all."""
    unsure: tuple[Unsure, ...] = ()

    @model_validator(mode="after")
    def _disjoint(self) -> Self:
        members = [m for group in self.groups for m in group]
        if len(set(members)) != len(members):
            raise ValueError("the groups of a verdict must not share members")
        if self.notes and len(self.notes) != len(self.groups):
            raise ValueError("a verdict has one note per group, or none")
        open_ = [m for item in self.unsure for m in item.members]
        if len(set(open_)) != len(open_):
            raise ValueError("what a verdict is unsure of must not share members")
        wholes = [set(item.members) for item in self.unsure]
        if any(whole & set(group) and not set(group) <= whole for whole in wholes for group in self.groups):
            raise ValueError("what a verdict is unsure of joins whole groups")
        return self

    def note(self, group: int) -> Note:
        """What is said of group number ``group``."""
        return self.notes[group] if self.notes else Note(reason=self.reason)


class Judge(Protocol):
    """Decides on candidates, all of one round at once so that it can work in batches."""

    @property
    def name(self) -> str:
        """Name and version, for example ``threshold/1``; stored with every merge."""
        ...

    def decide(self, candidates: Sequence[Candidate]) -> Sequence[Verdict]:
        """One verdict per candidate, in their order. May raise ``ChatError`` or ``TransientServiceError``."""
        ...


@runtime_checkable
class ComparingJudge(Judge, Protocol):
    """A judge that reads the features of pairs: it is asked by ``decide_compared`` in place of ``decide``."""

    def decide_compared(
        self, candidates: Sequence[Candidate], columns: Sequence[Columns]
    ) -> Sequence[Verdict]:
        """One verdict per candidate, from the columns of its pairs."""
        ...


@runtime_checkable
class SizeJudge(Judge, Protocol):
    """A judge that looks at no more than how large a candidate is: no candidate is made for it."""

    def accept(self, sizes: Sequence[int]) -> Sequence[Verdict]:
        """One verdict per candidate, from the number of its members."""
        ...


@runtime_checkable
class CountingJudge(Judge, Protocol):
    """A judge that counts what it asks of a model."""

    @property
    def calls(self) -> int:
        """Requests since it was made, cached ones included."""
        ...

    @property
    def tokens(self) -> int:
        """Tokens of the requests that were paid."""
        ...

    @property
    def cost(self) -> float:
        """What they cost, in the currency of the price settings."""
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
        return self.accept([len(candidate.members) for candidate in candidates])

    def accept(self, sizes: Sequence[int]) -> tuple[Verdict, ...]:
        """``decide`` on candidates of which only the number of members is known."""
        return tuple(Verdict(groups=(tuple(range(size)),)) for size in sizes)


def verdicts(
    judge: Judge,
    candidates: Sequence[Candidate],
    columns: Callable[[], Sequence[Columns]] | None = None,
) -> tuple[Verdict, ...]:
    """The judge's verdicts, or ``DataError`` when they do not fit the candidates.

    ``columns`` gives the pair features of each candidate; called only for a judge that reads them.
    """
    if not candidates:
        return ()
    if columns is not None and isinstance(judge, ComparingJudge):
        decided = judge.decide_compared(candidates, columns())
    else:
        decided = judge.decide(candidates)
    return _fitting(judge, decided, [len(candidate.members) for candidate in candidates])


def verdicts_by_size(judge: SizeJudge, sizes: Sequence[int]) -> tuple[Verdict, ...]:
    """The judge's verdicts on candidates of so many members, checked as in ``verdicts``.

    >>> verdicts_by_size(ThresholdJudge(), [3])[0].groups
    ((0, 1, 2),)
    """
    return _fitting(judge, judge.accept(sizes), sizes)


def _fitting(judge: Judge, decided: Sequence[Verdict], sizes: Sequence[int]) -> tuple[Verdict, ...]:
    if len(decided) != len(sizes):
        raise DataError(
            f"judge {judge.name}: expected {len(sizes)} verdicts, found {len(decided)}; fix the judge"
        )
    for size, verdict in zip(sizes, decided, strict=True):
        named = (*verdict.groups, *(item.members for item in verdict.unsure))
        strange = [m for group in named for m in group if not 0 <= m < size]
        if strange:
            raise DataError(
                f"judge {judge.name}: a verdict names member {strange[0]} of a candidate with"
                f" {size} members; fix the judge"
            )
    return tuple(decided)
