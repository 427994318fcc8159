"""Words of the schema that are mistyped: "braching fraction", "liftime"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from cypher.normalise import Token, quoted_spans
from cypher.slips import near_word
from cypher.words import stem

_SHORTEST: Final = 6
"""Letters of a word that may be mended; shorter ones are near to too many."""


def mended(text: str, tokens: Sequence[Token], unknown: Iterable[range], words: Iterable[str]) -> str:
    """The question with each unknown word as the one word of ``words`` that it differs from by a slip.

    >>> from cypher.normalise import tokenise
    >>> said = "liftime of the pi+"
    >>> mended(said, tokenise(said), [range(0, 1)], ["lifetime", "limit", "mass"])
    'lifetime of the pi+'
    """
    if quoted_spans(text):
        return text
    known = tuple(words)
    for at in sorted({i for places in unknown for i in places}, reverse=True):
        token = tokens[at]
        if len(token.text) < _SHORTEST or not (token.text.isalpha() and token.text.islower()):
            continue
        close = (w for w in known if _meant(token.text, w))
        near = {stem(w): w for w in sorted(close, key=lambda w: (w[-1] == token.text[-1], w))}
        if len(near) == 1:
            text = f"{text[: token.start]}{next(iter(near.values()))}{text[token.end :]}"
    return text


def _meant(said: str, word: str) -> bool:
    """Whether a word is mistyped, and is not another one of the same stem: "asymmetric" is no "asymmetry"."""
    a, b = stem(said), stem(word)
    return near_word(said, word) and a[-2:] == b[-2:] and not (a.startswith(b) or b.startswith(a))
