"""Question encoders: the weights they start from, what training teaches them, and their files."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from kg.adapters import encoder_training
from kg.adapters.encoder_training import Asked, steps_of, train
from kg.adapters.minilm_weights import Weights, minilm_weights
from kg.adapters.onnx_embedder import OnnxEmbedder
from kg.adapters.question_encoder import HEADS, QuestionEncoder, hidden
from kg.model_files import EmbedderFiles, ModelFiles
from kg.question_encoders import fingerprint, load_encoder, save_encoder, train_encoder
from schemas.errors import DataError, ModelUnavailableError

LIVES, CALLS = frozenset({"-LIVES 1", ":Person 1"}), frozenset({"-CALLED 1", ":Person 1"})
SAID = [
    (f"who {verb} some {place} name", LIVES)
    for verb in ("lives in", "dwells in")
    for place in ("town", "street")
]
SAID += [
    (f"who {verb} some {place} name", CALLS) for verb in ("phoned", "rang up") for place in ("town", "person")
]
SAID *= 8


@pytest.fixture(scope="module")
def files(model_files: ModelFiles) -> EmbedderFiles:
    pytest.importorskip("torch", reason="the extra [models] is not installed")
    pytest.importorskip("onnx", reason="the extra [models] is not installed")
    assert model_files.onnx is not None
    return model_files.onnx


@pytest.fixture(scope="module")
def tiny() -> Weights:
    """A transformer of two layers with made-up weights."""
    made, size, inner = np.random.default_rng(0), 2 * HEADS, 32
    shapes = {
        "embeddings.word_embeddings.weight": (50, size),
        "embeddings.position_embeddings.weight": (16, size),
        "embeddings.token_type_embeddings.weight": (2, size),
    }
    norms = ["embeddings"]
    for layer in (0, 1):
        name = f"encoder.layer.{layer}"
        norms += [f"{name}.attention.output", f"{name}.output"]
        squares = (
            "attention.self.query",
            "attention.self.key",
            "attention.self.value",
            "attention.output.dense",
        )
        for dense, shape in (
            *((s, (size, size)) for s in squares),
            ("intermediate.dense", (inner, size)),
            ("output.dense", (size, inner)),
        ):
            shapes |= {f"{name}.{dense}.weight": shape, f"{name}.{dense}.bias": shape[:1]}
    weights = {name: np.float32(0.1 * made.standard_normal(shape)) for name, shape in shapes.items()}
    for name in norms:
        weights |= {
            f"{name}.LayerNorm.weight": np.ones(size, np.float32),
            f"{name}.LayerNorm.bias": np.zeros(size, np.float32),
        }
    return weights


def test_what_it_starts_from_are_the_embedders_weights(files: EmbedderFiles) -> None:
    text = "which officers look into crimes near some location postcode?"
    weights = minilm_weights(files.model)
    tokenizer = import_module("tokenizers").Tokenizer.from_file(str(files.tokenizer))
    tokenizer.no_padding()
    pooled = hidden(weights, tokenizer.encode(text).ids).mean(axis=0)
    [vector] = OnnxEmbedder(files).encode([text])
    assert pooled @ vector / np.linalg.norm(pooled) == pytest.approx(1.0, abs=1e-5)


def test_no_weights_in_another_file(files: EmbedderFiles) -> None:
    with pytest.raises(ModelUnavailableError, match="weights of a MiniLM"):
        minilm_weights(files.tokenizer)


def test_a_word_near_those_that_were_learned_is_understood(files: EmbedderFiles) -> None:
    steps = list[int]()
    encoder = train_encoder(SAID, files, epochs=8, done=lambda: steps.append(1))
    assert encoder is not None
    assert encoder.names == ("-CALLED 1", "-LIVES 1")  # all have a person
    assert len(steps) == steps_of(len(SAID), epochs=8)
    for verb, right, wrong in (
        ("telephoned", "-CALLED 1", "-LIVES 1"),
        ("resides in", "-LIVES 1", "-CALLED 1"),
    ):
        odds = encoder.odds(f"who {verb} some town name")
        assert odds[right] > odds[wrong], verb


def test_nothing_learnable_is_no_encoder(files: EmbedderFiles) -> None:
    assert train_encoder(SAID[:4], files) is None


def _asked() -> Asked:
    made = np.random.default_rng(1)
    tokens = [made.integers(3, 50, made.integers(3, 9)).tolist() for _ in range(90)]
    return Asked(tokens, np.array([[7 in t or 8 in t, len(t) > 5] for t in tokens], np.float32))


def test_training_is_repeatable_and_lowers_the_loss(tiny: Weights, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="the extra [models] is not installed")
    asked = _asked()
    first, again = train(asked, tiny, epochs=2), train(asked, tiny, epochs=2)
    assert all(np.array_equal(first[name], again[name]) for name in first)
    assert first.keys() - tiny.keys() == {"head.weight", "head.bias"}
    monkeypatch.setattr(encoder_training, "RATE", 3e-3)
    assert _loss(train(asked, tiny, epochs=20), asked) < 0.7 * _loss(first, asked)


def _loss(weights: Weights, asked: Asked) -> float:
    odds = np.array(
        [list(QuestionEncoder(weights, ("a", "b"), _numbers).odds(_text(t)).values()) for t in asked.tokens]
    )
    return float(np.logaddexp(0, np.where(asked.has > 0, -odds, odds)).mean())


def _text(tokens: object) -> str:
    assert isinstance(tokens, list)
    return " ".join(map(str, tokens))


def _numbers(text: str) -> list[int]:
    return list(map(int, text.split()))


def test_without_the_extra_it_is_said(tiny: Weights, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr(encoder_training, "import_module", missing)
    with pytest.raises(ModelUnavailableError, match=r"corpusgraph\[models\]"):
        train(_asked(), tiny)


def test_a_kept_encoder_tells_the_same(tiny: Weights, files: EmbedderFiles, tmp_path: Path) -> None:
    wide = {**tiny, "head.weight": np.ones((2, 2 * HEADS), np.float32), "head.bias": np.float32([0.5, -2])}
    words = np.random.default_rng(2).standard_normal((30_522, 2 * HEADS))
    encoder = QuestionEncoder(
        {**wide, "embeddings.word_embeddings.weight": np.float32(words)}, ("a", "b"), _numbers
    )
    file, learned = tmp_path / "encoder.safetensors", fingerprint(SAID, files)
    save_encoder(encoder, file, learned=learned)
    kept = load_encoder(file, files, learned=learned)
    ids = " ".join(map(str, kept.tokens("who lives in some town name")))
    assert kept.odds("who lives in some town name") == pytest.approx(encoder.odds(ids), abs=0.05)
    other = fingerprint(SAID[1:], files)
    assert other != learned != fingerprint(SAID, files, epochs=9)
    with pytest.raises(DataError, match="of others"):
        load_encoder(file, files, learned=other)
    lacking = {name: x for name, x in encoder.arrays.items() if name != "encoder.layer.1.output.dense.bias"}
    wrong = {**encoder.arrays, "head.bias": np.zeros(3, np.float32)}
    blank = {**encoder.arrays, "head.bias": np.float32([np.nan, 0])}
    for arrays in (lacking, wrong, blank):
        save_encoder(QuestionEncoder(arrays, ("a", "b"), _numbers), file, learned=learned)
        with pytest.raises(DataError, match="whole question encoder"):
            load_encoder(file, files)
    for metadata in (None, {"encoder": "{}"}):
        save_file({"weight": np.zeros(2, np.float32)}, file, metadata=metadata)
        with pytest.raises(DataError, match="found weights of something else"):
            load_encoder(file, files)
    for damaged in (file.read_bytes()[:100], b""):
        file.write_bytes(damaged)
        with pytest.raises(DataError, match="question encoder"):
            load_encoder(file, files)
