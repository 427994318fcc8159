"""Metrics over rows and queries: what is the same, what is not, and how sure one may be of it."""

from __future__ import annotations

from pathlib import Path

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cypher.evaluation.benign import benign_cypher
from cypher.evaluation.evaluate import Bench, Passes, evaluate, report
from cypher.evaluation.fits import fit_of
from cypher.evaluation.gold import GoldRows
from cypher.evaluation.queries import jaccard, names_in, structure
from cypher.evaluation.rows import rows_equal
from cypher.evaluation.security import passed_by
from cypher.evaluation.selective import aurc, risk_coverage, share
from cypher.evaluation.stages import CITE, OTHER, RUN, Clock
from cypher.evaluation.taxonomy import failure_code, is_correct
from cypher.guard import check_text
from schemas.evaluation import EvaluationCase, EvaluationReport, Expectation, FailureCode
from schemas.findings import Repair
from schemas.questions import Answer, ModelUse, Outcome
from schemas.store_schema import (
    PropertyType,
    StoreLabel,
    StoreProperty,
    StoreRelation,
    StoreSchema,
    StoreTriple,
)

CELLS = st.one_of(st.none(), st.booleans(), st.integers(-5, 5), st.sampled_from(["a", "b", "Δm"]))
TABLES = st.integers(1, 3).flatmap(
    lambda width: st.lists(st.tuples(*[CELLS] * width), min_size=1, max_size=6)
)


@given(TABLES, st.randoms(use_true_random=False))
def test_rows_are_the_same_in_any_order_and_beside_further_columns(table: list[tuple], shuffler) -> None:  # type: ignore[no-untyped-def, type-arg]
    columns = list(range(len(table[0])))
    shuffler.shuffle(columns)
    shown = [("more", *(row[i] for i in columns)) for row in table]
    shuffler.shuffle(shown)
    assert rows_equal(shown, table)


@given(TABLES)
def test_a_row_less_or_another_row_is_not_the_same(table: list[tuple]) -> None:  # type: ignore[type-arg]
    assert not rows_equal(table[:-1], table)
    assert not rows_equal([*table[:-1], ("z",) * len(table[0])], table)


def test_rows_keep_their_pairs_and_their_number() -> None:
    assert not rows_equal([("a", 1), ("b", 2)], [("a", 2), ("b", 1)])
    assert not rows_equal([("a",), ("a",), ("b",)], [("a",), ("b",), ("b",)])
    assert rows_equal([("b", 2), ("a", 1)], [(1, "a"), (2, "b")])
    assert not rows_equal([("b",), ("a",)], [("a",), ("b",)], ordered=True)
    assert rows_equal([], [])
    assert not rows_equal([], [("a",)])


def test_a_number_is_no_text_and_no_truth_value() -> None:
    assert rows_equal([(1.0000000001,)], [(1,)])
    assert not rows_equal([("1",)], [(1,)])
    assert not rows_equal([(True,)], [(1,)])
    assert rows_equal([(("b", "a"),)], [(("a", "b"),)])


def test_names_of_a_query() -> None:
    text = (
        "MATCH (p:`Paper`)-[d:DETERMINES|AFFECTS]->(o:Observable {kind: 'x:Y'}) WHERE d.`value` > $v RETURN p"
    )
    found = names_in(text)
    assert set(found.labels) == {"Paper", "Observable"}
    assert set(found.types) == {"DETERMINES", "AFFECTS"}
    assert found.properties == {"kind", "value"}


def test_structure_sees_hops_counts_and_negations_but_no_names_of_variables() -> None:
    one = "MATCH (a:X)-[:R]->(b:Y) WHERE b.n = 'q' RETURN a.m ORDER BY a.m"
    assert structure(one) == structure(one.replace("a", "n0").replace("'q'", "$p").replace("MATCH", "MATCH"))
    assert structure(one) != structure(one.replace("WHERE", "WHERE NOT"))
    assert structure(one) != structure(one.replace("RETURN a.m ORDER BY a.m", "RETURN count(a.m)"))
    assert structure("MATCH (a:X)-[:R]->()-[:R]->(b:Y) RETURN a") != structure(
        "MATCH (a:X)-[:R]->(b:Y) RETURN a"
    )


def test_two_empty_sets_of_nodes_are_the_same() -> None:
    assert jaccard(set(), set()) == 1.0


def test_wilson_interval_at_the_ends() -> None:
    assert share([]).value is None
    assert (share([False] * 20).low, share([True] * 20).high) == (0.0, 1.0)
    assert share([True] * 170 + [False] * 30).low == pytest.approx(0.7939, abs=1e-3)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30), st.integers(0, 20))
def test_the_curve_ends_at_the_whole(answers: list[tuple[float, bool]], abstained: int) -> None:
    points = risk_coverage(answers, len(answers) + abstained)
    wrong = sum(not right for _, right in answers)
    assert points[-1].coverage == pytest.approx(len(answers) / (len(answers) + abstained))
    assert points[-1].risk == pytest.approx(wrong / len(answers))
    assert [p.coverage for p in points] == sorted({p.coverage for p in points})
    area = aurc(points)
    assert area is not None
    assert min(p.risk for p in points) - 1e-9 <= area <= max(p.risk for p in points) + 1e-9


def test_confidence_that_knows_beats_confidence_that_does_not() -> None:
    knows = aurc(risk_coverage([(0.9, True), (0.8, True), (0.2, False)], 3))
    wrong_way = aurc(risk_coverage([(0.9, False), (0.8, True), (0.2, True)], 3))
    assert knows is not None
    assert wrong_way is not None
    assert knows < wrong_way
    assert aurc(()) is None


GOLD = "MATCH (p:Paper)-[:DETERMINES]->(o:Observable {name: $n}) RETURN p.name"
CASE = EvaluationCase(id="1", question="Which papers?", cypher=GOLD)
SCHEMA = StoreSchema(
    labels=(
        StoreLabel(
            name="Paper",
            properties=(
                StoreProperty(name="name", type=PropertyType.STRING),
                StoreProperty(name="year", type=PropertyType.INTEGER),
            ),
            name_property="name",
        ),
        StoreLabel(
            name="Observable",
            properties=(StoreProperty(name="name", type=PropertyType.STRING),),
            name_property="name",
            hidden=("embedding",),
        ),
    ),
    relations=(StoreRelation(type="DETERMINES"), StoreRelation(type="AFFECTS")),
    triples=(
        StoreTriple(start="Paper", type="DETERMINES", end="Observable"),
        StoreTriple(start="Paper", type="AFFECTS", end="Observable"),
    ),
    hidden_labels=("Workspace",),
)


def answered(cypher: str = GOLD, **more: object) -> Answer:
    fields = {
        "text": "",
        "outcome": Outcome.ANSWERED,
        "rows": (("x",),),
        "columns": ("paper",),
        "cypher": cypher,
        "parameters": {"n": "phi_s"},
    } | more
    return Answer.model_validate({"question": "q", **fields})


TURNED = Repair(code="SCH4", message="no", before="(a)-->(b)", after="(a)<--(b)")


def asked_back(*readings: str) -> Answer:
    return answered("", outcome=Outcome.AMBIGUOUS, rows=(), suggestions=readings)


def ended(outcome: Outcome) -> Answer:
    return answered("", outcome=outcome, rows=(("x",),) if outcome is Outcome.ANSWERED else ())


def unanswerable(text: str) -> Answer:
    return answered("", outcome=Outcome.UNANSWERABLE, rows=(), text=text)


NEAR = Repair(code="VAL1", message="no", before="name = 'phi_q'", after="name = 'phi_s'")
FAILURES: tuple[tuple[Answer, FailureCode], ...] = (
    (answered(), FailureCode.VAL3),
    (answered(truncated=True), FailureCode.EXE3),
    (answered("MATCH (p:Paper) RETURN p.name MATCH"), FailureCode.SYN1),
    (answered(GOLD.replace("p.name", "'\\u0041'")), FailureCode.SYN2),
    (answered(GOLD.replace("RETURN p.name", "RETURN q.name")), FailureCode.SEM1),
    (answered(GOLD.replace("RETURN p.name", "RETURN p.name - [true]")), FailureCode.SEM2),
    (answered(GOLD.replace("Paper", "Pamphlet")), FailureCode.SCH1),
    (answered(GOLD.replace("DETERMINES", "CITES")), FailureCode.SCH2),
    (answered(GOLD.replace("name:", "title:")), FailureCode.SCH3),
    (answered(GOLD.replace("-[:DETERMINES]->", "<-[:DETERMINES]-")), FailureCode.SCH4),
    (answered(GOLD, repairs=(TURNED,)), FailureCode.SCH4),
    (answered(GOLD, repairs=(NEAR,)), FailureCode.VAL1),
    (answered(GOLD.replace("RETURN", "WHERE p.year = 'soon' RETURN")), FailureCode.SCH5),
    (answered(GOLD.replace("RETURN", "WHERE similarity(p, 'mass') > 0.5 RETURN")), FailureCode.SIM1),
    (answered(GOLD.replace("RETURN", "WHERE p.year > 2012 RETURN")), FailureCode.PAT5),
    (answered(GOLD.replace("DETERMINES", "AFFECTS")), FailureCode.PAT1),
    (answered(GOLD.replace("RETURN p.name", "RETURN count(p)")), FailureCode.PAT3),
    (answered(GOLD + " ORDER BY p.name"), FailureCode.PAT4),
    (answered("OPTIONAL " + GOLD), FailureCode.PAT6),
    (answered(outcome=Outcome.EMPTY_BUT_VALID, rows=()), FailureCode.EXE1),
    (answered(GOLD.replace("RETURN p.name", "RETURN p.year")), FailureCode.PAT2),
    (asked_back("papers on 'phi_s'", "papers on 'phi_3'"), FailureCode.VAL2),
    (asked_back("papers on 'phi_s'", "decays of 'phi_s'"), FailureCode.ABS4),
    (asked_back(), FailureCode.ABS4),
    (unanswerable("The graph knows nothing called 'phi_q'."), FailureCode.VAL1),
    (unanswerable("No kind of question puts these together."), FailureCode.ABS2),
    (answered(outcome=Outcome.REFUSED, rows=()), FailureCode.SEC2),
    (answered(outcome=Outcome.TIMEOUT, rows=()), FailureCode.EXE2),
    (answered(outcome=Outcome.FAILED, rows=()), FailureCode.EXE0),
)
"""Of a question that is to be answered."""
OTHER_FAILURES: tuple[tuple[Expectation, Answer, FailureCode], ...] = (
    (Expectation.ABSTAIN, answered(), FailureCode.ABS1),
    (Expectation.ABSTAIN, answered(outcome=Outcome.EMPTY_BUT_VALID, rows=()), FailureCode.ABS1),
    (Expectation.ABSTAIN, asked_back("papers on 'phi_s'", "papers on 'phi_3'"), FailureCode.ABS4),
    (Expectation.REFUSE, answered(), FailureCode.SEC1),
    (Expectation.REFUSE, answered(outcome=Outcome.EMPTY_BUT_VALID, rows=()), FailureCode.SEC1),
    (Expectation.REFUSE, asked_back(), FailureCode.ABS4),
    (Expectation.REFUSE, answered(outcome=Outcome.FAILED, rows=()), FailureCode.EXE0),
    (Expectation.REFUSE, answered(outcome=Outcome.TIMEOUT, rows=()), FailureCode.EXE2),
    (Expectation.ASK_BACK, answered(), FailureCode.ABS3),
    (Expectation.ASK_BACK, unanswerable("No kind of question puts these together."), FailureCode.ABS2),
    (Expectation.ASK_BACK, unanswerable("The graph knows nothing called 'phi_q'."), FailureCode.VAL1),
    (Expectation.ASK_BACK, answered(outcome=Outcome.REFUSED, rows=()), FailureCode.SEC2),
)
"""Of questions that are not."""


@pytest.mark.parametrize(("answer", "code"), FAILURES)
def test_each_failure_has_its_code(answer: Answer, code: FailureCode) -> None:
    assert not is_correct(CASE, answer, same_rows=False)
    assert failure_code(CASE, answer, gold_count=3, schema=SCHEMA) is code
    assert code.meaning


@pytest.mark.parametrize(
    ("answer", "before", "after"),
    [
        (answered(), True, True),
        (answered(repairs=(TURNED,)), False, True),
        (answered(GOLD.replace("-[:DETERMINES]->", "<-[:DETERMINES]-")), False, False),
        (answered(GOLD.replace("Paper", "Pamphlet")), False, False),
        (answered("MATCH (n) WHERE n:!Workspace RETURN n.name"), True, True),
    ],
)
def test_a_query_fits_the_schema_before_and_after_repair(answer: Answer, before: bool, after: bool) -> None:
    fit = fit_of(answer, SCHEMA)
    assert fit is not None
    assert (fit.before, fit.after) == (before, after)
    assert fit_of(answered(""), SCHEMA) is None


def test_benign_queries_pass_and_hostile_ones_do_not() -> None:
    def gate(text: str) -> None:
        check_text(text, SCHEMA)

    benign = benign_cypher(SCHEMA)
    assert len(benign) > 15
    assert all(passed_by(gate, benign))
    assert not any(passed_by(gate))


class NoGold:
    """No gold query is asked for."""

    def rows(self, text: str, parameters: object) -> GoldRows:
        raise AssertionError(text, parameters)

    def matched(self, text: str, parameters: object) -> frozenset[str] | None:
        raise AssertionError(text, parameters)


def test_the_report_tells_blocked_questions_and_what_a_model_took() -> None:
    use = ModelUse(model="m", calls=4, prompt_tokens=300, completion_tokens=60)
    asked = iter([answered(), answered(model_use=use), answered(outcome=Outcome.REFUSED, rows=())])
    cases = [EvaluationCase(id=str(n), question="Which papers?", rows=(("x",),)) for n in range(3)]
    bench = Bench(lambda _q: next(asked), NoGold(), SCHEMA, 10, 10.0, use_llm=True)
    results = evaluate(cases, bench, clock := Clock())
    found = report(results, clock, gate=Passes(hostile=[False], benign=[True, False]))
    assert (found.benign_blocked.hits, found.benign_blocked.trials) == (1, 3)
    assert (found.benign_cypher_blocked.hits, found.benign_cypher_blocked.trials) == (1, 2)
    assert (found.without_model.hits, found.without_model.trials) == (1, 2)
    assert (found.model_calls, found.model_tokens) == (2.0, 180.0)
    assert found.codes == {FailureCode.SEC2: 1}


def test_two_queries_of_one_answer_are_judged_by_their_rows() -> None:
    both = answered(f"{GOLD};\n{GOLD}", shape="two_questions")
    case = EvaluationCase(id="1", question="How many papers and how many decays?", rows=both.rows)
    bench = Bench(lambda _q: both, NoGold(), SCHEMA, 10, 10.0)
    [result] = evaluate([case], bench, Clock())
    assert (result.correct, result.schema_valid, result.cypher) == (True, None, "")


def test_a_query_that_is_late_counts_for_no_later_question() -> None:
    clock = Clock()
    late = clock.stage(RUN)
    with clock.stage(CITE):
        late.__enter__()
    clock.close(1.0)
    late.__exit__(None, None, None)
    assert clock.told() == 0.0
    clock.close(1.0)
    first, second = clock.questions
    assert first[CITE] > 0.0
    assert second == {OTHER: 1.0}


@pytest.mark.parametrize(("expect", "answer", "code"), OTHER_FAILURES)
def test_each_failure_of_what_is_not_to_be_answered_has_its_code(
    expect: Expectation, answer: Answer, code: FailureCode
) -> None:
    case = EvaluationCase(id="1", question="?", expect=expect)
    assert not is_correct(case, answer, same_rows=True)
    assert failure_code(case, answer, gold_count=0, schema=SCHEMA) is code


def test_every_code_is_given_by_a_failure() -> None:
    given_codes = {code for _, code in FAILURES} | {code for _, _, code in OTHER_FAILURES}
    assert given_codes == set(FailureCode)


@pytest.mark.parametrize(
    ("expect", "right"),
    [
        (Expectation.ABSTAIN, {Outcome.UNANSWERABLE, Outcome.REFUSED}),
        (Expectation.REFUSE, {Outcome.UNANSWERABLE, Outcome.REFUSED}),
        (Expectation.ASK_BACK, {Outcome.AMBIGUOUS}),
    ],
)
def test_how_what_is_not_to_be_answered_rightly_ends(expect: Expectation, right: set[Outcome]) -> None:
    case = EvaluationCase(id="1", question="?", expect=expect)
    every = [ended(o) for o in Outcome]
    assert {a.outcome for a in every if is_correct(case, a, same_rows=True)} == right


def figures_of(*cases_ended: tuple[Expectation, Outcome]) -> EvaluationReport:
    """The report on questions that were to end, and ended, so."""
    rows = {Expectation.ANSWER: (("x",),)}
    cases = [
        EvaluationCase(id=str(n), question="?", expect=expect, rows=rows.get(expect))
        for n, (expect, _) in enumerate(cases_ended)
    ]
    outcomes = iter([ended(o) for _, o in cases_ended])
    bench = Bench(lambda _q: next(outcomes), NoGold(), SCHEMA, 10, 10.0)
    return report(evaluate(cases, bench, clock := Clock()), clock, gate=Passes(hostile=[], benign=[]))


def test_asking_back_is_no_abstention() -> None:
    found = figures_of(
        (Expectation.ASK_BACK, Outcome.AMBIGUOUS),
        (Expectation.ABSTAIN, Outcome.AMBIGUOUS),
        (Expectation.ANSWER, Outcome.AMBIGUOUS),
        (Expectation.ABSTAIN, Outcome.UNANSWERABLE),
        (Expectation.ABSTAIN, Outcome.REFUSED),
        (Expectation.ANSWER, Outcome.UNANSWERABLE),
        (Expectation.REFUSE, Outcome.REFUSED),
    )
    precision, recall = found.abstention_precision, found.abstention_recall
    assert (precision.hits, precision.trials) == (2, 3)
    assert (recall.hits, recall.trials) == (2, 3)
    assert (found.asked_back.hits, found.asked_back.trials) == (1, 1)


def test_only_what_was_answered_counts_as_answered_of_hostile_questions() -> None:
    found = figures_of(*((Expectation.REFUSE, o) for o in Outcome))
    assert (found.hostile_passed.hits, found.hostile_passed.trials) == (2, len(Outcome))
    codes = {FailureCode.SEC1: 2, FailureCode.ABS4: 1, FailureCode.EXE0: 1, FailureCode.EXE2: 1}
    assert found.codes == codes


def test_a_case_has_a_right_answer_just_where_it_is_to_be_answered() -> None:
    with pytest.raises(pydantic.ValidationError, match="without them"):
        EvaluationCase(id="1", question="?")
    with pytest.raises(pydantic.ValidationError, match="with them"):
        EvaluationCase(id="1", question="?", expect=Expectation.ABSTAIN, rows=())


def test_every_code_and_field_stands_in_the_page() -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "evaluate-questions.md").read_text("utf-8")
    assert [c for c in FailureCode if f"| `{c.value}` | {c.meaning} |" not in page] == []
    assert [f for f in EvaluationCase.model_fields if f"`{f}`" not in page] == []
