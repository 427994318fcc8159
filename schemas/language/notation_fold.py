"""Markup to plain LaTeX: HTML tags and entities, and the macros that collaborations write particles with."""

from __future__ import annotations

import html
import re
from functools import cache, lru_cache
from importlib.resources import files

from schemas.language.latex_groups import flatten_groups
from schemas.language.macro_charges import spelled_charges

_TAG = re.compile(r"<\s*(sup|sub)\s*>(.*?)<\s*/\s*\1\s*>", re.IGNORECASE | re.DOTALL)
_OTHER_TAG = re.compile(r"<\s*/?\s*(?:i|em|b|strong|span|math|mrow|mi|mo|mn)(?:\s[^<>]*)?>", re.IGNORECASE)
_OVERLINE_TAG = re.compile(r"<\s*span[^<>]*overline[^<>]*>(.*?)<\s*/\s*span\s*>", re.IGNORECASE | re.DOTALL)
_MACRO = re.compile(r"\\([A-Za-z]+)(?:\{\}|\\xspace(?![A-Za-z]))*")
_GROUP_OF = r"\s*\{((?:[^{}]|\{[^{}]*\})*)\}"
_COMMENT = re.compile(r"(?<!\\)%[^\n]*\n\s*")
_FIRST_OF_TWO = re.compile(
    rf"\\texorpdfstring\s*\{{((?:[^{{}}]|\{{(?:[^{{}}]|\{{[^{{}}]*\}})*\}})*)\}}{_GROUP_OF}"
)
_TEXT_SCRIPT = re.compile(rf"\\text(super|sub)script{_GROUP_OF}")
_HEP_PARTICLE = re.compile(rf"\\Hep(Anti)?Particle{_GROUP_OF}{_GROUP_OF}{_GROUP_OF}")
"""``\\HepParticle{B}{s}{0}`` of the package hepparticles: symbol, subscript, superscript."""
_HEP = {"HepTo": r"\to ", "HepProcess": ""}
_HEP_COMMAND = re.compile(r"\\(HepTo|HepProcess)(?![A-Za-z])")
_UPRIGHT = re.compile(
    r"\\P(Lambda|lambda|Sigma|Xi|Omega|Delta|Upsilon|psi|chi|eta|pi|rho|omega|phi|mu|tau|nu|gamma"
    r"|[BDKJWZHXYedusctbgpnahf])(?![A-Za-z])"
)
"""The upright symbols of the LHCb template: ``\\PB``, ``\\Ppsi``."""
_DECAY = re.compile(r"\\decay\s*\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}\s*\{")
_BAR_COMMAND = re.compile(
    r"\\offsetoverline(?![A-Za-z])\s*(?:\[[^\[\]]*\])?|\\(?:overbar|widebar|bar)(?![A-Za-z])"
)
_UPRIGHT_GREEK = re.compile(
    r"\\up(?=(?:alpha|beta|gamma|delta|eta|theta|mu|nu|xi|pi|rho|sigma|tau|phi|chi|psi|omega)(?![A-Za-z]))"
    r"|\\(?:var|up)(?=(?:Delta|Lambda|Xi|Sigma|Upsilon|Omega)(?![A-Za-z]))"
)
"""The start of names like ``\\uppi`` and ``\\varLambda``: the letter in another font."""
_UPRIGHT_CAPITAL = re.compile(r"\\Up(delta|lambda|xi|sigma|upsilon|omega)(?![A-Za-z])")
_BREAK = re.compile(r"\\\\(?:\[[^\[\]]*\])?|(?<!\\)&|\\q?quad(?![A-Za-z])")
"""What divides columns and lines of an aligned formula."""
_SPACING = re.compile(
    r"\\(?:mskip|mkern)\s*-?[\d.]+\s*mu\b|\\kern\s*-?[\d.]+\s*(?:em|ex|pt|mu)"
    r"|\\(?:v|h)?phantom\s*\{[^{}]*\}|\\(?:h|v)space\*?\s*\{[^{}]*\}"
    r"|\\(?:mathstrut|xspace|ensuremath|boldsymbol|bm|mathrm|mathit|mathsf|mathbf|mathcal|mathnormal|mathup|symbf|symrm|symup"
    r"|textrm|textit|textbf|textsc|text|mbox|rm|it|bf|boldmath|left|right|displaystyle|textstyle|scriptstyle"
    r"|scriptscriptstyle|tiny|scriptsize|small|limits|nolimits|[Bb]igg?[lr]?|smash|protect|nolinebreak|nobreak"
    r"|allowbreak|nonumber|optbar|brabar|math(?:op|rel|bin|ord)|operatorname)"
    r"(?![A-Za-z])\s*|\\!"
)
_LABEL = re.compile(r"_\{?\s*\\(?:rm|mathrm|text|textrm|mathit)\s*\{?\s*[a-z]{3,12}\s*\}{1,2}")
_FLAT = re.compile(
    r"(?<![_^])\{\s*(J)\s*\}(?=\s*\{?\s*/)|(?<=[1-9])\{\s*([SPD])\s*\}(?=\s*\))|(?<=J)\{\s*(/)\s*\}"
)
"""Groups that only set a font: ``{J}/\\psi``, ``\\psi(2{S})``."""
_LONG_ARROW = re.compile(
    r"\\x(?:long)?rightarrow\s*(?:\[[^\[\]]*\])?\s*\{(?:[^{}]|\{[^{}]*\})*\}|\\(?:hookrightarrow|rightharpoonup)"
)
_EMPTY = re.compile(r"[_^]\{\s*\}")
_GROUP = re.compile(r"([_^])?\{\s*(→|\\(?:to|rightarrow|longrightarrow))\s*\}")
_HTML = re.compile(r"<[a-zA-Z/ ]|&[a-zA-Z#]")


@cache
def lhcb_macros() -> dict[str, str]:
    """Macro name without backslash -> plain LaTeX: the table's, and names that spell a charge."""
    text = files("schemas.language").joinpath("lhcb_macros.tsv").read_text(encoding="utf-8")
    macros = spelled_charges()
    for line in text.splitlines()[1:]:
        name, plain = line.split("\t")
        macros[name] = plain
    return macros


def expand_macros(text: str) -> str:
    r"""``text`` with HTML and collaboration macros rewritten as plain LaTeX; other text is left alone.

    >>> expand_macros(r"\decay{\Bs}{\jpsi\phiz}")
    'B_{s}^{0} \\to J/\\psi \\phi '
    >>> expand_macros("K<sup>*0</sup> &rarr; K<sup>+</sup>&pi;<sup>-</sup>")
    'K^{*0} → K^{+}π^{-}'
    """
    if _HTML.search(text):
        text = _OVERLINE_TAG.sub(r"\\overline{\1}", text)
        text = _TAG.sub(lambda m: ("^" if m[1].lower() == "sup" else "_") + "{" + m[2].strip() + "}", text)
        text = html.unescape(_OTHER_TAG.sub("", text))
    if "\\" not in text:
        return text
    text = _hep_particles(_FIRST_OF_TWO.sub(r"\1", _COMMENT.sub("", text)))
    while (found := _DECAY.search(text)) and (stop := _closing(text, found.end())) >= 0:
        text = f"{text[: found.start()]}{found[1]} \\to {text[found.end() : stop]} {text[stop + 1 :]}"
    text = _UPRIGHT.sub(_upright, text)
    macros = lhcb_macros()
    return re.sub(" {2,}", " ", _MACRO.sub(lambda m: _expanded(m, macros), text))


def _upright(found: re.Match[str]) -> str:
    if len(found[1]) > 1:
        return rf"\{found[1]} "
    runs_on = found.string[: found.start()][-1:].isalpha()
    return f"{' ' if runs_on else ''}{found[1]} "


def _hep_particles(text: str) -> str:
    """Particles of the package hepparticles, and scripts set as text, in plain LaTeX."""
    text = _TEXT_SCRIPT.sub(lambda m: ("^" if m[1] == "super" else "_") + "{" + m[2] + "}", text)
    text = _HEP_COMMAND.sub(lambda m: _HEP[m[1]], text)
    return _HEP_PARTICLE.sub(_hep_particle, text)


def _hep_particle(found: re.Match[str]) -> str:
    symbol = rf"\overline{{{found[2]}}}" if found[1] else found[2]
    return " " + symbol + (f"_{{{found[3]}}}" if found[3] else "") + (f"^{{{found[4]}}}" if found[4] else "")


def _expanded(found: re.Match[str], macros: dict[str, str]) -> str:
    plain = macros.get(found[1])
    if plain is None:
        return found[0]
    before, after = found.string[: found.start()][-1:], found.string[found.end() :][:1]
    return f"{' ' if before.isalpha() else ''}{plain}{' ' if after.isalnum() or after == chr(92) else ''}"


def _closing(text: str, at: int) -> int:
    """Offset of the brace that closes the group which is open at ``at``; -1 where none does."""
    depth = 1
    for index in range(at, len(text)):
        depth += (text[index] == "{") - (text[index] == "}")
        if depth == 0:
            return index
    return -1


def _gap(found: re.Match[str]) -> str:
    """A blank where the letters on both sides would run together."""
    before, after = found.string[: found.start()][-1:], found.string[found.end() :][:1]
    return " " if before.isalpha() and after.isalpha() else ""


def strip_layout(text: str) -> str:
    r"""LaTeX without fonts, spacing, phantoms, labels and idle braces; every kind of bar is ``\overline``.

    >>> strip_layout(r"\mathrm{\kern 0.2em\overline{\kern -0.2em B}}{}_{\mathrm{s}}^0")
    '\\overline{B}_{s}^0'
    """
    text = _BREAK.sub(" ", _LONG_ARROW.sub(lambda _: r"\to ", text))
    text = _UPRIGHT_GREEK.sub(lambda _: "\\", _UPRIGHT_CAPITAL.sub(lambda m: rf"\{m[1].title()}", text))
    text = text.replace(r"\{", "(").replace(r"\}", ")")
    text = _BAR_COMMAND.sub(lambda _: r"\overline", _SPACING.sub(_gap, _LABEL.sub("", text)))
    text = _FLAT.sub(lambda m: f" {m[1]}" if m[1] else m[2] or m[3], text)
    return flatten_groups(_GROUP.sub(r"\2 ", _EMPTY.sub("", text)))


@lru_cache(maxsize=65_536)
def plain_latex(text: str) -> str:
    r"""Markup of any kind as LaTeX without macros and layout; text without markup is itself.

    >>> plain_latex(r"\ensuremath{\PB^0_{\mathrm{s}}}")
    'B^0_{s}'
    """
    text = expand_macros(text)
    return strip_layout(text) if "\\" in text or "{" in text else text
