"""The weights of the pinned MiniLM, under the names that its published form gives them.

The model file holds matrices as 8-bit integers with a scale, which is how the embedder uses them, too: only
in the last bits does it compute something else. Needs ``corpusgraph[models]``.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from schemas.errors import ModelUnavailableError

Weights = Mapping[str, NDArray[np.float32]]
_PREFIX: Final = "inner."
_UNNAMED: Final = "val_"
_IN_LAYER: Final = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
"""The matrices of a layer, in the order in which they are used; the file gives them numbers alone."""


def minilm_weights(file: Path) -> Weights:
    """Name -> float32 array, matrices as (out, in), for example ``encoder.layer.0.output.dense.weight``.

    ``ModelUnavailableError`` where the extra or the file is missing, or the file is not laid out so.
    """
    try:
        onnx: Any = import_module("onnx")
        graph = onnx.load(str(file)).graph
        kept = {t.name: np.asarray(onnx.numpy_helper.to_array(t)) for t in graph.initializer}
        outputs = [n.output[0] for n in graph.node if n.op_type == "Mul" and f"{n.output[0]}_scale" in kept]
        scaled = {name: np.float32(kept[f"{name}_q"]) * kept[f"{name}_scale"] for name in outputs}
    except Exception as e:
        raise ModelUnavailableError(
            f"expected the weights of a MiniLM in {file} and the extra corpusgraph[models], found "
            f"{type(e).__name__}: {e}"
        ) from e
    found = {n: array for n, array in kept.items() if array.dtype == np.float32 and not n.endswith("_scale")}
    found |= {name: array for name, array in scaled.items() if name.startswith(_PREFIX)}
    unnamed = sorted(
        (n for n in scaled if n.startswith(_UNNAMED)), key=lambda n: int(n.removeprefix(_UNNAMED))
    )
    for place, name in enumerate(unnamed):
        layer, matrix = divmod(place, len(_IN_LAYER))
        found[f"{_PREFIX}encoder.layer.{layer}.{_IN_LAYER[matrix]}.weight"] = scaled[name].T
    return {
        n.removeprefix(_PREFIX): np.ascontiguousarray(a) for n, a in found.items() if n.startswith(_PREFIX)
    }
