"""Question encoders: trained on questions with what their queries name, and kept as files without code."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from pydantic import ValidationError

from cypher.semantics.evidence import learnable
from kg.adapters.encoder_training import EPOCHS, HOW, Asked, Done, train
from kg.adapters.minilm_weights import minilm_weights
from kg.adapters.question_encoder import MOST_TOKENS, QuestionEncoder
from kg.files import write_atomic
from kg.model_files import EmbedderFiles
from schemas.errors import DataError, ModelUnavailableError
from schemas.ids import canonical_json
from schemas.model import Frozen

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Said = Sequence[tuple[str, frozenset[str]]]
"""Questions, as :func:`cypher.semantics.evidence.spelled` writes them, with the elements of their queries."""
_ABOUT: Final = "encoder"


class EncoderHeader(Frozen):
    """What an encoder is and what it was trained on."""

    format: int = 1
    names: tuple[str, ...]
    learned: str
    """Hash of the questions, the elements, the model that it started from and the number of passes."""


def fingerprint(said: Said, files: EmbedderFiles, *, epochs: int = EPOCHS) -> str:
    """What an encoder that is trained so is told by, 64 hexadecimal digits."""
    told = [[text, *sorted(found)] for text, found in said]
    return hashlib.sha256(canonical_json([files.model_id, epochs, *HOW, told]).encode()).hexdigest()


def train_encoder(
    said: Said, files: EmbedderFiles, *, epochs: int = EPOCHS, done: Done | None = None
) -> QuestionEncoder | None:
    """An encoder that tells what is learnable from the questions; ``None`` where nothing is.

    24,000 questions of twelve words take about 12 minutes a pass on one slow core. Raises
    ``ModelUnavailableError`` without ``corpusgraph[models]`` or the model's files.
    """
    names = learnable([found for _, found in said])
    if not names:
        return None
    tokenizer = _tokenizer(files)
    tokens = [tokenizer.encode(text).ids[:MOST_TOKENS] for text, _ in said]
    has = np.array([[name in found for name in names] for _, found in said], dtype=np.float32)
    arrays = train(Asked(tokens, has), minilm_weights(files.model), epochs=epochs, done=done)
    return QuestionEncoder(arrays, names, lambda text: tokenizer.encode(text).ids)


def save_encoder(encoder: QuestionEncoder, file: Path, *, learned: str) -> None:
    """Keeps an encoder, with 16 bits a number; ``learned`` is its :func:`fingerprint`."""
    from safetensors.numpy import save

    header = EncoderHeader(names=encoder.names, learned=learned)
    arrays = {name: np.ascontiguousarray(x, dtype=np.float16) for name, x in encoder.arrays.items()}
    write_atomic(file, save(arrays, metadata={_ABOUT: header.model_dump_json()}))


def load_encoder(file: Path, files: EmbedderFiles, *, learned: str | None = None) -> QuestionEncoder:
    """An encoder that was kept.

    ``DataError`` where the file is none, is damaged, or was trained on something else than ``learned``;
    ``ModelUnavailableError`` without the tokenizer that it was trained with.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(file, framework="numpy") as kept:
            header = EncoderHeader.model_validate_json((kept.metadata() or {}).get(_ABOUT, ""))
            arrays = {name: kept.get_tensor(name).astype(np.float32) for name in kept.keys()}  # noqa: SIM118
    except ValidationError as e:
        raise DataError(f"expected a question encoder in {file}, found weights of something else") from e
    except (OSError, SafetensorError) as e:
        raise DataError(f"expected a question encoder in {file}, found {type(e).__name__}: {e}") from e
    if learned is not None and header.learned != learned:
        raise DataError(f"expected in {file} an encoder trained on these questions, found one of others")
    tokenizer = _tokenizer(files)
    encoder = QuestionEncoder(arrays, header.names, lambda text: tokenizer.encode(text).ids)
    try:
        odds = encoder.odds("")
    except (KeyError, ValueError, IndexError) as e:
        raise DataError(f"expected a whole question encoder in {file}, found {type(e).__name__}: {e}") from e
    if not all(map(math.isfinite, odds.values())):
        raise DataError(f"expected a whole question encoder in {file}, found one that tells no numbers")
    return encoder


def _tokenizer(files: EmbedderFiles) -> Tokenizer:
    try:
        from tokenizers import Tokenizer

        found: Tokenizer = Tokenizer.from_file(str(files.tokenizer))
    except Exception as e:
        raise ModelUnavailableError(f"cannot load the tokenizer {files.tokenizer}: {e}") from e
    found.no_padding()
    found.no_truncation()
    return found
