"""The fuzz targets run: their seeds read, and what is wrong with them is a ReadError."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from extraction.readers import read_document
from schemas.documents import BlockKind

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "fuzz.py"


@pytest.fixture(scope="module")
def fuzz() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fuzz_script", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("target", ["latex", "json"])
def test_seeds_cut_anywhere_read_or_are_refused(fuzz: ModuleType, tmp_path: Path, target: str) -> None:
    run = fuzz.reads_or_refuses(fuzz.TARGETS[target], tmp_path)
    for seed in fuzz.SEEDS[target]:
        for end in range(0, len(seed) + 1, 7):
            run(seed[:end].encode())
            run(seed[end:].encode())


def test_seeds_reach_the_readers(fuzz: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(fuzz.SEEDS["json"][0])
    assert BlockKind.TABLE in {b.kind for b in read_document(path, root=tmp_path).blocks}
    path = tmp_path / "a.tex"
    path.write_text(fuzz.SEEDS["latex"][0])
    kinds = {b.kind for b in read_document(path, root=tmp_path, missing_inputs_ok=True).blocks}
    assert {BlockKind.TABLE, BlockKind.EQUATION, BlockKind.CAPTION} <= kinds


def test_an_error_that_is_no_read_error_escapes(
    fuzz: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = fuzz.reads_or_refuses((".tex",), tmp_path)

    def broken(*_: object, **__: object) -> None:
        raise IndexError

    monkeypatch.setattr("extraction.readers.registry.read_latex", broken)
    with pytest.raises(IndexError):
        run(b"x")
