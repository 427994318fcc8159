"""Reads a question over any graph: Cypher with parameters, confidence, and what was not understood."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

from cypher.semantics.chart.lexemes import Vocabulary
from cypher.semantics.chart.reading import Charted, ChartReader
from cypher.semantics.chart.ways import Ways
from cypher.semantics.compose import Candidate, compose
from cypher.semantics.ir import Query
from cypher.semantics.lexicon import Verbalisation, build_words
from cypher.semantics.mentions import Given, Linked, Linker
from cypher.semantics.schema_paths import SchemaPaths
from cypher.semantics.score import fitted
from cypher.semantics.values import ValueTable
from cypher.semantics.write import Written, write
from schemas.store_schema import StoreSchema

_LEFT: Final = ("skip", "cue_unused", "number_lost", "property_lost", "unattached")
"""Features of a reading that left something of the question out."""
_GUESSED: Final = ("number_guess", "property_new_node", "open_relation", "no_cue", "loose_value")
"""Features of a reading that put in what the question does not say."""


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
        vocabulary = Vocabulary(schema, self._words, values)
        self._chart = ChartReader(vocabulary, Ways(schema, self._paths), self._linker)

    def read(self, question: str, *, given: Given | None = None) -> Reading:
        """The readings of one question."""
        linked = self._linker.link(question, given)
        charted = self._chart.read(linked, given)
        composed = compose(linked, self._schema, self._paths, self._words)
        candidates = ranked(charted, composed)
        written = write(candidates[0].query, self._schema) if candidates else None
        return Reading(linked, candidates, written, _confidence(linked, candidates))

    def write(self, query: Query, *, whole_nodes: bool = False, bare: bool = False) -> Written:
        """Cypher of a reading; see :func:`cypher.semantics.write.write`."""
        return write(query, self._schema, whole_nodes=whole_nodes, bare=bare)


MOST_LEFT: Final = 0.9
"""Words that a reading of the chart may leave unexplained and still come first, as their costs add up."""


def ranked(charted: tuple[Charted, ...], composed: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """Readings of both ways, best first: the chart's where it explains the question, else the composer's."""
    chart = tuple(Candidate(c.query, c.score, c.features) for c in charted)
    if not chart or not composed:
        return chart or composed
    left = sum(amount for name, amount in chart[0].features if name == "c_skip")
    first, second = (chart, composed) if left < MOST_LEFT else (composed, chart)
    gap = first[-1].score - second[0].score - 1.0
    return (*first, *(replace(c, score=c.score + gap) for c in second))


def confidence_features(linked: Linked, candidates: tuple[Candidate, ...]) -> tuple[float, ...]:
    """What the confidence rests on: unexplained words, leftovers of the reading, its margin, its guesses.

    Each is cut to a few units, so that no single one outweighs the others.
    """
    best = candidates[0]
    margin = best.score - candidates[1].score if len(candidates) > 1 else 2.0
    amounts: dict[str, float] = {}
    for name, amount in best.features:
        amounts[name] = amounts.get(name, 0.0) + amount
    left = sum(amounts.get(n, 0.0) for n in _LEFT)
    guessed = sum(amounts.get(n, 0.0) for n in _GUESSED)
    return (
        min(float(len(linked.unexplained)), 4.0),
        min(left, 4.0),
        min(margin, 2.0),
        min(guessed, 4.0),
        min(amounts.get("hop", 0.0) + amounts.get("distance", 0.0), 6.0),
    )


def _confidence(linked: Linked, candidates: tuple[Candidate, ...]) -> float:
    if not candidates:
        return 0.0
    intercept, *slopes = fitted().confidence
    inputs = confidence_features(linked, candidates)
    raised = intercept + sum(s * x for s, x in zip(slopes, inputs, strict=True))
    return 1 / (1 + math.exp(-raised))
