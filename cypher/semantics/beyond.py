"""Questions that no single reading answers: two in one text, and times counted back from today."""

from __future__ import annotations

import re
from typing import Final

from cypher.semantics.mentions import Linked

_ASKED: Final = frozenset({"which", "who", "what", "where", "when"})
_AUXILIARIES: Final = frozenset(
    {
        *("is", "are", "was", "were", "be", "has", "have", "had", "do", "does", "did", "can", "could"),
        *("will", "would", "also", "of", "ones", "one"),
    }
)
_BACK: Final = re.compile(
    r"\b(?:last|past|previous|recent) (?:(?:couple of|\d+|[a-z]+) )?(?:years|months|weeks|days|decades)\b"
    r"|\b(?:\d+|[a-z]+) (?:years?|months?|weeks?|days?|decades?) ago\b",
    re.IGNORECASE,
)


def asks_twice(linked: Linked) -> bool:
    """Whether the same is asked of two things: "who mentors Ann and who mentors Ben" is of no one of both.

    >>> from cypher.semantics.text import words
    >>> def asked(text): return asks_twice(Linked(text, words(text), (), (), (), ()))
    >>> asked("Who mentors Ann and who mentors Ben?"), asked("Who mentors Ann and who is a pilot?")
    (True, False)
    """
    words = [w.lower for w in linked.words]
    first = words[0] if words and words[0] in _ASKED else ""
    again = [at for at, word in enumerate(words) if at > 1 and word == first and words[at - 1] == "and"]
    verbs = {word for at in again for word in words[at + 1 : at + 2]} - _AUXILIARIES
    return bool(verbs & set(words[: max(again, default=0)]))


def counts_back(text: str) -> bool:
    """Whether a time is told by how long ago it was, which depends on when it is asked.

    >>> counts_back("Which ships sank in the last ten years?"), counts_back("Who was last in 1990?")
    (True, False)
    """
    return bool(_BACK.search(text))
