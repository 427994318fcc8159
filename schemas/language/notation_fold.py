"""Markup to plain LaTeX: HTML tags and entities, and the macros that collaborations write particles with."""

from __future__ import annotations

import html
import re
from functools import cache
from importlib.resources import files

_TAG = re.compile(r"<\s*(sup|sub)\s*>(.*?)<\s*/\s*\1\s*>", re.IGNORECASE | re.DOTALL)
_OTHER_TAG = re.compile(r"<\s*/?\s*(?:i|em|b|strong|span|math|mrow|mi|mo|mn)(?:\s[^<>]*)?>", re.IGNORECASE)
_OVERLINE_TAG = re.compile(r"<\s*span[^<>]*overline[^<>]*>(.*?)<\s*/\s*span\s*>", re.IGNORECASE | re.DOTALL)
_MACRO = re.compile(r"\\([A-Za-z]+)(?:\{\}|\\xspace(?![A-Za-z]))*")
_DECAY = re.compile(r"\\decay\s*\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}\s*\{")
_BAR_COMMAND = re.compile(
    r"\\(?:overbar|widebar|bar|overline|kern\s*[\d.]*\s*em\\overline|optbar|brabar)(?![A-Za-z])"
)
_SPACING = re.compile(
    r"\\mskip\s*-?\d+\s*mu\b|\\kern\s*-?[\d.]+\s*(?:em|ex|pt|mu)|\\(?:hspace|mathstrut|xspace|ensuremath|offsetoverline"
    r"|mathrm|mathit|mathsf|mathbf|mathchoice|textrm|textit|text|rm|it|bf|boldmath|left|right|displaystyle|limits"
    r")(?![A-Za-z])|\\[!,;:]|\\ (?=\s)"
)
_HTML = re.compile(r"<[a-zA-Z/ ]|&[a-zA-Z#]")


@cache
def lhcb_macros() -> dict[str, str]:
    """Macro name without backslash -> plain LaTeX, of the LHCb template's particle symbols."""
    text = files("schemas.language").joinpath("lhcb_macros.tsv").read_text(encoding="utf-8")
    macros: dict[str, str] = {}
    for line in text.splitlines()[1:]:
        name, plain = line.split("\t")
        macros[name] = plain
    return macros


def expand_macros(text: str) -> str:
    r"""``text`` with HTML and collaboration macros rewritten as plain LaTeX; other text is left alone.

    >>> expand_macros(r"\decay{\Bs}{\jpsi\phiz}")
    'B_{s}^{0}  \\to J/\\psi \\phi  '
    >>> expand_macros("K<sup>*0</sup> &rarr; K<sup>+</sup>&pi;<sup>-</sup>")
    'K^{*0} → K^{+}π^{-}'
    """
    if _HTML.search(text):
        text = _OVERLINE_TAG.sub(r"\\overline{\1}", text)
        text = _TAG.sub(lambda m: ("^" if m[1].lower() == "sup" else "_") + "{" + m[2].strip() + "}", text)
        text = html.unescape(_OTHER_TAG.sub("", text))
    if "\\" not in text:
        return text
    while (found := _DECAY.search(text)) and (stop := _closing(text, found.end())) >= 0:
        text = f"{text[: found.start()]}{found[1]} \\to {text[found.end() : stop]} {text[stop + 1 :]}"
    macros = lhcb_macros()
    return _MACRO.sub(lambda m: macros[m[1]] + " " if m[1] in macros else m[0], text)


def _closing(text: str, at: int) -> int:
    """Offset of the brace that closes the group which is open at ``at``; -1 where none does."""
    depth = 1
    for index in range(at, len(text)):
        depth += (text[index] == "{") - (text[index] == "}")
        if depth == 0:
            return index
    return -1


def strip_layout(text: str) -> str:
    r"""LaTeX without fonts, spacing and kerning; every kind of bar is ``\overline``.

    >>> strip_layout(r"\mathrm{\kern 0.2em\overline{\kern -0.2em B}}{}_s^0")
    '{\\overline{ B}}{}_s^0'
    """
    return _BAR_COMMAND.sub(lambda _: r"\overline", _SPACING.sub("", text))
