"""Ways of asking how many: "the exact number of ships", "of all ships, how many", "how many exist that"."""

from __future__ import annotations

from typing import Final

from cypher.semantics.rephrasing.rule import MANY, Rule, rule

_MANY: Final = rf"(?:[\w-]+ )?{MANY}"
_EXACT: Final = r"(?:exact|precise|actual|current|correct|full|entire|absolute|grand|overall)"
_NOUN: Final = (  # what is counted stands behind "how many", so it is not what was spoken of
    r"(?:of|are there|do|does|did|can|in total|different|distinct|unique|other|more|such|people|persons|men"
    r"|women|children|(?!(?:pass|miss|possess|discuss|cross)\b)\w+s"
    r"|\w+ \w+s (?:are|were|is|was|do|did|does|have|has|had|can|will|\w+ed))\b"
)
_CLAUSE: Final = r"(?=(?:who|that|which|whose|whom|where|with)\b)"
_UNITS: Final = r"(?:seconds|minutes|hours|days|weeks|months|years)"
"""What is added up, not counted: "how many seconds in total"."""
RULES: Final[tuple[Rule, ...]] = (
    rule(rf"\b(?:the )?{_EXACT} (?:total )?(?:number|count)s? of (?=\w)", "the number of "),
    rule(
        rf"\b(?:the )?(?:size|cardinality) of the (?:set|group|list) of (?=(?:the |all )*{_MANY}\b)",
        "the number of ",
    ),
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
)
"""Tried in order, each once."""
