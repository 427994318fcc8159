"""Symbols whose index stands apart: "phi s" for ``phi_s``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from cypher.normalise import quoted_spans

_APART: Final = re.compile(r"(?<![\w_])((?:Delta )?[A-Za-z]+) ([sd])(?=[\s?.,;]|$)")


def indexed(text: str, name: Callable[[str], str]) -> str:
    """The question with such symbols written as one, where something is called so.

    ``name`` gives the one thing that a phrase names, or an empty text.

    >>> indexed("Which papers determine phi s?", lambda said: said if said == "phi_s" else "")
    'Which papers determine phi_s?'
    >>> indexed("decays to phi s", lambda said: "")
    'decays to phi s'
    """
    if quoted_spans(text):
        return text
    return _APART.sub(lambda found: _joined(found, name), text)


def _joined(found: re.Match[str], name: Callable[[str], str]) -> str:
    symbol = f"{found[1]}_{found[2]}"
    return symbol if name(symbol) else found[0]
