"""Things that something is done to most often: "(who) investigates raids most often" is the most raids."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Features, Noun, Quantity
from cypher.semantics.chart.phrases import most_common
from cypher.semantics.chart.wanting import past
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_OFTEN: Final = frozenset({"often", "frequently", "commonly"})


def with_often(p: Parser, nouns: list[Noun]) -> Iterator[Noun]:
    """Nouns, and those of many behind which "most often" says that the most of them are meant."""
    yield from nouns
    for noun in nouns:
        at = past(p, noun.end)
        found = most_common(p.lower, at) if noun.number == "many" and not noun.named else None
        alone = noun.quantity is None and not (noun.wanted or noun.also or noun.either)
        if found and alone and p.word(found[0] - 1) in _OFTEN:
            more: Features = (("c_cue", 2.0),)
            quantity = Quantity("most", descending=found[1])
            score, features = noun.score + total(more), noun.features + more
            yield replace(noun, end=found[0], quantity=quantity, score=score, features=features, bare=False)
