"""Nouns that end the names of things and so say of what kind they are: "the Quarrie Telescope"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from cypher.semantics.text import identifier_words, stem
from cypher.semantics.values import ValueTable
from schemas.store_schema import StoreSchema

LEAST_NAMES: Final = 4
"""Names of a label that end in one noun, at least."""
LEAST_SHARE: Final = 0.3
"""Share of all names of a label that do."""
RIVAL: Final = 0.5
"""Names that end in any other noun, beside those, at most."""
SHORTEST: Final = 4
"""Letters of such a noun at least."""
CALLED: Final = 0.8
"""Weight of such a noun for the label's things."""


def name_nouns(schema: StoreSchema, values: ValueTable) -> Iterator[tuple[str, str]]:
    """Nouns with the label whose things have them at the end of their names more often than others.

    A noun that the schema has already, or that ends the names of another label's things as well, says
    nothing for sure.

    >>> from cypher.semantics.values import StoredValue
    >>> from schemas.store_schema import StoreLabel
    >>> names = ("Ash Quarry", "Elm Quarry", "Oak Quarry", "Old Quarry", "The Hole")
    >>> table = ValueTable([StoredValue("Pit", "name", x) for x in names])
    >>> list(name_nouns(StoreSchema(labels=(StoreLabel(name="Pit", name_property="name"),)), table))
    [('quarry', 'Pit')]
    """
    known = {stem(w) for name in _identifiers(schema) for w in identifier_words(name)}
    texts = values.texts([(x.name, x.name_property) for x in schema.labels if x.name_property])
    ending = {label: _endings(names) for (label, _), names in texts.items()}
    for label, (tally, names) in ending.items():
        (noun, n), (_, second) = [*tally.most_common(2), ("", 0), ("", 0)][:2]
        elsewhere = any(noun in other for name, (other, _) in ending.items() if name != label)
        often = n >= max(LEAST_NAMES, LEAST_SHARE * names) and second <= RIVAL * n
        if often and not elsewhere and stem(noun) not in known:
            yield noun, label


def _identifiers(schema: StoreSchema) -> Iterator[str]:
    yield from (x.name for x in schema.labels)
    yield from (x.type for x in schema.relations)
    yield from (p.name for x in schema.labels for p in x.properties)
    yield from (p.name for x in schema.relations for p in x.properties)


def _endings(names: Iterable[str]) -> tuple[Counter[str], int]:
    """Last words of names of several words, and how many names there are."""
    parted = [name.split() for name in names]
    last = (words[-1] for words in parted if len(words) > 1)
    return Counter(w.lower() for w in last if w.isalpha() and len(w) >= SHORTEST), len(parted)
