"""Vectors without any model file: signed hashing of character n-grams.

The last fallback. It sees spelling, not meaning. Feature hashing with signs as in arXiv:0902.2206, so that
collisions cancel on average; stateless, so one text has one vector whatever else was embedded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

DIMENSION = 384
"""As MiniLM's, so that both fit one index layout."""
SLAB = 4_096


class TfidfEmbedder:
    """Log-scaled counts of character 2- to 4-grams within words, hashed to ``dimension`` and L2-normalised.

    There is no inverse document frequency: it would depend on the corpus, and stored vectors would
    change with every document that is added.

    >>> vectors = TfidfEmbedder().encode(["signal shape", "signal shapes", "luminosity"])
    >>> bool(vectors[0] @ vectors[1] > vectors[0] @ vectors[2])
    True
    """

    def __init__(self, *, dimension: int = DIMENSION) -> None:
        self._dimension = dimension
        self._vectorizer = _vectorizer(dimension)

    @property
    def model_id(self) -> str:
        """Says that these are hashed n-grams and of which kind."""
        return f"char-ngram-hash/1+2-4x{self._dimension}"

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._dimension

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n_texts, dimension) float32, rows L2-normalised; a text without a word gives a zero row."""
        vectors = np.zeros((len(texts), self._dimension), np.float32)
        for start in range(0, len(texts), SLAB):
            counts = self._vectorizer.transform(texts[start : start + SLAB]).toarray()
            vectors[start : start + SLAB] = np.sign(counts) * np.log1p(np.abs(counts))
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.where(norms > 0, norms, 1), np.float32)


def _vectorizer(dimension: int) -> Any:
    from sklearn.feature_extraction.text import HashingVectorizer

    return HashingVectorizer(
        analyzer="char_wb",
        ngram_range=(2, 4),
        n_features=dimension,
        norm=None,
        alternate_sign=True,
        dtype=np.float32,
    )
