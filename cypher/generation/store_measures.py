"""What superlatives may rank in any property graph: numbers and days by the names of their properties."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from cypher.generation.rankings import SUPERLATIVES, Measures
from cypher.semantics.lexicon import DATED_WORDS
from cypher.semantics.text import identifier_words
from cypher.words import stems
from schemas.store_schema import PropertyType, StoreProperty, StoreSchema

_NUMBERS: Final = frozenset({PropertyType.INTEGER, PropertyType.FLOAT})
_DAYS: Final = frozenset({PropertyType.DATE, PropertyType.DATETIME, PropertyType.TIME})
_AGE: Final = "age"


def measures_of(schema: StoreSchema, words: Mapping[str, Sequence[str]]) -> Measures:
    """The measures of a store; ``words`` are the phrases for its labels, types and properties.

    No store says which of its numbers are errors or sizes, so "largest" asks for the number that is named,
    else for any that is no plain name. "Oldest" is the earliest day or the largest age.

    >>> from schemas.store_schema import StoreLabel
    >>> beer = StoreLabel(name="Beer", properties=(StoreProperty(name="price", type=PropertyType.FLOAT),))
    >>> measures_of(StoreSchema(labels=(beer,)), {"Beer": ("beer",), "price": ("price", "cost")}).named
    {'price': (('pric',), ('cost',))}
    """
    properties = list(_properties(schema))
    ages = {p.name for p in properties if p.type in _NUMBERS and identifier_words(p.name)[-1:] == (_AGE,)}
    times = {p.name for p in properties if p.type in _DAYS or DATED_WORDS & set(identifier_words(p.name))}
    phrases = [stems(said.lower()) for each in words.values() for said in each]
    terms = [*(x.name for x in schema.labels), *(r.type for r in schema.relations)]
    return Measures(
        named={p.name: _phrases(words, p.name) for p in properties if p.type in _NUMBERS | _DAYS},
        times=frozenset(times),
        ages=frozenset(ages),
        fixed=frozenset(p for p in phrases if len(p) > 1 and p[0] in SUPERLATIVES),
        things=frozenset(word for term in terms for phrase in _phrases(words, term) for word in phrase),
    )


def _phrases(words: Mapping[str, Sequence[str]], name: str) -> tuple[tuple[str, ...], ...]:
    return tuple(stems(said.lower()) for said in words.get(name, ()))


def _properties(schema: StoreSchema) -> Iterable[StoreProperty]:
    yield from (p for x in schema.labels for p in x.properties)
    yield from (p for r in schema.relations for p in r.properties)
