"""What makes "mass" or "lifetime" another quantity: a resolution, a difference, a cut, another unit."""

from __future__ import annotations

import re

from extraction.observables import ObservableMention
from extraction.passages import unified
from schemas.language.units import conversion

_KINDS = frozenset({"mass", "lifetime", "width"})
_TAIL = re.compile(
    r"[-\s](?:(?:fit|peak|scale|hypothesis|signal|selection|energy|momentum|calibration) )?"
    r"(?:resolutions?|windows?|cuts?|scales?|bias(?:es)?|shifts?|ranges?|requirements?|regions?|sidebands?"
    r"|constraints?|offsets?|corrections?|pulls?|bins?|intervals?|thresholds?|uncertaint(?:y|ies)"
    r"|errors?|veto(?:es)?|differences?|splittings?|ratios?|asymmetr(?:y|ies)|sum|squared|residuals?"
    r"|acceptances?|calibrations?|fraction|spectrum|distribution|hypothesis|variation|change)\b",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"\b(?:differences?|splittings?|ratios?|sums?|averages?|resolutions?|shifts?|bias(?:es)?|uncertaint(?:y|ies)"
    r"|errors?|windows?|cuts?|corrections?|changes?|variations?) (?:between|of|in|on|from|for|to)\s"
    r"(?:(?!(?:we|is|are|was|were|finds?|measured?|obtain\w*|using|gives?|yields?|results?|by|with)\s)"
    r"[^\s.,;=]{1,24}\s){0,6}$",
    re.IGNORECASE,
)
_BY = re.compile(r"\bby (?:about |only |at most |up to )?[(\[{]{0,2}\s?$", re.IGNORECASE)
_SELECTION = re.compile(
    r"[-\s](?:[-\s]?(?:squared|signal|fit|peak) ?){0,2}[-\s]?"
    r"(?:windows?|ranges?|requirements?|regions?|sidebands?|intervals?|bins?|spectr(?:um|a)|distributions?)\b",
    re.IGNORECASE,
)
_UNITS = {"lifetime": ("s",), "mass": ("eV", "eV/c^2", "g"), "width": ("eV", "eV/c^2", "s^-1")}


def another_quantity(text: str, mention: ObservableMention) -> str:
    """The words that make the mention another quantity than the mass, lifetime or width; else empty.

    >>> made = ObservableMention(6, 10, "B_s0 mass", "{particle} mass", "B_s0", {"kind": "mass"}, True)
    >>> another_quantity("B_s0  mass resolution is", made), another_quantity("B_s0  mass is", made)
    ('resolution', '')
    """
    if mention.attributes.get("kind") not in _KINDS or not mention.template.startswith("{particle}"):
        return ""
    plain = unified(text)
    after = _TAIL.match(plain, mention.end)
    if after:
        return after.group().strip(" -")
    before = _COMPARED.search(plain, max(0, mention.start - 90), mention.start)
    return before.group().strip() if before else ""


def is_selection(text: str, mention: ObservableMention) -> bool:
    """Whether the words are a range, a bin or a spectrum of the quantity, which no value belongs to.

    >>> made = ObservableMention(4, 8, "B_s0 mass", "{particle} mass", "B_s0", {"kind": "mass"}, True)
    >>> is_selection("the mass-squared range", made), is_selection("the mass is", made)
    (True, False)
    """
    return (
        mention.attributes.get("kind") in _KINDS and _SELECTION.match(unified(text), mention.end) is not None
    )


def is_change(gap: str) -> bool:
    """Whether the words before a value make it the size of a change: "is larger than ... by".

    >>> is_change(" is reduced by "), is_change(" is measured to be ")
    (True, False)
    """
    return _BY.search(gap) is not None


def unit_differs(mention: ObservableMention, unit: str) -> bool:
    """Whether a unit cannot be one of the observable's kind, as ps^-1 of a lifetime; no unit differs not."""
    kinds = _UNITS.get(str(mention.attributes.get("kind", "")))
    if not unit or kinds is None:
        return False
    return all(conversion(unit, base) is None for base in kinds)
