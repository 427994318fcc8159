"""Counts that are kept as numbers: "how many seats" of a thing that has its seats counted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Asked, Has, Linked, Thing, Wanted
from cypher.semantics.ir import Head, Measure, Operator
from cypher.semantics.numbered import APART, names_amount
from schemas.store_schema import PropertyType

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_TOGETHER: Final = frozenset({"altogether", "together", "total", "overall", "combined", "all"})


def amount(p: Parser, asked: Asked) -> Asked:
    """The question, where it counts the values of a number: that number of one thing, the sum of several."""
    if asked.head is not Head.COUNT or len(asked.wanted) != 1 or APART & set(p.lower):
        return asked
    if is_flag(p, asked.wanted[0]):
        flagged = asked.thing.plus(Has(asked.wanted[0].name, Operator.EQ, True))
        return replace(asked, thing=flagged, wanted=())
    if not is_amount(p, asked.wanted[0]):
        return asked
    if _is_one(p, asked.thing, asked.wanted[0]) and not _TOGETHER & set(p.lower):
        return replace(asked, head=Head.LIST)
    return replace(asked, head=Head.AGGREGATE, measure=Measure.SUM)


def counted_by(p: Parser, wanted: Wanted) -> Measure:
    """What "how many" asks of a property for each of something: the sum of amounts, else how many values."""
    apart = bool(APART & set(p.lower))
    return Measure.SUM if wanted.name and is_amount(p, wanted) and not apart else Measure.COUNT


def is_flag(p: Parser, wanted: Wanted) -> bool:
    """Whether a property of the things themselves says yes or no."""
    info = p.vocabulary.words.properties.get((wanted.label, wanted.name))
    plain = not wanted.step and not wanted.path
    return plain and info is not None and info.type is PropertyType.BOOLEAN


def is_amount(p: Parser, wanted: Wanted) -> bool:
    """Whether a property holds how many of something there are: ``seats``, ``visitor_count``."""
    owner = wanted.step.type if wanted.step else wanted.label
    info = p.vocabulary.words.properties.get((owner, wanted.name))
    return info is not None and info.numeric and not info.dated and names_amount(wanted.name)


def _is_one(p: Parser, thing: Thing, wanted: Wanted) -> bool:
    """Whether the number is that of one thing, or of one relationship between two that are named."""
    if not any(names_one(p, thing.label, limit) for limit in thing.limits):
        return False
    ends = (x for x in thing.limits if isinstance(x, Linked))
    told = (x.thing for x in ends if wanted.step and x.path[0].type == wanted.step.type)
    return wanted.step is None or any(names_one(p, x.label, limit) for x in told for limit in x.limits)


def names_one(p: Parser, label: str, limit: object) -> bool:
    """Whether a condition tells one thing by its name."""
    known = p.vocabulary.schema.label(label)
    own = known.name_property if known else ""
    return isinstance(limit, Has) and limit.name == own and limit.operator is Operator.EQ
