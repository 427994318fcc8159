"""What was done last, told by the day of what was done, and further ways of asking."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.lexicon import Verbalisation
from cypher.semantics.reader import SemanticReader
from cypher.semantics.rephrased import rephrased
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, VALUES = invented_graph("""
    Tram 40: number, built integer, maker
    Fault 90: code, day date, kind
    Fitter 12: name, grade
    (Tram)-[HAD 90]->(Fault), (Fault)-[REPAIRED_BY 90]->(Fitter)

    Tram.number: T-1 | T-2
    Tram.maker: Skoda | Tatra
    Fault.kind: Brake | Door
    Fault.code: F-1 | F-2
    Fitter.name: Ida | Per
""")
WORDS = Verbalisation.model_validate(
    {
        "properties": {"built": ["year of construction"], "day": ["date"]},
        "relations": {
            "HAD": {"forward": ["involved in", "had"], "inverse": ["involved"]},
            "REPAIRED_BY": {"forward": ["repaired by"], "inverse": ["repaired", "fixed"]},
        },
    }
)
READER = SemanticReader(SCHEMA, ValueTable(VALUES), WORDS)


@pytest.mark.parametrize(
    "question",
    [
        "Which tram was involved in a fault most recently?",
        "Which tram was most recently involved in a fault?",
        "Which tram was last involved in a fault?",
    ],
)
def test_a_deed_is_ranked_by_its_own_day_not_by_the_doers_year(
    shown: Callable[[str], str], question: str
) -> None:
    found = shown(question)
    assert "max(n1.day) AS best" in found
    assert "built" not in found


def test_who_did_so_first_among_what_is_told(shown: Callable[[str], str]) -> None:
    found = shown("Which fitter first repaired a Brake fault?")
    assert "min(n1.day) AS best" in found
    assert found.count("n1.kind = 'Brake'") == 2


def test_what_has_a_day_of_its_own_is_ranked_by_that(shown: Callable[[str], str]) -> None:
    found = shown("Which fault most recently involved a Skoda?")
    assert "max(n0.day) AS best" in found
    assert "n1.maker = 'Skoda'" in found


def test_the_first_built_keep_their_year(shown: Callable[[str], str]) -> None:
    assert "min(n0.built)" in shown("Which tram was built first?")


def test_to_count_without_a_verb_is_to_count_what_is_described(shown: Callable[[str], str]) -> None:
    assert "n1.built = 2003" in shown("Count the faults involving a tram built in 2003.")
    assert shown("total faults repaired by Ida").endswith("RETURN count(DISTINCT n0) AS count")


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("Fitters' names, please: who repaired F-1?", "who repaired F-1?"),
        ("Any Skoda trams with faults? List them please.", "list all Skoda trams with faults"),
        (
            "From the trams that Ida repaired, how many faults do we get?",
            "how many faults do the trams that Ida repaired have?",
        ),
        (
            "Does Ida have many faults of kind Door? I need the number.",
            "how many faults of kind Door does Ida have?",
        ),
        (
            "Everyone who fixed F-1 - I'd like to see their grades.",
            "list the grades of Everyone who fixed F-1",
        ),
        ("earliest fault of T-1, by day", "earliest fault of T-1"),
        ("faults under investigation by Ida", "faults investigated by Ida"),
        ("By whom was T-1 repaired on 3 May?", "who repaired T-1 on 3 May?"),
        ("Who was T-1 repaired by?", "who repaired T-1?"),
        ("To which tram was a fault moved?", "which tram was a fault moved To?"),
        ("To which tram was a fault moved on 3 May?", "To which tram was a fault moved on 3 May?"),
    ],
)
def test_asides_are_brought_into_plain_questions(said: str, plain: str) -> None:
    assert rephrased(said) == plain


@pytest.mark.parametrize(
    "question",
    [
        "Which people were called from their own phone?",
        "Surnames, please: who repaired F-1?",
        "Who was the first registered owner of the tram T-1?",
        "How many of the latest faults were there, by day",
    ],
)
def test_what_says_something_is_not_taken_for_an_aside(question: str) -> None:
    assert rephrased(question) == question
