"""Model folders: from a hub name or a path to files on this machine, and their fingerprint."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from schemas.errors import ModelUnavailableError

_READ = 1 << 20
_MISSING = "GLiNER and REBEL need {}, which is not installed; pip install 'corpusgraph[models]'"


def find_folder(model: str, *, offline: bool) -> Path:
    """The folder of a model's files: ``model`` itself when it is one, else its snapshot in the hub cache.

    With ``offline`` the hub is not asked; ``HF_HUB_OFFLINE=1`` has the same effect. Raises
    ``ModelUnavailableError`` that says what to install, fetch or set.
    """
    folder = Path(model).expanduser()
    if folder.is_dir():
        return folder
    hub = import_extra("huggingface_hub")
    try:
        return Path(hub.snapshot_download(model, local_files_only=offline))
    except Exception as e:
        where = (
            "and it is not in the local hub cache; fetch it on a machine with a network, "
            "or set extraction.models.offline = false"
            if offline
            else "and the hub did not give it"
        )
        raise ModelUnavailableError(f"{model!r} is no folder here, {where}: {e}") from e


def require_extra(name: str) -> None:
    """Raise as :func:`import_extra` does, without the seconds that importing takes."""
    if find_spec(name) is None:
        raise ModelUnavailableError(_MISSING.format(name))


def import_extra(name: str) -> Any:
    """A library of the extra ``[models]``; ``ModelUnavailableError`` when it is not installed.

    What the libraries warn of while they are imported concerns their own authors and is not shown.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return import_module(name)
    except ImportError as e:
        raise ModelUnavailableError(_MISSING.format(name)) from e


def import_models(name: str) -> Any:
    """As :func:`import_extra`, for a library that loads weights: its progress bars and notes are off."""
    library = import_extra(name)
    logging = import_extra("transformers").utils.logging
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    return library


@contextmanager
def running(model: str) -> Iterator[None]:
    """What a library raises while a model runs becomes ``ModelUnavailableError``: one document's failure."""
    try:
        yield
    except (RuntimeError, ValueError, IndexError, KeyError, TypeError) as e:
        raise ModelUnavailableError(
            f"{model} failed while it ran: {e}; when memory ran out, lower extraction.models.batch_size"
        ) from e


def folder_id(model: str, folder: Path) -> str:
    """``NAME@HASH``: the name's last part, and 12 hexadecimal digits over names and bytes of all files.

    Raises ``ModelUnavailableError`` for a folder without files.
    """
    digest, count = hashlib.sha256(), 0
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and not _hidden(p.relative_to(folder))):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
        digest.update(str(path.stat().st_size).encode() + b"\0")
        with path.open("rb") as file:
            while data := file.read(_READ):
                digest.update(data)
        count += 1
    if not count:
        raise ModelUnavailableError(
            f"the model folder {folder} holds no files; give the folder of its weights"
        )
    return f"{model.rstrip('/').rsplit('/', 1)[-1]}@{digest.hexdigest()[:12]}"


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def best_device(device: str) -> str:
    """``auto`` as ``cuda`` where there is one, else ``cpu``; any other device as it is."""
    if device != "auto":
        return device
    torch = import_extra("torch")
    return "cuda" if torch.cuda.is_available() else "cpu"
