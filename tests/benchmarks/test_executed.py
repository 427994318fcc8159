"""The reader's queries of a benchmark pass the gate; what it refuses is counted and has no rows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.demo_graphs import Label, Pair, Scored, report_through
from benchmarks.executed import Cells, Gated, execute, report_refused
from benchmarks.harness import DATA, Recorder
from benchmarks.served import Served, Service
from cypher.guard import MAX_ROWS
from cypher.semantics.write import Written
from kg.adapters.neo4j_connection import Connection, connect
from kg.adapters.neo4j_introspection import infer_schema, read_values
from kg.neo4j_server import Neo4jEndpoint
from schemas.questions import Parameter

MANY = MAX_ROWS + 200
FARM = f"""
CREATE (ann:Keeper {{name: 'Ann', born: date('1980-02-03')}}), (bo:Keeper {{name: 'Bo'}}),
       (rex:Goat {{name: 'Rex', weight: 40}}), (ida:Goat {{name: 'Ida', weight: 35}}),
       (ann)-[:KEEPS]->(rex), (ann)-[:KEEPS]->(ida), (bo)-[:KEEPS]->(ida)
WITH 1 AS one UNWIND range(1, {MANY}) AS i CREATE (:Tag {{number: i}})
"""
compares = pytest.mark.skipif(not DATA.exists(), reason="the comparison of rows is in the shared data")


@pytest.fixture(scope="module")
def connection(neo4j_endpoint: Neo4jEndpoint) -> Iterator[Connection]:
    found = neo4j_endpoint
    with connect(found.uri, found.username, found.password, database=found.database) as opened:
        opened.write(FARM)
        yield opened


@pytest.fixture
def gated(connection: Connection) -> Gated:
    return Gated(connection, infer_schema(connection))


def written(text: str, parameters: dict[str, Parameter] | None = None) -> Written:
    return Written(text, parameters or {}, ())


def sorted_rows(cells: Cells | None) -> list[str]:
    assert cells is not None
    return sorted(map(repr, cells.rows))


@pytest.mark.parametrize(
    "query",
    [
        written("MATCH (k:Keeper)-[:KEEPS]->(g:Goat {name: 'Ida'}) RETURN k.name AS name, k.born AS born"),
        written("MATCH (k:Keeper)-[r:KEEPS]->(g) WHERE g.weight > $p0 RETURN k, r, g", {"p0": 36}),
        written("MATCH p = (:Keeper)-[:KEEPS]->(:Goat) RETURN p, [1, 2] AS some"),
        written("MATCH (g:Goat) RETURN g.name AS name UNION MATCH (k:Keeper) RETURN k.name AS name"),
        written("MATCH (t:Tag) RETURN t.number AS number, t"),
        written("MATCH (t:Tag) RETURN t.number AS number UNION ALL MATCH (g:Goat) RETURN g.weight AS number"),
    ],
    ids=["values", "nodes", "paths", "union", "more than are shown", "a union of more"],
)
def test_what_passes_has_the_rows_of_the_bare_query(
    connection: Connection, gated: Gated, query: Written
) -> None:
    bare = execute(connection, query.text, query.parameters)
    assert sorted_rows(gated.execute(query)) == sorted_rows(bare)
    assert len(sorted_rows(bare)) > 0
    assert gated.refused == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("MATCH (g:Goat) RETURN g.colour AS colour", "SCH3"),
        ("MATCH (s:Sheep) RETURN s.name AS name", "SCH1"),
        ("MATCH (g:Goat) WITH g.name AS name RETURN name, g.weight", "SEM1"),
        ("MATCH (g:Goat) SET g.weight = 1 RETURN g", "SYN1"),
    ],
)
def test_what_the_gate_refuses_is_counted_and_has_no_rows(gated: Gated, text: str, code: str) -> None:
    assert gated.execute(written(text)) is None
    assert gated.has_rows(written(text), timeout=5.0) is None
    assert gated.rows(written(text), most=3, timeout=5.0) is None
    assert gated.refused == [code] * 3
    record = Recorder()
    report_refused(record, gated.refused)
    (figure,) = record.figures
    assert (figure.figure, figure.value, figure.met) == ("refused_by_gate", 3.0, "no")
    assert figure.note.endswith(f": {code} 3")


def test_what_the_plan_shows_is_refused_too(gated: Gated, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cypher.guard.MAX_ESTIMATED_ROWS", 0.5)
    assert gated.execute(written("MATCH (g:Goat) RETURN g.name AS name")) is None
    assert gated.refused == ["PLAN"]


def test_a_look_without_time_is_no_refusal(gated: Gated) -> None:
    assert gated.has_rows(written("MATCH (g:Goat) RETURN g"), timeout=0.0) is None
    assert gated.refused == []


def test_looks_give_the_first_rows(gated: Gated) -> None:
    tags = written("MATCH (t:Tag) RETURN t.number AS number ORDER BY number")
    assert gated.rows(tags, most=2, timeout=5.0) == ((1,), (2,))
    assert gated.has_rows(tags, timeout=5.0) is True
    assert gated.has_rows(written("MATCH (t:Tag {number: 0}) RETURN t"), timeout=5.0) is False


@pytest.mark.shared
@compares
@pytest.mark.parametrize(
    ("question", "gold", "told"),
    [
        (
            "Which goats are kept by Bo?",
            "MATCH (:Keeper {name: 'Bo'})-->(g) RETURN g.name",
            Served(True, True, True),
        ),
        (
            "Which goats are kept by Bo?",
            "MATCH (:Keeper {name: 'Bo'})-->(g) RETURN g",
            Served(True, False, True),
        ),
        ("Which goats are kept by Bo?", "MATCH (g:Goat {name: 'Rex'}) RETURN g.name", Served(answered=True)),
        ("List all tags", "MATCH (t:Tag) RETURN t.number", Served(answered=True)),
        ("Which goats did Bo sell to a museum?", "MATCH (g:Goat) RETURN g.name", Served(answered=False)),
    ],
    ids=["right", "nodes by name", "wrong", "more than are shown", "not answered"],
)
def test_questions_through_the_whole_service(
    connection: Connection, question: str, gold: str, told: Served
) -> None:
    schema = infer_schema(connection)
    service = Service(connection, schema, read_values(connection, schema), None)
    rows = execute(connection, gold)
    assert rows is not None
    assert service.served(question, gold, rows) == told


def test_served_figures_are_of_all_asked_and_of_those_answered() -> None:
    served = [Served(True, True, True), Served(True, False, True), Served(True), Served(answered=False)]
    own = (True, True, True, True, 0.9, 1.0)
    pairs = [Pair("movies", f"question {n}", ("RETURN 1",)) for n in range(len(served))]
    scored = [
        Scored(pair, *own, Label("right", ""), served=one) for pair, one in zip(pairs, served, strict=True)
    ]
    scored.append(Scored(Pair("movies", "not checked", ("RETURN 1",)), True, True, True, False, 0.9, 1.0))
    record = Recorder()
    report_through(record, scored)
    found = {f.figure: f.value for f in record.figures}
    for name in ("agreed", "checked"):
        assert found[f"served_coverage_{name}"] == 75.0
        assert found[f"served_exact_{name}"] == 25.0
        assert found[f"served_exact_precision_{name}"] == pytest.approx(33.3333)
        assert found[f"served_columns_{name}"] == 50.0
        assert found[f"served_columns_precision_{name}"] == pytest.approx(66.6667)
