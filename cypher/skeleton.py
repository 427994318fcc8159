"""What is left of a question without its names and numbers: questions of one kind have it in common."""

from __future__ import annotations

import re
from collections.abc import Sequence


def skeleton(question: str, names: Sequence[str] = ()) -> str:
    """A question without its names and numbers.

    >>> skeleton("Which papers since 2015 determine phi_s?"), skeleton("values of B0 mass", ["B0 mass"])
    ('which papers since # determine @', 'values of @')
    """
    text = question
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(re.escape(name), "@", text, flags=re.IGNORECASE) if len(name) > 1 else text
    text = re.sub(r"(?<!\w)[-+]?\d[\d.,]*(?!\w)", "#", text)
    words = text.rstrip("?!. ").split()
    return " ".join("@" if i and _is_name(w) else w.lower() for i, w in enumerate(words))


def _is_name(word: str) -> bool:
    return bool(re.search(r"[A-Z_\d]", word.rstrip(",;")))
