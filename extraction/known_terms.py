"""Written names that are a gazetteer's terms."""

from __future__ import annotations

import re

from extraction.passages import unified
from extraction.rules_compile import CompiledTerm
from extraction.rules_state import Reading
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
            for term in gazetteer.terms:
                if any(form.pattern.fullmatch(shown) for form in term.forms):
                    return term
    return None


def term_within(reading: Reading, entity_type: str, written: str) -> CompiledTerm | None:
    """The term that is the whole text but for general words ("choice of the fit model"); None for none."""
    shown = unified(readable_name(written))
    folded = shown.lower()
    best: tuple[int, CompiledTerm] | None = None
    for gazetteer in reading.rules.gazetteers:
        if gazetteer.type != entity_type:
            continue
        for term in gazetteer.terms:
            for match in term.finds(shown, folded):
                size = match.end() - match.start()
                around = f"{shown[: match.start()]} {shown[match.end() :]}"
                if (best is None or size > best[0]) and _GENERAL.fullmatch(around):
                    best = (size, term)
    return best[1] if best else None
