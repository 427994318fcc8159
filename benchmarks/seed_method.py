"""The seed's method, neo4j-graphrag's fuzzy resolver and Splink beside ours, on the same records in one run.

Two sets: the seed's own 156 records (silver clusters) and 10,000 made records. The seed's method is a dense
weighted matrix of name and meaning, one average linkage and a cut at every threshold; its own loop makes a
linkage for every threshold and is reported apart. Of its cuts the best by the set's own labels counts,
which favours it. All seconds are besides embedding. The fuzzy resolver compares all pairs: on the made
records it runs on 2,000 of them, and its seconds for 10,000 are 25 times those.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from benchmarks.cluster_sets import schema_of
from benchmarks.harness import Recorder, benchmark
from benchmarks.peer_resolvers import (
    SEED_THRESHOLDS,
    DenseSeed,
    Labels,
    fuzzy,
    joined,
    splink,
    without_same_document,
)
from benchmarks.record_generator import generate, schema
from benchmarks.seed_records import LOW_THRESHOLD, seed_columns, seed_mentions, shipped_rules
from canonicalize.quality import b_cubed
from canonicalize.resolve import resolve
from schemas.graph_schema import EntityType, GraphSchema
from schemas.graphs import RecordColumns

RECORDS, FUZZY_RECORDS, DIMENSION = 10_000, 2_000, 384
SEEDS = (0, 1, 2)
Tables = Sequence[RecordColumns]
Gold = Mapping[str, object]


def timed(work: Callable[[], Labels]) -> tuple[Labels, float]:
    """What ``work`` returns, and its seconds."""
    began = time.perf_counter()
    found = work()
    return found, time.perf_counter() - began


def ours(tables: Tables, rules: GraphSchema) -> Labels:
    """Our clusters, by record."""
    return {str(r): str(g.id) for g in resolve(tables, rules).groups for r in g.records}


def seed_cuts(tables: Tables, *, scan: bool = False) -> tuple[dict[float, Labels], float, float]:
    """The seed's clusters by threshold, the seconds of one linkage with its cuts, and of its own loop.

    Without ``scan`` its own loop is not run, and the last is 0.
    """
    parts: list[tuple[str, dict[float, Labels]]] = []
    spent = scanned = 0.0
    for table in tables:
        began = time.perf_counter()
        dense = DenseSeed(table)
        built = time.perf_counter() - began
        cuts = {t: without_same_document(found, table) for t, found in dense.cuts().items()}
        spent += time.perf_counter() - began
        scanned += built + dense.scan() if scan else 0.0
        parts.append((table.type, cuts))
    return {t: joined([(k, cuts[t]) for k, cuts in parts]) for t in SEED_THRESHOLDS}, spent, scanned


def best(cuts: Mapping[float, Labels], gold: Gold) -> tuple[float, float]:
    """The threshold with the best B-cubed, and that B-cubed."""
    scores = {t: b_cubed(found, gold).f1 for t, found in cuts.items()}
    threshold = max(scores, key=lambda t: scores[t])
    return threshold, scores[threshold]


def on_seed_records(record: Recorder) -> None:
    """B-cubed of all on the seed's own records."""
    mentions = seed_mentions()
    tables, gold = seed_columns(mentions), mentions.gold
    cuts, _, _ = seed_cuts(tables)
    threshold, seed = best(cuts, gold)
    for name, rules in (("shipped", shipped_rules()), ("low", shipped_rules(LOW_THRESHOLD))):
        found = b_cubed(ours(tables, rules), gold).f1
        note = (
            "settings of the shipped schema"
            if name == "shipped"
            else f"threshold {LOW_THRESHOLD}, by these labels"
        )
        floor = f"the seed's method {seed:.3f} at its best cut {threshold}"
        record.add(f"b_cubed_seed_records_{name}", found, "F1", floor=floor, note=note)
    record.add("b_cubed_seed_records_seed_method", seed, "F1", note=f"best cut {threshold}, by these labels")
    for name, run in (("neo4j_graphrag", fuzzy), ("splink", splink)):
        peer = b_cubed(joined([(t.type, run(t)) for t in tables]), gold).f1
        record.add(f"b_cubed_seed_records_{name}", peer, "F1")


def our_cuts(tables: Tables, rules: GraphSchema) -> dict[float, Labels]:
    """Our clusters at each of the seed's thresholds, all other settings kept."""
    return {t: ours(tables, schema_of([_at(kind, t) for kind in rules.entities])) for t in SEED_THRESHOLDS}


def _at(kind: EntityType, threshold: float) -> EntityType:
    rules = kind.canonicalization.model_copy(update={"threshold": threshold})
    return kind.model_copy(update={"canonicalization": rules})


def on_made_records(record: Recorder, seed: int) -> None:
    """B-cubed and seconds of all on made records; ours first runs on a few, to load libraries."""
    made = generate(RECORDS, dimension=DIMENSION, seed=seed)
    gold = {str(r): int(c) for r, c in zip(made.table.ids, made.concepts, strict=True)}
    few = generate(500, dimension=DIMENSION, seed=seed)
    ours([few.table], schema())
    mine, seconds = timed(lambda: ours([made.table], schema()))
    cuts, dense_seconds, scan_seconds = seed_cuts([made.table], scan=seed == SEEDS[0])
    threshold, dense = best(cuts, gold)
    rows = f"{RECORDS} made records, seed {seed}"
    loop = f"; its own loop {scan_seconds:.1f} s" if scan_seconds else ""
    suffix = "" if seed == SEEDS[0] else f"_seed{seed}"
    record.add(f"b_cubed_10000{suffix}", b_cubed(mine, gold).f1, "F1", floor=f"seed {dense:.3f}", note=rows)
    record.add(f"b_cubed_10000_seed_method{suffix}", dense, "F1", note=f"best cut {threshold}; {rows}")
    record.add(f"seconds_10000{suffix}", seconds, "s", floor=f"seed {dense_seconds:.1f} s", note=rows)
    record.add(
        f"speedup_10000{suffix}",
        dense_seconds / seconds,
        "times",
        goal=">= 20",
        floor="1 (the seed's method, one linkage)",
        note=f"{dense_seconds:.1f} s against {seconds:.1f} s{loop}; {rows}",
    )
    if seed == SEEDS[0]:
        cut, level = best(our_cuts([made.table], schema()), gold)
        beside = f"the seed's method {dense:.3f} at its best cut {threshold}"
        note = f"best cut {cut}, by these labels; {rows}"
        record.add("b_cubed_10000_best_cut", level, "F1", floor=beside, note=note)
        _peers(record, made.table, gold)


def _peers(record: Recorder, table: RecordColumns, gold: Mapping[str, int]) -> None:
    found, seconds = timed(lambda: splink(table))
    record.add("b_cubed_10000_splink", b_cubed(found, gold).f1, "F1", note=f"{seconds:.1f} s with training")
    part = replace(
        table,
        ids=table.ids[:FUZZY_RECORDS],
        documents=table.documents[:FUZZY_RECORDS],
        names=table.names[:FUZZY_RECORDS],
        descriptions=table.descriptions[:FUZZY_RECORDS],
        aliases=table.aliases[:FUZZY_RECORDS],
        keys=table.keys[:FUZZY_RECORDS],
        vectors=None,
    )
    merged, spent = timed(lambda: fuzzy(part))
    held = {str(r): gold[str(r)] for r in part.ids}
    whole = spent * (RECORDS / FUZZY_RECORDS) ** 2
    record.add(
        "b_cubed_2000_neo4j_graphrag",
        b_cubed(merged, held).f1,
        "F1",
        note=f"first {FUZZY_RECORDS} records: {spent:.1f} s; 10,000 would take {whole:.0f} s (quadratic)",
    )


def main() -> None:
    with benchmark("seed_method") as record:
        on_seed_records(record)
        for seed in SEEDS:
            on_made_records(record, seed)
        record.notes.append(
            "Splink 5.0.0 and neo4j-graphrag 1.22.0 (its FuzzyMatchResolver, own code, over a database in"
            " memory; WRatio >= .8, names only). The seed's method: scikit-learn AgglomerativeClustering,"
            " name weight .5, its cut chosen by the labels it is scored on. Two cores, shared."
        )


if __name__ == "__main__":
    main()
