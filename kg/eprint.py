"""What arXiv gives as the source of a paper: told apart by its bytes, and unpacked without trusting it.

Possible answers are a gzipped tar archive, one gzipped TeX file, a PDF, and rarely the same without
gzip, PostScript or HTML (info.arxiv.org/help/mimetypes.html).
"""

from __future__ import annotations

import gzip
import io
import json
import re
import tarfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Final

from kg.files import writable
from schemas.errors import ReadError

MAX_MEMBERS: Final = 5_000
"""Entries of one archive."""
LONGEST_NAME: Final = 255
"""Bytes of a file's path inside the archive."""
TEX_NAME: Final = "paper.tex"
"""Name of a source that is one file and has none."""

_GZIP, _PDF, _TAR = b"\x1f\x8b", b"%PDF-", b"ustar"
_TEX: Final = re.compile(rb"\\(?:document(?:class|style)|begin|input|magnification|def)\b")
_STUB: Final = re.compile(rb"^\s*%auto-ignore", re.MULTILINE)
_README: Final = ("00README.json", "00README.XXX")


class EprintKind(StrEnum):
    """What a downloaded source is."""

    TAR = "tar"
    TEX = "tex"
    PDF = "pdf"
    OTHER = "other"
    """PostScript, HTML, or the note that stands in place of a withdrawn paper."""


@dataclass(frozen=True, slots=True)
class Eprint:
    """A source with its outer compression taken off."""

    kind: EprintKind
    content: bytes
    packed: bool

    @property
    def suffix(self) -> str:
        """File suffix of the source as it was downloaded."""
        plain = {EprintKind.OTHER: ".bin"}.get(self.kind, f".{self.kind}")
        return f"{plain}.gz" if self.packed else plain


def open_eprint(data: bytes, *, name: str, max_bytes: int) -> Eprint:
    """Tell what ``data`` is; unpacked it may have ``max_bytes``. ``ReadError`` for a damaged archive.

    >>> open_eprint(gzip.compress(b"\\\\documentclass{article}"), name="x", max_bytes=100).kind.value
    'tex'
    """
    packed = data.startswith(_GZIP)
    content = _gunzip(data, name, max_bytes) if packed else data
    if len(content) > max_bytes:
        raise _too_large(name, max_bytes)
    return Eprint(_kind(content), content, packed)


def unpack(eprint: Eprint, target: Path, *, name: str, max_bytes: int) -> None:
    """Write the files of a TeX source into the new folder ``target``.

    ``ReadError``, with nothing of the archive outside ``target``, for an absolute path, ``..``, a link, a
    device, one name twice, more than ``MAX_MEMBERS`` entries, more than ``max_bytes`` in all, or a
    damaged archive.
    """
    with writable(target):
        target.mkdir(parents=True)
        if eprint.kind is EprintKind.TEX:
            (target / TEX_NAME).write_bytes(eprint.content)
            return
    for path, content in _entries(eprint.content, name, max_bytes):
        with writable(target / path):
            _write(target, path, content, name)


def check(eprint: Eprint, *, name: str, max_bytes: int) -> None:
    """Raise the ``ReadError`` that :func:`unpack` would raise for the archive's entries; write nothing."""
    if eprint.kind is EprintKind.TAR:
        for _ in _entries(eprint.content, name, max_bytes):
            pass


def _entries(data: bytes, name: str, max_bytes: int) -> Iterator[tuple[PurePosixPath, bytes | None]]:
    """Path and content of each entry, checked; None for a folder."""
    total, seen = 0, set[PurePosixPath]()
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
            for count, member in enumerate(archive, 1):
                path, total = _checked(member, name), total + member.size
                if count > MAX_MEMBERS:
                    raise ReadError(
                        f"expected at most {MAX_MEMBERS} files in an archive, found more", file=name
                    )
                if total > max_bytes:
                    raise _too_large(name, max_bytes)
                if member.isreg() and path in seen:
                    raise ReadError(f"expected each name once, found {member.name!r} twice", file=name)
                seen.add(path)
                yield path, _content(archive, member, name) if member.isreg() else None
            _ends(data, archive.offset, name)
    except (tarfile.TarError, EOFError, UnicodeError, ValueError) as e:
        raise ReadError(f"expected a whole tar archive, found: {e}; run the command again", file=name) from e


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo, name: str) -> bytes:
    stream = archive.extractfile(member)
    content = stream.read() if stream is not None else b""
    if len(content) != member.size:
        raise ReadError(f"expected {member.size} bytes of {member.name!r}, found fewer", file=name)
    return content


def _ends(data: bytes, offset: int, name: str) -> None:
    """An archive ends in an empty block; without one it was cut between two files."""
    if data[offset : offset + tarfile.BLOCKSIZE] != bytes(tarfile.BLOCKSIZE):
        raise ReadError("expected a whole tar archive, found no end of it; run the command again", file=name)


def _write(target: Path, path: PurePosixPath, content: bytes | None, name: str) -> None:
    try:
        if content is None:
            (target / path).mkdir(parents=True, exist_ok=True)
            return
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        with (target / path).open("xb") as file:
            file.write(content)
    except (FileExistsError, NotADirectoryError) as e:
        raise ReadError(f"expected a folder or a file, found that {str(path)!r} is both", file=name) from e


def _checked(member: tarfile.TarInfo, name: str) -> PurePosixPath:
    """The path of a plain file or folder that stays inside."""
    path = PurePosixPath(member.name)
    shown = member.name[:80]
    if not (member.isreg() or member.isdir()):
        raise ReadError(f"expected plain files, found a link or device: {shown!r}; it is refused", file=name)
    if path.is_absolute() or ".." in path.parts or "\0" in member.name or "\\" in member.name:
        raise ReadError(f"expected names inside the archive, found {shown!r}; it is refused", file=name)
    if len(member.name.encode("utf-8", "surrogateescape")) > LONGEST_NAME or member.size < 0:
        raise ReadError(f"expected names of at most {LONGEST_NAME} bytes, found {shown!r}…", file=name)
    return path


def _kind(content: bytes) -> EprintKind:
    if content.startswith(_PDF):
        return EprintKind.PDF
    if content[257:262] == _TAR:
        return EprintKind.TAR
    head = content[:200_000]
    is_tex = b"\0" not in head and _TEX.search(head) is not None and not head.startswith((b"%!PS", b"<"))
    return EprintKind.TEX if is_tex and not _STUB.search(head[:2_000]) else EprintKind.OTHER


def _gunzip(data: bytes, name: str, max_bytes: int) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            content = stream.read(max_bytes + 1)
    except (OSError, EOFError, zlib.error) as e:
        raise ReadError(
            f"expected a whole gzip file, found: {e}; run the same command again", file=name
        ) from e
    if len(content) > max_bytes:
        raise _too_large(name, max_bytes)
    return content


def _too_large(name: str, max_bytes: int) -> ReadError:
    return ReadError(
        f"expected at most {max_bytes / 2**20:g} MB unpacked, found more; raise max_unpacked_mb under "
        "[fetch] in kg.toml if it is to be read",
        file=name,
    )


def named_main(folder: Path) -> str:
    """The main file that the authors told arXiv (``00README``); empty when they told none or several.

    JSON: ``{"sources": [{"usage": "toplevel", "filename": ...}]}``; text: lines ``NAME toplevelfile``.
    """
    for name in _README:
        path = folder / name
        if path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
            mains = _json_mains(text) if name.endswith(".json") else _text_mains(text)
            if len(mains) == 1 and (folder / mains[0]).is_file():
                return mains[0]
    return ""


def _text_mains(text: str) -> list[str]:
    words = (line.split() for line in text.splitlines())
    return [w[0] for w in words if len(w) == 2 and w[1] == "toplevelfile"]


def _json_mains(text: str) -> list[str]:
    try:
        sources = json.loads(text)["sources"]
        return [str(s["filename"]) for s in sources if s.get("usage") == "toplevel"]
    except (ValueError, KeyError, TypeError, AttributeError):
        return []
