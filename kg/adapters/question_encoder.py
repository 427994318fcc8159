"""Tells what the query of a question names, by a sentence encoder trained on questions with their queries.

A transformer encoder (arXiv:1810.04805; MiniLM, arXiv:2002.10957) whose mean over a question's tokens goes
through one linear layer. It is computed with NumPy: a question takes about 16 ms on two slow
cores, and no library for training is needed to ask.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
HEADS: Final = 12
MOST_TOKENS: Final = 64
"""Longer questions are cut."""
_EPSILON: Final = 1e-12


@dataclass(frozen=True, slots=True)
class QuestionEncoder:
    """What was trained; safe to share between threads."""

    arrays: Mapping[str, Array]
    """By name as in :mod:`kg.adapters.minilm_weights`, and the linear layer's ``head.weight``, of shape
    (n_names, dimension), and ``head.bias``."""
    names: tuple[str, ...]
    """The elements that are told; see :func:`cypher.semantics.evidence.elements`."""
    tokens: Callable[[str], Sequence[int]]
    """Numbers of a text's word pieces, with those that begin and end it."""

    def odds(self, text: str) -> Mapping[str, float]:
        """The log-odds of every element."""
        pooled = hidden(self.arrays, self.tokens(text)[:MOST_TOKENS]).mean(axis=0)
        told = self.arrays["head.weight"] @ pooled + self.arrays["head.bias"]
        return dict(zip(self.names, told.tolist(), strict=True))


def hidden(arrays: Mapping[str, Array], tokens: Sequence[int]) -> Array:
    """The last layer's vectors of the tokens of one text, shape (n_tokens, dimension)."""
    ids = np.asarray(tokens)
    x = arrays["embeddings.word_embeddings.weight"][ids]
    x = x + arrays["embeddings.position_embeddings.weight"][: len(ids)]
    x = _normed(arrays, "embeddings", x + arrays["embeddings.token_type_embeddings.weight"][0])
    layer = 0
    while f"encoder.layer.{layer}.output.dense.weight" in arrays:
        name = f"encoder.layer.{layer}"
        attended = _dense(
            arrays, f"{name}.attention.output.dense", _attended(arrays, f"{name}.attention.self", x)
        )
        x = _normed(arrays, f"{name}.attention.output", x + attended)
        inner = _gelu(_dense(arrays, f"{name}.intermediate.dense", x))
        x = _normed(arrays, f"{name}.output", x + _dense(arrays, f"{name}.output.dense", inner))
        layer += 1
    return x


def _attended(arrays: Mapping[str, Array], name: str, x: Array) -> Array:
    length, dimension = x.shape
    shape = length, HEADS, dimension // HEADS
    query, key, value = (
        _dense(arrays, f"{name}.{part}", x).reshape(shape).swapaxes(0, 1)
        for part in ("query", "key", "value")
    )
    scores = query @ key.swapaxes(1, 2) / np.float32(np.sqrt(shape[2]))
    weights = np.exp(scores - scores.max(axis=2, keepdims=True))
    weights /= weights.sum(axis=2, keepdims=True)
    return np.asarray((weights @ value).swapaxes(0, 1).reshape(length, dimension))


def _dense(arrays: Mapping[str, Array], name: str, x: Array) -> Array:
    return np.asarray(x @ arrays[f"{name}.weight"].T + arrays[f"{name}.bias"])


def _normed(arrays: Mapping[str, Array], name: str, x: Array) -> Array:
    centred = x - x.mean(axis=1, keepdims=True)
    scale = np.sqrt((centred**2).mean(axis=1, keepdims=True) + np.float32(_EPSILON))
    return np.asarray(centred / scale * arrays[f"{name}.LayerNorm.weight"] + arrays[f"{name}.LayerNorm.bias"])


def _gelu(x: Array) -> Array:
    from scipy.special import erf

    return np.asarray(x * np.float32(0.5) * (1 + erf(x / np.float32(np.sqrt(2)))))
