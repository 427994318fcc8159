"""Ways of asking: wordings that people use, each with a question that is read and asks the same."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Final

from schemas.errors import SchemaError
from schemas.model import Frozen

MOST_BYTES: Final = 1_000_000
"""Of a file of ways."""
SLOT: Final = re.compile(r"\{([A-Z])(\d?)\}")
"""A letter for the kind of what is named, a number from 2 on for one more of the kind."""
_KIND: Final = re.compile(r"^([A-Z]): +([\w. ]+)$")
_DECISIVE: Final = re.compile(r"^! *(\w[\w ]*): +([\w *,]+)$")


class SlotKind(Frozen):
    """What a letter in braces stands for."""

    letter: str
    holds: tuple[str, ...]
    """Entity types, attributes as ``type.attribute``, or ``year``, ``measure`` and ``number``."""


class Way(Frozen):
    """A wording and the question that asks the same, both with letters in braces for what is named."""

    said: str
    asked: str


class DecisiveWords(Frozen):
    """Words for one thing of the graph: with one of them a wording asks for something else than without."""

    name: str
    words: tuple[str, ...]
    """In lower case; one that ends in ``*`` stands for all that begin so."""


class Ways(Frozen):
    """All ways of asking that come with a schema."""

    kinds: tuple[SlotKind, ...] = ()
    decisive: tuple[DecisiveWords, ...] = ()
    ways: tuple[Way, ...] = ()


@lru_cache(maxsize=8)
def catalog_ways(name: str) -> Ways:
    """The ways that come with the packaged schema of that name; none where it has none.

    >>> way = catalog_ways("particle_physics").ways[1]
    >>> way.asked
    'Which papers measured the {Q}?'
    >>> catalog_ways("logbook").ways
    ()
    """
    file = resources.files("schemas.catalog") / f"{name}.ways"
    return parse_ways(file.read_text("utf-8"), file.name) if file.is_file() else Ways()


def read_ways(file: Path) -> Ways:
    """The ways of a user's file; raises ``SchemaError`` as :func:`parse_ways`, or where it is too long."""
    try:
        if file.stat().st_size > MOST_BYTES:
            raise SchemaError(f"expected at most {MOST_BYTES} bytes of ways; leave some out", file=str(file))
        return parse_ways(file.read_text("utf-8"), str(file))
    except (OSError, UnicodeDecodeError) as e:
        raise SchemaError(f"expected ways of asking as UTF-8 text, found none: {e}", file=str(file)) from e


def parse_ways(text: str, file: str = "") -> Ways:
    """Ways from their file: letters first, then a question behind "=" and below it the wordings of it.

    Lines with "!" before the first question give words that decide what is asked: "! ship: ship*, vessel*".

    Raises ``SchemaError`` with the line for a wording that names other things than its question, for a letter
    that was not said to stand for anything, and for a wording before any question.

    >>> ways = parse_ways("Q: observable\\n\\n= Who measured the {Q}?\\nmeasurers of {Q}\\n")
    >>> [w.said for w in ways.ways]
    ['Who measured the {Q}?', 'measurers of {Q}']
    """
    kinds: list[SlotKind] = []
    decisive: list[DecisiveWords] = []
    ways: list[Way] = []
    asked = ""
    for number, line in enumerate(text.splitlines(), 1):
        said = line.strip()
        kind = _KIND.match(said)
        if not said or said.startswith("#"):
            continue
        if kind and not ways:
            kinds.append(SlotKind(letter=kind[1], holds=tuple(kind[2].split())))
            continue
        named = _DECISIVE.match(said)
        if named and not ways:
            words = tuple(filter(None, (w.strip().lower() for w in named[2].split(","))))
            decisive.append(DecisiveWords(name=named[1], words=words))
            continue
        asked = said[1:].strip() if said.startswith("=") else asked
        said = asked if said.startswith("=") else said
        if not asked:
            raise SchemaError(f"expected a question behind '=' first, found {said!r}", file=file, line=number)
        if sorted(SLOT.findall(said)) != sorted(SLOT.findall(asked)):
            raise SchemaError(
                f"expected the letters of {asked!r}, found {said!r}; name the same things",
                file=file,
                line=number,
            )
        unknown = {letter for letter, _ in SLOT.findall(said)} - {k.letter for k in kinds}
        if unknown:
            raise SchemaError(
                f"expected letters that the file explains, found {', '.join(sorted(unknown))}; add 'Q: type'",
                file=file,
                line=number,
            )
        ways.append(Way(said=said, asked=asked))
    return Ways(kinds=tuple(kinds), decisive=tuple(decisive), ways=tuple(ways))
