"""Forms of words: plurals, participles, and words that stand in a question as a graph stores them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cypher.semantics.irregular import IRREGULAR
from cypher.semantics.lexicon import Term
from cypher.semantics.text import identifier_words
from cypher.semantics.values import StoredValue

_NOUNS: Final = frozenset(
    {
        *("people", "persons", "children", "men", "women", "series", "species", "outcomes"),
        *("taxa", "genera", "criteria", "phenomena", "media", "spouses", "indices", "vertices", "ids"),
        *("wine", "wines"),
    }
)
_GIVING: Final = frozenset(
    {
        *("aged", "colored", "coloured", "dated", "nicknamed", "priced"),
        *("ranked", "rated", "sized", "surnamed", "titled"),
    }
)
"""Participles that stand before a value of the property that they are made of."""

_THINGS: Final = frozenset(
    {
        *("building", "dwelling", "lodging", "meeting", "drawing", "recording", "hearing", "crossing"),
        *("wedding", "warning", "filing", "engraving", "etching", "ruling", "gathering"),
    }
)
"""Nouns that end like participles."""
_NO_VERBS: Final = frozenset(
    {
        *("something", "anything", "everything", "nothing", "thing", "during", "morning", "evening"),
        *("king", "ring", "spring", "string", "wing", "sibling", "ceiling", "offspring"),
        *("bed", "shed", "sled", "seed", "weed", "hundred", "kindred", "speed", "red"),
    }
)
"""Words that end like participles and never are one, or hardly ever."""
_DETERMINING: Final = frozenset(
    {"a", "an", "the", "our", "which", "what", "each", "every", "any", "per", "no"}
)
"""Words before a common noun."""


def singulars(key: str) -> tuple[str, ...]:
    """What a word may be the plural of.

    >>> singulars("cities")
    ('citie', 'city', 'citi')
    """
    out = [key.removesuffix("s")]
    if key.endswith("ies"):
        out.append(key[:-3] + "y")
    if key.endswith("es"):
        out.append(key[:-2])
    return tuple(out)


def is_verb_form(word: str) -> bool:
    """Whether a word looks like a participle or a past form.

    >>> is_verb_form("lending"), is_verb_form("something")
    (True, False)
    """
    ends = word.endswith(("ed", "ing")) and word not in _NO_VERBS
    return ends or (word in IRREGULAR and word not in _NOUNS)


def keeps_meaning(word: str, term: Term) -> bool:
    """Whether a participle still means a term: its own word, a noun, or what it gives a value of, "dated"."""
    if term.kind == "label" and word in _THINGS:
        return True
    return word in identifier_words(term.name) or (term.kind == "property" and word in _GIVING)


def as_stored(text: str, raw: str, found: Sequence[StoredValue]) -> bool:
    """Whether a word stands in capitals, as a value does, among others that do not: "calls of type CALL"."""
    return raw.isupper() and len(raw) > 1 and not text.isupper() and any(v.text == raw for v in found)


def is_common_after(before: str) -> bool:
    """Whether the word before a small-lettered one says that it is no part of a name: "the longest round".

    >>> is_common_after("longest"), is_common_after("best"), is_common_after("port")
    (True, False, False)
    """
    return before in _DETERMINING or (before.endswith("est") and len(before) > len("best"))
