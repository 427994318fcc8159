"""Follow-ups that ask for the paper, the years or another order of what was told, as full questions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cypher.answers import follow_words as words
from cypher.asked_unit import split_unit
from cypher.left_open import FIRST_OF, LISTED, SORTED, SOURCE, YEAR
from cypher.year_order import split_order

_ONE: Final = re.compile(
    r"^(?:what(?:'s| is| was)|give me|show me|tell me|find|show) (?:the )?(?P<rest>.+)$", re.IGNORECASE
)
_PAPERS: Final = re.compile(
    r"^(?:which|what) (?:papers?|publications?)"
    r" (?P<rest>(?!(?:are|is|were) there\b|(?:of|on|for|with|in|by) ).+)$",
    re.IGNORECASE,
)
_QUANTITY: Final = re.compile(r"^(?:(?:values?|measurements?|limits?) (?:of|on) )?(?:the )?", re.IGNORECASE)
_YEARS: Final = re.compile(
    r"^(?:what are the years|which is the (?:newest|latest|most recent|oldest|earliest|first)) of the papers"
    r" that (?P<rest>.+)$",
    re.IGNORECASE,
)
_VALUES: Final = re.compile(
    r"^(?:(?:what are|which are|list|show|show me)(?: all)? )?(?:the )?(?:values|measurements|results) of"
    r" (?P<rest>.+)$",
    re.IGNORECASE,
)
_STATE: Final = re.compile(r"^(?:determine|measure|report|publish)(?:s|d|ed)? (?P<rest>.+)$", re.IGNORECASE)
_COUNTED: Final = re.compile(r"^how many (?=\w)", re.IGNORECASE)
_BY_YEAR: Final = re.compile(
    r"^(?:the )?(?:publication )?(?:years?|dates?)(?: of publication)?$", re.IGNORECASE
)


def points_back(core: str) -> bool:
    """Whether a follow-up asks for paper, years, order, list or first of what was told before."""
    return any(rule.match(core) for rule in (SOURCE, YEAR, SORTED, LISTED, FIRST_OF))


def meant(core: str, before: str) -> Iterator[str]:
    """Full questions that it may stand for, the likeliest first.

    >>> list(meant("which paper is that from", "What is the most precise B_s0 mass"))
    ['Which paper has the most precise B_s0 mass']
    >>> list(meant("which year", "Which papers determine phi_s"))
    ['What are the years of the papers that determine phi_s']
    >>> list(meant("sort by year", "values of phi_s, newest first"))
    ['values of phi_s, oldest first']
    """
    before = before if SORTED.match(core) or FIRST_OF.match(core) else _without_unit(before)
    one, papers, order = _ONE.match(before), _PAPERS.match(before), SORTED.match(core)
    if order:
        if _BY_YEAR.match(order["key"]):
            yield f"{split_order(before)[0]}, oldest first"
    elif LISTED.match(core):
        yield _COUNTED.sub("Which ", before)
    elif first := FIRST_OF.match(core):
        yield from _first_of(first["most"].lower(), before)
    elif one and words.RANKED.search(one["rest"]):
        yield f"Which paper has the {one['rest']}"
    elif YEAR.match(core):
        if papers:
            yield f"What are the years of the papers that {papers['rest']}"
    elif papers:
        yield before


def _first_of(most: str, before: str) -> Iterator[str]:
    """One of the papers or values that were told.

    >>> list(_first_of("newest", "Which papers determine phi_s"))
    ['Which is the newest of the papers that determine phi_s']
    >>> list(_first_of("oldest", "values of phi_s"))
    ['What is the oldest value of phi_s']
    >>> list(_first_of("most precise", "Which papers determine phi_s"))
    ['Which paper has the most precise value of phi_s']
    """
    papers, values = _PAPERS.match(before) or _YEARS.match(before), _VALUES.match(before)
    if papers and most.endswith("precise"):
        stated = _STATE.match(papers["rest"])
        yield from (f"Which paper has the {most} value of {stated['rest']}",) if stated else ()
    elif papers:
        yield f"Which is the {most} of the papers that {papers['rest']}"
    elif values:
        yield f"What is the {most} value of {values['rest']}"


def _without_unit(before: str) -> str:
    """A paper or a year has no unit, whatever the value before was given in."""
    plain, unit = split_unit(before)
    return plain if unit else before


def near(core: str, before: str) -> Iterator[str]:
    """Questions that may be meant where a value was told that no one paper gives.

    >>> list(near("who published it", "What is the B_s0 mass"))
    ['Which papers determine B_s0 mass']
    """
    told = _ONE.match(before) or re.match(r"^what are (?:the )?(?P<rest>.+)$", before, re.IGNORECASE)
    if told and not SORTED.match(core):
        yield f"Which papers determine {_QUANTITY.sub('', told['rest'])}"
