"""A question with letters for what it names: "how early did {E} measure the {Q}"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import Final

from cypher.link import EntityWord, Linker, Span
from cypher.schema_words import ValueWord
from schemas.ways import SlotKind

_YEAR: Final = re.compile(r"(?<![\w.])(?:19|20)\d\d(?![\w.]\d|\w)")
_MEASURE: Final = re.compile(
    r"(?<![\w.])-?\d[\d.,]*(?:[eE]-?\d+)? ?(?:[kMGTm]?eV(?:/c\^?2?)?|ps|fs|ns|mus|s|fb|pb|nb|mb)(?!\w)"
)
_NUMBER: Final = re.compile(r"(?<![\w.])\d+(?![\w.%]\d|\w|%)")
_TYPED: Final = (("year", _YEAR), ("measure", _MEASURE), ("number", _NUMBER))
MOST_OF_A_KIND: Final = 3
"""Things of one kind that a question may name."""


@dataclass(frozen=True, slots=True)
class Masked:
    """A question with letters, and what each stands for."""

    text: str
    named: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Named:
    start: int
    end: int
    letter: str


def masked(text: str, linker: Linker, kinds: Sequence[SlotKind]) -> Iterator[Masked]:
    """The question with letters, in every order of those of a kind; nothing where it cannot be told apart."""
    found = sorted(_named(text, linker, kinds), key=lambda n: n.start)
    of = {k.letter: [n for n in found if n.letter == k.letter] for k in kinds}
    if not found or any(len(x) > MOST_OF_A_KIND for x in of.values()):
        return
    orders = [list(permutations(range(len(x)))) for x in of.values()]
    for chosen in product(*orders):
        names: dict[int, str] = {}
        for letter, order in zip(of, chosen, strict=True):
            for place, one in zip(order, of[letter], strict=True):
                names[one.start] = f"{{{letter}{place + 1 if place else ''}}}"
        out, at = [], 0
        for one in found:
            out += [text[at : one.start], names[one.start]]
            at = one.end
        yield Masked("".join([*out, text[at:]]), {names[n.start]: text[n.start : n.end] for n in found})


def _named(text: str, linker: Linker, kinds: Sequence[SlotKind]) -> Iterator[_Named]:
    letters = {held: k.letter for k in kinds for held in k.holds}
    free = list(text)
    for span in linker.link(near=False).spans:
        letter = _letter(span, letters)
        start, end = linker.tokens[span.start].start, linker.tokens[span.end - 1].end
        start, end = _bare(text, start, end)
        if letter:
            free[start:end] = " " * (end - start)
            yield _Named(start, end, letter)
    rest = "".join(free)
    for name, expression in _TYPED:
        for match in expression.finditer(rest) if name in letters else ():
            rest = rest[: match.start()] + " " * len(match[0]) + rest[match.end() :]
            yield _Named(match.start(), match.end(), letters[name])


def _bare(text: str, start: int, end: int) -> tuple[int, int]:
    """Without marks at the end of a name, and without "'s"."""
    while end > start and text[end - 1] in "?.,;:!'\"":
        end -= 1
    if text[start:end].endswith(("'s", "’s")):
        end -= 2
    return start, end


def _letter(span: Span, letters: Mapping[str, str]) -> str:
    for option in span.options:
        if isinstance(option, EntityWord) and option.sure:
            for match in option.matches:
                if match.type in letters:
                    return letters[match.type]
        if isinstance(option, ValueWord):
            letter = letters.get(f"{option.owner}.{option.attribute}", "")
            if letter:
                return letter
    return ""
