"""Random queries through the gate and to a real Neo4j: whatever the gate accepts, the server plans as a read.

Each is asked in a scope that is drawn, of nodes and relationships with a status and beside hidden ones.

Beside it, on every query: its printed tree reads back as the same tree, and a write clause put in at a random
place is refused; on every tenth: its own text and its printed text have the same operator tree.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import neo4j

from benchmarks.harbour import GIVEN, HIDDEN, LABELS, PUBLIC, SECRET, STEPS, embed, harbour_schema
from benchmarks.random_grammar import GrammarQueries
from cypher.gate.similarity import Inputs
from cypher.guard import check_plan, report_on
from cypher.syntax.parse import parse
from cypher.syntax.tokens import tokenise
from cypher.syntax.write import write
from schemas.errors import QueryRefusedError
from schemas.questions import CheckedQuery, GateReport, PlanSummary, Scope

WRITES: Final = (
    *("CREATE (:Port)", "MERGE (w:Port)", "SET w.name = 1", "DELETE w", "DETACH DELETE w", "REMOVE w.name"),
    *("INSERT (:Port)", "FOREACH (i IN [1] | CREATE (:Port))", "LOAD CSV FROM 'file:///x' AS line"),
    *("CALL apoc.load.json('http://127.0.0.1/')", "DROP INDEX ports", "; MATCH (n) DELETE n", "USE neo4j"),
    *("CALL { CREATE (:Port) } IN TRANSACTIONS", "SHOW INDEXES", "CYPHER runtime=parallel"),
)
SCOPES: Final = tuple(Scope)
"""Of these one is drawn for each query."""
NEIGHBOURS: Final = (0, 0, 0, 5)
"""Nodes of the vector index with which a query that compares with a text may begin; 0: it does not."""
EVERY: Final = 10
"""Of so many queries one is compared with its printed text on the server."""


_STATUS: Final = " SET {}.status = ['draft', 'vetted', 'published'][i % 3]"


@dataclass(slots=True)
class Found:
    """What a comparison found; each fault with the query and what was wrong."""

    drawn: int = 0
    accepted: int = 0
    compared: int = 0
    scopes: Counter[Scope] = field(default_factory=Counter)
    """Accepted queries of each scope."""
    likened: int = 0
    """Accepted queries that compare a node with a text."""
    faults: list[tuple[str, str, str]] = field(default_factory=list)
    """Kind of fault, text, message."""


def fill_database(session: neo4j.Session) -> None:
    """A small harbour: nodes of all labels, relationships of all types, and both kinds of indexes."""
    for name in LABELS:
        session.run(
            f"UNWIND range(1, 12) AS i CREATE (n:`{name}` {{name: '{name} ' + i, berths: i, tons: i * 1.5, "
            "open: i % 2 = 0, built: date({year: 1990 + i}), flags: ['a', 'b'], depths: [i, 2],"
            f" vector: [i * 1.0, 1.0, 0.5], {SECRET}: i, place: point({{x: i * 1.0, y: 0.0}})}})"
            f"{_STATUS.format('n') if name not in PUBLIC else ''}"
        ).consume()
    session.run(
        f"MATCH (a:Port) CREATE (a)<-[:MOORED_AT {{hours: 1}}]-(:{HIDDEN} {{name: a.name, {SECRET}: 1}})"
    ).consume()
    for start, kind, end in STEPS:
        session.run(
            f"MATCH (a:`{start}`), (b:`{end}`) WHERE (a.berths * 7 + b.berths) % 5 = 1 "
            "WITH a, b, a.berths AS i "
            f"CREATE (a)-[n:{kind} {{hours: a.berths, {SECRET}: 1}}]->(b)"
            f"{_STATUS.format('n') if kind not in PUBLIC else ''}"
        ).consume()
    for statement in (
        "CREATE VECTOR INDEX ports IF NOT EXISTS FOR (n:Port) ON (n.vector) "
        "OPTIONS {indexConfig: {`vector.dimensions`: 3, `vector.similarity_function`: 'cosine'}}",
        "CREATE FULLTEXT INDEX words IF NOT EXISTS FOR (n:Port|Ship) ON EACH [n.name]",
        "CREATE INDEX berths IF NOT EXISTS FOR (n:Port) ON (n.berths)",
        "CREATE CONSTRAINT names IF NOT EXISTS FOR (n:Ship) REQUIRE n.name IS UNIQUE",
    ):
        session.run(statement).consume()
    session.run("CALL db.awaitIndexes(60)").consume()


def drop_indexes(session: neo4j.Session) -> None:
    """Takes the indexes of ``fill_database`` away."""
    for statement in ("INDEX ports", "INDEX words", "INDEX berths", "CONSTRAINT names"):
        session.run(f"DROP {statement} IF EXISTS").consume()


def compare(session: neo4j.Session, *, seed: int, accepted: int) -> Iterator[Found]:
    """Compares until ``accepted`` queries passed the gate; yields what is known after each of them."""
    source, found = GrammarQueries(seed), Found()
    rng = random.Random(seed + 1)
    while found.accepted < accepted:
        text, scope, neighbours = source.query(), rng.choice(SCOPES), rng.choice(NEIGHBOURS)
        found.drawn += 1
        try:
            tree = parse(text)
        except QueryRefusedError:
            continue
        found.faults += _local_faults(text, write(tree), rng)
        report = gate_report(text, scope, neighbours=neighbours)
        if report.query is None:
            continue
        found.accepted += 1
        found.scopes[scope] += 1
        found.likened += "similarity(" in text
        wrong = refused_by_server(session, report.query)
        if wrong:
            found.faults.append(("server", f"{scope.value}, {neighbours}: {text}", wrong))
        elif found.accepted % EVERY == 0 and not report.repairs:
            found.compared += 1
            found.faults += _other_plan(session, text, write(tree))
        yield found


def gate_report(text: str, scope: Scope = Scope.ALL, *, neighbours: int = 0) -> GateReport:
    """What the gate says of a query over the harbour."""
    inputs = Inputs(GIVEN, embed, neighbours=neighbours)
    return report_on(text, harbour_schema(), scope=scope, parameters=inputs)


def _local_faults(text: str, printed: str, rng: random.Random) -> Iterator[tuple[str, str, str]]:
    try:
        again = parse(printed)
    except QueryRefusedError as e:
        yield "print", text, f"{e}; {printed}"
    else:
        if again != parse(text) or write(again) != printed:
            yield "print", text, printed
    at = rng.choice(tokenise(text).raw).start
    with_write = f"{text[:at]} {rng.choice(WRITES)} {text[at:]}"
    if report_on_text(with_write) is not None:
        yield "write", text, with_write


def report_on_text(text: str) -> CheckedQuery | None:
    """What the gate lets through of a text, if anything."""
    try:
        return gate_report(text).query
    except QueryRefusedError:
        return None


def refused_by_server(session: neo4j.Session, query: CheckedQuery) -> str:
    """Why the server (or the check of its plan) does not take a query as a read; empty if it does."""
    given = {k: list(v) if isinstance(v, tuple) else v for k, v in query.parameters.items()}
    try:
        summary = session.run("EXPLAIN " + query.text, given).consume()
    except neo4j.exceptions.Neo4jError as e:
        return f"{e.message}"
    plan = PlanSummary(
        query_type=summary.query_type or "",
        operators=tuple(_operators(summary.plan or {})),
        procedures=tuple(_procedures(summary.plan or {})),
        estimated_rows=0.0,
    )
    try:
        check_plan(plan)
    except QueryRefusedError as e:
        return str(e)
    return ""


def _operators(plan: dict[str, Any]) -> Iterable[str]:
    return (str(step["operatorType"]).split("@")[0] for step in _steps(plan))


def _procedures(plan: dict[str, Any]) -> Iterable[str]:
    """Names of the procedures that a plan calls, by what it says of each call."""
    for step in _steps(plan):
        if str(step["operatorType"]).startswith("ProcedureCall"):
            yield str(step.get("args", {}).get("Details", "")).split("(", 1)[0].strip()


def _steps(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    stack = [plan]
    while stack:
        step = stack.pop()
        yield step
        stack.extend(step.get("children", ()))


def _other_plan(session: neo4j.Session, text: str, printed: str) -> Iterator[tuple[str, str, str]]:
    plans: list[tuple[Any, ...]] = []
    for each in (text, printed):
        try:
            summary = session.run("EXPLAIN " + each, _values()).consume()
        except neo4j.exceptions.Neo4jError as e:
            if plans:
                yield "plan", text, f"{e.message}"
            return
        plans.append(_shape(summary.plan or {}))
    if plans[0] != plans[1]:
        yield "plan", text, printed


def _values() -> dict[str, Any]:
    return {k: list(v) if isinstance(v, tuple) else v for k, v in GIVEN.items()}


def _shape(plan: dict[str, Any]) -> tuple[Any, ...]:
    return str(plan.get("operatorType", "")), *(_shape(c) for c in plan.get("children", ()))
