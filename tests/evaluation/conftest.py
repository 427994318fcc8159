"""A graph of four quantities and five papers (invented numbers), loaded as the platform loads its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from kg.neo4j_server import Neo4jEndpoint
from kg.progress import SilentProgress
from kg.settings import Environment
from kg.steps.load import entity_vectors
from kg.store import ContentHeader, DocumentContent, GraphContent, graph_hash
from kg.wiring import Platform, open_platform
from kg.workspace import Workspace
from schemas.documents import Block, BlockKind, Document, DocumentKind, Section, SourceMap
from schemas.graphs import CanonicalGraph, Entity, Evidence, Record, Statement
from schemas.ids import DocumentKey, EntityId, RecordId, StatementId

TEXT = "Numbers of this paper are invented."
DMS, GAMMA, WIDTH, QUARK = "Delta m_s", "CKM angle gamma", "Delta Gamma_s", "m_s"
DSPI, DS3PI, DK, DSTK = "B_s0 -> D_s- pi+", "B_s0 -> D_s- pi+ pi+ pi-", "B+ -> D0 K+", "B0 -> D0 K*0"
TAU = "tau- -> K- pi0 nu_tau"
SCALE, TIME, PHASE, MODEL = "length scale", "decay time resolution", "strong phase input", "background model"
PARTS = (("stat", 0.8), ("syst", 0.6))
"""Of the total error."""
SAID = {
    DMS: "B_s eigenstate oscillation frequency",
    GAMMA: "gamma, the CP violating phase of tree decays",
    WIDTH: "difference of widths",
    QUARK: "mass of the strange quark",
}
"""What the graph says of each quantity; ``m_s`` is named like the oscillation frequency and is another."""
DETERMINED = (
    ("2001001", DMS, 17.76, 0.02),
    ("2001002", DMS, 17.768, 0.006),
    ("2001002", WIDTH, 0.09, 0.01),
    ("2001003", GAMMA, 66.0, 4.0),
    ("2001004", GAMMA, 71.0, 9.0),
    ("2001005", QUARK, 0.095, 0.003),
)
DECAYS = (
    ("2001001", DMS, DS3PI),
    ("2001002", DMS, DSPI),
    ("2001002", WIDTH, DSPI),
    ("2001003", GAMMA, DK),
    ("2001004", GAMMA, DSTK),
    ("2001005", QUARK, TAU),
)
AFFECTS = (
    ("2001001", SCALE, DMS, 2),
    ("2001001", TIME, DMS, 1),
    ("2001002", SCALE, DMS, 1),
    ("2001002", TIME, DMS, 3),
    ("2001002", MODEL, DMS, 4),
    ("2001003", PHASE, GAMMA, 1),
    ("2001003", MODEL, GAMMA, 2),
    ("2001004", PHASE, GAMMA, 2),
    ("2001005", MODEL, QUARK, 1),
)


class _Build:
    def __init__(self) -> None:
        self.records: dict[RecordId, Record] = {}
        self.statements: list[Statement] = []

    def record(self, paper: str, kind: str, name: str, /, **attributes: Any) -> RecordId:
        identity = RecordId(f"{paper}:{kind}:{name}")
        evidence = (Evidence(start=0, end=len(TEXT), quote=TEXT),)
        self.records.setdefault(
            identity,
            Record(
                id=identity,
                document=DocumentKey(paper),
                type=kind,
                name=name,
                attributes=attributes,
                evidence=evidence,
                extractor="test/1",
            ),
        )
        return identity

    def statement(self, paper: str, start: RecordId, kind: str, end: RecordId, **attributes: Any) -> None:
        self.statements.append(
            Statement(
                id=StatementId(f"s{len(self.statements)}"),
                document=DocumentKey(paper),
                subject=start,
                type=kind,
                object=end,
                attributes=attributes,
                evidence=(Evidence(start=0, end=len(TEXT), quote=TEXT),),
                extractor="test/1",
            )
        )


def worked_graph() -> CanonicalGraph:
    """Entities are the records of one type and name; their id is ``type:name``."""
    build = _Build()
    observable = {
        (p, o): build.record(p, "observable", o, kind="physical constant") for p, o, *_ in DETERMINED
    }
    for paper, name, value, error in DETERMINED:
        source = build.record(paper, "paper", paper, year=2000 + int(paper[-1]), inspire_id=paper)
        numbers = {
            "value": value,
            "value_text": f"{value} ± {error}",
            "total_plus": error,
            "total_minus": error,
            **{f"{kind}_{side}": error * part for kind, part in PARTS for side in ("plus", "minus")},
        }
        build.statement(paper, source, "determines", observable[paper, name], **numbers)
    for paper, name, decay in DECAYS:
        build.statement(paper, observable[paper, name], "measured_with", build.record(paper, "decay", decay))
    for paper, source_name, name, ranking in AFFECTS:
        cause = build.record(paper, "uncertainty_source", source_name)
        build.statement(paper, cause, "affects", observable[paper, name], ranking=ranking)
    groups: dict[tuple[str, str], list[Record]] = {}
    for record in build.records.values():
        groups.setdefault((record.type, record.name), []).append(record)
    entities = [
        Entity(
            id=EntityId(f"{kind}:{name}"),
            type=kind,
            name=name,
            description=SAID.get(name, ""),
            attributes=members[0].attributes,
            records=tuple(r.id for r in members),
        )
        for (kind, name), members in groups.items()
    ]
    return CanonicalGraph(
        entities=tuple(entities), records=tuple(build.records.values()), statements=tuple(build.statements)
    )


def _document(key: str) -> DocumentContent:
    made = Document(
        key=DocumentKey(key),
        kind=DocumentKind.TEXT,
        title=f"Paper {key}",
        text=TEXT,
        sections=(Section(index=0, parent=None, level=0, title=key, start=0, end=len(TEXT)),),
        blocks=(Block(kind=BlockKind.PARAGRAPH, start=0, end=len(TEXT), text=TEXT, section=0),),
        source_map=SourceMap(files=("a.txt",), offsets=(0,), file_of=(0,), lines=(1,)),
    )
    return DocumentContent(made, ())


@pytest.fixture(scope="module")
def worked(neo4j_endpoint: Neo4jEndpoint, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    """A platform whose Neo4j holds the worked graph."""
    workspace = Workspace.create(tmp_path_factory.mktemp("worked") / "ws", schema="particle_physics")
    settings = workspace.root / "kg.toml"
    settings.write_text(settings.read_text("utf-8") + '\n[embedder]\nprefer = "tfidf"\n', "utf-8")
    e = neo4j_endpoint
    environment = Environment(
        neo4j_uri=e.uri, neo4j_username=e.username, neo4j_password=e.password, neo4j_database=e.database
    )
    opened = open_platform(Workspace(workspace.root), SilentProgress(), environment=environment)
    with opened as platform:
        graph, schema, embedder = worked_graph(), platform.workspace.schema, platform.embedder
        header = ContentHeader(
            workspace=platform.workspace.id,
            graph_schema=schema,
            graph_hash=graph_hash(graph),
            embedding_model=embedder.model_id,
            embedding_dimension=embedder.dimension,
        )
        documents = [_document(p) for p in dict.fromkeys(p for p, *_ in DETERMINED)]
        vectors = entity_vectors(graph, schema, embedder, platform.progress)
        platform.store.migrate(schema, dimension=embedder.dimension)
        platform.store.load(GraphContent(header, graph, documents, vectors), progress=platform.progress)
        yield platform
        platform.store.wipe()
