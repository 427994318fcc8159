"""Names that are said in the words of the name, in another order or without those that say little.

"Kinetic mixing of hidden photons" is the quantity "Hidden Photons: Kinetic Mixing Parameter Limits". A
phrase is such a name where every one of its words stands in the name, and the name says nothing more but of
what sort the quantity is (a parameter, a limit) or how it is defined (``= -phi_s/2``). Where two names fit,
none is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from cypher.general.english import words
from cypher.normalise import Token, quoted_spans
from cypher.spelling import common_symbol
from cypher.words import stem
from schemas.language.notation import canonical_particle
from schemas.ports import ValueIndex
from schemas.questions import EntityMatch

MOST_WORDS: Final = 12
MOST_NEAR: Final = 10
MOST_PLACES: Final = 4
"""Phrases of one question that are looked up; one with more unknown words is not understood anyway."""
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9_*'+-]*|\d+")
_DEFINITION: Final = re.compile(r" = [^()]*")
"""How a quantity is defined, behind its name."""
_ENDING: Final = re.compile(r"(?<=\w{4})(?:tions?|ting|ted|tly|ly|t|ing|ed|es|e|s)$")
"""So that "produced" is like "production"."""
_LIFETIME: Final = re.compile(r"\blife ?times?\b", re.IGNORECASE)
_SAME: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), same)
    for pattern, same in (
        (r"\bneutrino-?less\b", "0 nu"),
        (r"\banti-?neutrinos?\b", "nubar"),
        (r"\bneutrinos?\b", "nu"),
        (r"\bpole positions?\b", "pole sqrt s"),
        (r"\b([tbcsud])(?:op|ottom|eauty|harm|trange|p|own)[- ]quark\b", r"\1 quark"),
        (r"\b(\d{1,3})(?-i:(B|Be|N|O|F|hep|Xe|Ge|Te|U))\b", r"\2\1"),
    )
)
"""What is said in two ways; nuclei with the number on either side."""
_SYMBOLS: Final = {"neutrino": "nu", "antineutrino": "nubar", "antiproton": "pbar"}
_SORT: Final = frozenset(
    _ENDING.sub("", stem(w))
    for w in words(
        "parameter parameters limit limits modifier value values violation measurement measurements tot "
        "total quantity observed based active "
    )
)
"""What a name may say beside the phrase."""
_LITTLE: Final = words("of the for in on and to a an from with at by")
_ENDS: Final = words(
    "which what who whom whose when where how many much is are was were be been has have had do does "
    "did list show give find name tell papers paper publications publication experiments experiment "
    "collaborations values limits measured measure measures determined determine determines reported "
    "report reports published publish set sets gave gives since before after until between above "
    "below than not no only but or also most least all any every give best tightest strongest weakest "
    "strictest upper lower limit bound bounds result results latest newest "
)
"""Words at which a name ends."""


def named_in_words(
    text: str, tokens: Sequence[Token], unexplained: Sequence[range], index: ValueIndex, types: Sequence[str]
) -> str:
    """The question with the names in the place of the words; the same text where there is none.

    ``unexplained`` are the places of the words that nothing explains; each name found must hold one of them.
    ``types`` are those of the things that may be meant; documents are found by their titles otherwise.
    """
    if quoted_spans(text):
        return text
    every = (_found(text, tokens, places, index, types) for places in unexplained[:MOST_PLACES])
    found = sorted((f for f in every if f is not None), key=lambda f: f[0] - f[1])
    taken: list[tuple[int, int, str]] = []
    for start, end, name in found:
        if all(end <= a or b <= start for a, b, _ in taken):
            taken.append((start, end, name))
    for start, end, name in sorted(taken, reverse=True):
        text = f"{text[: tokens[start].start]}{name}{text[tokens[end - 1].end :]}"
    return text


def _found(
    text: str, tokens: Sequence[Token], places: range, index: ValueIndex, types: Sequence[str]
) -> tuple[int, int, str] | None:
    start, end = _around(text, tokens, places)
    phrase = text[tokens[start].start : tokens[end - 1].end]
    near = list(index.similar(phrase[:200], types, limit=MOST_NEAR))
    symbols = " ".join(_symbol(w) for w in phrase.split())
    if symbols != phrase:
        near += index.similar(symbols[:200], types, limit=MOST_NEAR)
    little = [t.text.lower() in _LITTLE for t in tokens]
    for first, last in _windows(start, end, places):
        if little[first] or little[last - 1]:
            continue
        said = _content(text[tokens[first].start : tokens[last - 1].end])
        fits = {m.name: m for m in near if _fits(said, m)} if len(said) > 1 else {}
        if len(fits) == 1:
            return first, last, next(iter(fits))
        if fits:
            return None
    return None


def _symbol(word: str) -> str:
    low = word.lower()
    return common_symbol(low) if common_symbol(low) != low else _SYMBOLS.get(low.removesuffix("s"), word)


def _around(text: str, tokens: Sequence[Token], places: range) -> tuple[int, int]:
    """The longest run of words around some that may be one name."""
    start, end = places.start, places.stop
    while start > 0 and places.stop - start < MOST_WORDS and _joins(text, tokens, start - 1, start):
        start -= 1
    while end < len(tokens) and end - places.start < MOST_WORDS and _joins(text, tokens, end, end):
        end += 1
    return start, end


def _joins(text: str, tokens: Sequence[Token], at: int, behind: int) -> bool:
    gap = text[tokens[behind - 1].end : tokens[behind].start]
    return tokens[at].text.lower() not in _ENDS and not any(c in gap for c in ",;:?!.")


def _windows(start: int, end: int, places: range) -> Iterator[tuple[int, int]]:
    """Runs of words that hold the unexplained ones, the longest first."""
    runs = product(range(start, places.start + 1), range(places.stop, end + 1))
    yield from sorted(runs, key=lambda run: run[0] - run[1])


def _content(phrase: str) -> frozenset[str]:
    plain = _LIFETIME.sub("mean life", phrase.replace("->", " ").replace("^", ""))
    for pattern, same in _SAME:
        plain = pattern.sub(same, plain)
    found = (w.strip("-'") for w in _WORD.findall(plain))
    parts = (p for w in found for p in ([w] if canonical_particle(w) else w.split("-")))
    return frozenset(_key(p) for p in parts if p and p.lower() not in _LITTLE)


def _key(word: str) -> str:
    particle = canonical_particle(word) if any(c in "_0123456789" for c in word) else None
    common = particle or common_symbol(word.lower())
    return (
        common
        if common != word.lower()
        else _ENDING.sub("", stem(word.lower().replace("isation", "ization")))
    )


def _fits(said: frozenset[str], match: EntityMatch) -> bool:
    name = _content(_DEFINITION.sub("", match.name))
    symbols = {"tau"} if "life" in said else set()
    return said <= name and name - said <= _SORT | symbols
