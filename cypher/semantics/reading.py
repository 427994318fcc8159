"""What a question was read as: readings in an order, and how far to trust the first."""

from __future__ import annotations

from dataclasses import dataclass

from cypher.semantics.compose import Candidate
from cypher.semantics.doubts import SURE, Doubts
from cypher.semantics.ir import Query
from cypher.semantics.mentions import Linked
from cypher.semantics.softened import Taken
from cypher.semantics.write import Written


@dataclass(frozen=True, slots=True)
class Reading:
    """What a question was read as; ``candidates`` best first, none when nothing fits."""

    linked: Linked
    candidates: tuple[Candidate, ...]
    written: Written | None
    confidence: float
    doubts: Doubts = ()
    """What the confidence rests on; see :mod:`cypher.semantics.doubts`."""
    taken: tuple[Taken, ...] = ()
    """Words that the schema does not know, with what they were taken for."""
    of_each: Query | None = None
    """The candidate that tells of each of several names where nothing fits all of them together."""

    @property
    def query(self) -> Query | None:
        """The best reading."""
        return self.candidates[0].query if self.candidates else None

    @property
    def heard(self) -> bool:
        """Whether it is sure, and passes over nothing that the question says."""
        passed = any(name.startswith("unheard_") for name, _ in self.doubts)
        return self.confidence >= SURE and not passed and not self.linked.unexplained
