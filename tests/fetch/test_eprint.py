"""Sources of any bytes: told apart, unpacked inside, or refused."""

from __future__ import annotations

import gzip
import io
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.eprint import EprintKind, check, open_eprint, unpack
from schemas.errors import ReadError, WorkspaceError

LIMIT = 100_000
PARTS = st.sampled_from(["a", "b.tex", "..", ".", "", "c d", "é", "\\", "x" * 120])
NAMES = st.lists(PARTS, min_size=1, max_size=4).map("/".join)
KINDS = st.sampled_from([tarfile.REGTYPE, tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE])


def tar(entries: list[tuple[str, bytes, bytes]]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, kind, content in entries:
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, "../outside"
            member.size = len(content) if kind == tarfile.REGTYPE else 0
            archive.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


def refused(call: Callable[[], None]) -> str:
    """The message with which a call is refused; empty when it is not. Any other error goes on."""
    try:
        call()
    except ReadError as e:
        return str(e)
    return ""


@given(st.lists(st.tuples(NAMES, KINDS, st.binary(max_size=20)), max_size=5))
def test_nothing_is_written_outside(entries: list[tuple[str, bytes, bytes]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "deep" / "target"
        eprint = open_eprint(gzip.compress(tar(entries)), name="x", max_bytes=LIMIT)
        if eprint.kind is not EprintKind.TAR:
            assert entries == []
            return
        if not refused(lambda: unpack(eprint, target, name="x", max_bytes=LIMIT)):
            written = {p.read_bytes() for p in target.rglob("*") if p.is_file()}
            assert written == {c for _, kind, c in entries if kind == tarfile.REGTYPE}
        outside = [p for p in Path(folder).rglob("*") if target not in [p, *p.parents]]
        assert outside == [target.parent]
        assert not any(p.is_symlink() for p in target.rglob("*"))


@given(st.binary(max_size=2_000), st.booleans(), st.integers(0, 2_000))
def test_any_bytes_are_told_apart_or_refused(data: bytes, packed: bool, cut: int) -> None:
    whole = gzip.compress(data) if packed else data

    def look() -> None:
        check(open_eprint(whole[: cut or None], name="x", max_bytes=LIMIT), name="x", max_bytes=LIMIT)

    said = refused(look)
    assert said == "" or said.startswith("x: expected")


@given(st.lists(st.tuples(NAMES, KINDS, st.binary(max_size=700)), min_size=1, max_size=3), st.data())
def test_an_archive_that_was_cut_is_never_taken_for_whole(
    entries: list[tuple[str, bytes, bytes]], data: st.DataObject
) -> None:
    plain = [(f"f{n}.tex", tarfile.REGTYPE, content) for n, (_, _, content) in enumerate(entries)]
    whole = tar(plain)
    used = sum(512 + -(-len(c) // 512) * 512 for _, _, c in plain)
    cut = data.draw(st.integers(300, used))
    eprint = open_eprint(whole[:cut], name="x", max_bytes=LIMIT)
    with pytest.raises(ReadError, match="expected"):
        check(eprint, name="x", max_bytes=LIMIT)
    check(open_eprint(whole, name="x", max_bytes=LIMIT), name="x", max_bytes=LIMIT)


@pytest.mark.parametrize(
    ("data", "kind", "suffix"),
    [
        (b"%PDF-1.5 x", EprintKind.PDF, ".pdf"),
        (b"%!PS-Adobe \\begin{x}", EprintKind.OTHER, ".bin"),
        (b"<html>\\input", EprintKind.OTHER, ".bin"),
        (b"plain words", EprintKind.OTHER, ".bin"),
        (b"\\input amstex \\document", EprintKind.TEX, ".tex"),
        (b"%auto-ignore\n\\begin{document}", EprintKind.OTHER, ".bin"),
    ],
)
def test_what_a_source_is(data: bytes, kind: EprintKind, suffix: str) -> None:
    plain, packed = (open_eprint(d, name="x", max_bytes=LIMIT) for d in (data, gzip.compress(data)))
    assert (plain.kind, plain.suffix) == (kind, suffix)
    assert (packed.kind, packed.suffix, packed.content) == (kind, f"{suffix}.gz", data)


def test_a_name_that_is_a_file_and_a_folder_is_refused(tmp_path: Path) -> None:
    entries = [("a", tarfile.REGTYPE, b"x"), ("a/b.tex", tarfile.REGTYPE, b"y")]
    eprint = open_eprint(tar(entries), name="x", max_bytes=LIMIT)
    with pytest.raises(ReadError, match="is both"):
        unpack(eprint, tmp_path / "t", name="x", max_bytes=LIMIT)


def test_too_many_files_are_refused() -> None:
    eprint = open_eprint(
        tar([(f"{n}", tarfile.REGTYPE, b"") for n in range(5_001)]), name="x", max_bytes=2**24
    )
    with pytest.raises(ReadError, match="at most 5000 files"):
        check(eprint, name="x", max_bytes=2**24)


def test_a_place_that_cannot_be_written_is_no_fault_of_the_paper(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    eprint = open_eprint(b"\\documentclass{a}", name="x", max_bytes=LIMIT)
    with pytest.raises(WorkspaceError, match="cannot be written"):
        unpack(eprint, tmp_path / "file" / "t", name="x", max_bytes=LIMIT)
