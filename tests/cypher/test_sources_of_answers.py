"""Every answer names its documents by arXiv, INSPIRE or DOI number, or says why it names none."""

from __future__ import annotations

import pytest

from cypher.answer import row_citations
from cypher.cited import MAX_CITATIONS, MAX_STATEMENTS
from cypher.cited_share import NOTHING_CITED, NOTHING_FOUND, cited_share, counted
from cypher.sampled import FEW
from cypher.service import QuestionService
from cypher.table import Table
from schemas.ids import DocumentKey, StatementId
from schemas.questions import Answer, Citation, Outcome, Question
from tests.cypher.conftest import BoltRunner
from tests.cypher.test_questions_answered import CASES

SAMPLE = "The citations are a sample"
OF_THINGS = (
    ("How many papers are there?", 11),
    ("How many decays are there?", 6),
    ("How many decays have the parent B_s0?", 4),
    ("How many papers from 2015 or later are there?", 9),
    ("How many experiments are there?", 4),
    ("How many observables of kind branching fraction have a name?", 3),
    ("How many papers by year?", ""),
    ("How many papers by experiment since 2015?", f"{SAMPLE}: 1 of 3 rows counts more than it cites."),
    ("What is the average of the averages of the observables?", 1),
    ("Are there more papers from 2015 than from 2019?", ""),
    ("Does 1100005 determine phi_s?", 1),
)
"""Questions about numbers of things, most without a relation, and what is said of their sample."""
OF_VALUES = "How many experiments are there?"
SHAPES = {shape: text for text, shape, _ in CASES}


def has_sources(answer: Answer) -> bool:
    """Whether an answer has a number of a document, or says why it has none."""
    numbered = any(c.arxiv or c.inspire or c.doi for c in answer.citations)
    told = {NOTHING_CITED, NOTHING_FOUND} & {*answer.assumptions} or any(
        "no arXiv, INSPIRE" in a for a in answer.assumptions
    )
    return numbered or bool(told)


def ask(service: QuestionService, text: str) -> Answer:
    answer = service.ask(Question(text=text, timeout=60))
    assert answer.outcome is Outcome.ANSWERED, (text, answer.text)
    return answer


@pytest.mark.neo4j
def test_every_example_has_sources(service: QuestionService) -> None:
    assert [t for t in service.examples() if not has_sources(ask(service, t))] == []


@pytest.mark.neo4j
@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_has_sources(service: QuestionService, shape: str) -> None:
    assert has_sources(ask(service, SHAPES[shape]))


@pytest.mark.neo4j
@pytest.mark.parametrize(("text", "of"), OF_THINGS)
def test_numbers_of_things_cite_a_sample_and_say_so(
    service: QuestionService, text: str, of: int | str
) -> None:
    answer = ask(service, text)
    assert any(c.inspire or c.doi for c in answer.citations), answer.assumptions
    assert all(answer.row_citations), answer.row_citations
    shown = len(answer.citations)
    told = [a for a in answer.assumptions if "sample" in a]
    if isinstance(of, str):
        assert told == ([of] if of else [])
    else:
        assert told == ([f"{SAMPLE}: they show {shown} of {of}."] if of > shown else [])
    assert "[1]" in answer.text


@pytest.mark.neo4j
def test_what_is_cited_for_a_count_is_about_what_is_counted(service: QuestionService) -> None:
    answer = ask(service, "How many decays have the parent B_s0?")
    assert len(answer.citations) == FEW
    listed = {row[0] for row in ask(service, "Which decays have the parent B_s0?").rows}
    assert {n.name for n in answer.nodes if n.type == "decay"} <= listed
    by_year = ask(service, "How many papers by year?")
    for (year, _), behind in zip(by_year.rows, by_year.row_citations, strict=True):
        papers = {str(c.document) for c in by_year.citations if c.number in behind}
        years = {r[1] for p in papers for r in ask(service, f"What is the year of {p}?").rows}
        assert years == {year}


@pytest.mark.neo4j
@pytest.mark.parametrize(
    "text", ["How many papers are there?", "How many papers from 2015 or later are there?", OF_VALUES]
)
def test_the_first_things_that_have_a_statement_are_cited(
    service: QuestionService, bolt_runner: BoltRunner, text: str
) -> None:
    query = ask(service, text)
    with bolt_runner._driver.session(database=bolt_runner._database) as session:
        change = session.begin_transaction()
        bare = "MATCH (n:Paper) WHERE n.year >= 2015 WITH n LIMIT 3 MATCH (n)-[r]-() DELETE r"
        assert change.run(bare).consume().counters.relationships_deleted >= FEW
        found = change.run(query.cypher, dict(query.parameters)).single(strict=True)
        change.rollback()
    assert len(set(found["statement_ids"])) == FEW


@pytest.mark.neo4j
@pytest.mark.parametrize(
    "text",
    ["How many papers by year?", "How many papers are there for each year?", "How many papers are there?"],
)
def test_statements_are_looked_for_after_the_rows_are_cut(service: QuestionService, text: str) -> None:
    before, looked = ask(service, text).cypher.split("COLLECT {", 1)
    if "collect(" in before:
        cut = before[before.index("collect(") :]
        assert " LIMIT " in cut
        assert cut.index(" LIMIT ") < cut.index("RETURN")
    else:
        assert "LIMIT" in looked[: looked.index("COLLECT {")]


def _citation(number: int) -> Citation:
    return Citation(
        number=number, statement=StatementId(f"s{number}"), type="determines", document=DocumentKey("a.tex")
    )


def _table(*ids: int, counts: int = 0) -> Table:
    """Rows with so many statements each, none shared."""
    first, statements = 1, []
    for n in ids:
        statements.append(tuple(f"s{i}" for i in range(first, first + n)))
        first += n
    rows = tuple((counts,) if counts else (f"row {i}",) for i in range(len(ids)))
    return Table(("count" if counts else "paper",), rows, tuple(statements), (0,) * len(ids), False)


def test_every_row_keeps_a_citation_as_long_as_there_are_enough() -> None:
    table = _table(*[MAX_STATEMENTS] * 25)
    kept = table.all_statements
    assert len(kept) == MAX_CITATIONS
    cited = [_citation(int(i[1:])) for i in kept]
    assert [len(x) for x in row_citations(table, cited)] == [4] * 25
    said = f"An answer cites at most {MAX_CITATIONS} statements: 100 of the 500 that were found are shown."
    assert cited_share(table, cited) == (said,)


def test_rows_beyond_the_cap_are_told() -> None:
    table = _table(*[1] * 130)
    cited = [_citation(int(i[1:])) for i in table.all_statements]
    assert cited_share(table, cited)[1:] == ("30 of 130 rows have no citation.",)
    assert cited_share(_table(*[1] * 101), cited)[1:] == ("1 of 101 rows has no citation.",)
    assert cited_share(_table(*[1] * 100), cited) == ()


def test_of_a_count_the_share_is_told_and_else_the_cap() -> None:
    table = _table(3, counts=58)
    cited = [_citation(i) for i in range(1, 4)]
    assert cited_share(table, cited, of=counted(table)) == ("The citations are a sample: they show 3 of 58.",)
    assert cited_share(_table(3, counts=3), cited, of=3) == ()
    most = [_citation(i) for i in range(1, MAX_STATEMENTS + 1)]
    said = (f"Of each relation at most {MAX_STATEMENTS} statements are cited.",)
    assert cited_share(_table(MAX_STATEMENTS, counts=7), most, of=7) == said


def test_rows_that_count_the_same_things_are_not_added_up() -> None:
    one = [_citation(1)]
    shared = Table(("kind", "count"), (("a", 1), ("b", 1), ("c", 1)), (("s1",),) * 3, (0,) * 3, False)
    assert cited_share(shared, one, of=counted(shared)) == ()
    rows = (("a", 1), ("b", 4), ("c", 1))
    more = Table(("kind", "count"), rows, (("s1",),) * 3, (0,) * 3, False)
    said = "The citations are a sample: 1 of 3 rows counts more than it cites."
    assert cited_share(more, one, of=counted(more)) == (said,)
    compared = Table(("answer",), ((True,),), (("s1",),), (0,), False)
    least = "The citations are a sample: they show 1 of at least 2."
    assert cited_share(compared, one, of=2, at_least=True) == (least,)
    assert cited_share(compared, one, of=1, at_least=True) == ()


def test_an_answer_without_a_statement_says_so() -> None:
    assert cited_share(_table(0, counts=7), [], of=7) == (NOTHING_FOUND,)
    assert cited_share(_table(0), []) == (NOTHING_CITED,)
    assert cited_share(_table(), []) == ()
