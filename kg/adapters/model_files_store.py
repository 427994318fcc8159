"""Learned models in the workspace: a JSON header and a safetensors file, never code."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kg.files import dump, write_atomic
from schemas.errors import DataError, ModelUnavailableError, UsageError
from schemas.learning import ModelArtifact, ModelHeader
from schemas.model import Frozen

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,40}")


class StoredHeader(Frozen):
    """What stands in ``NAME.json``."""

    header: ModelHeader
    arrays: str
    """File name of the arrays, in the same folder."""
    arrays_sha256: str
    digest: str
    """Of header and arrays together, as ``ModelArtifact.digest``."""


class FileModelStore:
    """A folder of artifacts. The header is written last and names its arrays: a kill leaves the old model."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def save(self, name: str, artifact: ModelArtifact) -> None:
        """Keep an artifact under ``name``; the arrays of the one before are removed afterwards."""
        from safetensors.numpy import save

        path = self._path(name)
        arrays = {key: np.ascontiguousarray(value) for key, value in sorted(artifact.arrays.items())}
        data = save(arrays)
        digest = artifact.digest
        file = f"{name}-{digest[:16]}.safetensors"
        write_atomic(self._folder / file, data)
        stored = StoredHeader(
            header=artifact.header,
            arrays=file,
            arrays_sha256=hashlib.sha256(data).hexdigest(),
            digest=digest,
        )
        write_atomic(path, dump(stored))
        for old in self._folder.glob(f"{name}-*.safetensors"):
            if old.name != file and re.fullmatch(rf"{re.escape(name)}-[0-9a-f]{{16}}\.safetensors", old.name):
                old.unlink(missing_ok=True)

    def load(self, name: str) -> ModelArtifact:
        """The artifact as it was saved.

        Raises ``ModelUnavailableError`` when there is none, ``DataError`` when it is damaged or was changed.
        """
        path = self._path(name)
        if not path.is_file():
            raise ModelUnavailableError(
                f"there is no learned model {path}; make it with `kg train {name}` "
                "or set extraction.learned = false in kg.toml"
            )
        stored = self._header(path, name)
        artifact = ModelArtifact(stored.header, self._arrays(stored, name))
        if artifact.digest != stored.digest:
            raise _damaged(path, "header and arrays do not have the digest that was saved", name)
        return artifact

    def _header(self, path: Path, name: str) -> StoredHeader:
        try:
            return StoredHeader.model_validate_json(path.read_bytes())
        except (ValueError, OSError) as e:
            raise _damaged(path, str(e).splitlines()[0], name) from e

    def _arrays(self, stored: StoredHeader, name: str) -> dict[str, NDArray[Any]]:
        from safetensors import SafetensorError
        from safetensors.numpy import load

        path = self._folder / Path(stored.arrays).name
        try:
            data = path.read_bytes()
        except OSError as e:
            raise _damaged(path, e.strerror or str(e), name) from e
        if hashlib.sha256(data).hexdigest() != stored.arrays_sha256:
            raise _damaged(path, "its bytes are not those that were saved", name)
        try:
            return dict(load(data))
        except (SafetensorError, ValueError, KeyError) as e:
            raise _damaged(path, str(e), name) from e

    def _path(self, name: str) -> Path:
        if not _NAME.fullmatch(name):
            raise UsageError(f"expected a model name of lower-case letters, digits, _ and -, found {name!r}")
        return self._folder / f"{name}.json"


def _damaged(path: Path, why: str, name: str) -> DataError:
    return DataError(f"the learned model {path} is damaged: {why}; make it again with `kg train {name}`")
