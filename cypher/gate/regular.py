"""Regular expressions of ``=~``: only those whose match is short for certain may run.

The server matches by Java's backtracking, which heeds neither a time limit nor a stop: ``(.*a){20}b`` keeps a
core for ever. So an expression is known before the query runs, and the ways to try it are counted: what is
repeated without end multiplies with the length of the text, a choice with the number of its branches.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from typing import Final

from cypher.gate.report import finding
from cypher.syntax import nodes as n
from cypher.syntax.walk import walk
from schemas.findings import Finding
from schemas.questions import Parameter

MAX_CHARACTERS: Final = 200
MAX_UNBOUNDED: Final = 2
"""Most repetitions without end: the time grows with the square of a text's length at most."""
MAX_CHOICES: Final = 100
"""Most ways through all choices of an expression together."""
_WIDE: Final = 10
"""A repetition that can be so many times longer is one without end."""
_DEEPEST: Final = 20
_QUANTIFIER: Final = re.compile(r"(?:[*+?]|\{(?P<least>\d{1,9})(?P<open>,(?P<most>\d{1,9})?)?\})")
_OPENING: Final = re.compile(r"\(\?(?:[:=!>]|<[=!]|<[A-Za-z]\w*>|(?P<flags>[A-Za-z-]*)(?P<end>[:)]))")
_ESCAPE: Final = re.compile(r"\\(?:[pPxNb]\{[^}]*\}|c.|.)", re.DOTALL)
_CLASS: Final = re.compile(r"\[\^?(?:\\.|[^\[\]\\])+\]", re.DOTALL)
_INSTEAD: Final = ("n.name CONTAINS 'x'", "n.name STARTS WITH 'x'", "n.name ENDS WITH 'x'")


class _TooLongError(ValueError):
    """Why an expression may not run."""


@dataclass(frozen=True, slots=True)
class _Ways:
    """In how many ways a part of an expression can be tried."""

    choices: int = 1
    unbounded: int = 0
    quantified: bool = False


def check_regular(query: n.Query, parameters: Mapping[str, Parameter]) -> Iterator[Finding]:
    """Findings ``COST`` of expressions that are not known before the query runs, or may take long."""
    for node in walk(query):
        if not isinstance(node, n.Test) or node.operator != "=~":
            continue
        text = _text_of(node.right, parameters)
        reason = "is written out, or given as a parameter" if text is None else too_long(text)
        if reason:
            message = f"an expression after =~ {reason}; or use CONTAINS, STARTS WITH or ENDS WITH"
            yield finding("COST", message, node.span, *_INSTEAD)


def too_long(text: str) -> str:
    """Why matching an expression may take long; empty where it is short.

    >>> too_long("(?i).*(Ms|Mrs).*"), too_long("(.*a){20}b")
    ('', 'repeats nothing that is repeated or chosen inside')
    """
    if len(text) > MAX_CHARACTERS:
        return f"has at most {MAX_CHARACTERS} characters; this one has {len(text)}"
    try:
        found = _Reader(text).whole()
    except _TooLongError as e:
        return str(e)
    if found.unbounded > MAX_UNBOUNDED:
        return f"has at most {MAX_UNBOUNDED} of *, + and {{n,}}; this one has {found.unbounded}"
    if found.choices > MAX_CHOICES:
        return f"has at most {MAX_CHOICES} ways through its choices; this one has {found.choices:,}"
    return ""


def _text_of(node: n.Expression, parameters: Mapping[str, Parameter]) -> str | None:
    """The text that an expression is for certain; what is no text is empty: the type check tells it."""
    if isinstance(node, n.Literal):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, n.Parameter):
        value = parameters.get(node.name)
        return value if isinstance(value, str) else ""
    if isinstance(node, n.Arithmetic):
        parts = [_text_of(x, parameters) for x in (node.first, *(r.operand for r in node.rest))]
        known = [p for p in parts if p is not None]
        added = all(r.operator in {"+", "||"} for r in node.rest)
        return "".join(known) if added and len(known) == len(parts) else None
    return None


class _Reader:
    """Reads an expression from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.depth = text, 0, 0

    def whole(self) -> _Ways:
        """All of it; what is left over is no expression, which the server says."""
        parts = [self._choice()]
        while self.at < len(self.text):
            self.at += 1
            parts.append(self._choice())
        return _in_a_row(parts)

    def _choice(self) -> _Ways:
        branches = [self._row()]
        while self._takes("|"):
            branches.append(self._row())
        return _Ways(
            sum(b.choices for b in branches),
            max(b.unbounded for b in branches),
            any(b.quantified for b in branches),
        )

    def _row(self) -> _Ways:
        parts = []
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            parts.append(self._repeated(self._part()))
        return _in_a_row(parts)

    def _part(self) -> _Ways:
        sign = self.text[self.at]
        if sign == "(":
            return self._group()
        if sign == "[":
            self._skip(_CLASS, "has no brackets inside of brackets")
        elif sign == "\\":
            escape = self._skip(_ESCAPE, "ends in no backslash")
            if escape[1] in "123456789k":
                raise _TooLongError("names no group again (\\1)")
            if escape[1] in "QE":
                raise _TooLongError("quotes each sign by itself, not by \\Q and \\E")
        else:
            self.at += 1
        return _Ways()

    def _group(self) -> _Ways:
        opening = _OPENING.match(self.text, self.at)
        self.at = opening.end() if opening else self.at + 1
        if opening and "x" in (opening["flags"] or ""):
            raise _TooLongError("has no comments (?x)")
        if opening and opening["end"] == ")":
            return _Ways()
        self.depth += 1
        if self.depth > _DEEPEST:
            raise _TooLongError(f"has groups of at most {_DEEPEST} levels")
        inner = self._choice()
        self.depth -= 1
        self._takes(")")
        return inner

    def _repeated(self, part: _Ways) -> _Ways:
        found = _QUANTIFIER.match(self.text, self.at)
        if found is None:
            return part
        self.at = found.end()
        _ = self._takes("?") or self._takes("+")
        if part.quantified or _QUANTIFIER.match(self.text, self.at):
            raise _TooLongError("repeats nothing that is repeated or chosen inside")
        if found[0] == "?":
            return _Ways(part.choices + 1, quantified=True)
        least = int(found["least"] or 0)
        most = int(found["most"] or 0) if found["open"] else least
        endless = found["least"] is None or (found["open"] is not None and found["most"] is None)
        if endless or most - least > _WIDE:
            if part.choices > 1:
                raise _TooLongError("repeats nothing that is repeated or chosen inside")
            return _Ways(unbounded=1, quantified=True)
        longest = part.choices ** min(most, MAX_CHOICES) if part.choices > 1 else 1
        return _Ways(longest * (1 + max(0, most - least)), quantified=True)

    def _skip(self, form: re.Pattern[str], otherwise: str) -> str:
        found = form.match(self.text, self.at)
        if found is None:
            raise _TooLongError(otherwise)
        self.at = found.end()
        return found[0]

    def _takes(self, sign: str) -> bool:
        taken = self.text.startswith(sign, self.at)
        self.at += taken
        return taken


def _in_a_row(parts: list[_Ways]) -> _Ways:
    return _Ways(
        prod(p.choices for p in parts),
        sum(p.unbounded for p in parts),
        any(p.quantified for p in parts),
    )
