"""Acronyms that a text defines: "particle identification (PID)".

After Schwartz and Hearst, "A simple algorithm for identifying abbreviation definitions in biomedical
text" (PSB 2003, doi:10.1142/9789812776303_0042).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_SHORT = re.compile(r"\(([A-Z][A-Za-z0-9-]{1,9})\)")
_WORD = re.compile(r"[^\W_]+")


def find_acronyms(text: str) -> dict[str, str]:
    """Acronyms defined in ``text``, each with its long form as first written there.

    >>> find_acronyms("Particle identification (PID) and the boosted decision tree (BDT) are calibrated.")
    {'PID': 'Particle identification', 'BDT': 'boosted decision tree'}
    """
    found: dict[str, str] = {}
    for match in _SHORT.finditer(text):
        short = match[1]
        if sum(c.isupper() for c in short) < 2 or short in found:
            continue
        long_form = _long_form(short, text[: match.start()])
        if long_form:
            found[short] = long_form
    return found


def expand(name: str, table: Mapping[str, str]) -> str:
    """``name`` with every acronym of ``table`` written out; a definition in brackets collapses.

    >>> expand("PID efficiency", {"PID": "particle identification"})
    'particle identification efficiency'
    >>> expand("particle identification (PID) efficiency", {"PID": "particle identification"})
    'particle identification efficiency'
    """
    for short in sorted(table, key=lambda s: (-len(s), s)):
        pattern = re.escape(short)
        defined = rf"({re.escape(table[short])})\s*\({pattern}s?\)"
        name = re.sub(defined, r"\1", name, flags=re.IGNORECASE)
        name = re.sub(rf"(?<![\w-]){pattern}(?!\w)", lambda _, s=short: table[s], name)  # type: ignore[misc]
    return name


def with_definitions(name: str, table: Mapping[str, str]) -> str:
    """``name`` with the long form before every acronym of ``table`` that it uses and does not define.

    >>> with_definitions("PID efficiency", {"PID": "particle identification"})
    'particle identification (PID) efficiency'
    """
    for short in sorted(table, key=lambda s: (-len(s), s)):
        if short in name and f"({short}" not in name:
            pattern = rf"(?<![\w-]){re.escape(short)}(?![\w-])"
            name = re.sub(pattern, lambda _, s=short: f"{table[s]} ({s})", name, count=1)  # type: ignore[misc]
    return name


def _long_form(short: str, before: str) -> str:
    """The shortest text right before the bracket that holds the letters in order, else ''.

    Letters are matched from the end; the first must start a word. The text has at most
    min(n + 5, 2 n) words for an acronym of n letters and starts no earlier than its sentence.
    """
    letters = [c.lower() for c in short if c.isalnum()]
    sentence = re.split(r"[.;:()\[\]]\s", before)[-1].rstrip()
    words = list(_WORD.finditer(sentence))[-min(len(letters) + 5, 2 * len(letters)) :]
    if not words:
        return ""
    position, first = len(sentence), words[0].start()
    for index, letter in reversed(list(enumerate(letters))):
        position -= 1
        while position >= first and not _matches(sentence, position, letter, initial=index == 0):
            position -= 1
        if position < first:
            return ""
    found = sentence[position:]
    return found if len(found) > len(short) and found.lower() != short.lower() else ""


def _matches(text: str, position: int, letter: str, *, initial: bool) -> bool:
    if text[position].lower() != letter:
        return False
    return not initial or position == 0 or not text[position - 1].isalnum()
