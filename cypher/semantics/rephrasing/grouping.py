"""Numbers for each of something: "by rank: how many officers ...?" is "how many officers ... per rank?"."""

from __future__ import annotations

from typing import Final

from cypher.semantics.rephrasing.rule import TELLING, Rule, rule

_EACH: Final = r"(?:each|every)"
_COUNT: Final = r"(?:how many|the (?:total )?(?:number|count)s? of|(?:number|count)s? of)"
_ASKED: Final = r"(?:(?:give|tell|show|list|provide|state|report|find|say|count)(?: me| us)? )?"
_BROKEN: Final = (
    r"(?:(?:broken|split) (?:down|up)|grouped|grouping(?: them| it)?|split|separated|divided|classified"
    r"|breaking (?:it|them) down|splitting (?:it|them)(?: up)?) by"
)
_BY: Final = rf"(?:(?<!ed )(?<!made )(?<!sent )(?<!held )(?<!seen )(?<!taken )(?<!given )by|per|for {_EACH})"
"""Not "calls made by": who does something is no key to count by."""
_KEY: Final = r"((?!(?-i:[A-Z]))(?:(?!(?:who|that|which|whose)\b)[\w']+ ?)+?)"
RULES: Final[tuple[Rule, ...]] = (
    rule(
        r"^(?:list|show|give|name|state|tell)(?: me| us)? (?:each|every) ([\w' ]+?) "
        r"(?:together |along )?with (?:its|the|their) (?:total )?(?:number|count) of ",
        r"for each \1, count the ",
    ),
    rule(r"(?<=\w) (?:itself|themselves)(?= (?:and|along|together|with)\b)", ""),
    rule(
        r"^how many ([\w ]+?) (?:with|of|having) (?:each|every) ([\w ]+?) "
        r"((?:is|are|was|were|has|have|had|do|did) .+?)\s*\?*$",
        r"how many \1 \3 per \2?",
    ),
    rule(
        r"^how many ([\w ]+?) (?:has|have|did|do|does) (?:each|every) ([\w ]+?) of ([\w ]+?) "
        r"(\w+(?: (?:in|on|at|to) .+?)?)\s*\?*$",
        r"how many \1 have \3s \4 per \2?",
    ),
    rule(r"^(.+?)\s*[:,]\s*how many(?: are there| are they| is that)?\s*\?*$", r"how many \1?"),
    rule(r"^how (?:large|big|high|great) is the (?:number|count|total) of ", "how many "),
    rule(rf"^what are the counts of (.+) {_BY} {_KEY}\s*[.?]*$", r"how many \1 per \2?"),
    rule(r"^what (?:is|are) the (?:total )?counts? of ", "how many "),
    rule(
        r"^how many of (?:the|all(?: the)?) (?=\w+ (?:who|that|which|have|are|were|had|live|own)\b)",
        "how many ",
    ),
    rule(
        rf"^(?:by|per|(?:taking|under) {_EACH}|for {_EACH}(?=[^,:]+, {TELLING})) "
        rf"([\w' ]+?)(?: in turn)?\s*[:,]\s*{_ASKED}{_COUNT} "
        r"(.+?)(?: are there)?\s*([?.]*)$",
        r"how many \2 per \1?",
    ),
    rule(
        r"^(?:give|show|provide|make|draw up)(?: me| us)? (?:a|the) "
        r"(?:breakdown|distribution|split) of (.+) (?:by|per|over|across) ([\w' ]+?)\s*[.?]*$",
        r"how many \1 per \2?",
    ),
    rule(
        rf"^(?:give|show|provide|make|draw up)(?: me| us)? (?:a|the) (?:tally|count) of (.+) {_BY} {_KEY}"
        r"\s*[.?]*$",
        r"how many \1 per \2?",
    ),
    rule(rf"^{_ASKED}(?:the )?counts of (.+) {_BY} {_KEY}\s*[.?]*$", r"how many \1 per \2?"),
    rule(
        r"^(?:put|sort|divide|group|split) (.+?) (?:into groups )?by ([\w' ]+?),? "
        r"(?:with|and (?:count|give|say)) "
        r"(?:the )?(?:size|number|how many)(?: (?:of|in))?(?: each)?.*$",
        r"how many \1 per \2?",
    ),
    rule(
        r"^(?:please )?(?:(?:break|split)(?: it| them)? (?:down|up),? by|(?:give|tell|show)(?: me| us)?,? "
        rf"(?:by|per|for {_EACH})) ([\w' ]+?),? {_COUNT} (.+?)(?: there are)?\s*([?.]*)$",
        r"how many \2 per \1?",
    ),
    rule(
        rf"^(?:please )?(?:break|split) (?:up |down )?(?:{_COUNT} |the )(.+?)(?: there are)?(?: up| down)? "
        r"by ((?:[\w']+ ){0,2}[\w']+)\s*[?.]*$",
        r"how many \1 per \2?",
    ),
    rule(
        rf"^{_BROKEN} ([^,:?]+)[,:] (?:{_ASKED}({_COUNT})|count) (.+?)(?: are there| there are)?\s*[?.]*$",
        r"how many \3, grouped by \1?",
    ),
    rule(rf"^((?:at |in |on )?how many [^,?]+), {_BROKEN} ([^,?]+), (.+?)\s*\?*$", r"\1 \3, grouped by \2?"),
    rule(
        rf"^(at|in|on|from|to|with|by) (how many [\w ]+? (?:did|do|does|is|are|was|were|has|have) .+?),? "
        rf"{_BROKEN} ([^,?]+?)\s*\?*$",
        r"\2 \1, grouped by \3?",
    ),
    rule(
        rf"^((?:(?:could|can|would) you (?:please )?)?{_ASKED}{_COUNT} .+?), "
        r"with (?:the|its|their) ([\w ]+?) (?:alongside|beside|next to|along with)(?: it| them)?\s*[?.]*$",
        r"\1, grouped by \2?",
    ),
    rule(rf"^count (.+?) separately (?:for {_EACH}|by|per) ([\w' ]+?)\s*[.?]*$", r"how many \1 per \2?"),
    rule(rf"^(how many .+?) (?:under|within|in) {_EACH} ([\w']+)\s*\?*$", r"\1 per \2?"),
)
"""Tried in order, each once."""
