"""The statements behind the rows of a model's query: those matched for each, else those that name it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from cypher.generation.citing import Cited, Citing
from cypher.generation.guard_gate import GuardGate
from cypher.generation.reply import Written
from cypher.own_store import fact_store
from schemas.errors import QueryFailedError
from schemas.graph_schema import GraphSchema
from schemas.ids import DocumentKey
from schemas.questions import CheckedQuery, GraphEdge, Question, StatementDetail, Subgraph

QUERY = (
    "MATCH (p:Paper)-[r:DETERMINES]->(o:Observable)-[m:MEASURED_WITH]->(d:Decay) WHERE r.limit IS NULL "
    "RETURN d.name AS decay, r.value AS value ORDER BY r.value DESC"
)
ENDS = {
    "s1": ("P1", "BR(x)"),
    "s2": ("BR(x)", "x -> a b"),
    "s3": ("P2", "BR(y)"),
    "s4": ("BR(y)", "y -> a b"),
}
ROWS = (("x -> a b", 0.5), ("y -> a b", 0.1))
QUESTION = Question(text="Which decay has the largest branching fraction?")


class Statements:
    """Two papers, two observables, two decays."""

    def statements(self, ids: Sequence[str]) -> tuple[StatementDetail, ...]:
        return tuple(
            StatementDetail(
                id=i,
                type="determines",
                start_id=ENDS[i][0],
                start_name=ENDS[i][0],
                start_type="paper",
                end_id=ENDS[i][1],
                end_name=ENDS[i][1],
                end_type="observable",
                document=DocumentKey("1"),
            )
            for i in ids
        )


class Matches:
    """What the patterns matched, a row of ids each."""

    def __init__(self, *rows: tuple[str, ...], error: Exception | None = None) -> None:
        self.asked: list[CheckedQuery] = []
        self._rows, self._error = rows, error

    def __call__(self, query: CheckedQuery) -> Subgraph:
        self.asked.append(query)
        if self._error is not None:
            raise self._error
        at = query.columns.index("edge_ids")
        rows = [tuple(ids if i == at else () for i in range(len(query.columns))) for ids in self._rows]
        return Subgraph(columns=query.columns, rows=tuple(rows))


def cited(
    schema: GraphSchema,
    run: Matches,
    *,
    rows: tuple[tuple[str, float], ...] = ROWS,
    returned: tuple[str, ...] = (),
) -> Cited:
    edges = tuple(GraphEdge(id=i, type="determines", start="a", end="b", document="1") for i in returned)
    result = Subgraph(columns=("decay", "value"), rows=rows, edges=edges)
    citing = Citing(GuardGate(lambda: fact_store(schema)), run, Statements())
    return citing.cited(QUESTION, Written(True, QUERY, {}), result, rows)


def test_each_row_cites_what_it_matched(particle_schema: GraphSchema) -> None:
    run = Matches(("s1", "s2"), ("s3", "s4"))
    found = cited(particle_schema, run)
    assert [str(c.statement) for c in found.citations] == ["s1", "s2", "s3", "s4"]
    assert found.behind == ((1, 2), (3, 4))
    assert "ORDER BY" in run.asked[0].text
    assert run.asked[0]._by_guard


def test_rows_that_changed_places_cite_what_names_them(particle_schema: GraphSchema) -> None:
    found = cited(particle_schema, Matches(("s3", "s4"), ("s1", "s2")))
    assert found.behind == ((4,), (2,))
    assert [str(c.statement) for c in found.citations] == ["s3", "s4", "s1", "s2"]


def test_rows_of_groups_cite_what_names_them(particle_schema: GraphSchema) -> None:
    found = cited(particle_schema, Matches(("s1", "s2"), ("s1", "s2"), ("s3", "s4")))
    assert found.behind == ((2,), (4,))


def test_what_is_returned_needs_no_second_look(particle_schema: GraphSchema) -> None:
    run = Matches(("s1",))
    found = cited(particle_schema, run, returned=("s2",))
    assert (found.behind, run.asked) == (((1,), ()), [])


@pytest.mark.parametrize("run", [Matches(), Matches(error=QueryFailedError("no"))])
def test_an_answer_without_statements_is_one_still(particle_schema: GraphSchema, run: Matches) -> None:
    found = cited(particle_schema, run)
    assert (found.citations, found.behind) == ((), ((), ()))
