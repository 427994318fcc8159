"""What is in a text, late in the day or added up: "with the word Oak in it" is "containing 'Oak'"."""

from __future__ import annotations

from typing import Final

from cypher.semantics.rephrasing.rule import Rule, rule

_ORDER: Final = r"(latest|earliest)"
_END: Final = {"last": "latest", "latest": "latest", "most recent": "latest", "first": "earliest"}
_ADD: Final = r"(?:(?:can|could|would) you )?(?:please )?(?:add up|sum up|sum|total up|total|tot up)"
_EXIST: Final = r"(?:are there|were there|exist|existed)"
_WRITTEN: Final = r"(?:words?|letters?|texts?|strings?|characters?|syllables?)"
RULES: Final[tuple[Rule, ...]] = (
    rule(
        r"^((?:which|what|who)\b[^,?]*?)(?<! an)(?<! a)(?<! the)(?<! of)(?<! his)"
        r"(?<! her)(?<! its)(?<! their) ((?:most|least) recently|last|first) "
        r"(?!\w+ed(?: in \d+)?\s*\?*$)(\w{2,}ed) ([^,?]+?)\s*\?*$",
        r"\1 \3 \4 \2?",
    ),
    rule(
        r"\b(was|were|been|be) (\w{2,}ed) ((?:most|least) recently|last|first) "
        r"((?:by|at|in|to|from) [^,?]+?)\s*\?*$",
        r"\1 \2 \4 \3?",
    ),
    rule(
        r"^(?:who|which ([\w ]+?)) (was|is) the (last|first)(?: (?:one|person|\1))? "
        r"(?:to (?:be|have been) |that was |who was )?(\w{2,}ed) (by [^,?]+?)\s*\?*$",
        lambda m: f"which {m[1] or 'person'} {m[2]} {m[4]} {m[5]} {m[3]}?",
    ),
    rule(
        r"^when was the (last|first|latest|most recent) time (?:that |when )?(?:an? |any )(\w+) (.+?)\s*\?*$",
        lambda m: f"what is the date of the {_END[m[1].lower()]} {m[2]} that {m[3]}?",
    ),
    rule(r",? (?:going|judging|as told) by (?:the|its|their) (?:date|day)(?: of [^,?]+)?(?=\s*\?*$)", ""),
    rule(
        rf"\b(?:with|having|(?:that|which) (?:has|have|had)) (?:the )?{_WRITTEN} ([\"']?)([\w-]+)\1 "
        r"(?:somewhere )?(?:in|within|inside) (?:it|them|its name|their names?)\b",
        r'containing "\2"',
    ),
    rule(
        rf"\b(has|have|had) (?:the )?{_WRITTEN} ([\"']?)([\w-]+)\2 "
        r"(?:somewhere )?(?:in|within|inside) (?:it|them)\b",
        r'contains "\3"',
    ),
    rule(
        rf"\b(?:the )?{_ORDER} (?:in|of) the day\b"
        r"(?= (?:among|of|that|which|to|from|by|in|with)\b|,|\s*[?.]*$)",
        r"with the \1 time",
    ),
    rule(r"\b(is|are) with the (latest|earliest) time\b", r"has the \2 time"),
    rule(r"\b(was|were) with the (latest|earliest) time\b", r"had the \2 time"),
    rule(rf"^{_ADD} (?:all )?(?:the |of the )*(\w+) of ", r"what is the total \1 of "),
    rule(
        rf"^(how many [\w-]+) ((?:per|for each|for every) [\w ]+?) {_EXIST} (.+?)\s*\?*$",
        r"\1 are there \3 \2?",
    ),
    rule(
        r"^(?:taking|across|over|from|considering only|focus(?:ing)? on|looking only at) (?:all )?"
        r"((?:the|those) [^,:?]+)[,:] what (?:is|are|was|were) (?:the|their|its) "
        r"(average|mean|total|maximum|minimum|highest|lowest|latest|earliest) ([\w ]+?)\s*\?*$",
        r"what is the \2 \3 of \1?",
    ),
)
"""Tried in order, each once."""
