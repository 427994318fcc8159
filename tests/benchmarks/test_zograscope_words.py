"""The words that a run over ZOGRASCOPE reads with."""

from __future__ import annotations

from benchmarks.pole_words import set_words, spoken


def test_the_sets_words_for_the_ends_of_a_call_stand_for_everyday_ones() -> None:
    ours, theirs = spoken().relations, set_words().relations
    assert "made to" in ours["CALLED"].forward
    assert "made to" not in ours["CALLER"].forward
    assert "made to" in theirs["CALLER"].forward
    assert "made to" not in theirs["CALLED"].forward


def test_all_other_words_are_the_same() -> None:
    ours, theirs = spoken(), set_words()
    assert {k: v for k, v in ours.relations.items() if k not in ("CALLER", "CALLED")} == {
        k: v for k, v in theirs.relations.items() if k not in ("CALLER", "CALLED")
    }
    assert ours.relations["CALLER"].inverse == theirs.relations["CALLER"].inverse
    assert ours.model_copy(update={"relations": theirs.relations}) == theirs
