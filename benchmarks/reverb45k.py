"""ReVerb45K: noun phrases of an open knowledge base, clustered by what they mean.

There is no development split, so nothing was tuned on this set: the threshold is the one that was fixed
beforehand for the floor, and weights are the product's defaults.
"""

from __future__ import annotations

from benchmarks.cluster_sets import (
    Mentions,
    columns,
    entity_type,
    exact_floor,
    resolved,
    schema_of,
    score,
    shipped_embedder,
    tfidf_floor,
)
from benchmarks.harness import benchmark
from benchmarks.shared_sets import tool

FLOOR_THRESHOLD = 0.6
THRESHOLD = 0.6
NAME_WEIGHT = 0.8


def main() -> None:
    gold, name = tool("load").reverb45k_mentions()
    mentions = Mentions(gold, name)
    schema = schema_of([entity_type("thing", threshold=THRESHOLD, name_weight=NAME_WEIGHT)])
    with benchmark("reverb45k") as record:
        found, seconds = resolved(columns(mentions, embedder=shipped_embedder()), schema)
        ours = score(found, gold)
        floor = score(tfidf_floor(mentions, FLOOR_THRESHOLD), gold)
        exact = score(exact_floor(mentions), gold)
        record.add(
            "average_f1",
            ours.average,
            "F1",
            goal=">= 0.82",
            floor=f"TF-IDF {floor.average:.3f} ({floor.line()}); exact {exact.average:.3f}",
            anchor="CESI .763 (62.7/84.4/81.9)",
            note=f"{ours.line()}; {seconds:.1f} s; no model calls",
        )
        record.add("seconds", seconds, "s", note=f"{len(set(name.values()))} phrases, embeddings given")
        record.notes.append(
            "ReVerb45K test (malllabiisc/cesi by way of Yang233666/cmvc @ 43da57d), 12,295 subject phrases. "
            "The set has no development split; settings were fixed beforehand."
        )


if __name__ == "__main__":
    main()
