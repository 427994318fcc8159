"""Fit the pair model that is shipped, on the labelled names of canonicalize/data.

Needs the files of the MiniLM embedder in the cache (``kg.model_files.ensure_models``). The same files give
the same bytes. Run it after a change of the columns of ``canonicalize.similarity`` or of the labelled names.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from canonicalize.pair_data import (  # noqa: E402
    joined,
    labelled_pairs,
    labelled_terms,
    pair_columns,
    proposed_columns,
)
from canonicalize.pair_model import encode, fit_pair_model, to_json  # noqa: E402
from kg.adapters.embedders import choose_embedder  # noqa: E402
from kg.settings import read_environment  # noqa: E402

OUT = ROOT / "canonicalize" / "data" / "pair_model.json"


def main() -> None:
    """Write ``pair_model.json``."""
    embedder = choose_embedder(read_environment().cache, prefer="onnx")
    table = joined([pair_columns(labelled_pairs(), embedder), proposed_columns(labelled_terms(), embedder)])
    artifact = encode(fit_pair_model(table), source=f"labelled names, {embedder.model_id}")
    OUT.write_text(to_json(artifact), encoding="utf-8")
    sys.stdout.write(f"{len(table)} pairs, {int(table.same.sum())} of them the same; {artifact.digest}\n")


if __name__ == "__main__":
    main()
