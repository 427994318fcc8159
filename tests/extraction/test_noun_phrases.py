"""Noun phrases beside cues: enumerations, cleaning, and what is refused."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.noun_phrases import phrase_before, phrases_after, whole_phrase


def after(text: str, most: int = 8) -> list[str]:
    return [text[a:b] for a, b in phrases_after(text, 0, most)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (" the finite lattice spacing.", ["finite lattice spacing"]),
        (" the pump speed of 1.4%", ["pump speed"]),
        (" the pump speed of about 12%", ["pump speed"]),
        (" the pumps of 2011", ["pumps of 2011"]),
        (" the beam energy, the density and its age are added.", ["beam energy", "density", "age"]),
        (" three categories: the pump, the valve, and the leak rate.", ["pump", "valve", "leak rate"]),
        (" the pump speed and the valve position", ["pump speed", "valve position"]),
        (" pump and valve positions", ["pump and valve positions"]),
        (" gaps between pump and valve, and heat", ["gaps between pump and valve", "heat"]),
        (" gaps between pump, valve and pipe", ["gaps between pump, valve and pipe"]),
        (" fixing the gain and offset of the channels", ["fixing the gain and offset of the channels"]),
        (" the choice of the window", ["window"]),
        (" the beam position (BPM), which drifts", ["beam position"]),
        (" the fact that it drifts", []),
        (" these effects", []),
        (" this.", []),
        (" them", []),
    ],
)
def test_what_follows_a_cue(text: str, names: list[str]) -> None:
    assert after(text) == names


def test_a_long_phrase_is_cut_at_a_preposition_or_refused() -> None:
    text = " the limited precision of the field map in the outer part of the third magnet"
    assert after(text, 8) == ["limited precision of the field map"]
    assert after(" one two three four five six seven eight nine ten", 8) == []


def test_what_precedes_a_cue() -> None:
    text = "In winter, the pump temperature is a source of error"
    found = phrase_before(text, text.index(" is a"), 8)
    assert found is not None
    assert text[slice(*found)] == "pump temperature"
    clause = "The pump was replaced with care is a source"
    assert phrase_before(clause, clause.index(" is a"), 8) is None


def test_a_clause_is_no_heading() -> None:
    text = "The pump is fine"
    assert whole_phrase(text, (0, len(text)), 8) is None


@given(st.text(alphabet="ab ,.;:()and the of{}-\n", max_size=300), st.integers(1, 10))
def test_phrases_are_short_trimmed_and_inside_the_text(text: str, most: int) -> None:
    for start, end in phrases_after(text, 0, most):
        assert 0 <= start < end <= len(text)
        assert text[start:end] == text[start:end].strip()
        assert len(text[start:end].split()) <= most


def test_long_input_is_bounded() -> None:
    text = " and the ," * 20_000
    began = time.process_time()
    phrases_after(text, 0, 8)
    phrase_before(text, len(text), 8)
    assert time.process_time() - began < 5
