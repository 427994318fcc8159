"""Reads a question over any graph: Cypher with parameters, confidence, and what was not understood."""

from __future__ import annotations

from dataclasses import dataclass

from cypher.semantics.compose import Candidate, compose
from cypher.semantics.ir import Query
from cypher.semantics.lexicon import Verbalisation, build_words
from cypher.semantics.mentions import Given, Linked, Linker
from cypher.semantics.schema_paths import SchemaPaths
from cypher.semantics.values import ValueTable
from cypher.semantics.write import Written, write
from schemas.store_schema import StoreSchema


@dataclass(frozen=True, slots=True)
class Reading:
    """What a question was read as; ``candidates`` best first, none when nothing fits."""

    linked: Linked
    candidates: tuple[Candidate, ...]
    written: Written | None
    confidence: float

    @property
    def query(self) -> Query | None:
        """The best reading."""
        return self.candidates[0].query if self.candidates else None


class SemanticReader:
    """A parser over one schema and its values. Deterministic; safe to share between threads."""

    def __init__(self, schema: StoreSchema, values: ValueTable, spoken: Verbalisation | None = None) -> None:
        self._schema = schema
        self._words = build_words(schema, values, spoken)
        self._paths = SchemaPaths(schema)
        self._linker = Linker(self._words, values)

    def read(self, question: str, *, given: Given | None = None) -> Reading:
        """The readings of one question."""
        linked = self._linker.link(question, given)
        candidates = compose(linked, self._schema, self._paths, self._words)
        written = write(candidates[0].query, self._schema) if candidates else None
        return Reading(linked, candidates, written, _confidence(linked, candidates))

    def write(self, query: Query, *, whole_nodes: bool = False, bare: bool = False) -> Written:
        """Cypher of a reading; see :func:`cypher.semantics.write.write`."""
        return write(query, self._schema, whole_nodes=whole_nodes, bare=bare)


def _confidence(linked: Linked, candidates: tuple[Candidate, ...]) -> float:
    if not candidates:
        return 0.0
    best = candidates[0]
    margin = best.score - candidates[1].score if len(candidates) > 1 else 2.0
    skipped = sum(a for n, a in best.features if n in ("skip", "cue_unused", "number_lost", "property_lost"))
    doubts = len(linked.unexplained) + skipped
    return max(0.0, min(1.0, 0.9 - 0.2 * doubts + 0.1 * min(margin, 1.0)))
