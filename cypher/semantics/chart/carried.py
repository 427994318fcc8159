"""The most of what many have together: "(contains) locations with the most postcodes"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Features, Linked, Most, Noun, Thing, reverse
from cypher.semantics.schema_paths import Path

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_CERTAIN: Final = frozenset({"the", "those", "these", "all"})
CARRIED: Final[Features] = (("c_cue", 0.3),)
"""What speaks for counting what all of them have, not for the one of them that has most."""


def carried(p: Parser, at: int, path: Path, noun: Noun) -> Most | None:
    """What a thing has most of that is tied by a path to many of which nobody says which ones.

    ``at`` is where the noun phrase starts. "Which port has ships with the most berths" asks for the port
    whose ships have most berths together; "the ship with the most berths" is one of them.
    """
    found = [x for x in noun.thing.limits if isinstance(x, Most)]
    certain = p.word(at) in _CERTAIN or noun.number != "many"
    if certain or noun.quantity or noun.also or noun.either or len(found) != 1:
        return None
    return through(path, noun.thing, found[0])


def through(path: Path, thing: Thing, most: Most) -> Most:
    """The most of what things have, counted for what a path leads from."""
    rest = tuple(x for x in thing.limits if x is not most)
    if most.passing:
        return most.behind(path)
    if there := _counted_itself(path, most):
        doer = Linked(reverse(most.path, thing.label), Thing(thing.label, rest))
        return Most(there, most.thing.plus(doer), most.descending)
    return Most((*path, *most.path), most.thing, most.descending, rest, len(path))


def _counted_itself(path: Path, most: Most) -> Path:
    """The part of a path that ends at what is counted: meadows of a valley are counted in it alone."""
    ends = [i for i, step in enumerate(path) if step.to == most.path[-1].to]
    return path[: ends[0] + 1] if ends else ()
