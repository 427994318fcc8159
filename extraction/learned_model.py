"""The learned extractor's model, and its layout as an artifact: a JSON header and arrays, no code."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from extraction.learned_calibration import Calibration
from extraction.learned_clues import Likeness
from extraction.learned_crf import Chain, Floats, Ints
from extraction.learned_features import VIEWS, Vocabulary
from extraction.learned_gazetteer import Gazetteer
from extraction.learned_pairs import Decision, PairModel
from extraction.learned_rank import Owners, RankModel
from extraction.learned_roles import LIKENESSES, WORDED
from extraction.learned_spans import SpanModel, Tags
from extraction.learned_stages import Ranked, StagedModel
from schemas.errors import DataError, UsageError
from schemas.graph_schema import GraphSchema
from schemas.ids import canonical_json
from schemas.learning import ModelArtifact, ModelHeader
from schemas.ports import Embedder

KIND: Final = "extractor/learned"
FORMAT: Final = 4


@dataclass(frozen=True, slots=True)
class LearnedModel:
    """Everything that extraction needs."""

    spans: SpanModel
    span_calibration: Calibration
    pairs: PairModel | StagedModel | None
    """None when training saw no relation."""
    pair_calibration: Calibration
    names: Mapping[tuple[str, tuple[str, ...]], str]
    """(type, name key) -> the canonical name that reviewers gave, where it is not the one written."""


def encode(model: LearnedModel, schema: GraphSchema, *, documents: int, documents_hash: str) -> ModelArtifact:
    """The model as header and arrays; weights are kept as float32."""
    spans, pairs = model.spans, model.pairs
    arrays: dict[str, NDArray[Any]] = {
        "transitions": _single(spans.chain.transitions),
        "start": _single(spans.chain.start),
    }
    for (name, _), weights in zip(VIEWS, spans.chain.views, strict=True):
        arrays |= {
            f"view/{name}": _single(weights),
            f"features/{name}": _text(spans.vocabulary.columns[name]),
        }
    arrays |= _pair_arrays(pairs) if pairs is not None else {}
    return ModelArtifact(
        ModelHeader(
            kind=KIND,
            format=FORMAT,
            schema_name=schema.name,
            schema_version=schema.version,
            schema_fingerprint=schema.fingerprint,
            documents=documents,
            documents_hash=documents_hash,
            parameters=canonical_json(_parameters(model)),
        ),
        arrays,
    )


def _pair_arrays(pairs: PairModel | StagedModel) -> dict[str, NDArray[Any]]:
    arrays: dict[str, NDArray[Any]] = {
        "pair/weights": _single(pairs.weights),
        "pair/features": _text(pairs.columns),
    }
    if isinstance(pairs, PairModel):
        return arrays | {"pair/bias": _single(pairs.bias)}
    features, owners, weights = pairs.rank.cells()
    return arrays | {
        "pair/gate": _single(pairs.gate),
        "pair/shared": _single(pairs.shared),
        "rank/names": _text(pairs.rank.columns),
        "rank/features": features,
        "rank/owners": owners,
        "rank/weights": _single(weights),
        "rank/shared": _single(pairs.rank.shared),
    }


def _parameters(model: LearnedModel) -> dict[str, object]:
    spans, pairs = model.spans, model.pairs
    return {
        "types": list(spans.tags.types),
        "shift": spans.shift,
        "gazetteer": [
            [list(key), sorted(counts.items())] for key, counts in sorted(spans.gazetteer.counts.items())
        ],
        "span_calibration": [model.span_calibration.slope, model.span_calibration.offset],
        "pair_calibration": [model.pair_calibration.slope, model.pair_calibration.offset],
        **_pair_parameters(pairs),
        "names": [[kind, list(key), name] for (kind, key), name in sorted(model.names.items())],
    }


def _pair_parameters(pairs: PairModel | StagedModel | None) -> dict[str, object]:
    if pairs is None:
        return {"stages": 0}
    if isinstance(pairs, PairModel):
        return {
            "stages": 1,
            "pair_classes": [list(c) for c in pairs.classes],
            "decision": [pairs.decision.related, pairs.decision.also],
            "reach": pairs.reach,
        }
    return {
        "stages": 2,
        "relations": list(pairs.relations),
        "decision": [pairs.decision.least, pairs.decision.rival],
        "trust": pairs.rank.trust,
        "reach": pairs.reach,
        "embedder": pairs.likeness.embedder_id,
        "dimension": pairs.likeness.dimension,
    }


def decode(artifact: ModelArtifact, schema: GraphSchema, embedder: Embedder | None = None) -> LearnedModel:
    """The model of an artifact.

    Raises ``UsageError`` when it is of another kind, format or schema, or was trained with an embedder that
    is not the one given; ``DataError`` when it contradicts itself. A model without an embedder uses none.
    """
    header = artifact.header
    if header.kind != KIND or header.format != FORMAT:
        raise UsageError(
            f"expected a model of kind {KIND} in format {FORMAT}, found {header.kind} in format "
            f"{header.format}; train it again with `kg train extractor`"
        )
    if header.schema_fingerprint != schema.fingerprint:
        raise UsageError(
            f"the learned model was trained for schema {header.schema_name} {header.schema_version} "
            f"({header.schema_fingerprint[:8]}), this is {schema.name} {schema.version} "
            f"({schema.fingerprint[:8]}); train it again with `kg train extractor`"
        )
    wanted = embedder_of(artifact)
    if wanted and (embedder is None or embedder.model_id != wanted):
        raise UsageError(
            f"the learned model was trained with the embedder {wanted}, found "
            f"{embedder.model_id if embedder else 'none'}; use that one, or train again with "
            "`kg train extractor`"
        )
    try:
        values = json.loads(header.parameters)
        return _decoded(values, artifact.arrays, schema, embedder if wanted else None)
    except (KeyError, ValueError, TypeError, IndexError, AttributeError) as e:
        raise DataError(
            f"the learned model is damaged ({type(e).__name__}: {e}); "
            "train it again with `kg train extractor`"
        ) from e


def embedder_of(artifact: ModelArtifact) -> str:
    """Id of the embedder whose vectors the model needs; empty for none, and for a damaged header."""
    try:
        values = json.loads(artifact.header.parameters)
    except ValueError:
        return ""
    return str(values.get("embedder", "")) if isinstance(values, dict) else ""


def _decoded(
    values: Any, arrays: Mapping[str, NDArray[Any]], schema: GraphSchema, embedder: Embedder | None
) -> LearnedModel:
    tags = Tags(tuple(str(t) for t in values["types"]))
    gazetteer = Gazetteer()
    for key, counts in values["gazetteer"]:
        for kind, times in counts:
            gazetteer.add(tuple(key), str(kind), int(times))
    columns = {name: _columns(arrays[f"features/{name}"]) for name, _ in VIEWS}
    chain = Chain(
        tuple(_floats(arrays, f"view/{name}", (len(columns[name]), tags.size)) for name, _ in VIEWS),
        _floats(arrays, "transitions", (tags.size, tags.size)),
        _floats(arrays, "start", (tags.size,)),
    )
    unknown = sorted({*tags.types} - {e.name for e in schema.entities})
    if unknown:
        raise ValueError(f"types {', '.join(unknown)} are not in the schema")
    return LearnedModel(
        SpanModel(tags, gazetteer, Vocabulary(columns), chain, float(values["shift"])),
        Calibration(*map(float, values["span_calibration"])),
        _staged_model(values, arrays, schema, embedder)
        if values["stages"] == 2
        else _pair_model(values, arrays, schema),
        Calibration(*map(float, values["pair_calibration"])),
        {(str(kind), tuple(key)): str(name) for kind, key, name in values["names"]},
    )


def _pair_model(values: Any, arrays: Mapping[str, NDArray[Any]], schema: GraphSchema) -> PairModel | None:
    if not values["stages"]:
        return None
    classes = tuple((str(name), bool(forth)) for name, forth in values["pair_classes"])
    unknown = sorted({name for name, _ in classes[1:]} - {r.name for r in schema.relations})
    if unknown:
        raise ValueError(f"relations {', '.join(unknown)} are not in the schema")
    columns = _columns(arrays["pair/features"])
    return PairModel(
        classes,
        columns,
        _floats(arrays, "pair/weights", (len(classes), len(columns))),
        _floats(arrays, "pair/bias", (len(classes),)),
        Decision(*map(float, values["decision"])),
        int(values["reach"]),
    )


def _staged_model(
    values: Any, arrays: Mapping[str, NDArray[Any]], schema: GraphSchema, embedder: Embedder | None
) -> StagedModel:
    likeness = Likeness(schema, embedder)
    if list(likeness.relations) != values["relations"] or likeness.dimension != values["dimension"]:
        raise ValueError("the relations or the vectors are not those of the schema and the embedder")
    columns = _columns(arrays["pair/features"])
    width = 1 + len(columns) + likeness.dimension
    return StagedModel(
        likeness.relations,
        columns,
        _floats(arrays, "pair/gate", (width,)),
        _floats(arrays, "pair/weights", (width, len(likeness.relations))),
        _floats(arrays, "pair/shared", (WORDED + likeness.size,)),
        Ranked(*map(float, values["decision"])),
        int(values["reach"]),
        likeness,
        _rank_model(arrays, likeness, float(values["trust"])),
    )


def _rank_model(arrays: Mapping[str, NDArray[Any]], likeness: Likeness, trust: float) -> RankModel:
    columns, owners = _columns(arrays["rank/names"]), Owners.called(likeness.words)
    size = arrays["rank/weights"].shape
    cells = (
        _numbers(arrays, "rank/features", len(columns), size),
        _numbers(arrays, "rank/owners", owners.size, size),
        _floats(arrays, "rank/weights", size),
    )
    shared = _floats(arrays, "rank/shared", (len(columns) + LIKENESSES,))
    return replace(RankModel.of(columns, cells, shared, owners), trust=trust)


def _numbers(arrays: Mapping[str, NDArray[Any]], name: str, below: int, shape: Sequence[int]) -> Ints:
    found = np.asarray(arrays[name], np.int64)
    if found.shape != tuple(shape) or found.ndim != 1 or ((found < 0) | (found >= below)).any():
        raise ValueError(f"expected {tuple(shape)} numbers from 0 to {below - 1} in {name}")
    return found


def _single(values: Floats) -> NDArray[np.float32]:
    return np.ascontiguousarray(values, np.float32)


def _floats(arrays: Mapping[str, NDArray[Any]], name: str, shape: Sequence[int]) -> Floats:
    found = arrays[name]
    if found.shape != tuple(shape) or not np.isfinite(found).all():
        raise ValueError(f"expected finite numbers of shape {tuple(shape)} in {name}, found {found.shape}")
    return np.asarray(found, np.float64)


def _text(columns: Mapping[str, int]) -> NDArray[np.uint8]:
    """Feature names in the order of their columns, one a line, as bytes of UTF-8."""
    joined = "\n".join(json.dumps(name, ensure_ascii=True) for name in columns)
    return np.frombuffer(joined.encode("ascii"), np.uint8)


def _columns(data: NDArray[Any]) -> dict[str, int]:
    lines = bytes(np.asarray(data, np.uint8)).decode("ascii").split("\n") if data.size else []
    return {str(json.loads(line)): at for at, line in enumerate(lines)}
