"""A day between a verb and its doer: "(the ships that were) hailed on 3 May by Ann"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Features, Linked, Predicate, Thing
from cypher.semantics.chart.stated import said_day
from cypher.semantics.chart.verb_sides import Verb, both_roles
from cypher.semantics.chart.verbs import UNSURE, joined, tied, ties
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

DOER: Final = ("c_cue", 1.0)
"""What "by" behind a passive verb explains, before which a day stands."""


def by_whom(p: Parser, verb: Verb, begin: Features) -> Iterator[Predicate]:
    """A passive verb with when it was done and, behind that, by whom; the day is that of the event."""
    if verb.word or not verb.done:
        return
    on = p.word(verb.end) in ("on", "at", "in")
    for when in (*p.limits(verb.end), *(said_day(p, verb.end - 1, verb.end + 1) if on else ())):
        if p.word(when.end) != "by" and not (p.word(when.end) == "from" and both_roles(verb)):
            continue
        passive = joined(p, verb, when.end + 1, p.word(when.end))
        for noun in p.objects(when.end + 1):
            for label, path, cost in ties(p, passive, noun.thing.label) if not noun.wanted else ():
                event = path[0].to
                passes = len(path) > 1 and not path[0].forward and path[1].forward
                if not passes or label == event or when.label not in ("", event):
                    continue
                for settled, more in p.settler.settle(when.limits, event)[:1]:
                    if more < UNSURE:
                        told = Thing(event, (*settled, *tied(path[1:], noun)))
                        features = (*begin, *when.features, *noun.features, *cost, ("c_bridge", more), DOER)
                        limits = (Linked(path[:1], told),)
                        yield Predicate(noun.end, label, limits, total(features), features)
