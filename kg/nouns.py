"""Nouns with numbers, as people write them."""

from __future__ import annotations


def plural(noun: str) -> str:
    """The plural of a regular English noun or of a phrase that ends in one.

    >>> plural("uncertainty source"), plural("entity"), plural("decay")
    ('uncertainty sources', 'entities', 'decays')
    """
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def singular(nouns: str) -> str:
    """The other way round.

    >>> singular("documents"), singular("communities")
    ('document', 'community')
    """
    return f"{nouns[:-3]}y" if nouns.endswith("ies") else nouns.removesuffix("s")


def counted(number: int, noun: str) -> str:
    """A number and its noun, given in the singular.

    >>> counted(1, "record"), counted(2, "record"), counted(0, "entity")
    ('1 record', '2 records', '0 entities')
    """
    return f"{number} {noun if number == 1 else plural(noun)}"
