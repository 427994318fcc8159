"""Readings of a question by the chart, best first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from cypher.semantics.asking import only_names
from cypher.semantics.chart import clauses, gaps, nouns, owners, properties, relatives
from cypher.semantics.chart.forms import Asked
from cypher.semantics.chart.lexemes import Lattice, Vocabulary
from cypher.semantics.chart.lower import lower
from cypher.semantics.chart.parser import Grammar, Parser
from cypher.semantics.chart.roots import best_questions, questions
from cypher.semantics.chart.timewords import add_times, holds_year
from cypher.semantics.chart.ways import Ways
from cypher.semantics.ir import Query
from cypher.semantics.mentions import Given, Linked, Linker

GRAMMAR: Final = Grammar(
    nouns=nouns.find,
    cores=nouns.cores,
    owned=owners.owned,
    predicates=clauses.predicates,
    gaps=gaps.gaps,
    modifiers=relatives.modifiers,
    places=relatives.places,
    limits=properties.find,
)


@dataclass(frozen=True, slots=True)
class Charted:
    """A reading of the chart, with the features of its score."""

    query: Query
    score: float
    features: tuple[tuple[str, float], ...]
    asked: Asked


class ChartReader:
    """Reads whole questions over one schema."""

    def __init__(self, vocabulary: Vocabulary, ways: Ways, linker: Linker) -> None:
        self._vocabulary, self._ways, self._linker = vocabulary, ways, linker
        self._years = [
            info
            for info in vocabulary.words.properties.values()
            if vocabulary.schema.label(info.owner) and holds_year(info)
        ]
        self._names = {x.name: x.name_property for x in vocabulary.schema.labels if x.name_property}

    def read(self, linked: Linked, given: Given | None = None) -> tuple[Charted, ...]:
        """Readings of all words of a question; none where they do not make one."""
        lattice = Lattice(self._linker, linked, given, names=self._names)
        add_times(lattice, self._years)
        found = best_questions(questions(Parser(lattice, self._vocabulary, self._ways, GRAMMAR)))
        if not found:
            lenient = Parser(lattice, self._vocabulary, self._ways, GRAMMAR, lenient=True)
            found = best_questions(questions(lenient))
        lowered = [(lower(a, self._vocabulary.words), a) for a in found]
        names = only_names(lattice.lower)
        return tuple(
            Charted(_named(query) if names else query, a.score, a.features, a)
            for query, a in lowered
            if query is not None
        )


def _named(query: Query) -> Query:
    """Without the number that a condition compares: "the names of those with more than two"."""
    return replace(query, show_order=False) if query.having and query.order is None else query
