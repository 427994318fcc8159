"""Questions in a plainer order: "by rank: how many officers ...?" is "how many officers ... per rank?"."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from cypher.semantics.openings import without_preamble
from cypher.semantics.rephrasing import (
    again,
    amounts,
    breakdowns,
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
    left_out,
    loosely,
    order,
    rankings,
    remarks,
    roundabout,
    same_doer,
    shared,
    speakers,
    superlatives,
    tagged,
    talk,
    tallied,
    turned,
    whether,
    words,
    years,
)
from cypher.semantics.rephrasing.rule import Rule

_SPOKEN: Final[tuple[Rule, ...]] = (
    *talk.RULES,
    *years.RULES,
    *left_out.RULES,
    *tagged.RULES,
    *superlatives.RULES,
    *breakdowns.RULES,
)
"""Of what people say, whatever they begin with."""
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
    return _by(_RULES, behind_preamble(text, lambda asked: _by(_SPOKEN, asked)))


_WHETHER: Final = re.compile(
    r"^(?:do|does|did|have|has|is|are|was|were) (?:we|you|they|there)\b", re.IGNORECASE
)


def behind_preamble(text: str, plainer: Callable[[str], str]) -> str:
    """The question with what stands behind its polite beginning made plainer, if it is changed at all.

    >>> behind_preamble("Could you tell me who won?", lambda asked: asked.replace("won", "came first"))
    'who came first?'
    >>> behind_preamble("Could you tell me who won?", lambda asked: asked)
    'Could you tell me who won?'
    """
    asked = text if _WHETHER.match(text) else without_preamble(text)
    said = plainer(asked)
    return plainer(text) if said == asked else said


def _by(rules: tuple[Rule, ...], text: str) -> str:
    for expression, said in rules:
        text = expression.sub(said, text, count=1)
    return text
