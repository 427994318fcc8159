"""Ways of asking how many: "the exact number of ships", "of all ships, how many", "how many exist that"."""

from __future__ import annotations

from typing import Final

from cypher.semantics.rephrasing.rule import Rule, rule

_MANY: Final = r"(?:[\w-]+ )?(?:people|persons|men|women|children|\w+s)"
_EXACT: Final = r"(?:exact|precise|actual|current|correct|full|entire|absolute|grand|overall)"
_CLAUSE: Final = r"(?=(?:who|that|which|whose|whom|where|with)\b)"
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
        r"(?=(?!(?:of|are there|do|does|did|can|in total)\b)[a-z]+ \S)",
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
    rule(r"^who or (?:what|which) (?=(?:is|are|was|were)\b)", "what "),
    rule(rf"^who or (?:what|which) (?={_MANY}\b)", "which "),
)
"""Tried in order, each once."""
