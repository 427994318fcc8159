"""Values that the graph may not hold: "the id 12", "the code 'ZZ-9'", "named 'Zebulon'"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Features, Has, Predicate
from cypher.semantics.ir import Operator
from cypher.semantics.score import total
from schemas.store_schema import PropertyType

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_STATED: Final = 0.6
"""What a value counts that only the words around it tell to be one."""
_DECADE: Final = re.compile(r"\d{0,3}0s")
_ENDING: Final = frozenset(".?!,;:)")


def unstored(p: Parser, at: int, owner: str, name: str, begin: Features) -> Iterator[Predicate]:
    """A text behind its property that is no value of it, as far as the values are known."""
    info = p.vocabulary.words.properties.get((owner, name))
    if info is None or info.type is not PropertyType.STRING or info.numeric or info.dated:
        return
    for text, end in _told(p, at, owner, name):
        features: Features = (*begin, ("c_value", _STATED), ("c_said", 1.0))
        yield Predicate(end, owner, (Has(name, Operator.EQ, text),), total(features), features)


def unstored_name(p: Parser, at: int) -> Iterator[Predicate]:
    """A quoted text behind "named" that is the name of nothing known."""
    for text, end in _quoted(p, at):
        for label in p.vocabulary.schema.labels:
            if label.name_property:
                features: Features = (("c_cue", 1.5), ("c_value", _STATED))
                limits = (Has(label.name_property, Operator.EQ, text),)
                yield Predicate(end, label.name, limits, total(features), features)


def unstored_code(p: Parser, at: int, label: str) -> Iterator[Predicate]:
    """ "(The phone) 5-555", "(the ship) 'Nowhere'": what things of a kind are called by, though none is."""
    found = p.vocabulary.schema.label(label)
    name = found.name_property if found else ""
    for test in unstored(p, at, label, name, ()) if name else ():
        if not p.lower[at : test.end][0].isdigit() or test.end > at + 1:
            yield test


def _quoted(p: Parser, at: int) -> Iterator[tuple[str, int]]:
    if not p.lattice.of(at, "value"):
        yield from ((x.text, x.end) for x in p.lattice.of(at, "text") if x.text)


def _told(p: Parser, at: int, owner: str, name: str) -> Iterator[tuple[str, int]]:
    """What stands in quotes, else the signs up to the next space where a digit is among them."""
    if found := list(_quoted(p, at)):
        yield from found
        return
    words, end = p.lattice.words, at
    while end < p.size and (end == at or words[end].start == words[end - 1].end):
        end += 1
    while end > at and words[end - 1].text in _ENDING:
        end -= 1
    if end == at or not words[at].text[0].isalnum():
        return
    text = p.lattice.linked.text[words[at].start : words[end - 1].end]
    known = [x for x in p.lattice.of(at, "value", "day", "time") if x.end >= end]
    stored = any(x.name == name and owner in x.owners for x in known)
    if _DECADE.fullmatch(text):
        return
    if any(c.isdigit() for c in text) and not stored and (text.isdigit() or not known):
        yield text, end
