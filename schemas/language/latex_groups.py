"""Braces of LaTeX that change nothing: ``{{B} ^0_{s}}`` is ``B^0_{s}``."""

from __future__ import annotations

import re

_SYMBOL = re.compile(
    r"\\(?:alpha|beta|gamma|delta|(?:var)?epsilon|zeta|theta|iota|kappa|lambda|mu|nu|xi|rho|sigma|tau|upsilon"
    r"|(?:var)?phi|chi|psi|omega|eta|pi|Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Upsilon|Phi|Psi|Omega|ell|to"
    r"|(?:long)?rightarrow|pm|mp|prime|ast|star)"
)
"""Commands without an argument: a group after them stands by itself."""
_PIECE = re.compile(r"\\[A-Za-z]+\*?|\\.|[{}]|[^\\{}]+", re.DOTALL)
_OPTION = re.compile(r"\s*(?:\[[^\[\]]*\]\s*)?")
_BEFORE_SCRIPT = re.compile(r"(?<=[\w})'*])\s+(?=[_^])")
_BEFORE_STATE = re.compile(r"(?<=[\w}])\s+(?=\((?:\d{3,4}|[1-6][SPD])\))")
_DIFFERENTIAL = re.compile(r"(?<![A-Za-z\\])d$")
_MAX_DEPTH = 40


class _Group:
    """An open group: its text so far, whether its braces stay, and the command that it is an argument of."""

    __slots__ = ("command", "kept", "text")

    def __init__(self, *, kept: bool, command: str = "") -> None:
        self.kept, self.command, self.text = kept, command, ""

    def add(self, piece: str) -> None:
        """Append, with a blank where two letters would run together that a brace divided.

        The sign of a differential stays with its variable.
        """
        if self.text[-1:].isalpha() and piece[:1].isalpha() and not _DIFFERENTIAL.search(self.text):
            self.text += " "
        self.text += piece


def flatten_groups(text: str) -> str:
    r"""``text`` without the braces that only group; those of scripts and of commands' arguments stay.

    Blanks before scripts, and before a mass or level in brackets, go as well: LaTeX sets none. Text whose
    braces do not match comes back as it is.

    >>> flatten_groups(r"{ {\psi} {(2S)}} {\to} { {\mu} ^+} { {\mu} ^-}")
    '\\psi(2S) \\to \\mu^+ \\mu^-'
    >>> flatten_groups(r"{\overline { B} } {}_{s}^0")
    '\\overline{B}_{s}^0'
    """
    if "{" not in text:
        return _tidy(text)
    stack = [_Group(kept=False)]
    command = ""
    for found in _PIECE.finditer(text):
        piece, top = found[0], stack[-1]
        if piece == "{":
            kept = bool(command) or top.text.rstrip()[-1:] in {"_", "^"}
            stack.append(_Group(kept=kept, command=command))
            if len(stack) > _MAX_DEPTH:
                return text
            command = ""
        elif piece == "}":
            if len(stack) == 1:
                return text
            command = _close(stack)
        else:
            top.add(piece)
            if not _OPTION.fullmatch(piece):
                command = (
                    piece if piece[0] == "\\" and piece[1].isalpha() and not _SYMBOL.fullmatch(piece) else ""
                )
    return _tidy(stack[0].text) if len(stack) == 1 else text


def _close(stack: list[_Group]) -> str:
    """Give the last group's text to the one around it; the command that may take a further argument."""
    group, around = stack.pop(), stack[-1]
    inner = group.text.strip()
    if group.kept:
        around.text = around.text.rstrip() + "{" + inner + "}"
        return group.command if group.command not in {"", "\\overline"} else ""
    if not inner:
        around.text += " " if around.text[-1:].isalpha() and group.text else ""
        return ""
    around.add(group.text)
    return ""


def _tidy(text: str) -> str:
    return re.sub(" {2,}", " ", _BEFORE_STATE.sub("", _BEFORE_SCRIPT.sub("", text))).strip()
