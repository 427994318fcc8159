"""Training of the learned extractor on vetted documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from extraction.learned_alternatives import likely_spans
from extraction.learned_calibration import Calibration, fit_calibration
from extraction.learned_clues import Likeness
from extraction.learned_crf import Floats
from extraction.learned_gazetteer import build_gazetteer, name_key
from extraction.learned_labels import Example, LabelledRecord, make_example
from extraction.learned_model import LearnedModel, encode
from extraction.learned_pairs import (
    STRENGTHS,
    Decision,
    Direction,
    PairData,
    PairModel,
    fit_pairs,
    pair_classes,
    pair_data,
)
from extraction.learned_spans import Found, SpanModel, Tags, fit_spans, token_data
from extraction.learned_stages import STAGED_FROM, StagedModel
from extraction.learned_stages_fit import Aim, HeldSpans, staged_data, train_stages
from extraction.learned_text import Mention, split_words
from schemas.errors import UsageError
from schemas.graph_schema import GraphSchema
from schemas.ids import RecordId
from schemas.learning import LabelledDocument, ModelArtifact, hash_documents
from schemas.ports import Embedder

FOLDS: Final = 3
LEAST_DOCUMENTS: Final = 2
"""Documents with a vetted entity: each is scored by a model that has not seen it."""
LEAST_MENTIONS: Final = 10
SHIFTS: Final = (-2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0)
"""Tried for "outside" on held-out documents."""
ALSO: Final = (1.0, 0.5, 0.4, 0.3, 0.2, 0.1)
"""Tried as the share from which a second relation of one pair holds."""
RELATED: Final = tuple(at / 20 for at in range(2, 17))
"""Tried as the probability from which a pair is related."""
REACH_SHARE: Final = 0.98
"""Share of the vetted relations whose ends are within the reach of the pair model."""
FARTHEST: Final = 1_000


class LearnedTrainer:
    """Fits spans, then pairs; probabilities and thresholds come from documents held out in turn.

    Documents are ordered by key and nothing is drawn at random: the same documents give the same bytes.
    ``beta`` weighs recall against precision in both choices (van Rijsbergen's F-beta): above 1 proposes more,
    for reviewers who rather refuse than search.

    With an ``embedder``, or from ``STAGED_FROM`` relation types on, pairs are judged in two stages
    (:mod:`extraction.learned_stages`); the model names the embedder, whose vectors are then features.
    ``open_world`` says that documents are vetted relation type by relation type: the staged decision is
    judged in each document by the types of which it has vetted statements, by F1; ``beta`` is for the spans.
    """

    def __init__(
        self, *, beta: float = 1.0, embedder: Embedder | None = None, open_world: bool = False
    ) -> None:
        if not 0 < beta < 100:
            raise UsageError(f"expected beta between 0 and 100, found {beta}")
        self._beta = beta
        self._aim = Aim(1.0 if open_world else beta, open_world)
        self._embedder = embedder

    def fit(self, labelled: Sequence[LabelledDocument], schema: GraphSchema) -> ModelArtifact:
        """The artifact of a model of these documents.

        Raises ``UsageError`` when fewer than 2 documents or 10 mentions of entities are vetted.
        """
        ordered = sorted(labelled, key=lambda d: (d.document.key, d.document.version))
        made = [(d, make_example(d)) for d in ordered]
        useful = [(d, e) for d, e in made if e.sentences]
        examples = [e for _, e in useful]
        _check_enough(examples)
        spans, calibration, held = _train_spans(examples, schema, self._beta)
        pairs, pair_calibration = self._fit_pairs(examples, held, schema)
        model = LearnedModel(spans, calibration, pairs, pair_calibration, canonical_names(examples))
        return encode(
            model,
            schema,
            documents=len(useful),
            documents_hash=hash_documents([(d.document.key, d.document.version) for d, _ in useful]),
        )

    def _fit_pairs(
        self, examples: Sequence[Example], held: _HeldSpans, schema: GraphSchema
    ) -> tuple[PairModel | StagedModel | None, Calibration]:
        used = {name for e in examples for names in e.relations.values() for name in names}
        if self._embedder is None and len(used) < STAGED_FROM:
            return _train_pairs(examples, held.found, schema, self._beta)
        reach = _reach(examples)
        spans = [HeldSpans(f, h.likely()) for f, h in zip(held.found, held.documents, strict=True)]
        data = staged_data(examples, spans, schema, reach)
        likeness = Likeness(schema, self._embedder)
        return train_stages(data, fold_of(examples), likeness, schema, reach=reach, aim=self._aim)


def _check_enough(examples: Sequence[Example]) -> None:
    documents = sum(bool(e.mentions) for e in examples)
    mentions = sum(len(e.mentions) for e in examples)
    if documents < LEAST_DOCUMENTS or mentions < LEAST_MENTIONS:
        raise UsageError(
            f"expected at least {LEAST_DOCUMENTS} documents with vetted entities and {LEAST_MENTIONS} vetted "
            f"mentions to learn from, found {documents} and {mentions}; vet more graphs, then train"
        )


def fold_of(examples: Sequence[Example]) -> list[int]:
    """The fold of each example: documents that name the same entity first are held out together."""
    subjects = [min(e.mentions)[0] if e.mentions else None for e in examples]
    keys = [
        " ".join(name_key(e.text.words(m))) if m else str(e.text.document.key)
        for e, m in zip(examples, subjects, strict=True)
    ]
    ranks = {key: at for at, key in enumerate(sorted(set(keys)))}
    if len(ranks) < FOLDS:
        return [at % FOLDS for at in range(len(examples))]
    return [ranks[key] % FOLDS for key in keys]


@dataclass(frozen=True, slots=True)
class _Held:
    """One document with the scores that a model gave it which has not seen it."""

    example: Example
    model: SpanModel
    scores: Floats

    def found(self, shift: float) -> list[Found]:
        return self.model.decode(self.example.text, self.example.sentences, self.scores, shift)

    def likely(self) -> list[Found]:
        return likely_spans(self.model, self.example.text, self.example.sentences, self.scores)


@dataclass(frozen=True, slots=True)
class _HeldSpans:
    """All documents, and what their models find in each at the chosen shift."""

    documents: Sequence[_Held]
    found: Sequence[Sequence[Found]]


def _train_spans(
    examples: Sequence[Example], schema: GraphSchema, beta: float
) -> tuple[SpanModel, Calibration, _HeldSpans]:
    """The span model of all examples, its calibration, and what held-out models find in each."""
    folds = fold_of(examples)
    seen = {kind for e in examples for _, kind in e.mentions}
    tags = Tags(tuple(t.name for t in schema.entities if t.name in seen))
    labelled = [(e.text, e.mentions) for e in examples]
    gazetteers = [
        build_gazetteer(p for at, p in enumerate(labelled) if folds[at] != fold) for fold in range(FOLDS)
    ]
    data = [token_data(e, tags, gazetteers[folds[at]]) for at, e in enumerate(examples)]
    held: dict[int, _Held] = {}
    for fold in range(FOLDS):
        train = [d for at, d in enumerate(data) if folds[at] != fold]
        mine = [at for at in range(len(examples)) if folds[at] == fold]
        if not mine or not train:
            continue
        model = fit_spans(train, tags, gazetteers[fold])
        for at in mine:
            held[at] = _Held(examples[at], model, model.scores(examples[at].text, examples[at].sentences))
    kept = [held[at] for at in range(len(examples))]
    shift = max(SHIFTS, key=lambda s: (_f_beta(kept, s, beta), -abs(s)))
    found = [h.found(shift) for h in kept]
    truth = [set(e.mentions) for e in examples]
    outcomes = [(f.score, (f.mention, f.type) in t) for fs, t in zip(found, truth, strict=True) for f in fs]
    calibration = fit_calibration([s for s, _ in outcomes], [r for _, r in outcomes])
    final = fit_spans(data, tags, build_gazetteer(labelled))
    final.shift = shift
    return final, calibration, _HeldSpans(kept, found)


def _f_beta(held: Sequence[_Held], shift: float, beta: float) -> float:
    right = proposed = wanted = 0
    for h in held:
        found = {(f.mention, f.type) for f in h.found(shift)}
        right += len(found & set(h.example.mentions))
        proposed += len(found)
        wanted += len(h.example.mentions)
    return (1 + beta**2) * right / max(1.0, proposed + beta**2 * wanted)


def _train_pairs(
    examples: Sequence[Example], predicted: Sequence[Sequence[Found]], schema: GraphSchema, beta: float
) -> tuple[PairModel | None, Calibration]:
    """The pair model and its calibration; wrong entities of held-out models serve as negatives."""
    reach = _reach(examples)
    data = [
        pair_data(e, spurious(e, found), schema, reach=reach)
        for e, found in zip(examples, predicted, strict=True)
    ]
    judge = _Judge(data, fold_of(examples), schema, reach, beta)
    tried = [t for s in STRENGTHS if (t := judge.try_strength(s))]
    if not tried:
        final = fit_pairs(data, reach=reach, strength=STRENGTHS[0])
        return final, Calibration()
    best = max(tried, key=lambda t: t.f_beta)
    final = fit_pairs(data, reach=reach, strength=best.strength)
    return (replace(final, decision=best.decision) if final else None), best.calibration


@dataclass(frozen=True, slots=True)
class _Tried:
    """How well one strength does on documents held out in turn."""

    strength: float
    f_beta: float
    decision: Decision
    calibration: Calibration


@dataclass(frozen=True, slots=True)
class _Judge:
    """Judges strengths of the pair model on documents held out in turn."""

    data: Sequence[PairData]
    folds: Sequence[int]
    schema: GraphSchema
    reach: int
    beta: float

    def try_strength(self, strength: float) -> _Tried | None:
        """None when there is no relation to learn from, or none left in the other folds."""
        classes = pair_classes(self.data)
        rows: list[tuple[Floats, Floats]] = []
        for fold in range(FOLDS):
            train = [d for d, at in zip(self.data, self.folds, strict=True) if at != fold]
            model = fit_pairs(train, reach=self.reach, strength=strength)
            mine = [d for d, at in zip(self.data, self.folds, strict=True) if at == fold and d.pairs]
            rows += [_outcomes(model, classes, d, self.schema) for d in mine] if model else []
        if not rows:
            return None
        probable, truth = (np.concatenate([r[i] for r in rows]) for i in (0, 1))
        decision, f_beta = best_decision(probable, truth, self.beta)
        right = (truth[:, 1:].ravel() > 0).tolist()
        return _Tried(strength, f_beta, decision, fit_calibration(probable[:, 1:].ravel().tolist(), right))


def _outcomes(
    model: PairModel, classes: Sequence[Direction], data: PairData, schema: GraphSchema
) -> tuple[Floats, Floats]:
    """Held-out probabilities and truth of one document's pairs, in the given classes."""
    likely = model.probabilities(data.pairs, data.rows, schema)
    probable = np.zeros((len(data.pairs), len(classes)))
    for at, label in enumerate(model.classes):
        probable[:, classes.index(label)] = likely[:, at]
    truth = np.array([[label in labels for label in classes] for labels in data.labels], np.float64)
    return probable, truth


def best_decision(probable: Floats, truth: Floats, beta: float) -> tuple[Decision, float]:
    """The decision of the best F-beta over all relations, and it; inputs are (n_pairs, n_classes)."""
    wanted = float(truth[:, 1:].sum())
    best, chosen = -1.0, Decision()
    for also in ALSO:
        for related in RELATED:
            decision = Decision(related, also)
            holds = decision.holds(probable)
            right = float(truth[holds].sum())
            f_beta = (1 + beta**2) * right / max(1.0, float(holds.sum()) + beta**2 * wanted)
            if f_beta > best:
                best, chosen = f_beta, decision
    return chosen, best


def _reach(examples: Sequence[Example]) -> int:
    """Sentences between the nearest mentions of nearly all vetted relations."""
    apart: list[int] = []
    for e in examples:
        where = {r.id: [m.sentence for m in r.mentions] for r in e.records}
        for subject, target in e.relations:
            if subject in where and target in where:
                apart.append(min(abs(a - b) for a in where[subject] for b in where[target]))
    if not apart:
        return 0
    return min(FARTHEST, int(np.quantile(apart, REACH_SHARE, method="higher")))


def spurious(example: Example, found: Sequence[Found]) -> list[LabelledRecord]:
    """What a held-out model took for entities and overlaps no labelled one, by type and name."""
    taken = {(m.sentence, at) for r in example.records for m in r.mentions for at in range(m.start, m.end)}
    groups: dict[tuple[str, tuple[str, ...]], list[Mention]] = {}
    for f in found:
        tokens = {(f.mention.sentence, at) for at in range(f.mention.start, f.mention.end)}
        if not tokens & taken:
            groups.setdefault((f.type, name_key(example.text.words(f.mention))), []).append(f.mention)
    return [
        LabelledRecord(RecordId(f"spurious:{kind}:{' '.join(key)}"), kind, " ".join(key), tuple(mentions))
        for (kind, key), mentions in sorted(groups.items())
    ]


def canonical_names(examples: Sequence[Example]) -> dict[tuple[str, tuple[str, ...]], str]:
    """Names that reviewers gave in two documents or more, in all cases, to what is written otherwise."""
    seen: dict[tuple[str, tuple[str, ...]], Counter[str]] = {}
    for e in examples:
        for r in e.records:
            for key in {name_key(e.text.words(m)) for m in r.mentions}:
                seen.setdefault((r.type, key), Counter())[r.name] += 1
    return {
        at: next(iter(names))
        for at, names in seen.items()
        if len(names) == 1 and names.total() > 1 and at[1] != name_key(split_words(next(iter(names))))
    }
