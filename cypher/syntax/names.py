"""How names, parameters and texts are written."""

from __future__ import annotations

import re
from typing import Final

from cypher.syntax.words import RESERVED

_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PARAMETER: Final = re.compile(r"[A-Za-z0-9_]+")
_CALLED: Final = frozenset(
    ["NOT", "CASE", "DISTINCT", "ALL", "ANY", "NONE", "SINGLE", "REDUCE", "SHORTESTPATH", "ALLSHORTESTPATHS"]
)
_ESCAPES: Final = str.maketrans(
    {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
)


def name(text: str) -> str:
    """A label, type, property or variable, in back-ticks unless it is a plain word that no keyword uses.

    >>> name("year"), name("Order"), name("a`b")
    ('year', '`Order`', '`a``b`')
    """
    if _PLAIN.fullmatch(text) and text.upper() not in RESERVED:
        return text
    return "`" + text.replace("`", "``") + "`"


def function_name(text: str) -> str:
    """A function with its namespace.

    >>> function_name("point.distance")
    'point.distance'
    """
    return ".".join(
        p if _PLAIN.fullmatch(p) and p.upper() not in _CALLED else "`" + p.replace("`", "``") + "`"
        for p in text.split(".")
    )


def parameter(text: str) -> str:
    """``$name``."""
    return "$" + (text if _PARAMETER.fullmatch(text) else "`" + text.replace("`", "``") + "`")


def text_literal(text: str) -> str:
    r"""A text in quotes.

    >>> text_literal("it's")
    "'it\\'s'"
    """
    return f"'{text.translate(_ESCAPES)}'"
