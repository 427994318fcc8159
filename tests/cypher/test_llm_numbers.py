"""Numbers of a question in a model's query: in digits or in words, none left out and none made up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cypher.generation.grounding import Grounded, ground
from cypher.generation.helper import LlmHelper
from cypher.generation.numbers import Said
from cypher.generation.ports import Hints
from cypher.generation.reply import Written
from cypher.generation.terms import Terms
from schemas.graph_schema import GraphSchema
from schemas.questions import Answer, CheckedQuery, Outcome, Question, Subgraph
from tests.cypher.test_llm_bounds import made  # noqa: F401
from tests.cypher.test_llm_queries import Model, Rows, reply

MATCH = "MATCH (p:Paper)-[r:DETERMINES]->(o:Observable) "
COUNTED = MATCH + "WITH p, count(DISTINCT o) AS c WHERE c {} RETURN p.name AS paper"
NAMED = MATCH + "WHERE o.name IN $names WITH p, count(DISTINCT o) AS c WHERE c = {} RETURN p.name AS paper"


def grounded(schema: GraphSchema, question: str, query: str, **parameters: Any) -> Grounded:
    written = Written(True, query, parameters, "", ())
    return ground(question, written, terms=Terms.of(schema), hints=Hints())


@pytest.mark.parametrize(
    ("said", "condition", "honoured"),
    [
        ("more than three", "> 3", True),
        ("more than three", ">= 4", True),
        ("more than three", ">= 3", False),
        ("more than three", "= 3", False),
        ("more than three", "> 5", False),
        ("more than three", "> 4", False),
        ("more than 3", "> 3", True),
        ("more than 3", ">= 4", True),
        ("more than 3", "> 0.3", False),
        ("more than 3", "> 5", False),
        ("more than 0.5", "> 5", False),
        ("at least eleven", ">= 11", True),
        ("at least eleven", "> 10", True),
        ("at least eleven", ">= 10", False),
        ("at least eleven", "> 11", False),
        ("fewer than twelve", "< 12", True),
        ("fewer than twelve", "<= 11", True),
        ("fewer than twelve", "< 11", False),
        ("fewer than twelve", "<= 12", False),
        ("over three", "> 3", True),
        ("over three", ">= 3", False),
        ("up to three", "<= 3", True),
        ("up to three", "< 3", False),
        ("no more than three", "<= 3", True),
        ("no more than three", "> 3", False),
        ("three or fewer", "<= 3", True),
        ("three or more", "> 3", False),
        ("exactly three", "= 3", True),
        ("exactly three", "<> 3", False),
        ("only one", "<= 1", True),
        ("at most two", "<= 2", True),
        ("at most two", "< 3", True),
        ("at most two", "< 2", False),
        ("at most two", "<= 3", False),
        ("more than a dozen", "> 12", True),
        ("more than a dozen", "> 10", False),
        ("more than half a dozen", "> 6", True),
        ("more than half a dozen", "> 12", False),
        ("more than twenty five", "> 25", True),
        ("more than twenty-five", "> 25", True),
        ("more than twenty-five", "> 20", False),
        ("more than two hundred", "> 200", True),
        ("more than two hundred", "> 2", False),
        ("more than one", "> 1", True),
        ("more than one", ">= 2", True),
        ("more than one", "> 2", False),
        ("at least one", "> 0", True),
        ("at least one", ">= 1", True),
        ("at least one", ">= 2", False),
        ("at least one", "> 1", False),
    ],
)
def test_a_bound_is_the_one_that_is_said(
    said: str, condition: str, honoured: bool, particle_schema: GraphSchema
) -> None:
    question = f"Which papers determine {said} observables?"
    for query, given in (
        (COUNTED.format(condition), {}),
        (COUNTED.format(f"{condition.split(maxsplit=1)[0]} $n"), {"n": float(condition.split()[1])}),
    ):
        found = grounded(particle_schema, question, query, **given)
        assert found.faithful is honoured, (found.left, found.made_up)


@pytest.mark.parametrize(
    ("question", "query", "honoured"),
    [
        ("Which papers determine phi_s?", "WHERE o.name = 'phi_s' AND r.value > 2 RETURN p.name", False),
        ("Which papers determine phi_s?", "WHERE o.name = 'phi_s' AND p.year > 100 RETURN p.name", False),
        ("Which papers determine phi_s?", "WHERE o.name = 'phi_s' RETURN p.name SKIP 3", False),
        ("Which papers determine phi_s?", "WHERE o.name = 'phi_s' RETURN p.name LIMIT 26", True),
        ("Which papers determine phi_s?", "WITH p, o LIMIT 5 WHERE o.name = 'phi_s' RETURN p.name", False),
        (
            "How many papers determine phi_s?",
            "WHERE o.name = 'phi_s' WITH p LIMIT 99 RETURN count(p) AS n",
            False,
        ),
        (
            "Which papers determine any observables?",
            "WITH p, count(o) AS c WHERE c > 0 RETURN p.name",
            True,
        ),
        ("Which papers determine observables?", "WITH p, count(o) AS c WHERE c > 1 RETURN p.name", False),
        (
            "Which papers determine observables, the same in common?",
            "WITH p, count(o) AS c WHERE c > 1 RETURN p.name",
            True,
        ),
        ("the average error of papers", "RETURN avg((r.stat_plus + r.stat_minus) / 2) AS mean", True),
        ("the average error of papers", "RETURN avg((r.stat_plus + r.stat_minus) / 3) AS mean", False),
        ("the average value of papers", "RETURN avg(r.value / 60) AS mean", True),
        ("the average value of papers", "RETURN avg(r.value / 61) AS mean", False),
        ("values of papers", "WHERE r.value = 1 RETURN p.name, r.value", True),
        ("values of papers", "WHERE r.value = 4 RETURN p.name, r.value", False),
        ("values of papers", "WHERE r.value > 2 * r.stat_plus RETURN p.name, r.value", False),
        ("the latest papers", "WITH p ORDER BY p.year DESC RETURN collect(p.name)[0] AS paper", True),
        ("the latest papers", "WITH p ORDER BY p.year DESC RETURN collect(p.name)[4] AS paper", False),
        ("the latest three papers", "WITH p ORDER BY p.year DESC RETURN collect(p.name)[..3] AS x", True),
        ("the latest three papers", "WITH p ORDER BY p.year DESC RETURN collect(p.name)[..4] AS x", False),
        ("the latest three papers", "RETURN p.name ORDER BY p.year DESC LIMIT 3", True),
        ("the latest three papers", "RETURN p.name ORDER BY p.year DESC LIMIT 4", False),
        (
            "the latest papers",
            "RETURN p.name, collect(r.id)[..20] AS statement_ids ORDER BY p.year DESC",
            True,
        ),
    ],
)
def test_no_small_number_is_made_up(
    question: str, query: str, honoured: bool, particle_schema: GraphSchema
) -> None:
    found = grounded(particle_schema, question, MATCH + query)
    assert found.faithful is honoured, (found.left, found.made_up)


@pytest.mark.parametrize(
    ("said", "condition", "honoured"),
    [
        ("after 2015", "p.year > 2015", True),
        ("after 2015", "p.year >= 2016", True),
        ("after 2015", "2015 < p.year", True),
        ("after 2015", "NOT p.year <= 2015", True),
        ("after 2015", "NOT p.year < 2015", False),
        ("after 2015", "p.year >= 2015", False),
        ("since 2015", "p.year >= 2015", True),
        ("since 2015", "p.year > 2014", True),
        ("since 2015", "p.date >= date({year: 2015, month: 1, day: 1})", True),
        ("since 2015", "p.year > 2015", False),
        ("before 2015", "p.year < 2015", True),
        ("before 2015", "p.year <= 2014", True),
        ("before 2015", "p.year <= 2015", False),
        ("not before 2015", "NOT p.year < 2015", True),
        ("not before 2015", "p.year >= 2015", True),
        ("not before 2015", "p.year > 2015", False),
        ("with a value above 5", "r.value > 5", True),
        ("with a value above 5", "r.value >= 5", False),
        ("with a value above 5", "r.value >= 6", False),
        ("with a value below 5", "r.value < 5", True),
        ("with a value below 5", "r.value <= 4", False),
        ("with no value above 5", "NOT EXISTS { MATCH (p)-[s:DETERMINES]->(o) WHERE s.value > 5 }", True),
        ("with no value above 5", "NOT EXISTS { MATCH (p)-[s:DETERMINES]->(o) WHERE s.value >= 5 }", False),
        ("with no value above 5", "all(x IN [r.value] WHERE NOT x > 5)", True),
        ("of 2015", "p.year = 2015", True),
    ],
)
def test_a_bound_of_a_year_or_a_value_is_the_one_that_is_said(
    said: str, condition: str, honoured: bool, particle_schema: GraphSchema
) -> None:
    query = f"{MATCH}WHERE o.name = 'phi_s' AND {condition} RETURN p.name"
    found = grounded(particle_schema, f"Which papers {said} determine phi_s?", query)
    assert (not {"2015", "5"} & {*found.left, *found.made_up}) is honoured, (found.left, found.made_up)


def test_a_list_of_as_many_bounds_nothing(particle_schema: GraphSchema) -> None:
    asked = "Which papers determine more than two of phi_s and R_K?"
    query = MATCH + "WHERE o.name IN $names RETURN p.name"
    found = grounded(particle_schema, asked, query, names=("phi_s", "R_K"))
    assert "more" in found.left


def test_the_model_is_told_which_comparison_a_bound_asks_for(particle_schema: GraphSchema) -> None:
    asked = "Which papers determine more than three observables?"
    found = grounded(particle_schema, asked, COUNTED.format(">= 3"))
    assert "'three': compare with > 3" in found.finding().message


@pytest.mark.parametrize(
    ("condition", "honoured"),
    [
        ("c > 3 AND p.year = 2015", True),
        ("c > 2015 AND p.year = 3", False),
        ("c > 2015 AND p.year > 3", False),
        ("c = 2015 AND p.year > 3", False),
    ],
)
def test_a_year_is_no_number_of_things(condition: str, honoured: bool, particle_schema: GraphSchema) -> None:
    asked = "Which papers determine more than 3 observables in 2015?"
    found = grounded(particle_schema, asked, COUNTED.replace("c {}", condition))
    assert ("2015" not in found.left) is honoured, (found.left, found.made_up)


LATEST = "WITH p ORDER BY p.year DESC LIMIT 1 "


@pytest.mark.parametrize(
    ("question", "query", "honoured"),
    [
        ("Which papers determine observables?", "WITH p LIMIT 1 RETURN p.name", False),
        ("Which papers determine observables?", "RETURN collect(p.name)[..1] AS papers", False),
        ("Which papers determine observables?", "RETURN collect(p.name)[0] AS paper", False),
        ("Which papers determine observables?", "RETURN head(collect(p.name)) AS paper", False),
        ("Which papers determine observables?", "WITH p, collect(r.id)[0] AS i RETURN p.name", True),
        ("Which papers determine observables?", "RETURN p.name, labels(o)[0] AS kind", True),
        (
            "Which papers determine observables?",
            "WHERE EXISTS { MATCH (p)-[:DETERMINES]->(x) RETURN x LIMIT 1 } RETURN p.name",
            True,
        ),
        ("How many papers determine observables?", "WITH p LIMIT 1 RETURN count(p) AS n", False),
        ("How many papers determine observables, the latest?", f"{LATEST}RETURN count(p) AS n", False),
        ("How many papers determine observables, the latest?", f"{LATEST}RETURN count(*) AS n", False),
        (
            "How many observables does the latest of the papers determine?",
            f"{LATEST}MATCH (p)-[:DETERMINES]->(x) RETURN count(x) AS n",
            True,
        ),
        (
            "How many papers are latest?",
            "RETURN size(collect(p.name)[..1]) AS n ORDER BY p.year DESC",
            False,
        ),
        (
            "Which observables does the latest of the papers determine?",
            f"{LATEST}MATCH (p)-[:DETERMINES]->(x) RETURN x.name",
            True,
        ),
        ("Does a paper determine observables?", "WITH p LIMIT 1 RETURN count(p) > 0 AS known", True),
        ("Which observables does the cheapest paper determine?", f"{LATEST}RETURN o.name", True),
        ("Which papers of interest determine at most two?", "WITH p LIMIT 1 RETURN p.name", False),
        ("Name a paper that determines observables", "WITH p LIMIT 1 RETURN p.name", True),
    ],
)
def test_one_of_several_is_taken_only_where_it_is_asked_for(
    question: str, query: str, honoured: bool, particle_schema: GraphSchema
) -> None:
    found = grounded(particle_schema, question, MATCH + query)
    assert (not {"0", "1"} & set(found.made_up)) is honoured, (found.left, found.made_up)


def test_a_text_that_splits_is_no_value(particle_schema: GraphSchema) -> None:
    found = grounded(particle_schema, "the papers", MATCH + "RETURN split(p.name, ' ')[1] AS part")
    assert not any(v.isdigit() for v in found.made_up)


@pytest.mark.parametrize(("number", "honoured"), [(2, True), (1, False), (3, False)])
def test_as_many_as_are_named_may_be_wanted(
    number: int, honoured: bool, particle_schema: GraphSchema
) -> None:
    found = grounded(
        particle_schema,
        "Which papers determine both phi_s and R_K?",
        NAMED.format(number),
        names=("phi_s", "R_K"),
    )
    assert found.faithful is honoured, (found.left, found.made_up)


def test_numbers_of_words_are_read_with_their_bounds() -> None:
    def numbers(text: str) -> set[tuple[float, str]]:
        return {(s.value, s.bound) for s in Said.of(text.split()).numbers.values() if s.needed}

    assert numbers("measured twice by no more than four papers") == {(2, ""), (4, "<=")}
    assert numbers("ten or more of 1,200") == {(10, ">="), (1200, "")}
    assert numbers("which one of them") == set()
    assert numbers("above 90%") == {(90, ">")}
    assert numbers("B15 and J/psi(1S) and phi_s") == set()


class Counting(Rows):
    """Papers by how many observables are asked for."""

    def __call__(self, query: CheckedQuery) -> Subgraph:
        least = next(v for v in query.parameters.values() if isinstance(v, int))
        return Subgraph(columns=query.columns, rows=tuple((f"P{n}",) for n in range(least, 9)))


@pytest.mark.parametrize(
    ("number", "outcome"), [(3, Outcome.ANSWERED), (5, Outcome.UNANSWERABLE), (2, Outcome.UNANSWERABLE)]
)
def test_samples_that_agree_on_another_number_are_no_answer(
    made: Callable[..., LlmHelper],  # noqa: F811
    number: int,
    outcome: Outcome,
) -> None:
    asked = "Which papers determine more than three observables?"
    query = reply(COUNTED.format(f"> {number}"), parameters=[])
    before = Answer(outcome=Outcome.UNANSWERABLE, question=asked, text="no")
    chat = Model(lambda _s, _r: query)
    assert made(chat, Counting()).help(Question(text=asked), before).outcome is outcome
    if outcome is Outcome.UNANSWERABLE:
        assert "does not name these values of the query" in chat.asked[-1].messages[-1].content


@pytest.mark.parametrize(
    ("asked", "limit", "outcome"),
    [
        ("Which papers determine observables?", 2, Outcome.UNANSWERABLE),
        ("Which papers determine observables?", 1, Outcome.UNANSWERABLE),
        ("Which papers determine observables?", 9, Outcome.ANSWERED),
        ("Which two papers determine observables?", 2, Outcome.ANSWERED),
        ("Give me a paper that determines observables", 1, Outcome.ANSWERED),
        ("If there are any: which papers determine more than one?", 1, Outcome.UNANSWERABLE),
    ],
)
def test_a_limit_that_nobody_asked_for_may_cut_nothing_off(
    made: Callable[..., LlmHelper],  # noqa: F811
    asked: str,
    limit: int,
    outcome: Outcome,
) -> None:
    def run(query: CheckedQuery) -> Subgraph:
        return Subgraph(columns=query.columns, rows=(("A",), ("B",), ("C",))[:limit])

    chat = Model(lambda _s, _r: reply(f"{MATCH}RETURN p.name AS paper LIMIT {limit}", parameters=[]))
    before = Answer(outcome=Outcome.UNANSWERABLE, question=asked, text="no")
    assert made(chat, run).help(Question(text=asked), before).outcome is outcome
