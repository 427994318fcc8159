"""The figure of what comes first, asked for too: "which team has the biggest budget, and how much is it"."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from cypher.semantics.ir import Query

_TOO: Final = re.compile(
    r",? and (?:how (?:much|many|high|long|big|large|old|deep|tall|far|heavy|expensive)"
    r"(?: (?:is|are|was|were) (?:it|they|that|there))?|what (?:is|are|was|were) (?:it|that))"
    r"(?P<end>[\s?.!]*)$",
    re.IGNORECASE,
)


def without_figure(question: str) -> str | None:
    """The question without asking for the figure; ``None`` where it does not.

    >>> without_figure("Which team has the biggest budget, and how much is it?")
    'Which team has the biggest budget?'
    >>> without_figure("Which team has the biggest budget?") is None
    True
    """
    found = _TOO.search(question)
    return f"{question[: found.start()]}{found['end']}" if found else None


def with_figure(query: Query) -> Query | None:
    """The reading with what it is ranked by; ``None`` where nothing is ranked."""
    return replace(query, show_order=True) if query.order is not None else None
