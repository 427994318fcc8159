"""Things by how often a clause holds of them: "where do raids happen most often" is the most raids."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Asked, Extreme, Features, Has, Limit, Linked, Most, Ranked, Thing
from cypher.semantics.chart.lexemes import Vocabulary
from cypher.semantics.ir import Head, Measure
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_MOST: Final = re.compile(
    r"\s*,?\s+(?:the )?(most|least) (?:often|frequently|commonly)(?= |\?|\.|$)(?! (?:used|occurring)\b)",
    re.IGNORECASE,
)
_SAID: Final[Features] = (("c_cue", 2.0),)


def without_often(text: str) -> tuple[str, bool] | None:
    """The question without the one "most often" that it has, and whether that is "most".

    >>> without_often("Which port does Ann sail to most often?")
    ('Which port does Ann sail to?', True)
    >>> without_often("Which port does Ann sail to?")
    """
    found = list(_MOST.finditer(text))
    if len(found) != 1:
        return None
    return text[: found[0].start()] + text[found[0].end() :], found[0][1].lower() == "most"


def counted_once(asked: Asked, p: Parser) -> bool:
    """Whether things are counted for each of their own names, which is one, however often a clause holds.

    Names of people are shared: "which name do most bosuns of Lund have".
    """
    if asked.group is None or asked.group.path or asked.figures or p.is_person(asked.thing.label):
        return False
    found = p.vocabulary.schema.label(asked.thing.label)
    tied = any(isinstance(x, Linked) for x in asked.thing.limits)
    return found is not None and asked.group.name == found.name_property and tied


def oftenest(asked: Asked, vocabulary: Vocabulary, *, descending: bool) -> Iterator[Asked]:
    """The one of which the clause of ``asked`` holds most often, by the only tie that is told of it."""
    ties = [x for x in asked.thing.limits if isinstance(x, Linked)]
    others = tuple(x for x in asked.thing.limits if not isinstance(x, Linked))
    plain = not any(isinstance(x, (Most, Extreme, Ranked)) for x in others)
    if asked.head is not Head.LIST or len(ties) != 1 or asked.order or asked.limit or not plain:
        return
    more = replace(asked, score=asked.score + total(_SAID), features=asked.features + _SAID)
    wanted = asked.wanted[0] if len(asked.wanted) == 1 and not asked.wanted[0].path else None
    found = vocabulary.schema.label(asked.thing.label)
    if wanted and found and wanted.name != found.name_property:
        yield replace(
            more, head=Head.GROUP, measure=Measure.COUNT, group=wanted, wanted=(), limit=1,
            descending=descending,
        )  # fmt: skip
        return
    limits: tuple[Limit, ...] = (*others, _most(ties[0], vocabulary, descending=descending))
    yield replace(more, thing=Thing(asked.thing.label, limits))


def _most(tie: Linked, vocabulary: Vocabulary, *, descending: bool) -> Most:
    """The most events on the way, else the most things of a kind, else the most of what comes first."""
    path, thing = tie.path, tie.thing
    while len(thing.limits) == 1 and isinstance(thing.limits[0], Linked):
        path, thing = (*path, *thing.limits[0].path), thing.limits[0].thing
    last = len(path) - 1
    named = any(isinstance(x, Has) for x in thing.limits)
    events = (i for i, step in enumerate(path) if _is_event(vocabulary, step.to))
    at = next(events, 0 if named else last)
    counted = thing if at == last else Thing(path[at].to, (Linked(path[at + 1 :], thing),))
    return Most(path[: at + 1], counted, descending)


def _is_event(vocabulary: Vocabulary, label: str) -> bool:
    """Whether things of a label have a day of their own."""
    found, table = vocabulary.schema.label(label), vocabulary.words.properties
    return found is not None and any(table[label, x.name].dated for x in found.properties)
