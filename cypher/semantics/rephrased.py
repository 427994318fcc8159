"""Questions in a plainer order: "by rank: how many officers ...?" is "how many officers ... per rank?"."""

from __future__ import annotations

from typing import Final

from cypher.semantics.rephrasing import (
    again,
    amounts,
    casually,
    counted,
    cuts,
    fellows,
    fillers,
    further,
    grouping,
    introduced,
    joined,
    latest,
    loosely,
    order,
    rankings,
    remarks,
    roundabout,
    same_doer,
    shared,
    speakers,
    tallied,
    turned,
    whether,
    words,
)
from cypher.semantics.rephrasing.rule import Rule

_RULES: Final[tuple[Rule, ...]] = (
    *introduced.RULES,
    *further.RULES,
    *same_doer.RULES,
    *cuts.RULES,
    *fillers.RULES,
    *again.RULES,
    *fellows.RULES,
    *counted.RULES,
    *roundabout.RULES,
    *joined.RULES,
    *casually.RULES,
    *turned.RULES,
    *loosely.RULES,
    *speakers.RULES,
    *remarks.RULES,
    *latest.RULES,
    *whether.RULES,
    *order.RULES,
    *tallied.RULES,
    *shared.RULES,
    *grouping.RULES,
    *words.RULES,
    *rankings.RULES,
    *amounts.RULES,
)
"""Tried in order, each once: rows, counts, remarks, whether, what comes first, for each of what, amounts."""


def rephrased(text: str) -> str:
    """The question in a plainer order, or as it is.

    >>> rephrased("By rank: how many officers work in M1?")
    'how many officers work in M1 per rank?'
    >>> rephrased("Do the records contain a ship of Ann?")
    'is there any ship of Ann?'
    >>> rephrased("Which ships does Ann own? Limit the results to 3.")
    'Which ships does Ann own, limited to 3'
    """
    for expression, said in _RULES:
        text = expression.sub(said, text, count=1)
    return text
