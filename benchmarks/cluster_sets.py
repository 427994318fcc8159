"""Sets with gold clusters as records to resolve, with the scores and floors of their benchmarks."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.harness import ROOT
from benchmarks.shared_sets import tool
from canonicalize.judge import Judge
from canonicalize.resolve import resolve
from kg.adapters.embedders import choose_embedder
from kg.adapters.embedding_cache import CachedEmbedder, SqliteEmbeddingCache
from kg.settings import read_environment
from schemas.graph_schema import EntityType, GraphSchema
from schemas.graphs import RecordColumns
from schemas.ids import DocumentKey, RecordId
from schemas.ports import Embedder

Clusters = Mapping[str, str]
"""Mention -> cluster."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """Mentions with their gold cluster and name; the rest may be absent."""

    gold: Mapping[str, str]
    name: Mapping[str, str]
    type: Mapping[str, str] = field(default_factory=dict)
    document: Mapping[str, str] = field(default_factory=dict)
    """Absent: every mention is of a document of its own, so that two of them may always merge."""
    description: Mapping[str, str] = field(default_factory=dict)
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    key: Mapping[str, str] = field(default_factory=dict)
    """An identity key, where a mention has one."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Macro, micro and pairwise F1 as of the open-KB sets, their average, and B-cubed F1; all in [0, 1]."""

    macro: float
    micro: float
    pairwise: float
    b_cubed: float

    @property
    def average(self) -> float:
        """Mean of the three F1."""
        return (self.macro + self.micro + self.pairwise) / 3

    def line(self) -> str:
        """``67.1/86.0/86.2, B3 .820``."""
        three = "/".join(f"{100 * x:.1f}" for x in (self.macro, self.micro, self.pairwise))
        return f"{three}, B3 {self.b_cubed:.3f}"


def score(found: Clusters, gold: Clusters) -> Scores:
    """Scores by the set's own ``metrics.py``."""
    metrics = tool("metrics")
    held = {m: found[m] for m in gold}
    three: dict[str, float] = metrics.okb_f1(held, gold)
    return Scores(
        macro=three["macro_f1"],
        micro=three["micro_f1"],
        pairwise=three["pair_f1"],
        b_cubed=metrics.b_cubed(held, gold)["f1"],
    )


def columns(
    mentions: Mentions, *, text: Callable[[str], str] | None = None, embedder: Embedder | None = None
) -> tuple[RecordColumns, ...]:
    """One table per type, rows in order of mention; ``text`` of a mention is embedded (default: its name)."""
    by_type: dict[str, list[str]] = defaultdict(list)
    for m in sorted(mentions.gold):
        by_type[mentions.type.get(m, "thing")].append(m)
    say = text or (lambda m: mentions.name[m])
    return tuple(
        RecordColumns(
            type=kind,
            ids=tuple(RecordId(m) for m in rows),
            documents=tuple(DocumentKey(mentions.document.get(m, m)) for m in rows),
            names=tuple(mentions.name[m] for m in rows),
            descriptions=tuple(mentions.description.get(m, "") for m in rows),
            aliases=tuple(mentions.aliases.get(m, ()) for m in rows),
            keys=tuple((mentions.key[m],) if m in mentions.key else () for m in rows),
            vectors=None if embedder is None else _vectors([say(m) for m in rows], embedder),
        )
        for kind, rows in sorted(by_type.items())
    )


def _vectors(texts: Sequence[str], embedder: Embedder) -> NDArray[np.float32]:
    distinct = sorted(set(texts))
    place = {text: at for at, text in enumerate(distinct)}
    matrix = embedder.encode(distinct)
    return matrix[np.fromiter((place[t] for t in texts), dtype=np.int64, count=len(texts))]


def shipped_embedder() -> Embedder:
    """The embedder that the product ships, with its vectors kept in ``build`` from run to run."""
    kept = ROOT / "build" / "embeddings.sqlite"
    kept.parent.mkdir(parents=True, exist_ok=True)
    inner = choose_embedder(Path(read_environment().cache), prefer="onnx")
    return CachedEmbedder(inner, SqliteEmbeddingCache(kept))


def schema_of(kinds: Sequence[EntityType]) -> GraphSchema:
    """A schema of entity types only."""
    return GraphSchema(name="sets", version="1", entities=tuple(kinds), relations=())


def entity_type(name: str, **rules: Any) -> EntityType:
    """An entity type with the given canonicalization settings."""
    label = "".join(part.capitalize() for part in name.split("_"))
    return EntityType.model_validate({"name": name, "label": label, "canonicalization": rules})


def resolved(
    tables: Sequence[RecordColumns], schema: GraphSchema, *, judge: Judge | None = None
) -> tuple[Clusters, float]:
    """The entity of every mention, and the seconds it took."""
    began = time.perf_counter()
    found = resolve(tables, schema, judge=judge)
    spent = time.perf_counter() - began
    return {str(r): str(g.id) for g in found.groups for r in g.records}, spent


def exact_floor(mentions: Mentions) -> Clusters:
    """Mentions of one type and lower-case name are one."""
    return {m: f"{mentions.type.get(m, '')}:{mentions.name[m].lower()}" for m in mentions.gold}


def tfidf_floor(mentions: Mentions, threshold: float) -> Clusters:
    """Average linkage on cosines of character 2-4-grams inside the components of the similarity graph."""
    by_type: dict[str, set[str]] = defaultdict(set)
    for m in mentions.gold:
        by_type[mentions.type.get(m, "")].add(mentions.name[m].lower())
    labels = {
        (kind, name): f"{kind}:{label}"
        for kind, names in by_type.items()
        for name, label in _linked(sorted(names), threshold).items()
    }
    return {m: labels[mentions.type.get(m, ""), mentions.name[m].lower()] for m in mentions.gold}


def _linked(names: Sequence[str], threshold: float) -> dict[str, int]:
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial.distance import squareform
    from sklearn.feature_extraction.text import TfidfVectorizer

    rows: Any = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), sublinear_tf=True).fit_transform(
        names
    )
    near = _above(rows, threshold)
    count, component = connected_components(near, directed=False)
    found: dict[str, int] = {}
    order = np.argsort(component, kind="stable")
    cuts = np.searchsorted(component[order], np.arange(count + 1))
    for at in range(count):
        members = order[cuts[at] : cuts[at + 1]]
        parts = np.zeros(len(members), np.int64)
        if len(members) > 1:
            likeness = (rows[members] @ rows[members].T).toarray()
            apart = squareform(np.clip(1 - likeness, 0, None), checks=False)
            parts = fcluster(linkage(apart, "average"), 1 - threshold, "distance")
        base = len(names) * (at + 1)
        found |= {names[m]: base + int(part) for m, part in zip(members, parts, strict=True)}
    return found


def _above(rows: Any, threshold: float) -> Any:
    """The graph of pairs at or above the threshold, a block of rows at a time."""
    from scipy import sparse

    turned = rows.T.tocsr()
    blocks = []
    for start in range(0, rows.shape[0], 1_000):
        block = (rows[start : start + 1_000] @ turned).tocsr()
        block.data[block.data < threshold] = 0
        block.eliminate_zeros()
        blocks.append(block)
    return sparse.vstack(blocks).tocsr()
