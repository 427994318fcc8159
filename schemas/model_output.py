"""What local extraction models give back, before anything is checked."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LabelledSpan:
    """``text[start:end]`` under a label; ``score`` in [0, 1]."""

    start: int
    end: int
    label: str
    score: float


@dataclass(frozen=True, slots=True)
class LabelledRelation:
    """A relation between two spans of one text, given as (start, end)."""

    head: tuple[int, int]
    tail: tuple[int, int]
    label: str
    score: float


@dataclass(frozen=True, slots=True)
class LabelledText:
    """What a model found in one text, in order of place."""

    spans: tuple[LabelledSpan, ...] = ()
    relations: tuple[LabelledRelation, ...] = ()


@dataclass(frozen=True, slots=True)
class WrittenTriplets:
    """One text's triplets as a model wrote them, with the mean probability of its tokens."""

    text: str
    confidence: float
