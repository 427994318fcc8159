"""Model files for tests: taken from the per-user cache, never downloaded here."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kg.model_files import ModelFiles, find_models
from kg.settings import read_environment


@pytest.fixture(scope="session")
def model_cache() -> Path:
    """The cache that the program itself uses."""
    return read_environment().cache


@pytest.fixture(scope="session")
def model_files(model_cache: Path) -> ModelFiles:
    """Files of the MiniLM embedder; in CI their absence is an error, elsewhere a reason to skip."""
    files = find_models(model_cache)
    if files is not None and files.onnx is not None:
        return files
    reason = f"no MiniLM files in {model_cache}: kg.model_files.ensure_models fetches them"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)
