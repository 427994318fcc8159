"""Queries that reviewers gave: for which questions they are used, and with which names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cypher.answers.corrected import LONGEST_NAME, Correction, Fitted, Prepared, lifted
from schemas.errors import QueryRefusedError

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
