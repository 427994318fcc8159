"""A small graph of measurements (invented values), doubles of the ports, and a loaded Neo4j."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import neo4j
import pytest
import yaml

from cypher.guard import check_text
from cypher.service import QuestionService
from schemas.errors import QueryFailedError, QueryTimeoutError, StoreUnavailableError
from schemas.graph_schema import GraphSchema
from schemas.graphs import Origin
from schemas.ids import DocumentKey
from schemas.language.names import name_key, qualified_prefixes
from schemas.ports import GraphCounts
from schemas.questions import CheckedQuery, EntityMatch, PlanSummary, StatementDetail, Subgraph

CATALOG = Path(__file__).resolve().parents[2] / "schemas" / "catalog"
MUMU, PSIPHI, DSPI, PSIKK = (
    "B_s0 -> mu+ mu-",
    "B_s0 -> J/psi(1S) phi(1020)",
    "B_s0 -> D_s- pi+",
    "B_s0 -> J/psi(1S) K+ K-",
)
KMUMU, KPI = "B+ -> K+ mu+ mu-", "B0 -> K+ pi-"
LIFE, DMS, PHIS, BR, BRK, MASS, ACP = (
    "B_s0 mean life",
    "Delta m_s",
    "phi_s",
    "BR(B_s0 -> mu+ mu-)",
    "BR(B+ -> K+ mu+ mu-)",
    "B_s0 mass",
    "A_CP(B0 -> K+ pi-)",
)
BRDS, DELTAGS, RK, BMASS = "BR(B_s0 -> D_s- pi+)", "Delta Gamma_s", "R_K", "B+ mass"
OBSERVABLES: dict[str, dict[str, Any]] = {
    LIFE: {"kind": "lifetime", "particle": "B_s0", "average": 1.520, "average_text": "1.520 +- 0.005"},
    DMS: {"kind": "physical constant", "particle": "B_s0"},
    PHIS: {"kind": "angular observable", "particle": "B_s0"},
    BR: {"kind": "branching fraction", "particle": "B_s0"},
    BRK: {"kind": "branching fraction", "particle": "B+"},
    BRDS: {"kind": "branching fraction", "particle": "B_s0"},
    MASS: {"kind": "mass", "particle": "B_s0"},
    BMASS: {"kind": "mass", "particle": "B+"},
    ACP: {
        "kind": "asymmetry",
        "particle": "B0",
        "pdg_value_text": "< 0.1",
        "pdg_value_kind": "best limit",
    },
    DELTAGS: {"kind": "width", "particle": "B_s0"},
    RK: {"kind": "branching ratio", "particle": "B+"},
    "b fragmentation fraction": {"kind": "other"},
}
DECAYS: dict[str, tuple[str, tuple[str, ...]]] = {
    MUMU: ("B_s0", ("mu+", "mu-")),
    PSIPHI: ("B_s0", ("J/psi(1S)", "phi(1020)")),
    PSIKK: ("B_s0", ("J/psi(1S)", "K+", "K-")),
    DSPI: ("B_s0", ("D_s-", "pi+")),
    KMUMU: ("B+", ("K+", "mu+", "mu-")),
    KPI: ("B0", ("K+", "pi-")),
}
SOURCES = (
    "trigger efficiency",
    "angular acceptance",
    "decay time resolution",
    "background model",
    "tracking",
)
METHODS = ("simulation", "tag and probe", "pseudo-experiments")
PAPERS: dict[str, tuple[int, str, str]] = {
    "1100001": (2012, "CDF", "Mixing of strange mesons"),
    "1100002": (2013, "LHCb", "A first look at rare dimuons"),
    "1100003": (2015, "LHCb", "Oscillation frequency"),
    "1100004": (2015, "CMS", "Dimuons again"),
    "1100005": (2017, "LHCb", "Angles and phases"),
    "1100006": (2019, "ATLAS", "Phases in four years"),
    "1100007": (2020, "LHCb", "Lepton universality"),
    "1100008": (2022, "LHCb", "Dimuons with the full sample"),
    "1100009": (2022, "CMS", "Precise lifetimes"),
    "1100010": (2023, "LHCb", "Oscillations, precisely"),
    "1100011": (2021, "LHCb", "Search for something"),
}
VALUES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    (
        "1100001",
        DMS,
        {"value": 17.77, "stat_plus": 0.10, "stat_minus": 0.10, "syst_plus": 0.07, "syst_minus": 0.07},
    ),
    (
        "1100003",
        DMS,
        {"value": 17.768, "stat_plus": 0.023, "stat_minus": 0.023, "syst_plus": 0.006, "syst_minus": 0.006},
    ),
    ("1100010", DMS, {"value": 17.7656, "total_plus": 0.0057, "total_minus": 0.0057}),
    (
        "1100002",
        BR,
        {"value": 3.2e-9, "total_plus": 1.5e-9, "total_minus": 1.2e-9, "superseded_by": "1100008"},
    ),
    ("1100004", BR, {"value": 2.8e-9, "total_plus": 0.7e-9, "total_minus": 0.6e-9}),
    ("1100008", BR, {"value": 3.1e-9, "total_plus": 0.5e-9, "total_minus": 0.5e-9}),
    ("1100005", PHIS, {"value": -0.041, "total_plus": 0.025, "total_minus": 0.025, "unit": "rad"}),
    (
        "1100006",
        PHIS,
        {
            "value": -0.081,
            "stat_plus": 0.041,
            "stat_minus": 0.041,
            "syst_plus": 0.022,
            "syst_minus": 0.022,
            "unit": "rad",
        },
    ),
    ("1100005", LIFE, {"value": 1.479, "total_plus": 0.012, "total_minus": 0.012, "unit": "ps"}),
    ("1100009", LIFE, {"value": 1.51, "total_plus": 0.01, "total_minus": 0.01, "unit": "ps"}),
    ("1100007", RK, {"value": 0.846, "total_plus": 0.044, "total_minus": 0.041}),
    ("1100007", BRK, {"value": 4.4e-7, "total_plus": 0.2e-7, "total_minus": 0.2e-7}),
    ("1100005", DELTAGS, {"value": 0.08, "total_plus": 0.006, "total_minus": 0.006}),
    ("1100011", ACP, {"value": 0.1, "limit": "upper", "confidence_level": 90.0}),
    ("1100003", BRDS, {"value": 3.0e-3, "total_plus": 0.2e-3, "total_minus": 0.2e-3}),
)
MEASURED: tuple[tuple[str, str, str], ...] = (
    ("1100001", DMS, DSPI),
    ("1100003", DMS, DSPI),
    ("1100010", DMS, DSPI),
    ("1100003", BRDS, DSPI),
    ("1100002", BR, MUMU),
    ("1100004", BR, MUMU),
    ("1100008", BR, MUMU),
    ("1100005", PHIS, PSIPHI),
    ("1100006", PHIS, PSIPHI),
    ("1100005", PHIS, PSIKK),
    ("1100005", LIFE, PSIPHI),
    ("1100009", LIFE, PSIPHI),
    ("1100005", DELTAGS, PSIPHI),
    ("1100007", BRK, KMUMU),
    ("1100007", RK, KMUMU),
    ("1100011", ACP, KPI),
)
AFFECTS: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("1100005", "angular acceptance", PHIS, {"ranking": 1, "magnitude": 0.007, "unit": "rad"}),
    ("1100005", "decay time resolution", PHIS, {"ranking": 2, "magnitude": 0.004, "unit": "rad"}),
    ("1100006", "background model", PHIS, {"ranking": 3, "magnitude": 0.002, "unit": "rad"}),
    ("1100008", "trigger efficiency", BR, {"ranking": 1}),
    ("1100008", "tracking", BR, {"ranking": 2}),
    ("1100007", "trigger efficiency", BRK, {"ranking": 1}),
    ("1100009", "trigger efficiency", LIFE, {"ranking": 2}),
    ("1100003", "decay time resolution", DMS, {"ranking": 1}),
)
ESTIMATES: tuple[tuple[str, str, str], ...] = (
    ("1100005", "simulation", "angular acceptance"),
    ("1100008", "tag and probe", "trigger efficiency"),
    ("1100007", "simulation", "trigger efficiency"),
    ("1100003", "pseudo-experiments", "decay time resolution"),
)
ALIASES = {
    LIFE: ("tau(B_s0)",),
    BR: ("B_s0 dimuon rate", "branching fraction of B_s0 -> mu+ mu-", "branching ratio of B_s0 -> mu+ mu-"),
    BRK: ("dimuon rate",),
    BRDS: ("dimuon rate",),
    PHIS: ("φ_s",),
}


@dataclass
class Graph:
    """Entities by id and statements by id, as the store would hold them."""

    nodes: dict[str, tuple[str, dict[str, Any]]] = field(default_factory=dict)
    edges: dict[str, tuple[str, str, str, dict[str, Any]]] = field(default_factory=dict)

    def node(self, kind: str, name: str, /, **attributes: Any) -> None:
        known = {k: v for k, v in attributes.items() if v is not None}
        node_id = f"{kind}:{name}"
        aliases = list(ALIASES.get(name, ()))
        base = {
            "id": node_id,
            "name": name,
            "name_key": name_key(name),
            "aliases": aliases,
            "status": "draft",
        }
        self.nodes[node_id] = (kind, base | known)

    def edge(self, document: str, start: str, kind: str, end: str, /, **attributes: Any) -> None:
        edge_id = f"s{len(self.edges)}"
        origin = "pdg-tables" if kind == "determines" else "text"
        base = {
            "id": edge_id,
            "document": document,
            "status": "draft",
            "origin": origin,
            "quote": f"row {edge_id}",
        }
        self.edges[edge_id] = (start, kind, end, base | attributes)

    def detail(self, edge_id: str) -> StatementDetail:
        start, kind, end, p = self.edges[edge_id]
        paper = self.nodes.get(f"paper:{p['document']}", ("", {}))[1]
        return StatementDetail(
            id=edge_id,
            type=kind,
            start_id=start,
            start_name=self.nodes[start][1]["name"],
            start_type=self.nodes[start][0],
            end_id=end,
            end_name=self.nodes[end][1]["name"],
            end_type=self.nodes[end][0],
            document=DocumentKey(p["document"]),
            inspire=paper.get("inspire_id", ""),
            doi=paper.get("doi", ""),
            attribution="Example listing, CC BY 4.0" if p["origin"] == "pdg-tables" else "",
            quote=p["quote"],
            origin=Origin(p["origin"]),
        )


def make_graph() -> Graph:
    g = Graph()
    for name, (year, experiment, title) in PAPERS.items():
        doi = None if name == "1100011" else f"10.1000/example.{name}"
        g.node("paper", name, year=year, experiment=experiment, title=title, doi=doi, inspire_id=name)
    for name, attributes in OBSERVABLES.items():
        g.node("observable", name, **attributes)
    for name, (parent, children) in DECAYS.items():
        g.node("decay", name, parent=parent, children=list(children))
    for kind, names in (("uncertainty_source", SOURCES), ("method", METHODS)):
        for name in names:
            g.node(kind, name)
    for paper, observable, attributes in VALUES:
        text = {"value_text": f"{attributes['value']:g}"}
        g.edge(paper, f"paper:{paper}", "determines", f"observable:{observable}", **attributes, **text)
    for paper, observable, decay in MEASURED:
        g.edge(paper, f"observable:{observable}", "measured_with", f"decay:{decay}")
    for paper, source, observable, attributes in AFFECTS:
        g.edge(paper, f"uncertainty_source:{source}", "affects", f"observable:{observable}", **attributes)
    for paper, method, source in ESTIMATES:
        g.edge(paper, f"method:{method}", "estimates", f"uncertainty_source:{source}")
    return g


class MemoryIndex:
    """ValueIndex and SchemaSource and StatementSource over a ``Graph``."""

    def __init__(self, graph: Graph, schema: GraphSchema) -> None:
        self._graph, self._schema = graph, schema
        self.phrases_asked = 0

    def schema(self) -> GraphSchema:
        return self._schema

    def counts(self) -> GraphCounts:
        return GraphCounts(entities={}, relations={})

    def exact(self, phrases: Sequence[str], types: Sequence[str]) -> Mapping[str, tuple[EntityMatch, ...]]:
        self.phrases_asked += len(phrases)
        found: dict[str, tuple[EntityMatch, ...]] = {}
        for phrase in phrases:
            key = name_key(phrase)
            hits = tuple(
                EntityMatch(id=i, type=kind, name=p["name"], score=1.0, via="name")
                for i, (kind, p) in self._graph.nodes.items()
                if kind in types and key in {name_key(n) for n in (p["name"], *p["aliases"])}
            )
            if hits:
                found[phrase] = hits
        return found

    def similar(self, phrase: str, types: Sequence[str], *, limit: int = 5) -> tuple[EntityMatch, ...]:
        scored = [
            EntityMatch(
                id=i,
                type=kind,
                name=p["name"],
                score=difflib.SequenceMatcher(None, name_key(phrase), p["name_key"]).ratio(),
                via="fulltext",
            )
            for i, (kind, p) in self._graph.nodes.items()
            if kind in types
        ]
        return tuple(sorted(scored, key=lambda m: -m.score)[:limit])

    def qualified(self, phrase: str, entity_type: str) -> tuple[EntityMatch, ...]:
        key = name_key(phrase)
        return tuple(
            EntityMatch(id=i, type=kind, name=p["name"], score=1.0, via="name")
            for i, (kind, p) in self._graph.nodes.items()
            if kind == entity_type
            if any(name_key(n).startswith(qualified_prefixes(key)) for n in (p["name"], *p["aliases"]))
        )

    def statements(self, ids: Sequence[str]) -> tuple[StatementDetail, ...]:
        return tuple(self._graph.detail(i) for i in ids)


@dataclass
class RecordingRunner:
    """A QueryRunner that keeps what it was given and replies with fixed rows or raises."""

    rows: tuple[tuple[Any, ...], ...] = ()
    error: Exception | None = None
    plan: PlanSummary = field(
        default_factory=lambda: PlanSummary(query_type="r", operators=("ProduceResults",))
    )
    queries: list[CheckedQuery] = field(default_factory=list)

    def explain(self, query: CheckedQuery) -> PlanSummary:  # noqa: ARG002
        return self.plan

    def run(self, query: CheckedQuery) -> Subgraph:
        self.queries.append(query)
        if self.error is not None and "statement_ids" in query.columns:
            raise self.error
        return Subgraph(columns=query.columns, rows=())


class BoltRunner:
    """QueryRunner over the driver, READ transactions only."""

    def __init__(self, driver: neo4j.Driver, database: str) -> None:
        self._driver, self._database = driver, database

    def explain(self, query: CheckedQuery) -> PlanSummary:
        _, summary = self._read("EXPLAIN " + query.text, query)
        names: list[str] = []
        todo = [summary.plan]
        while todo:
            plan = todo.pop()
            names.append(plan["operatorType"].split("@")[0])
            todo.extend(plan.get("children", ()))
        return PlanSummary(query_type=summary.query_type, operators=tuple(names))

    def run(self, query: CheckedQuery) -> Subgraph:
        records, _ = self._read(query.text, query)
        rows = tuple(tuple(tuple(v) if isinstance(v, list) else v for v in r.values()) for r in records)
        cut = len(rows) >= query.row_cap
        return Subgraph(columns=query.columns, rows=rows[: query.row_cap - 1], truncated=cut)

    def _read(self, text: str, query: CheckedQuery) -> tuple[list[neo4j.Record], Any]:
        parameters = {k: list(v) if isinstance(v, tuple) else v for k, v in query.parameters.items()}
        try:
            with self._driver.session(
                database=self._database, default_access_mode=neo4j.READ_ACCESS
            ) as session:

                def work(tx: neo4j.ManagedTransaction) -> tuple[list[neo4j.Record], Any]:
                    result = tx.run(text, parameters)  # type: ignore[arg-type]
                    return list(result), result.consume()

                return session.execute_read(neo4j.unit_of_work(timeout=query.timeout)(work))
        except neo4j.exceptions.ClientError as e:
            kind = QueryTimeoutError if "TimedOut" in (e.code or "") else QueryFailedError
            raise kind(str(e), query=text) from e
        except neo4j.exceptions.ServiceUnavailable as e:
            raise StoreUnavailableError(str(e)) from e


def load(driver: neo4j.Driver, database: str, graph: Graph, schema: GraphSchema) -> None:
    """Wipes the database and writes the graph."""
    with driver.session(database=database) as session:
        session.run("MATCH (n) DETACH DELETE n").consume()
        session.run(
            "CREATE CONSTRAINT cy_entity IF NOT EXISTS FOR (n:Entity) REQUIRE n.id IS UNIQUE"
        ).consume()
        for kind in {k for k, _ in graph.nodes.values()}:
            rows = [p for k, p in graph.nodes.values() if k == kind]
            label = schema.entity(kind).label
            session.run(f"UNWIND $rows AS row CREATE (n:Entity:{label}) SET n = row", rows=rows).consume()
        for start, kind, end, properties in graph.edges.values():
            text = (
                "MATCH (a:Entity {id: $a}), (b:Entity {id: $b}) "
                f"CREATE (a)-[r:{schema.relation(kind).neo4j_type}]->(b) SET r = $p"
            )
            session.run(text, a=start, b=end, p=properties).consume()


@pytest.fixture(scope="session")
def particle_schema() -> GraphSchema:
    text = (CATALOG / "particle_physics.yaml").read_text("utf-8")
    return GraphSchema.model_validate(yaml.safe_load(text.partition("\nrules:")[0]))


@pytest.fixture(scope="session")
def small_graph() -> Graph:
    return make_graph()


@pytest.fixture
def recording() -> RecordingRunner:
    return RecordingRunner()


@pytest.fixture
def dry_service(
    small_graph: Graph, particle_schema: GraphSchema, recording: RecordingRunner
) -> QuestionService:
    """A service whose graph answers nothing: for what happens before the query."""
    index = MemoryIndex(small_graph, particle_schema)
    return QuestionService(index, index, recording, index)


@pytest.fixture(scope="module")
def bolt_runner(
    neo4j_endpoint: Any, small_graph: Graph, particle_schema: GraphSchema
) -> Iterator[BoltRunner]:
    e = neo4j_endpoint
    with neo4j.GraphDatabase.driver(
        e.uri, auth=(e.username, e.password), notifications_min_severity="OFF"
    ) as driver:
        load(driver, e.database, small_graph, particle_schema)
        yield BoltRunner(driver, e.database)
        with driver.session(database=e.database) as session:
            session.run("MATCH (n) DETACH DELETE n").consume()
            session.run("DROP CONSTRAINT cy_entity IF EXISTS").consume()


@pytest.fixture(scope="module")
def service(bolt_runner: BoltRunner, small_graph: Graph, particle_schema: GraphSchema) -> QuestionService:
    index = MemoryIndex(small_graph, particle_schema)
    return QuestionService(index, index, bolt_runner, index)


@pytest.fixture
def shown(request: pytest.FixtureRequest) -> Callable[[str], str]:
    """How the module's ``READER`` reads a question: Cypher that its ``SCHEMA`` allows, values in place."""

    def cypher(question: str) -> str:
        written = request.module.READER.read(question).written
        assert written is not None, question
        check_text(written.text, request.module.SCHEMA, parameters=written.parameters)
        text = " ".join(written.text.split()).replace("`", "")
        for name, value in sorted(written.parameters.items(), reverse=True):
            text = text.replace(f"${name}", repr(value))
        return text

    return cypher
