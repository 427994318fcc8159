"""Conditions said behind a noun as what is provided: "..., as long as it lies in Y4"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Predicate
from cypher.semantics.chart.topics import phrase_at
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_PROVIDED: Final = (
    *(
        ("provided", "that"),
        ("providing", "that"),
        ("given", "that"),
        ("assuming", "that"),
        ("as", "long", "as"),
    ),
    *(("so", "long", "as"), ("on", "condition", "that"), ("on", "the", "condition", "that"), ("only", "if")),
    *(("provided",), ("providing",), ("assuming",), ("supposing", "that"), ("but", "only", "if"), ("if",)),
)
_ONE: Final = frozenset({"it", "he", "she"})
_MANY: Final = frozenset({"they", "these", "those"})


def provided(p: Parser, at: int) -> Iterator[Predicate]:
    """What a pronoun behind such words is said to do, told of the noun in front; a comma may close it."""
    pronoun = phrase_at(p, at + (p.word(at) == ","), _PROVIDED)
    number = "one" if p.word(pronoun) in _ONE else "many" if p.word(pronoun) in _MANY else ""
    if not pronoun or not number:
        return
    for told in p.predicates(pronoun + 1):
        features = (*told.features, ("c_relative", 1.0), ("c_cue", 1.0))
        one = replace(told, features=features, score=total(features), number=number)
        yield one
        if p.word(told.end) == "," and p.word(at) == ",":
            yield replace(one, end=told.end + 1)
