"""Pronouns for somebody who was named: "who lives with Ann Moss but does not know her"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Features, Has, Noun
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

PERSONAL: Final = frozenset({"him", "her", "he", "she"})


def named_before(p: Parser, start: int, begin: Features) -> Iterator[Noun]:
    """Whom a pronoun at ``start`` stands for where a person was named before and nothing else is told of."""
    if p.word(start) not in PERSONAL or p.topic is not None or _owns(p, start):
        return
    told = [(core.end, -at, core) for at in range(start) for core in p.cores(at) if _is_name(p, core, start)]
    if told:
        _, _, core = max(told, key=lambda found: found[:2])
        more: Features = (*begin, ("c_label", 0.6))
        yield Noun(start + 1, core.thing, total(more), more, number="one", modified=1)


def _owns(p: Parser, start: int) -> bool:
    return p.word(start) == "her" and bool(p.lattice.of(start + 1, "label", "property"))


def _is_name(p: Parser, core: Noun, start: int) -> bool:
    plain = core.quantity is None and not (core.wanted or core.also or core.either)
    values = bool(core.thing.limits) and all(isinstance(x, Has) for x in core.thing.limits)
    return plain and values and core.named and core.end <= start and p.is_person(core.thing.label)
