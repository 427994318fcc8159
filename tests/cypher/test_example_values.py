"""Examples without what they name: all of it is replaced, or there is no example."""

from __future__ import annotations

import pytest

from cypher.generation.masking import without_values
from schemas.ports import Example
from schemas.questions import Parameter

BY_NAME = "MATCH (d:Doctor) WHERE d.name = $p0 RETURN d.phone"


def masked(
    question: str, query: str = BY_NAME, **parameters: Parameter
) -> tuple[str, str, dict[str, Parameter]]:
    found = without_values(Example(question=question, query=query, parameters=parameters, explanation="x"))
    assert found is not None
    assert found.explanation == ""
    return found.question, found.query, found.parameters


def test_names_and_numbers_become_placeholders() -> None:
    assert masked("Has olle berg a phone?", p0="Olle Berg") == (
        "Has <name 1> a phone?", BY_NAME, {"p0": "<name 1>"}
    )  # fmt: skip
    query = "MATCH (d:Doctor) WHERE d.name IN $p0 AND d.age > $p1 RETURN d.name LIMIT 101"
    assert masked(
        "Is Berg, Ida Berg or Ada older than 40.5?", query, p0=("Ada", "Berg", "Ida Berg"), p1=40.5
    ) == (
        "Is <name 1>, <name 2> or <name 3> older than <number 1>?",
        query,
        {"p0": ("<name 3>", "<name 1>", "<name 2>"), "p1": "<number 1>"},
    )


def test_values_within_the_query_become_placeholders() -> None:
    query = "MATCH (d:Doctor {name: 'Olle Berg'})-[:SAW*1..3]->(p {ssn: 1234567}) RETURN p.x LIMIT 5"
    assert masked("What are 5 ages of those with 1234567 that Olle Berg saw?", query) == (
        "What are <number 1> ages of those with <number 2> that <name 1> saw?",
        "MATCH (d:Doctor {name: '<name 1>'})-[:SAW*1..3]->(p {ssn: <number 2>}) RETURN p.x LIMIT <number 1>",
        {},
    )
    quoted = 'MATCH (d:Doctor {name: "Olle Berg"}) RETURN size(d.phones) > 0 AS has'
    assert "Olle" not in str(masked("Has Olle Berg phones?", quoted))


def test_what_names_nothing_stays() -> None:
    query = "MATCH (d:Doctor) WHERE d.active = $p0 RETURN count(d) AS doctors"
    assert masked("How many doctors are active?", query, p0=True) == (
        "How many doctors are active?", query, {"p0": True}
    )  # fmt: skip
    assert masked("Which three doctors can I ask?", "MATCH (d:Doctor) RETURN d.name LIMIT 3")[0].startswith(
        "Which"
    )


@pytest.mark.parametrize(
    ("question", "query", "parameters"),
    [
        ("What is the phone of Dr. Berg?", BY_NAME, {"p0": "Olle Berg"}),
        ("What is the phone of Olle Bergs?", BY_NAME, {"p0": "Olle Berg"}),
        ("What is the phone of Olle Berg, asks Ida?", BY_NAME, {"p0": "Olle Berg"}),
        ("Olle Berg Ida phone?", BY_NAME, {"p0": "Olle Berg"}),
        ("What is the phone of Olle Berg at 17?", BY_NAME, {"p0": "Olle Berg"}),
        ("What is the phone of Olle Berg or ida_f?", BY_NAME, {"p0": "Olle Berg"}),
        ("What is the phone of Olle Berg and 李明?", BY_NAME, {"p0": "Olle Berg"}),
        ("Who is older than 1.5 decades?", "MATCH (d) WHERE d.age > $p0 RETURN d.name", {"p0": 150}),
        ("Who is older than 1500.5?", "MATCH (d) WHERE d.age > $p0 RETURN d.name", {"p0": 1500}),
        ("Who is it?", "MATCH (d) WHERE d.ssn = 1234567 RETURN d.name", {}),
        ("Who is it?", "MATCH (d) WHERE d.name = 'Olle Berg' RETURN d.name", {}),
        ("Who is O'Hara?", "MATCH (d) WHERE d.name = 'O\\'Hara' RETURN d.name", {}),
        ("How many has Ann seen?", "MATCH (d {name: $p0}) RETURN count(d) AS `by Ann`", {"p0": "Ann"}),
        ("How many has 1234567?", "MATCH (d {ssn: $p0}) RETURN count(d) AS `of 1234567`", {"p0": 1234567}),
    ],
)
def test_what_cannot_be_replaced_for_sure_is_left_out(
    question: str, query: str, parameters: dict[str, Parameter]
) -> None:
    assert without_values(Example(question=question, query=query, parameters=parameters)) is None
