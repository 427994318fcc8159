"""Questions that leave open what they are about: "which paper is that from?", "what is the average?"."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from cypher.words import stem

_IT: Final = r"(?:it|this|that|these|those|they|them|he|she)"
_PAPER: Final = r"(?:which|what) (?:papers?|publications?|articles?)"
_DEEDS: Final = r"(?:published|measured|reported|determined|found|made|obtained|wrote|did)"
SOURCE: Final = re.compile(
    rf"^(?:{_PAPER} (?:is|was|are|were) {_IT} (?:from|in|by|published in)"
    rf"|(?:from|in|by) {_PAPER}(?: (?:is|was|are|were) {_IT})?"
    rf"|{_PAPER} (?:does|did|do) {_IT} come from|{_PAPER} (?:reported|published|measured) {_IT}"
    rf"|where (?:is|was|are|were) {_IT} (?:from|published|reported)|where (?:does|did|do) {_IT} come from"
    rf"|who {_DEEDS}(?: {_IT})?)$",
    re.IGNORECASE,
)
"""Who or which paper told something that was said before."""
YEAR: Final = re.compile(
    rf"^(?:(?:in |from )?(?:which|what) years?(?: (?:is|was|are|were) {_IT}(?: from| published| measured)?)?"
    rf"|when(?: (?:is|was|are|were) {_IT}(?: from| published| measured)?)?)$",
    re.IGNORECASE,
)
SORTED: Final = re.compile(
    rf"^(?:please )?(?:sort|order|rank)(?:ed)?(?: {_IT})? by (?:the )?(?P<key>[\w ]+)$",
    re.IGNORECASE,
)
LISTED: Final = re.compile(
    r"^(?:which(?: ones?)?(?: (?:are|were) (?:they|these|those|there))?|what are they"
    r"|(?:please )?(?:list|show|name)(?: me)?(?: all(?: of)?)? (?:them|these|those)(?: all)?)$",
    re.IGNORECASE,
)
"""What was counted before is to be listed."""
FIRST_OF: Final = re.compile(
    r"^(?:which|what) (?:(?:one|of (?:these|them|those)) )?(?:is|was) (?:the )?"
    r"(?P<most>newest|latest|most recent|oldest|earliest|first|most precise|least precise)(?: one)?$",
    re.IGNORECASE,
)
"""One of those that were told of before."""
_OF_THE_SCHEMA: Final = re.compile(
    r"^(?:which|what) (?P<what>properties|attributes|fields|columns|labels|node types"
    r"|relation(?:ship)? types) (?:do(?:es)?|has|have|are|is|can|belong)\b",
    re.IGNORECASE,
)
MADE_OF: Final = (
    "This asks how the graph is made, not what is in it. 'kg schema show' lists the types of things, their "
    "attributes and relations."
)
_COUNT: Final = r"how many(?: (?:of )?(?:them|those|these))?(?: (?:are|were) there| in total| altogether)?"
_OF_ONE: Final = (
    r"(?:average|mean|(?:pdg|recommended|world) (?:value|average)|values?|results?|numbers?|units?"
    r"|(?:total |statistical |systematic )?(?:errors?|uncertaint(?:y|ies))"
    r"|(?:upper |lower )?(?:limits?|bounds?))"
)
_OPEN: Final = re.compile(
    rf"^(?:{_COUNT}|what(?:'s| is| are| was| were) (?:the |its |their ){_OF_ONE}"
    r"|(?:which|what) \w+ (?:is|are|was|were) (?:used|involved))$",
    re.IGNORECASE,
)


def left_open(text: str) -> str:
    """Why a question cannot be answered by itself that does not say what it is about; empty for any other.

    >>> left_open("which paper is that from?")[:59]
    "'which paper is that from' points at something outside this"
    >>> left_open("Which paper is the newest?"), left_open("which papers?"), left_open("How many papers?")
    ('', '', '')
    """
    core = text.rstrip("?!. ")
    if not any(rule.match(core) for rule in (SOURCE, YEAR, SORTED, LISTED, FIRST_OF, _OPEN)):
        return ""
    said = f"'{core}' points at something outside this question"
    return f"{said}; every question stands alone. Name what is meant."


def of_the_schema(text: str, words: Collection[str]) -> str:
    """What is said to a question for the attributes of a kind of things, unless the schema has such a word.

    >>> of_the_schema("What properties does a paper have?", {"paper"}) == MADE_OF
    True
    >>> of_the_schema("Which fields does the farm have?", {"field"})
    ''
    """
    found = _OF_THE_SCHEMA.match(text)
    if found is None:
        return ""
    what = found["what"].split()[0].lower()
    return "" if what in words or stem(what) in words else MADE_OF
