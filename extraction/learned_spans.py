"""The span model: which tokens name an entity, of which type, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from extraction.learned_crf import Chain, Floats, Ints, Labelling, Steps, best_path, fit_chain, marginals
from extraction.learned_features import TokenScorer, Vocabulary, hide_names, learn_views, view_values
from extraction.learned_gazetteer import Gazetteer
from extraction.learned_labels import Example
from extraction.learned_text import Mention, Text

PENALTY: Final = 1.0
"""L2 penalty of a weight of the span model."""
ITERATIONS: Final = 60
SURE: Final = 0.5
"""Score from which other places of the same words are taken to be the same entity."""
REPEATED: Final = 0.9
"""Factor on the score of such a place."""
FEW: Final = 60_000
"""Tokens below which names are also hidden in training."""
SEEN: Final = 2
"""Tokens that a feature must occur at."""


@dataclass(frozen=True, slots=True)
class Tags:
    """Labels of tokens: outside, and per type begin, inside, last, and single (BILOU).

    Ratinov and Roth, "Design challenges and misconceptions in named entity recognition" (CoNLL 2009).
    """

    types: tuple[str, ...]

    @property
    def size(self) -> int:
        """1 + 4 labels per type."""
        return 1 + 4 * len(self.types)

    def encode(self, mentions: Sequence[tuple[Mention, str]], offsets: dict[int, int], total: int) -> Ints:
        """Labels (total,) of tokens; ``offsets`` is the first token of each sentence."""
        labels = np.zeros(total, np.int64)
        for mention, kind in mentions:
            base = 1 + 4 * self.types.index(kind)
            first, last = (
                offsets[mention.sentence] + mention.start,
                offsets[mention.sentence] + mention.end - 1,
            )
            if first == last:
                labels[first] = base + 3
            else:
                labels[first + 1 : last] = base + 1
                labels[first], labels[last] = base, base + 2
        return labels

    def allowed(self) -> NDArray[np.bool_]:
        """(size, size): which label may follow which."""
        inside = [False] + [tag in (0, 1) for _ in self.types for tag in range(4)]
        wanted = [False] + [tag in (1, 2) for _ in self.types for tag in range(4)]
        kind = [-1] + [at for at in range(len(self.types)) for _ in range(4)]
        return np.array(
            [
                [(kind[a] == kind[b] and wanted[b]) if inside[a] else not wanted[b] for b in range(self.size)]
                for a in range(self.size)
            ]
        )

    def decode(self, labels: Ints) -> list[tuple[int, int, int]]:
        """(start, end, type index) of the entities of one sentence; one that is not closed is left out."""
        found: list[tuple[int, int, int]] = []
        start = 0
        for at, label in enumerate(labels.tolist()):
            tag = (label - 1) % 4
            if label and tag in (0, 3):
                start = at
            if label and tag in (2, 3):
                found.append((start, at + 1, (label - 1) // 4))
        return found


@dataclass(frozen=True, slots=True)
class Found:
    """A mention that the span model proposes; ``score`` is its least token probability in [0, 1]."""

    mention: Mention
    type: str
    score: float


@dataclass(slots=True)
class SpanModel:
    """Finds mentions; ``shift`` is added to the score of "outside": below 0 finds more, above 0 less."""

    tags: Tags
    gazetteer: Gazetteer
    vocabulary: Vocabulary
    chain: Chain
    shift: float
    _scorer: TokenScorer | None = None

    def find(self, text: Text, *, sentences: Sequence[int] | None = None) -> list[Found]:
        """Mentions of all sentences, or of those given, in order of place."""
        return self.decode(text, sentences, self.scores(text, sentences), self.shift)

    def scores(self, text: Text, sentences: Sequence[int] | None) -> Floats:
        """(n_tokens, n_labels) of the sentences."""
        if self._scorer is None:
            self._scorer = TokenScorer(self.vocabulary, self.chain)
        chosen = [text.sentences[i] for i in _all(text, sentences)]
        return (
            self._scorer.scores(view_values(chosen, self.gazetteer, text.document.text)) if chosen else _NONE
        )

    def decode(
        self, text: Text, sentences: Sequence[int] | None, scores: Floats, shift: float
    ) -> list[Found]:
        """Mentions under given scores."""
        numbers = _all(text, sentences)
        if not numbers:
            return []
        lengths = [len(text.sentences[i].words) for i in numbers]
        steps, allowed = Steps(lengths), self.tags.allowed()
        shifted = scores.copy()
        shifted[:, 0] += shift
        path = best_path(shifted, self.chain, allowed, steps)
        if not path.any():
            return []
        _, probable, _ = marginals(shifted, self.chain, allowed, steps)
        found: list[Found] = []
        at = 0
        for number, length in zip(numbers, lengths, strict=True):
            here = slice(at, at + length)
            sure = probable[here][np.arange(length), path[here]]
            for start, end, kind in self.tags.decode(path[here]):
                score = float(np.clip(sure[start:end].min(), 0.0, 1.0))
                found.append(Found(Mention(number, start, end), self.tags.types[kind], score))
            at += length
        return [*found, *repeats(text, numbers, found)]


def repeats(text: Text, sentences: Sequence[int], found: Sequence[Found]) -> list[Found]:
    """Further places where the same words stand as in a mention that is sure enough, longer ones first.

    A document uses one name in one sense: what is an entity once is one each time.
    """
    sure: dict[tuple[str, ...], Found] = {}
    for item in found:
        words = text.words(item.mention)
        known = sure.get(words)
        if item.score >= SURE and len("".join(words)) > 1 and (known is None or item.score > known.score):
            sure[words] = item
    by_first: dict[str, list[tuple[str, ...]]] = {}
    for words in sorted(sure, key=lambda w: (-len(w), w)):
        by_first.setdefault(words[0], []).append(words)
    taken = {(f.mention.sentence, at) for f in found for at in range(f.mention.start, f.mention.end)}
    more: list[Found] = []
    for number in sentences:
        here = text.sentences[number].words
        for start, word in enumerate(here):
            for words in by_first.get(word, ()):
                places = {(number, at) for at in range(start, start + len(words))}
                if here[start : start + len(words)] == words and not places & taken:
                    taken |= places
                    kept = sure[words]
                    mention = Mention(number, start, start + len(words))
                    more.append(Found(mention, kept.type, kept.score * REPEATED))
    return more


_NONE: Final[Floats] = np.zeros((0, 1))


def _all(text: Text, sentences: Sequence[int] | None) -> Sequence[int]:
    return range(len(text.sentences)) if sentences is None else sentences


@dataclass(frozen=True, slots=True)
class TokenData:
    """The tokens of one example: values of each view, labels, sentence lengths."""

    values: dict[str, list[str]]
    labels: Ints
    lengths: tuple[int, ...]


def token_data(example: Example, tags: Tags, gazetteer: Gazetteer) -> TokenData:
    """Features and labels of the trusted sentences of one example."""
    chosen = [example.text.sentences[i] for i in example.sentences]
    lengths = tuple(len(s.words) for s in chosen)
    offsets: dict[int, int] = {}
    total = 0
    for number, length in zip(example.sentences, lengths, strict=True):
        offsets[number] = total
        total += length
    values = view_values(chosen, gazetteer, example.text.document.text)
    return TokenData(values, tags.encode(example.mentions, offsets, total), lengths)


def fit_spans(data: Sequence[TokenData], tags: Tags, gazetteer: Gazetteer) -> SpanModel:
    """A span model of the labelled tokens; few of them are learned from a second time with names hidden."""
    if sum(len(d.labels) for d in data) < FEW:
        data = [*data, *(TokenData(hide_names(d.values), d.labels, d.lengths) for d in data)]
    values: dict[str, list[str]] = {}
    for part in data:
        for name, column in part.values.items():
            values.setdefault(name, []).extend(column)
    vocabulary, views = learn_views(values, seen=SEEN)
    task = Labelling(
        np.concatenate([d.labels for d in data]),
        Steps([n for d in data for n in d.lengths]),
        tags.allowed(),
    )
    chain = fit_chain(views, task, penalty=PENALTY, iterations=ITERATIONS)
    return SpanModel(tags, gazetteer, vocabulary, chain, 0.0)
