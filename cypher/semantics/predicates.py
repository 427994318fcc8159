"""Adjectives that are said of what a question asks for: "which berths are available" is not all berths.

Before a property such words say nothing ("the full name"), so the chart passes over them. Said of a thing
they are a condition, and where nothing in the graph holds it the question is not answered without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Final

from cypher.semantics.inflected import is_verb_form
from cypher.semantics.ir import Query
from cypher.semantics.mentions import Linked, Mention
from schemas.store_schema import StoreSchema


def _words(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


_BEING: Final = _words(
    "is are was were be been being isn't aren't wasn't weren't there look looks looked seem seems seemed",
    "remain remains remained stay stays stayed appear appears appeared become becomes became",
)
_WHETHER: Final = _words("is are was were isn't aren't wasn't weren't")
"""Of these, those that a question of yes or no begins with."""
_BETWEEN: Final = _words("not also still all both currently now completely fully really very too always ever")
"""Adverbs between these and an adjective."""
_BEHIND: Final = _words("and or but on in at during before after for by today now when while since until")
"""What may follow an adjective that is said of something."""
_SAID: Final = _words(
    "full real actual available present complete whole entire valid exact accurate correct proper true",
    "official right ready far near close usual individual separate various different distinct particular",
    "specific typical common rough approximate precise overall found single genuine",
)
"""Words that the grammar passes over, and that are a condition where they are said of a thing."""
_BEFORE_NOUNS: Final = _words("full available valid former genuine authentic ready usable accessible")
"""Those that are one before its noun as well: "the available berths"."""


def unheard_predicates(linked: Linked, schema: StoreSchema, query: Query | None = None) -> tuple[str, ...]:
    """The adjectives said of a thing that no term, value or cue of the question explains.

    With a ``query`` they are explained by what is in it: "full" is not that somebody has a ``fullName``.
    "Which berths are black" is not about what has Black Sole for its name.

    >>> from cypher.semantics.text import words
    >>> from schemas.store_schema import StoreSchema
    >>> def told(text):
    ...     return unheard_predicates(Linked(text, tuple(words(text)), (), (), (), ()), StoreSchema())
    >>> told("Which berths are available?"), told("What is the full name of Ann?"), told("How far is Hull?")
    (('available',), (), ())
    """
    names = {(x.name, x.name_property) for x in schema.labels}
    taken = [False] * len(linked.words)
    for mention in (*linked.mentions, *linked.relations):
        if query is None or _is_used(mention, query, names):
            taken[mention.start : mention.end] = [True] * (mention.end - mention.start)
    labels = {x.name for x in schema.labels}
    parts = {
        m.start
        for m in linked.mentions
        if m.end == m.start + 1
        if _is_part_of_names(m, names) or _is_of_others(m, linked, names, labels)
    }
    said = (at for at, word in enumerate(linked.words) if word.lower in _SAID and not taken[at])
    behind = {at for at in (*said, *parts) if _is_behind_being(linked, at)}
    found = behind | set(_before_nouns(linked, taken))
    return tuple(linked.words[at].text for at in sorted(found))


def _is_used(mention: Mention, query: Query, names: Set[tuple[str, str]]) -> bool:
    """Whether something that a word may be is in a reading, and not as the name by which things are told."""
    text = repr(query)
    terms = (t.name for t in mention.terms if not {(owner, t.name) for owner in t.owners} & names)
    used = (*terms, *(v.text for v, _ in mention.values))
    return any(name and repr(name) in text for name in used)


def _is_behind_being(linked: Linked, at: int) -> bool:
    said = [x.lower for x in linked.words]
    before = at - 1
    while before > 0 and said[before] in _BETWEEN:
        before -= 1
    behind = said[at + 1] if at + 1 < len(said) else ""
    ends = not behind.isalnum() or behind in _BEHIND
    whether = said[0] in _WHETHER and at > 1
    return ends and (whether or (before > 0 and said[before] in _BEING))


def _is_part_of_names(mention: Mention, names: Set[tuple[str, str]]) -> bool:
    """Whether a word in small letters is no more than a part of things' names."""
    if not mention.values or mention.terms or not mention.text.islower():
        return False
    return all((v.owner, v.property) in names and mention.text != v.text.lower() for v, _ in mention.values)


def _is_of_others(mention: Mention, linked: Linked, names: Set[tuple[str, str]], labels: Set[str]) -> bool:
    """Whether a word is a property, or the value of one, that nothing has of which the question speaks.

    Names of other things may be meant: "which dishes are vegetarian" where that is a diet.
    """
    terms, values = mention.terms, [v for v, _ in mention.values]
    if any(t.kind != "property" for t in terms) or not (terms or values) or not mention.text.islower():
        return False
    if any((v.owner, v.property) in names for v in values) or (terms and is_verb_form(mention.text)):
        return False
    others = [m for m in (*linked.mentions, *linked.relations) if m is not mention]
    spoken = {t.name for m in others for t in m.terms if t.kind != "property"}
    spoken |= {v.owner for m in others for v, _ in m.values}
    owners = {owner for t in terms for owner in t.owners} | {v.owner for v in values}
    return bool(spoken) and owners <= labels and not spoken & owners


def _before_nouns(linked: Linked, taken: list[bool]) -> Iterator[int]:
    nouns = {m.start for m in linked.mentions if any(t.kind == "label" for t in m.terms)}
    for at, word in enumerate(linked.words):
        if word.lower in _BEFORE_NOUNS and not taken[at] and at + 1 in nouns:
            yield at
