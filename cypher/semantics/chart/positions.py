"""Positions of what lies where something else does: "the northernmost raid" by the port that it hit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from cypher.semantics.chart.forms import LooseExtreme, Ranked, Wanted
from cypher.semantics.chart.ways import Ways
from cypher.semantics.ir import Measure
from cypher.semantics.lexicon import PropertyInfo
from cypher.semantics.numbers import hinted

POSITIONS: Final = frozenset({"latitude", "longitude"})
"""Hints of superlatives that say where something is."""
MOST_COST: Final = 3.0
ELSEWHERE: Final = 0.2
"""Cost of a position that is that of something else."""


def positioned(
    label: str, limit: LooseExtreme, infos: Iterable[PropertyInfo], ways: Ways
) -> Iterator[tuple[Ranked, float]]:
    """Rankings of a label by the nearest of some properties that say a position, each with its cost."""
    found = [
        (cost, len(path), info.owner, path, info)
        for info in infos
        for path, cost in ways.bridges(label, info.owner)
        if hinted([info], limit.hint) and info.numeric and path
    ]
    if found:
        cost, _, owner, path, info = min(found, key=lambda x: x[:3])
        measure = Measure.MAX if limit.descending else Measure.MIN
        if cost <= MOST_COST:
            yield Ranked(Wanted(path, owner, info.name), measure, limit.descending), cost / 2 + ELSEWHERE
