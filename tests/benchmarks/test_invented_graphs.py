"""The invented graphs of the benchmark: whole files, and verdicts that say what they mean."""

from __future__ import annotations

import json

import pytest

from benchmarks.executed import Cells
from benchmarks.harness import DATA
from benchmarks.invented_graphs import GRAPHS, HOME, READ, WITHOUT_QUERIES, Asked, questions, verdict
from cypher.syntax.parse import parse
from schemas.questions import Answer, Outcome


@pytest.mark.parametrize("name", GRAPHS)
def test_a_graph_is_whole_and_its_golds_are_queries(name: str) -> None:
    rows = [json.loads(line) for line in (HOME / f"{name}_graph.jsonl").read_text("utf-8").splitlines()]
    nodes = {r["id"] for r in rows if "label" in r}
    edges = [r for r in rows if "type" in r]
    assert len(nodes) + len(edges) == len(rows)
    assert all(r["start"] in nodes and r["end"] in nodes for r in edges)
    asked = list(questions(name))
    queried = name not in WITHOUT_QUERIES
    wanted = 60 if name in {"museum", "railway", "fishing", "rescue"} else 90 if queried else 80
    assert len({a.id for a in asked}) == len(asked) == wanted
    assert all((a.rows is None) == (a.kind == "unanswerable") for a in asked)
    assert all((a.cypher != "") == (queried and a.rows is not None) for a in asked)
    for one in asked:
        if one.cypher:
            parse(one.cypher)


def test_errors_of_some_graphs_are_never_read() -> None:
    assert set(GRAPHS) > READ
    assert len(set(GRAPHS) - READ) >= 2


def _answer(outcome: Outcome, rows: tuple[tuple[str | int, ...], ...] = ()) -> Answer:
    columns = tuple(f"c{i}" for i in range(len(rows[0]))) if rows else ()
    return Answer(
        outcome=outcome, question="?", text="...", columns=columns, rows=rows, cypher="MATCH (n) RETURN n"
    )


@pytest.mark.shared
@pytest.mark.skipif(not DATA.exists(), reason="the comparison of rows is in the shared data")
def test_verdicts() -> None:
    told = Asked("x", "?", "MATCH", Cells((("Ann",), ("Bo",))), "list")
    untold = Asked("y", "?", "", None, "unanswerable")
    more = _answer(Outcome.ANSWERED, (("Bo", 1), ("Ann", 2)))
    assert verdict(told, more) == "right"
    assert verdict(told, _answer(Outcome.ANSWERED, (("Bo",),))) == "wrong"
    assert verdict(told, _answer(Outcome.EMPTY_BUT_VALID)) == "wrong"
    assert verdict(told, _answer(Outcome.AMBIGUOUS)) == "held back"
    assert verdict(untold, _answer(Outcome.UNANSWERABLE)) == "right"
    assert verdict(untold, more) == "wrong"
