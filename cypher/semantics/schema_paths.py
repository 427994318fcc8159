"""Ways through a schema: chains of relationship types that join two labels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from schemas.store_schema import StoreSchema, StoreTriple

MOST_HOPS: Final = 3
MIRRORED: Final = 4
"""Steps of a path out and back through one middle in two roles."""
MOST_PATHS: Final = 24
"""Paths kept per pair of labels, shortest first."""


@dataclass(frozen=True, slots=True)
class Step:
    """One relationship, walked forward or against its direction, to a node labelled ``to``."""

    type: str
    """The relationship's type; several of one kind with "|" between them, see ``Ways.variants``."""
    forward: bool
    to: str

    @property
    def types(self) -> tuple[str, ...]:
        """The types that it may have."""
        return tuple(self.type.split("|"))


Path = tuple[Step, ...]


def is_restricted(triple: StoreTriple, schema: StoreSchema) -> bool:
    """Whether a triple is one within a broader label of both ends: that doctors marry patients, as people do.

    No question means it where it does not say so.
    """
    ends = {triple.start, triple.end}
    if len(ends) == 1 or not schema.label_sets:
        return False
    broader = (
        t.start
        for t in schema.triples
        if t.type == triple.type and t.start == t.end and (t.start not in ends or len(ends) == 2)
    )
    return any(_covers(label, ends, schema) for label in broader)


def _covers(label: str, ends: set[str], schema: StoreSchema) -> bool:
    return all(label in labels for labels in schema.node_sets if labels & ends)


class SchemaPaths:
    """All paths of at most three steps between labels, made when first asked for."""

    def __init__(self, schema: StoreSchema, *, hops: int = MOST_HOPS) -> None:
        self._out: dict[str, list[Step]] = defaultdict(list)
        for triple in schema.triples:
            if is_restricted(triple, schema):
                continue
            self._out[triple.start].append(Step(triple.type, True, triple.end))
            self._out[triple.end].append(Step(triple.type, False, triple.start))
        self._hops = hops
        self._counts = {(t.start, t.type, t.end): t.count for t in schema.triples}
        self._rivals: dict[tuple[str, Step], tuple[int, float]] = {}
        self._known: dict[tuple[str, str], Sequence[Path]] = {}

    def steps(self, label: str) -> Sequence[Step]:
        """Single steps from ``label``."""
        return self._out.get(label, ())

    def rivals(self, label: str, step: Step) -> tuple[int, float]:
        """How many types join the two labels of a step, and the share of its own type's relationships."""
        if (label, step) not in self._rivals:
            types = {s.type for s in self.steps(label) if s.to == step.to}
            counts = {
                t: self._counts.get((label, t, step.to), 0) + self._counts.get((step.to, t, label), 0)
                for t in types
            }
            self._rivals[label, step] = len(types), counts[step.type] / max(1, sum(counts.values()))
        return self._rivals[label, step]

    def between(self, start: str, end: str) -> Sequence[Path]:
        """Paths from ``start`` to ``end``, shortest first; none passes one label twice but its ends'."""
        if (start, end) not in self._known:
            self._known[start, end] = self._search(start, end)
        return self._known[start, end]

    def _search(self, start: str, end: str) -> Sequence[Path]:
        found: list[Path] = []
        front: list[Path] = [()]
        for _ in range(self._hops):
            longer: list[Path] = []
            for path in front:
                here = path[-1].to if path else start
                for step in self._out.get(here, ()):
                    if step.to == end:
                        found.append((*path, step))
                    if step.to not in (start, end) and all(step.to != s.to for s in path):
                        longer.append((*path, step))
            front = longer
            if len(found) >= MOST_PATHS:
                break
        return (*found[:MOST_PATHS], *(self._mirrored(start) if start == end else ()))

    def _mirrored(self, label: str) -> Sequence[Path]:
        """Four steps out and back by the same labels, in two roles of the middle: caller and called."""
        out = [
            (first, up, down, Step(first.type, not first.forward, label))
            for first in self._out.get(label, ())
            for up in self._out.get(first.to, ())
            for down in self._out.get(up.to, ())
            if down.to == first.to and down.type != up.type and label not in (first.to, up.to)
        ]
        return out[:MOST_PATHS]
