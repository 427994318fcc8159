"""Any sentence-transformers model by name or folder; needs the extra ``corpusgraph[models]``."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schemas.errors import ModelUnavailableError


class SentenceEmbedder:
    """A sentence-transformers model (arXiv:1908.10084) on the CPU.

    ``model`` is a folder or a hub name such as ``BAAI/bge-small-en-v1.5``; with ``offline`` a hub name is
    only looked up in the local hub cache. Texts are embedded by rising length in batches of
    ``batch_size``; the batch may change the last bits of a vector (below 1e-5), so keep a
    :class:`kg.adapters.embedding_cache.CachedEmbedder` around it where equality matters.
    Raises ``ModelUnavailableError`` when the extra or the model is missing.
    """

    def __init__(self, model: str, *, offline: bool = True, batch_size: int = 32) -> None:
        self._model = _load(model, offline)
        self._batch_size = batch_size
        self._model_id = (
            f"sentence-transformers/{model.rstrip('/').rsplit('/', 1)[-1]}+{_digest(self._model)}"
        )

    @property
    def model_id(self) -> str:
        """Name and the first 12 hexadecimal digits of a hash over all weights."""
        return self._model_id

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return int(self._model.get_embedding_dimension())

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n_texts, dimension) float32, rows L2-normalised; a text without a word gives a zero row."""
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        filled = [i for i, text in enumerate(texts) if text.strip()]
        if filled:
            vectors[filled] = self._model.encode(
                [texts[i] for i in filled],
                batch_size=self._batch_size,
                normalize_embeddings=True,
                convert_to_numpy=True,
                show_progress_bar=False,
            )
        return vectors


def _load(model: str, offline: bool) -> Any:
    try:
        library = import_module("sentence_transformers")
    except ImportError as e:
        raise ModelUnavailableError(
            "the sentence-transformers embedder needs the extra: pip install 'corpusgraph[models]'"
        ) from e
    try:
        return library.SentenceTransformer(model, device="cpu", local_files_only=offline)
    except Exception as e:
        where = "in the local hub cache or as a folder" if offline else "on the hub or as a folder"
        raise ModelUnavailableError(f"cannot load sentence-transformers model {model!r} {where}: {e}") from e


def _digest(model: Any) -> str:
    torch = import_module("torch")
    digest = hashlib.sha256()
    for name, tensor in sorted(model.state_dict().items()):
        digest.update(name.encode())
        digest.update(tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()[:12]
