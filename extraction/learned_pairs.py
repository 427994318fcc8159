"""The pair model: which relation, if any, joins two entities of one document."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from extraction.learned_crf import Floats
from extraction.learned_labels import Example, LabelledRecord
from extraction.learned_text import Mention, Text
from schemas.documents import BlockKind
from schemas.graph_schema import GraphSchema
from schemas.ids import RecordId

STRENGTHS: Final = (0.05, 0.3, 2.0)
"""Tried as inverse of the L2 penalty of the pair model (C of scikit-learn): small data need a greater one."""
MOST_PAIRS: Final = 4_000
"""Pairs of one document that are judged: those nearest to each other in the text."""
FEW: Final = 1_000
"""Documents below which pairs are also learned from without the words of their names."""
SEEN: Final = 2
"""Pairs that a feature must occur in."""
NONE: Final = ""
_WINDOW: Final = 12
"""Tokens between that count one by one."""

Direction = tuple[str, bool]
"""Relation type, and whether the first entity of the pair is its subject."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two entities in order of type, then of place; with their nearest mentions."""

    first: LabelledRecord
    second: LabelledRecord
    nearest: tuple[Mention, Mention]
    distance: tuple[int, int]
    """Sentences apart, then tokens between."""


def candidate_pairs(records: Sequence[LabelledRecord], schema: GraphSchema, *, reach: int) -> list[Pair]:
    """Pairs whose types some relation joins and that come within ``reach`` sentences of each other."""
    order = {e.name: at for at, e in enumerate(schema.entities)}
    joined = {
        pair for r in schema.relations for s in r.subjects for o in r.objects for pair in ((s, o), (o, s))
    }
    found: list[Pair] = []
    for a, b in combinations(records, 2):
        if (a.type, b.type) in joined:
            first, second = sorted((a, b), key=lambda r: (order[r.type], r.mentions[0], r.id))
            nearest, distance = _nearest(first.mentions, second.mentions)
            if distance[0] <= reach:
                found.append(Pair(first, second, nearest, distance))
    found.sort(key=lambda p: (p.distance, p.nearest, p.first.id, p.second.id))
    return found[:MOST_PAIRS]


def _nearest(
    left: Sequence[Mention], right: Sequence[Mention]
) -> tuple[tuple[Mention, Mention], tuple[int, int]]:
    """The two mentions with the fewest sentences, then tokens, between them; both lists are in order."""
    best: tuple[tuple[int, int], Mention, Mention] | None = None
    i = j = 0
    while i < len(left) and j < len(right):
        a, b = left[i], right[j]
        sooner, later = (a, b) if a <= b else (b, a)
        apart = (
            later.sentence - sooner.sentence,
            later.start - sooner.end if later.sentence == sooner.sentence else later.start,
        )
        if best is None or apart < best[0]:
            best = (apart, a, b)
        if a <= b:
            i += 1
        else:
            j += 1
    if best is None:
        raise ValueError("a record without a mention has no nearest one")
    return (best[1], best[2]), best[0]


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What pairs of one document share: mentions by sentence and how often each entity is named."""

    text: Text
    by_sentence: dict[int, tuple[Mention, ...]]
    low: dict[int, tuple[str, ...]]
    """Lower-case tokens of the sentences that name an entity."""
    names: dict[RecordId, tuple[str, ...]]
    """Distinct lower-case words of each entity's first mentions, sorted."""
    entities: int
    chances: Mapping[Mention, float] = field(default_factory=dict)
    """Probability that a span names an entity, where the span model holds it likely."""

    @classmethod
    def of(
        cls,
        text: Text,
        records: Sequence[LabelledRecord],
        *,
        named: Sequence[Mention] | None = None,
        chances: Mapping[Mention, float] | None = None,
    ) -> Neighbourhood:
        """The neighbourhood of the given entities; ``named`` are mentions that count as such, else theirs."""
        places: dict[int, list[Mention]] = {m.sentence: [] for r in records for m in r.mentions}
        for mention in [m for r in records for m in r.mentions] if named is None else named:
            places.setdefault(mention.sentence, []).append(mention)
        low = {s: tuple(w.lower() for w in text.sentences[s].words) for s in places}
        names = {
            r.id: tuple(
                sorted({w for m in r.mentions[:6] for w in low[m.sentence][m.start : m.end] if w.isalnum()})
            )
            for r in records
        }
        ordered = {s: tuple(sorted(p)) for s, p in places.items()}
        return cls(text, ordered, low, names, len(records), chances or {})


def pair_features(pair: Pair, around: Neighbourhood) -> list[str]:
    """Features of a pair: types, names, words between and around, distance, place, frequency."""
    kinds = f"{pair.first.type}+{pair.second.type}"
    found, (a, b) = record_features(pair, around), pair.nearest
    if a.sentence == b.sentence:
        found += _sentence(around, a, b, kinds)
    else:
        found += [f"apart={min(pair.distance[0], 4)}", f"t,apart={kinds},{min(pair.distance[0], 4)}"]
    for together in _shared(pair)[:4]:
        if together != (a, b):
            words = {w for w in _between(around, *together) if w.isalpha()}
            found += [f"other:{w}" for w in sorted(words)]
    return found


def record_features(pair: Pair, around: Neighbourhood) -> list[str]:
    """Features of a pair that are not of one place: types, names, frequency."""
    kinds = f"{pair.first.type}+{pair.second.type}"
    return [f"t={kinds}", *_places(pair, around, kinds), *_names(pair, around, kinds)]


def _shared(pair: Pair) -> list[tuple[Mention, Mention]]:
    """Mentions of both in one sentence, one pair for each sentence."""
    first: dict[int, Mention] = {}
    for mention in pair.first.mentions:
        first.setdefault(mention.sentence, mention)
    second: dict[int, Mention] = {}
    for mention in pair.second.mentions:
        second.setdefault(mention.sentence, mention)
    return [(first[s], second[s]) for s in sorted(first.keys() & second.keys())]


def _places(pair: Pair, around: Neighbourhood, kinds: str) -> Iterator[str]:
    together = len(_shared(pair))
    sentences = around.text.sentences
    yield f"together={min(together, 4)}"
    yield f"t,together={kinds},{min(together, 3)}"
    often = (len(pair.first.mentions), len(pair.second.mentions))
    yield f"often={min(often[0], 4)},{min(often[1], 4)}"
    yield f"rarer={min(*often, 5)}"
    titled = [
        any(sentences[m.sentence].kind in {BlockKind.TITLE, BlockKind.HEADING} for m in r.mentions)
        for r in (pair.first, pair.second)
    ]
    yield f"titled={titled[0]},{titled[1]}"
    yield f"t,titled={kinds},{titled[0]},{titled[1]}"
    last = len(sentences) - 1
    yield f"ends={any(m.sentence >= last - 1 for m in pair.first.mentions)}" + (
        f",{any(m.sentence >= last - 1 for m in pair.second.mentions)}"
    )
    yield f"entities={min(around.entities, 12) // 2}"
    yield f"kind={sentences[pair.nearest[0].sentence].kind}"


def _names(pair: Pair, around: Neighbourhood, kinds: str) -> Iterator[str]:
    for which, record in (("1", pair.first), ("2", pair.second)):
        yield from (f"n{which}={w}" for w in around.names[record.id])
        first = record.mentions[0]
        head = around.low[first.sentence][first.end - 1]
        yield f"h{which},t={head},{kinds}"


def _sentence(around: Neighbourhood, a: Mention, b: Mention, kinds: str) -> Iterator[str]:
    """The nearest two mentions stand in one sentence."""
    sooner, later = sorted((a, b))
    turn = "<" if a <= b else ">"
    words = around.low[a.sentence]
    others = around.by_sentence[a.sentence]
    middle = words[sooner.end : later.start]
    gap = len(middle)
    size = gap if gap < 6 else 6 if gap < 10 else 10 if gap < 20 else 20
    yield from (f"turn={turn},{kinds}", f"gap={size}", f"gap,t={size},{kinds}")
    yield f"through={min(sum(sooner.end <= m.start < later.start for m in others), 3)}"
    yield f"alone={len(others) == 2},{kinds}"
    if gap <= 5:
        yield f"exact={turn}{' '.join(middle)}"
        yield f"exact,t={turn}{kinds} {' '.join(middle)}"
    near = middle if gap <= _WINDOW else [*middle[: _WINDOW // 2], *middle[-_WINDOW // 2 :]]
    for w in sorted(set(near)):
        yield f"b={w}"
        yield f"b,t={turn}{kinds} {w}"
    yield from (f"bb={turn}{x} {y}" for x, y in sorted(set(pairwise(near))))
    before, after = words[max(0, sooner.start - 3) : sooner.start], words[later.end : later.end + 3]
    yield from (f"before={w}" for w in before)
    yield from (f"after={w}" for w in after)
    yield f"before1,t={turn}{kinds} {before[-1] if before else ''}"
    yield f"after1,t={turn}{kinds} {after[0] if after else ''}"
    yield from (f"s,t={kinds} {w}" for w in sorted(set(words)) if w.isalpha() and len(w) > 3)


def _between(around: Neighbourhood, a: Mention, b: Mention) -> tuple[str, ...]:
    sooner, later = sorted((a, b))
    return around.low[a.sentence][sooner.end : later.start][:_WINDOW]


@dataclass(frozen=True, slots=True)
class Decision:
    """When a relation holds, from the probabilities of a pair.

    The likeliest relation holds when all relations together reach ``related``; another one holds beside it
    when its share of them reaches ``also``. Both are in [0, 1].
    """

    related: float = 0.5
    also: float = 0.5

    def holds(self, probable: Floats) -> NDArray[np.bool_]:
        """(n_pairs, n_classes) bool for (n_pairs, n_classes) probabilities; "none" never holds."""
        share = probable.copy()
        share[:, 0] = 0.0
        total = share.sum(axis=1, keepdims=True)
        share /= np.where(total > 0, total, 1.0)
        best = np.zeros(share.shape, bool)
        best[np.arange(len(share)), share.argmax(axis=1)] = True
        chosen: NDArray[np.bool_] = (best | (share >= self.also)) & (total >= self.related) & (share > 0)
        return chosen


@dataclass(frozen=True, slots=True)
class PairModel:
    """Softmax regression over relations with direction; class 0 is "none"."""

    classes: tuple[Direction, ...]
    columns: dict[str, int]
    weights: Floats
    """(n_classes, n_features)."""
    bias: Floats
    """(n_classes,)."""
    decision: Decision
    reach: int
    """Sentences between two entities up to which they are a pair."""

    def judge(
        self,
        pairs: Sequence[Pair],
        around: Neighbourhood,
        schema: GraphSchema,
        asked: Collection[str] | None = None,
    ) -> Floats:
        """(n_pairs, n_classes) probabilities; those of relations that are not ``asked`` are 0."""
        likely = self.probabilities(pairs, [pair_features(p, around) for p in pairs], schema)
        if asked is not None:
            likely[:, [name != NONE and name not in asked for name, _ in self.classes]] = 0.0
        return likely

    def probabilities(
        self, pairs: Sequence[Pair], rows: Sequence[Sequence[str]], schema: GraphSchema
    ) -> Floats:
        """(n_pairs, n_classes); 0 where the relation does not join the types of the pair."""
        scores = np.asarray(feature_matrix(rows, self.columns) @ self.weights.T) + self.bias
        scores[~possible(self.classes, pairs, schema)] = -np.inf
        scores -= scores.max(axis=1, keepdims=True)
        likely = np.exp(scores)
        return np.asarray(likely / likely.sum(axis=1, keepdims=True))


def possible(classes: Sequence[Direction], pairs: Sequence[Pair], schema: GraphSchema) -> NDArray[np.bool_]:
    """(n_pairs, n_classes): whether the schema lets the relation join the pair's types."""
    declared = {r.name: r for r in schema.relations}
    known: dict[tuple[str, str], list[bool]] = {}
    for pair in pairs:
        ends = (pair.first.type, pair.second.type)
        if ends not in known:
            known[ends] = [
                name == NONE
                or (ends[not forth] in declared[name].subjects and ends[forth] in declared[name].objects)
                for name, forth in classes
            ]
    return np.array([known[p.first.type, p.second.type] for p in pairs], bool).reshape(-1, len(classes))


def feature_matrix(rows: Sequence[Sequence[str]], columns: dict[str, int]) -> Any:
    """CSR matrix (n_rows, n_features) of ones; features without a column are left out."""
    from scipy.sparse import csr_matrix

    indices: list[int] = []
    ends = [0]
    for row in rows:
        indices += sorted({columns[f] for f in row if f in columns})
        ends.append(len(indices))
    return csr_matrix((np.ones(len(indices)), indices, ends), shape=(len(rows), len(columns)))


@dataclass(frozen=True, slots=True)
class PairData:
    """Pairs of one document with their features and the classes that hold; an empty set is "none"."""

    pairs: tuple[Pair, ...]
    rows: tuple[tuple[str, ...], ...]
    labels: tuple[frozenset[Direction], ...]


def pair_data(
    example: Example, extra: Sequence[LabelledRecord], schema: GraphSchema, *, reach: int
) -> PairData:
    """The pairs of the labelled entities and of ``extra``, which are entities that are none in truth."""
    records = [*example.records, *extra]
    around = Neighbourhood.of(example.text, records)
    pairs = [
        p
        for p in candidate_pairs(records, schema, reach=reach)
        if frozenset((p.first.id, p.second.id)) not in example.undecided
    ]
    return PairData(
        tuple(pairs),
        tuple(tuple(pair_features(p, around)) for p in pairs),
        tuple(pair_labels(p, example) for p in pairs),
    )


def pair_labels(pair: Pair, example: Example) -> frozenset[Direction]:
    """The relations of a pair, with direction."""
    forth = example.relations.get((pair.first.id, pair.second.id), frozenset())
    back = example.relations.get((pair.second.id, pair.first.id), frozenset())
    return frozenset({(r, True) for r in forth} | {(r, False) for r in back})


def pair_classes(data: Sequence[PairData]) -> tuple[Direction, ...]:
    """ "None" and the relations with direction that occur, sorted."""
    return ((NONE, True), *sorted({label for d in data for labels in d.labels for label in labels}))


def fit_pairs(data: Sequence[PairData], *, reach: int, strength: float) -> PairModel | None:
    """A pair model without thresholds; None when no pair has a relation."""
    classes = pair_classes(data)
    if len(classes) == 1:
        return None
    index = {label: at for at, label in enumerate(classes)}
    features = Counter(f for d in data for row in d.rows for f in set(row))
    columns = {f: at for at, f in enumerate(sorted(f for f, n in features.items() if n >= SEEN))}
    if len(data) < FEW:
        data = [*data, *(replace(d, rows=tuple(map(_nameless, d.rows))) for d in data)]
    rows: list[tuple[str, ...]] = []
    wanted: list[int] = []
    shares: list[float] = []
    for d in data:
        for row, labels in zip(d.rows, d.labels, strict=True):
            chosen = sorted(index[label] for label in labels) or [0]
            rows += [row] * len(chosen)
            wanted += chosen
            shares += [1 / len(chosen)] * len(chosen)
    weights, bias = _softmax(
        feature_matrix(rows, columns),
        np.asarray(wanted),
        np.asarray(shares),
        classes=len(classes),
        strength=strength,
    )
    return PairModel(classes, columns, weights, bias, Decision(), reach)


def _nameless(row: Sequence[str]) -> tuple[str, ...]:
    """A row without what it says of the names themselves: as if neither had been seen before."""
    return tuple(f for f in row if not f.startswith(("n1=", "n2=", "h1,", "h2,")))


def _softmax(x: Any, y: Any, shares: Any, *, classes: int, strength: float) -> tuple[Floats, Floats]:
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    weights, bias = np.zeros((classes, x.shape[1])), np.zeros(classes)
    present = np.unique(y)
    if len(present) == 1:
        bias[present[0]] = 20.0
        return weights, bias
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = LogisticRegression(C=strength, max_iter=300).fit(x, y, sample_weight=shares)
    if len(present) == 2:
        weights[present[1]], bias[present[1]] = model.coef_[0], model.intercept_[0]
    else:
        weights[present], bias[present] = model.coef_, model.intercept_
    return weights, bias
