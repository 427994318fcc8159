"""Tests of texts and denied values, in the ways that people say them, on invented gardens."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Garden 40: title, soil, remark
    Gardener 40: name, surname
    (Garden)-[KEPT_BY 30]->(Gardener), (Garden)-[DESIGNED_BY 30]->(Gardener)

    Garden.title: Hollow Court | Green Bank | South Lawn
    Garden.soil: clay | loam | sand | chalk
    Garden.remark: near the old oak | closed in winter
    Gardener.name: Ida | Otto | Berta
    Gardener.surname: Brook | Lind | Moss | Marsh
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.mark.parametrize(
    ("said", "where"),
    [
        ("whose surname starts with M", "n0.surname STARTS WITH 'M'"),
        ("with a surname opening with M", "n0.surname STARTS WITH 'M'"),
        ("whose surname's first letter is M", "n0.surname STARTS WITH 'M'"),
        ("whose surname has M as its first letter", "n0.surname STARTS WITH 'M'"),
        ("whose surname has the prefix 'Ma'", "n0.surname STARTS WITH 'Ma'"),
        ("with 'Ma' at the start of their surname", "n0.surname STARTS WITH 'Ma'"),
        ("whose surname has 'sh' at the end", "n0.surname ENDS WITH 'sh'"),
        ("whose surname finishes in sh", "n0.surname ENDS WITH 'sh'"),
        ("whose surname has the ending 'sh'", "n0.surname ENDS WITH 'sh'"),
        ("whose surname has 'oo' in it", "n0.surname CONTAINS 'oo'"),
        ("whose surname does not start with M", "NOT (n0.surname STARTS WITH 'M')"),
        ("with a surname not starting with M", "NOT (n0.surname STARTS WITH 'M')"),
        ("whose surname doesn't contain 'oo'", "NOT (n0.surname CONTAINS 'oo')"),
        (
            "whose surname starts with either M or L",
            "((n0.surname STARTS WITH 'M') OR (n0.surname STARTS WITH 'L'))",
        ),
    ],
)
def test_texts_are_tested(said: str, where: str, shown: Callable[[str], str]) -> None:
    assert f"(n0:Gardener) WHERE {where} RETURN" in shown(f"gardeners {said}")


@pytest.mark.parametrize(
    "said",
    [
        *(
            "whose surname is something other than Moss",
            "with any surname but Moss",
            "except those surnamed Moss",
        ),
        *(
            "excluding gardeners surnamed Moss",
            "apart from those with the surname Moss",
            "bar those surnamed Moss",
        ),
        *("that lack the surname Moss", "whose surname does not equal Moss", "whose surname is unlike Moss"),
        *("with a different surname than Moss", "whose surname isn't Moss", "without the surname Moss"),
        *("who are surnamed anything other than Moss", "minus those surnamed Moss"),
    ],
)
def test_a_denied_value_is_never_asked_for(said: str, shown: Callable[[str], str]) -> None:
    assert "(n0:Gardener) WHERE n0.surname <> 'Moss' RETURN" in shown(f"gardeners {said}")


@pytest.mark.parametrize(
    "said",
    [
        *("whose surname is neither Moss nor Lind", "who are not surnamed Moss or Lind"),
        *("with a surname other than Moss or Lind", "whose surname is not Moss or Lind"),
    ],
)
def test_neither_of_two_values(said: str, shown: Callable[[str], str]) -> None:
    found = shown(f"gardeners {said}")
    both = "n0.surname <> 'Moss' AND n0.surname <> 'Lind'"
    assert "NOT (n0.surname IN ('Moss', 'Lind'))" in found or both in found


def test_a_text_test_belongs_to_the_property_in_front_of_it(shown: Callable[[str], str]) -> None:
    found = shown("List the surnames of the gardeners of gardens with a remark beginning with 'near'.")
    assert ".remark STARTS WITH 'near'" in found
    assert "surname STARTS" not in found
