"""Short forms of names: "Avery" for "Mary Avery", where nobody else of that name is spoken of.

A name stands for the longer ones that have all its words, if those have one more word in common: then there
is one thing that it can mean. With "Mary Avery" and "Avery Hall" it could be either, and stands for none.
One word also stands for the name of which it has the initials. Where a type tells common from proper nouns
by their case (the veto ``case``), it counts here as well: "seal" stands for "grey seal" and not for "John
Seal", and common nouns mean the same in the plural.

Shared words as evidence for one entity, the more the rarer they are, are of Galarraga et al. 2014
(doi:10.1145/2661829.2662073); here the names themselves say whether a short one is ambiguous.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from canonicalize.features import Features

MOST = 50
"""Names of one word up to which it tells; more, and it is a common word."""
FEWEST_INITIALS = 3
"""Letters from which initials tell: fewer are those of too many names."""
Elsewhere = Callable[[str], Iterator[str]]
"""A mark (``Words.marks``) -> normal forms of names that have it, of units that are not at hand."""
_AFTER_HEAD = re.compile(r"\s(?:of|in|for|from|with|to|on|at|by|under|over)\s|[(,;:]")
_EDGES = ".,;:!?()[]{}\"'`"
_DETERMINERS = frozenset({"the", "a", "an"})
_UNWRITTEN = frozenset(
    {"of", "in", "for", "from", "with", "to", "on", "at", "by", "and", "the", "a", "an", "&"}
)
"""Words whose initials most initialisms leave out."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a normal form without a determiner in front; also without a plural s."""

    all: frozenset[str]
    singular: frozenset[str]
    head: frozenset[str]
    """Those of ``singular`` that come before any preposition."""
    initials: frozenset[str]
    """Of a name of several words, with those of prepositions and without."""
    letters: str
    """Of a name of one word that could be initials."""
    small: frozenset[str] | None = None
    """Those of ``singular`` that are written small; None where case tells nothing."""

    @property
    def key(self) -> str:
        """The same for two names of the same words."""
        return " ".join(sorted(self.all))

    @property
    def marks(self) -> frozenset[str]:
        """What a name and all names that it can stand for have in common with each other."""
        written = self.initials | {self.letters} - {""}
        return self.singular | {f"{letters}…" for letters in written}

    @property
    def common(self) -> bool:
        """Whether all words are known to be common nouns, which may stand in the plural."""
        return self.small == self.singular

    def within(self, other: Words) -> bool:
        """Whether the other has all these words, in the case of these, and more."""
        in_case = self.small is None or other.small is None or self.small == self.singular & other.small
        return in_case and self.singular < other.singular


@lru_cache(maxsize=100_000)
def words_of(form: str, *, cased: bool = False) -> Words:
    """The words of a normal form; where it is ``cased``, their case says whether they are common nouns.

    >>> found = words_of("the ports authority of varna")
    >>> sorted(found.singular), sorted(found.head), sorted(found.initials)
    (['authority', 'of', 'port', 'varna'], ['authority', 'port'], ['paov', 'pav'])
    >>> words_of("seal", cased=True).within(words_of("John Seal", cased=True))
    False
    """
    if cased:
        return replace(words_of(form.casefold()), small=_small(form))
    parts = form.split()
    if len(parts) > 1 and parts[0].lower() in _DETERMINERS:
        parts = parts[1:]
    found, head = _bare(parts), _bare(_AFTER_HEAD.split(" ".join(parts), maxsplit=1)[0].split())
    letters = parts[0].replace(".", "") if len(parts) == 1 else ""
    return Words(
        all=frozenset(found),
        singular=_singular(found),
        head=_singular(head),
        initials=frozenset({_initials(found), _initials(w for w in found if w not in _UNWRITTEN)} - {""}),
        letters=letters if letters.isalpha() and len(letters) >= FEWEST_INITIALS else "",
    )


def _bare(parts: Iterable[str]) -> list[str]:
    return [word for part in parts if (word := part.strip(_EDGES))]


def _small(form: str) -> frozenset[str]:
    """The words that are written small wherever they occur, without a plural s."""
    parts = form.split()
    if len(parts) > 1 and parts[0].lower() in _DETERMINERS:
        parts = parts[1:]
    words = _bare(parts)
    small = _singular(word for word in words if word.islower())
    return small - _singular(word.casefold() for word in words if not word.islower())


def in_case(form: str, name: str) -> str:
    """The normal form of a name, its words in the case that they have in the name.

    >>> in_case("efficiency of the muon", "Muon  Efficiency")
    'Efficiency of the Muon'
    """
    written = {word.casefold(): word for part in name.split() if (word := part.strip(_EDGES))}
    words = ((part, part.strip(_EDGES)) for part in form.split())
    return " ".join(
        part.replace(word, written.get(word.casefold(), word)) if word else part for part, word in words
    )


def _initials(words: Iterable[str]) -> str:
    found = "".join(word[0] for word in words)
    return found if len(found) >= FEWEST_INITIALS else ""


def _singular(words: Iterable[str]) -> frozenset[str]:
    return frozenset(w[:-1] if len(w) > 3 and w.endswith("s") and w[-2] not in "aius" else w for w in words)


def nowhere(_: str) -> Iterator[str]:
    """No names besides those at hand."""
    return iter(())


def short_form_keys(
    names: Sequence[Sequence[str]], elsewhere: Elsewhere = nowhere, *, cased: bool = False
) -> tuple[frozenset[str], ...]:
    """Per unit what its names can stand for: units with a key in common may be one entity.

    ``names`` are the normal forms of each unit's names; ``cased`` ones, and then those ``elsewhere`` too,
    are in the case in which they are written (``in_case``). A longer name that adds numbers alone is another
    thing ("frame 7"), and so is one of which the short one is no part of the head ("varna", "port of varna").

    >>> keys = short_form_keys([["avery"], ["mary avery"], ["mary"], ["lake"], ["lake como"], ["lake garda"]])
    >>> [len(keys[0] & other) for other in keys[1:]]
    [1, 1, 0, 0, 0]
    >>> keys[3] & keys[4]
    frozenset()
    """
    known = {words_of(form, cased=cased) for forms in names for form in forms}
    index: dict[str, set[Words]] = defaultdict(set)
    for found in known:
        for mark in found.marks:
            index[mark].add(found)
    for mark, holders in index.items():
        others = elsewhere(mark)
        while len(holders) <= MOST and (form := next(others, None)) is not None:
            holders.add(words_of(form, cased=cased))
    keys = {found: frozenset({found.key, *_long_forms(found, index)} - {""}) for found in known}
    return tuple(
        frozenset[str]().union(*(keys[words_of(form, cased=cased)] for form in forms)) for forms in names
    )


def _long_forms(name: Words, index: Mapping[str, set[Words]]) -> list[str]:
    """Keys of the longer names that a name stands for: none where it could mean two things."""
    if not name.singular:
        return []
    if name.letters:
        spelled = [w for w in index[f"{name.letters}…"] if name.letters in w.initials]
        if 0 < len(spelled) <= MOST and len(_common(spelled)) > 1:
            return [found.key for found in spelled]
    holders = min((index[word] for word in name.singular), key=len)
    longer = [w for w in holders if name.within(w)] if len(holders) <= MOST else []
    more = (word for word in _common(longer) - name.singular if not any(c.isdigit() for c in word))
    if not any(more) or not all(name.singular & found.head for found in longer):
        return []
    return [found.key for found in longer if name.common or name.all < found.all]


def _common(names: Sequence[Words]) -> frozenset[str]:
    """The words that all names have."""
    return frozenset.intersection(*(found.singular for found in names)) if names else frozenset()


def with_short_forms(
    features: Features, elsewhere: Elsewhere = nowhere, *, written: Sequence[Sequence[str]] | None = None
) -> Features:
    """The features with short forms as aliases; those that more than ``MOST`` units share tell nothing.

    ``written`` are the units' names, if their case tells common from proper nouns.
    """
    holders: dict[str, set[int]] = defaultdict(set)
    forms = features.forms if written is None else _in_case(features.forms, written)
    for unit, keys in enumerate(short_form_keys(forms, elsewhere, cased=written is not None)):
        for key in keys:
            holders[key].add(unit)
    shared = {unit: set(others) for unit, others in features.aliases.items()}
    for group in holders.values():
        if 1 < len(group) <= MOST:
            for unit in group:
                shared.setdefault(unit, set()).update(group - {unit})
    return replace(features, aliases={unit: frozenset(others) for unit, others in shared.items()})


def _in_case(forms: Sequence[Sequence[str]], written: Sequence[Sequence[str]]) -> list[list[str]]:
    return [
        [in_case(form, name) for form, name in zip(unit, names, strict=True)]
        for unit, names in zip(forms, written, strict=True)
    ]
