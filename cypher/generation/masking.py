"""A verified example without what it names: who asked about whom is nobody else's business."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from cypher.generation.terms import LITERAL
from schemas.ports import Example
from schemas.questions import Parameter, Scalar

_PLAIN: Final = 2
"""Most digits of a number that stays where the question does not have it: "three", lengths of paths."""
_VALUE: Final = re.compile(
    rf"(?P<limit>\b(?:LIMIT|SKIP)\s+)?(?:{LITERAL.pattern}|(?<![\w.`$])(?P<number>\d+(?:\.\d+)?)(?![\w`]))",
    re.IGNORECASE,
)
"""A text or a number that stands in a query."""


def without_values(example: Example) -> Example | None:
    """The example with a placeholder for each value; None where the question may still hold one.

    Every text that the query compares with must stand in the question, so that its place there is known, and
    what is left of the question has no numbers and, but for its beginning, no capital letters.

    >>> asked = "What is the phone of Olle Berg?"
    >>> query = "MATCH (d:Doctor) WHERE d.name = $p RETURN d.phone"
    >>> found = without_values(Example(question=asked, query=query, parameters={"p": "Olle Berg"}))
    >>> found.question, found.parameters
    ('What is the phone of <name 1>?', {'p': '<name 1>'})
    """
    values = _values(example)
    if values is None:
        return None
    places = {v: _place(v, example.question) for v in values}
    if any(place is None and not _plain(v) for v, place in places.items()):
        return None
    shown: dict[str, str] = {}
    for _, value in sorted((place, v) for v, place in places.items() if place is not None):
        kind = "number" if _is_number(value) else "name"
        shown[value] = f"<{kind} {1 + sum(s.startswith(f'<{kind} ') for s in shown.values())}>"
    question = _replaced(example.question, shown)
    query = _VALUE.sub(lambda m: _in_query(m, shown), example.query)
    if _names_in(_replaced(example.question, dict.fromkeys(shown, ","))) or _holds(query, shown):
        return None
    parameters = {k: _masked(v, shown) for k, v in example.parameters.items()}
    return Example(question=question, query=query, parameters=parameters)


def _values(example: Example) -> tuple[str, ...] | None:
    """Texts and numbers of the query as they would be said, in lower case; None where one cannot be told."""
    found = [_said(v) for k, p in example.parameters.items() if k != "scope" for v in _items(p)]
    for m in _VALUE.finditer(example.query):
        text = _text(m)
        if "\\" in text:
            return None
        if not m["limit"] or _place(text, example.question) is not None:
            found.append(text.lower())
    return tuple(dict.fromkeys(v for v in found if v))


def _text(m: re.Match[str]) -> str:
    return next((g for g in (m[2], m[3], m["number"]) if g is not None), "")


def _said(value: Scalar) -> str:
    """How a value is written in a question; empty for what is no text and no number."""
    if value is None or isinstance(value, bool):
        return ""
    whole = isinstance(value, float) and value.is_integer()
    return str(int(value) if whole else value).lower()


def _items(value: Parameter) -> Iterable[Scalar]:
    return value if isinstance(value, tuple) else (value,)


def _is_number(value: str) -> bool:
    return re.fullmatch(r"-?\d+(?:\.\d+)?", value) is not None


def _plain(value: str) -> bool:
    return _is_number(value) and len(value) <= _PLAIN


def _pattern(value: str) -> str:
    """The value as whole words, and no part of a longer number."""
    return rf"(?<![\w])(?<!\d[.,]){re.escape(value)}(?!\w)(?![.,]\d)"


def _place(value: str, question: str) -> int | None:
    found = re.search(_pattern(value), question, re.IGNORECASE)
    return found.start() if found else None


def _replaced(text: str, shown: dict[str, str]) -> str:
    """The text with what is shown in place of the values, the longest first."""
    if not shown:
        return text
    values = sorted(shown, key=len, reverse=True)
    pattern = "|".join(f"({_pattern(v)})" for v in values)
    return re.sub(pattern, lambda m: shown[values[(m.lastindex or 1) - 1]], text, flags=re.IGNORECASE)


def _in_query(m: re.Match[str], shown: dict[str, str]) -> str:
    placeholder = shown.get(_text(m).lower())
    if placeholder is None:
        return m[0]
    return f"{m['limit'] or ''}{placeholder if m['number'] else repr(placeholder)}"


def _masked(value: Parameter, shown: dict[str, str]) -> Parameter:
    if isinstance(value, tuple):
        return tuple(shown.get(_said(v), v) for v in value)
    return shown.get(_said(value), value)


def _names_in(left: str) -> bool:
    """Whether what is left of a question may hold a name or a number."""
    first, *others = [w for w in left.split() if w != "I"] or [""]
    return _unsure(first[:1].lower() + first[1:]) or any(map(_unsure, others))


def _unsure(word: str) -> bool:
    return any(c in "_@" or c.isdigit() or (c.isalpha() and not c.islower()) for c in word)


def _holds(query: str, shown: dict[str, str]) -> bool:
    """Whether a query still holds a value, in the name of a column."""
    return any(not _plain(v) and _place(v, query) is not None for v in shown)
