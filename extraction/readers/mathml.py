"""MathML formulas as text, in the notation of the LaTeX reader (W3C MathML 3, presentation)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from lxml.etree import _Element

_SPACED: Final = frozenset("=<>≤≥≈≠→←±∓×+−∼≡∝∈≪≫")
_ACCENTS: Final = {
    "¯": "\u0304",
    "‾": "\u0304",
    "^": "\u0302",
    "ˆ": "\u0302",
    "~": "\u0303",
    "˜": "\u0303",
    "→": "\u20d7",
}


def formula_text(element: _Element) -> str:
    """Text of a ``math`` element.

    >>> from lxml import etree
    >>> formula_text(etree.fromstring("<math><msup><mi>x</mi><mn>2</mn></msup><mo>=</mo><mn>4</mn></math>"))
    'x^2 = 4'
    """
    return " ".join(_text(element).split())


def _text(element: _Element) -> str:
    tag = element.tag.rsplit("}", 1)[-1] if isinstance(element.tag, str) else ""
    parts = [_text(child) for child in element]
    if tag == "mo":
        sign = (element.text or "").strip()
        return f" {sign} " if sign in _SPACED else f"{sign} " if sign in {",", ";"} else sign
    if tag in {"mi", "mn", "mtext", "ms"}:
        return element.text or ""
    if tag in {"msup", "msub", "msubsup", "munder", "mover", "munderover"}:
        return _scripted(tag, parts)
    if tag == "mfrac" and len(parts) == 2:
        return f"{_bracketed(parts[0])}/{_bracketed(parts[1])}"
    if tag in {"msqrt", "mroot"}:
        inside = parts[0] if tag == "mroot" and parts else "".join(parts)
        return f"√{inside.strip()}" if len(inside.strip()) == 1 else f"√({inside.strip()})"
    if tag == "mfenced":
        return (element.get("open") or "(") + ", ".join(parts) + (element.get("close") or ")")
    if tag == "mtr":
        return " ".join(parts) + "; "
    if tag == "mspace":
        return " "
    return "" if tag.startswith("annotation") else "".join(parts)


def _scripted(tag: str, parts: list[str]) -> str:
    if not parts:
        return ""
    base, scripts = parts[0], [part.strip() for part in parts[1:]]
    if tag == "mover" and scripts and scripts[0] in _ACCENTS:
        return base.rstrip() + _ACCENTS[scripts[0]]
    marks = {"msup": "^", "mover": "^", "msub": "_", "munder": "_"}.get(tag, "_^")
    return base + "".join(
        mark + (script if len(script) == 1 else f"{{{script}}}")
        for mark, script in zip(marks, scripts, strict=False)
        if script
    )


def _bracketed(text: str) -> str:
    text = text.strip()
    return f"({text})" if any(c in text for c in " /+-−×") else text
