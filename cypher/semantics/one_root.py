"""Words of one root with a schema's: "inspection" for ``INSPECTED``, "insured" for an insurance value."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from cypher.semantics.deed_names import nouns_of
from cypher.semantics.inflected import is_verb_form
from cypher.semantics.lexicon import Term, Words
from cypher.semantics.mentions import Linked
from cypher.semantics.text import identifier_words, stem
from schemas.store_schema import StoreSchema

DEED: Final = 0.9
"""What a noun for what a relationship is a verb of counts: "inspection" for ``INSPECTED``."""
GIVING: Final = 1.05
"""Weight of a participle for a property: of those that weigh less no property is meant."""
_MEASURES: Final = frozenset(
    {"value", "amount", "sum", "total", "level", "count", "number", "rate", "score", "cost", "price", "fee"}
)
"""Words of properties that say that something is a number, and not of what."""
_ONE_OF: Final = frozenset({"a", "an", "the", "any", "no", "his", "her", "its", "their", "last", "first"})
"""Words before a noun for one deed."""
SHORTEST: Final = 3
"""Letters of a word that anything is near to."""


def deeds_of(linked: Linked, schema: StoreSchema) -> dict[str, list[Term]]:
    """Types of relationships by the nouns that name one deed in a question: "failed an inspection".

    None beside numbers and days, which may be the deed's; none for several: "dependencies of X" are things.
    """
    if any(m.number is not None or m.day is not None for m in linked.mentions):
        return {}
    pairs = pairwise(w.lower for w in linked.words)
    said = {
        word for before, word in pairs if before in _ONE_OF and word in map(str.lower, linked.unexplained)
    }
    kinds = [r.type for r in schema.relations]
    return {word: [Term("relation", k, weight=DEED) for k in kinds if word in nouns_of(k)] for word in said}


def measured(schema: StoreSchema, words: Words) -> Iterator[tuple[str, list[Term]]]:
    """First words of properties called by a measure, with the property: "insurance" of insuranceValue."""
    names = [p.name for x in schema.labels for p in x.properties]
    names += [p.name for r in schema.relations for p in r.properties]
    for name in dict.fromkeys(names):
        told = identifier_words(name)
        if len(told) > 1 and len(told[0]) >= SHORTEST and _MEASURES.issuperset(told[1:]):
            found = words.lexicon.phrases.get(tuple(stem(w) for w in told), [])
            yield told[0], [t for t in found if t.kind == "property" and t.name == name]


def gives(phrase: str, term: Term) -> bool:
    """Whether a participle was taken for a property, which it means only if it weighs more: "insured"."""
    return term.kind == "property" and is_verb_form(phrase)
