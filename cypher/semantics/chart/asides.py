"""Words that add nothing to a question, and clefts: "in all", "who was it that called"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Predicate
from cypher.semantics.chart.topics import phrase_at
from cypher.semantics.chart.wordlists import PLACING, WHO

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_IN_ALL: Final = (
    *(("in", "total"), ("in", "all"), ("in", "sum"), ("all", "told"), ("all", "in", "all"), ("overall",)),
    *(("between", "them"), ("among", "them"), ("taken", "together"), ("put", "together"), ("combined",)),
    *(("in", "the", "whole", "graph"), ("in", "the", "data"), ("in", "the", "database"), ("to", "date")),
    *(("in", "the", "end"), ("in", "particular"), ("so", "far"), ("at", "all"), ("by", "any", "chance")),
)
"""What is said of a whole count or question and tells no condition."""

_OPENING: Final = WHO | PLACING


def in_all(p: Parser, at: int) -> int:
    """Behind "in total", "between them", "so far"; the word itself where nothing such is said."""
    return phrase_at(p, at, _IN_ALL) or at


def clefts(p: Parser, at: int) -> Sequence[Predicate]:
    """ "(Who) was it that called", "(which port) is it to which Ann sailed": the clause behind "it"."""
    cleft = p.word(at) in ("is", "was", "were") and p.word(at + 1) == "it"
    clause = {p.word(at + 2), p.word(at + 3)} & _OPENING
    return p.modifiers(at + 2) if cleft and clause else ()
