"""Units in short, at the end of identifiers, and what these say in full."""

from __future__ import annotations

from typing import Final

from cypher.semantics.text import identifier_words

SHORT: Final = {
    "m": "metre", "km": "kilometre", "cm": "centimetre", "mm": "millimetre", "kg": "kilogram", "g": "gram",
    "mg": "milligram", "t": "tonne", "ha": "hectare", "l": "litre", "ml": "millilitre", "hl": "hectolitre",
    "sqm": "sqm", "c": "degree", "celsius": "degree", "pct": "percent",
}  # fmt: skip
"""What the last part of an identifier stands for: ``area_ha``, ``heightCm``."""
_CLOCK: Final = {"min": "minute", "h": "hour", "hr": "hour", "hrs": "hour", "s": "second", "sec": "second"}
"""The same of time."""


def unit_phrase(name: str) -> tuple[str, ...]:
    """What a property's name with a unit in short says in full, if it ends in one.

    >>> unit_phrase("exposure_min"), unit_phrase("areaHa"), unit_phrase("min_depth")
    (('exposure', 'minutes'), ('area', 'hectares'), ())
    """
    parts = identifier_words(name)
    unit = SHORT.get(parts[-1]) or _CLOCK.get(parts[-1], "") if len(parts) > 1 else ""
    return (*parts[:-1], f"{unit}s") if unit else ()
