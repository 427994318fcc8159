"""What is in the workspace, where each document stands, and what is in use."""

from __future__ import annotations

from collections import Counter

from pydantic import Field

from kg.fetched import FetchedPapers
from kg.files import slug
from kg.nouns import counted
from kg.wiring import Platform
from kg.workspace import Workspace
from schemas.errors import ModelUnavailableError, ServiceError
from schemas.model import Frozen


class FailureRow(Frozen):
    """Something that failed and has not succeeded since."""

    step: str
    item: str
    reason: str


class DocumentStage(Frozen):
    """Documents per stage; each document is counted at its furthest one."""

    added: int = 0
    """Added, and not yet extracted."""
    extracted: int = 0
    """Extracted, and not yet in Neo4j."""
    loaded: int = 0


class StatusReport(Frozen):
    """The answer of ``kg status``."""

    workspace: str
    graph_schema: str
    documents: int
    stages: DocumentStage
    other_schema: int = 0
    """Graphs that another schema or version of it made."""
    log_events: int
    embedder: str
    extractors: tuple[str, ...]
    store: str
    store_state: str
    graph_hash: str = ""
    entities: dict[str, int] = Field(default_factory=dict)
    relations: dict[str, int] = Field(default_factory=dict)
    failures: tuple[FailureRow, ...] = ()
    fetched: dict[str, int] = Field(default_factory=dict)
    """Papers under ``fetched/`` by licence; empty for one whose licence is not known."""

    def lines(self) -> tuple[tuple[str, str], ...]:
        """Name and value, for a table."""
        stages = f"{self.stages.added} added, {self.stages.extracted} extracted, {self.stages.loaded} loaded"
        counts = ", ".join(f"{n} {t}" for t, n in self.entities.items() if n)
        relations = ", ".join(f"{n} {t}" for t, n in self.relations.items() if n)
        fetched = ", ".join(f"{n} {licence or 'licence not known'}" for licence, n in self.fetched.items())
        other = (
            f"{counted(self.other_schema, 'graph')} of another schema version; "
            "`kg extract` redoes them, or says why not"
            if self.other_schema
            else ""
        )
        rows = (
            ("workspace", self.workspace),
            ("schema", self.graph_schema),
            ("documents", f"{self.documents} ({stages})"),
            ("other schema", other),
            ("fetched papers", fetched),
            ("event log", counted(self.log_events, "event")),
            ("extractors", ", ".join(self.extractors)),
            ("embedder", self.embedder),
            ("Neo4j", f"{self.store} ({self.store_state})"),
            ("entities", counts),
            ("statements", relations),
            ("graph hash", self.graph_hash),
        )
        return tuple(row for row in rows if row[1])


def status_report(platform: Platform) -> StatusReport:
    """Collect the status; a store that cannot be reached is part of the answer, not an error."""
    workspace = platform.workspace
    seq, _ = platform.log.head()
    common = {
        "workspace": str(workspace.root),
        "graph_schema": f"{workspace.schema.name} {workspace.schema.version}",
        "other_schema": workspace.other_schema(),
        "log_events": seq,
        "embedder": platform.embedder.model_id,
        "extractors": _extractors(platform),
        "fetched": dict(sorted(Counter(p.licence for p in FetchedPapers(workspace.root).papers()).items())),
        "failures": tuple(FailureRow(step=s, item=i, reason=r) for s, i, r in platform.ledger.failures()),
    }
    target = platform.target_if_running()
    extra: dict[str, object]
    if target is None:
        state, loaded, extra = "not running; start it with `kg neo4j start`", frozenset[str](), {}
    else:
        try:
            state, (loaded, extra) = "running", _database(platform)
        except ServiceError as e:
            state, loaded, extra = str(e), frozenset(), {}
    documents, stages = _stages(workspace, loaded)
    return StatusReport.model_validate(
        common
        | {
            "documents": documents,
            "stages": stages,
            "store": target.uri if target else "managed",
            "store_state": state,
        }
        | extra
    )


def _extractors(platform: Platform) -> tuple[str, ...]:
    """Names of all extractors and of the describer; of one whose model is missing, what is missing."""
    names = []
    for extractor in platform.extractors():
        try:
            names.append(extractor.name)
        except ModelUnavailableError as e:
            names.append(f"{type(extractor).__name__} cannot run: {e}")
    describer = platform.describer()
    return (*names, describer.name) if describer else tuple(names)


def _database(platform: Platform) -> tuple[frozenset[str], dict[str, object]]:
    marker = platform.store.marker()
    if marker is None or marker.id != platform.workspace.id:
        return frozenset(), {}
    counts = platform.values.counts()
    extra: dict[str, object] = {
        "graph_hash": marker.graph_hash,
        "entities": counts.entities,
        "relations": counts.relations,
    }
    return frozenset(slug(key) for key in platform.store.document_keys()), extra


def _stages(workspace: Workspace, loaded: frozenset[str]) -> tuple[int, DocumentStage]:
    documents = workspace.documents()
    graphs = {p.stem for p in (workspace.root / "graphs").glob("*.json")}
    in_store = sum(d.slug in loaded for d in documents)
    extracted = sum(d.slug in graphs and d.slug not in loaded for d in documents)
    return len(documents), DocumentStage(
        added=len(documents) - in_store - extracted, extracted=extracted, loaded=in_store
    )
