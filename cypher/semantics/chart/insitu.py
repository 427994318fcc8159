"""Questions that ask where the answer would stand: "Ann lives at which port?", "it belongs to whom?"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.auxiliaries import auxiliary
from cypher.semantics.chart.forms import Asked, Noun, Thing
from cypher.semantics.chart.wholes import whole
from cypher.semantics.chart.wordlists import COMMANDS
from cypher.semantics.ir import Head

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_KIND: Final = frozenset({"which", "what"})
_WHOM: Final = frozenset({"who", "whom"})
_ASKED: Final = _KIND | _WHOM | {"where"}


def asked_last(p: Parser, start: int) -> Iterator[Asked]:
    """Readings as a statement whose object is asked for."""
    opened = p.word(start) in _ASKED | (COMMANDS - {"all", "the", "every", "each", "i", "you"})
    asked = {at for at in range(start + 2, p.size) if p.word(at) in _ASKED}
    if opened or not asked or auxiliary(p, start).any:
        return
    for gap in p.gaps(start):
        for noun in _nouns(p, gap.end) if gap.end in asked else ():
            for told in p.attach(noun, replace(gap, end=noun.end), ("c_main", 1.0), ("c_cue", 1.5)):
                yield from whole(p, told, Head.LIST)


def _nouns(p: Parser, at: int) -> Iterator[Noun]:
    """What a word for asking stands for: "which port", "whom", "where"."""
    if p.word(at) in _KIND:
        yield from (n for n in p.nouns(at + 1) if not n.quantity)
    labels = p.people() if p.word(at) in _WHOM else ()
    if p.word(at) == "where":
        labels = [x.name for x in p.vocabulary.schema.labels if not p.is_person(x.name)]
    yield from (Noun(at + 1, Thing(label), 0.0) for label in labels if p.word(at + 1) not in _KIND)
