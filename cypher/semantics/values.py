"""Values of a graph, found by their words: exact first, then by character n-grams."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from rapidfuzz import fuzz, process

from cypher.semantics.day_times import is_time
from cypher.semantics.slips import likeness
from cypher.semantics.text import stem, value_key

NEAR: Final = 0.35
"""Least cosine of character 3-grams (TF-IDF) of what may be a near spelling."""
LIKE: Final = 70
"""Least likeness of a text to an unknown word, of 100, to be told as one that may be meant."""
MOST_TRIED: Final = 10
"""Values most like a name that it is compared with letter by letter."""
MOST_NEAR: Final = 60_000
"""Values above this number are found exactly only: the n-gram matrix would cost more than it finds."""
MOST_KINDS: Final = 60
"""Values of a property with more than this many are names, and found by their full text only."""
MOST_WORDS: Final = 3
"""Content words of a value at most that one of its words may stand for; longer ones are sentences."""
MOST_READ: Final = 80
"""Characters of a text in which signs are counted; longer ones are not found by all their words."""
_SIGNS: Final = re.compile(r"[^\w\s]")
SENTENCE: Final = 4
"""Content words from which on a value is found as the sentence that says it, "and" and "is" included."""
_SMALL: Final = frozenset(
    (
        *("a", "an", "the", "of", "and", "or", "in", "on", "at", "to", "by", "for", "with"),
        *("is", "are", "was", "were", "been", "has", "have", "had"),
    )
)
_JOINING: Final = frozenset({"with", "in", "at", "by", "on", "for", "to", "from", "and", "or"})
_OPENS_ANOTHER: Final = re.compile(r"(?<! of)\san?\s|\sthe\s", re.IGNORECASE)
_DAY = re.compile(r"\d{1,2}/(\d{1,2})/\d{4}")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_ISO = re.compile(r"\d{4}-\d\d-\d\d")
_CLOCK = re.compile(_ISO.pattern + r"[T ]\d\d:")
LISTED: Final = 0.15
"""Share of a property's texts with commas from which on they are read as lists."""
LONGEST_LIST: Final = 80
"""Characters of a list at most; longer texts are prose."""


@dataclass(frozen=True, slots=True)
class StoredValue:
    """A text value of a property of nodes of one label, or of relationships of one type."""

    owner: str
    """Label, or relationship type."""
    property: str
    text: str
    many: bool = False
    """Whether the property holds lists."""
    of_relation: bool = False
    item: bool = False
    """Whether it is one of several that a text lists, commas between: looked for inside the text."""


class ValueTable:
    """All text values of a graph.

    >>> table = ValueTable([StoredValue("City", "name", "San Marino"), StoredValue("City", "size", "12")])
    >>> [v.text for v in table.exact("san marino")], table.is_numeric("City", "size")
    (['San Marino'], True)
    """

    def __init__(self, values: Iterable[StoredValue]) -> None:
        self._by_key: dict[str, list[StoredValue]] = defaultdict(list)
        self._few: dict[int, tuple[StoredValue, ...]] = {}
        counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
        days: dict[tuple[str, str], int] = defaultdict(int)
        isos: dict[tuple[str, str], int] = defaultdict(int)
        clocks: set[tuple[str, str]] = set()
        times: dict[tuple[str, str], int] = defaultdict(int)
        self.longest = 1
        for value in values:
            key = value_key(value.text)
            if not key:
                continue
            self._by_key[key].append(value)
            signs = len(_SIGNS.findall(value.text, 0, MOST_READ))  # "7-(243)" has five words
            self.longest = max(self.longest, min(key.count(" ") + 1 + signs, 14))
            tally = counts[value.owner, value.property]
            tally[0] += 1
            days[value.owner, value.property] += _day_first(value.text)
            times[value.owner, value.property] += is_time(value.text)
            isos[value.owner, value.property] += _ISO.match(value.text) is not None
            if _CLOCK.match(value.text):
                clocks.add((value.owner, value.property))
            tally[1] += _NUMBER.fullmatch(value.text.replace(",", "")) is not None
        self._numeric = frozenset(k for k, (n, hits) in counts.items() if hits >= 0.6 * n)
        self._days = frozenset(k for k, (n, _) in counts.items() if days[k] > 0.9 * n)
        self._distinct = {k: n for k, (n, _) in counts.items()}
        self._items = _items(self._by_key)
        self._times = frozenset(k for k, (n, _) in counts.items() if times[k] == n)
        self._iso = frozenset(k for k, (n, _) in counts.items() if isos[k] > 0.9 * n)
        self._clocks = frozenset(clocks)
        self._kinds: dict[frozenset[str], list[StoredValue]] = defaultdict(list)
        self._parts: dict[str, list[StoredValue]] = defaultdict(list)
        for found in self._by_key.values():
            for value in found:
                self._add_kind(value)

    def _add_kind(self, value: StoredValue) -> None:
        """Notes the words of a value that is one of few of its property."""
        if self._distinct[value.owner, value.property] > MOST_KINDS or any(c.isdigit() for c in value.text):
            return
        stems = kind_stems(value.text)
        if stems:
            self._kinds[stems].append(value)
        if len(stems) >= SENTENCE:
            self.longest = max(self.longest, min(2 * len(stems) + 1, 14))
        for part in stems if 1 < len(stems) <= MOST_WORDS else ():
            self._parts[part].append(value)

    def same_words(self, text: str) -> Sequence[StoredValue]:
        """Values, of properties with few, that are made of the same words, whatever their order and endings.

        >>> table = ValueTable([StoredValue("Crime", "type", "Possession of weapons")])
        >>> [v.text for v in table.same_words("weapon possessions")]
        ['Possession of weapons']
        """
        return self._kinds.get(kind_stems(text), ())

    def with_word(self, word: str) -> Sequence[StoredValue]:
        """Values, of properties with few, of which ``word`` is one of several words."""
        return self._parts.get(stem(word.lower()), ()) or self._parts.get(stem(value_key(word)), ())

    def exact(self, key: str) -> Sequence[StoredValue]:
        """Values whose key is ``key`` (see :func:`cypher.semantics.text.value_key`)."""
        return self._by_key.get(key, ())

    def with_words(self, spoken: Mapping[str, Mapping[str, Sequence[str]]]) -> ValueTable:
        """The table with other words for some of its values, by ``Label.property`` and value.

        >>> table = ValueTable([StoredValue("Call", "type", "SMS")])
        >>> said = table.with_words({"Call.type": {"SMS": ["text message"]}})
        >>> [v.text for v in said.exact("text message")], list(table.exact("text message"))
        (['SMS'], [])
        """
        other = copy(self)
        other._by_key = defaultdict(list, {key: list(found) for key, found in self._by_key.items()})
        for owned, values in spoken.items():
            owner, _, name = owned.partition(".")
            for text, phrases in values.items():
                found = [v for v in self.exact(value_key(text)) if (v.owner, v.property) == (owner, name)]
                for key in map(value_key, phrases if found else ()):
                    other._by_key[key] += found
                    other.longest = max(other.longest, key.count(" ") + 1)
        return other

    def without(self, properties: Collection[tuple[str, str]]) -> ValueTable:
        """The table without the values of some nodes' properties, and without other words for values.

        >>> table = ValueTable([StoredValue(x, "name", "Max") for x in ("Actor", "Person")])
        >>> [v.owner for v in table.without({("Actor", "name")}).exact("max")]
        ['Person']
        """
        every = (v for key, found in self._by_key.items() for v in found if value_key(v.text) == key)
        return ValueTable(v for v in every if v.of_relation or (v.owner, v.property) not in properties)

    def item(self, key: str) -> Sequence[StoredValue]:
        """One of several things that texts of a property list.

        >>> table = ValueTable([StoredValue("Hill", "cover", c) for c in ("oak, ash", "ash, fir", "fir")])
        >>> [(v.text, v.item) for v in table.item("ash")]
        [('ash', True)]
        """
        return self._items.get(key, ())

    def is_iso(self, owner: str, prop: str) -> bool:
        """Whether the values of this text property are days as ``yyyy-mm-dd``, at their start."""
        return (owner, prop) in self._iso

    def has_clock(self, owner: str, prop: str) -> bool:
        """Whether a time of day follows the day in values of this text property.

        >>> table = ValueTable([StoredValue("Order", "placed", "1996-07-04 00:00:00.000")])
        >>> table.is_iso("Order", "placed"), table.has_clock("Order", "placed")
        (True, True)
        """
        return (owner, prop) in self._clocks

    def is_numeric(self, owner: str, prop: str) -> bool:
        """Whether most values of this text property are numbers."""
        return (owner, prop) in self._numeric

    def is_day(self, owner: str, prop: str) -> bool:
        """Whether the values of this text property are days as ``dd/mm/yyyy``."""
        return (owner, prop) in self._days

    def is_time(self, owner: str, prop: str) -> bool:
        """Whether the values of this text property are times of day as ``hh:mm``."""
        return (owner, prop) in self._times

    def is_name(self, value: StoredValue) -> bool:
        """Whether a value is one of so many of its property that it rather names one thing than a kind."""
        return self._distinct[value.owner, value.property] > MOST_KINDS

    def kinds(self, most: int) -> tuple[StoredValue, ...]:
        """Values of one small-lettered word, of properties with so many different values at most.

        >>> table = ValueTable([StoredValue("Trip", "state", x) for x in ("done", "put off")])
        >>> [v.text for v in table.kinds(9)], table.kinds(1)
        (['done'], ())
        """
        return tuple(v for v in self.few(most) if v.text.isalpha() and v.text.islower())

    def few(self, most: int) -> tuple[StoredValue, ...]:
        """Values of properties with so many different ones at most, in the order of their keys."""
        if most not in self._few:
            found = ((k, v) for k, some in self._by_key.items() for v in some)
            few = [(k, v) for k, v in found if self._distinct[v.owner, v.property] <= most]
            self._few[most] = tuple(v for _, v in sorted(few, key=lambda x: x[0]))
        return self._few[most]

    def texts(self, properties: Collection[tuple[str, str]]) -> Mapping[tuple[str, str], frozenset[str]]:
        """All different texts of some properties, each told by its owner and name."""
        out: dict[tuple[str, str], set[str]] = {x: set() for x in properties}
        for found in self._by_key.values():
            for value in found:
                if (held := out.get((value.owner, value.property))) is not None:
                    held.add(value.text)
        return {x: frozenset(texts) for x, texts in out.items()}

    def distinct(self, owner: str, prop: str) -> int:
        """How many different values a text property has."""
        return self._distinct.get((owner, prop), 0)

    def near(self, key: str) -> Sequence[tuple[StoredValue, float]]:
        """Values that ``key`` may be a slip for, best first, at most five, with how alike they are.

        >>> table = ValueTable([StoredValue("Port", "name", x) for x in ("Kirkwall", "Hull", "H-120")])
        >>> [v.text for key in ("kirkwal", "kirkwell", "hall", "h-1200") for v, _ in table.near(key)]
        ['Kirkwall', 'Kirkwall']
        """
        if len(key) < 4 or len(self._by_key) > MOST_NEAR or not self._by_key:
            return ()
        vectorizer, matrix, keys = self._grams
        scores = (matrix @ vectorizer.transform([key]).T).toarray().ravel()
        best = sorted(range(len(keys)), key=lambda i: (-scores[i], keys[i]))[:MOST_TRIED]
        slips = [(keys[i], likeness(key, keys[i])) for i in best if scores[i] >= NEAR]
        found = [(v, alike) for name, alike in slips if alike for v in self._by_key[name]]
        return sorted(found, key=lambda f: -f[1])[:5]

    def like(self, key: str, *, most: int = 3) -> tuple[StoredValue, ...]:
        """Values whose texts are spelled most like ``key``, best first: those that it may have meant.

        >>> table = ValueTable([StoredValue("Port", "name", x) for x in ("Kirkwall", "Hull", "Visby")])
        >>> [v.text for v in table.like("kirkawell")], table.like("oslo")
        (['Kirkwall'], ())
        """
        if len(key) < 4 or len(self._by_key) > MOST_NEAR:
            return ()
        found = process.extract(key, self._by_key.keys(), scorer=fuzz.ratio, limit=most, score_cutoff=LIKE)
        return tuple(self._by_key[name][0] for name, *_ in found)

    @cached_property
    def _grams(self) -> tuple[Any, Any, list[str]]:
        from sklearn.feature_extraction.text import TfidfVectorizer

        keys = sorted(self._by_key)
        vectorizer = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 3))
        return vectorizer, vectorizer.fit_transform(keys), keys


def _items(by_key: Mapping[str, Sequence[StoredValue]]) -> dict[str, list[StoredValue]]:
    """Members of texts that are lists, of properties where a fair share of the texts are."""
    texts: dict[tuple[str, str], list[StoredValue]] = defaultdict(list)
    for found in by_key.values():
        for value in found:
            texts[value.owner, value.property].append(value)
    out: dict[str, list[StoredValue]] = defaultdict(list)
    for some in texts.values():
        listed = [v for v in some if ", " in v.text and len(v.text) <= LONGEST_LIST and not v.many]
        if len(listed) < LISTED * len(some):
            continue
        members = {part.strip(): v for v in listed for part in v.text.split(", ") if part.strip()}
        for text, value in members.items():
            out[value_key(text)].append(replace(value, text=text, item=True))
    return out


def kind_stems(text: str) -> frozenset[str]:
    """Stems of the content words of a text."""
    return frozenset(stem(w) for w in value_key(text).split() if w not in _SMALL)


def joins_two(text: str) -> bool:
    """Whether words join two things or open a second one, so that the text is no name of one kind.

    >>> [joins_two(t) for t in ("crimes a vehicle", "theft from shops", "possession of a weapon")]
    [True, True, False]
    """
    return bool(_JOINING & set(value_key(text).split())) or _OPENS_ANOTHER.search(text) is not None


def _day_first(text: str) -> bool:
    found = _DAY.fullmatch(text)
    return found is not None and int(found[1]) <= 12
