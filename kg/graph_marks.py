"""Which graphs changed since they were last read, told by the files' marks without opening them.

A mark is the time, size and number of each file that decides on a graph. A file that was written just
before it was read could be written again within the same tick of the clock: such a mark is not kept
(as in git's index), and the graph is read again.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kg.workspace import Workspace
from schemas.graphs import DocumentGraph
from schemas.ids import DocumentKey, canonical_json
from schemas.model import Frozen

SETTLED_NS = 1_000_000_000
"""Least age of a file, in nanoseconds, for its mark to say that it did not change."""


class Seen(Frozen):
    """What was read of one document's graph."""

    hash: str
    """Hash of what resolution reads of it."""
    records: int
    slug: str = ""
    run: str = ""
    mark: str = ""
    """Of its files; empty where they are to be read again."""


@dataclass(slots=True)
class Graphs:
    """The current graphs of a workspace, read when they are needed.

    ``given`` are all of them, where they were read already.
    """

    workspace: Workspace
    given: Sequence[DocumentGraph] | None = None
    began: int = field(default_factory=time.time_ns)
    """When reading began, in nanoseconds: what is written later has no mark."""
    _read: dict[DocumentKey, DocumentGraph] = field(default_factory=dict)

    def all(self) -> Sequence[DocumentGraph]:
        """All graphs, by slug."""
        if self.given is None:
            self.given = tuple(self.workspace.graphs())
        return self.given

    def changed(self, keys: Sequence[DocumentKey]) -> tuple[DocumentGraph, ...]:
        """The graphs of some documents that ``seen`` found new or changed."""
        return tuple(self._read[key] for key in keys)

    def seen(self, before: Mapping[DocumentKey, Seen] | None = None) -> dict[DocumentKey, Seen]:
        """Every document that has records, as it is now; what is as it was ``before`` is not read."""
        if self.given is not None:
            self._read = {graph.document: graph for graph in self.given}
            return {g.document: self._fresh(g) for g in self.given if g.records}
        known = {seen.slug: (key, seen) for key, seen in (before or {}).items()}
        found: dict[DocumentKey, Seen] = {}
        for slug, path in self.workspace.graph_paths():
            key, seen = known.get(slug, (DocumentKey(""), None))
            if seen is not None and seen.mark and seen.mark == self._mark(path, seen.slug, seen.run):
                found[key] = seen
            elif (graph := self.workspace.current_graph(path)) is not None:
                self._read[graph.document] = graph
                if graph.records:
                    found[graph.document] = self._fresh(graph)
        return found

    def _fresh(self, graph: DocumentGraph) -> Seen:
        path = self.workspace.graph_path(graph.document)
        return Seen(
            hash=_hash(graph),
            records=len(graph.records),
            slug=path.stem,
            run=graph.run_id,
            mark=self._mark(path, path.stem, graph.run_id, settled=True),
        )

    def _mark(self, path: Path, slug: str, run: str, *, settled: bool = False) -> str:
        runs = self.workspace.root / "runs" / slug
        stats = list(_stats(path, runs / f"{run}.json", runs / f"{run}.reviewed.json"))
        latest = max((when for when, _, _ in stats), default=0)
        return "" if settled and latest > self.began - SETTLED_NS else str(stats)


def _stats(*paths: Path) -> Iterator[tuple[int, int, int]]:
    for path in paths:
        try:
            found = path.stat()
        except FileNotFoundError:
            yield (0, 0, 0)
        else:
            yield (found.st_mtime_ns, found.st_size, found.st_ino)


def _hash(graph: DocumentGraph) -> str:
    read = [
        (r.id, r.document, r.type, r.name, r.description, r.aliases, r.attributes)
        for r in sorted(graph.records, key=lambda r: r.id)
    ]
    return hashlib.sha256(canonical_json(read).encode("utf-8", "surrogatepass")).hexdigest()
