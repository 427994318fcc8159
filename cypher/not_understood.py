"""Why words of a question stop it: a name that the graph does not hold, or a word that is known elsewhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from cypher.fillers import FILLERS
from cypher.general import english as en
from cypher.own_store import fingerprint_of
from cypher.semantics.lightly import LIGHT
from cypher.units import SCALES
from cypher.words import CUES, NUMBERS, STATEMENT_WORDS, STOP_WORDS, stem
from schemas.graph_schema import GraphSchema

MOST_SHOWN: Final = 80
KNOWS_NOTHING: Final = "knows nothing called"
"""What is said of the graph where a question has a name that it does not hold."""
_MORE: Final = en.words(
    "but and or nor not no than if unless while whereas although though because so then else only just even "
    "before after since until till between above below over under per by at as of to with without within "
    "sort sorted sorting order ordered ordering rank ranked group grouped ascending descending first last "
    "smallest largest lowest highest biggest greatest least most fewest more fewer less same different equal "
    "unit units number numbers how why where whose whom"
)
"""Words of English that say how things are joined, compared or ordered, and name nothing."""
_SYMBOLS: Final = frozenset(u for scale in SCALES.values() for u, _ in scale if u)


def stops(phrases: Sequence[str], names: Sequence[str], schema: GraphSchema) -> str:
    """What is said of phrases that nothing explains; ``names`` are those of the graph that are near."""
    known: list[str] = []
    unknown: list[str] = []
    for phrase in phrases:
        before, inner, behind = _trimmed(phrase)
        if not inner or _is_known(inner, schema):
            known.append(phrase)
            continue
        known += [p for p in (before, behind) if p]
        unknown.append(inner)
    said = []
    if known:
        verb, them = ("is", "it") if len(known) == 1 else ("are", "them")
        end = "." if unknown else f", and an answer that leaves {them} out would mislead."
        said.append(f"{_quoted(known)} {verb} not understood here{end}")
    if unknown:
        called = f"The graph {KNOWS_NOTHING} {_quoted(unknown)}"
        said.append(f"{called}, and an answer that leaves it out would mislead.")
        said += nearest(names)
    return " ".join(said)


def nearest(names: Sequence[str]) -> list[str]:
    """The names that are near to an unknown one, in a sentence; none without any."""
    return [f"Nearest names: {', '.join(names)}."] if names else []


def _trimmed(phrase: str) -> tuple[str, str, str]:
    """Words of English in front, what may be a name, and words of English behind.

    >>> _trimmed("but zork sort"), _trimmed("sort by")
    (('but', 'zork', 'sort'), ('sort by', '', ''))
    """
    words = phrase.split()
    first = next((i for i, w in enumerate(words) if w.strip(",;:?!").lower() not in _english()), len(words))
    last = len(words)
    while last > first and words[last - 1].strip(",;:?!").lower() in _english():
        last -= 1
    return " ".join(words[:first]), " ".join(words[first:last]), " ".join(words[last:])


def _quoted(phrases: Sequence[str]) -> str:
    return ", ".join(f"'{p[:MOST_SHOWN]}'" for p in phrases)


def _is_known(phrase: str, schema: GraphSchema) -> bool:
    """Whether all words of a phrase are of English, of units or of the schema, so that it names nothing."""
    words = re.findall(r"[^\s,;:?!]+", phrase)
    own = _schema_words(_Keyed(schema))
    return bool(words) and all(
        w in _SYMBOLS or w.lower() in _english() or (w.lower() == w and stem(w) in own) for w in words
    )


class _Keyed:
    """A schema by its fingerprint."""

    def __init__(self, schema: GraphSchema) -> None:
        self.schema, self._key = schema, fingerprint_of(schema)

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Keyed) and other._key == self._key


@lru_cache(maxsize=4)
def _schema_words(keyed: _Keyed) -> frozenset[str]:
    said = [phrase for n in keyed.schema.entities for phrase in (n.name, *n.verbalisations)]
    said += [p for r in keyed.schema.relations for p in (r.name, *r.verbalisations, *r.inverse)]
    attributes = [a for e in keyed.schema.entities for a in e.attributes]
    attributes += [a for r in keyed.schema.relations for a in r.attributes]
    said += [p for a in attributes for p in (a.name, *a.verbalisations, *a.enum)]
    return frozenset(stem(w) for phrase in said for w in re.findall(r"[A-Za-z]+", phrase))


@lru_cache(maxsize=1)
def _english() -> frozenset[str]:
    cues = frozenset(w for phrase in CUES for w in phrase)
    return (
        _MORE | cues | STOP_WORDS | STATEMENT_WORDS | FILLERS | LIGHT | frozenset(NUMBERS)
        | en.AUXILIARIES | en.PREPOSITIONS | en.FILLING | en.VERBS
    )  # fmt: skip
