"""Values of relationships behind a verb: "flew as captain", "cancelled because of fog", "drives at night"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Predicate, Told
from cypher.semantics.chart.naming import has_value
from cypher.semantics.chart.wordlists import FREE
from cypher.semantics.schema_paths import Path
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_AS: Final = (
    ("because", "of"), ("due", "to"), ("owing", "to"), ("on", "account", "of"), ("as",),
    ("at",), ("by",), ("via",), ("during",),
)  # fmt: skip


def told_as(p: Parser, first: Predicate, path: Path) -> Iterator[Predicate]:
    """The predicate with a value of the relationship that it is about, behind "as", "because of" or "at"."""
    size = next((len(x) for x in _AS if p.lower[first.end : first.end + len(x)] == x), 0)
    at = first.end + size
    while size and p.word(at) in FREE:
        at += 1
    for value in p.lattice.of(at, "value") if size and len(path) == 1 else ():
        if value.values[0].of_relation and value.owners[0] == path[0].type:
            features = (*first.features, ("c_value", value.score), ("c_cue", 1.0))
            limits = (*first.limits, Told(path[0], has_value(value)))
            yield replace(first, end=value.end, limits=limits, features=features, score=total(features))
