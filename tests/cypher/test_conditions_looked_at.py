"""Of the conditions of an empty answer it is told which leaves nothing, and which were not looked at."""

from __future__ import annotations

from itertools import count

import pytest

from cypher.form import Op
from cypher.general import plan as p
from cypher.general.emptied import MOST_LOOKS, why_empty
from cypher.general.kinds import Form, Kind
from schemas.schema_files import load_schema

SCHEMA = load_schema("particle_physics")
FITS = "The question fits the graph, but nothing in it matches."
LACKS = " Without one of these conditions there would be results: "


def _plan(conditions: int) -> p.Plan:
    """Papers of several years at once."""
    year = Kind(Form.VALUE, "paper", "year")
    years = (p.Tree(year, (p.Test(Op.IS, 2010 + i, str(2010 + i)),)) for i in range(conditions))
    paper = Kind(Form.ENTITY, "paper")
    branches = tuple(p.Branch((p.Tree(paper, children=(one,)),)) for one in years)
    return p.Plan(p.Tree(paper, branches=branches), p.ListOf())


def _told(conditions: int, *found: bool | None) -> str:
    """What is said where the looks end so."""
    looks = count()
    return why_empty(_plan(conditions), SCHEMA, lambda _: found[next(looks)])


def test_the_condition_that_leaves_nothing_is_told() -> None:
    text = _told(2, False, True)
    assert text.startswith(FITS + LACKS)
    assert "2011" in text
    assert "2010" not in text
    assert "looked at" not in text


def test_a_look_that_did_not_end_is_not_taken_for_no() -> None:
    assert _told(2, None, False).endswith("leaving out one of its 2 conditions finds was not looked at.")
    both = _told(3, None, True, None)
    assert LACKS in both
    assert both.endswith(" What leaving out each of 2 of its 3 conditions finds was not looked at.")
    assert _told(2, False, False) == FITS


@pytest.mark.parametrize("more", [1, 3])
def test_conditions_beyond_the_looks_are_said_not_to_be_looked_at(more: int) -> None:
    of = MOST_LOOKS + more
    text = _told(of, *[False] * MOST_LOOKS)
    which = "one" if more == 1 else f"each of {more}"
    assert text == f"{FITS} What leaving out {which} of its {of} conditions finds was not looked at."
