"""The own questions on the demo graphs: well formed, with the graphs' names left out."""

from __future__ import annotations

import re
from collections import Counter

from benchmarks.own_demo import filled, read_questions

PLACE = re.compile(r"\{\w+\.\w+:\d+\}")


def test_every_question_has_two_queries_and_a_part() -> None:
    asked = list(read_questions())
    assert len({a.id for a in asked}) == len(asked) == 538
    assert Counter(a.graph for a in asked) == {"movies": 268, "northwind": 270}
    assert Counter(a.part for a in asked) == {"dev": 269, "held": 269}
    assert Counter(a.set for a in asked) == {"first": 259, "second": 279}
    assert all("RETURN" in q for a in asked for q in a.cypher)


def test_names_stand_in_questions_and_queries_alike() -> None:
    """A name that a question leaves out is left out of the queries as well."""
    for one in read_questions():
        said = set(PLACE.findall(one.question))
        assert not said or said & {x for q in one.cypher for x in PLACE.findall(q)}, one.id


def test_names_are_filled_in_by_their_places() -> None:
    text = "films of {Person.name:3} and {Movie.title:0}"
    assert filled(text, lambda label, name, place: f"<{label} {name} {place}>") == (
        "films of <Person name 3> and <Movie title 0>"
    )
