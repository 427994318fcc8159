"""Hard pairs of physics names: never merged where they differ, found where they are one.

The pairs are those of ``pairs_hep`` (its published half) and the false merges measured on other resolvers
(peers.md, section 3, items 2 and 3). All names of a type are records of one table, each in a document of
its own, resolved with the shipped schema, vocabulary and embedder, without an LLM. Thresholds are the
schema's, chosen without these pairs. The vocabulary is general; the pairs were seen while it was written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, utils

from benchmarks.harness import Recorder, benchmark, stopwatch
from benchmarks.shared_sets import tables
from canonicalize.resolve import resolve
from kg.adapters.embedders import choose_embedder
from kg.corpus import entity_text
from kg.settings import read_environment
from schemas.graph_schema import EntityType, GraphSchema
from schemas.graphs import RecordColumns
from schemas.ids import DocumentKey, RecordId
from schemas.ports import Embedder
from schemas.schema_files import load_schema

WRATIO = 0.8
"""Default of neo4j-graphrag's FuzzyMatchResolver."""
PEERS = (
    ("uncertainty_source", "LHC", "LHCb"),
    ("uncertainty_source", "Run 1", "Run 2"),
    ("particle", "B0", "B0s"),
    ("observable", "CP asymmetry A_CP", "CP asymmetry S_CP"),
    ("uncertainty_source", "tracking efficiency", "trigger efficiency"),
    ("uncertainty_source", "muon identification", "electron identification"),
    ("particle", "Lambda_b0", "Lambda_c+"),
    ("observable", "branching fraction", "relative branching fraction"),
    ("uncertainty_source", "systematic uncertainty", "statistical uncertainty"),
    ("decay", "D0 -> K- pi+", "D0 -> K+ pi-"),
    ("decay", "B+ -> K+ mu mu", "B- -> K- mu mu"),
    ("particle", "Lambda_c+", "Lambda_c-"),
    ("particle", "pi+", "pi-"),
    ("particle", "K*0", "K0"),
    ("uncertainty_source", "signal shape", "combinatorial background shape"),
)
"""What other resolvers merge at their default settings: none of these may be merged."""
SAME = (("uncertainty_source", "PID calibration", "particle identification efficiency calibration"),)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two names of one type, and whether they name one concept."""

    type: str
    left: str
    right: str
    same: bool


def read_pairs() -> list[Pair]:
    """The published pairs, then the regression list."""
    rows = tables("pairs_hep")["pairs"]
    return [
        *(Pair(row["type"], row["a"], row["b"], row["same"]) for row in rows),
        *(Pair(kind, a, b, same=False) for kind, a, b in PEERS),
        *(Pair(kind, a, b, same=True) for kind, a, b in SAME),
    ]


def schema_with_particles() -> GraphSchema:
    """The shipped schema, and a type for the pairs of particles, which it has not."""
    schema = load_schema("particle_physics")
    method = schema.entity("method").canonicalization
    rules = method.model_copy(update={"synonyms": (), "fillers": ()})
    particle = EntityType(
        name="particle", label="Particle", notation="particle", case_sensitive=True, canonicalization=rules
    )
    return schema.model_copy(update={"entities": (*schema.entities, particle)})


def columns(names: Sequence[str], kind: EntityType, schema: GraphSchema, embedder: Embedder) -> RecordColumns:
    """One record per name, each in a document of its own, with the vectors that a build would give it."""
    by_similarity = kind.embed and kind.canonicalization.similarity
    texts = [entity_text(kind, schema, name, "") for name in names]
    return RecordColumns(
        type=kind.name,
        ids=tuple(RecordId(f"{kind.name}{n:05}") for n in range(len(names))),
        documents=tuple(DocumentKey(f"document{n:05}") for n in range(len(names))),
        names=tuple(names),
        descriptions=("",) * len(names),
        aliases=((),) * len(names),
        keys=((),) * len(names),
        vectors=embedder.encode(texts) if by_similarity else None,
    )


def merged_by_us(pairs: Sequence[Pair]) -> list[bool]:
    """Whether each pair ends in one entity."""
    schema = schema_with_particles()
    embedder = choose_embedder(read_environment().cache)
    names = {kind: sorted({n for p in pairs if p.type == kind for n in (p.left, p.right)})
             for kind in sorted({p.type for p in pairs})}  # fmt: skip
    made = [columns(every, schema.entity(kind), schema, embedder) for kind, every in names.items()]
    group_of = {record: group.id for group in resolve(made, schema).groups for record in group.records}
    entity = {
        (table.type, name): group_of[record]
        for table in made
        for name, record in zip(table.names, table.ids, strict=True)
    }
    return [entity[p.type, p.left] == entity[p.type, p.right] for p in pairs]


def fuzzy(pair: Pair) -> bool:
    """neo4j-graphrag's FuzzyMatchResolver: WRatio of the processed names, default threshold."""
    score = fuzz.WRatio(pair.left, pair.right, processor=utils.default_process) / 100
    return score >= WRATIO


def exact(pair: Pair) -> bool:
    """Equal names without regard to case."""
    return pair.left.lower() == pair.right.lower()


def _counts(pairs: Sequence[Pair], merged: Sequence[bool]) -> tuple[int, float]:
    """False merges, and the share of the same pairs that were found."""
    wrong = sum(m and not p.same for p, m in zip(pairs, merged, strict=True))
    found = [m for p, m in zip(pairs, merged, strict=True) if p.same]
    return wrong, sum(found) / len(found)


def figures(record: Recorder, pairs: Sequence[Pair]) -> None:
    """Both figures beside the peers'."""
    with stopwatch() as spent:
        merged = merged_by_us(pairs)
    peers: list[tuple[str, Callable[[Pair], bool]]] = [("exact", exact), ("WRatio >= .8", fuzzy)]
    theirs = {name: _counts(pairs, [method(p) for p in pairs]) for name, method in peers}
    wrong, recall = _counts(pairs, merged)
    different = sum(not p.same for p in pairs)
    record.add(
        "false_merges",
        wrong,
        "pairs",
        goal="= 0",
        floor=", ".join(f"{name} {count}" for name, (count, _) in theirs.items()),
        note=f"of {different} pairs of two concepts; {spent[0]:.1f} s with embedding",
    )
    kinds = sorted({p.type for p in pairs})
    shares = {k: _counts_of(pairs, merged, k) for k in kinds}
    record.add(
        "same_recall",
        recall,
        "share",
        goal=">= 0.85",
        floor=", ".join(f"{name} {share:.3f}" for name, (_, share) in theirs.items()),
        note=f"of {len(pairs) - different} pairs of one concept; "
        + ", ".join(f"{k} {v}" for k, v in shares.items()),
    )


def _counts_of(pairs: Sequence[Pair], merged: Sequence[bool], kind: str) -> str:
    found = [m for p, m in zip(pairs, merged, strict=True) if p.same and p.type == kind]
    return f"{sum(found)}/{len(found)}"


def main() -> None:
    """Score the pairs."""
    with benchmark("false_merges") as record:
        pairs = read_pairs()
        figures(record, pairs)
        record.notes.append("The published half of pairs_hep was read while the vocabulary was written.")


if __name__ == "__main__":
    main()
