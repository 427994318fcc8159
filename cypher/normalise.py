"""The question's text before anything is looked up: characters, tokens, and what is refused outright."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

MAX_CHARACTERS = 500
"""Longer questions are refused: no question about a graph of measurements needs more."""
TOO_LONG = f"A question may have {MAX_CHARACTERS} characters; this one is longer. Ask one thing only."

_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "`": "'", "−": "-", "–": "-"})
_CODE = re.compile(
    r"\b(?:OPTIONAL\s+MATCH|MATCH\s*\(|MERGE\s*\(|CREATE\s*\(|DETACH\s+DELETE|LOAD\s+CSV|FOREACH\s*\("
    r"|UNION\s+ALL|UNWIND\s|CALL\s+\w+\.|CALL\s*[({]|RETURN\s+\w+(?:\.\w+|\s*$)|SELECT\s.+\sFROM\s|INSERT\s+INTO\s"
    r"|DROP\s+(?:TABLE|DATABASE|INDEX|CONSTRAINT|USER)|DELETE\s+FROM\s|UPDATE\s+\S+\s+SET\s|PREFIX\s+\w*:"
    r"|EXPLAIN\s+MATCH|PROFILE\s+MATCH|SHOW\s+(?:USERS|DATABASES|INDEXES|PROCEDURES))"
    r"|\)\s*<?-\s*\[|\]\s*->\s*\(|--\s*$|/\*|\*/|\\u[0-9a-fA-F]{4}",
    re.IGNORECASE,
)
_WRITE = re.compile(
    r"^(?:please\s+|now\s+|kindly\s+)*(?:delete|remove|erase|drop|truncate|create|add|insert|update|set|change|edit"
    r"|modify|merge|rename|replace|overwrite|write|store|save|publish|approve|vet|wipe|clear|reset)\b",
    re.IGNORECASE,
)
_OVERRIDE = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instruction|prompt|rule|previous|above|schema)",
    re.IGNORECASE,
)
_CONTROL = frozenset({"Cc", "Cs"})
"""Unicode categories of characters that no question holds: controls such as NUL, and halves of pairs."""
_TOKEN = re.compile(r"\S+")
_OPENING = "\"'[{<«"
_PLURAL = re.compile(r"[a-z]{3,}s")
_PRIME = re.compile(r"(?<=\w)'(?![A-Za-z])")
_CLOSING = "\"'?!.,;:]}»"


@dataclass(frozen=True, slots=True)
class Token:
    """A word of the question; ``start`` and ``end`` are character offsets, half-open."""

    text: str
    start: int
    end: int


def clean(text: str) -> str:
    """NFKC, plain quotes and minus signs, one space between words, no format characters.

    Control characters stay: to leave them out would join words that nobody wrote so; ``refusal`` names them.

    >>> clean("  Which papers determine\\u200b ϕ_s ?")
    'Which papers determine φ_s ?'
    """
    folded = unicodedata.normalize("NFKC", text).translate(_QUOTES)
    kept = (c if c.isspace() or _kept(unicodedata.category(c)) else "" for c in folded)
    return " ".join("".join(kept).split())


def _kept(category: str) -> bool:
    return category[0] != "C" or category in _CONTROL


_NAMING: Final = "an observable"
_CORRECTED: Final = "corrections are made in the graph files (`kg show`, then `kg accept`)"
_NAMING_IN_STORE: Final = "a thing or a kind of things"
_CORRECTED_IN_STORE: Final = "changes are made in the database itself"


def refusal(text: str, *, of_store: bool = False) -> str:
    """Why this is no question about the graph, or about a store of any kind; else an empty string.

    >>> refusal("MATCH (n) DETACH DELETE n")[:33]
    'This is query text, not a questio'
    >>> refusal("Which papers determine phi_s?")
    ''
    """
    control = next((c for c in text if unicodedata.category(c) in _CONTROL), "")
    if control:
        return (
            f"The question holds a control character (U+{ord(control):04X}, after "
            f"{text.index(control)} characters). Type it again without it."
        )
    if _CODE.search(text):
        naming = _NAMING_IN_STORE if of_store else _NAMING
        return (
            "This is query text, not a question. Queries are written by the service itself; "
            f"ask in English, for example by naming {naming} and what you want to know of it."
        )
    if _OVERRIDE.search(text):
        return "This asks to change how the service works. It only answers questions about the graph."
    if _WRITE.match(text):
        corrected = _CORRECTED_IN_STORE if of_store else _CORRECTED
        return f"This asks to change the graph. The question service only reads; {corrected}."
    return ""


def tokenise(text: str) -> tuple[Token, ...]:
    """Words without the punctuation around them; brackets and primes that belong to a name stay.

    >>> [t.text for t in tokenise("the decays of BR(B_s0 -> mu+ mu-), please?")]
    ['the', 'decays', 'of', 'BR(B_s0', '->', 'mu+', 'mu-)', 'please']
    >>> [t.text for t in tokenise("the papers' mass of the eta'? of 'eta'?")]
    ['the', 'papers', 'mass', 'of', 'the', "eta'", 'of', 'eta']
    """
    tokens = []
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        while start < end and text[start] in _OPENING:
            start += 1
        while end > start and text[end - 1] in _CLOSING and not _is_prime(text, start, end):
            end -= 1
        if text[start:end].startswith("(") and text[start:end].endswith(")"):
            start, end = start + 1, end - 1
        if text[start:end].lower().endswith("'s"):
            end -= 2
        if end > start:
            tokens.append(Token(text[start:end], start, end))
    return tuple(tokens)


def primes(text: str) -> int:
    """How many words have a prime in their names.

    >>> primes("the mass of the Xi_b'- and the eta', don't tell the papers' values")
    2
    """
    return sum(_PRIME.search(token.text) is not None for token in tokenise(text))


def _is_prime(text: str, start: int, end: int) -> bool:
    """Whether the last character of a word is the prime of a name, as in "eta'".

    It closes no quotation that was opened before, and is no apostrophe behind a plural.
    """
    word = text[start:end].rstrip("'")
    if not text[start:end].endswith("'") or _PLURAL.fullmatch(word):
        return False
    return all(closing != end - 1 for _, closing in quoted_spans(text))


def balanced(text: str, start: int, end: int) -> str:
    """``text[start:end]`` with a bracket next to it that closes or opens one inside.

    >>> balanced("values of phi(ES) (B8)?", 10, 21)
    'phi(ES) (B8)'
    """
    for opening, closing in ("()", "[]", "{}"):
        surplus = text.count(opening, start, end) - text.count(closing, start, end)
        if surplus == 1 and text[end : end + 1] == closing:
            end += 1
        elif surplus == -1 and start and text[start - 1] == opening:
            start -= 1
    return text[start:end]


def quoted_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Spans inside quotation marks: names that the asker marked as such."""
    spans = re.finditer(r"\"([^\"]+)\"|(?<!\w)'([^']+)'(?!\w)", text)
    return tuple((m.start() + 1, m.end() - 1) for m in spans)
