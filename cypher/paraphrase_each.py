"""Rules of English for counts of several experiments, each with its own, and for what rows show anyway.

As in :mod:`cypher.paraphrase_rules`.
"""

from __future__ import annotations

from typing import Final

from cypher.paraphrase_rules import Rule

_NAME = r"(?-i:[A-Z])[\w+-]*(?: (?-i:[IVX]+))?"
_NAMES = rf"({_NAME}(?:(?:, {_NAME})*,? (?:and|or) {_NAME}))"
_VERSUS = rf"({_NAME}),? (?:vs\.?|versus|against) ({_NAME})"
_WHAT = r"((?:[\w^*()/'+-]+ )*?(?:papers|publications|measurements|results|limits|values))"
_DONE = r"(?: (?:been )?(?:publish|report|make|made|contribut|produc|releas|obtain|ha(?:ve|s))\w*)?"
_OF = r"(?:of|by|from|published by|made by|reported by)"
_END = r"[?.]?$"
_SAID = r"how many \1 per experiment, for \2?"
_TURNED = r"how many \2 per experiment, for \1?"

EACH_FIRST: Final[tuple[Rule, ...]] = (
    (
        rf"^{_VERSUS}[:,]? (?:the )?numbers? of {_WHAT}(?: (?:for |of )?each)?{_END}",
        r"how many \3 per experiment, for \1 and \2?",
    ),
    (
        rf"^(?:the |compare the )?numbers? of {_WHAT}(?: {_OF})?[:,]? {_VERSUS}(?:,? each)?{_END}",
        r"how many \1 per experiment, for \2 and \3?",
    ),
)
"""Applied always: the two would contradict each other as conditions of one thing."""

EACH: Final[tuple[Rule, ...]] = (
    (rf"^how many {_WHAT} (?:have|has|did|do|does) {_NAMES} each{_DONE}{_END}", _SAID),
    (rf"^how many {_WHAT} (?:have|has|did|do|does) each of {_NAMES}{_DONE}{_END}", _SAID),
    (rf"^how many {_WHAT} (?:are there |are |were there )?{_OF} each of {_NAMES}{_END}", _SAID),
    (
        rf"^compare {_NAMES},? (?:by|on|in) (?:the |their )?numbers? of {_WHAT}"
        rf"(?: (?:that )?(?:each|they|both) (?:has|have|did)?{_DONE})?{_END}",
        _TURNED,
    ),
    (rf"^compare the numbers? of {_WHAT} {_OF} {_NAMES}{_END}", _SAID),
    (rf"^{_NAMES}[:,]? (?:the )?number of {_WHAT}(?: (?:for |of )?each)?{_END}", _TURNED),
    (rf"^(?:the )?number of {_WHAT}(?: {_OF})?[:,]? {_NAMES}(?:,? each)?{_END}", _SAID),
    (
        r",? and (?:when|in (?:what|which) year) (?:was|were) (?:it|they|each(?: of (?:them|these|those))?)"
        rf" published{_END}",
        "",
    ),
    (
        rf"^(.*\bpapers\b.*?),? (?:along |together )?with (?:the|their) years?(?: of publication)?{_END}",
        r"\1",
    ),
)
"""Tried in order with the other rewordings."""
