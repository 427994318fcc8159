"""Verified examples for a prompt: those whose questions are most like the one that is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cypher.skeleton import skeleton
from schemas.ports import Embedder, Example

LEAST = 0.1
"""Likeness below which an example is left out."""


class SimilarExamples:
    """An ``ExampleBank`` over fixed pairs: by TF-IDF of words and skeletons, and by an embedder if given.

    The skeleton of a question has its names and numbers taken out, so that questions of one kind are alike
    whatever they are about.

    >>> pairs = [Example(question=q, query="", parameters={}) for q in ("How many papers?", "Which decays?")]
    >>> SimilarExamples(pairs).nearest("How many observables?", limit=1)[0].question
    'How many papers?'
    """

    def __init__(self, examples: Sequence[Example], *, embedder: Embedder | None = None) -> None:
        self._examples, self._embedder = tuple(examples), embedder
        self._weigh: Any = None
        self._rows: Any = None
        self._vectors: NDArray[np.float32] | None = None
        if self._examples:
            self._fit()

    def _fit(self) -> None:
        texts = [_both(e) for e in self._examples]
        self._weigh = _vectorizer()
        self._rows = self._weigh.fit_transform(texts)
        if self._embedder is not None:
            self._vectors = self._embedder.encode([e.question for e in self._examples])

    def nearest(self, question: str, *, limit: int = 5) -> tuple[Example, ...]:
        """The most similar examples, best first; the better of both likenesses counts."""
        if not self._examples or limit < 1:
            return ()
        names = Example(question=question, query="", parameters={})
        scores = np.asarray((self._rows @ self._weigh.transform([_both(names)]).T).toarray()[:, 0])
        if self._vectors is not None and self._embedder is not None:
            scores = np.maximum(scores, self._vectors @ self._embedder.encode([question])[0])
        order = sorted(range(len(scores)), key=lambda i: (-scores[i], i))
        return tuple(self._examples[i] for i in order[:limit] if scores[i] >= LEAST)


def _both(example: Example) -> str:
    values = [v for p in example.parameters.values() for v in (p if isinstance(p, tuple) else (p,))]
    return (
        f"{example.question.lower()} {skeleton(example.question, [v for v in values if isinstance(v, str)])}"
    )


def _words(text: str) -> list[str]:
    return text.replace("?", " ").split()


def _vectorizer() -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer

    return TfidfVectorizer(ngram_range=(1, 2), tokenizer=_words, token_pattern=None, sublinear_tf=True)
