"""Reads source files: bounded, decoded, and never outside the import root."""

from __future__ import annotations

import gzip
import re
import zlib
from pathlib import Path

from schemas.errors import ReadError

MAX_BYTES = 50 * 2**20
"""Largest source file, unpacked, in bytes."""

_LATIN1 = re.compile(rb"\\usepackage\s*\[[^\]]*\b(?:latin1|ansinew|cp1252)\b[^\]]*\]\s*\{inputenc\}")
_XML_ENCODING = re.compile(rb"^<\?xml[^>]*encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")


def relative_name(path: Path, root: Path) -> str:
    """``path`` under the import root, with forward slashes. ``ReadError`` when it lies outside."""
    try:
        return path.resolve().relative_to(root.resolve()).as_posix()
    except ValueError as e:
        raise ReadError(
            f"expected a file under the import root {root}, found one outside; move it there", file=str(path)
        ) from e


def read_bytes(path: Path, *, root: Path) -> bytes:
    """Contents of one regular file, unpacked when its name ends in ``.gz``; at most ``MAX_BYTES``."""
    name = relative_name(path, root)
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
        if path.suffix.lower() == ".gz":
            with gzip.open(path, "rb") as unpacked:
                data = unpacked.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as e:
        raise ReadError(f"expected a readable file, found: {e}; check its name and rights", file=name) from e
    if len(data) > MAX_BYTES:
        raise ReadError(
            f"expected at most {MAX_BYTES // 2**20} MB, found more; split the document", file=name
        )
    if not data.strip():
        raise ReadError("expected text, found an empty file", file=name, line=1)
    return data


def decode(data: bytes, *, file: str) -> str:
    """Text of a UTF-8 source (or Latin-1, where the LaTeX or XML source declares it).

    Raises ``ReadError`` with the line of the first NUL or undecodable byte.
    """
    nul = data.find(b"\0")
    if nul >= 0:
        raise ReadError(
            "expected text, found a NUL byte: is this a binary file?", file=file, line=_line(data, nul)
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as e:
        if not _declares_latin1(data):
            raise ReadError(
                f"expected UTF-8, found byte 0x{data[e.start]:02x}; save the file as UTF-8 or declare "
                "its encoding (\\usepackage[latin1]{inputenc})",
                file=file,
                line=_line(data, e.start),
            ) from e
        text = data.decode("cp1252", errors="replace").replace("\ufffd", "")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_text(path: Path, *, root: Path) -> str:
    """:func:`read_bytes`, decoded."""
    return decode(read_bytes(path, root=root), file=relative_name(path, root))


def _declares_latin1(data: bytes) -> bool:
    head = data[:200_000]
    declared = _XML_ENCODING.match(head)
    if declared:
        return declared.group(1).lower() in {b"iso-8859-1", b"latin1", b"latin-1", b"windows-1252"}
    return _LATIN1.search(head) is not None


def _line(data: bytes, at: int) -> int:
    return data.count(b"\n", 0, at) + 1
