"""Whether a value is the document's own result, or an input, a prediction, another's measurement."""

from __future__ import annotations

import re

from extraction.passages import Passage, unified
from extraction.rules_compile import Measuring
from extraction.rules_state import Reading
from schemas.documents import BlockKind, DocumentKind
from schemas.language.expressions import Expression
from schemas.language.quantities import Quantity

SUMMARY = frozenset({BlockKind.TITLE, BlockKind.ABSTRACT})
_LISTINGS = frozenset({DocumentKind.PDG_PAPER, DocumentKind.PDG_PARTICLE})
_BEFORE, _AFTER, _LEAD_IN = 320, 90, 70
_BREAK = re.compile(r"[,;]\s")
_CLAUSE_END = re.compile(r"[;.]\s|,\s(?:and|while|whereas|which|where)\b|\n")


_STATED = re.compile(
    r"\s*(?:(?:the|our)\s(?:[^.,;:=\[]|\.\d){3,100}?\s(?:is|are|was|=)|\S{1,30}\s?=)\s?[({\[$]{0,3}\s?"
    r"(?:\S{1,30}\s?=\s?[({\[$]{0,3}\s?)?",
    re.IGNORECASE,
)
"""What stands before the value of "The lifetime of the B_s^0 meson is 1.52 ± 0.01 ps"."""
_QUALIFIED = re.compile(
    r"\b(?:if|when|with|using|from|as|by|at|in|external|inputs?|known|nominal|assumed|fixed|taken|expected|predicted"
    r"|simulat\w*|generated|true|previous|earlier|former|reference|reported|published|world|average|mean|PDG|HFLAV"
    r"|other|another|differences? between|not|corresponding|required|typical|default|initial|theor\w*)\b",
    re.IGNORECASE,
)
"""Words that make such a sentence another's, or one about something else than the result."""
_ENDS = re.compile(r"[\s)}$\]]{0,4}(?:[.;]?\s*|,\swhere\b[^\[]{3,160})")
_EXPLAINS = re.compile(r"\s*(?:where|here)\b[^.;]{0,160}$", re.IGNORECASE)
"""Before a value that is put into a formula: "where the branching fraction is 0.2 ± 0.1"."""
_NOT_OURS = re.compile(
    r"introduc|theor|motivat|background|previous|related|input|external|literature|reference|formalism|simulat"
    r"|detector|select|method|systematic|compar|predict|outlook|appendix|acknowledg",
    re.IGNORECASE,
)


def is_stated(reading: Reading, measuring: Measuring, passage: Passage, quantity: Quantity) -> bool:
    """Whether the sentence says nothing but the value, in a document that sets no place of results apart.

    A short note has neither abstract nor headings of results; what it states plainly is its own. A
    citation, an "in" or an "external" anywhere in the sentence leaves it open whose the value is.
    """
    if passage.kind not in {BlockKind.PARAGRAPH, BlockKind.LIST_ITEM}:
        return False
    text = passage.unified
    if _STATED.fullmatch(text, 0, quantity.start) is None or _ENDS.fullmatch(text, quantity.end) is None:
        return False
    title = reading.document.sections[passage.section].title
    if _QUALIFIED.search(text, 0, quantity.start) or _NOT_OURS.search(title):
        return False
    return not _has_own_places(reading, measuring)


def _has_own_places(reading: Reading, measuring: Measuring) -> bool:
    if reading.document.kind in _LISTINGS or reading.summing_up < len(reading.passages):
        return True
    if any(b.kind is BlockKind.ABSTRACT for b in reading.document.blocks):
        return True
    titles = (unified(s.title) for s in reading.document.sections[1:])
    return measuring.sections is not None and any(measuring.sections.search(t) for t in titles)


def is_own_place(reading: Reading, measuring: Measuring, passage: Passage) -> bool:
    """Title, abstract, what stands below the headings of results, and all after "In summary"."""
    if passage.kind in SUMMARY:
        return True
    if measuring.sections is None:
        return False
    return passage.index >= reading.summing_up or reading.below(passage.section, measuring.sections)


def foreign(reading: Reading, measuring: Measuring, passage: Passage, quantity: Quantity) -> str:
    """Why the value is not the document's result, or an empty string."""
    before = _lead_in(reading, passage) + passage.unified[max(0, quantity.end - _BEFORE) : quantity.end]
    if measuring.exclude is not None and _excluded(measuring, measuring.exclude, before):
        return "the sentence speaks of a prediction or another's result"
    explains = _EXPLAINS.match(passage.unified, 0, quantity.start)
    if explains and not (measuring.own and measuring.own.search(passage.unified)):
        return "the clause explains what stands in a formula"
    after = passage.unified[quantity.end : quantity.end + _AFTER]
    stop = _CLAUSE_END.search(after)
    if measuring.exclude_after is not None and measuring.exclude_after.search(
        after[: stop.start()] if stop else after
    ):
        return "what follows the value says that it is another's"
    if measuring.own is None or is_own_place(reading, measuring, passage):
        return ""
    if is_stated(reading, measuring, passage, quantity):
        return ""
    said = (_context(reading, passage) if passage.kind is BlockKind.EQUATION else "") + before
    return "" if measuring.own.search(said) else "nothing says that the value is a result of the document"


def _excluded(measuring: Measuring, exclude: Expression, before: str) -> bool:
    """Whether the exclusion stands, with no clause of an own result between it and the value."""
    last = max((m.end() for m in exclude.finditer(before)), default=-1)
    if last < 0:
        return False
    rest = before[last:]
    stop = _BREAK.search(rest)
    return not (stop and measuring.own is not None and measuring.own.search(rest[stop.end() :]))


def _lead_in(reading: Reading, passage: Passage) -> str:
    """The end of the unfinished sentence that an equation completes."""
    if passage.kind is not BlockKind.EQUATION or passage.index == 0:
        return ""
    before = reading.passages[passage.index - 1].unified.rstrip()
    return "" if before.endswith(".") else before[-_LEAD_IN:] + " "


def _context(reading: Reading, passage: Passage) -> str:
    near = reading.passages[max(0, passage.index - 2) : passage.index]
    return " ".join(p.unified for p in near if p.section == passage.section) + " "
