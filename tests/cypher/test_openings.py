"""Beginnings and ends of questions that ask for nothing."""

from __future__ import annotations

import pytest

from cypher.semantics.openings import without_preamble


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Let me have the ships", "the ships"),
        ("Please compile a full list of the ships", "the ships"),
        ("Pull up all ships", "ships"),
        ("Count up the ships", "count the ships"),
        ("Check whether there are any ships", "whether there are any ships"),
        ("I want to know if Ann owns a ship", "whether Ann owns a ship"),
        ("Top three: which ports have the most ships?", "which three ports have the most ships?"),
        ("Is there at least one ship in Visby?", "Is there any ship in Visby?"),
        ("How many ships of Ann do we have?", "How many ships of Ann?"),
        ("The ships of Ann, please.", "The ships of Ann."),
        ("Could you please tell me which ships Ann owns?", "which ships Ann owns?"),
    ],
)
def test_what_asks_for_nothing_is_left_out(said: str, left: str) -> None:
    assert " ".join(without_preamble(said).split()).lower() == left.lower()


@pytest.mark.parametrize(
    "said", ["Do we have any ships?", "Which ships exist?", "Look up", "Please", "Let me have", "How many?"]
)
def test_what_asks_for_something_stays(said: str) -> None:
    assert without_preamble(said)
