"""Embedders: unit rows, zero rows, independence of the batch, choice and fallback."""

from __future__ import annotations

import logging
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.adapters.embedders import EmbedderSettings, choose_embedder, embedder_from
from kg.adapters.onnx_embedder import OnnxEmbedder
from kg.adapters.sentence_embedder import SentenceEmbedder
from kg.adapters.static_embedder import StaticEmbedder
from kg.adapters.tfidf_embedder import TfidfEmbedder
from kg.model_files import EmbedderFiles, ModelFiles
from schemas.errors import ModelUnavailableError, SettingsError
from schemas.ports import Embedder

WORDS = ("signal", "shape", "branching", "fraction", "decay", "trigger", "mass", "fit", "B0", "K+", "pi-")


def _texts(count: int) -> list[str]:
    pick = random.Random(11)
    return [" ".join(pick.choices(WORDS, k=pick.choice([1, 3, 8, 40, 400]))) for _ in range(count)]


def _assert_rows(embedder: Embedder, texts: list[str]) -> None:
    vectors = embedder.encode(texts)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(texts), embedder.dimension)
    expected = [1.0 if text.strip() else 0.0 for text in texts]
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), expected, atol=1e-5)


@pytest.fixture(scope="session")
def onnx(model_files: ModelFiles) -> OnnxEmbedder:
    assert model_files.onnx is not None
    return OnnxEmbedder(model_files.onnx, threads=1)


@pytest.fixture(scope="session")
def static(model_files: ModelFiles) -> StaticEmbedder:
    if model_files.static is None:
        pytest.skip("no static vectors in the cache: ensure_models(static=True) fetches them")
    return StaticEmbedder(model_files.static)


def test_onnx_rows_are_unit_vectors_and_empty_texts_zero(onnx: OnnxEmbedder) -> None:
    _assert_rows(onnx, ["a trigger", "", "  \n", "π⁰ → γγ", "\ud800"[:0], "x" * 5_000])
    assert onnx.dimension == 384
    assert onnx.encode([]).shape == (0, 384)


def test_onnx_vector_does_not_depend_on_its_batch(onnx: OnnxEmbedder) -> None:
    texts = _texts(24)
    together = onnx.encode(texts)
    for row, text in enumerate(texts):
        np.testing.assert_array_equal(onnx.encode([text])[0], together[row])
    np.testing.assert_array_equal(onnx.encode(texts[::-1])[::-1], together)


def test_onnx_sees_meaning_where_spelling_differs(onnx: OnnxEmbedder) -> None:
    near, far, base = onnx.encode(
        ["statistical uncertainty of the sample", "a cat sleeps on the sofa", "limited size of the data set"]
    )
    assert base @ near > base @ far + 0.1


def test_static_rows_and_batches(static: StaticEmbedder) -> None:
    texts = ["", *_texts(20), "K⁺π⁻"]
    _assert_rows(static, texts)
    together = static.encode(texts)
    for row, text in enumerate(texts):
        np.testing.assert_array_equal(static.encode([text])[0], together[row])


@given(st.lists(st.text(max_size=30), max_size=8))
@settings(max_examples=50, deadline=None)
def test_tfidf_is_stateless(texts: list[str]) -> None:
    embedder = TfidfEmbedder()
    together = embedder.encode(texts)
    for row, text in enumerate(texts):
        np.testing.assert_array_equal(embedder.encode([text])[0], together[row])
        assert np.linalg.norm(together[row]) == pytest.approx(1, abs=1e-5) or not together[row].any()


def test_tfidf_rows() -> None:
    _assert_rows(TfidfEmbedder(dimension=64), ["signal shape", "", " ", "B0 -> K+ pi-"])
    assert "64" in TfidfEmbedder(dimension=64).model_id


def test_choice_prefers_onnx_where_its_files_are(model_files: ModelFiles, model_cache: Path) -> None:
    assert model_files.onnx is not None
    assert choose_embedder(model_cache, threads=1).model_id == model_files.onnx.model_id
    assert embedder_from(EmbedderSettings(prefer="tfidf"), model_cache).model_id.startswith("char-ngram")


def test_choice_falls_back_and_says_so(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        embedder = choose_embedder(tmp_path)
    assert embedder.model_id.startswith("char-ngram-hash")
    assert "spelling and not meaning" in caplog.text


@pytest.mark.parametrize("prefer", ["onnx", "static"])
def test_explicit_preference_is_never_replaced(tmp_path: Path, prefer: str) -> None:
    with pytest.raises(ModelUnavailableError, match="ensure_models"):
        choose_embedder(tmp_path, prefer=prefer)


def test_unknown_preference_and_missing_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="bert"):
        choose_embedder(tmp_path, prefer="bert")
    with pytest.raises(SettingsError, match=r"embedder\.model"):
        embedder_from(EmbedderSettings(prefer="sentence-transformers"), tmp_path)


def test_files_that_are_no_model_are_refused(tmp_path: Path) -> None:
    for name in ("model", "tokenizer"):
        (tmp_path / name).write_bytes(b"not a model")
    files = EmbedderFiles(tmp_path / "model", tmp_path / "tokenizer", "broken/1")
    with pytest.raises(ModelUnavailableError, match="cannot load the ONNX embedder"):
        OnnxEmbedder(files)
    with pytest.raises(ModelUnavailableError, match="cannot load the static embedder"):
        StaticEmbedder(files)


def test_sentence_transformers_model_from_a_folder(tmp_path: Path) -> None:
    library = pytest.importorskip("sentence_transformers", reason="the extra [models] is not installed")
    tokens = pytest.importorskip("transformers")
    vocabulary = tmp_path / "vocab.txt"
    vocabulary.write_text(
        "\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "signal", "shape", "mass"])
    )
    bert = tmp_path / "bert"
    tokens.BertTokenizerFast(vocab_file=str(vocabulary)).save_pretrained(bert)
    config = tokens.BertConfig(
        vocab_size=8, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16
    )
    tokens.BertModel(config).save_pretrained(bert)
    library.SentenceTransformer(str(bert), device="cpu").save(str(tmp_path / "tiny"))
    embedder = SentenceEmbedder(str(tmp_path / "tiny"))
    assert embedder.dimension == 16
    _assert_rows(embedder, ["signal shape", "", "mass"])
    assert embedder.model_id == SentenceEmbedder(str(tmp_path / "tiny")).model_id
    assert embedder.model_id.startswith("sentence-transformers/tiny+")


def test_sentence_transformers_without_a_model_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailableError, match=r"corpusgraph\[models\]|cannot load"):
        SentenceEmbedder(str(tmp_path / "nothing"))
