"""Readings of a question by the chart, best first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from cypher.semantics.asking import only_names
from cypher.semantics.chart import clauses, gaps, nouns, owners, properties, relatives
from cypher.semantics.chart.across import across
from cypher.semantics.chart.forms import Asked, Features
from cypher.semantics.chart.gathered import gathered
from cypher.semantics.chart.lexemes import Lattice, Vocabulary
from cypher.semantics.chart.lower import lower
from cypher.semantics.chart.oftenest import counted_once, oftenest, without_often
from cypher.semantics.chart.parser import BEAM, Grammar, Parser
from cypher.semantics.chart.roots import best_questions, questions
from cypher.semantics.chart.timewords import add_times, years_known
from cypher.semantics.chart.ways import Ways
from cypher.semantics.ir import Query
from cypher.semantics.mentions import Given, Linked, Linker
from cypher.semantics.score import total

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

_ASTRAY: Final[Features] = (("c_owner", 1.0),)


@dataclass(frozen=True, slots=True)
class Charted:
    """A reading of the chart, with the features of its score."""

    query: Query
    score: float
    features: tuple[tuple[str, float], ...]
    asked: Asked


class ChartReader:
    """Reads whole questions over one schema."""

    def __init__(self, vocabulary: Vocabulary, ways: Ways, linker: Linker, *, beam: int = BEAM) -> None:
        """Of the phrases between two words at most ``beam`` are kept."""
        self._vocabulary, self._ways, self._linker, self._beam = vocabulary, ways, linker, beam
        self._years = years_known(vocabulary)
        self._names = {x.name: x.name_property for x in vocabulary.schema.labels if x.name_property}

    def read(self, linked: Linked, given: Given | None = None) -> tuple[Charted, ...]:
        """Readings of all words of a question; none where they do not make one."""
        lattice = self._lattice(linked, given)
        parser = self._parser(lattice)
        plain = (_of_one(x) for x in questions(parser) if not counted_once(x, parser))
        found = best_questions(chain(plain, self._oftenest(linked, given)))
        if not found:
            found = best_questions(questions(self._parser(lattice, lenient=True)))
        schema = self._vocabulary.schema
        told = [replace(a, thing=across(gathered(a.thing, schema), linked)) for a in found]
        lowered = [(lower(a, self._vocabulary.words), a) for a in told]
        names = only_names(lattice.lower)
        return tuple(
            Charted(self._named(query) if names else query, a.score, a.features, a)
            for query, a in lowered
            if query is not None
        )

    def _named(self, query: Query) -> Query:
        """Without the number that a condition compares, but with what the first few are ranked by.

        "The names of those with more than two" are names alone; "the names of the top 5 ... with the highest"
        are told apart by what is highest.
        """
        if query.having and query.order is None:
            return replace(query, show_order=False)
        top = query.limit is not None and query.limit > 1 and query.order is not None
        name = self._names.get(query.nodes[query.answer].label)
        told = {(f.ref.owner, f.ref.name) for f in query.filters}
        key = query.order.ref if query.order else None
        top = top and key is not None and (key.owner, key.name) not in told
        if top and [(r.owner, r.name) for r in query.project] == [(query.answer, name)]:
            return replace(query, show_order=True)
        return query

    def _lattice(self, linked: Linked, given: Given | None) -> Lattice:
        lattice = Lattice(self._linker, linked, given, names=self._names)
        add_times(lattice, self._years)
        return lattice

    def _parser(self, lattice: Lattice, *, lenient: bool = False) -> Parser:
        return Parser(lattice, self._vocabulary, self._ways, GRAMMAR, lenient=lenient, beam=self._beam)

    def _oftenest(self, linked: Linked, given: Given | None) -> Iterator[Asked]:
        """Readings of the question without its "most often", as the ones of which it holds most often."""
        found = without_often(linked.text)
        if found is None:
            return
        shorter = self._linker.link(found[0], given)
        for asked in questions(self._parser(self._lattice(shorter, given))):
            yield from oftenest(asked, self._vocabulary, descending=found[1])


def _of_one(asked: Asked) -> Asked:
    """With what speaks against properties of another thing of the label that is asked for."""
    astray = any(w.path and w.label == asked.thing.label and not asked.each for w in asked.wanted)
    if not astray:
        return asked
    return replace(asked, score=asked.score + total(_ASTRAY), features=asked.features + _ASTRAY)
