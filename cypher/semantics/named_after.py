"""Verbs that kinds of things are called after: a director directs, a production is what is produced."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from cypher.semantics.text import identifier_words, stem
from schemas.store_schema import StoreSchema

_DOERS: Final = ("er", "or")
_DEEDS: Final = ("tion", "ion", "ment", "ance", "ing", "al")
_PLACING: Final = frozenset({"locat", "situat", "posit", "sta"})
"""Stems of verbs for where anything is, whatever ties it there."""
SHORTEST: Final = 4
"""Letters of a verb's stem at least; shorter ones are rather chance: "paper"."""
DOING: Final = 0.7
"""Weight of the verb of a doer for what such things do."""
DONE: Final = 0.5
"""Weight of the verb of a deed for what ties things to it."""


def called_after(schema: StoreSchema) -> Iterator[tuple[str, str, int, float]]:
    """Stems of verbs with the relationship types that they say, the side they are said from, and weights.

    >>> from schemas.store_schema import StoreLabel, StoreRelation, StoreTriple
    >>> schema = StoreSchema(
    ...     labels=(StoreLabel(name="Director"), StoreLabel(name="Show")),
    ...     relations=(StoreRelation(type="STAGED"),),
    ...     triples=(StoreTriple(start="Director", type="STAGED", end="Show"),),
    ... )
    >>> list(called_after(schema))
    [('direct', 'STAGED', 1, 0.7)]
    """
    for label in schema.labels:
        word = identifier_words(label.name)[-1]
        starting = sorted({t.type for t in schema.triples if t.start == label.name})
        touching = sorted({t.type for t in schema.triples if label.name in (t.start, t.end)})
        for verb in _cut(word, _DOERS):
            yield from ((verb, kind, 1, DOING) for kind in starting)
        for verb in _cut(word, _DEEDS):
            yield from ((verb, kind, 0, DONE) for kind in touching)


@lru_cache(maxsize=10_000)
def says_what_they_do(label: str, kind: str) -> bool:
    """Whether a relationship type is the verb that the things at its start are called after.

    >>> says_what_they_do("Director", "DIRECTED"), says_what_they_do("Director", "ACTED_IN")
    (True, False)
    """
    said = stem(identifier_words(kind)[0])
    word = identifier_words(label)[-1]
    return any(word.endswith(x) and stem(word.removesuffix(x)) == said for x in _DOERS)


def _cut(word: str, endings: tuple[str, ...]) -> Iterator[str]:
    for ending in endings:
        verb = word.removesuffix(ending)
        if verb != word and len(verb) >= SHORTEST and verb not in _PLACING:
            yield verb
