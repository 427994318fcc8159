"""Group: communities of the canonical graph, their reports, and the passages' vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.communities import find_communities
from kg.corpus import encode_in_steps
from kg.nouns import counted
from kg.settings import CommunitySettings
from kg.steps.context import StepContext, StepReport
from kg.store import VectorTable
from schemas.graphs import CanonicalGraph
from schemas.ports import Embedder, Summarizer

if TYPE_CHECKING:
    from kg.adapters.neo4j_store import Neo4jStore

BATCH = 2_048
"""Passages whose vectors are written together; what is written stays when the step is broken off."""


def group_graph(
    context: StepContext,
    graph: CanonicalGraph,
    store: Neo4jStore,
    summarizer: Summarizer,
    *,
    embedder: Embedder,
    settings: CommunitySettings,
) -> StepReport:
    """Find communities, describe them, and write both; the same graph and seed give the same groups."""
    with (
        context.ledger.run("communities") as run,
        context.progress.task("grouping", unit="communities") as task,
    ):
        found = find_communities(
            graph, seed=settings.seed, min_component=settings.min_component, resolution=settings.resolution
        )
        reports = summarizer.summarize(graph, found)
        vectors = VectorTable(
            {r.community: row for row, r in enumerate(reports)},
            encode_in_steps(
                [f"{r.title}: {r.summary}"[:240] for r in reports],
                embedder,
                context.progress,
                label="embedding reports",
            ),
        )
        written = store.write_communities(found, reports, vectors)
        task.advance(len(found.communities))
        run.counts |= {
            "communities": len(found.communities),
            "dropped_entities": len(found.dropped),
            "written": written,
        }
    note = (
        f"{counted(len(found.communities), 'community')}, modularity {found.quality:.3f}; "
        f"{counted(len(found.dropped), 'entity')} in small components kept apart"
    )
    return StepReport("communities", written, 0, notes=(note,))


def embed_passages(context: StepContext, store: Neo4jStore, *, embedder: Embedder) -> StepReport:
    """Embed the passages that have no vector yet, in batches that stay."""
    with context.ledger.run("embed") as run:
        missing = store.missing_chunk_vectors()
        with context.progress.task("embedding passages", total=len(missing), unit="passages") as task:
            for start in range(0, len(missing), BATCH):
                part = missing[start : start + BATCH]
                matrix = embedder.encode([text for _, text in part])
                store.write_chunk_vectors(VectorTable({key: i for i, (key, _) in enumerate(part)}, matrix))
                task.advance(len(part))
        run.counts |= {"passages": len(missing)}
    return StepReport("embed", len(missing), 0)
