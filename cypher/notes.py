"""What the service assumed when it answered: defaults that a form brings with it."""

from __future__ import annotations

from collections.abc import Sequence

from cypher import form as f
from cypher.schema_graph import SUPERSEDED, UNIT, VALUE
from schemas.questions import Value

_PRECISE = (
    "Most precise means the smallest total error (as listed, else statistical and systematic error "
    "added in quadrature, mean of upper and lower), for each unit and column; limits are left out."
)
_UPPER = "The strongest limit is the lowest upper limit, for each unit, column and confidence level."
_LOWER = "The strongest limit is the highest lower limit, for each unit, column and confidence level."
_NOT_A_RATE = (
    "'Most frequent' counts how many {counted} of this graph are connected to each {root}; "
    "it is not how often anything happens in nature."
)
_FIRST_YEAR = "Only years of publication are known, so all papers of the {which} year are listed."


def notes(form: f.Form) -> tuple[str, ...]:
    """The defaults of a form, each in a sentence."""
    found = list(_of_head(form))
    if any(c.optional and c.attribute == SUPERSEDED for c in form.conditions):
        found.append("Values that a later paper replaced are left out.")
    return tuple(found)


def bare_numbers(form: f.Form) -> tuple[str, ...]:
    """The numbers without a unit with which measured values are compared."""
    compared = (c for c in form.conditions if form.is_edge(c.var) and c.attribute == VALUE and not c.units)
    return tuple(c.shown for c in compared if c.op in f.COMPARISONS)


def unit_notes(
    numbers: Sequence[str], columns: Sequence[str], rows: Sequence[Sequence[Value]]
) -> tuple[str, ...]:
    """In which unit numbers without one were compared; nothing where the values shown have none.

    >>> unit_notes(["0.01"], ("value", "unit"), ((1.5e-12, "s"),))
    ('0.01 has no unit, so it was compared with the numbers as they are listed, in s.',)
    >>> unit_notes(["0.01"], ("value",), ((0.3,),))
    ()
    """
    if UNIT in columns:
        at = columns.index(UNIT)
        units = dict.fromkeys(str(r[at]) for r in rows if r[at])
        where = f"in {' or '.join(units)}"
    elif VALUE in columns and rows:
        return ()
    else:
        where = "in the unit of each, whatever it is"
    return tuple(
        f"{n} has no unit, so it was compared with the numbers as they are listed, {where}." for n in numbers
    )


def _of_head(form: f.Form) -> tuple[str, ...]:
    match form.head:
        case f.Precise():
            return (_PRECISE,)
        case f.Tightest(lower=lower):
            return (_LOWER if lower else _UPPER, "Replaced limits take part and are marked as replaced.")
        case f.Top(var, counted) if form.shape == "most_frequent":
            kind = "statements" if form.is_edge(counted) else f"{form.node(counted).type} entries"
            return (
                _NOT_A_RATE.format(
                    counted=kind.replace("_", " "), root=form.node(var).type.replace("_", " ")
                ),
            )
        case f.Entities(order=order, only_first=True):
            return (_FIRST_YEAR.format(which="latest" if order is f.Order.NEWEST else "earliest"),)
        case f.Statements(order=f.Order.STRONGEST):
            return (
                "Rankings are those within each document (1 is its largest), so several sources may have "
                "rank 1; sources without ranking follow by magnitude, whatever its unit.",
            )
        case _:
            return ()
