"""Ways between labels for the chart: what a relation joins, and bridges that no word names."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from cypher.semantics.chart.forms import reverse
from cypher.semantics.held import held
from cypher.semantics.mutual import MUTUAL
from cypher.semantics.named_after import says_what_they_do
from cypher.semantics.schema_paths import MIRRORED, Path, SchemaPaths, Step
from cypher.semantics.text import identifier_words
from schemas.store_schema import StoreSchema

MOST_NOUN: Final = 3
"""Words of a type that is a noun with its preposition."""
MOST_BRIDGES: Final = 3
MOST_BRIDGED: Final = 3
ANY_OF: Final = 0.5
"""Cost of a tie by any of several types of one kind, where no word says which."""
OWN_DEED: Final = 0.45
"""Cost of the tie that a kind is called after: directors have films that they directed."""
"""Steps of a bridge."""


_KINDS: Final = frozenset({"species", "breed", "kind", "type", "category", "class", "sort", "model"})
"""Words of a type that ties things to their kind."""


@dataclass(frozen=True, slots=True)
class Way:
    """A relation as said from ``start``; ``forward`` when that is where its relationships start."""

    start: str
    path: Path
    end: str
    forward: bool
    own: bool = True
    """Whether it is one relationship, not two through a middle that no noun names."""
    alike: bool = False
    """Whether things of either end may be at the other, so that only what is said tells who does it."""


def _says_kind(words: tuple[str, ...]) -> bool:
    """Whether a type's words say that something is of a kind.

    >>> _says_kind(("of", "species")), _says_kind(("is", "a")), _says_kind(("has", "phone"))
    (True, True, False)
    """
    return words[:1] == ("of",) or words[:2] in (("is", "a"), ("instance", "of")) or bool(_KINDS & set(words))


def calls_its_start(kind: str) -> bool:
    """Whether a type's noun is what its relationships start from: who is ``PARENT_OF`` Ann is her parent.

    Not of what holds both ways.

    >>> calls_its_start("PARENT_OF"), calls_its_start("HAS_PARENT"), calls_its_start("MARRIED_TO")
    (True, False, False)
    """
    first, *rest = identifier_words(kind)
    ends = rest[-1:] in (["of"], ["to"], ["for"]) and len(rest) < MOST_NOUN
    return ends and first not in MUTUAL and not first.endswith(("ed", "en"))


class Ways:
    """Relations and bridges of one schema, made when first asked for."""

    def __init__(self, schema: StoreSchema, paths: SchemaPaths) -> None:
        self._schema, self._paths = schema, paths
        self.held = held(schema)
        self._ways: dict[str, tuple[Way, ...]] = {}
        self._bridges: dict[tuple[str, str], tuple[tuple[Path, float], ...]] = {}

    def of(self, kind: str) -> tuple[Way, ...]:
        """All ways of one relationship type, from either end; doubled ones through its start included."""
        if kind not in self._ways:
            self._ways[kind] = tuple(self._find(kind))
        return self._ways[kind]

    def _find(self, kind: str) -> list[Way]:
        out: list[Way] = []
        triples = self._schema.triples
        for t in triples:
            if t.type != kind:
                continue
            alike = self._schema.triple(t.end, kind, t.start) is not None
            out.append(Way(t.start, (Step(kind, True, t.end),), t.end, True, alike=alike))
            out.append(Way(t.end, (Step(kind, False, t.start),), t.start, False, alike=alike))
            for other in triples:
                if (other.start, other.end) == (t.start, t.end) and other.type != kind and t.start != t.end:
                    up, down = Step(kind, False, t.start), Step(other.type, True, t.end)
                    out.append(Way(t.end, (up, down), t.end, False, own=False))
        return out

    def bridges(self, start: str, end: str) -> tuple[tuple[Path, float], ...]:
        """Shortest paths that no word names, with their costs; the empty path between equal labels."""
        if start == end:
            return (((), 0.0),)
        if (start, end) not in self._bridges:
            self._bridges[start, end] = tuple(self._cheapest(start, end))
        return self._bridges[start, end]

    def _cheapest(self, start: str, end: str) -> list[tuple[Path, float]]:
        found = [p for p in self._paths.between(start, end) if len(p) < min(MIRRORED, MOST_BRIDGED + 1)]
        if not found:
            return []
        costs = [(p, self.cost(start, p)) for p in found]
        direct = next((p for p in found if len(p) == 1), None)
        if direct and (any_of := self.variants(start, direct[0])):
            costs.append(((any_of,), ANY_OF))
        costs.sort(key=lambda c: (c[1], len(c[0])))
        return costs[:MOST_BRIDGES]

    def variants(self, start: str, step: Step) -> Step | None:
        """One step for all types between two labels that have the same properties, so are of one kind.

        ``None`` where there is one such type only, or types without properties, which tell nothing.
        """
        held = self._held(step.type)
        if not held:
            return None
        ends = (start, step.to) if step.forward else (step.to, start)
        types = [
            t.type for t in self._schema.triples if (t.start, t.end) == ends and self._held(t.type) == held
        ]
        return Step("|".join(types), step.forward, step.to) if len(types) > 1 else None

    def _held(self, kind: str) -> frozenset[str]:
        found = self._schema.relation(kind)
        return frozenset(p.name for p in found.properties) if found else frozenset()

    def cost(self, start: str, path: Path) -> float:
        """How unlikely it is that a path is meant which no word names."""
        here, total = start, 0.55 * max(0, len(path) - 2)
        total += 0.5 * sum(a.forward != b.forward for a, b in pairwise(path))
        for step in path:
            if says_what_they_do(*((here, step.type) if step.forward else (step.to, step.type))):
                total, here = total + OWN_DEED, step.to
                continue
            parallel, share = self._paths.rivals(here, step)
            total += (
                (0.25 if self.owning((step,)) and step.forward else 0.55)
                + 0.25 * math.log2(max(1, parallel))
                + 0.3 * (1 - share)
            )
            here = step.to
        return total

    @staticmethod
    def owning(path: Path) -> bool:
        """Whether a path is one step of having: ``HAS_PHONE``."""
        return len(path) == 1 and identifier_words(path[0].type)[0] in ("has", "have", "owns")

    def havers(self, label: str) -> tuple[tuple[str, Path], ...]:
        """Labels whose things have one of ``label`` by a relation of having."""
        found = ((t.start, (Step(t.type, True, t.end),)) for t in self._schema.triples if t.end == label)
        return tuple((start, path) for start, path in found if self.owning(path))

    def of_kind(self, label: str) -> tuple[tuple[str, Path], ...]:
        """Labels whose things a relation joins to one of ``label`` as their kind: ``OF_SPECIES``."""
        found = ((t.start, t.type) for t in self._schema.triples if t.end == label != t.start)
        return tuple(
            (start, (Step(kind, True, label),)) for start, kind in found if _says_kind(identifier_words(kind))
        )

    def between(self, start: str, end: str) -> tuple[Path, ...]:
        """Single steps and short paths between two labels, equal ones too."""
        return tuple(self._paths.between(start, end))

    @staticmethod
    def back(path: Path, start: str) -> Path:
        """See :func:`cypher.semantics.chart.forms.reverse`."""
        return reverse(path, start)
