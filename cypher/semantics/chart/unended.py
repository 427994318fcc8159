"""What goes on because nothing says that it ended: "still open", "unresolved", "not returned yet"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.days import made
from cypher.semantics.chart.forms import Features, Has, Predicate
from cypher.semantics.ir import Operator
from cypher.semantics.lives import holds_day_of_life
from cypher.semantics.text import identifier_words, stem

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_GOING_ON: Final = frozenset({"open", "outstanding", "pending", "unfinished", "ongoing", "active", "current"})
"""Words for what has not ended, whatever it is."""
_ENDING: Final = frozenset(
    stem(word)
    for line in (
        "resolved resolution closed closing closure ended end ending finished finish completed completion",
        "settled returned return discharged discharge concluded terminated cleared paid repaid fixed expired",
    )
    for word in line.split()
)
"""Words of properties that hold when something ended."""
_DATED: Final = frozenset({"on", "at", "date", "day", "year", "time", "to", "until"})
_DENYING: Final = "un"
_SHORTEST: Final = 4


def unended(p: Parser, at: int) -> Iterator[Predicate]:
    """Conditions that no end is known, by the only dated property whose name says an end.

    Dogs are not open because calls are that they were sent to: where the question says kinds of things, it
    is of one of these.
    """
    word = p.word(at)
    verb = word.removeprefix(_DENYING)
    denied = stem(verb) if word.startswith(_DENYING) and len(verb) >= _SHORTEST else ""
    if (word not in _GOING_ON and not denied) or p.lattice.of(at, "value"):
        return
    said = p.lattice.said
    for label in p.vocabulary.schema.labels:
        if said and label.name not in said:
            continue
        names = [x.name for x in label.properties if _says_end(p, label.name, x.name, denied)]
        if len(names) == 1:
            features: Features = (("c_property", 0.8), ("c_cue", 1.0))
            yield made(at + 1, label.name, (Has(names[0], Operator.UNKNOWN),), features)


def _says_end(p: Parser, owner: str, name: str, denied: str) -> bool:
    """Whether a property holds when something ended, or when that happened which is denied."""
    parts = identifier_words(name)
    info = p.vocabulary.words.properties.get((owner, name))
    if info is None or holds_day_of_life(name) or not (info.dated or set(parts) & _DATED):
        return False
    stems = {stem(x) for x in parts}
    return denied in stems if denied else bool(stems & _ENDING)
