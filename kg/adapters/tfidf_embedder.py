"""Vectors without any model file: signed hashing of character n-grams.

The last fallback. It sees spelling, not meaning. Feature hashing with signs as in arXiv:0902.2206, so that
collisions cancel on average (the hash and columns are those of scikit-learn, whose import takes longer than a
short command); stateless, so one text has one vector whatever else was embedded.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from canonicalize.ngrams import ngrams_of

DIMENSION = 384
"""As MiniLM's, so that both fit one index layout."""
WORDS_KEPT = 4_096
_MASK = 0xFFFFFFFF


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
        counts = np.zeros((len(texts), self._dimension), np.float32)
        for row, text in zip(counts, texts, strict=True):
            for word in text.lower().split():
                columns, signs = _signed_columns(word, self._dimension)
                np.add.at(row, columns, signs)
        vectors = np.sign(counts) * np.log1p(np.abs(counts))
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.where(norms > 0, norms, 1), np.float32)


@lru_cache(maxsize=WORDS_KEPT)
def _signed_columns(word: str, dimension: int) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """The columns of a word's n-grams, and the sign with which each counts there."""
    hashes = [_murmur3(gram.encode("utf-8", "surrogatepass")) for gram in ngrams_of(word)]
    columns = [abs(found) % dimension for found in hashes]
    return np.array(columns, np.intp), np.array([1 if found >= 0 else -1 for found in hashes], np.float32)


def _murmur3(data: bytes) -> int:
    """MurmurHash3 of 32 bits, signed, seed 0 (A. Appleby, public domain).

    >>> _murmur3(b"hello"), _murmur3(b"")
    (613153351, 0)
    """
    mixed = 0
    whole = len(data) & ~3
    for at in range(0, whole, 4):
        mixed ^= _scrambled(int.from_bytes(data[at : at + 4], "little"))
        mixed = (_rotated(mixed, 13) * 5 + 0xE6546B64) & _MASK
    mixed ^= _scrambled(int.from_bytes(data[whole:], "little")) ^ len(data)
    mixed = ((mixed ^ mixed >> 16) * 0x85EBCA6B) & _MASK
    mixed = ((mixed ^ mixed >> 13) * 0xC2B2AE35) & _MASK
    mixed ^= mixed >> 16
    return mixed - (1 << 32) if mixed >> 31 else mixed


def _scrambled(block: int) -> int:
    return (_rotated((block * 0xCC9E2D51) & _MASK, 15) * 0x1B873593) & _MASK


def _rotated(number: int, bits: int) -> int:
    return (number << bits | number >> (32 - bits)) & _MASK
