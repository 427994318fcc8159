"""Written names that are a gazetteer's terms."""

from __future__ import annotations

import re

from extraction.passages import unified
from extraction.rules_state import Reading
from extraction.rules_terms import CompiledTerm
from schemas.language.names import readable_name

_GENERAL = re.compile(
    r"(?:\W|\b(?:the|an?|of|in|on|for|from|to|and|its|their|used|choice|knowledge|limited|finite|imperfect|imprecise|precision|"
    r"modell?ing|description|determination|estimation|evaluation|treatment|calculation|correction|corrections|"
    r"calibration|procedure|method|measured|uncertaint(?:y|ies)|errors?|effects?|possible|residual|assumed|default|"
    r"nominal|poorly|known|fixing|poor|specific|particular|fixed|overall|total|signal|candidates?)\b)*",
    re.IGNORECASE,
)
"""What may stand around a term without making it another."""


def known_term(reading: Reading, entity_type: str, written: str) -> CompiledTerm | None:
    """The term of the type's gazetteers whose form the whole text is; None for none."""
    shown = unified(readable_name(written))
    for gazetteer in reading.rules.gazetteers:
        if gazetteer.type == entity_type:
            term = gazetteer.terms.whole(shown)
            if term is not None:
                return term
    return None


def term_within(reading: Reading, entity_type: str, written: str) -> CompiledTerm | None:
    """The term that is the whole text but for general words ("choice of the fit model"); None for none."""
    shown = unified(readable_name(written))
    best: tuple[int, CompiledTerm] | None = None
    for gazetteer in reading.rules.gazetteers:
        if gazetteer.type != entity_type:
            continue
        for match, term in gazetteer.terms.finds(shown):
            start, end = match.span()
            longer = best is None or end - start > best[0]
            if longer and _GENERAL.fullmatch(f"{shown[:start]} {shown[end:]}"):
                best = (end - start, term)
    return best[1] if best else None
