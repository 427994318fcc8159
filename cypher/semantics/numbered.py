"""Identifiers that hold or say a number: "rank in week 1" for ``week1Rank``, "number of" for ``nbrSeats``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cypher.semantics.text import identifier_words

_IN: Final = ("in", "of", "for", "during", "at", "on")
_COUNTING: Final = frozenset({"num", "nbr", "number", "count", "cnt", "qty", "quantity"})
_AMOUNTS: Final = frozenset({"count", "qty", "quantity", "total", "num", "nbr", "number", "amount"})
APART: Final = frozenset({"different", "distinct", "unique", "various"})
"""Words with which values are told apart, not added up."""
Phrase = tuple[str, ...]


def property_phrases(name: str) -> Iterator[Phrase]:
    """Phrases for a property whose name says of which one of several it is.

    >>> sorted(property_phrases("week1Rank"))[:3]
    [('rank', 'at', 'week', '1'), ('rank', 'during', 'week', '1'), ('rank', 'for', 'week', '1')]
    """
    parts = identifier_words(name)
    at = next((i for i, part in enumerate(parts) if part.isdigit() and i), 0)
    rest = (*parts[: max(at - 1, 0)], *parts[at + 1 :])
    for said in dict.fromkeys((rest, rest[:1], rest[-1:])) if at and rest else ():
        yield from ((*said, word, *parts[at - 1 : at + 1]) for word in _IN)


def counting_phrases(name: str) -> Iterator[Phrase]:
    """Phrases for a property whose name's first or last word says that it counts the rest.

    >>> list(counting_phrases("nbrSeats"))
    [('number', 'of', 'seats'), ('count', 'of', 'seats'), ('amount', 'of', 'seats')]
    """
    parts = identifier_words(name)
    for rest in (parts[1:] if parts[0] in _COUNTING else (), parts[:-1] if parts[-1] in _COUNTING else ()):
        yield from ((said, "of", *rest) for said in ("number", "count", "amount") if rest)
    if len(parts) > 1 and parts[-1] in ("no", "nr", "num"):
        yield (*parts[:-1], "number")


def counted(name: str) -> Phrase:
    """What a property counts, if its name's last word says that it counts something.

    >>> counted("vote_count"), counted("average_vote")
    (('vote',), ())
    """
    parts = identifier_words(name)
    return tuple(parts[:-1]) if parts[-1] in ("count", "cnt") else ()


def relation_phrases(kind: str, properties: Sequence[str]) -> Iterator[Phrase]:
    """Phrases for a type whose name ends in the number of what one of its properties counts.

    >>> [" ".join(p) for p in relation_phrases("TRADES_2", ["week"])][:2]
    ['trades in week 2', 'trades of week 2']
    """
    *base, number = identifier_words(kind)
    for name in properties if base and number.isdigit() else ():
        for word in _IN:
            yield (*base, word, *identifier_words(name), number)


def number_in(name: str) -> bool:
    """Whether an identifier ends in a number that stands apart from its words."""
    parts = identifier_words(name)
    return len(parts) > 1 and parts[-1].isdigit()


def names_amount(name: str) -> bool:
    """Whether a number called so says how many of something there are.

    >>> names_amount("hoursPerWeek"), names_amount("visitor_count"), names_amount("age")
    (True, True, False)
    """
    words = identifier_words(name)
    plural = any(len(w) > 3 and w.endswith("s") and not w.endswith(("ss", "us")) for w in words)
    return plural or bool(_AMOUNTS & {words[0], words[-1]} and len(words) > 1)
