"""A GLiNER model through the ``gliner`` library; needs the extra ``corpusgraph[models]``.

GLiNER: arXiv:2311.08526. Models that find relations are loaded the same way.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import Any

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
from schemas.model_output import LabelledRelation, LabelledSpan, LabelledText

CONFIG = "gliner_config.json"


class GlinerModel:
    """Finds spans under free labels; loaded on first use, may be shared between threads.

    ``model`` is a folder or a hub name; with ``offline`` a hub name is looked up in the local cache only.
    A text beyond the model's window is read in parts, so nothing is cut off. Raises
    ``ModelUnavailableError`` when the extra or the model is missing or damaged.
    """

    def __init__(
        self, model: str, *, offline: bool = True, device: str = "auto", batch_size: int = 8
    ) -> None:
        self._source, self._offline, self._device = model, offline, device
        self._batch_size = batch_size
        self._lock = RLock()

    @cached_property
    def model_id(self) -> str:
        """Name and hash of all files; does not load the model."""
        require_extra("gliner")
        return folder_id(self._source, self._folder)

    @cached_property
    def relates(self) -> bool:
        """Whether the model has a layer for relations, by its configuration."""
        return bool(self._config.get("relations_layer"))

    def label(
        self, texts: Sequence[str], labels: Sequence[str], *, relations: Sequence[str] = (), threshold: float
    ) -> tuple[LabelledText, ...]:
        """One result per text; of overlapping spans the best one is given."""
        with self._lock:
            parts = [p for at, text in enumerate(texts) for p in self._parts(at, text, [*labels, *relations])]
            found = self._infer([p.text for p in parts], labels, relations, threshold)
        spans: list[list[LabelledSpan]] = [[] for _ in texts]
        related: list[list[LabelledRelation]] = [[] for _ in texts]
        for part, (entities, pairs) in zip(parts, found, strict=True):
            spans[part.index] += [_span(entity, part.start) for entity in entities]
            related[part.index] += [_relation(pair, part.start) for pair in pairs]
        return tuple(
            LabelledText(
                tuple(sorted(s, key=lambda x: (x.start, x.end, x.label))),
                tuple(sorted(r, key=lambda x: (x.head, x.tail, x.label))),
            )
            for s, r in zip(spans, related, strict=True)
        )

    @cached_property
    def _folder(self) -> Path:
        return find_folder(self._source, offline=self._offline)

    @cached_property
    def _config(self) -> dict[str, Any]:
        path = self._folder / CONFIG
        try:
            config = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as e:
            raise ModelUnavailableError(
                f"{self._folder} is no GLiNER model: cannot read {CONFIG}: {e}"
            ) from e
        if not isinstance(config, dict):
            raise ModelUnavailableError(f"{path}: expected a JSON object, found a {type(config).__name__}")
        return config

    @cached_property
    def _model(self) -> Any:
        library: Any = import_models("gliner")
        try:
            return library.GLiNER.from_pretrained(
                str(self._folder),
                local_files_only=self._offline,
                map_location=best_device(self._device),
            ).eval()
        except Exception as e:
            raise ModelUnavailableError(f"cannot load the GLiNER model in {self._folder}: {e}") from e

    def _infer(
        self, texts: list[str], labels: Sequence[str], relations: Sequence[str], threshold: float
    ) -> list[tuple[list[dict[str, Any]], list[dict[str, Any]]]]:
        if not texts:
            return []
        torch: Any = import_extra("torch")
        asked = {"threshold": threshold, "batch_size": self._batch_size, "flat_ner": True}
        with running(self._source), torch.inference_mode():
            if not self.relates:
                entities = self._model.inference(texts, list(labels), **asked)
                return [(found, []) for found in entities]
            entities, pairs = self._model.inference(
                texts, list(labels), relations=list(relations), return_relations=True, **asked
            )
        return list(zip(entities, pairs, strict=True))

    def _parts(self, index: int, text: str, labels: Sequence[str]) -> Iterator[_Part]:
        """The text in parts of whole words that fit into the model's window beside the labels."""
        words = list(self._model.data_processor.words_splitter(text))
        room = self._room(tuple(labels))
        most, size, first = int(self._model.config.max_len), 0, 0
        tokenizer = self._model.data_processor.transformer_tokenizer
        for at, (word, _, _) in enumerate(words):
            pieces = max(1, len(tokenizer.tokenize(word)))
            if at > first and (at - first >= most or size + pieces > room):
                yield _part(index, text, words[first:at])
                first, size = at, 0
            size += pieces
        if words:
            yield _part(index, text, words[first:])

    def _room(self, labels: tuple[str, ...]) -> int:
        """Tokens left for text beside the labels, each of which takes a marker of its own."""
        tokenizer = self._model.data_processor.transformer_tokenizer
        encoder = getattr(self._model.config, "encoder_config", None)
        window = min(tokenizer.model_max_length, getattr(encoder, "max_position_embeddings", None) or 1 << 30)
        prompt = sum(1 + len(tokenizer.tokenize(label)) for label in labels) + 6
        if prompt >= window // 2:
            raise ModelUnavailableError(
                f"the schema's {len(labels)} labels take {prompt} of the {window} tokens that "
                f"{self._source} reads; use a smaller schema or a model with a longer window"
            )
        return int(window) - prompt


@dataclass(frozen=True, slots=True)
class _Part:
    index: int
    start: int
    text: str


def _part(index: int, text: str, words: Sequence[tuple[str, int, int]]) -> _Part:
    start, end = words[0][1], words[-1][2]
    return _Part(index, start, text[start:end])


def _span(entity: dict[str, Any], offset: int) -> LabelledSpan:
    return LabelledSpan(
        offset + int(entity["start"]), offset + int(entity["end"]), str(entity["label"]), _score(entity)
    )


def _relation(pair: dict[str, Any], offset: int) -> LabelledRelation:
    head, tail = (
        (offset + int(pair[end]["start"]), offset + int(pair[end]["end"])) for end in ("head", "tail")
    )
    return LabelledRelation(head, tail, str(pair["relation"]), _score(pair))


def _score(found: dict[str, Any]) -> float:
    """Rounded: the last bits of a score depend on what else is in the batch."""
    return min(1.0, max(0.0, round(float(found["score"]), 4)))
