"""Phrases that change what is asked and that no reading honours: it is said so, and they are not left out."""

from __future__ import annotations

import re
from typing import Final

_PHRASES: Final = (
    (
        r"^(?!.*\b(?:observables?|quantities|decays?)\b).*\bfor the first time in (?:19|20)\d\d\b",
        "'{}' asks whether that year was the first one. Ask for the first ones, which come with their year: "
        "'Which papers first measured ...?'",
    ),
    (
        r"\b(?:replaced|superseded) by (?:an?|another|other|newer|later|better) (?:\w+ )?"
        r"(?:measurements?|limits?|values?|bounds?)\b",
        "'{}' asks with what a value was replaced. The graph knows the papers that replaced values: ask "
        "which values were replaced, or by which paper.",
    ),
    (
        r"\b(?:have|has|having|with|from|by) (?:an? |the )?(?:PDG|PDG's|recommended) "
        r"(?:fits?|evaluations?|estimates?)\b(?! values?\b)",
        "'{}' asks how a recommended value was found, which is told beside each value and is no condition "
        "here. A query of your own can test it: 'kg query' with o.pdg_value_kind = 'fit'.",
    ),
    (
        r"\b(?:most|least) (?:common|frequent|usual) (?:products?|daughters?|final states?|particles?)\b",
        "'{}' is not counted here. Ask how many decays have a certain product.",
    ),
    (r"^from what\b", "'{}' is not understood at the beginning of a question. Name what is asked for."),
)
_COMPILED: Final = tuple((re.compile(said, re.IGNORECASE), reason) for said, reason in _PHRASES)
_LAST: Final = re.compile(r"\b(?:for the first time in \d{4})$", re.IGNORECASE)


def not_honoured(text: str) -> str:
    """Why a question cannot be answered in which a phrase stands that no reading honours; else nothing.

    >>> not_honoured("Which limits were superseded by a measurement?")[:50]
    "'superseded by a measurement' asks with what a val"
    >>> not_honoured("Which papers measured gamma for the first time in 2014?")[:30]
    "'for the first time in 2014' a"
    >>> not_honoured("Which limits were superseded by later papers?")
    ''
    """
    for pattern, reason in _COMPILED:
        if found := pattern.search(text):
            tail = _LAST.search(found[0])
            return reason.format(tail[0] if tail else found[0])
    return ""
