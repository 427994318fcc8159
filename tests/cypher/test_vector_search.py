"""``similarity()`` by the vector index of a real server: the rows of exact scoring, asked for in steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import neo4j
import numpy as np
import pytest
from numpy.typing import NDArray

from cypher.gate.similarity import Inputs
from cypher.guard import report_on
from kg.adapters.neo4j_connection import Connection
from kg.adapters.neo4j_runner import Neo4jRunner
from kg.neo4j_server import Neo4jEndpoint
from kg.similar import IndexSearch, wants_index
from schemas.questions import CheckedQuery, GateReport, PlanSummary, Scope, Subgraph
from schemas.store_schema import (
    PropertyType,
    StoreLabel,
    StoreProperty,
    StoreRelation,
    StoreSchema,
    StoreTriple,
)

COUNT, SIZE, SEED = 3_000, 12, 6
STATUSES = ("draft", "vetted")
RECALL = 0.95


def store() -> StoreSchema:
    number = StoreProperty(name="id", type=PropertyType.INTEGER)
    plain = (number, StoreProperty(name="status", type=PropertyType.STRING))
    return StoreSchema(
        labels=(
            StoreLabel(name="Reef", properties=plain, vector_property="vector", vector_index="reefs"),
            StoreLabel(name="Coast", properties=plain),
        ),
        relations=(StoreRelation(type="OFF", properties=plain),),
        triples=(StoreTriple(start="Reef", type="OFF", end="Coast"),),
        scope_property="status",
    )


def vectors() -> NDArray[np.float64]:
    return np.random.default_rng(SEED).normal(size=(COUNT, SIZE))


def embed(texts: Sequence[str]) -> NDArray[np.float32]:
    return np.random.default_rng(8).normal(size=(len(texts), SIZE)).astype(np.float32)


def cosines() -> NDArray[np.float64]:
    (one,), all_ = embed(["corals"]).astype(float), vectors()
    found: NDArray[np.float64] = all_ @ one / (np.linalg.norm(all_, axis=1) * np.linalg.norm(one))
    return found


class CountingRunner(Neo4jRunner):
    """Counts the searches of the index."""

    asked: list[int]

    def run(self, query: CheckedQuery, **options: object) -> Subgraph:
        if "neighbours" in query.parameters:
            self.asked.append(int(str(query.parameters["neighbours"])))
        return super().run(query, **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def runner(neo4j_endpoint: Neo4jEndpoint) -> Iterator[CountingRunner]:
    """Three thousand reefs with vectors, one without, each off one of seven coasts."""
    e = neo4j_endpoint
    with neo4j.GraphDatabase.driver(
        e.uri, auth=(e.username, e.password), notifications_min_severity="OFF"
    ) as driver:
        with driver.session(database=e.database) as session:
            session.run("UNWIND range(0, 6) AS i CREATE (:Coast {id: i, status: 'vetted'})").consume()
            rows = [
                {"id": i, "vector": v.tolist(), "status": STATUSES[i % 2]} for i, v in enumerate(vectors())
            ]
            session.run(
                "UNWIND $rows AS r MATCH (c:Coast {id: r.id % 7}) "
                "CREATE (b:Reef)-[:OFF {status: 'vetted'}]->(c) SET b = r",
                rows=rows,
            ).consume()
            session.run("CREATE (:Reef {id: -1, status: 'vetted'})").consume()
            session.run(
                "CREATE VECTOR INDEX reefs FOR (n:Reef) ON (n.vector) OPTIONS {indexConfig: "
                f"{{`vector.dimensions`: {SIZE}, `vector.similarity_function`: 'cosine'}}}}"
            ).consume()
            session.run("CALL db.awaitIndexes(120)").consume()
        yield CountingRunner(Connection(driver, e.database))
        with driver.session(database=e.database) as session:
            session.run("DROP INDEX reefs").consume()


def searched(
    runner: CountingRunner, text: str, *, scope: Scope = Scope.ALL
) -> tuple[tuple[GateReport, Subgraph] | None, list[int]]:
    """What the index found, and how many neighbours were asked for."""

    def form(neighbours: int) -> GateReport:
        return report_on(text, store(), scope=scope, parameters=Inputs({}, embed, neighbours=neighbours))

    report = form(0)
    assert report.search is not None, report
    runner.asked = []
    index = IndexSearch(runner, runner.run, store(), form)
    return index.rows(report.search, 10.0), runner.asked


def exact(runner: CountingRunner, text: str, scope: Scope = Scope.ALL) -> list[object]:
    report = report_on(text, store(), scope=scope, parameters=Inputs({}, embed))
    assert report.query is not None, report.findings
    return [row[0] for row in runner.run(report.query).rows]


@pytest.mark.parametrize("least", [0.75, 0.5, 0.35])
def test_more_are_asked_for_until_the_last_lies_below_the_threshold(
    runner: CountingRunner, least: float
) -> None:
    text = f"MATCH (b:Reef) WHERE similarity(b, 'corals') > {least} RETURN b.id, similarity(b, 'corals') AS s"
    found, asked = searched(runner, text)
    assert found is not None
    report, rows = found
    right = {int(i) for i in np.flatnonzero(cosines() > least)}
    got = {row[0]: row[1] for row in rows.rows}
    assert set(got) <= right
    assert len(got) >= RECALL * len(right)
    assert asked == [50 * 2**i for i in range(len(asked))]
    assert asked[-1] > len(right)
    assert [got[i] for i in got] == pytest.approx([cosines()[i] for i in got], abs=1e-5)
    assert report.query is not None
    assert report.query.text.startswith("CALL db.index.vector.queryNodes(")
    assert "approximate" in " ".join(report.notes)


def test_what_the_index_cannot_complete_is_left_to_exact_scoring(runner: CountingRunner) -> None:
    found, asked = searched(
        runner, "MATCH (b:Reef) WHERE similarity(b, 'corals') > -0.9 RETURN count(*) AS n"
    )
    assert found is None
    assert asked == [50, 100, 200, 400, 800, 1600, 2000]


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (b:Reef) RETURN b.id ORDER BY similarity(b, 'corals') DESC LIMIT 10",
        "MATCH (b:Reef) RETURN b.id, similarity(b, 'corals') AS s ORDER BY s DESC, b.id LIMIT 10",
        "MATCH (b:Reef)-[:OFF]->({id: 3}) RETURN b.id ORDER BY similarity(b, 'corals') DESC LIMIT 9",
        "MATCH (b:Reef) WHERE b.id % 97 = 5 RETURN b.id ORDER BY similarity(b, 'corals') DESC LIMIT 4",
    ],
)
@pytest.mark.parametrize("scope", [Scope.ALL, Scope.VETTED])
def test_the_nearest_are_those_of_exact_scoring(runner: CountingRunner, text: str, scope: Scope) -> None:
    found, asked = searched(runner, text, scope=scope)
    assert found is not None
    right = exact(runner, text, scope)
    got = [row[0] for row in found[1].rows]
    assert len(got) == len(right)
    assert len(set(got) & set(right)) >= RECALL * len(right) - 1
    assert asked[:2] == [50, 100]


def test_where_too_few_are_found_all_is_scored(runner: CountingRunner) -> None:
    text = "MATCH (b:Reef) WHERE b.id < 3 RETURN b.id ORDER BY similarity(b, 'corals') DESC LIMIT 10"
    found, asked = searched(runner, text)
    assert found is None
    assert asked[-1] == 2000
    assert len(exact(runner, text)) == 4


def test_a_nearer_node_that_the_first_search_missed_is_found_by_the_next() -> None:
    """A server whose index finds the best match only among more neighbours, as graphs of neighbours can."""
    text = "MATCH (b:Reef) RETURN b.id, similarity(b, 'corals') AS s ORDER BY s DESC LIMIT 2"
    reached: list[int] = []
    explained: list[str] = []
    run_texts: list[str] = []

    class Forgetful:
        def explain(self, query: CheckedQuery) -> PlanSummary:
            explained.append(query.text)
            return PlanSummary(query_type="r", operators=("ProduceResults",))

        def run(self, query: CheckedQuery) -> Subgraph:
            run_texts.append(query.text)
            if "neighbours" in query.parameters:
                reached.append(int(str(query.parameters["neighbours"])))
                return Subgraph(columns=("number", "least"), rows=((reached[-1], 0.5),))
            best = ((1, 1.0), (2, 0.9)) if reached[-1] > 100 else ((3, 0.8), (4, 0.7))
            return Subgraph(columns=query.columns, rows=best if reached[-1] != 50 else ((5, 0.6), (4, 0.5)))

    def form(neighbours: int) -> GateReport:
        return report_on(text, store(), parameters=Inputs({}, embed, neighbours=neighbours))

    search = form(0).search
    assert search is not None
    runner = Forgetful()
    found = IndexSearch(runner, runner.run, store(), form).rows(search, 10.0)
    assert found is not None
    assert found[1].rows == ((1, 1.0), (2, 0.9))
    assert reached == [50, 100, 200, 400]
    assert explained == run_texts


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (b:Reef) WHERE similarity(b, 'x') > 0.5 OR b.id = 1 RETURN b",
        "MATCH (b:Reef) WHERE NOT similarity(b, 'x') > 0.5 RETURN b",
        "MATCH (b:Reef) WHERE similarity(b, 'x') < 0.5 RETURN b",
        "OPTIONAL MATCH (b:Reef) WHERE similarity(b, 'x') > 0.5 RETURN b",
        "MATCH (c:Coast) MATCH (b:Reef) WHERE similarity(b, 'x') > 0.5 RETURN b",
        "MATCH (c:Coast) WHERE EXISTS { MATCH (c)<--(b:Reef) WHERE similarity(b, 'x') > 0.5 } RETURN c",
        "MATCH (b:Reef) WHERE similarity(b, 'x') > b.id RETURN b",
        "MATCH (b:Reef) RETURN b.id ORDER BY similarity(b, 'x') LIMIT 5",
        "MATCH (b:Reef) RETURN b.id ORDER BY similarity(b, 'x') DESC",
        "MATCH (b:Reef) RETURN b.id ORDER BY similarity(b, 'x') DESC SKIP 3 LIMIT 5",
        "MATCH (b:Reef)-->(c) RETURN c.id, max(similarity(b, 'x')) AS s ORDER BY s DESC LIMIT 5",
        "MATCH (b:Reef) WHERE similarity(b, 'x') > 0.5 RETURN b UNION MATCH (b:Reef) RETURN b",
    ],
)
def test_other_forms_are_scored_exactly(text: str) -> None:
    report = report_on(text, store(), parameters=Inputs({}, embed))
    assert report.query is not None, report.findings
    assert report.search is None
    same = report_on(text, store(), parameters=Inputs({}, embed, neighbours=50))
    assert same.query == report.query


def test_the_index_chooses_and_the_exact_cosine_decides() -> None:
    text = (
        "MATCH (b:Reef)-[:OFF]->(c) WHERE 0.5 <= similarity(b.vector, 'x') AND similarity(b, 'x') < 0.9 "
        "AND c.id = 1 WITH c, max(similarity(b, 'x')) AS best MATCH (c)<--(d:Reef) "
        "RETURN c.id, best, similarity(d, 'x') AS s"
    )
    report = report_on(text, store(), parameters=Inputs({}, embed, neighbours=50))
    assert report.query is not None, report.findings
    shown = report.query.text
    assert "YIELD node AS b, score AS __score WHERE __score >= $p" in shown
    assert shown.count("vector.similarity.cosine(b.vector, $__vector0)") == 3
    assert {0.73, 0.75, 0.95, 50} <= set(report.query.parameters.values())


def test_the_index_is_asked_only_where_many_nodes_would_be_scored() -> None:
    text = "MATCH (b:Reef) WHERE similarity(b, 'x') > 0.5 RETURN b"
    report = report_on(text, store(), parameters=Inputs({}, embed))
    few = PlanSummary(query_type="r", operators=(), most_rows=29_000)
    assert not wants_index(report, few)
    assert wants_index(report, few.model_copy(update={"most_rows": 31_000}))


OPTIONED = "MATCH (b:Reef) WHERE similarity(b, 'x', {}) > 0.5 RETURN b"
FEW = PlanSummary(query_type="r", operators=(), most_rows=10)
MANY = FEW.model_copy(update={"most_rows": 1e6})


def test_options_say_how_many_neighbours_and_which_way() -> None:
    def asked(options: str) -> tuple[int, bool, bool]:
        text = OPTIONED.replace("{}", options)
        report = report_on(text, store(), parameters=Inputs({}, embed))
        assert report.query is not None, report.findings
        assert "similarity(b" not in report.query.text
        assert "mode" not in report.query.text
        neighbours = report.search.neighbours if report.search is not None else 0
        return neighbours, wants_index(report, FEW), wants_index(report, MANY)

    assert asked("{}") == (50, False, True)
    assert asked("{k: 20}") == (20, False, True)
    assert asked("{mode: 'auto'}") == (50, False, True)
    assert asked("{k: 20, mode: 'index'}") == (20, True, True)
    assert asked("{mode: 'exact'}") == (0, False, False)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("similarity(b, 'x', 20)", "is a map"),
        ("similarity(b, 'x', {n: 20})", "is given n"),
        ("similarity(b, 'x', {k: 0})", "from 1 to 2000"),
        ("similarity(b, 'x', {k: 2001})", "from 1 to 2000"),
        ("similarity(b, 'x', {k: true})", "from 1 to 2000"),
        ("similarity(b, 'x', {k: b.id})", "from 1 to 2000"),
        ("similarity(b, 'x', {mode: 'fast'})", "one of auto, index, exact"),
        ("similarity(b, 'x', {mode: 3})", "one of auto, index, exact"),
        ("similarity(b, 'x', {}, 1)", "perhaps a map of options"),
        ("0.0 + similarity(b, 'x', {mode: 'index'})", "begin with the index"),
    ],
)
def test_options_that_cannot_be_had_are_refused(call: str, words: str) -> None:
    report = report_on(f"MATCH (b:Reef) RETURN {call} AS s", store(), parameters=Inputs({}, embed))
    assert [f.code for f in report.findings] == ["SIM1"]
    assert words in report.findings[0].message


def test_the_nearest_are_asked_for_with_options() -> None:
    text = "MATCH (b:Reef) RETURN b ORDER BY similarity(b, 'x', {k: 7, mode: 'index'}) DESC LIMIT 3"
    report = report_on(text, store(), parameters=Inputs({}, embed))
    assert report.search is not None
    assert (report.search.neighbours, report.search.always) == (7, True)
