"""Roundabout ways of asking plain things: "what would be", "fail to own", "the age of sailors on average"."""

from __future__ import annotations

from typing import Final

from cypher.semantics.rephrasing.rule import MANY, Rule, rule

_MANY: Final = rf"(?:[\w-]+ )?{MANY}"
_SIZE: Final = (
    r"(?:[a-z]+ )?(?:age|duration|length|size|price|cost|weight|height|width|depth|number|amount|value"
    r"|tonnage|speed|salary|pay|score|rating|distance|mass|energy|time|year)"
)
"""What there is a mean of: the typical kind of something is not one."""
RULES: Final[tuple[Rule, ...]] = (
    rule(r"^(what|which|who) (?:would|could|might|may) be (?=(?:the|all)\b)", r"\1 is "),
    rule(
        r"^what (?:do (?:we|you) know|can you (?:tell|say)(?: (?:me|us))?|is known) about (?=the \w+ of\b)",
        "what is ",
    ),
    rule(
        r"^(?:look for|search for|find|get|list|retrieve|take) (?:all )?(?:the )?([^,;?.]+?),? and "
        r"(?:return|give|list|show|report|tell)(?: me| us)? (?:the |a )?([\w -]{2,30}?) of "
        r"(?:each|every)(?: one)?(?: of them)?\s*[.?]*$",
        r"list the \2 of the \1",
    ),
    rule(
        r"^(?:please )?(?:provide|retrieve|get|give|show|return|find|list)(?: me| us)?(?: all)?(?: the)? "
        r"(?:details?|info|information) (?:of|about|on|for) (?=\w)",
        "find ",
    ),
    rule(rf"^do (?:we|you) have (?!(?:an?|any|the|some|enough|no)\b)(?={_MANY}\b)", "are there any "),
    rule(
        r"(?<!type )(?<!kind )(?<!status )(?<!of )(?<!as )\b(?-i:fail|fails|failed) to (?=(?!be\b)[a-z]+\b)",
        "do not ",
    ),
    rule(
        r"\b(?:for (?:which|whom)|where) it is not (?:true|the case|so) that (?:they|he|she|it) (?=\w)",
        "that do not ",
    ),
    rule(
        rf"^(?:excluding|leaving out|except for|apart from) (?:all )?those (?:that|who|which) ([^,;?.]+), "
        rf"(?:find|list|give|show|name|return)(?: me)? (?:all )?(?:the )?({_MANY})\s*[.?]*$",
        r"list the \2 that do not \1",
    ),
    rule(r"\b(?:in excess of|beyond) (?=[\d$€£])", "above "),
    rule(r"\b(?:that|which|who) exceeds? an? ([\w ]{2,25}?) of (?=[\d$€£])", r"with a \1 above "),
    rule(
        r"^(what|which) ([\w -]{2,25}?) do (.+?) have on average\s*[.?]*$", r"what is the average \2 of \3?"
    ),
    rule(
        r"^what (?:is|was) the (?!average|mean)([\w -]{2,25}?) of (.+?),? on average\s*[.?]*$",
        r"what is the average \1 of \2?",
    ),
    rule(rf"\bthe typical (?={_SIZE} of\b)", "the average "),
    rule(
        r"^(?:considering|find|get|take|list) (?:all )?(?:the )?([^,;:?.]+?),? (?:and )?"
        r"(?:what is|return|compute|calculate|give|find|show)(?: me)? their (average|mean|total) "
        r"([\w -]{2,25}?)\s*[.?]*$",
        r"what is the \2 \3 of the \1?",
    ),
    rule(r"^who or (?:what|which) (?=(?:is|are|was|were)\b)", "what "),
    rule(rf"^who or (?:what|which) (?={_MANY}\b)", "which "),
)
"""Tried in order, each once."""
