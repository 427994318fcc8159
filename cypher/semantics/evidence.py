"""How much the words of a question speak for what a reading names: learned from questions with their queries.

For every label, type and property of a graph a logistic regression tells from a question's words, with what
it names replaced by its place in the graph, whether the right query has it. A reading is weighed by the sum
of the log-odds of all that it names: naive Bayes' assumption over what is named, as in the hypertagging of
candidate parses. It mends what phrases that are read one by one cannot know: which of several relationships
people mean by "linked to". A sentence encoder that was trained on the same questions may have half a say.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final, Protocol

from cypher.semantics.compose import WIDE, Candidate
from cypher.semantics.ir import ClauseKind, Part, Query
from cypher.semantics.meeting import refs_of
from cypher.semantics.mentions import Linked, Mention
from cypher.semantics.returning import column_elements, columns_of, returning_otherwise
from cypher.semantics.unheard import parts_of
from cypher.semantics.unified import unified
from schemas.store_schema import StoreSchema

WEIGHT: Final = 0.15
"""Of one unit of log-odds, in units of a reading's score; chosen on own questions left out of a fit."""
ENCODED: Final = 0.2
"""The same with an encoder, whose odds are better; chosen in the same way."""
SURE: Final = 4.0
"""Log-odds are cut here, so that no single thing decides."""
OTHERWISE: Final = 1.2
"""How far a reading that returns something else than one of the parsers' is behind that: six to eight units
of log-odds, so that the words must speak for one column and against the other. Chosen as the weight."""
MOST_OTHERWISE: Final = 6
"""Readings that are changed so."""
LEAST: Final = 15
"""Questions that have something, and that do not have it, from which on it is learned."""
REPEATS: Final = 3
"""A label or type is counted up to here."""
EXPECTED: Final = 0.5
"""How far what is rare in the questions that were learned from is expected to be rare in others.

At 1 the odds are those of these questions, whose shares others do not have; at 0 words alone count. Chosen
as the weight.
"""
PENALTY: Final = 10.0
"""Inverse strength of the pull to 0."""
_WORD: Final = r"\w+"
_CAPITAL: Final = re.compile(r"([a-z0-9])([A-Z])")
NAME: Final = "e_words"
"""The feature's name."""


def elements(labels: Counter[str], types: Counter[str], properties: Sequence[str]) -> frozenset[str]:
    """What a query names, each label and type once for every time up to :data:`REPEATS`.

    >>> sorted(elements(Counter(Ship=2), Counter(), ["name"]))
    ['.name', ':Ship 1', ':Ship 2']
    """
    counted = [(f":{name}", times) for name, times in labels.items()]
    counted += [(f"-{name}", times) for name, times in types.items()]
    found = {f"{name} {i}" for name, times in counted for i in range(1, min(REPEATS, times) + 1)}
    return frozenset(found | {f".{name}" for name in properties})


def elements_of(query: Query, same: Mapping[str, str] = MappingProxyType({})) -> frozenset[str]:
    """What a reading names; types in ``same`` go by the name there.

    Of alternatives ("calls between Ann and Ben") each says the same in its way; they are not added up.
    """
    parts = parts_of(query)
    refs = [*refs_of(query), *(f.ref for p in parts[1:] for f in p.filters)]
    outer = tuple(i for i in range(len(query.nodes)) if i not in query.inner)
    labels, types = _counts(query, Part(query.edges, query.filters, query.clauses, outer), same)
    return elements(labels, types, [r.name for r in refs if r.name])


def _counts(query: Query, part: Part, same: Mapping[str, str]) -> tuple[Counter[str], Counter[str]]:
    """How often a pattern and its clauses have each label and each type."""
    labels = Counter(query.nodes[i].label for i in part.nodes)
    types = Counter(same.get(kind, kind) for edge in part.edges for kind in edge.types)
    for clause in part.clauses:
        more: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        for ours, theirs in (_counts(query, p, same) for p in clause.parts):
            if clause.kind is ClauseKind.ANY:
                more = (more[0] | ours, more[1] | theirs)
            else:
                more = (more[0] + ours, more[1] + theirs)
        labels, types = labels + more[0], types + more[1]
    return labels, types


def masked(linked: Linked) -> str:
    """The question with the place of what it names in its stead, and "num" for numbers."""
    return re.sub(r"\d+", "num", _with_places(linked, _place))


def spelled(linked: Linked) -> str:
    """The same in words: "some person name" for a name of a person, "some number" for numbers."""
    return re.sub(r"\d+", "some number", _with_places(linked, _spelled_place))


def _with_places(linked: Linked, place: Callable[[Mention], str]) -> str:
    named = {m.start: m for m in linked.mentions if m.values or m.number is not None or m.day is not None}
    out, at = [], 0
    while at < len(linked.words):
        found = named.get(at)
        out.append(place(found) if found else linked.words[at].lower)
        at = found.end if found else at + 1
    return " ".join(out)


def _place(mention: Mention) -> str:
    if not mention.values:
        return "day" if mention.day is not None else "num"
    best = max(mention.values, key=lambda v: v[1])[0]
    return f"val{best.owner}{best.property}"


def _spelled_place(mention: Mention) -> str:
    if not mention.values:
        return "some day" if mention.day is not None else "some number"
    best = max(mention.values, key=lambda v: v[1])[0]
    words = _CAPITAL.sub(r"\1 \2", f"{best.owner} {best.property}").replace("_", " ")
    return f"some {words.lower()}"


class Encoder(Protocol):
    """What a sentence encoder, trained on the same questions, tells of a :func:`spelled` one."""

    def odds(self, text: str) -> Mapping[str, float]:
        """The log-odds of every element that was learned."""
        ...


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was learned of one graph; safe to share between threads."""

    vectorisers: Sequence[Any]
    """Fitted ``TfidfVectorizer`` objects; their columns stand side by side."""
    weights: Any
    """A column for each element, a row for each column of the vectorisers (float64)."""
    intercepts: Any
    names: tuple[str, ...]
    """The elements."""
    usual: Any
    """The log-odds of each element without any word."""
    same: Mapping[str, str] = field(default_factory=dict)
    """Types that were learned under another name, several under one where they were not told apart."""
    encoder: Encoder | None = None
    """A second opinion: the odds are the mean of both."""

    def of(self, linked: Linked) -> Mapping[str, float]:
        """The log-odds of every element that was learned, by a question."""
        from scipy.sparse import hstack

        text = masked(linked)
        row = hstack([v.transform([text]) for v in self.vectorisers]).tocsr()
        odds = (row @ self.weights)[0] + self.intercepts
        if self.encoder is not None:
            told = self.encoder.odds(spelled(linked))
            odds = (odds + [told.get(name, own) for name, own in zip(self.names, odds, strict=True)]) / 2
        odds -= (1 - EXPECTED) * self.usual
        return dict(zip(self.names, odds.clip(-SURE, SURE).tolist(), strict=True))

    def weighed(
        self, linked: Linked, candidates: Sequence[Candidate], schema: StoreSchema
    ) -> tuple[Candidate, ...]:
        """The readings, best first, with what the words say of all that each names in their scores.

        Among them, as many in all as there may be, are those that return something else than one of the
        first does.
        """
        if not candidates:
            return ()
        odds = self.of(linked)
        asked = [self._asked(c.query, odds, schema) for c in candidates]
        usual = max((x for x in asked if x is not None), default=0.0)
        out = []
        for place, candidate in enumerate(candidates):
            out.append(self._with(candidate, odds, usual if asked[place] is None else asked[place]))
            if place < MOST_OTHERWISE:
                for returned in returning_otherwise(candidate.query, schema, odds):
                    other = unified(linked, returned, schema)
                    behind = replace(candidate, query=other, score=candidate.score - OTHERWISE)
                    out.append(self._with(behind, odds, self._asked(other, odds, schema)))
        return tuple(sorted(out, key=lambda c: -c.score)[: max(WIDE, len(candidates))])

    def _asked(self, query: Query, odds: Mapping[str, float], schema: StoreSchema) -> float | None:
        columns = columns_of(query)
        return None if columns is None else _sum(odds, column_elements(columns, schema))

    def _with(self, candidate: Candidate, odds: Mapping[str, float], asked: float | None) -> Candidate:
        said = _sum(odds, elements_of(candidate.query, self.same)) + (asked or 0.0)
        told = (*candidate.features, (NAME, said))
        weight = WEIGHT if self.encoder is None else ENCODED
        return replace(candidate, score=candidate.score + weight * said, features=told)


def _sum(odds: Mapping[str, float], names: Collection[str]) -> float:
    return sum(odds.get(name, 0.0) for name in names)


def learnable(asked: Sequence[frozenset[str]]) -> tuple[str, ...]:
    """The elements that enough of the questions have, and enough have not."""
    times = Counter(name for found in asked for name in found)
    return tuple(sorted(n for n, k in times.items() if LEAST <= k <= len(asked) - LEAST))


def learn(asked: Sequence[tuple[str, frozenset[str]]]) -> Evidence | None:
    """What masked questions and the elements of their queries teach; deterministic.

    ``None`` where too few of them have anything that as many have not.

    A logistic regression with an L2 penalty (liblinear, scikit-learn) for every element that at least
    :data:`LEAST` questions have and as many have not, over words, pairs and triples of words, and runs of two
    to five letters (TF-IDF, sublinear counts).
    """
    import numpy as np
    from scipy.sparse import hstack
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    times = Counter(name for _, found in asked for name in found)
    names = learnable([found for _, found in asked])
    if not names:
        return None
    texts = [text for text, _ in asked]
    vectorisers = [
        TfidfVectorizer(ngram_range=(1, 3), sublinear_tf=True, token_pattern=_WORD, min_df=2),
        TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), sublinear_tf=True, min_df=2),
    ]
    table = hstack([v.fit_transform(texts) for v in vectorisers]).tocsr()
    table.sum_duplicates()  # else each fit puts the shared table in order, at the same time

    def fitted(name: str) -> Any:
        model = LogisticRegression(C=PENALTY, solver="liblinear", max_iter=1000)
        return model.fit(table, [name in found for _, found in asked])

    with ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="kg-learn") as pool:
        models = list(pool.map(fitted, names))  # liblinear works without the interpreter's lock
    weights = np.column_stack([m.coef_[0] for m in models])
    usual = np.log([times[n] / (len(asked) - times[n]) for n in names])
    intercepts = np.array([m.intercept_[0] for m in models])
    return Evidence(vectorisers, weights, intercepts, names, usual)
