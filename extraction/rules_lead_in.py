"""What stands for the caption of a table without one: the sentence before it, or its section's heading."""

from __future__ import annotations

import re
from bisect import bisect_right

from extraction.passages import Passage
from extraction.rules_compile import Tabular
from extraction.rules_denied import denied
from extraction.rules_state import Reading
from schemas.documents import Block, BlockKind

_POINTS = re.compile(
    r"\b(?:below|following|follows|tables?|list(?:s|ed)?|summari[sz]e[sd]?|giv(?:es?|en)|shown?|shows|collected|are)\b",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\b(?:elsewhere|discussed|described|in (?:sections?|sects?\.|tables?|refs?\.?) ?[\d\[IVX]|above|except"
    r"|without|besides|apart from|excluding|before)\b",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"\b(?:uncertaint|systemati|sources?\b|contributions?\b|effects?\b|errors?\b|they\b|these\b|them\b)",
    re.IGNORECASE,
)
_TITLE_OF_OTHERS = re.compile(r"\b(?:results?|yields?|efficienc|cross[- ]?checks?)", re.IGNORECASE)


def lead_in(reading: Reading, tabular: Tabular, at: int) -> Block | None:
    """The sentence that introduces the table, block ``at``, or the heading that it stands below; else None.

    Either carries a cue of the rule. A heading holds for a table right below it or after a paragraph whose
    last sentence goes on about the uncertainties; a sentence that points elsewhere introduces nothing.
    """
    blocks = reading.document.blocks
    if at == 0 or tabular.cues is None:
        return None
    before = blocks[at - 1]
    if before.kind is BlockKind.PARAGRAPH and before.section == blocks[at].section:
        last = _last_passage(reading, at - 1)
        if last is None or _ELSEWHERE.search(last.unified) or denied(last.unified):
            return None
        if tabular.cues.search(last.unified) and _introduces(last, before):
            return before.model_copy(update={"start": last.start, "end": last.end, "text": last.text})
        if not (_GOES_ON.search(last.unified) and _introduces(last, before)):
            return None
    elif before.kind is not BlockKind.HEADING:
        return None
    return _heading(reading, tabular, at)


def _introduces(last: Passage, block: Block) -> bool:
    """A sentence that ends in a colon, points at the table, or is a line of its own without a stop."""
    said = last.unified.rstrip(" *")
    alone = last.start == block.start
    return said.endswith(":") or bool(_POINTS.search(said)) or (alone and len(said.split()) <= 12)


def _last_passage(reading: Reading, block: int) -> Passage | None:
    at = bisect_right(reading.passages, block, key=lambda p: p.block) - 1
    return reading.passages[at] if at >= 0 and reading.passages[at].block == block else None


def _heading(reading: Reading, tabular: Tabular, at: int) -> Block | None:
    """The heading of the table's own section, where it says what the rule's cues say."""
    blocks = reading.document.blocks
    section = blocks[at].section
    near = at - 1
    while near >= 0 and blocks[near].section == section and blocks[near].kind is not BlockKind.HEADING:
        near -= 1
    if near < 0 or blocks[near].section != section or tabular.cues is None:
        return None
    found, title = blocks[near], blocks[near].text
    return found if tabular.cues.search(title) and not _TITLE_OF_OTHERS.search(title) else None
