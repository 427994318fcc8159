"""Splits LaTeX source into tokens that know their line."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from schemas.errors import ReadError

CONTROL: Final = 0
WORD: Final = 1
SPACE: Final = 2
PAR: Final = 3
OPEN: Final = 4
CLOSE: Final = 5
MATH: Final = 6
ALIGN: Final = 7
SUPER: Final = 8
SUB: Final = 9
PARAM: Final = 10
TIE: Final = 11
BEGIN: Final = 12
END: Final = 13
VERBATIM: Final = 14
PRIMITIVE: Final = 15
"""A control word that is no longer looked up among the user's macros (what ``\\let`` saved)."""
END_OF_FILE: Final = 16

FILE_STRIDE: Final = 2**32
"""``Token.at`` is file number times this plus line."""


class Token(NamedTuple):
    """One token; ``at`` is 0 for a token from a macro's body, which has no place of its own."""

    kind: int
    text: str
    at: int


_RAW = r"verbatim\*?|Verbatim\*?|lstlisting|minted|comment|filecontents\*?|alltt"
_MASTER = re.compile(
    rf"""
    (?P<raw>\\begin\{{(?P<rawname>{_RAW})\}})
  | (?P<env>\\(?P<envkind>begin|end)[ \t]*\{{(?P<envname>[^{{}}\\#%\n$&~^_]*)\}})
  | (?P<verb>\\(?:verb|lstinline)\*?(?P<delimiter>[^A-Za-z\s*{{]))
  | (?P<url>\\(?P<urlname>url|nolinkurl|path|href)[ \t]*\{{(?P<target>[^{{}}\n]*)\}})
  | \\(?P<word>[A-Za-z@]+)(?:[ \t]*+(?:\n[ \t]*+(?!\n))?)
  | \\(?P<symbol>.)
  | (?P<comment>%[^\n]*(?:\n[ \t]*)?)
  | (?P<blank>\s+)
  | (?P<text>[^\\%\s$&~{{}}\#^_]+)
  | (?P<math>\$\$?)
  | (?P<param>\#+[1-9]?)
  | (?P<single>[&~{{}}^_\\])
    """,
    re.VERBOSE | re.DOTALL,
)
_SINGLE: Final = {"&": ALIGN, "~": TIE, "{": OPEN, "}": CLOSE, "^": SUPER, "_": SUB, "\\": WORD}


def tokenise(source: str, *, file: int, name: str) -> list[Token]:
    r"""Tokens of one file; ``file`` is its number, ``name`` is for errors.

    >>> [t.text for t in tokenise(r"a \b{c}", file=0, name="x.tex")]
    ['a', ' ', 'b', '{', 'c', '}']
    """
    tokens: list[Token] = []
    add = tokens.append
    position, line, size = 0, file * FILE_STRIDE + 1, len(source)
    match_at = _MASTER.match
    while position < size:
        found = match_at(source, position)
        if found is None:  # pragma: no cover - the alternatives cover every character
            raise ReadError(f"expected LaTeX, found {source[position]!r}", file=name)
        group = found.lastgroup
        position = found.end()
        if group == "text":
            add(Token(WORD, found.group(), line))
        elif group == "word":
            add(Token(CONTROL, found.group("word"), line))
            line += found.group().count("\n")
        elif group == "single":
            text = found.group()
            add(Token(_SINGLE[text], text, line))
        elif group == "blank":
            breaks = found.group().count("\n")
            add(Token(PAR if breaks > 1 else SPACE, " ", line))
            line += breaks
        else:
            position, line = _rare(source, found, tokens, line, name)
    return tokens


def _rare(source: str, found: re.Match[str], tokens: list[Token], line: int, name: str) -> tuple[int, int]:
    """The less frequent tokens; returns the position and line after them."""
    position, group, text = found.end(), found.lastgroup, found.group()
    if group == "math":
        tokens.append(Token(MATH, text, line))
    elif group == "symbol":
        tokens.append(Token(CONTROL, found.group("symbol"), line))
        line += text.count("\n")
    elif group == "comment":
        line += text.count("\n")
        if source.startswith("\n", position):
            tokens.append(Token(PAR, " ", line))
    elif group == "env":
        kind = BEGIN if found.group("envkind") == "begin" else END
        tokens.append(Token(kind, found.group("envname").strip(), line))
    elif group == "param":
        tokens.append(Token(PARAM, text, line))
    elif group == "url":
        tokens.append(Token(CONTROL, found.group("urlname"), line))
        tokens += (
            Token(OPEN, "{", line),
            Token(VERBATIM, found.group("target"), line),
            Token(CLOSE, "}", line),
        )
    else:
        return _verbatim(source, found, tokens, line, name)
    return position, line


def _verbatim(
    source: str, found: re.Match[str], tokens: list[Token], line: int, name: str
) -> tuple[int, int]:
    raw = found.group("rawname")
    closing = f"\\end{{{raw}}}" if raw else found.group("delimiter")
    start = found.end()
    end = source.find(closing, start)
    if end < 0 or (not raw and "\n" in source[start:end]):
        what = f"\\begin{{{raw}}}" if raw else "\\verb"
        raise ReadError(
            f"expected {closing} after {what}, found none; close it", file=name, line=line % FILE_STRIDE
        )
    body = source[start:end]
    if raw:
        tokens.append(Token(BEGIN, raw, line))
        if raw not in {"comment", "filecontents", "filecontents*"}:
            tokens.append(Token(VERBATIM, body, line))
        tokens.append(Token(END, raw, line + body.count("\n")))
    else:
        tokens.append(Token(VERBATIM, body, line))
    return end + len(closing), line + body.count("\n")
