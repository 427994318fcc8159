"""Raw tokens of a text, with the caps and the character policy that hold before anything is parsed.

Neo4j 5 decodes ``\\uXXXX`` *before* it parses, so such an escape
is refused anywhere in the text, back-ticks included.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

from cypher.syntax.faults import refuse
from cypher.syntax.nodes import Span
from cypher.syntax.words import PUNCTUATION

MAX_BYTES: Final = 8_000
"""Most bytes of UTF-8 of a query."""
INT64: Final = 2**63
"""The first whole number that the server cannot hold."""
MAX_DEPTH: Final = 50
"""Deepest nesting of brackets, CASE, NOT, ``!`` and property chains."""

_RAW: Final = re.compile(
    r"""(?P<SPACE>\s+|//[^\n\r]*|/\*(?:[^*]|\*(?!/))*\*/)
    |(?P<WORD>[^\W\d]\w*)
    |`(?P<QUOTED>(?:[^`]|``)*)`
    |(?P<FLOAT>(?:\d[\d_]*)?\.\d[\d_]*(?:[eE][+-]?\d+)?(?!\w)|\d[\d_]*[eE][+-]?\d+(?!\w))
    |(?P<INT>(?:0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|\d[\d_]*)(?!\w))
    |(?P<STRING>'(?:[^'\\]|\\[\\'"tbnrf])*'|"(?:[^"\\]|\\[\\'"tbnrf])*")
    |\$(?P<PARAM>\w+|`(?:[^`]|``)*`)
    |(?P<MARK><=|>=|<>|=~|\.\.|\|\||::|/(?!\*)|[()\[\]{}.,:|+\-*%^<>=&!$;])""",
    re.VERBOSE,
)
_ESCAPE: Final = re.compile(r"\\+[uU]+[0-9a-fA-F]{4}")
_OPEN, _CLOSE = {"(": ")", "[": "]", "{": "}"}, {")": "(", "]": "[", "}": "{"}


@dataclass(slots=True)
class Raw:
    """One raw token: ``kind`` is WORD, QUOTED, FLOAT, INT, STRING, PARAM or a sign's terminal name."""

    kind: str
    value: str
    start: int
    end: int
    upper: str = ""
    match: int = -1
    """Index of the other bracket of a pair."""


class Text:
    """A text with its raw tokens; finds line and column of a place."""

    __slots__ = ("_lines", "raw", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._lines: list[int] | None = None
        self.raw: list[Raw] = []

    def span(self, start: int, end: int) -> Span:
        """The place of characters ``start`` up to ``end``."""
        if self._lines is None:
            self._lines = [0, *(m.end() for m in re.finditer(r"\r\n|\r|\n", self.text))]
        line = bisect_right(self._lines, start)
        return Span(start, end, line, start - self._lines[line - 1] + 1)


def tokenise(text: str) -> Text:
    """All raw tokens of a text, or ``SyntaxFaultError`` where a cap or the character policy is broken."""
    read = Text(text)
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        message = f"a query has at most {MAX_BYTES:,} bytes; pass long lists as parameters"
        raise refuse("SYN2", f"{message}; this one has {len(text):,} characters", Span(0, 0, 1, 1))
    if "\\" in text:
        _refuse_escapes(read)
    append, scan, at = read.raw.append, _RAW.match, 0
    while at < len(text):
        found = scan(text, at)
        if found is None:
            raise _misplaced(read, at)
        kind = found.lastgroup or ""
        if kind != "SPACE":
            append(_raw(kind, found))
        at = found.end()
    if not text.isascii() or not text.isprintable():
        _refuse_characters(read)
    _end_of_statement(read)
    _pair_brackets(read)
    return read


def _raw(kind: str, found: re.Match[str]) -> Raw:
    value = found[kind]
    if kind == "WORD":
        return Raw(kind, value, found.start(), found.end(), value.upper())
    if kind == "MARK":
        return Raw(PUNCTUATION.get(value, value), value, found.start(), found.end())
    if kind == "QUOTED":
        value = value.replace("``", "`")
    elif kind == "PARAM" and value.startswith("`"):
        value = value[1:-1].replace("``", "`")
    return Raw(kind, value, found.start(), found.end())


def _refuse_escapes(read: Text) -> None:
    escape = _ESCAPE.search(read.text)
    if escape is not None:
        raise refuse(
            "SYN2",
            f"{escape.group()!r} is an escape that the server decodes before it reads the query; "
            "write the character itself",
            read.span(escape.start(), escape.end()),
        )


def _misplaced(read: Text, at: int) -> Exception:
    text, sign = read.text, read.text[at]
    span = read.span(at, at + 1)
    where = f"line {span.line}, column {span.column}"
    if sign in "'\"":
        closing = text.find(sign, at + 1)
        if closing < 0:
            return refuse("SYN1", f"the text that starts at {where} has no closing {sign}", span)
        return refuse(
            "SYN2",
            f"the text that starts at {where} holds a backslash that stands for nothing; "
            "allowed are \\\\ \\' \\\" \\t \\b \\n \\r \\f",
            span,
        )
    if sign == "`":
        return refuse("SYN1", f"the name that starts at {where} has no closing back-tick", span)
    if text.startswith("/*", at):
        return refuse("SYN1", f"the comment that starts at {where} does not end", span)
    if sign == "\\":
        return refuse("SYN2", f"a backslash has no place outside a text in quotes ({where})", span)
    name = unicodedata.name(sign, f"U+{ord(sign):04X}")
    if sign.isdigit():
        return refuse("SYN1", f"expected a number or a name, which starts with a letter ({where})", span)
    return refuse("SYN2", f"the character {name} has no place in a query ({where})", span)


def _refuse_characters(read: Text) -> None:
    strings = [(r.start, r.end) for r in read.raw if r.kind == "STRING"]
    for at, sign in enumerate(read.text):
        if sign.isprintable() or sign in "\t\r\n" or unicodedata.category(sign) not in {"Cc", "Cf", "Cs"}:
            continue
        if unicodedata.category(sign) != "Cs" and any(start <= at < end for start, end in strings):
            continue
        name = unicodedata.name(sign, f"U+{ord(sign):04X}")
        raise refuse("SYN2", f"the invisible character {name} has no place in a query", read.span(at, at + 1))


def _end_of_statement(read: Text) -> None:
    for at, raw in enumerate(read.raw):
        if raw.value == ";" and raw.kind == ";":
            if at + 1 < len(read.raw):
                follows = read.raw[at + 1]
                span = read.span(follows.start, follows.end)
                raise refuse("SYN1", "expected one statement; found another after ';'", span)
            read.raw.pop()
            return


def _pair_brackets(read: Text) -> None:
    opened: list[int] = []
    for at, raw in enumerate(read.raw):
        if raw.kind in {"LPAR", "LSQB", "LBRACE"}:
            opened.append(at)
            if len(opened) > MAX_DEPTH:
                raise refuse(
                    "SYN2",
                    f"brackets may be nested {MAX_DEPTH} deep; these are deeper",
                    read.span(raw.start, raw.end),
                )
        elif raw.kind in {"RPAR", "RSQB", "RBRACE"}:
            if not opened or _OPEN[read.raw[opened[-1]].value] != raw.value:
                wanted = f"; '{_OPEN[read.raw[opened[-1]].value]}' is open" if opened else ""
                span = read.span(raw.start, raw.end)
                message = f"'{raw.value}' closes nothing at line {span.line}, column {span.column}{wanted}"
                raise refuse("SYN1", message, span)
            first = opened.pop()
            raw.match, read.raw[first].match = first, at
    if opened:
        raw = read.raw[opened[-1]]
        span = read.span(raw.start, raw.end)
        raise refuse("SYN1", f"'{raw.value}' at line {span.line}, column {span.column} is not closed", span)
