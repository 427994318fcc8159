"""Sentence vectors by a MiniLM in ONNX form: mean pooling, L2 norm, no torch.

Model: all-MiniLM-L6-v2 (https://www.sbert.net), distilled as in arXiv:2002.10957 and pooled as in
Sentence-BERT, arXiv:1908.10084, with 8-bit weights. Texts are cut at 256 word pieces, the
model's own limit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kg.model_files import EmbedderFiles
from schemas.errors import ModelUnavailableError

MAX_TOKENS = 256
BATCH_TOKENS = 1_024
"""Padded word pieces of one run of the model."""
SLAB = 8_192
"""Texts that are tokenised at once."""


class OnnxEmbedder:
    """Embeds texts on the CPU.

    Batches hold texts of similar length. The vector of a text does not depend on the texts around it:
    padding is masked, and results were bit-identical for every batch that was tried (a test holds that).
    Between kinds of processors the last bits may differ.

    ``threads`` is the number of cores for one run, 0 for all; a thread that waits sleeps, which costs nothing
    on a quiet machine and a fifth less on a busy one. Raises ``ModelUnavailableError`` when the
    files or onnxruntime cannot be loaded.
    """

    def __init__(self, files: EmbedderFiles, *, threads: int = 0) -> None:
        self._model_id = files.model_id
        self._session, self._tokenizer = _load(files, threads)
        self._inputs = frozenset(i.name for i in self._session.get_inputs())
        self._dimension = int(self._session.get_outputs()[0].shape[-1])

    @property
    def model_id(self) -> str:
        """Name, version and weights hash."""
        return self._model_id

    @property
    def dimension(self) -> int:
        """384 for MiniLM."""
        return self._dimension

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n_texts, dimension) float32, rows L2-normalised; a text without a word gives a zero row."""
        vectors = np.zeros((len(texts), self._dimension), np.float32)
        for start in range(0, len(texts), SLAB):
            slab = texts[start : start + SLAB]
            tokens = [encoding.ids for encoding in self._tokenizer.encode_batch(list(slab))]
            filled = [i for i, text in enumerate(slab) if text.strip()]
            for batch in _batches(sorted(filled, key=lambda i: len(tokens[i])), tokens):
                vectors[[start + i for i in batch]] = self._run([tokens[i] for i in batch])
        return vectors

    def _run(self, tokens: list[list[int]]) -> NDArray[np.float32]:
        ids = np.zeros((len(tokens), max(map(len, tokens))), np.int64)
        mask = np.zeros_like(ids)
        for row, sequence in enumerate(tokens):
            ids[row, : len(sequence)] = sequence
            mask[row, : len(sequence)] = 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = self._session.run(None, {name: feed[name] for name in self._inputs})[0]
        summed = np.einsum("btd,bt->bd", hidden, mask.astype(np.float32))
        norms = np.linalg.norm(summed, axis=1, keepdims=True)
        return np.asarray(summed / np.where(norms > 0, norms, 1), np.float32)


def _batches(order: list[int], tokens: list[list[int]]) -> Iterator[list[int]]:
    """Runs of ``order`` (by rising length) whose padded size stays within ``BATCH_TOKENS``."""
    batch: list[int] = []
    for index in order:
        if batch and (len(batch) + 1) * len(tokens[index]) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def _load(files: EmbedderFiles, threads: int) -> tuple[Any, Any]:
    try:
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        session = onnxruntime.InferenceSession(str(files.model), options, providers=["CPUExecutionProvider"])
        tokenizer = Tokenizer.from_file(str(files.tokenizer))
    except Exception as e:
        raise ModelUnavailableError(f"cannot load the ONNX embedder from {files.model}: {e}") from e
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    return session, tokenizer
