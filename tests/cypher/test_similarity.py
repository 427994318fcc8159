"""``similarity(node, "text")`` against NumPy's cosine, on a real server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import neo4j
import numpy as np
import pytest
from numpy.typing import NDArray

from cypher.gate.similarity import Inputs
from cypher.guard import report_on
from kg.neo4j_server import Neo4jEndpoint
from schemas.questions import Parameter, Scope
from schemas.store_schema import (
    PropertyType,
    StoreLabel,
    StoreProperty,
    StoreRelation,
    StoreSchema,
    StoreTriple,
)

COUNT, SIZE = 40, 6
TEXTS = {"tides": 0, "harbours": 1}
STATUSES = ("draft", "vetted")


def store() -> StoreSchema:
    number = StoreProperty(name="id", type=PropertyType.INTEGER)
    plain = (number, StoreProperty(name="status", type=PropertyType.STRING))
    return StoreSchema(
        labels=(
            StoreLabel(name="Buoy", properties=plain, vector_property="vector", vector_index="buoys"),
            StoreLabel(name="Pier", properties=plain),
        ),
        relations=(StoreRelation(type="NEAR", properties=plain),),
        triples=(StoreTriple(start="Buoy", type="NEAR", end="Pier"),),
        scope_property="status",
    )


def vectors() -> NDArray[np.float64]:
    return np.random.default_rng(3).normal(size=(COUNT, SIZE))


class Model:
    """Vectors of two texts; counts its batches."""

    def __init__(self) -> None:
        self.batches: list[tuple[str, ...]] = []
        self.rows = np.random.default_rng(4).normal(size=(2, SIZE)).astype(np.float32)

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.batches.append(tuple(texts))
        return np.stack([self.rows[TEXTS[t]] for t in texts])

    def cosines(self, text: str) -> NDArray[np.float64]:
        one, all_ = self.rows[TEXTS[text]].astype(float), vectors()
        found: NDArray[np.float64] = all_ @ one / (np.linalg.norm(all_, axis=1) * np.linalg.norm(one))
        return found


@pytest.fixture(scope="module")
def session(neo4j_endpoint: Neo4jEndpoint) -> Iterator[neo4j.Session]:
    """Forty buoys with a vector, one without, and a pier."""
    e = neo4j_endpoint
    with (
        neo4j.GraphDatabase.driver(
            e.uri, auth=(e.username, e.password), notifications_min_severity="OFF"
        ) as driver,
        driver.session(database=e.database) as opened,
    ):
        rows = [{"id": i, "vector": v.tolist(), "status": STATUSES[i % 2]} for i, v in enumerate(vectors())]
        opened.run("UNWIND $rows AS r CREATE (b:Buoy) SET b = r", rows=rows).consume()
        opened.run("CREATE (:Buoy {id: -1, status: 'vetted'}), (:Pier {id: 1, status: 'vetted'})").consume()
        yield opened


def rows(
    session: neo4j.Session, text: str, *, scope: Scope = Scope.ALL, **parameters: Parameter
) -> list[list[Any]]:
    report = report_on(text, store(), scope=scope, parameters=Inputs(parameters, Model()))
    assert report.query is not None, report.findings
    given: dict[str, Any] = {
        k: list(v) if isinstance(v, tuple) else v for k, v in report.query.parameters.items()
    }
    return [r.values() for r in session.run(report.query.text, given)]


def test_the_value_is_the_raw_cosine(session: neo4j.Session) -> None:
    found = dict(rows(session, "MATCH (b:Buoy) WHERE b.id >= 0 RETURN b.id, similarity(b, 'tides') AS s"))
    assert [found[i] for i in range(COUNT)] == pytest.approx(Model().cosines("tides"), abs=1e-5)


@pytest.mark.parametrize("condition", ["similarity(b, $t) >= $c", "$c <= similarity(b, $t)"])
@pytest.mark.parametrize("limit", [-0.5, 0.0, 0.25, 0.6])
def test_a_threshold_is_one_of_the_raw_cosine(session: neo4j.Session, condition: str, limit: float) -> None:
    text = f"MATCH (b:Buoy) WHERE {condition} RETURN b.id"
    found = {r[0] for r in rows(session, text, t="harbours", c=limit)}
    assert found == {i for i, s in enumerate(Model().cosines("harbours")) if s >= limit}
    literal = text.replace("$c", str(limit)).replace("$t", "'harbours'")
    assert {r[0] for r in rows(session, literal)} == found


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (b:Buoy) RETURN b.id ORDER BY similarity(b, 'tides') DESC LIMIT 5",
        "MATCH (b:Buoy) RETURN b.id, similarity(b, 'tides') AS s ORDER BY s DESC LIMIT 5",
        "MATCH (b:Buoy) WITH b, similarity(b, 'tides') AS s ORDER BY s DESC LIMIT 5 RETURN b.id",
        "MATCH (b:Buoy) WITH b AS x ORDER BY similarity(x.vector, 'tides') DESC LIMIT 5 RETURN x.id",
    ],
)
def test_the_nearest_come_first_and_nodes_without_a_vector_last(session: neo4j.Session, text: str) -> None:
    nearest = np.argsort(-Model().cosines("tides"))[:5].tolist()
    assert [r[0] for r in rows(session, text)] == nearest


def test_a_scope_holds_for_it(session: neo4j.Session) -> None:
    text = "MATCH (b:Buoy) WHERE similarity(b, 'tides') > -1 RETURN b.id"
    assert {r[0] % 2 for r in rows(session, text, scope=Scope.VETTED)} == {1}


def test_all_texts_are_embedded_in_one_batch_and_none_enters_the_query() -> None:
    model = Model()
    text = (
        "MATCH (b:Buoy) WHERE similarity(b, 'tides') > 0.8 "
        "RETURN similarity(b, 'tides') AS t, similarity(b, $h) AS h"
    )
    report = report_on(text, store(), parameters=Inputs({"h": "harbours"}, model))
    assert model.batches == [("tides", "harbours")]
    assert report.query is not None
    assert "tides" not in report.query.text
    assert 0.9 in report.query.parameters.values()
    assert sorted(k for k in report.query.parameters if k.startswith("__")) == ["__vector0", "__vector1"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("MATCH (p:Pier) RETURN similarity(p, 'tides') AS s", "labels with vectors: Buoy"),
        ("MATCH (b:Buoy) RETURN similarity(b) AS s", "variable of a node, a text, and perhaps a map"),
        ("MATCH (b:Buoy) RETURN similarity(b, b.id) AS s", "a text in quotes"),
        ("MATCH (b:Buoy) RETURN similarity(b, '') AS s", "a text in quotes"),
        ("MATCH (b:Buoy) RETURN similarity(b.id, 'tides') AS s", "holds no vector"),
        ("MATCH (b:Buoy)-[r:NEAR]->() RETURN similarity(r, 'tides') AS s", "is a relationship"),
        ("MATCH (b:Buoy) RETURN similarity(c, 'tides') AS s", "not defined"),
        ("MATCH (b:Buoy) RETURN b.vector AS v", "no property vector"),
    ],
)
def test_what_cannot_be_compared_is_said(text: str, words: str) -> None:
    report = report_on(text, store(), parameters=Inputs({}, Model()))
    assert report.query is None
    assert words in " ".join(f.message for f in report.findings)


def test_without_a_model_it_is_refused() -> None:
    report = report_on("MATCH (b:Buoy) RETURN similarity(b, 'tides') AS s", store())
    assert report.query is None
    assert "model" in report.findings[0].message


@pytest.mark.parametrize(
    ("name", "neighbours", "words"),
    [
        ("'buoys'", "2000", ""),
        ("$name", "$k", ""),
        ("'others'", "5", "there is buoys"),
        ("toLower('BUOYS')", "5", "there is buoys"),
        ("'buoys'", "2001", "1 to 2000 neighbours"),
        ("'buoys'", "0", "1 to 2000 neighbours"),
        ("'buoys'", "1000 * 1000", "1 to 2000 neighbours"),
    ],
)
def test_a_search_names_a_known_index_and_bounds_its_neighbours(
    name: str, neighbours: str, words: str
) -> None:
    text = f"CALL db.index.vector.queryNodes({name}, {neighbours}, $v) YIELD node, score RETURN node.id AS id"
    given: dict[str, Parameter] = {"v": (0.1,) * SIZE, "name": "buoys", "k": 10}
    report = report_on(text, store(), parameters=given)
    assert (report.query is None) == bool(words)
    assert words in " ".join(f.message for f in report.findings)


def test_the_code_of_the_guide_runs() -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "write-your-own-cypher.md"
    (code,) = (b.partition("```")[0] for b in page.read_text("utf-8").split("```python\n")[1:])
    exec(compile(code, str(page), "exec"), {})
