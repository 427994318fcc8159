"""Things told by a number of theirs: "on the third floor", "outside zone 1", "in zone 2 or 3"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from cypher.semantics.text import identifier_words
from schemas.store_schema import PropertyType, StoreSchema

_COUNTED: Final = frozenset(
    {
        *("floor", "storey", "level", "round", "zone", "season", "episode", "stage", "chapter", "volume"),
        *("platform", "row", "generation", "division", "semester", "lap", "grade", "tier", "deck", "ring"),
    }
)
"""What is counted through, so that "the third" is the one with that number and not one of a ranking."""
_ORDINALS: Final = {
    word: n
    for n, words in enumerate(
        (
            ("first", "1st"), ("second", "2nd"), ("third", "3rd"), ("fourth", "4th"), ("fifth", "5th"),
            ("sixth", "6th"), ("seventh", "7th"), ("eighth", "8th"), ("ninth", "9th"), ("tenth", "10th"),
        ),
        1,
    )
    for word in words
}  # fmt: skip
_ORDINAL: Final = re.compile(rf"\bthe (?P<place>{'|'.join(_ORDINALS)}) (?P<noun>[a-z]+)\b", re.IGNORECASE)
_OUTSIDE: Final = re.compile(
    r"\b(?P<verb>are |is |were |was )?outside (?:of )?(?=(?P<noun>[a-z]+) \d+\b)", re.IGNORECASE
)
_SEVERAL: Final = re.compile(
    r"\b(?P<noun>[a-z]+?)(?P<many>s?) (?P<list>\d+(?:, \d+)*,? (?:or|nor) \d+)\b(?![.,]\d)", re.IGNORECASE
)
_RANGE: Final = re.compile(r"\b(?:between|from)(?: the)? $", re.IGNORECASE)
_SAME: Final = re.compile(
    r"\b(?P<verb>(?:are|is|were|was) |that are |who are )?(?:in|on|of) the same (?P<noun>[a-z]+) (?=as\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Numbers:
    """Words of whole numbers that a graph holds, and of all properties that are no label's word."""

    whole: frozenset[str]
    told: frozenset[str]


def numbers_of(schema: StoreSchema) -> Numbers:
    """The last words of the properties of things: of the whole numbers, and of all but labels."""
    labels = {w for label in schema.labels for w in identifier_words(label.name)}
    every = [p for label in schema.labels for p in label.properties if not p.many]
    whole = {identifier_words(p.name)[-1] for p in every if p.type is PropertyType.INTEGER and p.name}
    return Numbers(
        frozenset(whole), frozenset(identifier_words(p.name)[-1] for p in every if p.name) - labels
    )


def counted_through(question: str, known: Numbers) -> str:
    """The question with the number behind what it is a number of.

    >>> known = Numbers(frozenset({"zone", "floor"}), frozenset({"zone", "floor"}))
    >>> counted_through("Which rooms are on the third floor?", known)
    'Which rooms are on floor 3?'
    >>> counted_through("Which stations outside zone 1 or in zone 2 or 3 are in the same zone as Zoo?", known)
    'Which stations that are not in zone 1 or in zone 2 or zone 3 have the same zone as Zoo?'
    >>> counted_through("Which film won in the first round?", known)
    'Which film won in the first round?'
    """

    def placed(found: re.Match[str]) -> str:
        noun = found["noun"].lower()
        fits = noun in known.whole & _COUNTED
        return f"{noun} {_ORDINALS[found['place'].lower()]}" if fits else found[0]

    def listed(found: re.Match[str]) -> str:
        noun = next(
            (x for x in (found["noun"], found["noun"] + found["many"]) if x.lower() in known.whole), None
        )
        if noun is None or _RANGE.search(found.string, 0, found.start()):
            return found[0]
        return " or ".join(f"{noun} {n}" for n in re.findall(r"\d+", found["list"]))

    def outside(found: re.Match[str]) -> str:
        return f"{found['verb'] or 'that are '}not in " if found["noun"].lower() in known.whole else found[0]

    def same(found: re.Match[str]) -> str:
        if found["noun"].lower() not in known.told:
            return found[0]
        verb = found["verb"] or ""
        having = "with" if not verb or verb.split()[0] in ("that", "who") else "have"
        return f"{having} the same {found['noun']} "

    text = _ORDINAL.sub(placed, question) if known.whole else question
    text = _OUTSIDE.sub(outside, _SEVERAL.sub(listed, text))
    return _SAME.sub(same, text)
