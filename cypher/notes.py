"""What the service assumed when it answered: defaults that a form brings with it."""

from __future__ import annotations

from cypher import form as f
from cypher.general.unlisted import OUTSIDE
from cypher.schema_graph import SUPERSEDED

_PRECISE = (
    "Most precise means the smallest total error (as listed, else statistical and systematic error "
    "added in quadrature, mean of upper and lower), for each quantity and column; limits are left out."
)
_UPPER = "The strongest limit is the lowest upper limit, for each quantity, column and confidence level."
_LOWER = "The strongest limit is the highest lower limit, for each quantity, column and confidence level."
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
            newest = order is f.Order.NEWEST
            told = _FIRST_YEAR.format(which="latest" if newest else "earliest")
            return (told,) if newest else (told, OUTSIDE)
        case f.Statements(order=f.Order.STRONGEST):
            return (
                "Rankings are those within each document (1 is its largest), so several sources may have "
                "rank 1; sources without ranking follow by magnitude, whatever its unit.",
            )
        case f.Gathered():
            return (
                "Rankings are those within each document (1 is its largest); where several documents rank a "
                "source, the mean counts; sources without ranking follow by magnitude, whatever its unit.",
            )
        case _:
            return ()
