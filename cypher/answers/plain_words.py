"""Words that may stand in an answer without being in its rows, and words that may not."""

from __future__ import annotations

from typing import Final

from cypher.word_lists import numbers_up_to
from cypher.words import stem

_PLAIN = """
a an the this that these those it its they their there is are was were be been being has have had of
in on at by for from to with and or as also both each respectively while whereas which who where
when measure measured measures measurement measurements determine determined determines report
reported reports find found finds give given gives value values result results paper papers quote
quoted list listed lists say says said state stated states obtain obtained obtains publish published
year years total row rows statistical systematic uncertainty uncertainties error errors limit source
sources statement statements experiment experiments collaboration observable observables graph holds
hold according namely plus minus followed follow follows contribute contributes contributed affect
affects affected estimate estimates estimated named called titled title document documents unit
units percent arxiv doi inspire
"""
_NEVER = """
not no never none nor without except neither most least more less best first last latest only all
largest biggest highest greatest smallest lowest strongest weakest tightest longest shortest heaviest
lightest newest oldest earliest fewest dominant replace replaces replaced replacing replacement supersede
supersedes superseded exclude excludes excluded exceed exceeds larger smaller higher lower greater fewer
"""

PLAIN: Final = frozenset(map(stem, _PLAIN.split()))
"""Stems of words that state a fact of any row."""
NEVER: Final = frozenset(map(stem, _NEVER.split()))
"""Stems of words that claim more than rows that are there can show."""
SUPERLATIVES: Final = frozenset(
    {"most", "least", "best", "first", "last", "latest", "largest", "biggest", "highest", "greatest"}
    | {"smallest", "lowest", "strongest", "weakest", "tightest", "longest", "shortest", "heaviest"}
    | {"lightest", "newest", "oldest", "earliest", "fewest", "dominant"}
)
"""Those that may be said of the one row of an answer to a question that asks for it."""
SPELLED: Final = {"zero": 0.0} | {word: float(n) for word, n in numbers_up_to(12).items()}
"""Small numbers in letters."""
