"""Regular expressions from schema files: whether they can be run."""

from __future__ import annotations

from schemas.language.expressions import ExpressionError, expression

LONGEST_PASSAGE = 2_000
"""No pattern is ever matched on more characters at once."""
_HINTS = (
    ("(?", "lookaround is not supported: use word borders or followed_by"),
    ("escape", "write the character itself, or \\\\ for a backslash"),
    ("repetition", "repeats go up to {0,1000}, in all, and none is possessive"),
    ("too large", "write smaller repeats such as {0,40}"),
)


def pattern_fault(pattern: str) -> str:
    """What is wrong with a regular expression, or an empty string.

    Any expression that RE2 compiles is fine: its time is linear in the text, and its memory bounded.

    >>> print(pattern_fault(r"decay(?=s)"))
    is refused (invalid perl operator: (?=): lookaround is not supported: use word borders or followed_by
    >>> pattern_fault(r"(a+)+b")
    ''
    """
    try:
        expression(pattern)
    except ExpressionError as e:
        hint = next((hint for word, hint in _HINTS if word in str(e)), "")
        return f"is refused ({e})" + (f": {hint}" if hint else "")
    return ""
