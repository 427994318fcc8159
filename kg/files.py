"""Small file functions: atomic writes, safe names, JSON of frozen types."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import orjson
from pydantic import BaseModel, ValidationError

from schemas.errors import WorkspaceError

T = TypeVar("T", bound=BaseModel)
_UNSAFE = re.compile(r"[^A-Za-z0-9._+-]+")


def write_atomic(path: Path, data: bytes, *, mode: int = 0o644) -> None:
    """Write a whole file or nothing: temporary file in the same folder, then rename.

    ``WorkspaceError`` when the place cannot be written.
    """
    with writable(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(name).chmod(mode)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


@contextmanager
def writable(path: Path) -> Iterator[None]:
    """Turns a refusal of the system to write into a ``WorkspaceError`` that names ``path``."""
    try:
        yield
    except OSError as e:
        raise WorkspaceError(
            f"{path} cannot be written: {e.strerror or e}; check the path, the permissions and the disk"
        ) from e


def dump(value: BaseModel) -> bytes:
    """JSON with stable key order, two spaces, ending in a line break: made for ``git diff``."""
    options = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE
    return orjson.dumps(value.model_dump(mode="json", exclude_defaults=True), option=options)


def load(path: Path, kind: type[T]) -> T:
    """Read a file that :func:`dump` wrote; a damaged one is a ``WorkspaceError`` that names it."""
    try:
        return kind.model_validate_json(path.read_bytes())
    except (ValidationError, ValueError) as e:
        first = str(e).splitlines()[0]
        raise WorkspaceError(
            f"{path} is damaged or was edited by hand: {first}; delete it, add its document again and build"
        ) from e
    except OSError as e:
        raise WorkspaceError(f"{path} cannot be read: {e.strerror or e}; add its document again") from e


def name_start(beginning: str) -> str:
    """How the :func:`slug` of a key starts that starts with ``beginning``.

    >>> name_start("inspire:19"), name_start("notes/a b")
    ('inspire_19', 'notes_a_b')
    """
    return _UNSAFE.sub("_", beginning).strip("._")[:80]


def slug(key: str) -> str:
    """A file name for a document key: readable, safe, and different for different keys.

    >>> slug("inspire:1915806")
    'inspire_1915806'
    >>> slug("../../etc/passwd").count("/")
    0
    """
    plain = _UNSAFE.sub("_", key).strip("._")[:80] or "document"
    if "_" not in key and plain == key.replace(":", "_") and plain.lower() == plain:
        return plain
    return f"{plain}-{hashlib.sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"
