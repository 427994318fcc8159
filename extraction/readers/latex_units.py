"""siunitx numbers and units as text (siunitx manual, version 3)."""

from __future__ import annotations

import re
from typing import Final

from extraction.readers.latex_stack import TokenStack, plain
from extraction.readers.latex_symbols import GREEK
from extraction.readers.latex_tokens import ALIGN, CONTROL, SPACE, SUB, SUPER, TIE, WORD, Token

COMMANDS: Final = frozenset(
    {
        "SI",
        "qty",
        "si",
        "unit",
        "num",
        "SIrange",
        "qtyrange",
        "numrange",
        "ang",
        "SIlist",
        "numlist",
        "qtylist",
    }
)
_PREFIXES: Final[dict[str, str]] = dict(
    zip(
        [
            *("yocto", "zepto", "atto", "femto", "pico", "nano", "micro", "milli", "centi"),
            *("deci", "deca", "hecto", "kilo", "mega", "giga", "tera", "peta", "exa"),
        ],
        ["y", "z", "a", "f", "p", "n", "μ", "m", "c", "d", "da", "h", "k", "M", "G", "T", "P", "E"],
        strict=True,
    )
)
_UNITS: Final[dict[str, str]] = {
    "%": "%",
    "electronvolt": "eV",
    "metre": "m",
    "meter": "m",
    "second": "s",
    "barn": "b",
    "hertz": "Hz",
    "percent": "%",
    "degree": "°",
    "degreeCelsius": "°C",
    "celsius": "°C",
    "kelvin": "K",
    "gram": "g",
    "kilogram": "kg",
    "volt": "V",
    "ampere": "A",
    "watt": "W",
    "joule": "J",
    "newton": "N",
    "pascal": "Pa",
    "tesla": "T",
    "coulomb": "C",
    "ohm": "Ω",
    "minute": "min",
    "hour": "h",
    "day": "d",
    "year": "yr",
    "parsec": "pc",
    "litre": "l",
    "liter": "l",
    "bit": "bit",
    "byte": "B",
    "radian": "rad",
    "steradian": "sr",
    "neper": "Np",
    "um": "μm",
    "us": "μs",
    "clight": "c",
    "lumi": "cm^{-2}s^{-1}",
}
_WRAPPERS: Final = frozenset({"text", "ensuremath", "mathrm", "textrm", "mathit", "mbox", "symit", "textup"})
_NUMBER: Final = re.compile(
    r"\s*([-+]?[\d.,\s]*)(?:\(([\d.]+)\))?(?:\s*(?:\+-|±)\s*([\d.]+))?(?:[eEdD]([-+]?\d+))?\s*\Z"
)


def quantity(stack: TokenStack, name: str) -> str:
    """Text of one siunitx command whose name has just been read."""
    stack.optional()
    if name in {"si", "unit"}:
        return unit(stack.fork(stack.argument()))
    first = number(plain(stack.argument()))
    if name == "ang":
        return f"{first}°"
    if name.endswith("range"):
        first = f"{first}–{number(plain(stack.argument()))}"
    if name.startswith("num"):
        return first
    stack.optional()
    units = unit(stack.fork(stack.argument()))
    gap = "" if units[:1] in {"%", "°", ""} and not units.startswith("°C") else " "
    return f"{first}{gap}{units}"


def number(source: str) -> str:
    """A siunitx number as text.

    >>> number("1.2 +- 0.1e-3")
    '(1.2 ± 0.1)×10^{-3}'
    """
    source = source.replace("\\pm", "+-").replace(";", ", ").replace("{", "").replace("}", "")
    found = _NUMBER.match(source)
    if found is None:
        return source
    mantissa, brief, error, power = found.groups()
    text = mantissa.strip() + (f"({brief})" if brief else "") + (f" ± {error}" if error else "")
    if power is None:
        return text
    exponent = power.removeprefix("+")
    exponent = exponent if len(exponent) == 1 else f"{{{exponent}}}"
    if not mantissa.strip():
        return f"10^{exponent}"
    return f"({text})×10^{exponent}" if error else f"{text}×10^{exponent}"


def unit(stack: TokenStack) -> str:
    """Text of a unit expression: ``\\giga\\electronvolt\\per\\clight\\squared`` as ``GeV/c^2``."""
    out: list[str] = []
    power, joint = "", ""
    while (token := stack.pop()) is not None:
        if token.kind == CONTROL and token.text in {"squared", "cubed", "tothe", "raiseto"}:
            text = _power(token, stack)
        elif token.kind == CONTROL and token.text in {"square", "cubic"}:
            power = "^2" if token.text == "square" else "^3"
            continue
        elif token.kind == CONTROL and token.text == "per":
            joint = "/"
            continue
        elif token.kind == CONTROL and token.text in _PREFIXES:
            text = joint_text(out, joint) + _PREFIXES[token.text]
            joint = "+"
        else:
            text = _plain_unit(token)
            if text and joint and token.kind == WORD:
                text, joint = joint_text(out, joint) + text, ""
            elif text and token.kind == CONTROL:
                text = joint_text(out, joint) + text + power
                joint = power = ""
        out.append(text)
    return "".join(out).strip()


def joint_text(out: list[str], joint: str) -> str:
    """What stands between the units so far and the next: nothing, a space or a slash."""
    if joint == "+":
        return ""
    return joint or (" " if out and out[-1] not in {"", " "} else "")


def _power(token: Token, stack: TokenStack) -> str:
    if token.text in {"squared", "cubed"}:
        return "^2" if token.text == "squared" else "^3"
    exponent = plain(stack.argument())
    return f"^{exponent}" if len(exponent) == 1 else f"^{{{exponent}}}"


def _plain_unit(token: Token) -> str:
    if token.kind == CONTROL and token.text in _WRAPPERS:
        return ""
    if token.kind == CONTROL:
        return _UNITS.get(token.text) or GREEK.get(token.text) or ("" if len(token.text) == 1 else token.text)
    if token.kind == WORD:
        return token.text.replace(".", " ")
    if token.kind in {SUPER, SUB}:
        return token.text
    return " " if token.kind in {TIE, SPACE, ALIGN} else ""
