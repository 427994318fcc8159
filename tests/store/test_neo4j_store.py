"""The projection: what is loaded is read back, twice changes nothing, a broken load is repaired."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cypher.guard import check_text
from cypher.own_store import fact_store
from kg.adapters.neo4j_connection import Connection, Writes, connect
from kg.adapters.neo4j_runner import Neo4jRunner
from kg.adapters.neo4j_store import Neo4jStore
from kg.adapters.neo4j_values import Neo4jValues
from kg.adapters.neo4j_views import Neo4jViews
from kg.progress import SilentProgress
from kg.stopping import seconds_left
from kg.store import (
    ContentHeader,
    DocumentContent,
    GraphContent,
    LoadReport,
    VectorTable,
    canonical_order,
    graph_hash,
)
from schemas.communities import Communities, Community, CommunityReport, Finding
from schemas.documents import Block, BlockKind, Chunk, Document, DocumentKind, Section, SourceMap
from schemas.errors import (
    DataError,
    EmbeddingMismatchError,
    QueryFailedError,
    QueryRefusedError,
    QueryTimeoutError,
    SettingsError,
    StoreAuthError,
    StoreConflictError,
    StoreUnavailableError,
)
from schemas.graph_schema import GraphSchema
from schemas.graphs import CanonicalGraph, Entity, Evidence, Record, Redirect, Statement
from schemas.ids import DocumentKey, EntityId, RecordId, StatementId
from schemas.questions import CheckedQuery, Scope
from schemas.store_schema import StoreSchema

pytestmark = pytest.mark.neo4j

TEXT = "The mass of B0 is 5279.7. It uses B0 -> K* mu mu decays."


def document(key: str) -> DocumentContent:
    blocks = (Block(kind=BlockKind.PARAGRAPH, start=0, end=len(TEXT), text=TEXT, section=1),)
    sections = (
        Section(index=0, parent=None, level=0, title=key, start=0, end=len(TEXT)),
        Section(index=1, parent=0, level=1, title="Results", start=0, end=len(TEXT)),
    )
    made = Document(
        key=DocumentKey(key),
        kind=DocumentKind.TEXT,
        title=f"Paper {key}",
        text=TEXT,
        sections=sections,
        blocks=blocks,
        source_map=SourceMap(files=("a.txt",), offsets=(0,), file_of=(0,), lines=(1,)),
        attribution=f"cite {key}",
    )
    chunk = Chunk(id=f"{key}-c", document=made.key, section=1, order=0, start=0, end=len(TEXT), text=TEXT)
    return DocumentContent(made, (chunk,))


def small_graph(keys: Sequence[str] = ("a", "b")) -> CanonicalGraph:
    """Every document determines the mass of B0, and measures it with one decay."""
    records, statements, papers = [], [], []
    evidence = (Evidence(start=4, end=14, quote=TEXT[4:14]), Evidence(start=18, end=24, quote=TEXT[18:24]))
    for key in keys:
        paper, mass, decay = (RecordId(f"{key}-{kind}") for kind in ("paper", "mass", "decay"))
        common: dict[str, Any] = {"document": DocumentKey(key), "extractor": "test/1"}
        records += [
            Record(id=paper, type="paper", name=key, attributes={"year": 2020}, **common),
            Record(id=mass, type="observable", name="m(B0)", evidence=evidence, aliases=("mass",), **common),
            Record(id=decay, type="decay", name="B0 -> K* mu mu", confidence=0.5, **common),
        ]
        statements += [
            Statement(
                id=StatementId(f"{key}-s1"),
                subject=paper,
                type="determines",
                object=mass,
                attributes={"value": 5279.7},
                evidence=evidence,
                **common,
            ),
            Statement(
                id=StatementId(f"{key}-s2"), subject=mass, type="measured_with", object=decay, **common
            ),
        ]
        papers.append(
            Entity(id=EntityId(paper), type="paper", name=key, attributes={"year": 2020}, records=(paper,))
        )
    shared = [
        Entity(
            id=EntityId(f"{keys[0]}-{kind}"),
            type=entity_type,
            name=name,
            aliases=aliases,
            attributes={"tags": ("x", "y")} if entity_type == "observable" else {},
            records=tuple(RecordId(f"{key}-{kind}") for key in keys),
        )
        for kind, entity_type, name, aliases in (
            ("mass", "observable", "m(B0)", ("B0 mass", "mass of the B0")),
            ("decay", "decay", "B0 -> K* mu mu", ()),
        )
    ]
    return CanonicalGraph(
        entities=(*papers, *shared),
        records=tuple(records),
        statements=tuple(statements),
        redirects=tuple(
            Redirect(old=EntityId(f"{k}-mass"), new=EntityId(f"{keys[0]}-mass")) for k in keys[1:]
        ),
    )


def content(graph: CanonicalGraph, schema: GraphSchema, *, model: str = "m/1") -> GraphContent:
    chosen = [e for e in graph.entities if e.type == "observable"]
    matrix = np.zeros((len(chosen), 4), dtype=np.float32)
    matrix[:, 0] = 1
    header = ContentHeader(
        workspace="test",
        graph_schema=schema,
        graph_hash=graph_hash(graph),
        embedding_model=model,
        embedding_dimension=4,
    )
    documents = [document(key) for key in sorted({r.document for r in graph.records})]
    return GraphContent(
        header, graph, documents, VectorTable({e.id: i for i, e in enumerate(chosen)}, matrix)
    )


def load(store: Neo4jStore, graph: CanonicalGraph, schema: GraphSchema, **options: Any) -> LoadReport:
    return store.load(content(graph, schema), progress=SilentProgress(), **options)


class BrokenOffError(Exception):
    """Stands for a crash."""


class BreakingProgress:
    """Raises at the n-th advance."""

    def __init__(self, after: int) -> None:
        self.left = after

    @contextmanager
    def task(self, label: str, *, total: int | None = None, unit: str = "") -> Iterator[BreakingProgress]:  # noqa: ARG002
        yield self

    def advance(self, count: int = 1, *, note: str = "") -> None:  # noqa: ARG002
        self.left -= 1
        if self.left < 0:
            raise BrokenOffError


def test_what_is_loaded_is_read_back(store: Neo4jStore, small_schema: GraphSchema) -> None:
    graph = small_graph()
    report = load(store, graph, small_schema)
    assert (report.nodes_created, report.vectors_written, report.unchanged) == (
        4 + 6 + 1 + 2 + 4 + 2,
        1,
        False,
    )
    back = store.read_graph()
    assert back == canonical_order(graph)
    assert graph_hash(back) == graph_hash(graph)
    marker = store.marker()
    assert marker is not None
    assert marker.graph_hash == graph_hash(graph)
    assert store.document_keys() == ("a", "b")


WORDS = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
VALUES = st.one_of(
    WORDS,
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.lists(WORDS, max_size=3).map(tuple),
)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    names=st.lists(WORDS, min_size=3, max_size=3),
    attributes=st.dictionaries(st.sampled_from(["value", "tags", "other"]), VALUES),
    spans=st.lists(st.tuples(st.integers(0, 9), st.integers(10, 20)), max_size=3),
    keys=st.sampled_from([("a",), ("a", "b"), ("c", "a", "b")]),
)
def test_any_graph_is_read_back(
    store: Neo4jStore,
    small_schema: GraphSchema,
    names: list[str],
    attributes: dict[str, Any],
    spans: list[tuple[int, int]],
    keys: tuple[str, ...],
) -> None:
    base = small_graph(keys)
    found = tuple(Evidence(start=s, end=e, quote=TEXT[s:e]) for s, e in spans)
    change = {"attributes": attributes, "evidence": found}
    graph = base.model_copy(
        update={
            "entities": tuple(
                e.model_copy(update={"name": n, "description": n, "aliases": (n,), "attributes": attributes})
                for e, n in zip(base.entities, names * 9, strict=False)
            ),
            "records": tuple(r.model_copy(update={**change, "description": names[0]}) for r in base.records),
            "statements": tuple(s.model_copy(update=change) for s in base.statements),
        }
    )
    load(store, graph, small_schema)
    assert graph_hash(store.read_graph()) == graph_hash(graph)
    assert store.read_graph() == canonical_order(graph)


def test_loading_twice_changes_nothing(store: Neo4jStore, small_schema: GraphSchema) -> None:
    load(store, small_graph(), small_schema)
    assert load(store, small_graph(), small_schema).unchanged
    compared = load(store, small_graph(), small_schema, verify=True)
    assert compared.model_dump(exclude={"seconds"}) == LoadReport(unchanged=True).model_dump(
        exclude={"seconds"}
    )


def test_removing_a_document_removes_just_what_only_it_supports(
    store: Neo4jStore, small_schema: GraphSchema
) -> None:
    load(store, small_graph(("a", "b")), small_schema)
    report = load(store, small_graph(("a",)), small_schema)
    assert (report.nodes_created, report.relations_created) == (0, 0)
    # records, paper, document, sections, chunk, redirect
    assert report.nodes_deleted == 3 + 1 + 1 + 2 + 1 + 1
    assert store.read_graph() == canonical_order(small_graph(("a",)))


def test_a_split_re_creates_statements_under_their_ids(store: Neo4jStore, small_schema: GraphSchema) -> None:
    merged = small_graph()
    load(store, merged, small_schema)
    apart = [e for e in merged.entities if e.id != "a-mass"]
    halves = [
        Entity(id=EntityId(f"{k}-mass"), type="observable", name=f"m {k}", records=(RecordId(f"{k}-mass"),))
        for k in "ab"
    ]
    split = merged.model_copy(update={"entities": (*apart, *halves), "redirects": ()})
    load(store, split, small_schema)
    assert store.read_graph() == canonical_order(split)
    load(store, merged, small_schema)
    assert store.read_graph() == canonical_order(merged)


@pytest.mark.parametrize("after", range(0, 20, 3))
def test_a_load_that_is_broken_off_is_completed_by_the_next(
    store: Neo4jStore, small_schema: GraphSchema, after: int
) -> None:
    load(store, small_graph(("c", "a")), small_schema)
    with pytest.raises(BrokenOffError):
        store.load(content(small_graph(), small_schema), progress=BreakingProgress(after % 12))
    with pytest.raises(DataError, match="broken off"):
        store.read_graph()
    load(store, small_graph(), small_schema)
    assert store.read_graph() == canonical_order(small_graph())


def test_a_doubled_relationship_is_repaired(
    store: Neo4jStore, connection: Connection, small_schema: GraphSchema
) -> None:
    load(store, small_graph(), small_schema)
    connection.write("MATCH (r:Record)-[:REFERS_TO]->(e) WHERE r.id = 'a-mass' CREATE (r)-[:REFERS_TO]->(e)")
    report = load(store, small_graph(), small_schema, verify=True)
    assert (report.relations_deleted, report.relations_created) == (1, 0)


def test_vectors_follow_text_and_model(
    store: Neo4jStore, connection: Connection, small_schema: GraphSchema
) -> None:
    graph = small_graph()
    load(store, graph, small_schema)
    renamed = graph.model_copy(
        update={"entities": tuple(e.model_copy(update={"description": "new"}) for e in graph.entities)}
    )
    assert load(store, renamed, small_schema).vectors_written == 1
    assert [key for key, _ in store.missing_chunk_vectors()] == ["a-c", "b-c"]
    with pytest.raises(EmbeddingMismatchError, match="expected vectors of 4"):
        store.write_chunk_vectors(VectorTable({"a-c": 0}, np.ones((1, 5), dtype=np.float32)))
    assert store.write_chunk_vectors(VectorTable({"a-c": 0}, np.ones((1, 4), dtype=np.float32))) == 1
    assert [key for key, _ in store.missing_chunk_vectors()] == ["b-c"]
    other = content(renamed, small_schema, model="m/2")
    assert store.load(other, progress=SilentProgress()).vectors_written == 1
    assert len(store.missing_chunk_vectors()) == 2


def test_values_that_neo4j_cannot_hold_are_refused(store: Neo4jStore, small_schema: GraphSchema) -> None:
    graph = small_graph()
    for bad, text in ((float("nan"), "finite"), (2**63, "64 bits"), ("\ud800", "surrogate")):
        entity = graph.entities[0].model_copy(update={"attributes": {"value": bad}})
        broken = graph.model_copy(update={"entities": (entity, *graph.entities[1:])})
        made = content(graph, small_schema)
        with pytest.raises(DataError, match=text):
            store.load(
                GraphContent(made.header, broken, made.documents, made.entity_vectors),
                progress=SilentProgress(),
                verify=True,
            )


def test_a_second_workspace_is_refused(
    store: Neo4jStore, connection: Connection, small_schema: GraphSchema
) -> None:
    load(store, small_graph(), small_schema)
    other = Neo4jStore(connection, workspace="other")
    for act in (
        lambda: other.migrate(small_schema, dimension=4),
        lambda: load(other, small_graph(), small_schema),
        other.wipe,
        other.read_graph,
    ):
        with pytest.raises(StoreConflictError, match="holds workspace test"):
            act()


def test_foreign_nodes_are_refused(
    store: Neo4jStore, connection: Connection, small_schema: GraphSchema
) -> None:
    store.wipe()
    connection.write("CREATE (:Document {id: 'foreign'})")
    try:
        with pytest.raises(StoreConflictError, match="no workspace"):
            store.migrate(small_schema, dimension=4)
    finally:
        connection.write("MATCH (d:Document {id: 'foreign'}) DELETE d")


def test_wrong_password_address_and_database(neo4j_endpoint: Any) -> None:
    e = neo4j_endpoint
    with pytest.raises(StoreAuthError), connect(e.uri, e.username, "not the password", database=e.database):
        pass
    with pytest.raises(StoreUnavailableError), connect("bolt://127.0.0.1:1", e.username, e.password):
        pass
    with pytest.raises(SettingsError, match="no Neo4j address"), connect("nonsense", e.username, e.password):
        pass
    with (
        pytest.raises(SettingsError, match="no database"),
        connect(e.uri, e.username, e.password, database="absent"),
    ):
        pass


def query(
    text: str, *, row_cap: int = 11, timeout: float = 5.0, schema: StoreSchema | None = None
) -> CheckedQuery:
    made = CheckedQuery(
        text=text,
        parameters={},
        columns=(),
        row_cap=row_cap,
        timeout=timeout,
        store=schema or StoreSchema(),
    )
    made._by_guard = True
    return made


def test_a_query_that_the_gate_did_not_make_is_not_sent(connection: Connection) -> None:
    unmarked = CheckedQuery(text="RETURN 1 AS n", parameters={}, columns=("n",), row_cap=2, timeout=5.0)
    changed = query("RETURN 1 AS n").model_copy(update={"text": "RETURN 2 AS n"})
    for refused in (unmarked, changed):
        with pytest.raises(QueryRefusedError, match="the gate made"):
            Neo4jRunner(connection).run(refused)
        with pytest.raises(QueryRefusedError, match="the gate made"):
            Neo4jRunner(connection).explain(refused)
    assert Neo4jRunner(connection).run(query("RETURN 1 AS n").model_copy()).rows == ((1,),)


def test_runner_caps_rows_and_bytes(store: Neo4jStore, connection: Connection) -> None:
    runner = Neo4jRunner(connection, byte_cap=1_000)
    whole = runner.run(query("UNWIND range(1, 10) AS n RETURN n"))
    assert (len(whole.rows), whole.truncated) == (10, False)
    cut = runner.run(query("UNWIND range(1, 11) AS n RETURN n"))
    assert (len(cut.rows), cut.truncated) == (10, True)
    wide = runner.run(
        query("UNWIND range(1, 9) AS n RETURN reduce(s = '', i IN range(1, 600) | s + 'x') AS s")
    )
    assert (len(wide.rows), wide.truncated) == (2, True)


def test_runner_refuses_writes_and_stops_in_time(store: Neo4jStore, connection: Connection) -> None:
    runner = Neo4jRunner(connection)
    with pytest.raises(QueryFailedError):
        runner.run(query("CREATE (n:Entity {id: 'x'}) RETURN n"))
    with pytest.raises(QueryFailedError):
        runner.run(query("RETURN nonsense("))
    slow = "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN sum(a * b) AS s"
    with pytest.raises(QueryTimeoutError):
        runner.run(query(slow, timeout=0.5))


def test_runner_sees_a_schema_that_changed_behind_it(
    store: Neo4jStore, connection: Connection, small_schema: GraphSchema
) -> None:
    runner = Neo4jRunner(connection)
    assert runner.statements(["b-s1"]) == ()
    load(store, small_graph(), small_schema)
    assert [s.start_type for s in runner.statements(["b-s1"])] == ["paper"]
    marker = "MATCH (w:Workspace) WITH w, w.{0} AS was SET w.{0} = {1} RETURN was"
    [was], _ = connection.write(marker.format("relation_types", "['estimates']"))  # type: ignore[arg-type]
    assert runner.statements(["b-s1"]) == ()
    connection.write(marker.format("relation_types", str(was["was"])))  # type: ignore[arg-type]
    assert [s.id for s in runner.statements(["b-s1"])] == ["b-s1"]


def test_runner_returns_the_subgraph_of_its_rows(
    store: Neo4jStore, connection: Connection, small_schema: GraphSchema
) -> None:
    load(store, small_graph(), small_schema)
    runner = Neo4jRunner(connection)
    text = "MATCH (p:Paper)-[r:DETERMINES]->(o:Observable) "
    by_id = runner.run(query(text + "RETURN o.name AS name, collect(r.id) AS statements"))
    by_node = runner.run(query(text + "RETURN o, collect(r) AS _edges", schema=fact_store(small_schema)))
    assert by_node.columns == ("o",)
    assert by_node.rows == (("m(B0)",),)
    for found in (by_id, by_node):
        assert {e.id for e in found.edges} == {"a-s1", "b-s1"}
        assert {(n.id, n.type) for n in found.nodes} >= {("a-mass", "observable"), ("a-paper", "paper")}
    first, second = runner.statements(["b-s1", "absent", "a-s2"])
    assert (first.id, first.type, first.end_name, first.title) == ("b-s1", "determines", "m(B0)", "Paper b")
    assert (first.attribution, first.quote, second.start_id) == ("cite b", "mass of B0 … 5279.7", "a-mass")
    plan = runner.explain(query(text + "RETURN count(r) AS n"))
    assert plan.query_type == "r"
    assert "ProduceResults" in plan.operators


def test_all_that_a_query_reads_is_within_its_time(
    store: Neo4jStore, connection: Connection, small_schema: GraphSchema, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(store, small_graph(), small_schema)
    text = "MATCH (p:Paper)-[r:DETERMINES]->() RETURN p, r"
    left: list[float | None] = []
    read = Connection.read_with

    def noted(*args: Any, **options: Any) -> Any:
        left.append(seconds_left())
        return read(*args, **options)

    monkeypatch.setattr(Connection, "read_with", noted)
    found = Neo4jRunner(connection).run(query(text, schema=fact_store(small_schema)))
    assert len(found.edges) == 2
    assert len(left) == 3
    assert all(seconds is not None and 0 < seconds <= 5.0 for seconds in left)


@pytest.mark.parametrize("column", ["statements", "_edges"])
def test_a_statement_outside_the_scope_is_not_told_of_whatever_names_it(
    store: Neo4jStore, connection: Connection, small_schema: GraphSchema, column: str
) -> None:
    load(store, small_graph(), small_schema)
    connection.write("MATCH (n:Entity) SET n.status = 'published'")
    connection.write("MATCH (:Entity)-[r {id: 'b-s1'}]->(:Entity) SET r.status = 'vetted'")
    connection.write("MATCH (:Entity)-[r {id: 'b-s2'}]->(:Entity) SET r.status = 'published'")
    runner = Neo4jRunner(connection)

    def told(scope: Scope) -> tuple[set[str], int]:
        text = f"RETURN ['a-s1', 'b-s1', 'b-s2'] AS {column}"
        found = runner.run(check_text(text, fact_store(small_schema), scope=scope))
        return {e.id for e in found.edges}, len(found.nodes)

    assert told(Scope.ALL) == ({"a-s1", "b-s1", "b-s2"}, 4)
    assert told(Scope.VETTED) == ({"b-s1", "b-s2"}, 3)
    assert told(Scope.PUBLISHED) == ({"b-s2"}, 2)
    connection.write("MATCH (n:Decay) SET n.status = 'draft'")
    assert told(Scope.PUBLISHED) == (set(), 0)


class FixedEmbedder:
    """Every text has one vector."""

    model_id, dimension = "m/1", 4

    def encode(self, texts: Sequence[str]) -> Any:
        return np.tile(np.array([1, 0, 0, 0], dtype=np.float32), (len(texts), 1))


def test_values_by_name_alias_and_likeness(
    store: Neo4jStore, connection: Connection, small_schema: GraphSchema
) -> None:
    load(store, small_graph(), small_schema)
    connection.read("CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()")
    values = Neo4jValues(connection, small_schema, FixedEmbedder())
    found = values.exact(["M(b0)", "B0 MASS", "unknown"], ["observable"])
    assert {p: [(m.id, m.via) for m in ms] for p, ms in found.items()} == {
        "M(b0)": [("a-mass", "name")],
        "B0 MASS": [("a-mass", "alias")],
    }
    assert values.exact(["m(B0)"], ["decay"]) == {}
    nearest = values.similar("quite unlike", ["observable"])
    assert [(m.id, m.via, round(m.score, 3)) for m in nearest] == [("a-mass", "embedding", 1.0)]
    assert values.similar("K* mu", ["decay"])[0].id == "a-decay"
    assert values.counts().entities == {"paper": 2, "observable": 1, "decay": 1}
    assert values.counts().relations == {"determines": 2, "measured_with": 2}
    load(store, small_graph(("a",)), small_schema)
    assert "b" not in values.exact(["b"], ["paper"])


def test_names_are_compared_again_after_an_own_write_or_when_they_are_not_fresh(
    store: Neo4jStore, connection: Connection, small_schema: GraphSchema
) -> None:
    load(store, small_graph(("a",)), small_schema)
    elsewhere = replace(connection, writes=Writes())
    kept = Neo4jValues(elsewhere, small_schema, None, fresh=3600)
    compared = Neo4jValues(elsewhere, small_schema, None, fresh=0)
    own = Neo4jValues(connection, small_schema, None, fresh=3600)
    for values in (kept, compared, own):
        assert values.exact(["a", "c"], ["paper"]).keys() == {"a"}
    load(store, small_graph(("c",)), small_schema)
    assert kept.exact(["a", "c"], ["paper"]).keys() == {"a"}
    assert compared.exact(["a", "c"], ["paper"]).keys() == {"c"}
    assert own.exact(["a", "c"], ["paper"]).keys() == {"c"}


def test_names_with_a_condition_behind_them(
    store: Neo4jStore, connection: Connection, small_schema: GraphSchema
) -> None:
    keys = ("m", "m at low q2", "m (B0)", "m'", "mass at low q2", "M  in bins", "n at low q2")
    load(store, small_graph(keys), small_schema)
    values = Neo4jValues(connection, small_schema, None)
    assert [m.name for m in values.qualified("M", "paper")] == ["M  in bins", "m (B0)", "m at low q2"]
    assert values.qualified("M", "observable") == ()
    assert values.qualified("", "paper") == ()
    load(store, small_graph(("m", "m for all")), small_schema)
    values.exact(["m"], ["paper"])
    assert [m.name for m in values.qualified("m", "paper")] == ["m for all"]


@given(text=st.text(st.characters(exclude_categories=("Cs",)), max_size=30))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_phrase_breaks_the_search(
    store: Neo4jStore, connection: Connection, small_schema: GraphSchema, text: str
) -> None:
    values = Neo4jValues(connection, small_schema, None)
    for phrase in (text, f'"{text} AND (', f"name:{text}*", f"{text}~2 /.*/ [a TO b]"):
        assert values.similar(phrase, ["observable"]) == ()


def test_views(store: Neo4jStore, connection: Connection, small_schema: GraphSchema) -> None:
    load(store, small_graph(), small_schema)
    views = Neo4jViews(connection, small_schema)
    shown = views.entity("b-mass", limit=3)
    assert shown is not None
    assert (shown.id, shown.redirected_from, shown.type) == ("a-mass", "b-mass", "observable")
    assert (shown.statements_total, len(shown.statements), len(shown.records)) == (4, 3, 2)
    assert shown.attributes == {"tags": ["x", "y"]}
    paper = views.document("a")
    assert paper is not None
    assert [(s.title, s.chunks) for s in paper.sections] == [("a", 0), ("Results", 1)]
    assert (paper.records, paper.statements) == (3, {"determines": 1, "measured_with": 1})
    assert views.entity("absent") is None
    assert views.document("absent") is None


def test_communities_are_replaced(
    store: Neo4jStore, connection: Connection, small_schema: GraphSchema
) -> None:
    load(store, small_graph(), small_schema)
    members = (EntityId("a-decay"), EntityId("a-mass"))
    found = Communities(
        seed=1,
        quality=0.1,
        algorithm="test",
        communities=(
            Community(id="fine", level=0, members=members, parent="coarse"),
            Community(id="coarse", level=1, members=members),
        ),
        dropped=(),
    )
    finding = Finding(text="Measured.", statements=(StatementId("a-s1"),))
    report = CommunityReport(
        community="fine", title="T", summary="S", findings=(finding,), summarizer="test/1"
    )
    vectors = VectorTable({"fine": 0}, np.ones((1, 4), dtype=np.float32))
    assert store.write_communities(found, [report], vectors) == 2 + 2 + 1 + 1
    assert store.write_communities(found, [report], vectors) == 0
    rows = connection.read(
        "MATCH (e)-[:IN_COMMUNITY]->(c)-[:PART_OF]->(d) RETURN c.id AS c, d.id AS d, count(e) AS n"
    )
    assert rows == [{"c": "fine", "d": "coarse", "n": 2}]
    assert store.read_graph() == canonical_order(small_graph())
    assert store.write_communities(found.model_copy(update={"communities": ()}), []) == 2


def test_migrations_are_recorded_and_survive_a_new_dimension(
    store: Neo4jStore, connection: Connection, small_schema: GraphSchema
) -> None:
    marker = store.marker()
    assert marker is not None
    assert marker.migrations[:3] == ("0001-identity", "0002-lookup", "0003-fulltext")
    store.migrate(small_schema, dimension=3)
    rows = connection.read(
        "SHOW VECTOR INDEXES YIELD name, options WHERE name STARTS WITH 'cg_' "
        "RETURN options.indexConfig['vector.dimensions'] AS d"
    )
    assert {r["d"] for r in rows} == {3}
    store.migrate(small_schema, dimension=4)


def test_own_statements_use_nothing_deprecated(
    store: Neo4jStore, connection: Connection, small_schema: GraphSchema, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, logger="neo4j.notifications"):
        load(store, small_graph(), small_schema)
        store.read_graph()
        Neo4jValues(connection, small_schema, FixedEmbedder()).similar("mass", ["observable"])
        Neo4jViews(connection, small_schema).document("a")
        Neo4jRunner(connection).statements(["a-s1"])
    assert [r.getMessage() for r in caplog.records if "DEPREC" in r.getMessage().upper()] == []
