"""Follow-ups that ask for the paper, the years or another order of what was told, as full questions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cypher.answers import follow_words as words
from cypher.left_open import SORTED, SOURCE, YEAR
from cypher.year_order import split_order

_ONE: Final = re.compile(
    r"^(?:what(?:'s| is| was)|give me|show me|tell me|find|show) (?:the )?(?P<rest>.+)$", re.IGNORECASE
)
_PAPERS: Final = re.compile(
    r"^(?:which|what) (?:papers?|publications?) (?P<rest>(?!(?:are|is|were) there\b).+)$", re.IGNORECASE
)
_QUANTITY: Final = re.compile(r"^(?:(?:values?|measurements?|limits?) (?:of|on) )?(?:the )?", re.IGNORECASE)
_BY_YEAR: Final = re.compile(
    r"^(?:the )?(?:publication )?(?:years?|dates?)(?: of publication)?$", re.IGNORECASE
)


def points_back(core: str) -> bool:
    """Whether a follow-up asks for paper, years or order of what the question before was answered with."""
    return bool(SOURCE.match(core) or YEAR.match(core) or SORTED.match(core))


def meant(core: str, before: str) -> Iterator[str]:
    """Full questions that it may stand for, the likeliest first.

    >>> list(meant("which paper is that from", "What is the most precise B_s0 mass"))
    ['Which paper has the most precise B_s0 mass']
    >>> list(meant("which year", "Which papers determine phi_s"))
    ['What are the years of the papers that determine phi_s']
    >>> list(meant("sort by year", "values of phi_s, newest first"))
    ['values of phi_s, oldest first']
    """
    one, papers, order = _ONE.match(before), _PAPERS.match(before), SORTED.match(core)
    if order:
        if _BY_YEAR.match(order["key"]):
            yield f"{split_order(before)[0]}, oldest first"
    elif one and words.RANKED.search(one["rest"]):
        yield f"Which paper has the {one['rest']}"
    elif YEAR.match(core):
        if papers:
            yield f"What are the years of the papers that {papers['rest']}"
    elif papers:
        yield before


def near(core: str, before: str) -> Iterator[str]:
    """Questions that may be meant where a value was told that no one paper gives.

    >>> list(near("who published it", "What is the B_s0 mass"))
    ['Which papers determine B_s0 mass']
    """
    told = _ONE.match(before) or re.match(r"^what are (?:the )?(?P<rest>.+)$", before, re.IGNORECASE)
    if told and not SORTED.match(core):
        yield f"Which papers determine {_QUANTITY.sub('', told['rest'])}"
