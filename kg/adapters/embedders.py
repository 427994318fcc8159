"""Which embedder is used: the best whose files are there."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from pydantic import Field

from kg.adapters.embedding_cache import CachedEmbedder, SqliteEmbeddingCache
from kg.adapters.onnx_embedder import OnnxEmbedder
from kg.adapters.sentence_embedder import SentenceEmbedder
from kg.adapters.shared_vectors import SharedVectors, fingerprint, vectors_file
from kg.adapters.static_embedder import StaticEmbedder
from kg.adapters.tfidf_embedder import TfidfEmbedder
from kg.model_files import ModelFiles, find_models
from schemas.errors import ModelUnavailableError, SettingsError
from schemas.model import Frozen
from schemas.ports import Embedder

_log = logging.getLogger(__name__)


class EmbedderSettings(Frozen):
    """How texts become vectors."""

    prefer: Literal["auto", "onnx", "static", "tfidf", "sentence-transformers"] = "auto"
    """``auto``: the first of onnx, static, tfidf that can be loaded."""
    model: str = ""
    """Folder or hub name, for sentence-transformers only."""
    offline: bool = True
    """Never ask a model hub."""
    threads: int = Field(0, ge=0, le=256)
    """Cores of one run; 0 for all."""
    share_mb: int = Field(1_024, ge=0, le=1 << 20)
    """MB (2^20 bytes) of MiniLM's vectors that all workspaces of a user share in the per-user cache; above it
    the oldest are dropped. 0: the workspace's own are used only."""


def choose_embedder(cache: Path, *, prefer: str = "auto", threads: int = 0) -> Embedder:
    """The preferred embedder, from the model files in ``cache``; downloads nothing.

    ``auto`` takes the first of ``onnx``, ``static`` and ``tfidf`` that can be loaded, and logs which and
    why; :attr:`Embedder.model_id` says it too. Any other preference is met or ``ModelUnavailableError``
    is raised; so it is for damaged files.
    """
    files = find_models(cache) if prefer != "tfidf" else None
    loaders: dict[str, Callable[[], Embedder]] = {
        "onnx": lambda: _onnx(files, cache, threads),
        "static": lambda: _static(files, cache),
        "tfidf": TfidfEmbedder,
    }
    if prefer != "auto":
        if prefer not in loaders:
            raise SettingsError(f"embedder must be auto, {', '.join(loaders)}; found {prefer!r}")
        return loaders[prefer]()
    for name in ("onnx", "static"):
        try:
            embedder = loaders[name]()
        except ModelUnavailableError as e:
            _log.warning("embedder %s is not available: %s", name, e)
        else:
            _log.info("embedder %s: %s", name, embedder.model_id)
            return embedder
    _log.warning("no model files: using character n-grams, which see spelling and not meaning")
    return TfidfEmbedder()


def embedder_from(settings: EmbedderSettings, cache: Path) -> Embedder:
    """The embedder that the settings ask for; errors as of :func:`choose_embedder`."""
    if settings.prefer != "sentence-transformers":
        return choose_embedder(cache, prefer=settings.prefer, threads=settings.threads)
    if not settings.model:
        raise SettingsError(
            "embedder.model must name a folder or hub model when prefer is sentence-transformers"
        )
    return SentenceEmbedder(settings.model, offline=settings.offline)


@contextmanager
def open_embedder(settings: EmbedderSettings, cache: Path, *, vectors: Path) -> Iterator[CachedEmbedder]:
    """The embedder of the settings, with its vectors kept in the SQLite file ``vectors``.

    Those of MiniLM are also looked up and kept in the per-user ``cache``, as the settings say: they take long
    to compute, and are the same bits whatever is embedded with them.
    """
    embedder = embedder_from(settings, cache)
    if settings.share_mb and isinstance(embedder, OnnxEmbedder):
        shared = SharedVectors(vectors_file(cache), limit_mb=settings.share_mb)
        embedder = CachedEmbedder(embedder, shared, under=fingerprint(embedder.model_id))
    with SqliteEmbeddingCache(vectors) as known:
        yield CachedEmbedder(embedder, known)


def _onnx(files: ModelFiles | None, cache: Path, threads: int) -> Embedder:
    if files is None or files.onnx is None:
        raise ModelUnavailableError(
            f"no MiniLM files in {cache / 'models'}; fetch them with kg.model_files.ensure_models"
        )
    return OnnxEmbedder(files.onnx, threads=threads)


def _static(files: ModelFiles | None, cache: Path) -> Embedder:
    if files is None or files.static is None:
        raise ModelUnavailableError(
            f"no static vectors in {cache / 'models'}; fetch them with ensure_models(static=True)"
        )
    return StaticEmbedder(files.static)
