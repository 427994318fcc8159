"""Ways of asking: "the exact number of ships", "of all ships, how many", "the age of sailors on average"."""

from __future__ import annotations

from typing import Final

from cypher.semantics.rephrasing.rule import Rule, rule

_MANY: Final = r"(?:[\w-]+ )?(?:people|persons|men|women|children|\w+s)"
_EXACT: Final = r"(?:exact|precise|actual|current|correct|full|entire|absolute|grand|overall)"
_NOUN: Final = (  # what is counted stands behind "how many", so it is not what was spoken of
    r"(?:of|are there|do|does|did|can|in total|different|distinct|unique|other|more|such|people|persons|men"
    r"|women|children|(?!(?:pass|miss|possess|discuss|cross)\b)\w+s"
    r"|\w+ \w+s (?:are|were|is|was|do|did|does|have|has|had|can|will|\w+ed))\b"
)
_CLAUSE: Final = r"(?=(?:who|that|which|whose|whom|where|with)\b)"
_SIZE: Final = (
    r"(?:[a-z]+ )?(?:age|duration|length|size|price|cost|weight|height|width|depth|number|amount|value"
    r"|tonnage|speed|salary|pay|score|rating|distance|mass|energy|time|year)"
)
_UNITS: Final = r"(?:seconds|minutes|hours|days|weeks|months|years)"
"""What is added up, not counted: "how many seconds in total"."""
RULES: Final[tuple[Rule, ...]] = (
    rule(rf"\b(?:the )?{_EXACT} (?:total )?(?:number|count)s? of (?=\w)", "the number of "),
    rule(r"\b(?:the )?(?:size|cardinality) of the (?:set|group|list|collection) of (?=\w)", "the number of "),
    rule(rf"^(?:please )?(?:what|which) (?:amount|quantity) of (?={_MANY}\b)", "how many "),
    rule(r"^(?:please )?quantify (?=\w)", "count "),
    rule(r"^((?:please )?count) (?:every (?:one|single one)|each(?: one)?|all) of (?=\w)", r"\1 "),
    rule(r"^counting (?:only|just) ", "counting "),
    rule(r"\bhow many total (?=\w)", "how many "),
    rule(
        rf"^(how many (?!{_UNITS}\b){_MANY}) (?:in (?:total|all|sum)|overall|altogether|all in all) (?=\w)",
        r"\1 ",
    ),
    rule(
        rf"^((?:how many|which|what) {_MANY}) (?:exist|are known|do (?:we|you) (?:have|know of)"
        rf"|can (?:be found|be seen|we find|you find)) {_CLAUSE}",
        r"\1 are there ",
    ),
    rule(
        rf"^(?:of|out of|from|among|amongst) (?:all )?(?:of )?(?:the |these |those |our )?({_MANY}),? "
        r"how many (?:of (?:them|these|those) )?"
        rf"(?!{_NOUN})(?=[a-z]+ \S)",
        r"how many \1 ",
    ),
    rule(
        rf"^(?:which|what) ({_MANY}) (?:are|were) (?:the|those) ones? (?=(?:who|that|which)\b)",
        r"list the \1 ",
    ),
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
        r"(?:details?|info|information|data) (?:of|about|on|for) (?=\w)",
        "find ",
    ),
    rule(rf"^do (?:we|you) have (?!(?:an?|any|the|some|enough|no)\b)(?={_MANY}\b)", "are there any "),
    rule(r"\b(?:fail|fails|failed) to (?=(?!be\b)[a-z]+\b)", "do not "),
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
