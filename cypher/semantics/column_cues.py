"""Words of a question that tell how foreseeable its answer's columns are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Final

MOST: Final = 3.0
"""Log-odds beyond which words say no more."""
_WORD: Final = re.compile(r"[a-z]+")


def cues(question: str) -> Iterator[str]:
    """Words, pairs of words and the first words, in lower case.

    >>> list(cues("Name two ships."))
    ['^name', '^name two', 'name', 'two', 'ships', 'name two', 'two ships']
    """
    found = _WORD.findall(question.lower())
    yield from ("^" + " ".join(found[:size]) for size in (1, 2) if len(found) >= size)
    yield from found
    yield from (f"{a} {b}" for a, b in pairwise(found))


def foreseeable(question: str, weights: Mapping[str, float] | None = None) -> float:
    """Log-odds that another reader would return the columns that we do, from -3 to 3.

    Fitted by ``benchmarks.fit_columns`` on questions about graphs that nothing else is measured on.

    >>> foreseeable("Name two ships.", {"name": -0.5, "two ships": 0.2})
    -0.3
    """
    known = fitted_cues() if weights is None else weights
    return max(-MOST, min(MOST, sum(known.get(cue, 0.0) for cue in dict.fromkeys(cues(question)))))


@cache
def fitted_cues() -> Mapping[str, float]:
    """The weights that ship with the package."""
    text = resources.files("cypher.semantics").joinpath("columns.json").read_text("utf-8")
    weights: Mapping[str, float] = json.loads(text)["cues"]
    return weights
