"""Learned models on disk: what is saved is what is loaded, and a damaged file never becomes a model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

from kg.adapters.model_files_store import FileModelStore
from schemas.errors import DataError, ModelUnavailableError, UsageError
from schemas.learning import ModelArtifact, ModelHeader


def header(parameters: str = "{}") -> ModelHeader:
    return ModelHeader(
        kind="extractor/learned",
        format=1,
        schema_name="s",
        schema_version="1",
        schema_fingerprint="f",
        documents=2,
        documents_hash="h",
        parameters=parameters,
    )


ARTIFACT = ModelArtifact(
    header('{"types":["machine"]}'),
    {"weights": np.arange(6, dtype=np.float32).reshape(2, 3), "names": np.frombuffer(b"a\nb", np.uint8)},
)
ARRAYS = st.dictionaries(
    st.text(st.characters(codec="ascii", categories=["Ll"]), min_size=1, max_size=5),
    arrays_of.arrays(
        st.sampled_from([np.float32, np.float64, np.uint8]), arrays_of.array_shapes(max_dims=2, max_side=4)
    ),
    max_size=3,
)


@settings(max_examples=50, deadline=None)
@given(ARRAYS, st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_a_model_is_loaded_as_it_was_saved(
    tmp_path_factory: pytest.TempPathFactory, arrays: dict[str, np.ndarray], parameters: str
) -> None:
    store = FileModelStore(tmp_path_factory.mktemp("models"))
    saved = ModelArtifact(header(parameters), arrays)
    store.save("extractor", saved)
    loaded = store.load("extractor")
    assert loaded.header == saved.header
    assert loaded.digest == saved.digest
    assert set(loaded.arrays) == set(arrays)
    for name, value in arrays.items():
        assert loaded.arrays[name].dtype == value.dtype
        assert np.array_equal(loaded.arrays[name], value, equal_nan=value.dtype != np.uint8)


def test_the_same_model_gives_the_same_files(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        FileModelStore(tmp_path / folder).save("extractor", ARTIFACT)
    files = {folder: sorted((tmp_path / folder).iterdir()) for folder in ("a", "b")}
    assert [p.name for p in files["a"]] == [p.name for p in files["b"]]
    assert [p.read_bytes() for p in files["a"]] == [p.read_bytes() for p in files["b"]]


def test_a_new_model_replaces_the_old_one(tmp_path: Path) -> None:
    store = FileModelStore(tmp_path)
    store.save("extractor", ModelArtifact(header("old"), ARTIFACT.arrays))
    store.save("other", ARTIFACT)
    store.save("extractor", ARTIFACT)
    assert store.load("extractor").header.parameters == ARTIFACT.header.parameters
    assert store.load("other").digest == ARTIFACT.digest
    assert len(list(tmp_path.glob("extractor-*.safetensors"))) == 1


def test_no_model_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailableError, match="make it with `kg train extractor`"):
        FileModelStore(tmp_path).load("extractor")


def test_a_name_is_no_path(tmp_path: Path) -> None:
    for name in ("../x", "", "A", "a/b"):
        with pytest.raises(UsageError, match="expected a model name"):
            FileModelStore(tmp_path).load(name)


@pytest.mark.parametrize("suffix", [".json", ".safetensors"])
@pytest.mark.parametrize("how", ["bit", "cut", "empty", "gone", "text"])
def test_a_damaged_file_is_never_a_model(tmp_path: Path, suffix: str, how: str) -> None:
    store = FileModelStore(tmp_path)
    store.save("extractor", ARTIFACT)
    (path,) = tmp_path.glob(f"extractor*{suffix}")
    data = bytearray(path.read_bytes())
    if how == "gone":
        path.unlink()
    elif how == "bit":
        data[len(data) // 2] ^= 1
    if how != "gone":
        path.write_bytes(
            {"cut": bytes(data[:-7]), "empty": b"", "text": b"not a model"}.get(how, bytes(data))
        )
    expected = ModelUnavailableError if (suffix, how) == (".json", "gone") else DataError
    with pytest.raises(expected, match=r"damaged|there is no learned model"):
        store.load("extractor")


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_changed_byte_goes_unnoticed(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Every byte of the arrays, and every character of the header that has a meaning."""
    folder = tmp_path_factory.mktemp("models")
    store = FileModelStore(folder)
    store.save("extractor", ARTIFACT)
    path = data.draw(st.sampled_from(sorted(folder.iterdir())))
    content = bytearray(path.read_bytes())
    at = data.draw(st.integers(0, len(content) - 1))
    content[at] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content)
    try:
        found = store.load("extractor")
    except DataError:
        return
    assert found.digest == ARTIFACT.digest


def test_other_arrays_with_their_own_hash_are_refused(tmp_path: Path) -> None:
    """Both files replaced consistently but for the digest: header and arrays belong together."""
    store = FileModelStore(tmp_path)
    store.save("extractor", ARTIFACT)
    text = (tmp_path / "extractor.json").read_text(encoding="utf-8")
    (tmp_path / "extractor.json").write_text(text.replace("machine", "machina"), encoding="utf-8")
    with pytest.raises(DataError, match="do not have the digest"):
        store.load("extractor")
