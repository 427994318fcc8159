"""Signs of arithmetic between two names: "Delta m_s + Delta m_d" asks for neither of them, nor for both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cypher.link import EntityWord, Linked, Linker
from cypher.normalise import tokenise

_SIGNS: Final = frozenset({"/", "+", "-", "*", "×", "÷", "·"})
_NOT_COMPUTED: Final = (
    "The graph holds no {left} {sign} {right}, and no sums, products or ratios of names are computed here. "
    "Ask for the values of each, or for 'the difference between ... and ...'."
)


def joined_by_sign(text: str, linker: Callable[[str], Linker]) -> tuple[str, str]:
    """The question with a name put together that stands so in the graph, and why it cannot be answered else.

    "Delta Gamma_s / Gamma_s" is one name if the graph has it, written without blanks. Both are the question
    itself and an empty text where no sign stands between two names.
    """
    tokens = tokenise(text)
    at = [i for i, token in enumerate(tokens) if token.text in _SIGNS and 0 < i < len(tokens) - 1]
    if not at:
        return text, ""
    linked = linker(text).link(near=False)
    for i in at:
        sign = tokens[i].text
        again = text[: tokens[i - 1].end] + sign + text[tokens[i + 1].start :]
        if _is_name(linker(again).link(near=False), sign):
            return again, ""
        left, right = _named(linked, end=i), _named(linked, start=i + 1)
        if left and right:
            return text, _NOT_COMPUTED.format(left=left, sign=sign, right=right)
    return text, ""


def _named(linked: Linked, *, start: int = -1, end: int = -1) -> str:
    """The name that begins, or ends, at a word."""
    for span in linked.spans:
        if (span.start == start or span.end == end) and any(isinstance(o, EntityWord) for o in span.options):
            return span.text
    return ""


def _is_name(linked: Linked, sign: str) -> bool:
    """Whether a name with the sign in it is one of the graph's."""
    return any(
        sign in span.text and any(isinstance(o, EntityWord) and o.sure for o in span.options)
        for span in linked.spans
    )
