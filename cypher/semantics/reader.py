"""Reads a question over any graph: Cypher with parameters, confidence, and what was not understood."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

from cypher.semantics.alike import form
from cypher.semantics.chart.forms import Features
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
from cypher.semantics.way import OURS, Way
from cypher.semantics.write import Written, write
from schemas.store_schema import StoreSchema

_LEFT: Final = ("skip", "cue_unused", "number_lost", "property_lost", "unattached")
"""Features of a composed reading that left something of the question out."""
_GUESSED: Final = ("number_guess", "property_new_node", "open_relation", "no_cue", "loose_value")
"""Features of a composed reading that put in what the question does not say."""
_STRETCHED: Final = ("c_open", "c_doubled", "c_stands", "c_lost", "c_owner", "c_compound", "c_side", "c_who")
"""Features of a charted reading that take the words in a less usual way."""
NO_MARGIN: Final = 2.0
"""Margin of a reading without a rival."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a question was read as; ``candidates`` best first, none when nothing fits."""

    linked: Linked
    candidates: tuple[Candidate, ...]
    written: Written | None
    confidence: float
    doubts: tuple[float, ...] = ()
    """What the confidence rests on; see :func:`doubts_of`."""

    @property
    def query(self) -> Query | None:
        """The best reading."""
        return self.candidates[0].query if self.candidates else None


class SemanticReader:
    """A parser over one schema and its values. Deterministic; safe to share between threads."""

    def __init__(
        self,
        schema: StoreSchema,
        values: ValueTable,
        spoken: Verbalisation | None = None,
        *,
        way: Way = OURS,
    ) -> None:
        self._schema, self._way = schema, way
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
        written = write(candidates[0].query, self._schema, self._way) if candidates else None
        doubts = doubts_of(linked, charted, composed) if candidates else ()
        if _explains(charted) and not _sum(charted[0].features, ("c_skip",)):
            linked = replace(linked, unexplained=())
        return Reading(linked, candidates, written, _confidence(doubts), doubts)

    def write(self, query: Query, *, whole_nodes: bool = False, bare: bool = False) -> Written:
        """Cypher of a reading in the reader's way or with more; see :class:`cypher.semantics.way.Way`."""
        whole, bare = whole_nodes or self._way.whole_nodes, bare or self._way.bare
        return write(query, self._schema, replace(self._way, whole_nodes=whole, bare=bare))


MOST_LEFT: Final = 0.9
"""Words that a reading of the chart may leave unexplained and still come first, as their costs add up."""


def ranked(charted: tuple[Charted, ...], composed: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """Readings of both ways, best first: the chart's where it explains the question, else the composer's."""
    chart = tuple(Candidate(c.query, c.score, c.features) for c in charted)
    if not chart or not composed:
        return chart or composed
    first, second = (chart, composed) if _explains(charted) else (composed, chart)
    gap = first[-1].score - second[0].score - 1.0
    return (*first, *(replace(c, score=c.score + gap) for c in second))


def _explains(charted: tuple[Charted, ...]) -> bool:
    return bool(charted) and _sum(charted[0].features, ("c_skip",)) < MOST_LEFT


def _sum(features: Features, names: tuple[str, ...]) -> float:
    return sum(amount for name, amount in features if name in names)


def doubts_of(
    linked: Linked, charted: tuple[Charted, ...], composed: tuple[Candidate, ...]
) -> tuple[float, ...]:
    """What the confidence rests on, each figure cut to a few units so that none outweighs the others.

    Whether the chart's reading comes first, what it leaves, stretches and bridges, its margin; the same of a
    composed reading; whether both ways, which share the words alone, come to one reading.
    """
    alike = bool(charted and composed) and form(charted[0].query) == form(composed[0].query)
    if _explains(charted):
        features = charted[0].features
        return (
            1.0,
            1.0 if alike else 0.0,
            _sum(features, ("c_skip",)),
            min(_sum(features, _STRETCHED), 4.0),
            min(max(_sum(features, ("c_bridge",)), 0.0), 4.0),
            _margin([c.score for c in charted]),
            *(0.0,) * 4,
        )
    features = composed[0].features if composed else charted[0].features
    return (
        *(0.0,) * 6,
        min(float(len(linked.unexplained)), 4.0),
        min(_sum(features, _LEFT), 4.0),
        min(_sum(features, _GUESSED), 4.0),
        _margin([c.score for c in composed]),
    )


def _margin(scores: list[float]) -> float:
    return min(scores[0] - scores[1], NO_MARGIN) if len(scores) > 1 else NO_MARGIN


def _confidence(doubts: tuple[float, ...]) -> float:
    if not doubts:
        return 0.0
    intercept, *slopes = fitted().confidence
    raised = intercept + sum(s * x for s, x in zip(slopes, doubts, strict=True))
    return 1 / (1 + math.exp(-raised))
