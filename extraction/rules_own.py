"""Whether a value is the document's own result, or an input, a prediction, another's measurement."""

from __future__ import annotations

import re

from extraction.passages import Passage
from extraction.rules_compile import Measuring
from extraction.rules_state import Reading
from schemas.documents import BlockKind
from schemas.language.expressions import Expression
from schemas.language.quantities import Quantity

SUMMARY = frozenset({BlockKind.TITLE, BlockKind.ABSTRACT})
_BEFORE, _AFTER, _LEAD_IN = 320, 90, 70
_BREAK = re.compile(r"[,;]\s")
_CLAUSE_END = re.compile(r"[;.]\s|,\s(?:and|while|whereas|which|where)\b|\n")


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
    after = passage.unified[quantity.end : quantity.end + _AFTER]
    stop = _CLAUSE_END.search(after)
    if measuring.exclude_after is not None and measuring.exclude_after.search(
        after[: stop.start()] if stop else after
    ):
        return "what follows the value says that it is another's"
    if measuring.own is None or is_own_place(reading, measuring, passage):
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
