"""Sentences that deny that something affects a result: no relation is read from them."""

from __future__ import annotations

import re

_DENIED = re.compile(
    r"\bno (?:(?:further|additional|extra|separate|corresponding|significant|dedicated|relevant|systematic"
    r"|statistical|explicit|visible|measurable) ){0,3}"
    r"(?:uncertaint|errors?\b|systematics?\b|contributions?\b|effects?\b|impact\b|influence\b|dependence\b)"
    r"|\b(?:do|does|did|can|could|would|will|should)(?: ?not|n't) (?:[a-z]{3,14}ly )?(?:affect|contribut"
    r"|influence|impact|limit|dominat|bias|depend|matter|alter|introduce|lead to|give rise|need|enter)"
    r"|\b(?:is|are|was|were|be|been) (?:therefore |thus |hence )?not (?:[a-z]{3,14}ly )?(?:affect|contribut"
    r"|influenc|limit|dominat|bias|assign|consider|includ|add|sensitive|relevant|needed|a source|expected to)"
    r"|\b(?:unaffected by|insensitive to|not sensitive to|independent of|does not depend|free of|neither)\b"
    r"|\bwithout (?:any |a |an )?(?:\w{3,12} )?(?:uncertaint|systematic|effect|contribution)",
    re.IGNORECASE,
)


def denied(text: str) -> bool:
    """Whether a sentence (``Passage.unified``) says that an effect or uncertainty is not there.

    >>> denied("No uncertainty is assigned for the gas gain."), denied("The gas gain affects the rate.")
    (True, False)
    """
    return _DENIED.search(text) is not None
