"""Queries that reviewers gave: for which questions they are used, and with which names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cypher.answers.asker import Asker
from cypher.answers.corrected import LONGEST_NAME, CorrectedQuestions, Correction, Fitted, Prepared, lifted
from cypher.answers.reading import Reading
from cypher.generation.ports import Findings, Limits
from schemas.errors import QueryFailedError, QueryRefusedError, QueryTimeoutError, StoreUnavailableError
from schemas.findings import Finding
from schemas.questions import (
    Answer,
    CheckedQuery,
    EntityMatch,
    Outcome,
    Parameter,
    Question,
    Scope,
    StatementDetail,
    Subgraph,
)
from schemas.schema_files import load_schema

NAMES = {"phi_s": "phi_s", "r_k": "R_K", "beta_s": "phi_s"}


def known(phrase: str, name: str) -> str:
    assert name in NAMES.values()
    return NAMES.get(phrase.casefold(), "")


def correction(question: str, query: str) -> Correction:
    text, parameters = lifted(query)
    return Correction(number=3, question=question, query=text, parameters=parameters)


ABOUT = correction(
    "Who talks about phi_s since 2015?",
    "MATCH (p:Paper)-[:DETERMINES]->(:Observable {name: 'phi_s'}) WHERE p.year >= 2015 RETURN p LIMIT 7",
)


def test_literals_become_parameters() -> None:
    assert ABOUT.parameters == {"p0": "phi_s", "p1": 2015, "p2": 7}
    assert "2015" not in ABOUT.query
    with pytest.raises(QueryRefusedError):
        lifted("MATCH (n) DETACH DELETE n")


@pytest.mark.parametrize(
    ("question", "parameters", "replaced"),
    [
        ("who talks about  PHI_S since 2015", {}, ()),
        ("Who talks about R_K since 2015?", {"p0": "R_K"}, (("phi_s", "R_K"),)),
        ("Who talks about phi_s since 2019?", {"p1": 2019}, (("2015", "2019"),)),
        ("Who talks about r_k since 1999?", {"p0": "R_K", "p1": 1999}, (("phi_s", "R_K"), ("2015", "1999"))),
    ],
)
def test_it_fits_the_question_with_other_known_names_and_numbers(
    question: str, parameters: dict[str, object], replaced: tuple[tuple[str, str], ...]
) -> None:
    assert Prepared(ABOUT).fitted(question, known) == Fitted({**ABOUT.parameters, **parameters}, replaced)


@pytest.mark.parametrize(
    "question",
    [
        "Who writes about phi_s since 2015?",
        "Who talks about phi_s since 2015 or R_K?",
        "Who talks about the Higgs since 2015?",
        "Who talks about phi_s since May?",
        "Who talks about phi_s since 2015.5?",
        "Who talks about phi_s since 99999999999999999999?",
        f"Who talks about {'x' * (LONGEST_NAME + 1)} since 2015?",
        "",
    ],
)
def test_other_words_and_unknown_names_are_left_to_the_parser(question: str) -> None:
    assert Prepared(ABOUT).fitted(question, known) is None


def test_what_is_said_twice_or_inside_a_word_is_no_place_to_fill() -> None:
    twice = correction("Is phi_s the same as phi_s?", "MATCH (o:Observable {name: 'phi_s'}) RETURN o.name")
    assert Prepared(twice).fitted("Is R_K the same as R_K?", known) is None
    inside = correction("Papers on B15?", "MATCH (p:Paper) WHERE p.year = 15 RETURN p.name")
    assert Prepared(inside).fitted("Papers on B16?", known) is None


def test_a_question_made_to_be_slow_is_compared_in_time() -> None:
    slots = correction(
        "a b c d",
        "MATCH (p:Paper) WHERE p.name IN ['a', 'b', 'c', 'd'] RETURN p.name",
    )
    assert Prepared(slots).fitted("a " * 990 + "e", lambda phrase, _: phrase) is None


@given(st.text(max_size=60), st.text(min_size=1, max_size=12))
def test_its_own_question_always_fits_with_its_own_values(words: str, name: str) -> None:
    quoted = name.replace("\\", "\\\\").replace("'", "\\'")
    own = correction(f"{words} {name} {words}", f"MATCH (o:Observable {{name: '{quoted}'}}) RETURN o.name")
    assert Prepared(own).fitted(own.question, lambda *_: "") == Fitted(own.parameters)


class Parser:
    """Has one answer."""

    def ask(self, question: Question) -> Answer:
        return Answer(outcome=Outcome.EMPTY_BUT_VALID, question=question.text, text="the parser's")

    def read(self, text: str) -> Reading:
        return Reading(False, text)

    def examples(self) -> tuple[str, ...]:
        return ()


class OpenGate:
    """Lets every query through, with the time that it may take, or finds something in it."""

    def __init__(self, *found: Finding) -> None:
        self._found = found
        self.seconds: list[float] = []

    def check(
        self, text: str, parameters: Mapping[str, Parameter], *, scope: Scope, limits: Limits
    ) -> CheckedQuery | Findings:
        assert scope is Scope.ALL
        self.seconds.append(limits.seconds)
        if self._found:
            return Findings(self._found)
        return CheckedQuery(
            text=text,
            parameters=dict(parameters),
            columns=("paper",),
            row_cap=limits.rows,
            timeout=limits.seconds,
        )

    matched = check


class Nothing:
    """Knows no names and no statements."""

    def exact(self, _phrases: Sequence[str], _types: Sequence[str]) -> Mapping[str, tuple[EntityMatch, ...]]:
        return {}

    def similar(self, _phrase: str, _types: Sequence[str], *, limit: int = 5) -> tuple[EntityMatch, ...]:
        return ()[:limit]

    def qualified(self, _phrase: str, _entity_type: str) -> tuple[EntityMatch, ...]:
        return ()

    def statements(self, _ids: Sequence[str]) -> tuple[StatementDetail, ...]:
        return ()


def _asked(gate: OpenGate, *ends: Exception | Subgraph) -> Answer:
    """The answer to the question for which two queries were given, the runs of which end so."""
    left = list(ends)

    def run(_query: CheckedQuery) -> Subgraph:
        end = left.pop(0)
        if isinstance(end, Exception):
            raise end
        return end

    newer = ABOUT.model_copy(update={"number": 4})
    corrected = CorrectedQuestions(
        gate,
        run,
        Nothing(),
        values=Nothing(),
        schema=load_schema("particle_physics"),
        corrections=lambda: (newer, ABOUT),
    )
    return Asker(Parser(), correct=corrected.answer).ask(Question(text=ABOUT.question, timeout=8))


ROWS = Subgraph(columns=("paper",), rows=(("A",),))
REFUSED = QueryRefusedError("expected steps of at most 1e10 rows")


@pytest.mark.parametrize(
    ("ends", "why"),
    [
        ((REFUSED, REFUSED), "it does not pass the gate any more (expected steps of at most 1e10 rows)"),
        ((QueryFailedError("/ by zero"),) * 2, "it could not be run (/ by zero)"),
        ((QueryTimeoutError("late"),), "it did not end in time"),
    ],
)
def test_a_query_that_runs_no_more_leaves_the_question_to_the_parser(
    ends: tuple[Exception, ...], why: str
) -> None:
    gate = OpenGate()
    answer = _asked(gate, *ends)
    assert (answer.outcome, answer.text) == (Outcome.EMPTY_BUT_VALID, "the parser's")
    assert answer.assumptions[0] == f"The query given for question 4 was left out: {why}."
    assert len(answer.assumptions) == len(ends)
    assert max(gate.seconds) < 8


def test_what_the_gate_finds_in_a_query_is_told() -> None:
    answer = _asked(OpenGate(Finding(code="SCH1", message="the graph has no label Paper")))
    assert answer.text == "the parser's"
    assert "any more (the graph has no label Paper)" in answer.assumptions[0]


def test_the_query_given_before_answers_where_the_latest_runs_no_more() -> None:
    answer = _asked(OpenGate(), REFUSED, ROWS, REFUSED)
    assert (answer.shape, answer.rows) == ("corrected", (("A",),))


def test_of_a_query_that_finds_nothing_it_is_said_that_no_condition_was_looked_at() -> None:
    answer = _asked(OpenGate(), Subgraph(columns=("paper",), rows=()), REFUSED)
    assert (answer.shape, answer.outcome) == ("corrected", Outcome.EMPTY_BUT_VALID)
    assert answer.text.endswith("Which condition leaves nothing was not looked at.")


def test_a_store_that_is_lost_is_no_fault_of_the_query() -> None:
    assert _asked(OpenGate(), StoreUnavailableError("gone")).outcome is Outcome.FAILED
