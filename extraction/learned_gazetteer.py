"""Names seen in training, matched on normalised tokens, with how often each of them was which type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from extraction.learned_text import Mention, Text

LONGEST_NAME = 12
"""Tokens; a longer name is not matched."""
NO_TYPE = ""
_HYPHENS = frozenset("-\u2010\u2011\u2012\u2013")

Key = tuple[str, ...]


def name_key(words: Sequence[str]) -> Key:
    """What spellings of one name share: lower case, no hyphens, a plural's last letter dropped.

    >>> name_key(("Beta", "-", "Blockers")) == name_key(("beta", "blocker"))
    True
    """
    plain = [w.lower() for w in words if w not in _HYPHENS]
    if plain:
        plain[-1] = _singular(plain[-1])
    return tuple(plain)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word[-1] == "s" and word[-2] != "s" else word


@dataclass(slots=True)
class Gazetteer:
    """Counts per name: as an entity of each type, and as plain words."""

    counts: dict[Key, Counter[str]] = field(default_factory=dict)
    """Type, or ``NO_TYPE`` for an occurrence that is no entity of its own."""
    starts: dict[str, int] = field(default_factory=dict)
    """First token of a key -> tokens of the longest key that begins with it."""

    def add(self, key: Key, kind: str, times: int = 1) -> None:
        """Count one more occurrence."""
        if not key or len(key) > LONGEST_NAME:
            return
        self.counts.setdefault(key, Counter())[kind] += times
        self.starts[key[0]] = max(self.starts.get(key[0], 0), len(key))

    def matches(self, words: Sequence[str]) -> Iterator[tuple[int, int, Key]]:
        """Longest matches from left to right as (start, end, key), not overlapping."""
        low = [w.lower() for w in words]
        at = 0
        while at < len(low):
            reach = max(self.starts.get(low[at], 0), self.starts.get(_singular(low[at]), 0))
            found = self._longest(low, at, reach) if reach else None
            if found is None:
                at += 1
            else:
                yield at, found[0], found[1]
                at = found[0]

    def _longest(self, low: Sequence[str], at: int, reach: int) -> tuple[int, Key] | None:
        for end in range(min(len(low), at + 2 * reach), at, -1):
            key = name_key(low[at:end])
            if key in self.counts and low[end - 1] not in _HYPHENS:
                return end, key
        return None

    def kind(self, key: Key) -> tuple[str, float]:
        """The commonest type of a name and its share of all occurrences; ``("", 0)`` for an unknown name."""
        counts = self.counts.get(key)
        if not counts:
            return NO_TYPE, 0.0
        typed = [(n, kind) for kind, n in counts.items() if kind != NO_TYPE]
        if not typed:
            return NO_TYPE, 0.0
        n, kind = max(typed, key=lambda x: (x[0], x[1]))
        return kind, n / counts.total()


def build_gazetteer(texts: Iterable[tuple[Text, Sequence[tuple[Mention, str]]]]) -> Gazetteer:
    """Names of labelled texts; occurrences of a name that are not labelled count against it."""
    gazetteer = Gazetteer()
    kept = [(text, list(mentions)) for text, mentions in texts]
    for text, mentions in kept:
        for mention, kind in mentions:
            gazetteer.add(name_key(text.words(mention)), kind)
    for text, mentions in kept:
        labelled = {mention for mention, _ in mentions}
        for index, sentence in enumerate(text.sentences):
            for start, end, key in gazetteer.matches(sentence.words):
                if Mention(index, start, end) not in labelled:
                    gazetteer.add(key, NO_TYPE)
    return gazetteer
