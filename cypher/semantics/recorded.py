"""Values that nobody wrote down: "papers whose date is not recorded" are papers without a date."""

from __future__ import annotations

import re
from typing import Final

from cypher.semantics.gendered import NO_VALUES
from cypher.semantics.text import identifier_words, stem
from cypher.semantics.unit_words import SHORT
from cypher.semantics.values import ValueTable
from schemas.store_schema import StoreSchema

_NOT: Final = r"(?:(?:is|are|was|were|has|have) (?:not|never)|isn['’]?t|aren['’]?t|wasn['’]?t|weren['’]?t)"
_KEPT: Final = (
    r"(?: been| yet)? (?:recorded|known|measured|stored|documented|noted|registered|entered|specified|given"
    r"|on record|on file|available|filled in)"
)
_UNKNOWN: Final = (
    r"(?:(?:is|are|was|were) (?P<lacking>unknown|missing|unrecorded|undocumented|unspecified)"
    rf"|{_NOT}{_KEPT}|(?:we|you|they|I) (?:do not|don['’]?t) (?:know|have)|nobody knows)"
)
_WHOSE: Final = re.compile(rf"\bwhose (?P<what>[a-z][\w -]*?) {_UNKNOWN}\b", re.IGNORECASE)
_FOR_WHICH: Final = re.compile(
    rf"^(?:for|of) (?:which|what) (?P<things>[\w ]+?) (?:is|are|was|were) the (?:number of |amount of )?"
    rf"(?P<what>[\w -]+?) (?:not|never){_KEPT}(?P<end>[\s?.!]*)$",
    re.IGNORECASE,
)


def recordable(schema: StoreSchema) -> frozenset[tuple[str, ...]]:
    """What properties of things are called, by stems: with their units and without."""
    return frozenset(n for label in schema.labels for p in label.properties for n in _called(p.name))


def _called(name: str) -> set[tuple[str, ...]]:
    words = identifier_words(name)
    short = {words[:-1]} if len(words) > 1 and words[-1] in SHORT else set()
    return {tuple(map(stem, n)) for n in {words} | short}


def unrecorded(question: str, known: frozenset[tuple[str, ...]], values: ValueTable = NO_VALUES) -> str:
    """The question for what is without a value, where it says that the value is not known.

    A graph that stores "unknown" as a value of the property is asked for that.

    >>> known = frozenset({(stem("funding"), stem("agency")), (stem("depth"),)})
    >>> unrecorded("Which labs are there whose funding agency we don't know?", known)
    'Which labs are there without a funding agency?'
    >>> unrecorded("For which wells was the depth not measured?", known)
    'Which wells have unknown depth?'
    >>> unrecorded("Which wells are there whose owner is not known?", known)
    'Which wells are there whose owner is not known?'
    >>> from cypher.semantics.values import StoredValue
    >>> stored = ValueTable([StoredValue("Well", "depth", "unknown")])
    >>> unrecorded("Which wells are there whose depth is unknown?", known, stored)
    'Which wells are there whose depth is unknown?'
    >>> stored = ValueTable([StoredValue("Pump", "status", "unknown")])
    >>> unrecorded("Which wells are there whose depth is unknown?", known, stored)
    'Which wells are there without a depth?'
    """

    def without(found: re.Match[str]) -> str:
        what = _stems(found["what"])
        same = values.exact(found["lacking"].lower()) if found["lacking"] else ()
        stored = any(what in _called(value.property) for value in same)
        return f"without a {found['what']}" if what in known and not stored else found[0]

    asked = _FOR_WHICH.match(question)
    if asked is not None and _stems(asked["what"]) in known:
        return f"Which {asked['things']} have unknown {asked['what']}{asked['end']}"
    return _WHOSE.sub(without, question)


def _stems(what: str) -> tuple[str, ...]:
    return tuple(map(stem, what.lower().split()))
