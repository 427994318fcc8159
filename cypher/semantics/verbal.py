"""Verbs that properties are said by: "directed by" for a director, "released in" for a release date."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from cypher.semantics.text import identifier_words, stem
from schemas.store_schema import StoreSchema

_WHEN: Final = frozenset({"date", "day", "time", "year", "at", "on"})
_EVENTS: Final = {
    "birth": "born",
    "death": "die",
    "foundation": "found",
    "hired": "employ",
    "joining": "join",
}
"""Words of a date's name, and the stems of verbs that say it otherwise."""
_MADE: Final = ("make", "build", "produce", "manufacture")
_BY: Final = {
    **dict.fromkeys(("author", "writer"), ("write",)),
    **dict.fromkeys(("make", "maker", "brand", "manufacturer"), _MADE),
    "artist": ("paint",),
    "architect": ("design",),
}
"""Nouns for who made something, and verbs that their endings do not give."""
_ENDINGS: Final = (("ification", "ifi"), ("ation", "at"), ("tion", ""), ("or", ""), ("er", ""))
SHORTEST: Final = 4
"""Letters of a verb's stem at least, where a noun is made from it; else one less."""


def verbal_words(schema: StoreSchema) -> Mapping[str, tuple[tuple[str, str], ...]]:
    """Stems of verbs to the properties that they say, as owner and name.

    >>> from schemas.store_schema import PropertyType, StoreLabel, StoreProperty
    >>> told = [StoreProperty(name=n, type=PropertyType.STRING) for n in ("producer", "releaseDate")]
    >>> found = verbal_words(StoreSchema(labels=(StoreLabel(name="Film", properties=tuple(told)),)))
    >>> found[stem("produced")], found[stem("released")]
    ((('Film', 'producer'),), (('Film', 'releaseDate'),))
    """
    out: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for label in schema.labels:
        for prop in label.properties:
            for verb in _verbs(identifier_words(prop.name)):
                out[verb].append((label.name, prop.name))
    return {verb: tuple(dict.fromkeys(found)) for verb, found in out.items()}


def _verbs(words: tuple[str, ...]) -> set[str]:
    found = {
        word.removesuffix(ending) + left
        for word in words
        for ending, left in _ENDINGS
        if word.endswith(ending) and len(word) - len(ending) + len(left) >= SHORTEST
    }
    if len(words) == 2 and words[1] in _WHEN:
        found.add(stem(words[0]))
        found |= {stem(_EVENTS[w]) for w in words[:1] if w in _EVENTS}
    found |= {stem(verb) for word, verbs in _BY.items() if word in words for verb in verbs}
    if len(words) == 1 and words[0].endswith("s"):
        found.add(stem(words[0]))
    return {verb for verb in found if len(verb) >= SHORTEST - 1}
