"""Titles of papers as readable text: LaTeX, MathML and the PDG's own notation."""

from __future__ import annotations

import re
from functools import lru_cache

from extraction.readers.latex_stack import SourceFiles, TokenStack
from extraction.readers.latex_text import TextRenderer
from extraction.readers.latex_tokens import tokenise
from extraction.readers.mathml import formula_text
from extraction.readers.pdg_names import tidy
from schemas.errors import ReadError

_MATH = re.compile(r"<(?P<prefix>mml:)?math\b.*?</(?P=prefix)?math>|<math\b.*?</math>", re.DOTALL)
_TAGS = re.compile(
    r"</?(?:mml:)?(?:math|m[a-z]+|semantics|annotation|sub|sup|i|b|tex-math)\b[^<>]*>", re.IGNORECASE
)
_IGNORED = re.compile(r"\s*\\(?:ensuremath|nolimits|limits|mathit|varvec)(?![A-Za-z])")
_SCRIPT = re.compile(r"([_^])\{([\w*+\-/()±∓′]{1,7})\}")
_UPRIGHT = re.compile(r"\\var(?=Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Upsilon|Phi|Psi|Omega)")
_LEFT_OVER = re.compile(r"[${}\\]|<m[a-z]+")
_COMMAND = re.compile(r"\\[A-Za-z]+")


@lru_cache(maxsize=20_000)
def readable_title(title: str) -> str:
    """One line of plain text; formulas in the notation of the LaTeX reader.

    What cannot be read as a formula (a title cut in the middle of one) keeps its words and loses its markup.

    >>> readable_title(r"Study of $B^0_s \\to J/\\psi\\pi^+\\pi^-$ decays")
    'Study of B^0_s → J/ψ π^+ π^- decays'
    >>> readable_title("Width of the K_{{s}}()0")
    'Width of the K_s0'
    >>> readable_title("Decays of <math><msup><mi>D</mi><mn>0</mn></msup></math> mesons")
    'Decays of D^0 mesons'
    """
    text = title.replace('\\"', '"') if "<" in title else title
    text = _TAGS.sub("", _MATH.sub(_mathml, text))
    if "$" not in text and any(mark in text for mark in ("()", "{{", "-->")):
        text = tidy(text)
    if "$" in text or _COMMAND.search(text):
        text = _latex(text)
    text = _SCRIPT.sub(r"\1\2", text.replace("−", "-"))
    if re.search(r"[$\\]|\{\{|<m", text):
        text = _words(text)
    return " ".join(text.split())


def _mathml(found: re.Match[str]) -> str:
    """A formula's text; its characters alone where the markup is not well-formed."""
    from lxml import etree

    source = found[0].replace("mml:", "")
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    try:
        return formula_text(etree.fromstring(source, parser=parser))
    except etree.XMLSyntaxError:
        return _TAGS.sub("", found[0])


def _latex(text: str) -> str:
    """Text of a LaTeX line; without its commands and braces where it is not well-formed."""
    prepared = re.sub(r"(?<!\\)%", r"\\%", _UPRIGHT.sub(r"\\", _IGNORED.sub("", text)))
    try:
        files = SourceFiles()
        file = files.add("title")
        stack = TokenStack(tokenise(prepared, file=file, name="title"), files, at=1)
        return TextRenderer(files, lambda _: None).render(stack)
    except ReadError:
        return _words(text)


def _words(text: str) -> str:
    return _LEFT_OVER.sub("", _COMMAND.sub(lambda m: f" {m[0][1:]} ", text))
