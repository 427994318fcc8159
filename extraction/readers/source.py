"""Reads source files: bounded, decoded, and never outside the import root."""

from __future__ import annotations

import codecs
import gzip
import re
import zlib
from pathlib import Path, PurePath

from schemas.errors import ReadError

MAX_BYTES = 50 * 2**20
"""Largest source file, unpacked, in bytes; ``extraction.max_file_mb`` of ``kg.toml`` sets another."""

_LATIN1 = re.compile(rb"\\usepackage\s*\[[^\]]*\b(?:latin1|ansinew|cp1252)\b[^\]]*\]\s*\{inputenc\}")
_HTML_LATIN1 = re.compile(
    rb"<meta[^>]{0,200}charset\s*=\s*[\"']?(?:iso-8859-1|latin-?1|windows-1252)\b", re.IGNORECASE
)
_XML_ENCODING = re.compile(rb"^<\?xml[^>]*encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_DECLARATIONS = {
    ".tex": "\\usepackage[latin1]{inputenc}",
    ".xml": '<?xml version="1.0" encoding="iso-8859-1"?>',
    ".html": '<meta charset="iso-8859-1">',
    ".htm": '<meta charset="iso-8859-1">',
}


def printable(path: Path) -> str:
    r"""The path as text; bytes of it that are no UTF-8 are written as ``\\xff``."""
    return str(path).encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def relative_name(path: Path, root: Path) -> str:
    """``path`` under the import root, with forward slashes.

    ``ReadError`` when it lies outside, and for a name that no text can hold.
    """
    try:
        name = path.resolve().relative_to(root.resolve()).as_posix()
        name.encode()
    except UnicodeEncodeError as e:
        raise ReadError(
            "expected a file name in UTF-8, found one with other bytes; rename the file",
            file=printable(path),
        ) from e
    except ValueError as e:
        raise ReadError(
            f"expected a file under the import root {root}, found one outside; move it there", file=str(path)
        ) from e
    return name


def read_bytes(path: Path, *, root: Path, max_bytes: int = MAX_BYTES) -> bytes:
    """Contents of one regular file, unpacked when its name ends in ``.gz``; at most ``max_bytes``.

    Raises ``ReadError`` for a file that is larger (a large plain one is not even opened), empty, outside
    ``root`` or not readable.
    """
    name = relative_name(path, root)
    packed = path.suffix.lower() == ".gz"
    try:
        data = b""
        size = path.stat().st_size
        if size <= max_bytes:
            with gzip.open(path, "rb") if packed else path.open("rb") as stream:
                data = stream.read(max_bytes + 1 if packed else size + 1)
            too_large = len(data) > max_bytes
        else:
            too_large = True
    except (OSError, EOFError, zlib.error) as e:
        raise ReadError(f"expected a readable file, found: {e}; check its name and rights", file=name) from e
    if too_large:
        raise ReadError(
            f"expected at most {max_bytes / 2**20:g} MB, found more; split the document or raise "
            "extraction.max_file_mb in kg.toml",
            file=name,
        )
    if not data.strip():
        raise ReadError("expected text, found an empty file", file=name, line=1)
    return data


def decode(data: bytes, *, file: str) -> str:
    """Text of a UTF-8 source (or UTF-16 with its mark, or Latin-1 where LaTeX, XML or HTML declare it).

    Raises ``ReadError`` with the line of the first NUL or undecodable byte.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        data = _from_utf16(data)
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
                f"expected UTF-8, found byte 0x{data[e.start]:02x}; save the file as UTF-8{_declaring(file)}",
                file=file,
                line=_line(data, e.start),
            ) from e
        text = data.decode("cp1252", errors="replace").replace("\ufffd", "")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_text(path: Path, *, root: Path, max_bytes: int = MAX_BYTES) -> str:
    """:func:`read_bytes`, decoded."""
    return decode(read_bytes(path, root=root, max_bytes=max_bytes), file=relative_name(path, root))


def _from_utf16(data: bytes) -> bytes:
    """UTF-8 of UTF-16 with a mark; other bytes as they are, so that their fault is told."""
    try:
        return data.decode("utf-16").encode("utf-8")
    except UnicodeError:
        return data


def _declares_latin1(data: bytes) -> bool:
    head = data[:200_000]
    declared = _XML_ENCODING.match(head)
    if declared:
        return declared.group(1).lower() in {b"iso-8859-1", b"latin1", b"latin-1", b"windows-1252"}
    return _LATIN1.search(head) is not None or _HTML_LATIN1.search(head[:4_096]) is not None


def _declaring(file: str) -> str:
    """How a file of this kind can say that it is Latin-1; nothing where it cannot."""
    suffix = PurePath(file.lower().removesuffix(".gz")).suffix
    said = _DECLARATIONS.get(suffix, "")
    return f" or declare its encoding ({said})" if said else ""


def _line(data: bytes, at: int) -> int:
    return data.count(b"\n", 0, at) + 1
