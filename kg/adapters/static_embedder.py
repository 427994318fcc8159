"""Static sentence vectors: the mean of one learned vector per token. Fast, small, and coarser than MiniLM.

Weights: WordLlama l2_supercat at 256 dimensions (https://github.com/dleemiller/WordLlama), MIT.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kg.model_files import EmbedderFiles
from schemas.errors import ModelUnavailableError

SLAB = 1_024
"""Texts per tokenisation; bounds the memory for token vectors."""
MAX_TOKENS = 1_024


class StaticEmbedder:
    """Mean of token vectors; raises ``ModelUnavailableError`` when the files cannot be loaded."""

    def __init__(self, files: EmbedderFiles) -> None:
        self._model_id = files.model_id
        self._weights, self._tokenizer = _load(files)

    @property
    def model_id(self) -> str:
        """Name, version and weights hash."""
        return self._model_id

    @property
    def dimension(self) -> int:
        """256 for the packaged weights."""
        return int(self._weights.shape[1])

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n_texts, dimension) float32, rows L2-normalised; a text without a word gives a zero row."""
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for start in range(0, len(texts), SLAB):
            slab = [text.strip() for text in texts[start : start + SLAB]]
            encodings = self._tokenizer.encode_batch(slab, add_special_tokens=False)
            for row, encoding in enumerate(encodings, start):
                if slab[row - start] and encoding.ids:
                    vectors[row] = self._weights[encoding.ids].astype(np.float32).mean(axis=0)
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.where(norms > 0, norms, 1), np.float32)


def _load(files: EmbedderFiles) -> tuple[NDArray[np.float16], Any]:
    try:
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer

        (weights,) = load_file(str(files.model)).values()
        tokenizer = Tokenizer.from_file(str(files.tokenizer))
    except Exception as e:
        raise ModelUnavailableError(f"cannot load the static embedder from {files.model}: {e}") from e
    if weights.ndim != 2 or tokenizer.get_vocab_size() > weights.shape[0]:
        raise ModelUnavailableError(
            f"{files.model} should hold one vector per token of {files.tokenizer} "
            f"({tokenizer.get_vocab_size()}), found shape {weights.shape}"
        )
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    return weights, tokenizer
