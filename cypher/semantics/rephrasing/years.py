"""Years said round about: "born in a year before 1950", "the period 1990-1996", "year of birth"."""

from __future__ import annotations

from typing import Final

from cypher.semantics.rephrasing.rule import Rule, rule

_END: Final = r"\s*[?.!]*$"
_YEAR: Final = r"(?:1[4-9]\d\d|20\d\d)"
_EVENT: Final = r"(release|birth|death|publication|foundation|construction)"
RULES: Final[tuple[Rule, ...]] = (
    rule(
        rf"^considering (?:the )?(?:period|time|years|span) (?:between|from) ({_YEAR}) (?:and|"
        rf"to|until) ({_YEAR}), (.+?)"
        rf"(?: (?:in|during) (?:it|that time|this time|that period|them))?{_END}",
        r"\3 between \1 and \2?",
    ),
    rule(
        rf"\b(?:in|during|over|for|within) (?:the )?(?:years|period|time|timespan|span)(?: "
        rf"of time)? (?:between|from) (?={_YEAR})",
        "between ",
    ),
    rule(
        rf"\b(?:from|between) (?:the )?(?:years? )?({_YEAR}) ?[-–—] ?({_YEAR})(?![\d-])",
        r"between \1 and \2",
    ),
    rule(
        rf"(?<=[a-z,] )(?<!from )(?<!between )(?<!the )(?:in |during |for )?(?:the )?(?:years? )?({_YEAR}) "
        rf"?(?:[-–—]|to|through|until) ?({_YEAR})(?![\d-])",
        r"between \1 and \2",
    ),
    rule(
        r"\b(?:in|during|from) an? years? (?=(?:before|after|above|below|later|earlier|between|"
        r"since|from)\b)",
        "",
    ),
    rule(rf"\b(before|after|since|until|in|from|between|than) the years? (?={_YEAR})", r"\1 "),
    rule(rf"\b(year|date|day|time) of (?:the |its |their |his |her )?{_EVENT}\b", r"\2 \1"),
    rule(rf"\b(year|date|day) of ([^,?]+?)['’]s? {_EVENT}\b", r"\3 \1 of \2"),
    rule(rf"\bpost-({_YEAR})\b", r"after-\1"),
    rule(rf"^(?:after|post)-({_YEAR}) ([a-z]+s){_END}", r"\2 after \1"),
    rule(rf"^pre-({_YEAR}) ([a-z]+s){_END}", r"\2 before \1"),
    rule(rf"\b({_EVENT} (?:year|date)) between ({_YEAR}) and ", r"\1 between \3 and "),
)
"""Tried in order, each once."""
