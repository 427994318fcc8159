"""The statements behind the rows of a model's query: those matched for each, else those that name it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from cypher.cited import MAX_CITATIONS
from cypher.generation.citing import Cited, Citing
from cypher.generation.from_rows import answer_of
from cypher.generation.guard_gate import GuardGate
from cypher.generation.ports import Limits
from cypher.generation.reply import Written
from cypher.own_store import fact_store
from schemas.errors import QueryFailedError, QueryTimeoutError, StoreUnavailableError
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


STATEMENTS = Statements()


class Any(Statements):
    """Whatever is asked for."""

    def statements(self, ids: Sequence[str]) -> tuple[StatementDetail, ...]:
        (one,) = super().statements(["s1"])
        return tuple(one.model_copy(update={"id": i}) for i in ids)


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
    statements: Statements = STATEMENTS,
) -> Cited:
    edges = tuple(GraphEdge(id=i, type="determines", start="a", end="b", document="1") for i in returned)
    result = Subgraph(columns=("decay", "value"), rows=rows, edges=edges)
    citing = Citing(GuardGate(lambda: fact_store(schema)), run, statements)
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


class Away(Statements):
    """A store that is gone when the statements are read."""

    def statements(self, ids: Sequence[str]) -> tuple[StatementDetail, ...]:  # noqa: ARG002
        raise StoreUnavailableError("gone")


UNREAD = "No source is cited: the statements behind these rows could not be looked up"


@pytest.mark.parametrize(
    ("run", "statements", "note"),
    [
        (Matches(), Statements(), "No source is cited: the query matches no statement of a document."),
        (Matches(error=QueryFailedError("no")), Statements(), f"{UNREAD}."),
        (Matches(error=QueryTimeoutError("late")), Statements(), f"{UNREAD} in time."),
        (Matches(("s1",), ("s3",)), Away(), f"{UNREAD}."),
    ],
)
def test_an_answer_without_statements_says_why(
    particle_schema: GraphSchema, run: Matches, statements: Statements, note: str
) -> None:
    found = cited(particle_schema, run, statements=statements)
    assert (found.citations, found.behind, found.note) == ((), ((), ()), note)


def test_an_answer_without_rows_has_nothing_to_cite(particle_schema: GraphSchema) -> None:
    assert cited(particle_schema, Matches(), rows=()) == Cited()


def test_what_the_gate_finds_in_the_second_look_is_no_silent_loss(particle_schema: GraphSchema) -> None:
    citing = Citing(GuardGate(lambda: fact_store(particle_schema)), Matches(), Statements())
    result = Subgraph(columns=("decay", "value"), rows=ROWS)
    refused = Written(True, "MATCH (n:Nothing) RETURN n.name", {})
    assert citing.cited(QUESTION, refused, result, ROWS).note == f"{UNREAD}."


def test_more_statements_than_are_cited_are_told(particle_schema: GraphSchema) -> None:
    many = tuple(f"x{n}" for n in range(MAX_CITATIONS + 20))
    found = cited(particle_schema, Matches(many, ("s3",)), statements=Any())
    assert len(found.citations) == MAX_CITATIONS
    assert found.note == f"Cited are 100 of the {MAX_CITATIONS + 21} statements behind these rows."


def test_the_note_stands_in_the_answer(particle_schema: GraphSchema) -> None:
    gate = GuardGate(lambda: fact_store(particle_schema))
    query = gate.check(QUERY, {}, scope=QUESTION.scope, limits=Limits(5, 2.0))
    assert isinstance(query, CheckedQuery)
    result = Subgraph(columns=("decay", "value"), rows=ROWS)
    found = Cited(behind=((), ()), note=f"{UNREAD}.")
    assert answer_of("q", query, result, found).assumptions == (f"{UNREAD}.",)
    assert answer_of("q", query, result, Cited(behind=((), ()))).assumptions == ()
