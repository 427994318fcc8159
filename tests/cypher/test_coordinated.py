"""Several things that are named are asked about one by one, where all together is senseless or empty."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cypher.semantics.coordinated import several_named
from cypher.semantics.probing import with_probes
from cypher.semantics.write import Written
from tests.cypher.test_spoken_wordings import READER


class Empty:
    """A graph in which nothing matches two things at once."""

    def has_rows(self, written: Written, *, timeout: float) -> bool:
        return timeout > 0 and written.text.count("`Person`") + written.text.count("`Film`") < 3


def _text(question: str) -> str:
    written = READER.read(question).written
    assert written is not None
    return written.text.replace("\n", " ")


@pytest.mark.parametrize(
    "question",
    [
        "When were Ada Berg and Olaf Lind born?",
        "What year were Ada Berg & Olaf Lind born in?",
    ],
)
def test_what_each_has_is_told_with_the_names(question: str) -> None:
    reading = READER.read(question)
    assert reading.written is not None
    assert reading.written.text.replace("\n", " ") == (
        "MATCH (n0:`Person`) WHERE n0.`name` IN $p0 WITH DISTINCT n0 "
        "RETURN n0.`name` AS `name`, n0.`born` AS `born`"
    )
    assert list(reading.written.parameters.values()) == [("Ada Berg", "Olaf Lind")]


def test_three_are_as_good_as_two() -> None:
    reading = READER.read("When were Harbour, Harbour Two and Night Ferry released?")
    assert reading.written is not None
    assert list(reading.written.parameters.values()) == [("Harbour", "Harbour Two", "Night Ferry")]


@pytest.mark.parametrize(
    ("question", "each"),
    [
        (
            "Who directed Harbour Two and Night Ferry?",
            "RETURN DISTINCT n1.`title` AS `title`, n0.`name` AS `name`",
        ),
        (
            "How many films did Ada Berg and Olaf Lind direct?",
            "RETURN n1.`name` AS `name`, count(DISTINCT n0) AS `count`",
        ),
    ],
)
def test_of_all_together_comes_first_and_of_each_where_that_is_empty(question: str, each: str) -> None:
    reading = READER.read(question)
    assert each not in _text(question)
    looked = with_probes(reading, READER, Empty())
    assert looked.written is not None
    assert looked.written.text.replace("\n", " ").endswith(each)
    assert looked.confidence == reading.confidence


@pytest.mark.parametrize(
    "question",
    [
        "When were Ada Berg or Olaf Lind born?",
        "Which films did both Ada Berg and Olaf Lind act in?",
        "When was Ada Berg born?",
        "Did Ada Berg, Olaf Lind direct Harbour?",
        "Who directed Harbour with Ada Berg?",
    ],
)
def test_other_questions_are_not_asked_of_the_first_alone(question: str) -> None:
    assert several_named(READER.read(question).linked) is None


def test_a_name_that_may_be_several_things_of_a_kind_is_not_one_of_several() -> None:
    linked = READER.link("When were Harbour Two and Night Ferry released?")
    doubled = next(m for m in linked.mentions if m.values)
    other = replace(doubled.values[0][0], text="Night Ferry")
    unclear = replace(doubled, values=(*doubled.values, (other, doubled.values[0][1])))
    mentions = tuple(unclear if m is doubled else m for m in linked.mentions)
    assert several_named(linked) is not None
    assert several_named(replace(linked, mentions=mentions)) is None
