"""A REBEL model through ``transformers``; needs the extra ``corpusgraph[models]``.

REBEL: doi:10.18653/v1/2021.findings-emnlp.204.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import Any

from extraction.triplets import MARKS
from kg.adapters.model_folders import (
    best_device,
    find_folder,
    folder_id,
    import_extra,
    import_models,
    require_extra,
    running,
)
from schemas.errors import ModelUnavailableError
from schemas.model_output import WrittenTriplets

BEAMS = 3
"""As on the model's card; its length penalty of 0 as well."""


class RebelModel:
    """Writes triplets as text; loaded on first use, may be shared between threads.

    ``model`` is a folder or a hub name such as ``Babelscape/rebel-large``; with ``offline`` a hub name is
    looked up in the local cache only. A text beyond the model's window is read in halves. Raises
    ``ModelUnavailableError`` when the extra or the model is missing or damaged.
    """

    def __init__(
        self,
        model: str,
        *,
        offline: bool = True,
        device: str = "auto",
        batch_size: int = 8,
        max_tokens: int = 256,
    ) -> None:
        self._source, self._offline, self._device = model, offline, device
        self._batch_size, self._max_tokens = batch_size, max_tokens
        self._lock = RLock()

    @cached_property
    def model_id(self) -> str:
        """Name and hash of all files; does not load the model."""
        require_extra("transformers")
        return folder_id(self._source, self._folder)

    def write(self, texts: Sequence[str]) -> tuple[WrittenTriplets, ...]:
        """Triplets of each text; the confidence is the mean (geometric) probability of a token."""
        with self._lock:
            parts = [(at, part) for at, text in enumerate(texts) for part in self._parts(text)]
            written: list[list[WrittenTriplets]] = [[] for _ in texts]
            for first in range(0, len(parts), self._batch_size):
                batch = parts[first : first + self._batch_size]
                for (at, _), made in zip(batch, self._generate([p for _, p in batch]), strict=True):
                    written[at].append(made)
        return tuple(_joined(made) for made in written)

    @cached_property
    def _folder(self) -> Path:
        return find_folder(self._source, offline=self._offline)

    @cached_property
    def _tokenizer(self) -> Any:
        return self._load("AutoTokenizer")

    @cached_property
    def _model(self) -> Any:
        return self._load("AutoModelForSeq2SeqLM").to(best_device(self._device)).eval()

    def _load(self, kind: str) -> Any:
        library: Any = import_models("transformers")
        import_extra("torch")
        try:
            return getattr(library, kind).from_pretrained(str(self._folder), local_files_only=True)
        except Exception as e:
            raise ModelUnavailableError(f"cannot load the REBEL model in {self._folder}: {e}") from e

    def _parts(self, text: str) -> list[str]:
        """The text, or halves of it at spaces, each within the model's window."""
        limit = (
            getattr(self._model.config, "max_position_embeddings", None) or self._tokenizer.model_max_length
        )
        words = text.split()
        if len(words) < 2 or len(self._tokenizer(text)["input_ids"]) <= limit:
            return [text] if words else []
        middle = len(words) // 2
        return [*self._parts(" ".join(words[:middle])), *self._parts(" ".join(words[middle:]))]

    def _generate(self, texts: list[str]) -> list[WrittenTriplets]:
        torch: Any = import_extra("torch")
        inputs = self._tokenizer(texts, return_tensors="pt", padding=True, truncation=True)
        asked = {name: inputs[name].to(self._model.device) for name in ("input_ids", "attention_mask")}
        with running(self._source), torch.inference_mode():
            out = self._model.generate(
                **asked,
                max_new_tokens=self._max_tokens,
                num_beams=BEAMS,
                do_sample=False,
                length_penalty=0.0,
                return_dict_in_generate=True,
                output_scores=True,
            )
        decoded = [self._decode(row) for row in out.sequences.tolist()]
        padding = self._tokenizer.pad_token_id
        counts = (out.sequences[:, 1:] != padding).sum(dim=1).tolist()  # without the start token
        return [
            WrittenTriplets(text, _probability(float(score), int(count)))
            for text, score, count in zip(decoded, out.sequences_scores.tolist(), counts, strict=True)
        ]

    def _decode(self, tokens: list[int]) -> str:
        """The text with the marks of triplets, which the tokenizer counts among its special tokens."""
        marks = set(self._tokenizer.convert_tokens_to_ids(list(MARKS)))
        dropped = set(self._tokenizer.all_special_ids) - marks
        kept = [t for t in tokens if t not in dropped]
        return str(self._tokenizer.decode(kept, skip_special_tokens=False))


def _probability(score: float, tokens: int) -> float:
    """Geometric mean over tokens out of a sum of logarithms; rounded, since a batch moves the last bits."""
    return round(min(1.0, math.exp(score / max(1, tokens))), 4)


def _joined(made: Sequence[WrittenTriplets]) -> WrittenTriplets:
    return WrittenTriplets(" ".join(m.text for m in made), min((m.confidence for m in made), default=0.0))
